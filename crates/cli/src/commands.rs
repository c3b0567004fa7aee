//! The commands: each is one file with its arguments.

mod advise;
mod check;
mod console;
mod lesson;
mod moves;
mod refit;
mod relocate;
mod run;
mod runs;
mod schema;
mod sensitivity;
mod sweep;
mod validate;

use crate::output::Failure;

/// What a user can ask for.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Run a scenario: fill, warm-up, interval; print its figures
    Run(run::Arguments),
    /// Run a scenario over the values of some of its fields, every combination, and print a line for each run (CSV)
    Sweep(sweep::Arguments),
    /// Check a scenario and say everything that is wrong with it
    Check(check::Arguments),
    /// Print how guests move from list to list: dormant, eligible (E0-E3), dispatch (Q0-Q3), limit
    Moves(moves::Arguments),
    /// Print the stages and passes of relocations, as they happen
    Relocate(relocate::Arguments),
    /// Run a scenario once and print the rules of best practice that it breaks
    Advise(advise::Arguments),
    /// Carry out commands of CP on a host, line by line: SET SRM STORBUF, QUERY SHARE, INDICATE LOAD, VMRELOCATE (HELP lists them)
    Console(console::Arguments),
    /// Check a lesson, or play it without a reader
    #[command(subcommand)]
    Lesson(lesson::Command),
    /// Print the JSON Schema of a scenario, or of a lesson
    Schema(schema::Arguments),
    /// List the published runs that the model is compared with, and the examples
    Runs,
    /// Run the published experiments and compare the model with the published figures
    Validate(validate::Arguments),
    /// List the model's constants with their sources, and how the headline figures change when one moves by a fifth
    Sensitivity,
    /// Fit the paths' constants again for one to four channel paths, and show the predicted runs with them
    Refit,
}

/// Does it.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Sweep(arguments) => sweep::sweep(arguments),
        Command::Check(arguments) => check::check(arguments),
        Command::Moves(arguments) => moves::moves(arguments),
        Command::Relocate(arguments) => relocate::relocate(arguments),
        Command::Advise(arguments) => advise::advise(arguments),
        Command::Console(arguments) => console::console(arguments),
        Command::Lesson(command) => lesson::lesson(command),
        Command::Schema(arguments) => schema::print(arguments),
        Command::Runs => runs::list(),
        Command::Validate(arguments) => validate::validate(arguments),
        Command::Sensitivity => sensitivity::print(),
        Command::Refit => refit::print(),
    }
}
