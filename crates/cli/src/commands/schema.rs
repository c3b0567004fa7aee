//! `zvmlab schema`: the JSON Schema of a scenario, or of a lesson.

use zvmlab::scenario::Scenario;
use zvmlab_lab::lesson::schema;

use crate::output::{self, Failure};

/// The arguments of `schema`.
#[derive(clap::Args)]
pub struct Arguments {
    /// That of a lesson instead of a scenario
    #[arg(long)]
    lesson: bool,
}

/// Prints the schema.
pub fn print(arguments: &Arguments) -> Result<(), Failure> {
    let schema = if arguments.lesson { schema::json_schema() } else { Scenario::json_schema() };
    output::print(&format!("{schema:#}\n"))
}
