//! zvmlab without a browser: run a scenario, check it, print its schema, validate the model against published figures.

mod commands;
mod figures;
mod follow;
mod input;
mod numbers;
mod output;
mod package;
mod progress;
mod published;
mod sections;
mod table;
mod trial;
mod watched;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::output::Failure;

/// What `--version` says: the program's version is that of the model.
static VERSIONS: LazyLock<String> =
    LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), zvmlab_lab::address::versions()));

/// A model of z/VM performance. The same scenario and seed give the same numbers here and on the page.
#[derive(Parser)]
#[command(name = "zvmlab", version = VERSIONS.as_str())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let matches = reading_numbers(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match commands::run(&arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            match failure {
                Failure::Input(_) => ExitCode::from(2),
                Failure::Verdict(_) => ExitCode::from(1),
            }
        }
    }
}

/// A value that begins with a minus sign is a number, so that an option says what it allows instead of advice that does not help.
fn reading_numbers(command: clap::Command) -> clap::Command {
    let reading = |argument: clap::Arg| {
        let takes_value = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_value)
    };
    command.mut_args(reading).mut_subcommands(reading_numbers)
}
