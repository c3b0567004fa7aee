//! What the picture shows at the moment: the live run if there is one of this host, else the end of the settled result.

use std::rc::Rc;

use zvmlab::Scenario;

use super::Rates;
use crate::bench::live::{Live, Phase};
use crate::evidence::{Sample, Settled};

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
    /// The state of the host.
    pub sample: Rc<Sample>,
    /// The rates of the time before.
    pub rates: Rc<Rates>,
    /// Simulated seconds for each second, while it runs; 0 while it stands.
    pub speed: f64,
    /// Whether single I/Os are shown on their course.
    pub courses: bool,
    /// Whether it is of the live run.
    pub live: bool,
}

/// Frames of the same sample are the same.
impl PartialEq for Frame {
    fn eq(&self, other: &Frame) -> bool {
        Rc::ptr_eq(&self.sample, &other.sample)
            && (self.speed, self.courses, self.live) == (other.speed, other.courses, other.live)
            && self.rates == other.rates
    }
}

impl Frame {
    /// The present frame; none before there is any result.
    pub fn of(settled: Option<&Settled>, live: &Live) -> Option<Frame> {
        let of_settled = || settled.map(rates_of).unwrap_or_default();
        let latest = live.history.last().filter(|_| matches!(live.phase, Phase::Ready | Phase::Ended));
        let Some(sample) = latest else {
            let sample = settled?.series.last()?.clone();
            return Some(Frame { sample, rates: Rc::new(of_settled()), speed: 0.0, courses: true, live: false });
        };
        let own = since(live, sample).map(|first| Rates::between(&first.snapshot, &sample.snapshot));
        let rates = own.filter(|own| own.over_ns >= RATES_FROM_NS).unwrap_or_else(of_settled);
        let runs = live.running && live.phase == Phase::Ready;
        Some(Frame {
            sample: sample.clone(),
            rates: Rc::new(rates),
            speed: if runs { live.speed } else { 0.0 },
            courses: !runs || live.speed <= COURSES_UP_TO,
            live: true,
        })
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
