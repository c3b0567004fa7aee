//! A whole experiment in a worker, with its interval seen in steps.

use std::cell::Cell;
use std::rc::Rc;

use zvmlab::experiment::{Look, Phase, Progress, finish_told};
use zvmlab::kernel::time::Span;
use zvmlab::scenario::ScenarioError;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};

use crate::evidence::{STEPS, Sample, Settled};
use crate::words::so_far::Estimate;
use crate::worker::early::Marks;
use crate::worker::wire::SoFar;

/// Simulated seconds for which guests that were relocated are seen on, so that charts show what they do at the destination.
const SEEN_ON_S: u64 = 3;
/// Milliseconds of wall time until the first report, and at least and at most between two. Chosen: a person sees a change within 30 ms
/// as at once; later reports come as slowly as figures still change.
const FIRST_MS: f64 = 20.0;
const AGAIN_MS: [f64; 2] = [60.0, 500.0];
/// Milliseconds of wall time between two looks at the host for first figures, because each look costs.
const LOOK_MS: f64 = 2.0;

/// Who is told how far an experiment is, and when.
struct Teller<'a> {
    clock: &'a dyn Fn() -> f64,
    tell: &'a mut dyn FnMut(SoFar),
    began_ms: f64,
    due_ms: f64,
    looked_ms: f64,
    estimate: Estimate,
    marks: Marks,
    /// Whether first figures were told.
    has_figures: bool,
}

impl<'a> Teller<'a> {
    fn new(clock: &'a dyn Fn() -> f64, tell: &'a mut dyn FnMut(SoFar)) -> Teller<'a> {
        let now_ms = clock();
        let (estimate, marks) = (Estimate::default(), Marks::default());
        let (due_ms, looked_ms) = (now_ms + FIRST_MS, now_ms);
        Teller { clock, tell, began_ms: now_ms, due_ms, looked_ms, estimate, marks, has_figures: false }
    }

    /// The experiment is so far; its interval began at this instant, if it has begun.
    fn hear(&mut self, simulation: &Simulation, scenario: &Scenario, progress: Progress, begin_ns: Option<u64>) {
        let now_ms = (self.clock)();
        let left_ms = self.estimate.left_ms(&progress, scenario, now_ms);
        let counts = progress.phase != Phase::Fill;
        // The first figures are told as soon as they are known.
        let is_due = now_ms >= self.due_ms || counts && !self.has_figures && now_ms >= self.began_ms + FIRST_MS;
        let looks = counts && now_ms >= self.looked_ms + LOOK_MS && self.marks.wants(simulation.now().0);
        if !is_due && !looks {
            return;
        }
        let snapshot = simulation.snapshot();
        if is_due {
            let of = |begin_ns: Option<u64>| self.marks.figures(&snapshot, begin_ns).filter(|_| counts);
            let early = of(begin_ns).or_else(|| of(None));
            if now_ms >= self.due_ms || early.is_some() {
                let again_ms = ((now_ms - self.began_ms) / 2.0).clamp(AGAIN_MS[0], AGAIN_MS[1]);
                self.due_ms = now_ms + again_ms;
                self.has_figures |= early.is_some();
                (self.tell)(SoFar { progress, left_ms, early, snapshot: snapshot.clone() });
            }
        }
        if looks {
            self.looked_ms = now_ms;
            self.marks.keep(snapshot);
        }
    }
}

/// Runs `scenario` with `seed`. `tell` is told now and then how far it is, `clock` tells wall time in milliseconds.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(
    scenario: Scenario,
    seed: u64,
    clock: &dyn Fn() -> f64,
    tell: &mut dyn FnMut(SoFar),
) -> Result<Settled, ScenarioError> {
    let mut simulation = Simulation::new(&scenario, seed)?;
    let mut earlier: Option<Snapshot> = None;
    let mut series = Vec::new();
    let began_ns = Cell::new(None::<u64>);
    let mut teller = Teller::new(clock, tell);
    let mut tell = |simulation: &Simulation, progress: Progress| {
        // A host that is to become steady is so before the interval, but what happens once counts from its begin on.
        let begin_ns = began_ns.get().filter(|_| scenario.relocates());
        teller.hear(simulation, &scenario, progress, begin_ns);
    };
    let mut watch = |look: Look| {
        let snapshot = look.snapshot();
        if let Look::Begins(_) = look {
            // What was seen of an interval that came too early is of the warm-up.
            series.clear();
            earlier = None;
            began_ns.set(Some(snapshot.now_ns));
        }
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.now_ns < snapshot.now_ns) {
            let measurement = Measurement::between(earlier, snapshot);
            series.push(Rc::new(Sample { measurement, snapshot: snapshot.clone() }));
        }
        earlier = Some(snapshot.clone());
    };
    let outcome = finish_told(&mut simulation, &scenario, seed, STEPS, &mut watch, &mut tell);
    if scenario.relocates() && !scenario.relocation.bounce {
        for _ in 0..SEEN_ON_S {
            simulation.run_until(simulation.now() + Span::from_secs(1));
            watch(Look::Goes(&simulation.glance()));
        }
    }
    Ok(Settled {
        scenario,
        seed,
        measurement: outcome.measurement,
        limits: Rc::new(outcome.limits),
        snapshot: outcome.snapshot,
        digest: outcome.digest,
        series: Rc::new(series),
    })
}

#[cfg(test)]
mod tests {
    use zvmlab::Figure;

    use super::*;

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
}
