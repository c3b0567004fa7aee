//! The whole experiment: fill, warm-up, interval; once, or replicated with several seeds.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::kernel::time::{Instant, Span};
use crate::limit::Limits;
use crate::measurement::Measurement;
use crate::scenario::{PAGES_PER_MB, Scenario, ScenarioError};
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;

/// Longest simulated time for the fill. After it the experiment goes on, filled or not.
const FILL_LIMIT: Span = Span::from_secs(36_000);

/// Most events for the fill. After them the experiment goes on, filled or not. The published hosts take about 60,000;
/// hundreds of guests that page through terabytes take more than anybody waits for.
pub const FILL_EVENTS_MAX: u64 = 10_000_000;

/// Longest simulated time for relocations. After it the experiment goes on, whether they have ended or not.
const RELOCATION_LIMIT: Span = Span::from_secs(3_600);

/// Events of the fill between two reports on its progress, and parts of the warm-up with one each. Chosen: some milliseconds of work.
const FILL_PIECE: u64 = 10_000;
const WARMUP_PIECES: u64 = 10;

/// A phase of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Phase {
    /// Each guest touches its whole loop once.
    Fill,
    /// The host becomes steady.
    WarmUp,
    /// It is measured.
    Interval,
    /// After the interval, until the relocations under way have ended.
    Relocations,
}

/// How far an experiment is.
#[derive(Clone, Copy, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Progress {
    /// The phase.
    pub phase: Phase,
    /// The part of the phase that is over, from 0 to 1. How long relocations take is not known: of them it is 0.
    pub part: f64,
    /// Simulated seconds since the start of the run.
    pub now_s: f64,
}

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

/// The fill, in pieces.
fn fill(simulation: &mut Simulation, scenario: &Scenario, tell: &mut dyn FnMut(&Simulation, Phase, f64)) {
    let loops_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    let pages = (loops_mb * PAGES_PER_MB).max(1) as f64;
    loop {
        let (before, left) = (simulation.events(), FILL_EVENTS_MAX.saturating_sub(simulation.events()));
        simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, left.min(FILL_PIECE));
        if simulation.filled() || simulation.events() == before {
            return;
        }
        tell(simulation, Phase::Fill, (simulation.pages_first_touched() as f64 / pages).min(1.0));
    }
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
    finish_told(simulation, scenario, seed, steps, watch, &mut |_, _| {})
}

/// The same, and `tell` is told every few milliseconds how far it is. That does not change the run.
pub fn finish_told(
    simulation: &mut Simulation,
    scenario: &Scenario,
    seed: u64,
    steps: u64,
    watch: &mut dyn FnMut(&Snapshot),
    tell: &mut dyn FnMut(&Simulation, Progress),
) -> Outcome {
    let mut tell = |simulation: &Simulation, phase: Phase, part: f64| {
        tell(simulation, Progress { phase, part, now_s: simulation.now().0 as f64 / 1e9 });
    };
    fill(simulation, scenario, &mut tell);
    let (filled, warmup) = (simulation.now(), Span::from_secs(scenario.measure.warmup_s.into()));
    let start = filled + warmup;
    for piece in 1..=WARMUP_PIECES {
        simulation.run_until(filled + Span(warmup.0 / WARMUP_PIECES * piece));
        tell(simulation, Phase::WarmUp, piece as f64 / WARMUP_PIECES as f64);
    }
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
        tell(simulation, Phase::Interval, step as f64 / steps as f64);
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
            tell(simulation, Phase::Relocations, 0.0);
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
