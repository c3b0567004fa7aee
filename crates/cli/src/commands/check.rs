//! `zvmlab check`: whether a scenario can run.

use crate::output::{self, Failure};
use crate::{host, input};

/// The arguments of `check`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
}

/// Says whether a scenario can run.
pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    output::print(&format!("{}\nNothing is wrong with it.\n", host::in_a_line(&scenario)))
}
