//! `zvmlab validate`: the published figures and the model's.

use std::fmt::Write;
use std::path::PathBuf;

use zvmlab::Measurement;
use zvmlab_lab::published::compared::{Compared, chosen};
use zvmlab_reference::replication::{Job, run_jobs, thread_count};
use zvmlab_reference::{Kind, OrderRow, RatioRow, Reference, Row, Verdict, sources};

use crate::input;
use crate::numbers::{grouped, number_or_dash, signed};
use crate::output::{self, Failure};
use crate::published::heading;
use crate::table::{Align, render};

/// The arguments of `validate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only these published runs
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// How many seeds each experiment runs with, from 1 on
    #[arg(long, default_value_t = 5, value_parser = input::whole::<1, 10_000>)]
    seeds: u64,
    /// Write one object for each figure, and for each change from run to run, to this file as JSON; - writes it to standard output, instead of the
    /// tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the published experiments, prints published and modelled figures, and fails if a verdict fails.
pub fn validate(arguments: &Arguments) -> Result<(), Failure> {
    let runs = chosen(&arguments.runs).map_err(|unknown| {
        let more = "`zvmlab runs` lists the published runs".to_string();
        Failure::Input(unknown.into_iter().chain([more]).collect())
    })?;
    let json = output::open(arguments.json.as_deref())?;

    let jobs: Vec<Job> =
        runs.iter().flat_map(|run| (1..=arguments.seeds).map(|seed| Job { scenario: &run.scenario, seed })).collect();
    let outcomes = run_jobs(&jobs, thread_count())
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let measurements: Vec<&Measurement> = outcomes.iter().map(|outcome| &outcome.measurement).collect();
    let compared = Compared::new(runs, &measurements, arguments.seeds as usize);

    let rows = json.map(|json| (json, compared.to_json().expect("rows are texts and finite numbers")));
    output::put(&to_text(&compared, arguments.seeds), rows)?;
    match compared.failures() {
        None => Ok(()),
        Some(message) => Err(Failure::Verdict(message)),
    }
}

/// Everything that `validate` prints: source by source a table and notes for each run and a summary, then one of all.
fn to_text(compared: &Compared, seeds: u64) -> String {
    let mut text = format!("model {}, {seeds} seeds each, 95 % confidence intervals\n", zvmlab::report::MODEL_VERSION);
    for source in sources() {
        text += &of_source(compared, source);
    }
    let (rows, ratios): (Vec<&Row>, Vec<&RatioRow>) = (compared.rows.iter().collect(), compared.ratios.iter().collect());
    text + "\nAll sources: " + &summary(&rows, &ratios, &compared.orders.iter().collect::<Vec<_>>())
}

fn of_source(compared: &Compared, source: &Reference) -> String {
    let rows: Vec<&Row> = compared.rows.iter().filter(|row| row.source_id == source.id).collect();
    if !compared.runs.iter().any(|run| run.source_id == source.id) {
        return String::new();
    }
    let mut text = format!("\n{} ({}); {}\n", heading(source), source.source.tables, source.machine.description);
    if let Some(assumption) = &source.assumption {
        let _ = writeln!(text, "{assumption}");
    }
    for (run, said) in compared.runs.iter().zip(&compared.said).filter(|(run, _)| run.source_id == source.id) {
        let of_run: Vec<&Row> = rows.iter().copied().filter(|row| row.case == run.id).collect();
        let publication = run.publication.iter().map(|title| format!("{title}: ")).collect::<String>();
        let _ = writeln!(text, "\n{}: {} ({publication}{})", run.id, run.title, run.tables);
        text += &match of_run.is_empty() {
            true => "  No figure of this run is published; it stands in the orders below.\n".to_string(),
            false => figure_table(&of_run),
        };
        for row in of_run.iter().filter(|row| row.note.is_some()) {
            let note = row.note.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {}, {}: {note}", row.label, row.verdict.as_str());
        }
        for remark in [&run.assumption, &run.caution].into_iter().flatten() {
            let _ = writeln!(text, "  {remark}");
        }
        if let Some(said) = said {
            let _ = writeln!(text, "  {}", said.words);
        }
    }
    let ratios: Vec<&RatioRow> = compared.ratios.iter().filter(|row| row.source_id == source.id).collect();
    if !ratios.is_empty() {
        let _ = write!(text, "\nFrom run to run\n{}", ratio_table(&ratios));
        for row in ratios.iter().filter(|row| row.note.is_some()) {
            let note = row.note.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {} to {}, {}: {note}", row.from, row.to, row.label);
        }
    }
    let orders: Vec<&OrderRow> = compared.orders.iter().filter(|row| row.source_id == source.id).collect();
    if !orders.is_empty() {
        let _ = write!(text, "\nWhich of two runs has less\n{}", order_table(&orders));
        for row in orders.iter().filter(|row| row.note.is_some()) {
            let note = row.note.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {} before {}, {}: {note}", row.less, row.more, row.label);
        }
    }
    let _ = write!(text, "\n{}: {}", source.title, summary(&rows, &ratios, &orders));
    text
}

fn figure_table(rows: &[&Row]) -> String {
    let header = [
        ("Figure", Align::Left),
        ("Unit", Align::Left),
        ("Published", Align::Right),
        ("Model", Align::Right),
        ("95 % from", Align::Right),
        ("to", Align::Right),
        ("Error %", Align::Right),
        ("Within", Align::Right),
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
                row.error_pct.map_or("-".into(), signed),
                row.tolerance.map_or("-".into(), |tolerance| tolerance.to_string()),
                row.kind.as_str().into(),
                row.verdict.as_str().into(),
            ]
        })
        .collect();
    render(&header, &cells)
}

fn ratio_table(rows: &[&RatioRow]) -> String {
    let header = [
        ("From", Align::Left),
        ("To", Align::Left),
        ("Figure", Align::Left),
        ("Published", Align::Left),
        ("Model %", Align::Right),
        ("95 % from", Align::Right),
        ("to", Align::Right),
        ("Judged by", Align::Left),
        ("Kind", Align::Left),
        ("Verdict", Align::Left),
    ];
    let bar = |row: &RatioRow| row.within_points.map_or("sign".into(), |points| format!("sign, {points} points"));
    let percent = |value: Option<f64>| value.map_or("-".into(), signed);
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.from.clone(),
                row.to.clone(),
                row.label.into(),
                row.published.clone(),
                percent(row.model_percent),
                percent(row.interval_low),
                percent(row.interval_high),
                bar(row),
                row.kind.as_str().into(),
                row.verdict.as_str().into(),
            ]
        })
        .collect();
    render(&header, &cells)
}

fn order_table(rows: &[&OrderRow]) -> String {
    let header = [
        ("Figure", Align::Left),
        ("Less", Align::Left),
        ("More", Align::Left),
        ("Model, less", Align::Right),
        ("to", Align::Right),
        ("Model, more", Align::Right),
        ("from", Align::Right),
        ("More by %", Align::Right),
        ("Judged by", Align::Left),
        ("Kind", Align::Left),
        ("Verdict", Align::Left),
        ("Published", Align::Left),
    ];
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.label.into(),
                row.less.clone(),
                row.more.clone(),
                number_or_dash(row.less_model),
                number_or_dash(row.less_interval.map(|(_, high)| high)),
                number_or_dash(row.more_model),
                number_or_dash(row.more_interval.map(|(low, _)| low)),
                row.more_percent.map_or("-".into(), signed),
                match (row.same_within, row.more_by, row.substantial) {
                    (Some(percent), ..) => format!("same within {percent} %"),
                    (None, Some(percent), _) => format!("by {percent} % or more"),
                    (None, None, true) => "intervals apart".into(),
                    (None, None, false) => "seed by seed".into(),
                },
                row.kind.as_str().into(),
                row.verdict.as_str().into(),
                row.published.clone(),
            ]
        })
        .collect();
    render(&header, &cells)
}

/// How many figures of which kind got which verdict, in one line. Changes from run to run and orders of runs follow, if
/// there are any.
fn summary(rows: &[&Row], ratios: &[&RatioRow], orders: &[&OrderRow]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for kind in [Kind::Fitted, Kind::Predicted] {
        let verdicts: Vec<Verdict> = rows.iter().filter(|row| row.kind == kind).map(|row| row.verdict).collect();
        if !verdicts.is_empty() {
            parts.push(format!("{}: {}", kind.as_str(), counts(&verdicts)));
        }
    }
    parts.push(format!("not validated: {}", rows.iter().filter(|row| row.kind == Kind::NotValidated).count()));
    for (what, verdicts) in [
        ("from run to run", ratios.iter().map(|row| row.verdict).collect::<Vec<_>>()),
        ("orders of runs", orders.iter().map(|row| row.verdict).collect()),
    ] {
        let judged: Vec<Verdict> = verdicts.iter().copied().filter(|verdict| *verdict != Verdict::NotValidated).collect();
        let shown = verdicts.len() - judged.len();
        match (judged.is_empty(), shown) {
            (true, 0) => {}
            (true, shown) => parts.push(format!("{what}: {shown} only shown")),
            (false, 0) => parts.push(format!("{what}: {}", counts(&judged))),
            (false, shown) => parts.push(format!("{what}: {}, {shown} only shown", counts(&judged))),
        }
    }
    parts.join("; ") + "\n"
}

/// `12 of 14 pass, 2 fail`.
fn counts(verdicts: &[Verdict]) -> String {
    let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let mut text = format!("{} of {} pass", count(Verdict::Pass), verdicts.len());
    for verdict in [Verdict::Fail, Verdict::KnownDifference, Verdict::AgreesNow] {
        if count(verdict) > 0 {
            let _ = write!(text, ", {} {}", count(verdict), verdict.as_str());
        }
    }
    text
}
