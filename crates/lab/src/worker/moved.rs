//! A run with relocations in a worker, of which the page keeps little: a study has many of them.

use zvmlab::experiment::{Look, finish_watched};
use zvmlab::scenario::ScenarioError;
use zvmlab::{Scenario, Simulation, Snapshot};

use crate::batch::moved::Moved;

/// Runs `scenario` with `seed`.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(scenario: &Scenario, seed: u64) -> Result<Moved, ScenarioError> {
    let mut simulation = Simulation::new(scenario, seed)?;
    let mut before: Option<Snapshot> = None;
    let outcome = finish_watched(&mut simulation, scenario, seed, 1, &mut |look| {
        if let Look::Begins(snapshot) = look {
            before = Some(snapshot.clone());
        }
    });
    let before = before.unwrap_or_else(|| outcome.snapshot.clone());
    Ok(Moved::between(outcome.measurement, &before, &outcome.snapshot))
}
