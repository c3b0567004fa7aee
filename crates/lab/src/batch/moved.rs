//! What a study keeps of a run with relocations: its figures, each relocation, and the state of the members at the end.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;
use zvmlab::snapshot::{EndCode, RelocationSnapshot};
use zvmlab::{Figure, Measurement, Snapshot};

/// Bytes of a page, pages of a GB.
pub const PAGES_PER_GB: f64 = 262_144.0;

/// A run with relocations.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Moved {
    /// The figures of the interval.
    pub measurement: Measurement,
    /// Whether every relocation has ended.
    pub ended: bool,
    /// Whether every guest had touched its whole loop before.
    pub filled: bool,
    /// Each relocation, in their order.
    pub relocations: Vec<RelocationSnapshot>,
    /// Each member at the end, the first among them.
    pub members: Vec<MemberEnd>,
}

/// The state of a member at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MemberEnd {
    /// Its name.
    pub name: String,
    /// Frames of its central storage.
    pub installed_frames: u64,
    /// Of these frames, those on the available list.
    pub available_frames: u64,
    /// Pages that its guests have touched, in frames, in expanded storage or on DASD.
    pub touched_pages: u64,
    /// Of these pages, those on DASD only.
    pub dasd_pages: u64,
    /// Pages read and written a second over the whole interval.
    pub pages_per_s: f64,
    /// Busy time of its processors in the interval, in percent of all of them.
    pub busy_percent: f64,
}

impl MemberEnd {
    fn between(name: String, before: &Snapshot, after: &Snapshot) -> MemberEnd {
        let here = || after.guests.iter().filter(|guest| !guest.away);
        let elapsed_ns = after.now_ns.saturating_sub(before.now_ns).max(1) as f64;
        let pages = |snapshot: &Snapshot| snapshot.paging.ios.pages_read + snapshot.paging.ios.pages_written;
        let busy = |snapshot: &Snapshot| {
            let time = &snapshot.processors;
            time.guest_ns + time.chargeable_cp_ns + time.nonchargeable_cp_ns
        };
        let of_all = elapsed_ns * f64::from(after.processors.count.max(1));
        MemberEnd {
            name,
            installed_frames: after.storage.installed_frames,
            available_frames: after.storage.available_frames,
            touched_pages: here().map(zvmlab::snapshot::GuestSnapshot::touched_pages).sum(),
            dasd_pages: here().map(|guest| guest.dasd_pages).sum(),
            pages_per_s: pages(after).saturating_sub(pages(before)) as f64 / elapsed_ns * 1e9,
            busy_percent: busy(after).saturating_sub(busy(before)) as f64 / of_all * 100.0,
        }
    }

    /// Storage that its guests have touched for each unit of central storage: its overcommitment.
    pub fn overcommit(&self) -> f64 {
        self.touched_pages as f64 / self.installed_frames.max(1) as f64
    }
}

impl Moved {
    /// What to keep of a run whose interval began with `before` and ended with `after`.
    pub fn between(measurement: Measurement, before: &Snapshot, after: &Snapshot) -> Moved {
        let cluster = after.cluster.as_deref();
        let others =
            |snapshot: &Snapshot| snapshot.cluster.as_ref().map(|cluster| cluster.others.clone()).unwrap_or_default();
        let (firsts, lasts) = (others(before), others(after));
        let name = |at: usize| {
            let named = cluster.and_then(|cluster| cluster.members.get(at)).map(|member| member.name.clone());
            named.filter(|name| !name.is_empty()).unwrap_or_else(|| member_name(at as u32))
        };
        let first = MemberEnd::between(name(0), before, after);
        let pairs = firsts.iter().zip(&lasts).enumerate();
        let others = pairs.map(|(at, (before, after))| MemberEnd::between(name(at + 1), before, after));
        Moved {
            measurement,
            ended: cluster.is_some_and(|cluster| cluster.ended),
            filled: after.filled && lasts.iter().all(|other| other.filled),
            relocations: cluster.map(|cluster| cluster.relocations.clone()).unwrap_or_default(),
            members: std::iter::once(first).chain(others).collect(),
        }
    }

    /// The relocations that completed.
    pub fn completed(&self) -> impl Iterator<Item = &RelocationSnapshot> {
        self.relocations.iter().filter(|relocation| relocation.end == Some(EndCode::Completed))
    }

    /// The relocations that did not complete, with how they ended; none for one that was still going on.
    pub fn not_completed(&self) -> impl Iterator<Item = (&RelocationSnapshot, Option<EndCode>)> {
        let failed = self.relocations.iter().filter(|relocation| relocation.end != Some(EndCode::Completed));
        failed.map(|relocation| (relocation, relocation.end))
    }

    /// Whether there were relocations and all of them completed.
    pub fn all_completed(&self) -> bool {
        !self.relocations.is_empty() && self.completed().count() == self.relocations.len()
    }

    /// The completed relocation whose guest was stopped longest, and for how long, in s. If a relocation was cancelled, the time
    /// for which its guest was stopped before that is not a quiesce time.
    pub fn worst(&self) -> Option<(&RelocationSnapshot, f64)> {
        let times = self.completed().filter_map(|relocation| Some((relocation, quiesce_s(relocation)?)));
        times.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The mean quiesce time of the completed relocations, in s.
    pub fn mean_quiesce_s(&self) -> Option<f64> {
        mean(self.completed().filter_map(quiesce_s))
    }

    /// The mean relocation time of the completed relocations, in s.
    pub fn mean_relocation_s(&self) -> Option<f64> {
        mean(self.completed().filter_map(|relocation| Some(relocation.relocation_ns()? as f64 / 1e9)))
    }

    /// From the first VMRELOCATE to the end of the last relocation, in s.
    pub fn total_s(&self) -> Option<f64> {
        self.measurement.get(Figure::RelocationTotal)
    }

    /// The relocations whose guest was stopped for longer than it tolerates, and for how long, in s.
    pub fn beyond_tolerance(&self) -> impl Iterator<Item = (&RelocationSnapshot, f64)> {
        let times = self.completed().filter_map(|relocation| Some((relocation, quiesce_s(relocation)?)));
        times.filter(|(relocation, time)| relocation.tolerance_ms > 0 && *time * 1e3 > f64::from(relocation.tolerance_ms))
    }

    /// How long each throttle held relocations back, in s, in the order of `Throttle::ALL`.
    pub fn throttled_s(&self) -> [f64; 3] {
        let of = |at: usize| self.relocations.iter().map(|relocation| relocation.throttled_ns[at]).sum::<u64>() as f64 / 1e9;
        [of(0), of(1), of(2)]
    }
}

/// How long a guest was stopped, in s.
pub fn quiesce_s(relocation: &RelocationSnapshot) -> Option<f64> {
    Some(relocation.quiesce_ns()? as f64 / 1e9)
}

/// The name of the member at a place, from 0.
pub fn member_name(at: u32) -> String {
    format!("MEMBER{}", at + 1)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
pub(crate) mod tests {
    use zvmlab::snapshot::{ClusterSnapshot, MemberSnapshot, PassSnapshot, RelocationStage};

    use super::*;

    /// A relocation of `name` that took so long, in ms, with its guest stopped for the last `quiesce_ms` of it.
    pub fn relocation(name: &str, end: EndCode, took_ms: u64, quiesce_ms: u64) -> RelocationSnapshot {
        let (began, ended) = (2_000_000_000, 2_000_000_000 + took_ms * 1_000_000);
        let stopped = ended - quiesce_ms * 1_000_000;
        let pass = |began_ns, ended_ns, stopped| PassSnapshot {
            began_ns,
            ended_ns: Some(ended_ns),
            pages: 1,
            stopped,
            ..PassSnapshot::default()
        };
        RelocationSnapshot {
            name: name.into(),
            to: 1,
            stage: RelocationStage::Ended,
            stages: vec![
                (RelocationStage::Eligibility, began),
                (RelocationStage::Moving, began + 1_000_000),
                (RelocationStage::Stopping, stopped),
                (RelocationStage::StateMove, stopped + 1_000),
                (RelocationStage::LastPass, ended - 1_000),
                (RelocationStage::Ended, ended),
            ],
            passes: vec![pass(began + 1_000_000, stopped, false), pass(stopped + 1_000, ended, true)],
            end: Some(end),
            began_ns: Some(began),
            stopped_ns: Some(stopped),
            started_ns: Some(ended),
            ended_ns: Some(ended),
            ..RelocationSnapshot::default()
        }
    }

    /// A run with these relocations, of a cluster of two members that have nothing else to do.
    pub fn moved(relocations: Vec<RelocationSnapshot>) -> Moved {
        let members = [0, 1].map(|at| MemberSnapshot { name: member_name(at), ..MemberSnapshot::default() }).to_vec();
        let began_ns = relocations.iter().filter_map(|relocation| relocation.began_ns).min();
        let cluster = |relocations: Vec<RelocationSnapshot>| ClusterSnapshot {
            members: members.clone(),
            others: vec![Snapshot { filled: true, ..Snapshot::default() }],
            ended: relocations.iter().all(|relocation| relocation.end.is_some()),
            began_ns,
            relocations,
            ..ClusterSnapshot::default()
        };
        let snapshot = |now_ns, relocations| Snapshot {
            now_ns,
            filled: true,
            cluster: Some(Box::new(cluster(relocations))),
            ..Snapshot::default()
        };
        let (before, after) = (snapshot(0, Vec::new()), snapshot(100_000_000_000, relocations));
        Moved::between(Measurement::between(&before, &after), &before, &after)
    }

    #[test]
    fn the_time_before_a_cancel_is_no_quiesce_time() {
        let mut slow = relocation("SLOW", EndCode::Completed, 9_000, 3_000);
        slow.tolerance_ms = 2_000;
        let given_up = relocation("HUGE", EndCode::MaxQuiesce, 30_000, 10_000);
        let run = moved(vec![relocation("QUICK", EndCode::Completed, 3_000, 1_000), slow, given_up]);
        let (worst, time) = run.worst().expect("two completed");
        assert_eq!((worst.name.as_str(), time), ("SLOW", 3.0));
        assert_eq!((run.mean_quiesce_s(), run.mean_relocation_s(), run.total_s()), (Some(2.0), Some(6.0), Some(30.0)));
        let not: Vec<_> = run.not_completed().map(|(relocation, end)| (relocation.name.as_str(), end)).collect();
        assert_eq!((not, run.all_completed()), (vec![("HUGE", Some(EndCode::MaxQuiesce))], false));
        let beyond: Vec<_> = run.beyond_tolerance().map(|(relocation, time)| (relocation.name.as_str(), time)).collect();
        assert_eq!(beyond, [("SLOW", 3.0)]);
        assert_eq!((run.members.len(), run.members[1].name.as_str(), run.filled), (2, "MEMBER2", true));
    }

    #[test]
    fn guests_that_are_away_take_no_storage_of_a_member() {
        let guest = |away, valid_pages, dasd_pages| zvmlab::snapshot::GuestSnapshot {
            away,
            valid_pages,
            dasd_pages,
            ..zvmlab::snapshot::GuestSnapshot::default()
        };
        let mut after = Snapshot { now_ns: 2_000_000_000, ..Snapshot::default() };
        after.guests = vec![guest(false, 300, 100), guest(true, 5, 5)];
        (after.storage.installed_frames, after.paging.ios.pages_written) = (200, 10);
        (after.processors.count, after.processors.guest_ns) = (2, 1_000_000_000);
        let end = MemberEnd::between("MEMBER1".into(), &Snapshot::default(), &after);
        assert_eq!((end.touched_pages, end.dasd_pages, end.overcommit()), (400, 100, 2.0));
        assert_eq!((end.pages_per_s, end.busy_percent), (5.0, 25.0));
    }
}
