//! Each I/O and each message under way is in the snapshot once, and agrees with what the snapshot counts.

use zvmlab::kernel::time::Instant;
use zvmlab::scenario::GuestGroup;
use zvmlab::scenario::workloads::IO3390;
use zvmlab::snapshot::{
    ClusterSnapshot, GuestState, IoKind, IoSnapshot, IoStage, LinkSnapshot, MessageSnapshot, MessageStage, Snapshot,
};
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

/// Three members. Two guests go to the second member at once over two chpids that others use too; storage is short there.
fn cluster() -> Scenario {
    let text = r#"
level = "6.2"
processors = { count = 2 }
storage = { central_mb = 768 }
cluster = { members = 3 }
member2 = { central_mb = 256, processors = 1, volumes = 1 }
member3 = { central_mb = 256, processors = 1 }
isfc = { chpid1 = "2 Gb", chpid2 = "1 Gb", ctcs2 = 3, buffers = 16, other_mb_s = 20 }
paging = { volumes = 1, alias = false }
relocation = { order = "as listed", mode = "ASYNCH", maxquiesce = "NOLIMIT", force_storage = true }
guests = [{ name = "MOVER", count = 2, virtual_mb = 160, loop_mb = 128, active_mb = 16, touch_mb_s = 20, pattern = "random", move_to = 2 }]
"#;
    Scenario::parse(text).expect("valid")
}

fn check_link(now_ns: u64, link: &LinkSnapshot) {
    let count = |of: &dyn Fn(&MessageSnapshot) -> bool| link.messages.iter().filter(|message| of(message)).count() as u32;
    assert!(link.messages.is_sorted_by(|a, b| a.number < b.number), "in the order of their numbers, each once");
    assert_eq!(count(&|message| message.buffered), link.buffers_used, "who holds a buffer: {link:?}");
    for (chpid, place) in link.chpids.iter().zip(0u32..) {
        assert_eq!(count(&|message| message.is_on_ctc() && message.chpid == Some(place)), chpid.ctcs_busy);
        let ctcs: Vec<u32> = link.messages.iter().filter(|m| m.chpid == Some(place)).filter_map(|m| m.ctc).collect();
        let each: std::collections::BTreeSet<u32> = ctcs.iter().copied().collect();
        assert_eq!((each.len(), ctcs.len() as u32), (ctcs.len(), chpid.ctcs_busy), "a CTC carries one message");
        assert!(each.iter().all(|ctc| *ctc < chpid.ctcs));
    }
    for message in &link.messages {
        assert!(message.since_ns <= now_ns, "a stage has begun: {message:?}");
        assert!(!message.is_on_ctc() || message.until_ns >= now_ns, "a stage that runs ends later: {message:?}");
        assert_eq!(message.ctc.is_some(), message.is_on_ctc(), "{message:?}");
        assert!(message.done_ppm <= 1_000_000 && (message.done_ppm == 0 || message.stage == MessageStage::Transfer));
        match message.guest {
            Some(_) => assert_eq!(message.bytes, u64::from(message.pages) * 4096, "{message:?}"),
            None => assert!(!message.buffered && message.pages == 0 && message.bytes > 0, "{message:?}"),
        }
    }
}

/// The pieces of the guests' storage add up to what the relocations count.
fn check_pieces(cluster: &ClusterSnapshot) {
    for one in cluster.relocations.iter().filter(|one| !one.pieces.is_empty()) {
        let sum =
            |of: &dyn Fn(&zvmlab::snapshot::PieceSnapshot) -> u32| one.pieces.iter().map(|p| u64::from(of(p))).sum::<u64>();
        let first: u64 = one.passes.iter().map(|pass| pass.pages - pass.resent).sum();
        assert_eq!(sum(&|piece| piece.sent), first, "what was sent for the first time");
        assert_eq!(Some(sum(&|piece| piece.of_pass)), one.passes.last().map(|pass| pass.pages), "what this pass sent");
        assert!(one.pieces.iter().all(|piece| piece.changed <= piece.sent));
        let left = sum(&|piece| piece.changed + piece.unsent);
        assert!(left >= one.changed_pages, "what changed is still to be sent");
        assert!(one.passes.len() == 1 || left == one.changed_pages, "after the first pass, nothing else is");
    }
}

#[test]
fn each_message_under_way_is_seen_once() {
    let mut simulation = Simulation::new(&cluster(), 1).expect("valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let (mut seen, mut last) = (std::collections::BTreeSet::new(), std::collections::BTreeMap::new());
    for step in 0..60_000 {
        simulation.step();
        let snapshot = simulation.snapshot();
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        cluster.links.iter().for_each(|link| check_link(snapshot.now_ns, link));
        let all = || cluster.links.iter().flat_map(|link| &link.messages);
        let numbers: std::collections::BTreeSet<u64> = all().map(|message| message.number).collect();
        assert_eq!(numbers.len(), all().count(), "no two messages have the same number");
        for message in all() {
            let before = last.insert(message.number, message.stage);
            assert!(before.is_none_or(|before| before <= message.stage), "it goes on and never back: {message:?}");
            seen.insert((message.stage, message.guest.is_some()));
        }
        if step % 50 == 0 {
            check_pieces(cluster);
        }
        if cluster.ended {
            break;
        }
    }
    let stages = [
        MessageStage::Collecting,
        MessageStage::Waiting,
        MessageStage::Protocol,
        MessageStage::Transfer,
        MessageStage::Early,
        MessageStage::Storing,
        MessageStage::FrameWait,
    ];
    assert!(stages.into_iter().all(|stage| seen.contains(&(stage, true))), "every stage is met: {seen:?}");
    assert!(seen.contains(&(MessageStage::Transfer, false)), "others use the link too: {seen:?}");
}
