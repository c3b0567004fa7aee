//! What one event changed, in words: for those who go through the run step by step. Knows no browser.

use zvmlab::snapshot::{GuestState, Snapshot, VolumeSnapshot};

use crate::format::whole;

/// How many changes are named; the rest is counted.
const NAMED_MAX: usize = 6;

/// What differs between two snapshots of a run with one event between them.
pub fn changes(before: &Snapshot, after: &Snapshot) -> String {
    let passed_us = after.now_ns.saturating_sub(before.now_ns) as f64 / 1e3;
    let mut changes = guests(before, after);
    changes.extend(volumes("volume", &before.paging.volumes, &after.paging.volumes));
    changes.extend(volumes("minidisk volume", &before.minidisks.volumes, &after.minidisks.volumes));
    let on_path = before.lcu.ios_on_path.iter().zip(&after.lcu.ios_on_path).enumerate();
    changes.extend(on_path.filter_map(|(path, (from, to))| changed(&format!("I/Os on path {}", path + 1), *from, *to)));
    let held = |snapshot: &Snapshot| (snapshot.minidisks.ios.aliases_in_use, snapshot.paging.ios.aliases_in_use);
    let ((mdisk, paging), (mdisk_now, paging_now)) = (held(before), held(after));
    changes.extend(changed("aliases held by MDISK", mdisk, mdisk_now));
    changes.extend(changed("aliases held by paging", paging, paging_now));
    changes.extend(changed("available frames", before.storage.available_frames, after.storage.available_frames));
    changes.extend(changed("frames on the age list", before.storage.age_list_frames, after.storage.age_list_frames));
    changes.extend(changed("processors busy", before.processors.busy, after.processors.busy));
    let more = changes.len().saturating_sub(NAMED_MAX);
    changes.truncate(NAMED_MAX);
    let more = if more > 0 { format!(" · and {more} more") } else { String::new() };
    let what = if changes.is_empty() { "nothing that can be seen from outside".to_string() } else { changes.join(" · ") };
    format!("After {passed_us:.1} µs: {what}{more}.")
}

fn guests(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let pairs = before.guests.iter().zip(&after.guests).filter(|(before, after)| before.state != after.state);
    pairs.map(|(before, after)| format!("{} {} → {}", after.name, state(before.state), state(after.state))).collect()
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

fn state(state: GuestState) -> &'static str {
    match state {
        GuestState::Ready => "ready",
        GuestState::Running => "running",
        GuestState::PageWait => "page wait",
        GuestState::FrameWait => "frame wait",
        GuestState::IoWait => "I/O wait",
        GuestState::SimulationWait => "simulation wait",
        GuestState::Eligible => "eligible",
        GuestState::LimitList => "limit list",
        GuestState::Idle => "idle",
        GuestState::Stopped => "stopped",
        GuestState::Away => "away",
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::kernel::time::Instant;
    use zvmlab::scenario::GuestGroup;
    use zvmlab::scenario::workloads::IO3390;
    use zvmlab::{Scenario, Simulation};

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
