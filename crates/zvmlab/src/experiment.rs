//! The whole experiment: fill, warm-up, interval; once, or replicated with several seeds.

use crate::kernel::time::{Instant, Span};
use crate::limit::Limits;
use crate::measurement::Measurement;
use crate::scenario::{Scenario, ScenarioError};
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;

/// Longest simulated time for the fill. After it the experiment goes on, filled or not.
const FILL_LIMIT: Span = Span::from_secs(36_000);

/// Most events for the fill. After them the experiment goes on, filled or not. The published hosts take about 60,000;
/// hundreds of guests that page through terabytes take more than anybody waits for.
pub const FILL_EVENTS_MAX: u64 = 10_000_000;

/// Longest simulated time for relocations. After it the experiment goes on, whether they have ended or not.
const RELOCATION_LIMIT: Span = Span::from_secs(3_600);

/// The result of one run of the experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The seed of the run.
    pub seed: u64,
    /// The figures of the interval.
    pub measurement: Measurement,
    /// What limited the interval.
    pub limits: Limits,
    /// The snapshot at the end of the interval.
    pub snapshot: Snapshot,
    /// A digest of the snapshot at the end: equal runs have equal digests on every machine.
    pub digest: u64,
}

/// Runs `scenario` with `seed`: fill, warm-up, interval.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(scenario: &Scenario, seed: u64) -> Result<Outcome, ScenarioError> {
    let mut simulation = Simulation::new(scenario, seed)?;
    Ok(finish(&mut simulation, scenario, seed))
}

/// Takes a fresh simulation through fill, warm-up and interval.
pub fn finish(simulation: &mut Simulation, scenario: &Scenario, seed: u64) -> Outcome {
    finish_watched(simulation, scenario, seed, 1, &mut |_| {})
}

/// The same, with the interval in `steps` equal steps: `watch` sees the snapshot at its start and after each step. Watching
/// does not change the run. If relocations are still under way then, the run goes on until they end, at most for an hour of
/// simulated time. With guests that bounce it does not wait, as such relocations never end.
pub fn finish_watched(
    simulation: &mut Simulation,
    scenario: &Scenario,
    seed: u64,
    steps: u64,
    watch: &mut dyn FnMut(&Snapshot),
) -> Outcome {
    simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, FILL_EVENTS_MAX);
    let start = simulation.now() + Span::from_secs(scenario.measure.warmup_s.into());
    simulation.run_until(start);
    let earlier = simulation.snapshot();
    watch(&earlier);
    let interval = Span::from_secs(scenario.measure.interval_s.into());
    let steps = steps.max(1);
    for step in 1..=steps {
        simulation.run_until(start + Span(interval.0 / steps * step + interval.0 % steps * step / steps));
        if step < steps {
            watch(&simulation.snapshot());
        }
    }
    if scenario.relocates() && !scenario.relocation.bounce && simulation.filled() {
        // From here on steps start at the same length and grow, so that `watch` sees the longest relocation some hundred
        // times.
        let (limit, mut step) = (start + RELOCATION_LIMIT, Span((interval.0 / steps).max(1)));
        let mut at = start + interval;
        for seen in 1.. {
            at = (at + step).min(limit);
            simulation.run_until_relocated(at);
            if steps == 1 || simulation.relocations_ended() || at == limit {
                break;
            }
            watch(&simulation.snapshot());
            if seen % steps == 0 {
                step = Span(step.0 * 2);
            }
        }
        simulation.run_until_relocated(limit);
    }
    let snapshot = simulation.snapshot();
    watch(&snapshot);
    Outcome {
        seed,
        measurement: Measurement::between(&earlier, &snapshot),
        limits: Limits::between(scenario, &earlier, &snapshot),
        digest: snapshot.digest(),
        snapshot,
    }
}
