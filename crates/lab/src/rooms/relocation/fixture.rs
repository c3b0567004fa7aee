//! Relocations made by hand for the tests of the views. Their numbers are chosen; nothing ran.

use std::rc::Rc;

use zvmlab::snapshot::{
    ChpidSnapshot, ClusterSnapshot, EndCode, GuestSnapshot, GuestState, LinkSnapshot, MemberSnapshot, PassSnapshot,
    RelocationSnapshot, RelocationStage,
};
use zvmlab::{Measurement, Scenario, Snapshot};

use crate::evidence::{Evidence, History, Sample, Settled};

/// A second.
pub const S: u64 = 1_000_000_000;

/// A guest of 4 GB that has gone to the second member: VMRELOCATE at `at`, 9 s in all, 0.8 s of them stopped.
pub fn moved(name: &str, at: u64) -> RelocationSnapshot {
    use RelocationStage::{Eligibility, Ended, LastPass, Moving, Skeleton, StateMove, Stopping};
    let stages = [
        (Eligibility, 0),
        (Skeleton, 100_000_000),
        (Moving, 200_000_000),
        (Stopping, 8_200_000_000),
        (StateMove, 8_300_000_000),
        (LastPass, 8_800_000_000),
        (Ended, 9_000_000_000),
    ];
    let pass = |from: u64, to: u64, pages: u64, resent: u64, stopped: bool| PassSnapshot {
        began_ns: at + from,
        ended_ns: Some(at + to),
        pages,
        resent,
        stopped,
        steal_ns: 0,
    };
    RelocationSnapshot {
        name: name.into(),
        from: 0,
        to: 1,
        stage: Ended,
        stages: stages.iter().map(|(stage, after)| (*stage, at + after)).collect(),
        passes: vec![
            pass(200_000_000, 6_200_000_000, 1_048_576, 0, false),
            pass(6_200_000_000, 8_200_000_000, 300_000, 290_000, false),
            pass(8_300_000_000, 8_800_000_000, 60_000, 60_000, true),
            pass(8_800_000_000, 9_000_000_000, 9_000, 9_000, true),
        ],
        end: Some(EndCode::Completed),
        began_ns: Some(at),
        stopped_ns: Some(at + 8_200_000_000),
        started_ns: Some(at + 9 * S),
        ended_ns: Some(at + 9 * S),
        touched_pages: 1_048_576,
        throttled_ns: [0, 0, 1_500_000_000],
        cpu_ns: [700_000_000, 900_000_000],
        tolerance_ms: 1_000,
        ..RelocationSnapshot::default()
    }
}

/// The same, but past MAXQUIESCE: it runs on at the source.
pub fn cancelled(name: &str, at: u64) -> RelocationSnapshot {
    RelocationSnapshot { end: Some(EndCode::MaxQuiesce), ..moved(name, at) }
}

/// A host of two members from which `count` guests go to the second.
pub fn scenario(count: u32) -> Scenario {
    let mut scenario = Scenario { name: "hand-made".into(), level: zvmlab::scenario::Level::V6_2, ..Scenario::default() };
    scenario.cluster.members = 2;
    scenario.guests[0].count = count;
    scenario.guests[0].move_to = 2;
    scenario
}

fn guest(index: usize, away: bool, cycles: u64) -> GuestSnapshot {
    GuestSnapshot {
        name: format!("LINUX-{index}"),
        away,
        state: if away { GuestState::Away } else { GuestState::Running },
        virtual_cpus: vec![GuestState::Running],
        in_cycles: true,
        transaction: 1,
        cycles,
        virtual_pages: 1_572_864,
        valid_pages: if away { 0 } else { 1_048_576 },
        ..GuestSnapshot::default()
    }
}

/// The state at `now_ns` of members from which `count` guests go one after the other, the first at 12 s, each within 10 s.
/// Before and after it does 100 cycles a second at either member, and none while it is stopped.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn snapshot(count: usize, now_ns: u64) -> Snapshot {
    let at = |index: usize| (12 + 10 * index as u64) * S;
    let work = |index: usize| {
        let (stop, start) = (at(index) + 8_200_000_000, at(index) + 9 * S);
        let stood = now_ns.clamp(stop, start) - stop;
        let here = now_ns.min(stop) / 10_000_000;
        (here, (now_ns - stood) / 10_000_000 - here, now_ns >= start)
    };
    let until = |one: RelocationSnapshot| {
        let mut one = one;
        one.stages.retain(|(_, began)| *began <= now_ns);
        one.passes.retain(|pass| pass.began_ns <= now_ns);
        one.passes.iter_mut().for_each(|pass| pass.ended_ns = pass.ended_ns.filter(|end| *end <= now_ns));
        let past = |instant: &u64| *instant <= now_ns;
        one.began_ns = one.began_ns.filter(past);
        one.stopped_ns = one.stopped_ns.filter(past);
        one.started_ns = one.started_ns.filter(past);
        one.ended_ns = one.ended_ns.filter(past);
        one.end = one.end.filter(|_| one.ended_ns.is_some());
        if one.stopped_ns.is_none() {
            (one.throttled_ns, one.cpu_ns) = ([0; 3], [0; 2]);
        }
        one.stage = one.stages.last().map_or(RelocationStage::Waiting, |stage| stage.0);
        one
    };
    let relocation =
        |index: usize| RelocationSnapshot { guest: index as u32, ..until(moved(&format!("LINUX-{index}"), at(index))) };
    let relocations: Vec<RelocationSnapshot> = (0..count).map(relocation).collect();
    let host = |second: bool| {
        let of = |index: usize| {
            let (here, there, gone) = work(index);
            guest(index, gone != second, if second { there } else { here })
        };
        let mut host = Snapshot { now_ns, filled: true, guests: (0..count).map(of).collect(), ..Snapshot::default() };
        host.storage.installed_frames = 33_554_432;
        host.storage.valid_frames = host.guests.iter().map(|guest| guest.valid_pages).sum();
        host.storage.cp_frames = 1_000_000;
        host.storage.available_frames = 32_554_432 - host.storage.valid_frames;
        (host.processors.count, host.processors.guest_ns, host.processors.idle_ns) = (4, now_ns, 3 * now_ns);
        host
    };
    let member = |index: u32, guests: u32| MemberSnapshot {
        name: format!("MEMBER{}", index + 1),
        guests,
        ..MemberSnapshot::default()
    };
    let gone = relocations.iter().filter(|one| one.end.is_some()).count() as u32;
    let bytes = relocations.iter().map(RelocationSnapshot::pages).sum::<u64>() * 4096;
    let chpid =
        |gb_s: u32, part: u64| ChpidSnapshot { gb_s, ctcs: 4, ctcs_busy: 1, busy_ns: now_ns / part, bytes: bytes / 2 };
    let link = |from: u32, bytes: u64| LinkSnapshot {
        from,
        to: 1 - from,
        up: true,
        capacity_factor: 12,
        buffers: 64,
        buffers_used: 16,
        buffers_ns: 16 * now_ns,
        bytes,
        chpids: vec![chpid(8, 2), chpid(4, 1)],
        ..LinkSnapshot::default()
    };
    let cluster = ClusterSnapshot {
        members: vec![member(0, count as u32 - gone), member(1, gone)],
        others: vec![host(true)],
        links: vec![link(0, bytes), link(1, 0)],
        began_ns: relocations.first().and_then(|first| first.began_ns),
        ended: gone as usize == count,
        relocations,
        ..ClusterSnapshot::default()
    };
    Snapshot { cluster: Some(Box::new(cluster)), ..host(false) }
}

/// A page with the result of such a run, seen once a second.
pub fn evidence(count: usize) -> Evidence {
    let end_s = 14 + 10 * count as u64;
    let sample = |second: u64| {
        let (earlier, snapshot) = (snapshot(count, (second - 1) * S), snapshot(count, second * S));
        Rc::new(Sample { measurement: Measurement::between(&earlier, &snapshot), snapshot })
    };
    let series: History = Rc::new((11..=end_s).map(sample).collect());
    let last = snapshot(count, end_s * S);
    let settled = Settled {
        scenario: scenario(count as u32),
        seed: 1,
        measurement: Measurement::between(&snapshot(count, 10 * S), &last),
        limits: Rc::default(),
        digest: 0,
        snapshot: last,
        series: series.clone(),
    };
    Evidence {
        history: series,
        settled: Some(Rc::new(settled)),
        pinned: None,
        published: Rc::new(Vec::new()),
        current_run: None,
    }
}
