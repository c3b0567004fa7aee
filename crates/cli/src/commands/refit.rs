//! What if the control unit had another number of channel paths? Fits the other constants of the path again to the runs that may be
//! fitted, and shows the ETR of the runs that must be predicted.

use zvmlab::constants::Constants;
use zvmlab::{Figure, Scenario};
use zvmlab_reference::{Run, source_of};

use crate::numbers::{fixed, signed};
use crate::output::{self, Failure};
use crate::table::{self, Align};
use crate::trial::{measure, of};

/// Halvings of a constant's range: to one part in ten thousand.
const HALVINGS: u32 = 14;

/// Rounds in which the two constants of command mode are fitted in turn.
const ROUNDS: u32 = 3;

/// What the constants are fitted to: of V4DVYA00 only the page rate may be.
const FITTED_ON: Figure = Figure::PagesPerSecond;

/// Prints the table.
pub fn print() -> Result<(), Failure> {
    let paging = source_of(run("V4DVY000"));
    let runs: Vec<&Run> = paging.runs.iter().filter(|run| run.id != "V4DVX001").collect();
    let mut header: Vec<(String, Align)> =
        ["Paths", "Command path µs", "protocol µs", "Transport path µs"].map(|title| (title.into(), Align::Right)).into();
    header.extend(runs.iter().map(|run| (format!("{} %", run.id), Align::Right)));
    let header: Vec<(&str, Align)> = header.iter().map(|(title, align)| (title.as_str(), *align)).collect();
    let rows: Vec<Vec<String>> = (1..=4).map(|paths| row(paths, &runs)).collect();
    output::print(
        "Fitted again for each number of paths: V4DVY000, V4DVYA00 (command mode) and V4DVYH04 (transport mode) to their published page rates.\nError of the ETR against the published one, in percent\n\n",
    )?;
    output::print(&table::render(&header, &rows))
}

fn row(paths: u32, runs: &[&Run]) -> Vec<String> {
    let mut constants = Constants::default();
    let with_paths = |scenario: &Scenario| {
        let mut scenario = scenario.clone();
        scenario.lcu.paths = paths;
        scenario
    };
    let scenario = |id: &str| with_paths(&run(id).scenario);
    let target = |id: &str| published(run(id), FITTED_ON);
    let transport = target("V4DVYH04");
    halve(&mut constants, &scenario("V4DVYH04"), transport, 60_000.0, |c, v| c.transport_64.path_ns_per_page = v);
    let (base, aliases) = (target("V4DVY000"), target("V4DVYA00"));
    for _ in 0..ROUNDS {
        halve(&mut constants, &scenario("V4DVYA00"), aliases, 60_000.0, |c, v| c.command_64.path_ns_per_page = v);
        halve(&mut constants, &scenario("V4DVY000"), base, 40_000.0, |c, v| c.command_64.protocol_ns_per_page = v);
    }
    let micro = |ns: f64| fixed(ns / 1000.0, 1);
    let mut cells = vec![
        paths.to_string(),
        micro(constants.command_64.path_ns_per_page),
        micro(constants.command_64.protocol_ns_per_page),
        micro(constants.transport_64.path_ns_per_page),
    ];
    cells.extend(runs.iter().map(|run| {
        let measured = measure(&with_paths(&run.scenario), constants.clone());
        signed((of(&measured, Figure::Etr) / published(run, Figure::Etr) - 1.0) * 100.0)
    }));
    cells
}

/// A published figure of `run`; not a number if there is none.
fn published(run: &Run, figure: Figure) -> f64 {
    run.figures.iter().find(|published| published.figure == figure).map_or(f64::NAN, |published| published.value)
}

fn run(id: &str) -> &'static Run {
    zvmlab_reference::run(id).expect("the fitted runs are among the published ones")
}

/// Sets the constant that `set` reaches so that `scenario` comes out at `target`; the rate falls as the constant grows.
fn halve(constants: &mut Constants, scenario: &Scenario, target: f64, largest: f64, set: fn(&mut Constants, f64)) {
    let (mut low, mut high) = (0.0, largest);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        set(constants, middle);
        if of(&measure(scenario, constants.clone()), FITTED_ON) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
}
