//! A whole experiment in a worker, with its interval seen in steps.

use std::cell::Cell;
use std::rc::Rc;

use zvmlab::experiment::{Course, Listeners, Look, Outcome, Phase, Progress};
use zvmlab::kernel::time::Span;
use zvmlab::scenario::ScenarioError;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};

use crate::evidence::{STEPS, Sample, Settled};
use crate::words::so_far::Estimate;
use crate::worker::early::{Known, Marks};
use crate::worker::wire::SoFar;

/// Simulated seconds for which guests that were relocated are seen on, so that charts show what they do at the destination.
const SEEN_ON_S: u64 = 3;
/// Milliseconds of wall time until the first report, and at least and at most between two. Chosen: a person sees a change within 30 ms
/// as at once; later reports come as slowly as figures still change.
const FIRST_MS: f64 = 10.0;
const AGAIN_MS: [f64; 2] = [60.0, 500.0];
/// Milliseconds of wall time after which figures are told though none of transactions is known yet. Chosen: one after the other they would
/// flicker, and most hosts know all sooner.
const SOME_MS: f64 = 100.0;
/// Milliseconds of wall time after which a run that was left counts as held. Chosen: a turn of the worker takes far less.
const HELD_MS: f64 = 250.0;
/// Milliseconds of wall time between two looks at the host for first figures, at least: until there are some, and then; and how many
/// times as long as a look takes. Chosen: each costs, so that no more than a fifth of the time goes into them.
const LOOK_MS: [f64; 2] = [0.25, 1.0];
const LOOKS_APART: f64 = 4.0;

/// The wall time in milliseconds, and who is told how far an experiment is.
pub struct Outside<'a> {
    /// Tells wall time in milliseconds.
    pub clock: &'a dyn Fn() -> f64,
    /// Is told now and then how far it is.
    pub tell: &'a mut dyn FnMut(SoFar),
}

/// When how far an experiment is told, and what is known of it so far.
struct Teller {
    began_ms: f64,
    due_ms: f64,
    look_again_ms: f64,
    estimate: Estimate,
    marks: Marks,
    /// Whether all first figures were told.
    has_told: bool,
}

impl Teller {
    fn new(now_ms: f64) -> Teller {
        let (estimate, marks) = (Estimate::default(), Marks::default());
        let due_ms = now_ms + FIRST_MS;
        Teller { began_ms: now_ms, due_ms, look_again_ms: now_ms, estimate, marks, has_told: false }
    }

    /// The experiment is so far; its interval began at this instant, if it has begun.
    fn hear(
        &mut self,
        simulation: &Simulation,
        scenario: &Scenario,
        progress: Progress,
        begin_ns: Option<u64>,
        outside: &mut Outside,
    ) {
        let now_ms = (outside.clock)();
        let left_ms = self.estimate.left_ms(&progress, scenario, now_ms);
        let counts = progress.phase != Phase::Fill;
        // An interval that came too early is of the warm-up.
        let begin_ns = begin_ns.filter(|_| progress.phase != Phase::WarmUp);
        let of_begin = begin_ns.filter(|_| self.marks.known(simulation.now().0, begin_ns) > Known::Nothing);
        let known = if counts { self.marks.known(simulation.now().0, of_begin) } else { Known::Nothing };
        let runs_ms = now_ms - self.began_ms;
        // First figures are told as soon as all are known, and in the interval once they are of its time alone.
        let are_first = known == Known::Figures && !self.has_told && runs_ms >= FIRST_MS;
        let is_due = now_ms >= self.due_ms || are_first && begin_ns.is_some() == of_begin.is_some();
        let looks = counts && now_ms >= self.look_again_ms && self.marks.wants(simulation.now().0);
        if !is_due && !looks {
            return;
        }
        // Only what is told may be drawn, with the pieces of storage that moves.
        let snapshot = if is_due { simulation.snapshot() } else { simulation.glance() };
        if is_due {
            let are_told = known == Known::Figures || known == Known::SomeFigures && runs_ms >= SOME_MS;
            let early = are_told.then(|| self.marks.figures(&snapshot, of_begin));
            self.due_ms = now_ms + (runs_ms / 2.0).clamp(AGAIN_MS[0], AGAIN_MS[1]);
            self.has_told |= known == Known::Figures;
            (outside.tell)(SoFar { progress, left_ms, early, snapshot: snapshot.clone() });
        }
        if looks {
            self.marks.keep(snapshot);
            let after_ms = (outside.clock)();
            let apart_ms = LOOK_MS[usize::from(self.has_told)];
            self.look_again_ms = after_ms + apart_ms.max(LOOKS_APART * (after_ms - now_ms));
        }
    }
}

/// What was seen of the interval.
#[derive(Default)]
struct Seen {
    earlier: Option<Snapshot>,
    series: Vec<Rc<Sample>>,
}

impl Seen {
    fn look(&mut self, look: Look) {
        let snapshot = look.snapshot();
        if let Look::Begins(_) = look {
            // What was seen of an interval that came too early is of the warm-up.
            *self = Seen::default();
        }
        if let Some(earlier) = self.earlier.as_ref().filter(|earlier| earlier.now_ns < snapshot.now_ns) {
            let measurement = Measurement::between(earlier, snapshot);
            self.series.push(Rc::new(Sample { measurement, snapshot: snapshot.clone() }));
        }
        self.earlier = Some(snapshot.clone());
    }
}

/// A whole experiment that can be left and gone on with.
pub struct Run {
    scenario: Scenario,
    seed: u64,
    simulation: Simulation,
    course: Course,
    teller: Teller,
    seen: Seen,
    began_ns: Cell<Option<u64>>,
    /// When it was left, in milliseconds of wall time.
    left_ms: f64,
}

impl Run {
    /// A run of `scenario` with `seed`, from its begin at this wall time in milliseconds.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: Scenario, seed: u64, now_ms: f64) -> Result<Run, ScenarioError> {
        let simulation = Simulation::new(&scenario, seed)?;
        let (course, teller) = (Course::new(&scenario, seed, STEPS), Teller::new(now_ms));
        Ok(Run {
            scenario,
            seed,
            simulation,
            course,
            teller,
            seen: Seen::default(),
            began_ns: Cell::new(None),
            left_ms: now_ms,
        })
    }

    /// Goes on for so many milliseconds of wall time. Returns the result when the experiment is over.
    pub fn go_on(&mut self, budget_ms: f64, outside: &mut Outside) -> Option<Settled> {
        let begin_ms = (outside.clock)();
        if begin_ms - self.left_ms > HELD_MS {
            // The time for which it was held tells nothing of the time that is left.
            self.teller.estimate = Estimate::default();
        }
        loop {
            self.left_ms = (outside.clock)();
            if self.left_ms - begin_ms >= budget_ms {
                return None;
            }
            if let Some(outcome) = self.piece(outside) {
                return Some(self.settled(outcome));
            }
        }
    }

    /// The same to the end.
    #[cfg(test)]
    fn finish(&mut self, outside: &mut Outside) -> Settled {
        loop {
            if let Some(outcome) = self.piece(outside) {
                return self.settled(outcome);
            }
        }
    }

    fn piece(&mut self, outside: &mut Outside) -> Option<Outcome> {
        let Run { scenario, simulation, course, teller, seen, began_ns, .. } = self;
        let tell = &mut |simulation: &Simulation, progress: Progress| {
            teller.hear(simulation, scenario, progress, began_ns.get(), outside);
        };
        let watch = &mut |look: Look| {
            if let Look::Begins(snapshot) = look {
                began_ns.set(Some(snapshot.now_ns));
            }
            seen.look(look);
        };
        course.go_on(simulation, scenario, &mut Listeners { watch, tell })
    }

    fn settled(&mut self, outcome: Outcome) -> Settled {
        if self.scenario.relocates() && !self.scenario.relocation.bounce {
            for _ in 0..SEEN_ON_S {
                self.simulation.run_until(self.simulation.now() + Span::from_secs(1));
                self.seen.look(Look::Goes(&self.simulation.glance()));
            }
        }
        Settled {
            scenario: self.scenario.clone(),
            seed: self.seed,
            measurement: outcome.measurement,
            limits: Rc::new(outcome.limits),
            snapshot: outcome.snapshot,
            digest: outcome.digest,
            series: Rc::new(std::mem::take(&mut self.seen.series)),
        }
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::Figure;

    use super::*;

    fn run(
        scenario: Scenario,
        seed: u64,
        clock: &dyn Fn() -> f64,
        tell: &mut dyn FnMut(SoFar),
    ) -> Result<Settled, ScenarioError> {
        Ok(Run::new(scenario, seed, clock())?.finish(&mut Outside { clock, tell }))
    }

    /// The example MOVE, with less storage and a slower link. The guest has so much storage, and touches so much.
    fn small_move(virtual_mb: u64, loop_mb: u64) -> Scenario {
        let example = zvmlab::scenario::examples::example("MOVE").expect("an example");
        let mut scenario = Scenario::parse(example.text).expect("valid");
        (scenario.storage.central_mb, scenario.member2.central_mb) = (1_024, 1_024);
        (scenario.isfc.chpid1, scenario.isfc.chpid2) = (zvmlab::scenario::Chpid::Gb1, zvmlab::scenario::Chpid::None);
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, 3);
        let group = &mut scenario.guests[0];
        (group.virtual_mb, group.loop_mb, group.active_mb, group.touch_mb_s) = (virtual_mb, loop_mb, 16, 20);
        scenario
    }

    #[test]
    fn watching_the_interval_changes_no_figure() {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = 512;
        scenario.guests[0].virtual_mb = 128;
        scenario.guests[0].loop_mb = 96;
        scenario.measure.interval_s = 7;
        let settled = run(scenario.clone(), 3, &|| 0.0, &mut |_| {}).expect("valid");
        let outcome = zvmlab::experiment::run(&scenario, 3).expect("valid");
        assert_eq!((settled.digest, &settled.measurement), (outcome.digest, &outcome.measurement));
        assert_eq!(settled.series.len() as u64, STEPS);
        assert_eq!(settled.series.last().map(|sample| &sample.snapshot), Some(&settled.snapshot));
    }

    #[test]
    fn who_is_told_how_far_it_is_sees_each_phase_and_changes_nothing() {
        let scenario = small_move(512, 448);
        // Each look at the clock finds it a second later.
        let (now, mut told) = (std::cell::Cell::new(0.0), Vec::new());
        let clock = || now.replace(now.get() + 1_000.0);
        let settled = run(scenario.clone(), 3, &clock, &mut |so_far| told.push(so_far)).expect("valid");
        assert_eq!(settled, run(scenario, 3, &|| 0.0, &mut |_| panic!("the clock stands")).expect("valid"));
        let mut phases: Vec<Phase> = told.iter().map(|so_far| so_far.progress.phase).collect();
        phases.dedup();
        assert_eq!(phases.last(), Some(&Phase::Relocations), "{phases:?}");
        assert!(phases.ends_with(&[Phase::WarmUp, Phase::Interval, Phase::Relocations]), "{phases:?}");
        let moved = |so_far: &SoFar| so_far.early.as_ref().and_then(|early| early.value(Figure::ThrottledLink));
        assert!(told.iter().any(|so_far| moved(so_far).is_some()), "no first figures");
        for so_far in &told {
            let Progress { phase, part, now_s, .. } = so_far.progress;
            assert!((0.0..=1.0).contains(&part) && (now_s - so_far.snapshot.now_ns as f64 / 1e9).abs() < 1e-6);
            assert!(so_far.early.is_none() || phase != Phase::Fill, "{phase:?}");
            // What is moved is counted from the begin of the interval on, and is no mean.
            let moved = so_far.early.as_ref().and_then(|early| early.value(Figure::ThrottledLink));
            assert!(moved.is_none() || matches!(phase, Phase::Interval | Phase::Relocations), "{phase:?}");
            let interval = so_far.early.as_ref().and_then(|early| early.interval(Figure::ThrottledLink));
            assert_eq!(interval, None);
        }
    }

    #[test]
    fn a_relocation_is_seen_to_its_end_and_beyond_and_watching_changes_nothing() {
        let scenario = small_move(384, 320);
        let settled = run(scenario.clone(), 3, &|| 0.0, &mut |_| {}).expect("valid");
        let outcome = zvmlab::experiment::run(&scenario, 3).expect("valid");
        assert_eq!((settled.digest, &settled.measurement), (outcome.digest, &outcome.measurement));
        let ended_ns = settled.snapshot.now_ns;
        let times: Vec<u64> = settled.series.iter().map(|sample| sample.snapshot.now_ns).collect();
        assert!(times.iter().filter(|now| **now <= ended_ns).count() as u64 > STEPS, "{times:?}");
        assert_eq!(times.iter().filter(|now| **now > ended_ns).count() as u64, SEEN_ON_S);
        assert!(times.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_run_that_is_left_again_and_again_ends_the_same() {
        let scenario = small_move(384, 320);
        // A look at the clock finds it a millisecond later, so each turn does one piece.
        let now = std::cell::Cell::new(0.0);
        let clock = || now.replace(now.get() + 1.0);
        let mut left = Run::new(scenario.clone(), 3, 0.0).expect("valid");
        let mut turns = 0;
        let settled = loop {
            turns += 1;
            if let Some(settled) = left.go_on(1.5, &mut Outside { clock: &clock, tell: &mut |_| {} }) {
                break settled;
            }
        };
        assert!(turns > 20, "{turns} turns");
        assert_eq!(settled, run(scenario, 3, &|| 0.0, &mut |_| {}).expect("valid"));
    }
}
