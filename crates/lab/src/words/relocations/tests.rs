//! Relocations in words: one guest, many guests, guests that stay, and stops against tolerances.

use zvmlab::scenario::MaxQuiesce;
use zvmlab::snapshot::{MemberSnapshot, PassSnapshot, RelocationStage, RelocationTotals};

use super::*;
use crate::published::ready::scenario_of;

const SECOND: u64 = 1_000_000_000;

/// A relocation of so many passes of 5 GB that stopped the guest for so many ms and took so many seconds.
fn moved(name: &str, passes: usize, quiesce_ms: u64, in_all_s: u64) -> RelocationSnapshot {
    let pass = PassSnapshot { pages: 5 * 262_144, ended_ns: Some(1), ..PassSnapshot::default() };
    RelocationSnapshot {
        name: name.into(),
        to: 1,
        stage: RelocationStage::Ended,
        end: Some(EndCode::Completed),
        passes: vec![pass; passes],
        began_ns: Some(SECOND),
        stopped_ns: Some(2 * SECOND),
        started_ns: Some(2 * SECOND + quiesce_ms * 1_000_000),
        ended_ns: Some((1 + in_all_s) * SECOND),
        ..RelocationSnapshot::default()
    }
}

fn cluster(relocations: Vec<RelocationSnapshot>) -> Snapshot {
    let names = ["MEMBER1", "MEMBER2"];
    let members = names.map(|name| MemberSnapshot { name: name.into(), ..MemberSnapshot::default() });
    let began_ns = relocations.iter().filter_map(|one| one.began_ns).min();
    let ended = relocations.iter().all(|one| one.end.is_some());
    let times: Vec<u64> = relocations.iter().filter_map(RelocationSnapshot::quiesce_ns).collect();
    let totals = RelocationTotals {
        completed: relocations.iter().filter(|one| one.end == Some(EndCode::Completed)).count() as u64,
        not_completed: relocations.iter().filter(|one| one.end.is_some_and(|end| end != EndCode::Completed)).count() as u64,
        quiesce_ns: times.iter().sum(),
        quiesce_worst_ns: times.iter().max().copied().unwrap_or(0),
        ..RelocationTotals::default()
    };
    let cluster =
        ClusterSnapshot { members: members.into(), relocations, totals, began_ns, ended, ..ClusterSnapshot::default() };
    Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() }
}

fn told(id: &str, relocations: Vec<RelocationSnapshot>, change: fn(&mut Scenario)) -> String {
    let mut scenario = scenario_of(id).expect("a ready experiment");
    change(&mut scenario);
    answer(&scenario, &cluster(relocations)).expect("it is a cluster")
}

#[test]
fn one_guest_that_moved_is_told_with_what_was_allowed() {
    let one = || vec![moved("SERVER", 8, 4_210, 31)];
    assert_eq!(
        told("MOVE", one(), |_| ()),
        "SERVER moves to MEMBER2: stopped for 4.21 s of the 10 s allowed, 31 s in all, 8 passes, 40 GB."
    );
    let no_limit = told("MOVE", one(), |s| s.relocation.maxquiesce = MaxQuiesce::NoLimit);
    assert!(no_limit.contains("stopped for 4.21 s (no limit), "), "{no_limit}");
    let mut from_page_space = moved("SERVER", 8, 4_210, 31);
    from_page_space.pages_read = 262_144 * 3;
    let read = told("MOVE", vec![from_page_space], |_| ());
    assert!(read.contains(" CP first read 3 GB of it from page space at MEMBER1."), "{read}");
    let mut tolerant = moved("SERVER", 1, 4_210, 31);
    tolerant.tolerance_ms = 5_000;
    assert!(told("MOVE", vec![tolerant.clone()], |_| ()).ends_with("1 pass, 5 GB. It tolerates 5 s."));
    tolerant.tolerance_ms = 4_200;
    let beyond = told("MOVE", vec![tolerant], |s| s.relocation.window_s = 30);
    assert!(
        beyond.ends_with("That is more than the 4.2 s it tolerates. The move ended 1 s after the window of 30 s."),
        "{beyond}"
    );
}

#[test]
fn one_guest_that_stays_is_told_why_with_the_code() {
    let ended = |end: EndCode| {
        let one = RelocationSnapshot { end: Some(end), ..moved("SERVER", 8, 1, 31) };
        told("MOVE", vec![one], |scenario| scenario.relocation.maxtotal_s = 30)
    };
    let vain = " It was stopped for 0.001 s before that. For nothing: 31 s in all, 8 passes, 40 GB sent.";
    let of_quiesce = ended(EndCode::MaxQuiesce);
    let wanted = "SERVER stays at MEMBER1: the quiesce time passed MAXQUIESCE of 10 s (code 05).";
    assert_eq!(of_quiesce, format!("{wanted}{vain}"));
    assert_eq!(
        ended(EndCode::MaxTotal),
        format!("SERVER stays at MEMBER1: the relocation time passed MAXTOTAL of 30 s (code 04).{vain}")
    );
    assert_eq!(
        ended(EndCode::ConnectionLost),
        format!("SERVER stays at MEMBER1: the ISFC connection was lost after 31 s (code 03).{vain}")
    );
    assert!(ended(EndCode::Ineligible).contains("FORCE STORAGE is off (code 06)"));
    assert!(ended(EndCode::Logoff).starts_with("SERVER is gone: it was reset or logged off"));
    for end in EndCode::ALL.into_iter().skip(1) {
        let told = ended(end);
        assert!(told.contains(&format!("(code {:02}).", end.code())), "{told}");
    }
}

#[test]
fn what_has_not_moved_says_so() {
    assert_eq!(told("MOVE", vec![], |_| ()), "Nothing has moved: no VMRELOCATE was issued.");
    assert_eq!(told("CLUSTER", vec![], |_| ()), "No guest is relocated, and no member changes its state.");
    let waiting = RelocationSnapshot { name: "SERVER".into(), to: 1, ..RelocationSnapshot::default() };
    assert_eq!(told("MOVE", vec![waiting.clone()], |_| ()), "SERVER has not moved: VMRELOCATE was not issued yet.");
    let both = told("TWENTY-FIVE", vec![waiting.clone(), waiting.clone()], |_| ());
    assert_eq!(both, "Nothing has moved yet: no VMRELOCATE was issued yet.");
    let mut under_way = RelocationSnapshot {
        stage: RelocationStage::Moving,
        began_ns: Some(1),
        touched_pages: 10 * 262_144,
        changed_pages: 262_144,
        ..waiting.clone()
    };
    assert_eq!(
        told("MOVE", vec![under_way.clone()], |_| ()),
        "SERVER is still moving to MEMBER2: pass 1, 11 GB wait to be sent."
    );
    under_way.passes = vec![PassSnapshot { pages: 10 * 262_144, ..PassSnapshot::default() }; 3];
    let both = told("TWENTY-FIVE", vec![under_way, waiting], |_| ());
    assert_eq!(both, "Nothing has moved yet: SERVER: pass 3, 1 GB wait to be sent.");
    assert_eq!(answer(&Scenario::default(), &Snapshot::default()), None, "there is no cluster");
}

#[test]
fn many_guests_are_told_by_how_many_how_long_and_against_what_they_bear() {
    let two = || vec![moved("LINUX-1", 3, 200, 35), moved("LINUX-2", 3, 400, 70)];
    assert_eq!(
        told("TWENTY-FIVE", two(), |_| ()),
        "2 of 2 guests moved in 70 s; stopped for 0.3 s on average, 0.4 s at most."
    );
    let mut three = two();
    three.push(RelocationSnapshot { end: Some(EndCode::MaxQuiesce), ..moved("LINUX-3", 3, 10_001, 71) });
    let told_three = told("TWENTY-FIVE", three, |scenario| scenario.relocation.window_s = 71);
    assert!(told_three.starts_with("2 of 3 guests moved in 71 s; "), "{told_three}");
    assert!(told_three.contains(" LINUX-3 did not move: the quiesce time passed MAXQUIESCE of 10 s (code 05)."));
    assert!(told_three.contains(" The window of 71 s is not met: not all guests have moved."), "{told_three}");
    let mut beyond = two();
    (beyond[0].tolerance_ms, beyond[1].tolerance_ms) = (200, 100);
    let told_beyond = told("EVACUATION", beyond.clone(), |_| ());
    assert!(told_beyond.contains(" LINUX-2 is stopped for 0.4 s; its tolerance is 0.1 s."), "{told_beyond}");
    beyond[0].tolerance_ms = 199;
    assert!(told("EVACUATION", beyond.clone(), |_| ()).contains(", and 1 more are stopped for longer than they tolerate."));
    beyond.iter_mut().for_each(|one| one.tolerance_ms = 400);
    assert!(told("EVACUATION", beyond, |_| ()).contains("Every stop is within its limit."));
}

#[test]
fn guests_that_bounce_are_told_by_their_moves() {
    let both = vec![moved("MOVER-1", 3, 200, 5), moved("MOVER-1", 3, 400, 15)];
    assert_eq!(told("BOUNCE", both, |_| ()), "1 guest moved 2 times in all; stopped for 0.3 s on average, 0.4 s at most.");
}
