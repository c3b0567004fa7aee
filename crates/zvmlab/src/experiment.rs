//! The whole experiment: fill, warm-up, interval; once, or replicated with several seeds.

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
/// page.
const LONGER_EVENTS: u64 = 20_000_000;

/// Events between two reports on progress. Chosen: some milliseconds of work.
const PIECE: u64 = 10_000;

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

/// A run on its way, and who is told how far it is.
struct Course<'a> {
    simulation: &'a mut Simulation,
    tell: &'a mut dyn FnMut(&Simulation, Progress),
    judge: Option<Judge>,
}

impl Course<'_> {
    fn tell(&mut self, phase: Phase, part: f64, of: Option<Span>) {
        let seconds = |ns: u64| ns as f64 / 1e9;
        let (of_s, now_s) = (of.map(|of| seconds(of.0)), seconds(self.simulation.now().0));
        (self.tell)(self.simulation, Progress { phase, part: part.clamp(0.0, 1.0), of_s, now_s });
    }

    /// The fill, with at most so much work.
    fn fill(&mut self, scenario: &Scenario, work_max: u64) {
        let loops_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
        let pages = (loops_mb * PAGES_PER_MB).max(1) as f64;
        loop {
            let before = self.simulation.work();
            self.simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, work_max.saturating_sub(before).min(PIECE));
            if self.simulation.filled() || self.simulation.work() == before {
                return;
            }
            self.tell(Phase::Fill, self.simulation.pages_first_touched() as f64 / pages, None);
        }
    }

    /// Goes on to `until` in a phase that lasts from `from` to `to`, but only until the work done reaches `last`. Whether it is `until`
    /// then.
    fn go_on(&mut self, phase: Phase, [from, to]: [Instant; 2], until: Instant, last: u64) -> bool {
        loop {
            let due = self.judge.as_ref().map(Judge::due).filter(|due| *due <= until);
            let at = due.unwrap_or(until);
            while !self.simulation.run_within(at, last.saturating_sub(self.simulation.work()).min(PIECE)) {
                if self.simulation.work() >= last {
                    return false;
                }
                let (over, of) = (self.simulation.now().since(from), to.since(from));
                self.tell(phase, over.0 as f64 / of.0.max(1) as f64, Some(of));
            }
            match (due, &mut self.judge) {
                (Some(_), Some(judge)) => judge.look(self.simulation.glance()),
                _ => return true,
            }
        }
    }
}

/// Whether the host can become steady. What happens once is measured as it happens: guests that are relocated, members that come
/// and go, a processor that is varied.
fn can_settle(scenario: &Scenario) -> bool {
    let others = [&scenario.member2, &scenario.member3, &scenario.member4];
    let comes_and_goes = scenario.cluster.members > 1 && others.iter().any(|member| member.transitions);
    !scenario.relocates() && !comes_and_goes && scenario.dispatcher.vary_s == 0
}

/// Whether some guests touch pages at random.
fn touches_at_random(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.pattern == Pattern::Random)
}

/// Takes a fresh simulation through fill, warm-up and interval.
pub fn finish(simulation: &mut Simulation, scenario: &Scenario, seed: u64) -> Outcome {
    finish_watched(simulation, scenario, seed, 1, &mut |_| {})
}

/// The same, with the interval in `steps` equal steps: `watch` sees the snapshot at its start and after each step. Watching
/// does not change the run.
///
/// Where the host is not steady at the end of the interval, the time so far becomes its warm-up, and an interval is measured again
/// at twice the time, until the host is steady or this would take too long. The measurement says how it ended.
///
/// If relocations are still under way at the end, the run goes on until they end, at most for an hour of simulated time. With
/// guests that bounce it does not wait, as such relocations never end.
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
    let budget = scenario.measure.events_max();
    let mut course = Course { simulation, tell, judge: None };
    course.fill(scenario, budget);

    let filled_at = course.simulation.now();
    let [mut warmup, interval] = [scenario.measure.warmup_s, scenario.measure.interval_s].map(|s| Span::from_secs(s.into()));
    let (asked, steps, of_fill) = (warmup + interval, steps.max(1), course.simulation.work());
    if course.simulation.filled() && can_settle(scenario) {
        course.judge = Some(Judge::new(course.simulation.glance(), touches_at_random(scenario), asked));
    }
    let (earlier, settling) = loop {
        // The warm-up leaves half of the budget to the interval.
        let [half, whole] = [budget / 2, budget].map(|work| of_fill.saturating_add(work));
        let (from, start) = (course.simulation.now(), filled_at + warmup);
        let warm = course.go_on(Phase::WarmUp, [from, start], start, half);
        course.tell(Phase::WarmUp, 1.0, Some(start.since(from)));
        let earlier = course.simulation.glance();
        watch(Look::Begins(&earlier));

        let start = course.simulation.now();
        let mut whole_interval = true;
        for step in 1..=steps {
            let until = start + Span(interval.0 / steps * step + interval.0 % steps * step / steps);
            whole_interval = whole_interval && course.go_on(Phase::Interval, [start, start + interval], until, whole);
            if !whole_interval {
                break;
            }
            if step < steps {
                watch(Look::Goes(&course.simulation.glance()));
            }
            course.tell(Phase::Interval, step as f64 / steps as f64, Some(interval));
        }
        let judged = course.judge.as_ref().map(|judge| judge.state(&earlier, interval));
        let work = course.simulation.work() - of_fill;
        let may_take_longer = warmup + interval < Span(asked.0 * LONGER_MAX) && work < LONGER_EVENTS.min(budget / 4);
        let state = match (course.simulation.filled(), warm && whole_interval, judged) {
            (false, ..) => Steadiness::Filling,
            (_, false, _) => Steadiness::CutShort,
            (_, _, None) => Steadiness::NotJudged,
            (_, _, Some(Steadiness::Drifts(_) | Steadiness::Young(_))) if may_take_longer => {
                course.judge.iter_mut().for_each(Judge::widen);
                warmup = Span((warmup.0 + interval.0) * 2 - interval.0);
                continue;
            }
            (_, _, Some(state)) => state,
        };
        let warmup_s = start.since(filled_at).0 as f64 / 1e9;
        break (earlier, Settling { state, warmup_s });
    };
    if scenario.relocates() && !scenario.relocation.bounce && course.simulation.filled() {
        course.relocations(interval, steps, budget, watch);
    }
    let snapshot = course.simulation.snapshot();
    watch(Look::Goes(&snapshot));
    Outcome {
        seed,
        measurement: Measurement::between(&earlier, &snapshot).settled(settling),
        limits: Limits::between(scenario, &earlier, &snapshot),
        digest: snapshot.digest(),
        snapshot,
    }
}

impl Course<'_> {
    /// Goes on until the relocations have ended, an hour at most.
    fn relocations(&mut self, interval: Span, steps: u64, work_max: u64, watch: &mut dyn FnMut(Look)) {
        let (start, last) = (self.simulation.now(), self.simulation.work().saturating_add(work_max));
        let limit = start + Span(RELOCATION_LIMIT.0.saturating_sub(interval.0));
        // From here on steps start at the same length and grow, so that `watch` sees the longest relocation some hundred
        // times.
        let (mut at, mut step) = (start, Span((interval.0 / steps).max(1)));
        for seen in 1.. {
            at = (at + step).min(limit);
            self.simulation.run_until_relocated(at, last.saturating_sub(self.simulation.work()));
            let is_over = self.simulation.relocations_ended() || self.simulation.work() >= last;
            if steps == 1 || is_over || at == limit {
                break;
            }
            watch(Look::Goes(&self.simulation.glance()));
            self.tell(Phase::Relocations, 0.0, None);
            if seen % steps == 0 {
                step = Span(step.0 * 2);
            }
        }
        self.simulation.run_until_relocated(limit, last.saturating_sub(self.simulation.work()));
    }
}
