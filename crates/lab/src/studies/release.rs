//! The study of page release: the page table lock held alone and shared, over the virtual CPUs of the guest.

use zvmlab::Figure;
use zvmlab::scenario::Mechanism;

use super::StudyKind;
use super::curves::{self, Plain};
use super::places::{among, named};
use crate::room::Room;
use crate::subjects::release::RELEASE as SUBJECT;

/// The lock held alone and shared, over the virtual CPUs of the guest.
pub static RELEASE: &StudyKind = &StudyKind {
    name: "release",
    title: "Page release under an exclusive and a shared lock",
    room: Room::Locks,
    subjects: &[SUBJECT],
    lacking: |scenario| {
        let releases = scenario.guests.first().is_some_and(|group| group.releases() > 0 && group.count == 1);
        Some(match scenario {
            _ if scenario.level.lacks(Mechanism::ReleaseExclusive) => "this level has no exclusive lock for page release",
            _ if !releases => "the first guest group is not one guest that releases pages",
            _ => return None,
        })
    },
    places: |_| named(&VIRTUAL_CPUS),
    lines: CURVES.lines.len(),
    put: |scenario, line, place| {
        if let Some(group) = scenario.guests.first_mut() {
            group.virtual_cpus = VIRTUAL_CPUS[place];
        }
        scenario.storage.release_exclusive = line == 0;
    },
    stands: Some(|scenario| {
        let cpus = scenario.guests.first().map_or(1, |group| group.virtual_cpus);
        let lock = if scenario.storage.release_exclusive { "exclusive lock" } else { "shared lock" };
        (among(cpus, &VIRTUAL_CPUS), format!("{cpus} virtual CPUs, {lock}"))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// The numbers of virtual CPUs.
const VIRTUAL_CPUS: [u32; 7] = [1, 2, 4, 6, 8, 10, 12];

const CURVES: &Plain = &Plain {
    drawn: &[
        ("release-study-etr", "Throughput over virtual CPUs", Figure::Etr, "throughput"),
        ("release-study-wait", "Wait for the PTIL over virtual CPUs", Figure::PtilWait, "the wait for the lock"),
        ("release-study-cpu", "Processors in use over virtual CPUs", Figure::Utilization, "the use of the processors"),
    ],
    lines: &["exclusive lock", "shared lock (VM64715)"],
    x: "Virtual CPUs of the guest",
    places: "virtual CPUs",
    waiting: "The same guest with a growing number of virtual CPUs.",
    ..Plain::ONE_LINE
};

#[cfg(test)]
mod tests {
    use super::super::studied::Curve;
    use super::super::studied::tests::{complete, short_example, studied};
    use super::*;

    #[test]
    fn more_virtual_cpus_gain_little_under_an_exclusive_lock() {
        let study = complete(RELEASE, short_example("RELEASE", 1));
        let charts = (RELEASE.charts)(&studied(&study, &[]));
        assert_eq!(charts.len(), 3);
        let curve = |line| Curve { name: "", look: 0, line, figure: Figure::Etr, relative_to: None };
        let [alone, shared] = [0, 1].map(|line| curve(line).model(&studied(&study, &[])));
        let gain = |curve: &[(usize, f64)]| curve[curve.len() - 1].1 / curve[0].1;
        assert!(gain(&alone) < 5.0 && gain(&shared) > 8.0, "{alone:?} {shared:?}");
    }
}
