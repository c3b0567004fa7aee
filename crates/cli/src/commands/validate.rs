//! `zvmlab validate`: the published figures and the model's.

use std::fmt::Write;
use std::path::PathBuf;

use zvmlab::Measurement;
use zvmlab::experiment::Outcome;
use zvmlab::scenario::examples::example;
use zvmlab_lab::words::settling;
use zvmlab_reference::comparison::Line;
use zvmlab_reference::replication::{Job, run_jobs, thread_count};
use zvmlab_reference::{
    Kind, OrderRow, RatioRow, Reference, Row, Run, Verdict, compare, compare_order, compare_ratio, run, runs, sources,
};

use crate::numbers::{grouped, number_or_dash, signed};
use crate::output::{self, Failure};
use crate::published::{heading, run_ids};
use crate::table::{Align, render};

/// The arguments of `validate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only these published runs
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// How many seeds each experiment runs with, from 1 on
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,
    /// Write one object for each figure, and for each change from run to run, to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Everything that is compared: the runs with the outcomes of all seeds, and the verdicts.
struct Compared {
    runs: Vec<&'static Run>,
    /// What the figures of each run are good for, where its host was not steady after its warm-up.
    said: Vec<Option<settling::Said>>,
    rows: Vec<Row>,
    ratios: Vec<RatioRow>,
    orders: Vec<OrderRow>,
}

/// Runs the published experiments, prints published and modelled figures, and fails if a verdict fails.
pub fn validate(arguments: &Arguments) -> Result<(), Failure> {
    let runs = chosen(&arguments.runs)?;
    let json = output::open(arguments.json.as_deref())?;

    let jobs: Vec<Job> =
        runs.iter().flat_map(|run| (1..=arguments.seeds).map(|seed| Job { scenario: &run.scenario, seed })).collect();
    let outcomes = run_jobs(&jobs, thread_count())
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let compared = Compared::new(runs, &outcomes, arguments.seeds as usize);

    output::print(&compared.to_text(arguments.seeds))?;
    if let Some(json) = json {
        let text = serde_json::to_string_pretty(&compared.to_json()).expect("rows are texts and finite numbers");
        json.write(&(text + "\n"))?;
    }
    match compared.failures() {
        None => Ok(()),
        Some(message) => Err(Failure::Verdict(message)),
    }
}

/// The runs asked for by id, or all of them.
fn chosen(ids: &[String]) -> Result<Vec<&'static Run>, Failure> {
    if ids.is_empty() {
        return Ok(runs().collect());
    }
    let unknown: Vec<String> = ids
        .iter()
        .filter(|id| run(id).is_none())
        .map(|id| match example(id) {
            Some(_) => format!("{id}: an example, chosen by hand: nothing is published to compare it with"),
            None => format!("{id}: there is no published run of that name; the runs are {}", run_ids()),
        })
        .collect();
    match unknown.is_empty() {
        true => Ok(runs().filter(|run| ids.contains(&run.id)).collect()),
        false => Err(Failure::Input(unknown)),
    }
}

impl Compared {
    /// The outcomes, run by run, `seed_count` of each.
    fn new(runs: Vec<&'static Run>, outcomes: &[Outcome], seed_count: usize) -> Compared {
        let measured: Vec<(&Run, Vec<&Measurement>)> = runs
            .iter()
            .zip(outcomes.chunks(seed_count))
            .map(|(run, outcomes)| (*run, outcomes.iter().map(|outcome| &outcome.measurement).collect()))
            .collect();
        let of = |id: &str| measured.iter().find(|(run, _)| run.id == id).map(|(_, measurements)| measurements);
        let all = sources().iter().flat_map(|source| &source.ratios);
        // A change from run to run needs both runs.
        let ratios = all.filter_map(|ratio| Some(compare_ratio(ratio, of(&ratio.from)?, of(&ratio.to)?))).collect();
        let all = sources().iter().flat_map(|source| &source.orders);
        let orders = all.filter_map(|order| Some(compare_order(order, of(&order.less)?, of(&order.more)?))).collect();
        let rows = measured.iter().flat_map(|(run, measurements)| compare(run, measurements)).collect();
        let said = measured
            .iter()
            .map(|(run, measurements)| settling::of_runs(&run.scenario, measurements.iter().copied()))
            .collect();
        Compared { runs, said, rows, ratios, orders }
    }

    /// How many verdicts fail, if any do.
    fn failures(&self) -> Option<String> {
        let failed = |verdicts: Vec<Verdict>, what: &str| {
            let failed = verdicts.iter().filter(|verdict| verdict.fails()).count();
            (failed > 0).then(|| format!("{failed} of {} {what}", verdicts.len()))
        };
        let parts: Vec<String> = [
            failed(self.rows.iter().map(|row| row.verdict).collect(), "figures"),
            failed(self.ratios.iter().map(|row| row.verdict).collect(), "changes from run to run"),
            failed(self.orders.iter().map(|row| row.verdict).collect(), "orders of runs"),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| parts.join(" and ") + " fail")
    }

    fn to_json(&self) -> Vec<Line<'_>> {
        let changes = self.ratios.iter().map(Line::Change).chain(self.orders.iter().map(Line::Order));
        self.rows.iter().map(Line::Figure).chain(changes).collect()
    }

    /// Everything that `validate` prints: source by source a table and notes for each run and a summary, then one of all.
    fn to_text(&self, seeds: u64) -> String {
        let mut text = format!("model {}, {seeds} seeds each, 95 % confidence intervals\n", zvmlab::report::MODEL_VERSION);
        for source in sources() {
            text += &self.of_source(source);
        }
        let (rows, ratios): (Vec<&Row>, Vec<&RatioRow>) = (self.rows.iter().collect(), self.ratios.iter().collect());
        text + "\nAll sources: " + &summary(&rows, &ratios, &self.orders.iter().collect::<Vec<_>>())
    }

    fn of_source(&self, source: &Reference) -> String {
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.source_id == source.id).collect();
        if !self.runs.iter().any(|run| run.source_id == source.id) {
            return String::new();
        }
        let mut text = format!("\n{} ({}); {}\n", heading(source), source.source.tables, source.machine.description);
        if let Some(assumption) = &source.assumption {
            let _ = writeln!(text, "{assumption}");
        }
        for (run, said) in self.runs.iter().zip(&self.said).filter(|(run, _)| run.source_id == source.id) {
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
        let ratios: Vec<&RatioRow> = self.ratios.iter().filter(|row| row.source_id == source.id).collect();
        if !ratios.is_empty() {
            let _ = write!(text, "\nFrom run to run\n{}", ratio_table(&ratios));
            for row in ratios.iter().filter(|row| row.note.is_some()) {
                let note = row.note.as_deref().unwrap_or_default();
                let _ = writeln!(text, "  {} to {}, {}: {note}", row.from, row.to, row.label);
            }
        }
        let orders: Vec<&OrderRow> = self.orders.iter().filter(|row| row.source_id == source.id).collect();
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
