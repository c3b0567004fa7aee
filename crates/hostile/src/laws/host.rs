//! What must hold of a host that is run: it ends within its budget, every figure is a number, and no share exceeds its whole.

use std::panic::Location;

use zvmlab::experiment::{Course, Listeners};
use zvmlab::scenario::fields;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};

/// The most memory that the pages of a host may take here, in bytes. Larger ones are checked, and not run.
const STATE_MAX: u64 = 1 << 30;

/// How many times its budget a run may cost: the fill has one, warm-up and interval have one, and relocations that are under way at
/// the end have one.
const BUDGETS: u64 = 3;

/// How many pieces of a run are looked at.
const LOOKS: u64 = 16;

/// Runs the scenario of a text, if it is accepted. Returns whether it was run.
///
/// # Panics
/// When a law is broken.
#[track_caller]
pub fn run(bytes: &[u8]) -> bool {
    let Some(scenario) = std::str::from_utf8(bytes).ok().and_then(|text| Scenario::parse(text).ok()) else {
        return false;
    };
    super::is_kept(&scenario);
    let virtual_mb = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
    if fields::page_state_bytes(virtual_mb) > STATE_MAX {
        return false;
    }
    goes_well(&scenario, Location::caller());
    true
}

fn goes_well(scenario: &Scenario, from: &Location) {
    let seed = 1;
    let mut simulation =
        Simulation::new(scenario, seed).unwrap_or_else(|error| panic!("{from}: accepted, and then refused: {error}"));
    let mut course = Course::new(scenario, seed, 8);
    let most = BUDGETS * scenario.measure.events_max();
    let mut earlier = simulation.snapshot();
    let mut pieces: u64 = 0;
    let (mut watch, mut tell) = (|_: zvmlab::experiment::Look<'_>| {}, |_: &Simulation, _| {});
    let outcome = loop {
        let mut to = Listeners { watch: &mut watch, tell: &mut tell };
        if let Some(outcome) = course.go_on(&mut simulation, scenario, &mut to) {
            break outcome;
        }
        pieces += 1;
        // The first pieces, and ever fewer of those after them.
        if pieces < LOOKS || pieces.is_power_of_two() {
            let now = simulation.snapshot();
            of_an_interval(scenario, &earlier, &now);
            earlier = now;
        }
        assert!(simulation.work() <= most, "{} events of a budget of {most}", simulation.work());
    };
    for (figure, value) in outcome.measurement.iter() {
        assert!(value.is_none_or(f64::is_finite), "{} is no number", figure.id());
    }
}

fn of_an_interval(scenario: &Scenario, earlier: &Snapshot, now: &Snapshot) {
    zvmlab_laws::no_share_exceeds_its_whole(scenario, earlier, now);
    for (figure, value) in Measurement::between(earlier, now).iter() {
        assert!(value.is_none_or(f64::is_finite), "{} is no number", figure.id());
    }
}
