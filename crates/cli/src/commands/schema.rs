//! `zvmlab schema`: the JSON Schema of a scenario.

use zvmlab::scenario::Scenario;

use crate::output::{self, Failure};

/// Prints the schema.
pub fn print() -> Result<(), Failure> {
    output::print(&format!("{:#}\n", Scenario::json_schema()))
}
