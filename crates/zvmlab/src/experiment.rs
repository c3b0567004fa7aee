//! The whole experiment: fill, warm-up, interval; once, or replicated with several seeds.

pub mod cost;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::kernel::time::{Instant, Span};
use crate::limit::Limits;
use crate::measurement::settling::Judge;
use crate::measurement::{Measurement, Settling, Steadiness};
use crate::scenario::{PAGES_PER_MB, Pattern, Scenario, ScenarioError};
use crate::simulation::Simulation;
use crate::snapshot::Snapshot;

/// Longest simulated time for the fill. After it the experiment goes on, filled or not.
const FILL_LIMIT: Span = Span::from_secs(36_000);

/// Longest simulated time for relocations. After it the experiment goes on, whether they have ended or not.
const RELOCATION_LIMIT: Span = Span::from_secs(3_600);

/// How much longer than the scenario says warm-up and interval may take together, where the host is not steady. Chosen: random
/// touches on the published host take some 20 times its default to become steady.
const LONGER_MAX: u64 = 32;

/// A longer warm-up begins only while the run has cost less than so many events since the fill. Chosen: a few seconds of work in a
/// page. With 20 million, LPAR1 takes three times as long and does not settle either.
const LONGER_EVENTS: u64 = 12_000_000;

/// Events between two reports on progress: at most, and after the fill, where the first figures are soon to be there. Chosen: some
/// milliseconds of work, and some tenths of one.
const PIECE: u64 = 10_000;
const FIRST_PIECE: u64 = 1_000;

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
    /// Simulated seconds that the phase takes, where that is known: of warm-up and interval. Where the host was not steady and the
    /// warm-up is made longer, it is what comes on top.
    pub of_s: Option<f64>,
    /// Simulated seconds since the start of the run.
    pub now_s: f64,
    /// Events that count against the budget, `measure.events_m`: those of the fill while it goes on, those since it, and those of the
    /// relocations alone.
    pub spent: u64,
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

/// What a watcher of the interval sees.
#[derive(Clone, Copy, Debug)]
pub enum Look<'a> {
    /// The state at the start of the interval. What was seen before it belongs to the warm-up: the host was not steady.
    Begins(&'a Snapshot),
    /// The state after a step of it.
    Goes(&'a Snapshot),
}

impl<'a> Look<'a> {
    /// The state that is seen: that of the end whole, the others at a [glance](Simulation::glance).
    pub fn snapshot(self) -> &'a Snapshot {
        match self {
            Look::Begins(snapshot) | Look::Goes(snapshot) => snapshot,
        }
    }
}

/// Who watches a run, and who is told how far it is.
pub struct Listeners<'a> {
    /// Sees the interval: its start, and the state after each step.
    pub watch: &'a mut dyn FnMut(Look),
    /// Is told every few milliseconds how far the run is.
    pub tell: &'a mut dyn FnMut(&Simulation, Progress),
}

/// The part of a run that is under way.
#[derive(Clone, Debug)]
enum Stage {
    Fill,
    /// From an instant to the begin of the interval.
    WarmUp([Instant; 2]),
    Interval {
        start: Instant,
        /// The step under way, from 1.
        step: u64,
        earlier: Box<Snapshot>,
        /// Whether the warm-up was whole.
        warm: bool,
    },
    Relocations {
        from: Instant,
        /// The end of the step under way, and its length.
        at: Instant,
        step: Span,
        /// Steps that are over.
        seen: u64,
        earlier: Box<Snapshot>,
        settling: Settling,
        /// The work at which they are given up.
        last: u64,
    },
}

/// A run on its way: fill, warm-up, interval. It can be left after any piece, and gone on with later.
///
/// Where the host is not steady at the end of the interval, the time so far becomes its warm-up, and an interval is measured again
/// at twice the time, until the host is steady or this would take too long. The measurement says how it ended.
///
/// If relocations are still under way at the end, the run goes on until they end, at most for an hour of simulated time. With
/// guests that bounce it does not wait, as such relocations never end.
#[derive(Clone, Debug)]
pub struct Course {
    seed: u64,
    /// Steps of the interval.
    steps: u64,
    stage: Stage,
    judge: Option<Judge>,
    filled_at: Instant,
    /// Work of the fill.
    of_fill: u64,
    /// The warm-up, as long as it is by now.
    warmup: Span,
}

impl Course {
    /// A run of `scenario` from its begin, with an interval in `steps` equal steps. `seed` is that of the simulation.
    pub fn new(scenario: &Scenario, seed: u64, steps: u64) -> Course {
        let warmup = Span::from_secs(scenario.measure.warmup_s.into());
        let (filled_at, of_fill) = (Instant::ZERO, 0);
        Course { seed, steps: steps.max(1), stage: Stage::Fill, judge: None, filled_at, of_fill, warmup }
    }

    /// Goes on for a piece, some milliseconds of work. Returns the result when the run is over. `scenario` and `simulation` are the same
    /// each time.
    pub fn go_on(&mut self, simulation: &mut Simulation, scenario: &Scenario, to: &mut Listeners) -> Option<Outcome> {
        match &self.stage {
            Stage::Fill => {
                self.fill(simulation, scenario, to);
                None
            }
            &Stage::WarmUp(of) => {
                self.warm_up(simulation, scenario, of, to);
                None
            }
            Stage::Interval { .. } => self.measure(simulation, scenario, to),
            Stage::Relocations { .. } => self.relocate(simulation, scenario, to),
        }
    }

    /// The fill, with at most so much work as the budget has.
    fn fill(&mut self, simulation: &mut Simulation, scenario: &Scenario, to: &mut Listeners) {
        let before = simulation.work();
        let left = scenario.measure.events_max().saturating_sub(before);
        simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, left.min(PIECE));
        if !simulation.filled() && simulation.work() != before {
            let loops_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
            let pages = (loops_mb * PAGES_PER_MB).max(1) as f64;
            return told(simulation, Phase::Fill, simulation.pages_first_touched() as f64 / pages, None, (0, to));
        }
        (self.filled_at, self.of_fill) = (simulation.now(), simulation.work());
        if simulation.filled() && can_settle(scenario) {
            let asked = self.warmup + interval(scenario);
            self.judge = Some(Judge::new(simulation.glance(), touches_at_random(scenario), asked));
        }
        self.stage = Stage::WarmUp([simulation.now(), self.filled_at + self.warmup]);
    }

    /// The warm-up. It leaves half of the budget to the interval.
    fn warm_up(&mut self, simulation: &mut Simulation, scenario: &Scenario, of: [Instant; 2], to: &mut Listeners) {
        let last = self.of_fill.saturating_add(scenario.measure.events_max() / 2);
        let Some(warm) = self.piece(simulation, (Phase::WarmUp, of), of[1], last, to) else { return };
        told(simulation, Phase::WarmUp, 1.0, Some(of[1].since(of[0])), (self.of_fill, to));
        let earlier = Box::new(simulation.glance());
        (to.watch)(Look::Begins(&earlier));
        self.stage = Stage::Interval { start: simulation.now(), step: 1, earlier, warm };
    }

    /// A piece on the way to `until` in a phase with its begin and end, while the work done is below `last`. When the piece ends there,
    /// whether it is `until`.
    fn piece(
        &mut self,
        simulation: &mut Simulation,
        (phase, [from, end]): (Phase, [Instant; 2]),
        until: Instant,
        last: u64,
        to: &mut Listeners,
    ) -> Option<bool> {
        let due = self.judge.as_ref().map(Judge::due).filter(|due| *due <= until);
        let piece = (simulation.work().saturating_sub(self.of_fill) / 8).clamp(FIRST_PIECE, PIECE);
        if !simulation.run_within(due.unwrap_or(until), last.saturating_sub(simulation.work()).min(piece)) {
            if simulation.work() >= last {
                return Some(false);
            }
            let (over, of) = (simulation.now().since(from), end.since(from));
            told(simulation, phase, over.0 as f64 / of.0.max(1) as f64, Some(of), (self.of_fill, to));
            return None;
        }
        match (due, &mut self.judge) {
            (Some(_), Some(judge)) => {
                judge.look(simulation.glance());
                None
            }
            _ => Some(true),
        }
    }

    /// The interval, a piece of a step.
    fn measure(&mut self, simulation: &mut Simulation, scenario: &Scenario, to: &mut Listeners) -> Option<Outcome> {
        let Stage::Interval { start, step, .. } = self.stage else { return None };
        let (interval, steps) = (interval(scenario), self.steps);
        let last = self.of_fill.saturating_add(scenario.measure.events_max());
        let until = start + Span(interval.0 / steps * step + interval.0 % steps * step / steps);
        let whole = self.piece(simulation, (Phase::Interval, [start, start + interval]), until, last, to)?;
        if whole {
            if step < steps {
                (to.watch)(Look::Goes(&simulation.glance()));
            }
            told(simulation, Phase::Interval, step as f64 / steps as f64, Some(interval), (self.of_fill, to));
        }
        let Stage::Interval { step, earlier, warm, .. } = &mut self.stage else { return None };
        if whole && *step < steps {
            *step += 1;
            return None;
        }
        let (earlier, warm) = (earlier.clone(), *warm);
        let settling = self.judged(simulation, scenario, &earlier, start, warm && whole)?;
        if !scenario.relocates() || scenario.relocation.bounce || !simulation.filled() {
            return Some(self.ended(simulation, scenario, &earlier, settling, to));
        }
        // From here on steps start at the same length and grow, so that `watch` sees the longest relocation some hundred times.
        let (from, step) = (simulation.now(), Span((interval.0 / steps).max(1)));
        let last = simulation.work().saturating_add(scenario.measure.events_max());
        let at = (from + step).min(relocated_by(from, scenario));
        self.stage = Stage::Relocations { from, at, step, seen: 0, earlier, settling, last };
        None
    }

    /// How steady the host was in the interval that began at `start` and is over; `whole` if neither it nor its warm-up was cut short.
    /// `None` where another interval is measured, after a longer warm-up.
    fn judged(
        &mut self,
        simulation: &Simulation,
        scenario: &Scenario,
        earlier: &Snapshot,
        start: Instant,
        whole: bool,
    ) -> Option<Settling> {
        let (interval, budget) = (interval(scenario), scenario.measure.events_max());
        let asked = Span::from_secs(scenario.measure.warmup_s.into()) + interval;
        let judged = self.judge.as_ref().map(|judge| judge.state(earlier, interval));
        let work = simulation.work() - self.of_fill;
        let may_take_longer = self.warmup + interval < Span(asked.0 * LONGER_MAX) && work < LONGER_EVENTS.min(budget / 4);
        let state = match (simulation.filled(), whole, judged) {
            (false, ..) => Steadiness::Filling,
            (_, false, _) => Steadiness::CutShort,
            (_, _, None) => Steadiness::NotJudged,
            (_, _, Some(Steadiness::Drifts(_) | Steadiness::Young(_))) if may_take_longer => {
                self.judge.iter_mut().for_each(Judge::widen);
                self.warmup = Span((self.warmup.0 + interval.0) * 2 - interval.0);
                self.stage = Stage::WarmUp([simulation.now(), self.filled_at + self.warmup]);
                return None;
            }
            (_, _, Some(state)) => state,
        };
        Some(Settling { state, warmup_s: start.since(self.filled_at).0 as f64 / 1e9 })
    }

    /// A piece of a step until the relocations have ended, an hour at most.
    fn relocate(&mut self, simulation: &mut Simulation, scenario: &Scenario, to: &mut Listeners) -> Option<Outcome> {
        let steps = self.steps;
        let Stage::Relocations { from, at, step, seen, earlier, settling, last } = &mut self.stage else { return None };
        let limit = relocated_by(*from, scenario);
        let since = last.saturating_sub(scenario.measure.events_max());
        // Nobody watches a run of one step on its way.
        let until = if steps == 1 { limit } else { *at };
        let is_there = simulation.run_until_relocated(until, last.saturating_sub(simulation.work()).min(PIECE));
        let is_over = simulation.relocations_ended() || simulation.work() >= *last;
        if is_over || is_there && until == limit {
            let (earlier, settling) = (earlier.clone(), *settling);
            return Some(self.ended(simulation, scenario, &earlier, settling, to));
        }
        if is_there {
            *seen += 1;
            (to.watch)(Look::Goes(&simulation.glance()));
            if seen.is_multiple_of(steps) {
                *step = Span(step.0 * 2);
            }
            *at = (*at + *step).min(limit);
        }
        told(simulation, Phase::Relocations, 0.0, None, (since, to));
        None
    }

    /// The result.
    fn ended(
        &self,
        simulation: &Simulation,
        scenario: &Scenario,
        earlier: &Snapshot,
        settling: Settling,
        to: &mut Listeners,
    ) -> Outcome {
        let snapshot = simulation.snapshot();
        (to.watch)(Look::Goes(&snapshot));
        let limits = Limits::between(scenario, earlier, &snapshot);
        let mut measurement = Measurement::between(earlier, &snapshot).settled(settling);
        measurement.limit = limits.limit;
        Outcome { seed: self.seed, measurement, limits, digest: snapshot.digest(), snapshot }
    }
}

/// The interval that the scenario asks for.
fn interval(scenario: &Scenario) -> Span {
    Span::from_secs(scenario.measure.interval_s.into())
}

/// The instant at which nobody waits for relocations any more; the interval ended at `from`.
fn relocated_by(from: Instant, scenario: &Scenario) -> Instant {
    from + Span(RELOCATION_LIMIT.0.saturating_sub(interval(scenario).0))
}

/// Tells how far the run is. The budget counts from the work `since` on.
fn told(simulation: &Simulation, phase: Phase, part: f64, of: Option<Span>, (since, to): (u64, &mut Listeners)) {
    let seconds = |ns: u64| ns as f64 / 1e9;
    let (of_s, now_s) = (of.map(|of| seconds(of.0)), seconds(simulation.now().0));
    let spent = simulation.work().saturating_sub(since);
    (to.tell)(simulation, Progress { phase, part: part.clamp(0.0, 1.0), of_s, now_s, spent });
}

/// Whether the host can become steady. What happens once is measured as it happens: guests that are relocated, members that come
/// and go, a processor that is varied.
fn can_settle(scenario: &Scenario) -> bool {
    let others = [&scenario.member2, &scenario.member3, &scenario.member4];
    let comes_and_goes = scenario.cluster.members > 1 && others.iter().any(|member| member.transitions);
    !scenario.relocates() && !comes_and_goes && scenario.dispatcher.vary_s == 0
}

/// Whether some guests touch pages, or files of them, at random.
fn touches_at_random(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.pattern != Pattern::Sequential)
}

/// Takes a fresh simulation through fill, warm-up and interval.
pub fn finish(simulation: &mut Simulation, scenario: &Scenario, seed: u64) -> Outcome {
    finish_watched(simulation, scenario, seed, 1, &mut |_| {})
}

/// The same, with the interval in `steps` equal steps: `watch` sees the snapshot at its start and after each step. Watching
/// does not change the run.
/// See [`Course`] for how long it goes on.
pub fn finish_watched(
    simulation: &mut Simulation,
    scenario: &Scenario,
    seed: u64,
    steps: u64,
    watch: &mut dyn FnMut(Look),
) -> Outcome {
    finish_told(simulation, scenario, seed, steps, watch, &mut |_, _| {})
}

/// The same, and `tell` is told every few milliseconds how far it is. That does not change the run.
pub fn finish_told(
    simulation: &mut Simulation,
    scenario: &Scenario,
    seed: u64,
    steps: u64,
    watch: &mut dyn FnMut(Look),
    tell: &mut dyn FnMut(&Simulation, Progress),
) -> Outcome {
    let (mut course, mut to) = (Course::new(scenario, seed, steps), Listeners { watch, tell });
    loop {
        if let Some(outcome) = course.go_on(simulation, scenario, &mut to) {
            return outcome;
        }
    }
}
