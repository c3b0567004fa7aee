//! `zvmlab check`: whether a scenario can run, what of it does nothing, and what a run costs.

use zvmlab::experiment::cost::Cost;
use zvmlab::scenario::Scenario;
use zvmlab_lab::words::{cost, idle, in_a_line};

use crate::input;
use crate::output::{self, Failure, plain};
use crate::progress::now;

/// The arguments of `check`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Do not try how long a run takes
    #[arg(long)]
    quick: bool,
}

/// Most events that are tried. Chosen: less than a second of work.
const TRIED_MAX: u64 = 1_000_000;

/// Most memory, in bytes, for which a run is tried. Chosen: that of guests of some 2 TB; to set up more takes longer than the
/// trial.
const STATE_MAX: u64 = 1 << 29;

/// Says whether a scenario can run, which of its settings do nothing, and about how long it takes.
pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let mut text = format!("{}\nNothing is wrong with it.\n", in_a_line::in_a_line(&scenario));
    let idle = idle::idle(&scenario);
    if !idle.is_empty() {
        text += "Set, but without effect in this host:\n";
        text.extend(idle.iter().map(|said| format!("  {}\n", plain(said))));
    }
    if !arguments.quick {
        text += &format!("{}\n", plain(&costs(&scenario)?));
    }
    output::print(&text)
}

/// What a run costs, in words.
fn costs(scenario: &Scenario) -> Result<String, Failure> {
    if scenario.page_state_bytes() > STATE_MAX {
        let gb = scenario.page_state_bytes() as f64 / 1e9;
        return Ok(format!(
            "The state of its guests' pages takes {gb:.1} GB of memory; how long a run takes was not tried."
        ));
    }
    let begun = now();
    let cost = Cost::of(scenario, TRIED_MAX)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    Ok(cost::said(&cost, begun.elapsed().as_nanos() as f64 / cost.tried.max(1) as f64))
}
