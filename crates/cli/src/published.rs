//! `zvmlab runs` and `zvmlab validate`: what was published, and the model beside it.

use std::fmt::Write;

use zvmlab_reference::replication::{Job, run_jobs, thread_count};
use zvmlab_reference::{Kind, Reference, Row, Run, Verdict, compare, reference};

use crate::ValidateArguments;
use crate::input::run_ids;
use crate::output::{self, Failure};
use crate::table::{Align, grouped, number_or_dash, render};

/// Lists the published runs.
pub fn list() -> Result<(), Failure> {
    let reference = reference();
    let rows: Vec<Vec<String>> = reference
        .runs
        .iter()
        .map(|run| vec![run.id.clone(), run.title.clone(), run.tables.clone(), run.settings.clone()])
        .collect();
    let header = [("Run", Align::Left), ("What", Align::Left), ("Where", Align::Left), ("Settings", Align::Left)];
    output::print(&format!("{}, {}\n\n{}", reference.source.title, reference.source.report, render(&header, &rows)))
}

/// Runs the published experiments, prints published beside modelled, and fails when a verdict fails.
pub fn validate(arguments: &ValidateArguments) -> Result<(), Failure> {
    let reference = reference();
    let runs = chosen(reference, &arguments.runs)?;
    let json = output::open(arguments.json.as_deref())?;
    let seed_count = arguments.seeds as usize;

    let jobs: Vec<Job> =
        runs.iter().flat_map(|run| (1..=arguments.seeds).map(|seed| Job { scenario: &run.scenario, seed })).collect();
    let outcomes = run_jobs(&jobs, thread_count())
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let rows: Vec<Row> = runs
        .iter()
        .zip(outcomes.chunks(seed_count))
        .flat_map(|(run, outcomes)| {
            compare(reference, run, &outcomes.iter().map(|outcome| &outcome.measurement).collect::<Vec<_>>())
        })
        .collect();

    output::print(&tables(reference, &runs, &rows, arguments.seeds))?;
    if let Some(json) = json {
        let text = serde_json::to_string_pretty(&rows).expect("rows are texts and finite numbers");
        json.write(&(text + "\n"))?;
    }
    match rows.iter().filter(|row| row.verdict.fails()).count() {
        0 => Ok(()),
        failed => Err(Failure::Verdict(format!("{failed} of {} figures fail", rows.len()))),
    }
}

/// The runs asked for by id, or all of them.
fn chosen<'a>(reference: &'a Reference, ids: &[String]) -> Result<Vec<&'a Run>, Failure> {
    if ids.is_empty() {
        return Ok(reference.runs.iter().collect());
    }
    let unknown: Vec<String> = ids
        .iter()
        .filter(|id| reference.run(id).is_none())
        .map(|id| format!("{id}: there is no published run of that name; those are {}", run_ids()))
        .collect();
    match unknown.is_empty() {
        true => Ok(ids.iter().filter_map(|id| reference.run(id)).collect()),
        false => Err(Failure::Input(unknown)),
    }
}

/// Everything that `validate` prints: a table and notes for each run, then a summary.
fn tables(reference: &Reference, runs: &[&Run], rows: &[Row], seeds: u64) -> String {
    let mut text = format!(
        "{} ({}), {}; {}\nmodel {}, {seeds} seeds each, 95 % confidence intervals\n",
        reference.source.title,
        reference.source.report,
        reference.source.tables,
        reference.machine.description,
        zvmlab::report::MODEL_VERSION
    );
    for run in runs {
        let of_run: Vec<&Row> = rows.iter().filter(|row| row.case == run.id).collect();
        let _ = write!(text, "\n{}: {} ({})\n{}", run.id, run.title, run.tables, table(&of_run));
        for row in of_run.iter().filter(|row| row.note.is_some()) {
            let _ = writeln!(text, "  {}, {}: {}", row.label, row.verdict.as_str(), row.note.as_deref().unwrap_or_default());
        }
        for remark in [&run.assumption, &run.caution].into_iter().flatten() {
            let _ = writeln!(text, "  {remark}");
        }
    }
    text + "\n" + &summary(rows)
}

fn table(rows: &[&Row]) -> String {
    let header = [
        ("Figure", Align::Left),
        ("Unit", Align::Left),
        ("Published", Align::Right),
        ("Model", Align::Right),
        ("95 % from", Align::Right),
        ("to", Align::Right),
        ("Error %", Align::Right),
        ("Within %", Align::Right),
        ("Kind", Align::Left),
        ("Verdict", Align::Left),
    ];
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.label.into(),
                row.unit.into(),
                grouped(&row.printed),
                number_or_dash(row.model),
                number_or_dash(row.interval_low),
                number_or_dash(row.interval_high),
                row.error_pct.map_or("-".into(), |error| format!("{error:+.1}")),
                row.tolerance_percent.map_or("-".into(), |tolerance| tolerance.to_string()),
                row.kind.as_str().into(),
                row.verdict.as_str().into(),
            ]
        })
        .collect();
    render(&header, &cells)
}

/// How many figures of which kind got which verdict.
fn summary(rows: &[Row]) -> String {
    let count = |kind: Kind, verdict: Verdict| rows.iter().filter(|row| row.kind == kind && row.verdict == verdict).count();
    let mut text = String::new();
    for kind in [Kind::Fitted, Kind::Predicted] {
        let total = rows.iter().filter(|row| row.kind == kind).count();
        let _ = write!(text, "{}: {} of {total} pass", kind.as_str(), count(kind, Verdict::Pass));
        for verdict in [Verdict::Fail, Verdict::KnownDifference, Verdict::AgreesNow] {
            if count(kind, verdict) > 0 {
                let _ = write!(text, ", {} {}", count(kind, verdict), verdict.as_str());
            }
        }
        text += "; ";
    }
    let _ = writeln!(text, "not validated: {}", count(Kind::NotValidated, Verdict::NotValidated));
    text
}
