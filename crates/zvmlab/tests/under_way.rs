//! Each I/O under way is in the snapshot once, and agrees with what the snapshot counts.

use zvmlab::kernel::time::Instant;
use zvmlab::scenario::GuestGroup;
use zvmlab::scenario::workloads::IO3390;
use zvmlab::snapshot::{GuestState, IoKind, IoSnapshot, IoStage, Snapshot};
use zvmlab::{Scenario, Simulation};

/// Guests that page on two volumes with two aliases, beside guests that do I/O to a minidisk on the same control unit.
fn host() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (128, 96);
    (scenario.paging.volumes, scenario.lcu.aliases, scenario.minidisks.volumes) = (2, 2, 1);
    let mut io = GuestGroup { name: "IO".into(), count: 4, virtual_mb: 8, loop_mb: 1, ..GuestGroup::default() };
    IO3390.apply(&mut io);
    scenario.guests.push(io);
    scenario
}

/// The I/Os that meet a condition.
fn count(snapshot: &Snapshot, of: impl Fn(&IoSnapshot) -> bool) -> u32 {
    snapshot.lcu.ios.iter().filter(|io| of(io)).count() as u32
}

fn check(snapshot: &Snapshot) {
    let volumes = || snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes).zip(0u32..);
    for (volume, index) in volumes() {
        let queued = count(snapshot, |io| io.volume == index && io.stage == IoStage::Queued);
        assert_eq!(queued, volume.queued, "the I/Os that wait for volume {index}");
        let in_progress = |io: &IoSnapshot| io.is_on_exposure() && io.stage != IoStage::Interruption;
        let in_progress = count(snapshot, |io| io.volume == index && in_progress(io));
        assert_eq!(in_progress, volume.in_progress, "the I/Os in progress on volume {index}");
        let on_base = count(snapshot, |io| io.volume == index && io.is_on_exposure() && !io.on_alias);
        assert!(on_base <= 1, "a base carries one I/O");
    }
    assert!(snapshot.lcu.ios.iter().all(|io| (io.volume as usize) < volumes().count()));
    for (on_path, path) in snapshot.lcu.ios_on_path.iter().zip(0u32..) {
        let transferred = count(snapshot, |io| io.path == Some(path) && io.stage == IoStage::Transfer);
        assert_eq!(transferred, *on_path, "the I/Os that path {path} transfers");
    }
    assert_eq!(count(snapshot, |io| io.is_on_exposure() && io.on_alias), snapshot.lcu.aliases_in_use);
    assert!(snapshot.lcu.ios.is_sorted_by(|a, b| a.number < b.number), "in the order of their requests, each once");
    for io in &snapshot.lcu.ios {
        assert!(io.since_ns <= snapshot.now_ns, "a stage has begun: {io:?}");
        let runs = matches!(io.stage, IoStage::Pending | IoStage::Disconnect | IoStage::Protocol | IoStage::Transfer);
        assert!(!runs || io.until_ns >= snapshot.now_ns, "a stage that runs ends later: {io:?}");
        assert_eq!(io.path.is_none(), io.stage == IoStage::Queued, "a path is chosen with the exposure: {io:?}");
        assert!(io.done_ppm <= 1_000_000 && (io.done_ppm == 0 || io.stage == IoStage::Transfer), "{io:?}");
        let Some(guest) = io.guest else {
            assert_eq!(io.kind, IoKind::PageWrite, "only a write is for no guest: {io:?}");
            continue;
        };
        let state = match io.kind {
            IoKind::PageRead => GuestState::PageWait,
            _ => GuestState::IoWait,
        };
        assert!(snapshot.guests[guest as usize].virtual_cpus.contains(&state), "its guest waits for it: {io:?}");
    }
}

#[test]
fn each_io_under_way_is_seen_once() {
    let mut simulation = Simulation::new(&host(), 1).expect("valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20_000 {
        simulation.step();
        let snapshot = simulation.snapshot();
        check(&snapshot);
        seen.extend(snapshot.lcu.ios.iter().map(|io| (io.stage, io.on_alias)));
    }
    let met = |stage| seen.contains(&(stage, false));
    let stages = [
        IoStage::Queued,
        IoStage::Pending,
        IoStage::Disconnect,
        IoStage::Protocol,
        IoStage::Transfer,
        IoStage::Interruption,
        IoStage::Finishing,
    ];
    assert!(stages.into_iter().all(met), "every stage is met: {seen:?}");
    assert!(seen.contains(&(IoStage::Transfer, true)), "an alias carries one");
}

#[test]
fn a_transfer_goes_on_and_ends_when_expected_if_nobody_joins() {
    let mut scenario = host();
    // One guest that pages, so one read at a time.
    scenario.guests.truncate(1);
    (scenario.guests[0].count, scenario.storage.central_mb, scenario.minidisks.volumes) = (1, 256, 0);
    (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (512, 400);
    let mut simulation = Simulation::new(&scenario, 1).expect("valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let alone = |snapshot: &Snapshot| match &snapshot.lcu.ios[..] {
        [io] if io.stage == IoStage::Transfer => Some(io.clone()),
        _ => None,
    };
    let mut followed = 0;
    for _ in 0..5_000 {
        simulation.step();
        let Some(io) = alone(&simulation.snapshot()) else { continue };
        let begin = simulation.now().0;
        let middle = begin + (io.until_ns - begin) / 2;
        simulation.run_until(Instant(middle));
        let Some(later) = alone(&simulation.snapshot()).filter(|later| later.number == io.number) else { continue };
        assert!(later.until_ns.abs_diff(io.until_ns) <= 1, "the same end is expected: {io:?}, {later:?}");
        let half = (io.done_ppm + 1_000_000) / 2;
        assert!(later.done_ppm.abs_diff(half) < 1_000, "half of the rest is done: {io:?}, {later:?}");
        followed += 1;
    }
    assert!(followed > 10, "{followed} transfers were alone");
}
