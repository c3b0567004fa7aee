//! zvmlab without a browser: run a scenario, check it, print its schema, validate the model against what was published.

mod advise;
mod input;
mod moves;
mod output;
mod processing;
mod published;
mod refit;
mod relocate;
mod relocation;
mod run;
mod sensitivity;
mod table;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use zvmlab::scenario::Scenario;

use crate::output::Failure;

/// A model of z/VM performance. The same scenario and seed give the same numbers here and on the page.
#[derive(Parser)]
#[command(name = "zvmlab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario: fill, warm-up, interval; print its figures
    Run(RunArguments),
    /// Check a scenario and say everything that is wrong with it
    Check {
        /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
        scenario: String,
    },
    /// Print how guests move from list to list: dormant, eligible (E0-E3), dispatch (Q0-Q3), limit
    Moves(MovesArguments),
    /// Print the stages and passes of relocations, as they happen
    Relocate(RelocateArguments),
    /// Run a scenario once and print the rules of best practice that it breaks
    Advise(AdviseArguments),
    /// Print the JSON Schema of a scenario
    Schema,
    /// List the published runs that the model is compared with, and the examples
    Runs,
    /// Run the published experiments and set the model beside what was published
    Validate(ValidateArguments),
    /// List the model's constants with their sources, and what each does to the headline figures when it moves by a fifth
    Sensitivity,
    /// Fit the paths' constants again for one to four channel paths, and show what the predicted runs then come to
    Refit,
}

#[derive(clap::Args)]
struct RunArguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Seed of the first replication; the next ones take the seeds after it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many replications; two or more give 95 % confidence intervals
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    replications: u64,
    /// Write the report to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one line for each replication to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(clap::Args)]
struct MovesArguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Only this guest (LINUX-3), or the guests of this group (LINUX)
    #[arg(long, value_name = "NAME")]
    guest: Option<String>,
    /// How many simulated seconds after fill and warm-up
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Seed of the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct RelocateArguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Only this guest (LINUX-3), or the guests of this group (LINUX)
    #[arg(long, value_name = "NAME")]
    guest: Option<String>,
    /// Seed of the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct AdviseArguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Seed of the run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write one object for each broken rule to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(clap::Args)]
struct ValidateArguments {
    /// Only these published runs
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// How many seeds each experiment runs with, from 1 on
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,
    /// Write one object for each figure, and for each change from run to run, to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check { scenario } => run::check(&scenario),
        Command::Moves(arguments) => moves::moves(&arguments),
        Command::Relocate(arguments) => relocate::relocate(&arguments),
        Command::Advise(arguments) => advise::advise(&arguments),
        Command::Schema => output::print(&format!("{:#}\n", Scenario::json_schema())),
        Command::Runs => published::list(),
        Command::Validate(arguments) => published::validate(&arguments),
        Command::Sensitivity => sensitivity::print(),
        Command::Refit => refit::print(),
    };
    match result {
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
