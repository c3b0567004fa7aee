//! `validate`: compares the model with every published measurement.

use crate::command::{self, cargo, say};
use crate::site::QUICK;

/// Runs the comparison with the model at full speed, with these arguments (`--json FILE`).
///
/// # Errors
/// When a verdict fails.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    say("comparing the model with the published measurements, five seeds or more each");
    let mut command =
        cargo(&["run", "--quiet", "--profile", QUICK, "--locked", "--package", "zvmlab-cli", "--", "validate"]);
    command.args(arguments);
    command::run(command)
}
