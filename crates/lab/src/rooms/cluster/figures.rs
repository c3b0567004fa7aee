//! The members in numbers: white space, overcommit, processors, transactions before and after.

use std::rc::Rc;
use zvmlab::Snapshot;
use zvmlab::snapshot::ClusterSnapshot;

use super::super::compared::window;
use super::{by_cycle, defined, etr, member_of, touched};
use crate::evidence::Evidence;
use crate::words::number::{fixed, short};
use crate::words::staying::staying;
use crate::words::unit::{percent, storage};

/// Stands where there is no value.
pub const NONE: &str = "–";

/// The names of rates of work: before, meanwhile, after, and if no guest is relocated.
pub const TRANSACTIONS: [&str; 4] = ["ETR before, tx/s", "ETR meanwhile, tx/s", "ETR after, tx/s", "ETR, tx/s"];

/// The same if cycles are counted.
pub const CYCLES: [&str; 4] = ["Cycles/s before", "Cycles/s meanwhile", "Cycles/s after", "Cycles/s"];

/// One row: its name, its meaning, and a value for each member.
pub type Line = (&'static str, &'static str, Vec<String>);

/// Frames of a member that guests, CP and the cache have.
pub fn in_use(member: &Snapshot) -> u64 {
    member.storage.installed_frames.saturating_sub(member.storage.available_frames)
}

/// Slots of page space: all, and those in use.
pub fn slots(member: &Snapshot) -> (u64, u64) {
    member.paging.volumes.iter().fold((0, 0), |(all, used), volume| (all + volume.slots, used + volume.slots_used))
}

/// Frames available and free slots together.
pub fn white_space(member: &Snapshot) -> u64 {
    let (all, used) = slots(member);
    member.storage.available_frames + all.saturating_sub(used)
}

/// Every row.
pub fn lines(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Vec<Line> {
    let places = 0..cluster.members.len();
    let each = |value: &dyn Fn(&Snapshot) -> String| -> Vec<String> {
        let of = |place| member_of(snapshot, place).map_or(NONE.into(), value);
        places.clone().map(of).collect()
    };
    let pages = |of: fn(&Snapshot) -> u64| each(&move |member: &Snapshot| storage(of(member) as f64));
    let to_real = |of: fn(&Snapshot) -> u64| {
        each(&move |member: &Snapshot| short(of(member) as f64 / member.storage.installed_frames.max(1) as f64))
    };
    let mut lines: Vec<Line> = vec![
        ("Real storage", "", pages(|member| member.storage.installed_frames)),
        ("Frames in use", "guests, CP, cache", pages(in_use)),
        ("Frames available", "", pages(|member| member.storage.available_frames)),
        ("Paged", "slots in use", pages(|member| slots(member).1)),
        ("White space", "frames available and free slots", pages(white_space)),
        ("Overcommit, touched", "touched / real", to_real(touched)),
        ("Overcommit, virtual", "defined / real", to_real(defined)),
        ("Processors busy", "guests and CP", places.clone().map(|place| busy(evidence, place)).collect()),
    ];
    if let Some(stays) = of_those_that_stay(evidence, cluster) {
        lines.push(stays);
    }
    let shown = |value: Option<f64>| value.map_or(NONE.to_string(), short);
    let [before_is, meanwhile_is, after_is, always_is] = if by_cycle(snapshot) { CYCLES } else { TRANSACTIONS };
    match cluster.began_ns {
        Some(began) => {
            let ended = cluster.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended);
            let before = places.clone().map(|place| shown(mean_etr(evidence, place, 0, began))).collect();
            let during = places.clone().map(|place| shown(mean_etr(evidence, place, began, ended.unwrap_or(u64::MAX))));
            lines.push((before_is, "all guests at the member, before the first VMRELOCATE", before));
            lines.push((meanwhile_is, "all guests at the member, including those that move", during.collect()));
            if let Some(ended) = ended {
                let after = places.map(|place| shown(mean_etr(evidence, place, ended, u64::MAX))).collect();
                lines.push((after_is, "all guests at the member, after the last relocation ended", after));
            }
        }
        None => {
            let all = places.map(|place| shown(mean_etr(evidence, place, 0, u64::MAX))).collect();
            lines.push((always_is, "the whole time watched", all));
        }
    }
    lines
}

/// The work of guests that stay at each member, before and meanwhile. The member's other work moves with its guests.
pub fn of_those_that_stay(evidence: &Evidence, cluster: &ClusterSnapshot) -> Option<Line> {
    let scenario = &evidence.settled.as_ref()?.scenario;
    let looks: Vec<&Snapshot> = evidence.history.iter().map(|sample| &sample.snapshot).collect();
    let all = staying(scenario, &looks);
    let (name, about) = match cluster.began_ns {
        Some(_) => ("ETR of guests that stay, tx/s", "before the first VMRELOCATE, and while relocations go on"),
        None => ("ETR of guests that stay, tx/s", "while no member changed its state, and while one did"),
    };
    let of = |place: usize| {
        let told = all.iter().filter(|one| one.place == place).map(|one| match cluster.began_ns {
            Some(_) => one.in_numbers(),
            None => format!("{} quiet, {} meanwhile", fixed(one.quiet, 1), fixed(one.meanwhile, 1)),
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() { NONE.to_string() } else { told.join("; ") }
    };
    (!all.is_empty()).then(|| (name, about, (0..cluster.members.len()).map(of).collect()))
}

/// How busy a member's processors were, in the interval or in the last seconds of a live run.
pub fn busy(evidence: &Evidence, place: usize) -> String {
    let Some(window) = window(evidence) else { return NONE.into() };
    let used = |snapshot: &Snapshot| {
        member_of(snapshot, place).map_or(0, |member| {
            let processors = &member.processors;
            processors.guest_ns + processors.chargeable_cp_ns + processors.nonchargeable_cp_ns
        })
    };
    let count = member_of(window.to, place).map_or(1, |member| member.processors.count.max(1));
    percent(window.growth(used) / window.elapsed_ns() / f64::from(count) * 100.0)
}

/// Transactions a second of a member from `from_ns` to `to_ns`, if sampled. A step that is partly outside does not
/// count.
pub fn mean_etr(evidence: &Evidence, place: usize, from_ns: u64, to_ns: u64) -> Option<f64> {
    let inside =
        |pair: &&[Rc<crate::evidence::Sample>]| pair[0].snapshot.now_ns >= from_ns && pair[1].snapshot.now_ns <= to_ns;
    let (mut done, mut time) = (0.0, 0.0);
    for pair in evidence.history.windows(2).filter(inside) {
        let elapsed = pair[1].snapshot.now_ns.saturating_sub(pair[0].snapshot.now_ns) as f64;
        if let Some(etr) = etr(pair, place) {
            (done, time) = (done + etr * elapsed, time + elapsed);
        }
    }
    (time > 0.0).then(|| done / time)
}

#[cfg(test)]
mod tests {
    use super::super::super::compared::newest;
    use super::super::super::relocation::fixture::evidence;
    use super::*;

    #[test]
    fn the_transactions_go_with_the_guest() {
        let evidence = evidence(1);
        let snapshot = newest(&evidence).expect("a result");
        let lines = lines(&evidence, snapshot, snapshot.cluster.as_deref().expect("a cluster"));
        let of = |name: &str| lines.iter().find(|line| line.0 == name).map(|line| line.2.clone()).expect(name);
        assert_eq!(of("ETR before, tx/s"), ["100", "0"]);
        assert_eq!(of("ETR after, tx/s"), ["0", "100"]);
        assert_eq!(of("Overcommit, touched"), ["0", "0.03"]);
        assert_eq!(of("Overcommit, virtual"), ["0", "0.05"]);
        assert_eq!(of("White space")[0], "124\u{20}GB");
    }
}
