//! What the picture shows at the moment: the live run if there is one of this host, else the end of the settled result.

use std::rc::Rc;

use zvmlab::{Figure, Measurement, Scenario, Snapshot};

use super::Rates;
use crate::bench::live::{Live, Phase, SPEEDS};
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
/// there are any, else guests on their processors. Where little happens, time goes by so fast that something moves, but no faster than
/// courses can be followed. In a cluster, relocations of minutes and members that change their state in seconds.
pub fn watched_at(settled: &Settled) -> f64 {
    let scenario = &settled.scenario;
    if scenario.cluster.members > 1 {
        return CLUSTER_AT;
    }
    let does_io = scenario.page_volumes() + scenario.minidisks.volumes > 0;
    let slowest: f64 = if does_io { 0.001 } else { 0.003 };
    let moves_at = SEEN_PER_S / moves_per_s(settled).max(f64::MIN_POSITIVE);
    let speed = SPEEDS.iter().copied().find(|&speed| speed >= slowest.max(moves_at));
    speed.unwrap_or(COURSES_UP_TO).min(COURSES_UP_TO)
}

/// What a reader can see move in a simulated second: I/Os that start and transactions that end.
fn moves_per_s(settled: &Settled) -> f64 {
    let starts = |of: &Snapshot| of.paging.ios.starts + of.minidisks.ios.starts;
    let ios = match (settled.series.first(), settled.series.last()) {
        (Some(first), Some(last)) => starts(&last.snapshot).saturating_sub(starts(&first.snapshot)),
        _ => 0,
    };
    let over_s = (settled.measurement.to_s - settled.measurement.from_s).max(f64::MIN_POSITIVE);
    ios as f64 / over_s + settled.measurement.get(Figure::Etr).unwrap_or(0.0)
}

/// How much should move each second at least: an I/O or a transaction. Chosen.
const SEEN_PER_S: f64 = 2.0;

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
        let own = own.filter(|own| own.over_ns >= RATES_FROM_NS);
        let rates = own.or_else(|| settled.and_then(|settled| stand_in(settled, sample))).unwrap_or_default();
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

/// The rates that stand in for those of a live run that has none of its own yet: those of the settled interval, as a host alone is
/// about as busy at any time. A cluster's interval is that of its relocations, and says nothing of the time before: it has no stand-in.
fn stand_in(settled: &Settled, sample: &Sample) -> Option<Rates> {
    sample.snapshot.cluster.is_none().then(|| rates_of(settled))
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
    use crate::published::ready::scenario_of;
    use crate::rooms::compared::tests::{evidence_of, settled_evidence};
    use crate::worker::answer;
    use crate::worker::wire::{Answer, Job};

    /// A live run of this host, some time after its fill.
    fn run(scenario: &Scenario, live: &mut Live) {
        run_to(4, scenario, live);
    }

    /// A live run of this host with so many samples.
    fn run_to(samples: usize, scenario: &Scenario, live: &mut Live) {
        live.start(scenario.clone(), 1);
        live.set_running(true, 0.0);
        for now_ms in 0..2_000 {
            let Some(job) = live.next_job(f64::from(now_ms)) else { break };
            let Answer::Live(report) = answer(Job::Live(job), &|| 0.0) else { panic!("a report") };
            live.heard(*report, f64::from(now_ms)).expect("what changed since the sample before");
            if live.history.len() >= samples {
                return;
            }
        }
    }

    #[test]
    fn a_host_on_which_little_happens_is_shown_faster() {
        let watched = |ios: u64| {
            let evidence = settled_evidence();
            let mut settled = evidence.settled.as_deref().expect("a result").clone();
            let (first, mut last) = (settled.snapshot.clone(), settled.snapshot.clone());
            last.now_ns = first.now_ns + 10_000_000_000;
            last.paging.ios.starts = first.paging.ios.starts + ios;
            settled.measurement = Measurement::between(&first, &last);
            let sample = |snapshot: Snapshot| Rc::new(Sample { measurement: settled.measurement.clone(), snapshot });
            settled.series = Rc::new(vec![sample(first), sample(last)]);
            watched_at(&settled)
        };
        assert_eq!(watched(1_000_000), 0.001, "100,000 I/Os a second");
        assert_eq!(watched(2_500), 0.01, "250 I/Os a second: two and a half are seen");
        assert_eq!((watched(10), watched(0)), (COURSES_UP_TO, COURSES_UP_TO), "no faster than an eye can follow");
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

    #[test]
    fn a_live_run_of_a_cluster_shows_no_rate_until_it_has_its_own() {
        let mut cluster = scenario_of("MOVE").expect("an example");
        // Less storage, so that it is over within moments.
        let guest = &mut cluster.guests[0];
        [&mut guest.virtual_mb, &mut guest.loop_mb, &mut guest.active_mb].into_iter().for_each(|mb| *mb /= 128);
        let over = |settled: &Settled, samples: usize| {
            let mut live = Live::new();
            run_to(samples, &settled.scenario, &mut live);
            Frame::of((&settled.scenario, 1), Some(settled), &live).expect("a frame").rates.over_ns
        };
        let interval = |settled: &Settled| rates_of(settled).over_ns;
        let settled = evidence_of(cluster).settled.expect("a result");
        assert!(interval(&settled) > 0);
        assert_eq!(over(&settled, 1), 0, "no rate of the interval");
        let own = over(&settled, 4);
        assert!(own >= RATES_FROM_NS && own != interval(&settled), "its own: {own}");
        let host = settled_evidence().settled.expect("a result");
        assert_eq!(over(&host, 1), interval(&host), "a host does in its interval what it does now");
    }
}
