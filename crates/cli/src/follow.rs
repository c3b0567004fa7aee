//! A run that is followed as it happens: where it begins, and which guests the user asked for.

use std::fmt::Write;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::simulation::Simulation;

use crate::output::{Failure, plain};

/// Longest simulated time that the fill may take, as in an experiment.
const FILL_LIMIT: Span = Span::from_secs(36_000);

/// Names of guests that a message lists.
const NAMES_MAX: usize = 20;

/// The simulation of `scenario`, before its fill.
pub fn simulation(scenario: &Scenario, seed: u64) -> Result<Simulation, Failure> {
    Simulation::new(scenario, seed).map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))
}

/// The guests' names, fit for a terminal.
pub fn names(simulation: &Simulation) -> Vec<String> {
    simulation.snapshot().guests.iter().map(|guest| plain(&guest.name)).collect()
}

/// Runs fill and warm-up. Returns the instant at which they are over.
pub fn warm_up(simulation: &mut Simulation, scenario: &Scenario) -> Instant {
    simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, scenario.measure.events_max());
    let start = simulation.now() + Span::from_secs(scenario.measure.warmup_s.into());
    simulation.run_until(start);
    start
}

/// Letters of the longest name, or of the heading of names.
pub fn name_chars(names: &[String]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("Guest".len())
}

/// The guests asked for: one by its name, or a group by its name in the scenario; without a name, all.
pub fn wanted(scenario: &Scenario, names: &[String], guest: Option<&str>) -> Result<Vec<bool>, Failure> {
    let Some(guest) = guest else { return Ok(vec![true; names.len()]) };
    let groups = scenario.guests.iter().flat_map(|group| (0..group.count).map(|_| plain(&group.name)));
    let wanted: Vec<bool> = names
        .iter()
        .zip(groups)
        .map(|(name, group)| name.eq_ignore_ascii_case(guest) || group.eq_ignore_ascii_case(guest))
        .collect();
    if wanted.contains(&true) {
        return Ok(wanted);
    }
    let more = names.len().saturating_sub(NAMES_MAX);
    let mut known = names.iter().take(NAMES_MAX).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(known, " and {more} more");
    }
    Err(Failure::Input(vec![format!(
        "--guest: \"{}\" given, but there is no such guest; the guests are {known}",
        plain(guest)
    )]))
}
