//! `zvmlab run`: one scenario, its figures, what limits, and the sections below.

use std::path::PathBuf;

use zvmlab::Figure;
use zvmlab::experiment::{self, Outcome};
use zvmlab::report::Report;
use zvmlab_lab::words::{in_a_line, limit, settling, stop};
use zvmlab_reference::replication::{Job, run_each, thread_count};

use crate::numbers::{number_or_dash, value_of};
use crate::output::{self, Failure, plain};
use crate::table::{Align, render};
use crate::watched::{Watched, run_watched};
use crate::{figures, input, sections};

/// The arguments of `run`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Seed of the first replication; the next ones take the seeds after it
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
    /// How many replications; two or more give 95 % confidence intervals
    #[arg(long, default_value_t = 1, value_parser = input::whole::<1, 10_000>)]
    replications: u64,
    /// Write the report to this file as JSON; - writes it to standard output, instead of the figures
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one line for each replication to this file as CSV; - writes it to standard output, instead of the figures
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs a scenario, prints its figures and writes the files asked for.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let Some(last) = arguments.seed.checked_add(arguments.replications - 1) else {
        let problem = format!(
            "--seed: {} given, with {} replications the seeds pass {}",
            arguments.seed,
            arguments.replications,
            u64::MAX
        );
        return Err(Failure::Input(vec![problem]));
    };
    let json = output::open(arguments.json.as_deref())?;
    let csv = output::open(arguments.csv.as_deref())?;
    if [&json, &csv].into_iter().flatten().filter(|target| target.is_printed()).count() > 1 {
        return Err(Failure::Input(vec![
            "--json and --csv: both given as -, and only one can go to standard output".into(),
        ]));
    }

    let jobs: Vec<Job> = (arguments.seed..=last).map(|seed| Job { scenario: &scenario, seed }).collect();
    // The sections beside the figures are of one run, the first.
    let run = |job: &Job| {
        let watched = job.seed == arguments.seed;
        match watched {
            true => run_watched(job.scenario, job.seed).map(|(outcome, watched)| (outcome, Some(watched))),
            false => experiment::run(job.scenario, job.seed).map(|outcome| (outcome, None)),
        }
    };
    let runs = run_each(&jobs, thread_count(), &run)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let (outcomes, watched): (Vec<Outcome>, Vec<Option<Watched>>) = runs.into_iter().unzip();
    let report = Report::new(&scenario, &outcomes);

    let said = settling::of_runs(&scenario, outcomes.iter().map(|outcome| &outcome.measurement));
    let mut text = table_of(&report, said);
    if let [first, others @ ..] = outcomes.as_slice() {
        let of = if others.is_empty() { String::new() } else { format!(", of the run with seed {}", first.seed) };
        text += &format!("\nWhat limits{of}: {}\n", plain(&limit::said(&first.limits)));
        if let Some(why) = stop::why(&first.snapshot) {
            let lever =
                stop::lever(&scenario, &first.snapshot, &first.limits).map_or(String::new(), |lever| format!(" {lever}"));
            text += &format!("The stop{of}: {}\n", plain(&(why + &lever)));
        }
    }
    if let (Some(outcome), Some(Some(watched))) = (outcomes.first(), watched.first()) {
        let sections = sections::sections(&scenario, watched, &outcome.snapshot);
        if outcomes.len() > 1 && !sections.is_empty() {
            text += &format!("\nOf the run with seed {}:\n", outcome.seed);
        }
        text += &sections;
    }
    let files = [json.map(|json| (json, report.to_json())), csv.map(|csv| (csv, report.to_csv()))];
    output::put(&text, files.into_iter().flatten())
}

/// The table of figures, with the run above it and what its figures are good for.
fn table_of(report: &Report, said: Option<settling::Said>) -> String {
    let seeds = match (report.runs.first(), report.runs.last()) {
        (Some(first), Some(last)) if first.seed != last.seed => format!("seeds {} to {}", first.seed, last.seed),
        (Some(first), _) => format!("seed {}, digest {}", first.seed, first.digest),
        _ => String::new(),
    };
    let replicated = report.runs.len() > 1;
    let mut header = vec![("Figure", Align::Left), (if replicated { "Mean" } else { "Value" }, Align::Right)];
    if replicated {
        header.extend([("95 % from", Align::Right), ("to", Align::Right)]);
    }
    header.push(("Unit", Align::Left));
    let rows: Vec<Vec<String>> = report
        .figures
        .iter()
        // Figures of parts that the host does not have are left out, such as service time without minidisk I/O.
        .filter(|figure| {
            let matters =
                |value| Figure::from_id(&figure.figure).is_none_or(|of| figures::matters(of, value, &report.scenario));
            figure.value.is_some_and(matters)
        })
        .map(|figure| {
            let value =
                |value| Figure::from_id(&figure.figure).map_or_else(|| number_or_dash(value), |of| value_of(of, value));
            let mut row = vec![figure.label.clone(), value(figure.value)];
            if replicated {
                row.extend([number_or_dash(figure.interval_low), number_or_dash(figure.interval_high)]);
            }
            row.push(figure.unit.clone());
            row
        })
        .collect();
    let head = format!("{}\nmodel {}, {seeds}", in_a_line::in_a_line(&report.scenario), report.model_version);
    let warning = match said {
        None => String::new(),
        Some(said) => format!("\n{}{}\n", if said.is_warning { "WARNING: " } else { "" }, plain(&said.words)),
    };
    format!("{head}\n{warning}\n{}", render(&header, &rows))
}
