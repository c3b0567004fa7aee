//! What one event changed, in words: for those who go through the run step by step. Knows no browser.

use zvmlab::snapshot::{GuestState, Snapshot};

use crate::format::whole;

/// How many changes are named; the rest is counted.
const NAMED_MAX: usize = 6;

/// What differs between two snapshots of a run with one event between them.
pub fn changes(before: &Snapshot, after: &Snapshot) -> String {
    let passed_us = after.now_ns.saturating_sub(before.now_ns) as f64 / 1e3;
    let mut changes = guests(before, after);
    changes.extend(volumes(before, after));
    let on_path = before.lcu.ios_on_path.iter().zip(&after.lcu.ios_on_path).enumerate();
    changes.extend(on_path.filter_map(|(path, (from, to))| changed(&format!("I/Os on path {}", path + 1), *from, *to)));
    changes.extend(changed("aliases in use", before.lcu.aliases_in_use, after.lcu.aliases_in_use));
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

fn volumes(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let pairs = before.paging.volumes.iter().zip(&after.paging.volumes).enumerate();
    pairs
        .flat_map(|(index, (before, after))| {
            let volume = index + 1;
            let in_progress = format!("volume {volume} in progress");
            let queued = format!("volume {volume} queued");
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
        GuestState::Idle => "idle",
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::kernel::time::Instant;
    use zvmlab::{Scenario, Simulation};

    use super::*;

    #[test]
    fn each_step_of_a_run_is_told() {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = 512;
        scenario.guests[0].virtual_mb = 128;
        scenario.guests[0].loop_mb = 96;
        let mut simulation = Simulation::new(&scenario, 1).expect("valid");
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
        for wanted in ["VIRSTOEX1 running → page wait", "volume 1 in progress 0 → 1", "I/Os on path 1", "available frames"]
        {
            assert!(told.contains(wanted), "{wanted}");
        }
    }
}
