//! What the views are shown: samples over time, and settled results of whole experiments.

use std::rc::Rc;

use borsh::{BorshDeserialize, BorshSerialize};
use zvmlab::limit::Limits;
use zvmlab::snapshot::EndCode;
use zvmlab::{Measurement, Scenario, Snapshot};

use crate::published::PublishedRun;
use crate::words;

/// Steps of a settled result's interval, which charts over time show. Chosen: one a second for the usual half a minute.
pub const STEPS: u64 = 30;

/// The state of a run at one instant, and the figures of the short time before it.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Sample {
    /// The figures of the time up to the snapshot: from `measurement.from_s` to `measurement.to_s`, simulated seconds.
    pub measurement: Measurement,
    /// The state at `measurement.to_s`.
    pub snapshot: Snapshot,
}

/// The result of a whole experiment: fill, warm-up, interval.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Settled {
    /// What was run.
    pub scenario: Scenario,
    /// The seed it was run with.
    pub seed: u64,
    /// The figures of the interval.
    pub measurement: Measurement,
    /// What limited the interval.
    pub limits: Rc<Limits>,
    /// The state at the end of the interval.
    pub snapshot: Snapshot,
    /// The digest of that state: equal runs have equal digests on every machine.
    pub digest: u64,
    /// The interval in steps, for charts over time.
    pub series: History,
}

impl Settled {
    /// The answer in a few sentences, where the host is a cluster.
    pub fn answer(&self) -> Option<String> {
        let looks: Vec<&Snapshot> = self.series.iter().map(|sample| &sample.snapshot).collect();
        let answer = words::answer::of_run(&self.scenario, &self.snapshot, &looks)?;
        Some(answer + self.where_to_go_on())
    }

    /// Where the page says what it would take, after a guest stood still for too long.
    fn where_to_go_on(&self) -> &'static str {
        match self.snapshot.cluster.as_ref().map(|cluster| cluster.relocations.as_slice()) {
            Some([one]) if one.end == Some(EndCode::MaxQuiesce) && !self.scenario.relocation.bounce => {
                " What it would take is tried under What if: one more chpid, the change rate, its breadth."
            }
            _ => "",
        }
    }
}

/// Samples over time, oldest first. Each is shared: a history that grows is not copied sample by sample.
pub type History = Rc<Vec<Rc<Sample>>>;

/// A result is not looked into where it is compared with itself, as it is whenever the page is drawn.
impl PartialEq for Settled {
    fn eq(&self, other: &Settled) -> bool {
        let said = |of: &Settled| (of.seed, of.digest, of.series.len());
        std::ptr::eq(self, other)
            || said(self) == said(other)
                && self.scenario == other.scenario
                && self.measurement == other.measurement
                && self.limits == other.limits
                && self.snapshot == other.snapshot
                && (Rc::ptr_eq(&self.series, &other.series) || self.series == other.series)
    }
}

/// What is shown: the runs that charts and words are made of.
#[derive(Clone)]
pub struct Evidence {
    /// Samples over time, oldest first: of the live run where one is under way, else of the settled experiment.
    pub history: History,
    /// The last settled result, if there is one.
    pub settled: Option<Rc<Settled>>,
    /// The result of the baseline, if that is another.
    pub pinned: Option<Rc<Settled>>,
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The id of the published run that has the present configuration, if there is one.
    pub current_run: Option<String>,
}

/// Evidence is the same when it shares the same samples and results: a live run shows new ones many times a second, and none is
/// looked into to find that out.
impl PartialEq for Evidence {
    fn eq(&self, other: &Evidence) -> bool {
        Rc::ptr_eq(&self.history, &other.history)
            && is_same(self.settled.as_ref(), other.settled.as_ref())
            && is_same(self.pinned.as_ref(), other.pinned.as_ref())
            && Rc::ptr_eq(&self.published, &other.published)
            && self.current_run == other.current_run
    }
}

/// Whether both are the same result, or none.
fn is_same<T>(one: Option<&Rc<T>>, other: Option<&Rc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::relocation::fixture::{S, cancelled, moved, scenario, snapshot};

    #[test]
    fn a_guest_that_stood_still_for_too_long_is_led_to_what_it_would_take() {
        let answer = |one| {
            let mut snapshot = snapshot(1, 60 * S);
            snapshot.cluster.as_mut().expect("a cluster").relocations = vec![one];
            let mut scenario = scenario(1);
            scenario.relocation.window_s = 20;
            let measurement = Measurement::between(&Snapshot::default(), &snapshot);
            let (limits, series) = Default::default();
            let settled = Settled { scenario, seed: 1, measurement, limits, snapshot, digest: 0, series };
            settled.answer().expect("a cluster")
        };
        let stays = answer(cancelled("SERVER-0", 12 * S));
        assert!(stays.starts_with("SERVER-0 stays at MEMBER1: ") && stays.contains("(code 05)"), "{stays}");
        assert!(
            stays.ends_with(" What it would take is tried under What if: one more chpid, the change rate, its breadth.")
        );
        let moves = answer(moved("SERVER-0", 12 * S));
        assert!(moves.starts_with("SERVER-0 moves to MEMBER2: ") && !moves.contains("What if"), "{moves}");
    }
}
