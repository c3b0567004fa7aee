//! `validate`: compares the model with every published measurement.

use crate::command::{self, FEATURES, say, unreleased};

/// Runs the comparison with the model at full speed, with these arguments (`--json FILE`).
///
/// # Errors
/// When a verdict fails.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    say("comparing the model with the published measurements, five seeds or more each");
    let mut command = unreleased(&[&["run", "--quiet"], &FEATURES[..], &["--bin", "zvmlab", "--", "validate"]].concat());
    command.args(arguments);
    command::run(command)
}
