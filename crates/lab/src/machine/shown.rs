//! What the picture shows at the moment: the live run if there is one of this host, else the end of the settled result.

use std::rc::Rc;

use zvmlab::{Measurement, Scenario};

use super::Rates;
use crate::bench::live::{Live, Phase};
use crate::evidence::{Sample, Settled};
use crate::worker::wire::SoFar;

/// Up to this speed, in simulated seconds for each second, I/Os and messages move on their course. At a higher speed an I/O is over before
/// an eye can follow it, and the picture shows rates instead. Chosen: an I/O of 2 ms takes a fifteenth of a second.
const COURSES_UP_TO: f64 = 0.03;
/// Simulated time from which on a live run has rates of its own.
const RATES_FROM_NS: u64 = 250_000_000;

/// Simulated time over which the rates of a cluster are counted.
const CLUSTER_RATES_NS: u64 = 1_000_000_000;

/// The speed at which the page shows a host unasked, in simulated seconds for each second: single I/Os can be followed where
/// there are any, else guests on their processors. In a cluster, relocations of minutes and members that change their state in
/// seconds.
pub fn watched_at(scenario: &Scenario) -> Option<f64> {
    let does_io = scenario.page_volumes() + scenario.minidisks.volumes > 0;
    Some(match (scenario.cluster.members > 1, does_io) {
        (true, _) => CLUSTER_AT,
        (false, true) => 0.001,
        (false, false) => 0.003,
    })
}

/// The speed for a cluster. The relocation of the example MOVE takes 114 s: then it is over in 40 s.
const CLUSTER_AT: f64 = 3.0;

/// What the picture shows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The host.
    pub scenario: Rc<Scenario>,
    /// The state of the host.
    pub sample: Rc<Sample>,
    /// The rates of the time before.
    pub rates: Rc<Rates>,
    /// Simulated seconds for each second, while it runs; 0 while it stands.
    pub speed: f64,
    /// Whether single I/Os are shown on their course.
    pub courses: bool,
    /// The number of the live run that it is of; none if it is of the settled result.
    pub run: Option<u64>,
    /// Whether it is of an experiment that still goes on.
    pub is_so_far: bool,
}

/// Frames of the same sample are the same.
impl PartialEq for Frame {
    fn eq(&self, other: &Frame) -> bool {
        Rc::ptr_eq(&self.sample, &other.sample)
            && (self.speed, self.courses, self.run) == (other.speed, other.courses, other.run)
            && self.rates == other.rates
    }
}

impl Frame {
    /// The present frame for the host and seed on the bench; none before there is any result. A live run of another host is not shown:
    /// while a knob is dragged, the picture shows the end of each result.
    pub fn of((scenario, seed): (&Scenario, u64), settled: Option<&Settled>, live: &Live) -> Option<Frame> {
        let of_settled = || settled.map(rates_of).unwrap_or_default();
        let is_shown = matches!(live.phase, Phase::Ready | Phase::Ended) && live.is_of(scenario, seed);
        let Some(sample) = live.history.last().filter(|_| is_shown) else {
            let settled = settled?;
            return Some(Frame {
                scenario: Rc::new(settled.scenario.clone()),
                sample: settled.series.last()?.clone(),
                rates: Rc::new(rates_of(settled)),
                speed: 0.0,
                courses: true,
                run: None,
                is_so_far: false,
            });
        };
        let own = since(live, sample).map(|first| Rates::between(&first.snapshot, &sample.snapshot));
        let rates = own.filter(|own| own.over_ns >= RATES_FROM_NS).unwrap_or_else(of_settled);
        let runs = live.running && live.phase == Phase::Ready;
        Some(Frame {
            scenario: Rc::new(scenario.clone()),
            sample: sample.clone(),
            rates: Rc::new(rates),
            speed: if runs { live.speed } else { 0.0 },
            courses: !runs || live.speed <= COURSES_UP_TO,
            run: Some(live.run),
            is_so_far: false,
        })
    }

    /// The frame of an experiment under way, whose last frame was `before`.
    pub fn so_far(scenario: Rc<Scenario>, so_far: &SoFar, before: Option<&Frame>) -> Frame {
        let snapshot = so_far.snapshot.clone();
        let rates = before.map(|before| Rates::between(&before.sample.snapshot, &snapshot)).unwrap_or_default();
        let measurement = Measurement::between(&snapshot, &snapshot);
        let sample = Rc::new(Sample { measurement, snapshot });
        Frame { scenario, sample, rates: Rc::new(rates), speed: 0.0, courses: true, run: None, is_so_far: true }
    }

    /// Whether it follows `other` in the same live run. Of two of one instant the page's own tells if the run is paused.
    pub fn follows(&self, other: &Frame) -> bool {
        self.run.is_some() && self.run == other.run && self.sample.snapshot.now_ns > other.sample.snapshot.now_ns
    }
}

/// The sample from which on the rates are counted: the first, or in a cluster one of a second before, as a relocation goes from
/// stage to stage.
fn since<'a>(live: &'a Live, sample: &Sample) -> Option<&'a Rc<Sample>> {
    let recent = |older: &&Rc<Sample>| older.snapshot.now_ns + CLUSTER_RATES_NS <= sample.snapshot.now_ns;
    let of_cluster = || live.history.iter().rev().find(recent).filter(|_| sample.snapshot.cluster.is_some());
    of_cluster().or(live.history.first())
}

/// The rates of the interval of a settled result.
fn rates_of(settled: &Settled) -> Rates {
    match (settled.series.first(), settled.series.last()) {
        (Some(first), Some(last)) => Rates::between(&first.snapshot, &last.snapshot),
        _ => Rates::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::compared::tests::settled_evidence;
    use crate::worker::answer;
    use crate::worker::wire::{Answer, Job};

    /// A live run of this host, some time after its fill.
    fn run(scenario: &Scenario, live: &mut Live) {
        live.start(scenario.clone(), 1);
        live.set_running(true, 0.0);
        for now_ms in 0..2_000 {
            let Some(job) = live.next_job(f64::from(now_ms)) else { break };
            let Answer::Live(report) = answer(Job::Live(job), &|| 0.0) else { panic!("a report") };
            live.heard(*report, f64::from(now_ms)).expect("what changed since the sample before");
            if live.history.len() > 3 {
                return;
            }
        }
    }

    #[test]
    fn the_picture_shows_the_host_on_the_bench_and_no_other() {
        let evidence = settled_evidence();
        let settled = evidence.settled.as_deref().expect("a result");
        let of = |bench: &Scenario, live: &Live| Frame::of((bench, 1), Some(settled), live).expect("a frame");
        let mut live = Live::new();
        assert_eq!(Frame::of((&settled.scenario, 1), None, &live), None, "nothing is known yet");
        let still = of(&settled.scenario, &live);
        assert_eq!((still.run, still.speed, still.sample.snapshot.now_ns), (None, 0.0, settled.snapshot.now_ns));
        run(&settled.scenario, &mut live);
        let first = of(&settled.scenario, &live);
        assert_eq!((first.run, first.speed), (Some(live.run), live.speed));
        let mut other = settled.scenario.clone();
        other.lcu.aliases += 1;
        let dragged = of(&other, &live);
        assert_eq!((dragged.run, &*dragged.scenario), (None, &settled.scenario), "the live run is of another host");
        run(&settled.scenario, &mut live);
        let anew = of(&settled.scenario, &live);
        let mut later = anew.clone();
        std::rc::Rc::make_mut(&mut later.sample).snapshot.now_ns += 1;
        assert!(later.follows(&anew) && !anew.follows(&later), "the later one follows");
        assert!(!anew.follows(&anew), "of one instant neither does: one may be from before a pause");
        assert!(!first.follows(&anew) && !later.follows(&first), "nor of two runs");
        assert!(!anew.follows(&still) && !still.follows(&still), "nor is a settled result followed");
    }
}
