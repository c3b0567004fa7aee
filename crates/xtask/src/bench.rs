//! `bench`: the benchmarks of the model.

use crate::command::{self, cargo, say};

/// Runs the criterion benchmarks; arguments are handed on to them.
///
/// # Errors
/// When a benchmark does not build or run.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    say("benchmarks of the model, natively");
    let mut command = cargo(&["bench", "--locked", "--package", "zvmlab", "--"]);
    command.args(arguments);
    command::run(command)
}
