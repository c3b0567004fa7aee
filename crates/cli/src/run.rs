//! `zvmlab run` and `zvmlab check`: one scenario.

use zvmlab::experiment::FILL_EVENTS_MAX;
use zvmlab::report::Report;
use zvmlab_reference::replication::{Job, run_jobs, thread_count};

use crate::output::{self, Failure};
use crate::table::{Align, number_or_dash, render};
use crate::{RunArguments, input, words};

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
    let outcomes = run_jobs(&jobs, thread_count())
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let report = Report::new(&scenario, &outcomes);

    output::print(&figures(&report))?;
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
        .filter(|figure| figure.value.is_some())
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
