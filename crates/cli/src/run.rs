//! `zvmlab run` and `zvmlab check`: one scenario.

use zvmlab::Figure;
use zvmlab::experiment::{self, FILL_EVENTS_MAX, Outcome};
use zvmlab::report::Report;
use zvmlab_reference::replication::{Job, run_each, thread_count};

use crate::output::{self, Failure};
use crate::processing::Watched;
use crate::table::{Align, number_or_dash, render};
use crate::{RunArguments, input, processing, words};

/// Runs a scenario, prints its figures and writes the files asked for.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
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

    let jobs: Vec<Job> = (arguments.seed..=last).map(|seed| Job { scenario: &scenario, seed }).collect();
    // What is said beside figures is said of one run, the first.
    let run = |job: &Job| {
        let watched = job.seed == arguments.seed;
        match watched {
            true => processing::run_watched(job.scenario, job.seed).map(|(outcome, watched)| (outcome, Some(watched))),
            false => experiment::run(job.scenario, job.seed).map(|outcome| (outcome, None)),
        }
    };
    let runs = run_each(&jobs, thread_count(), &run)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let (outcomes, watched): (Vec<Outcome>, Vec<Option<Watched>>) = runs.into_iter().unzip();
    let report = Report::new(&scenario, &outcomes);

    let mut text = figures(&report);
    if let (Some(outcome), Some(Some(watched))) = (outcomes.first(), watched.first()) {
        let sections = processing::sections(&scenario, watched, &outcome.snapshot);
        if outcomes.len() > 1 && !sections.is_empty() {
            text += &format!("\nOf the run with seed {}:\n", outcome.seed);
        }
        text += &sections;
    }
    output::print(&text)?;
    if let Some(json) = json {
        json.write(&report.to_json())?;
    }
    if let Some(csv) = csv {
        csv.write(&report.to_csv())?;
    }
    Ok(())
}

/// Says whether a scenario can run.
pub fn check(name: &str) -> Result<(), Failure> {
    let scenario = input::read(name)?;
    output::print(&format!("{}\nNothing is wrong with it.\n", words::host(&scenario)))
}

/// The table of figures, with what ran above it.
fn figures(report: &Report) -> String {
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
        // What the host does not have has no figure: a host without minidisk I/O no service time of it.
        .filter(|figure| {
            let matters = |value| {
                Figure::from_id(&figure.figure).is_none_or(|known| processing::matters(known, value, &report.scenario))
            };
            figure.value.is_some_and(matters)
        })
        .map(|figure| {
            let mut row = vec![figure.label.clone(), number_or_dash(figure.value)];
            if replicated {
                row.extend([number_or_dash(figure.interval_low), number_or_dash(figure.interval_high)]);
            }
            row.push(figure.unit.clone());
            row
        })
        .collect();
    let head = format!("{}\nmodel {}, {seeds}", words::host(&report.scenario), report.model_version);
    let unfilled = report.runs.iter().filter(|run| !run.filled).count();
    let warning = match unfilled {
        0 => String::new(),
        _ => format!(
            "\nWARNING: in {unfilled} of {} runs the fill did not end within {FILL_EVENTS_MAX} events; the figures are no steady ones, and guests that do I/O begin with it when the fill is over.\n",
            report.runs.len()
        ),
    };
    format!("{head}\n{warning}\n{}", render(&header, &rows))
}
