//! What one event changed, in words: for those who go through the run step by step. Knows no browser.

use zvmlab::snapshot::{ClusterSnapshot, RelocationSnapshot, Snapshot, VolumeSnapshot};

use crate::words::aging;
use crate::words::number::{fixed, whole};
use crate::words::relocations::member;
use crate::words::state;

/// How many changes are named; the rest is counted.
const NAMED_MAX: usize = 6;

/// What differs between two snapshots of a run with one event between them.
pub fn changes(before: &Snapshot, after: &Snapshot) -> String {
    let passed_us = after.now_ns.saturating_sub(before.now_ns) as f64 / 1e3;
    let mut changes = stages(before, after);
    changes.extend(guests(before, after));
    changes.extend(volumes("volume", &before.paging.volumes, &after.paging.volumes));
    changes.extend(volumes("minidisk volume", &before.minidisks.volumes, &after.minidisks.volumes));
    let on_path = before.lcu.ios_on_path.iter().zip(&after.lcu.ios_on_path).enumerate();
    changes.extend(on_path.filter_map(|(path, (from, to))| changed(&format!("I/Os on path {}", path + 1), *from, *to)));
    let held = |snapshot: &Snapshot| (snapshot.minidisks.ios.aliases_in_use, snapshot.paging.ios.aliases_in_use);
    let ((mdisk, paging), (mdisk_now, paging_now)) = (held(before), held(after));
    changes.extend(changed("aliases held by MDISK", mdisk, mdisk_now));
    changes.extend(changed("aliases held by paging", paging, paging_now));
    changes.extend(changed("available frames", before.storage.available_frames, after.storage.available_frames));
    let aging = format!("frames of pages {}", aging::on_it(&after.storage));
    changes.extend(changed(&aging, before.storage.age_list_frames, after.storage.age_list_frames));
    changes.extend(changed("processors busy", before.processors.busy, after.processors.busy));
    let more = changes.len().saturating_sub(NAMED_MAX);
    changes.truncate(NAMED_MAX);
    let more = if more > 0 { format!(" · and {more} more") } else { String::new() };
    let what = if changes.is_empty() { "nothing that can be seen from outside".to_string() } else { changes.join(" · ") };
    format!("After {} µs: {what}{more}.", fixed(passed_us, 1))
}

/// The relocations that are at something else than before, and the members that changed their state.
pub fn stages(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let Some(now) = after.cluster.as_deref() else { return Vec::new() };
    let before = before.cluster.as_deref();
    let was = |at: usize| before.and_then(|before| before.relocations.get(at));
    let mut told: Vec<String> = Vec::new();
    for (at, one) in now.relocations.iter().enumerate() {
        let at_what = |one: &RelocationSnapshot| (one.stage, one.passes.len(), one.end);
        if was(at).map_or(at_what(&RelocationSnapshot::default()), at_what) != at_what(one) {
            told.push(stage(one, now));
        }
    }
    for (at, member) in now.members.iter().enumerate() {
        if before.and_then(|before| before.members.get(at)).is_some_and(|before| before.state != member.state) {
            told.push(format!("{} is {}", member.name, state::member(member.state)));
        }
    }
    told
}

/// What a relocation is at: `SERVER: pass 3, 12.1 GB wait to be sent`.
fn stage(one: &RelocationSnapshot, cluster: &ClusterSnapshot) -> String {
    let what = match one.end {
        None => state::doing(one),
        Some(end) if end.code() == 0 => format!("runs at {}", member(cluster, one.to)),
        Some(end) => format!("{} (code {}); it stays at {}", end.text(), state::code(end), member(cluster, one.from)),
    };
    format!("{}: {what}", one.name)
}

/// What is going on in the cluster at an instant, in a line: the relocation that is under way, or how many there are.
pub fn under_way(snapshot: &Snapshot) -> Option<String> {
    let cluster = snapshot.cluster.as_deref()?;
    let all = &cluster.relocations;
    let running: Vec<&RelocationSnapshot> = all.iter().filter(|one| one.began_ns.is_some() && one.end.is_none()).collect();
    let ended = all.iter().filter(|one| one.end.is_some()).count();
    match (running.as_slice(), all.len()) {
        (_, 0) => None,
        ([], _) if ended == 0 => Some("VMRELOCATE has not been issued yet.".into()),
        ([], 1) => all.first().map(|one| stage(one, cluster) + "."),
        ([], count) => Some(format!("{ended} of {count} relocations have ended.")),
        ([one], 1) => Some(stage(one, cluster) + "."),
        ([one], count) => Some(format!("{}. {ended} of {count} have ended.", stage(one, cluster))),
        ([first, ..], count) => {
            Some(format!("{} relocations at once; {}. {ended} of {count} have ended.", running.len(), stage(first, cluster)))
        }
    }
}

fn guests(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let pairs = before.guests.iter().zip(&after.guests).filter(|(before, after)| before.state != after.state);
    pairs
        .map(|(before, after)| format!("{} {} → {}", after.name, state::guest(before.state), state::guest(after.state)))
        .collect()
}

fn volumes(what: &str, before: &[VolumeSnapshot], after: &[VolumeSnapshot]) -> Vec<String> {
    let pairs = before.iter().zip(after).enumerate();
    pairs
        .flat_map(|(index, (before, after))| {
            let volume = index + 1;
            let in_progress = format!("{what} {volume} in progress");
            let queued = format!("{what} {volume} queued");
            [changed(&in_progress, before.in_progress, after.in_progress), changed(&queued, before.queued, after.queued)]
        })
        .flatten()
        .collect()
}

fn changed<T: Into<u64> + PartialEq>(what: &str, from: T, to: T) -> Option<String> {
    (from != to).then(|| format!("{what} {} → {}", whole(from.into()), whole(to.into())))
}

#[cfg(test)]
mod tests {
    use zvmlab::kernel::time::Instant;
    use zvmlab::scenario::GuestGroup;
    use zvmlab::scenario::workloads::IO3390;
    use zvmlab::{Scenario, Simulation};

    use zvmlab::snapshot::MemberState;

    use super::*;

    /// What is told of so many steps after the fill.
    fn told(scenario: &Scenario) -> String {
        let mut simulation = Simulation::new(scenario, 1).expect("valid");
        simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
        let mut before = simulation.snapshot();
        let mut told = String::new();
        for _ in 0..2_000 {
            simulation.step();
            let after = simulation.snapshot();
            let words = changes(&before, &after);
            assert!(words.starts_with("After ") && words.ends_with('.') && words.len() < 400, "{words}");
            told += &words;
            before = after;
        }
        told
    }

    fn in_cluster(relocations: Vec<RelocationSnapshot>, state: MemberState) -> Snapshot {
        use zvmlab::snapshot::MemberSnapshot;
        let member = |name: &str, state| MemberSnapshot { name: name.into(), state, ..MemberSnapshot::default() };
        let members = vec![member("MEMBER1", MemberState::Joined), member("MEMBER2", state)];
        let cluster = ClusterSnapshot { members, relocations, ..ClusterSnapshot::default() };
        Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() }
    }

    #[test]
    fn a_relocation_that_goes_on_is_told_and_one_that_does_not_is_not() {
        use zvmlab::snapshot::{EndCode, PassSnapshot, RelocationStage};
        let joined = |one: &RelocationSnapshot| in_cluster(vec![one.clone()], MemberState::Joined);
        let pass = PassSnapshot { pages: 262_144, ..PassSnapshot::default() };
        let mut one = RelocationSnapshot { name: "SERVER".into(), to: 1, ..RelocationSnapshot::default() };
        let waiting = joined(&one);
        assert_eq!(under_way(&waiting).as_deref(), Some("VMRELOCATE has not been issued yet."));
        (one.stage, one.began_ns, one.touched_pages) = (RelocationStage::Moving, Some(1), 4 * 262_144);
        one.passes = vec![pass.clone()];
        let first = joined(&one);
        assert_eq!(stages(&waiting, &first), ["SERVER: pass 1, 3 GB wait to be sent"]);
        assert!(changes(&waiting, &first).contains("SERVER: pass 1, 3 GB wait to be sent"));
        one.changed_pages = 5;
        assert_eq!(stages(&first, &joined(&one)), [""; 0], "pages that come and go are no stage");
        one.passes.push(pass);
        assert_eq!(stages(&first, &joined(&one)).len(), 1, "another pass is");
        (one.stage, one.end) = (RelocationStage::Ended, Some(EndCode::MaxQuiesce));
        let ended = joined(&one);
        assert_eq!(stages(&first, &ended), ["SERVER: ended as MAXQUIESCE was exceeded (code 05); it stays at MEMBER1"]);
        one.end = Some(EndCode::Completed);
        assert_eq!(under_way(&joined(&one)).as_deref(), Some("SERVER: runs at MEMBER2."));
        let leaving = in_cluster(vec![], MemberState::Leaving);
        assert_eq!(stages(&in_cluster(vec![], MemberState::Joined), &leaving), ["MEMBER2 is leaving"]);
        assert_eq!((under_way(&leaving), under_way(&Snapshot::default())), (None, None));
    }

    /// A host that is small and pages.
    fn small() -> Scenario {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = 512;
        scenario.guests[0].virtual_mb = 128;
        scenario.guests[0].loop_mb = 96;
        scenario
    }

    #[test]
    fn each_step_of_a_run_is_told() {
        let told = told(&small());
        for wanted in ["VIRSTOEX-1 running → page wait", "volume 1 in progress 0 → 1", "I/Os on path 1", "available frames"]
        {
            assert!(told.contains(wanted), "{wanted}");
        }
    }

    #[test]
    fn minidisk_io_and_the_aliases_of_each_claimant_are_told() {
        let mut scenario = small();
        (scenario.lcu.aliases, scenario.minidisks.volumes) = (2, 1);
        let mut io = GuestGroup { name: "IO".into(), count: 4, virtual_mb: 8, loop_mb: 1, ..GuestGroup::default() };
        IO3390.apply(&mut io);
        scenario.guests.push(io);
        let told = told(&scenario);
        for wanted in
            ["IO-1 running → I/O wait", "minidisk volume 1 in progress", "aliases held by MDISK", "aliases held by paging"]
        {
            assert!(told.contains(wanted), "{wanted}");
        }
    }
}
