//! Which member of a cluster the rooms about one host show: the first, unless the reader chose another.

use std::rc::Rc;
use zvmlab::{Measurement, Snapshot};

use super::cluster::member_of;
use crate::evidence::{Evidence, History, Sample, Settled};

/// Most results of one member that are kept: of the bench and of its baseline.
pub const KEPT: usize = 2;

/// What was made of a member so far. A live run adds a few samples at a time; the others stay the same.
#[derive(Default)]
pub struct MemberView {
    place: usize,
    history: History,
    settled: Vec<(Rc<Settled>, Rc<Settled>)>,
}

impl MemberView {
    /// `evidence` for the member at `place`; for the first member if there is none at `place`.
    pub fn of(&mut self, evidence: &Evidence, place: usize) -> Evidence {
        let newest = evidence.history.last().map(|sample| &sample.snapshot);
        let newest = newest.or_else(|| evidence.settled.as_ref().map(|settled| &settled.snapshot));
        if newest.is_none_or(|snapshot| member_of(snapshot, place).is_none()) {
            return evidence.clone();
        }
        if self.place != place {
            *self = MemberView { place, ..MemberView::default() };
        }
        let is_live = evidence.settled.as_ref().is_none_or(|settled| !Rc::ptr_eq(&evidence.history, &settled.series));
        let settled = evidence.settled.as_ref().and_then(|settled| self.settled(settled));
        let history = match &settled {
            Some(settled) if !is_live => settled.series.clone(),
            _ => self.history(&evidence.history),
        };
        let pinned = evidence.pinned.as_ref().and_then(|pinned| self.settled(pinned));
        Evidence { history, settled, pinned, published: evidence.published.clone(), current_run: None }
    }

    /// A settled result for the member.
    fn settled(&mut self, whole: &Rc<Settled>) -> Option<Rc<Settled>> {
        if let Some((_, made)) = self.settled.iter().find(|(of, _)| Rc::ptr_eq(of, whole)) {
            return Some(made.clone());
        }
        let snapshot = member_of(&whole.snapshot, self.place)?.clone();
        let series = Rc::new(samples(&whole.series, self.place));
        // The state at the start of the interval is not kept. The figures begin with the first sample.
        let first = series.first().map(|sample| &sample.snapshot).filter(|first| first.now_ns < snapshot.now_ns);
        let measurement = Measurement::between(first.unwrap_or(&Snapshot::default()), &snapshot);
        let made = Rc::new(Settled { measurement, snapshot, series, ..Settled::clone(whole) });
        self.settled.truncate(KEPT - 1);
        self.settled.insert(0, (whole.clone(), made.clone()));
        Some(made)
    }

    /// Samples of a live run for the member. Only new samples are made.
    fn history(&mut self, whole: &[Rc<Sample>]) -> History {
        let same = |a: &Snapshot, b: &Snapshot| {
            a.now_ns == b.now_ns && member_of(b, self.place).is_some_and(|b| a.events == b.events)
        };
        let known =
            self.history.last().and_then(|last| whole.iter().rposition(|sample| same(&last.snapshot, &sample.snapshot)));
        let Some(known) = known else {
            self.history = Rc::new(samples(whole, self.place));
            return self.history.clone();
        };
        // Begin with the last known sample: the next figures are those since then.
        let new = samples(&whole[known..], self.place);
        let kept = known + 1;
        let history = Rc::make_mut(&mut self.history);
        history.drain(..history.len().saturating_sub(kept));
        history.extend(new.into_iter().skip(1));
        self.history.clone()
    }
}

/// Samples for the member at `place`, each with the figures since the sample before it.
pub fn samples(whole: &[Rc<Sample>], place: usize) -> Vec<Rc<Sample>> {
    let mut samples: Vec<Rc<Sample>> = Vec::with_capacity(whole.len());
    for sample in whole {
        let Some(snapshot) = member_of(&sample.snapshot, place) else { continue };
        let measurement = match samples.last() {
            Some(earlier) => Measurement::between(&earlier.snapshot, snapshot),
            // Nothing is known of the time before the first sample. Its figures are those since the start of the run.
            None => Measurement::between(&Snapshot::default(), snapshot),
        };
        samples.push(Rc::new(Sample { measurement, snapshot: snapshot.clone() }));
    }
    samples
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::relocation::fixture::{S, evidence};
    use super::*;

    /// `evidence` as they are of the member at `place`.
    pub fn of_member(evidence: &Evidence, place: usize) -> Evidence {
        MemberView::default().of(evidence, place)
    }

    #[test]
    fn a_member_is_shown_as_a_host_of_its_own() {
        let evidence = evidence(2);
        let shown = MemberView::default().of(&evidence, 1);
        let settled = shown.settled.as_ref().expect("a result");
        assert!(Rc::ptr_eq(&shown.history, &settled.series), "it is no live run");
        assert_eq!(shown.history.len(), evidence.history.len());
        assert!(settled.snapshot.guests.iter().all(|guest| !guest.away), "both have come");
        assert!(MemberView::default().of(&evidence, 2) == evidence, "there is no third member");
    }

    #[test]
    fn of_a_live_run_only_what_is_new_is_made() {
        let mut evidence = evidence(2);
        let all = evidence.history.clone();
        let mut made = MemberView::default();
        for (from, to) in [(0, 10), (0, 12), (5, 20), (7, 20)] {
            evidence.history = Rc::new(all[from..to].to_vec());
            let shown = made.of(&evidence, 1);
            let times: Vec<u64> = shown.history.iter().map(|sample| sample.snapshot.now_ns / S).collect();
            assert_eq!(times, (from as u64 + 11..to as u64 + 11).collect::<Vec<_>>(), "{from} to {to}");
        }
        evidence.history = Rc::new(all[..3].to_vec());
        assert_eq!(made.of(&evidence, 1).history.len(), 3, "a run that began anew is made anew");
    }
}
