//! The words of a relocation: its stages, what held it back and why, and how it ended.

use zvmlab::Scenario;
use zvmlab::scenario::{Interruption, MaxQuiesce};
use zvmlab::snapshot::{EndCode, RelocationSnapshot, Throttle};

use crate::words::number::short;
use crate::words::relocations::member_at as member;
use crate::words::state;
use crate::words::unit::{NO_BREAK, seconds, short_seconds, storage};

/// Pages of a GB.
pub const PAGES_PER_GB: f64 = 262_144.0;

/// Stands with all times.
pub const NOT_PUBLISHED: &str = "IBM's charts of quiesce and relocation time against guest size, link bandwidth and constrained memory did not survive as figures. So no published figure is shown here; all times are the model's.";

/// Why a throttle acts.
pub fn why(of: Throttle, relocation: &RelocationSnapshot, scenario: Option<&Scenario>) -> String {
    let (from, to) = (member(relocation.from), member(relocation.to));
    let options = scenario.map(|scenario| (&scenario.relocation, &scenario.isfc));
    match of {
        Throttle::Paging => {
            let at = options.map(|(relocation, _)| relocation.throttle_paging);
            match at {
                Some(0) => format!("switched off: paging at {from} or {to} never holds it back"),
                Some(at) => format!("{at} or more paging I/Os waited for each volume at {from} or at {to}"),
                None => format!("paging I/Os waited for the volumes of {from} or {to}"),
            }
        }
        Throttle::Memory => {
            let at = options.map_or("its".to_string(), |(relocation, _)| relocation.throttle_endpoint.to_string());
            format!("{at} buffers of this guest had arrived at {to} and waited for frames: {to} is short of storage")
        }
        Throttle::Link => {
            let all = options.map_or("the".to_string(), |(_, isfc)| format!("all {}", isfc.buffers));
            format!(
                "{all} buffers for queued traffic from {from} to {to} were in use: the link or the other end could not keep up"
            )
        }
    }
}

/// How a relocation ended, or that it still goes on: `05, ended as MAXQUIESCE was exceeded`.
pub fn ended(relocation: &RelocationSnapshot) -> String {
    match relocation.end {
        Some(end) => state::end(end),
        None if relocation.began_ns.is_none() => "not begun".into(),
        None => format!("under way: {}", state::stage(relocation.stage)),
    }
}

/// Where the guest is now.
pub fn where_it_runs(relocation: &RelocationSnapshot) -> String {
    let (name, from, to) = (&relocation.name, member(relocation.from), member(relocation.to));
    match relocation.end {
        Some(EndCode::Completed) => format!("{name} runs on at {to}."),
        Some(EndCode::Logoff) => format!("{name} was reset or logged off and runs nowhere."),
        Some(_) => format!("{name} runs on at {from}. None of its storage was lost."),
        None if relocation.stopped_ns.is_some() => format!("{name} is stopped."),
        None => format!("{name} runs at {from}."),
    }
}

/// The most important facts: how long the guest was stopped, how long the move took, what was moved, and where it runs now.
pub fn said(relocation: &RelocationSnapshot, now_ns: u64) -> String {
    let (name, to) = (&relocation.name, member(relocation.to));
    let still = quiesce_so_far(relocation, now_ns).map(|ns| format!("was stopped for {}", seconds(ns)));
    let moved = format!("{} in {}", storage(relocation.pages() as f64), passes(relocation.passes.len()));
    let told = match (relocation.end, relocation.relocation_ns(), still) {
        (Some(EndCode::Completed), Some(took), Some(still)) => {
            format!("{name} was relocated to {to} in {} and {still}. CP sent {moved}.", seconds(took))
        }
        (Some(end), took, still) => format!(
            "The relocation of {name} to {to} {}{}{}: end code {}.",
            if end == EndCode::Completed { "completed" } else { end.text() },
            took.map_or(String::new(), |took| format!(" after {}", seconds(took))),
            still.map_or(String::new(), |still| format!("; the guest {still}")),
            state::code(end)
        ),
        (None, ..) if relocation.began_ns.is_none() => format!("{name} is to be relocated to {to}."),
        (None, _, still) => {
            format!(
                "{name} is being relocated to {to}: {}{}; {moved} sent so far.",
                state::stage(relocation.stage),
                still.map_or(String::new(), |still| format!(", it {still} so far"))
            )
        }
    };
    format!("{told} {}", where_it_runs(relocation))
}

/// Time for which the guest was stopped; up to now if it still is.
pub fn quiesce_so_far(relocation: &RelocationSnapshot, now_ns: u64) -> Option<u64> {
    let until = relocation.started_ns.or(relocation.ended_ns).unwrap_or(now_ns);
    Some(until.saturating_sub(relocation.stopped_ns?))
}

/// Time since VMRELOCATE; up to now if the relocation still goes on.
pub fn time_so_far(relocation: &RelocationSnapshot, now_ns: u64) -> Option<u64> {
    Some(relocation.ended_ns.unwrap_or(now_ns).saturating_sub(relocation.began_ns?))
}

/// `1 pass`, `8 passes`.
pub fn passes(count: usize) -> String {
    if count == 1 { "1 pass".into() } else { format!("{count} passes") }
}

/// The quiesce time, compared with MAXQUIESCE and with the guest's tolerance.
pub fn quiesce_verdict(quiesce_ns: Option<u64>, tolerance_ms: u32, scenario: Option<&Scenario>) -> String {
    let mut told = Vec::new();
    if let Some(relocation) = scenario.map(|scenario| &scenario.relocation) {
        told.push(match relocation.quiesce_limit_s() {
            Some(limit) => {
                let of = if relocation.maxquiesce == MaxQuiesce::Default { ", the default" } else { "" };
                format!("MAXQUIESCE {limit}{NO_BREAK}s{of}")
            }
            None if relocation.maxquiesce == MaxQuiesce::Default => "no MAXQUIESCE, because of IMMEDIATE".into(),
            None => "MAXQUIESCE NOLIMIT".into(),
        });
    }
    if tolerance_ms > 0 {
        let tolerance_s = f64::from(tolerance_ms) / 1e3;
        let tolerated = format!("{}{NO_BREAK}s that the guest tolerates", short(tolerance_s));
        told.push(match quiesce_ns.map(|ns| ns as f64 / 1e9 <= tolerance_s) {
            Some(true) => format!("within the {tolerated}"),
            Some(false) => format!("longer than the {tolerated}"),
            None => format!("to be compared with the {tolerated}"),
        });
    } else {
        told.push("the guest's tolerance is not stated".into());
    }
    told.join("; ")
}

/// The relocation time, compared with MAXTOTAL.
pub fn total_verdict(scenario: Option<&Scenario>) -> String {
    match scenario.and_then(|scenario| scenario.relocation.total_limit_s()) {
        Some(limit) => format!("MAXTOTAL {limit}{NO_BREAK}s"),
        None => "MAXTOTAL NOLIMIT".into(),
    }
}

/// The interruption that the scenario asks for.
pub fn interruption(scenario: &Scenario) -> Option<String> {
    let relocation = &scenario.relocation;
    let after = short_seconds(u64::from(relocation.interruption_ms) * 1_000_000);
    (relocation.interruption != Interruption::None)
        .then(|| format!("Interruption “{}” comes {after} after the first VMRELOCATE.", relocation.interruption.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cancelled, moved, scenario};
    use super::*;

    #[test]
    fn what_was_moved_and_how_long_it_stood_still_is_said() {
        let one = moved("SERVER-0", 10_000_000_000);
        let text = said(&one, one.ended_ns.unwrap_or(0));
        for wanted in ["to MEMBER2 in 9\u{a0}s", "was stopped for 0.8000\u{a0}s", "4 passes", "runs on at MEMBER2."] {
            assert!(text.contains(wanted), "{text}");
        }
    }

    #[test]
    fn a_cancelled_relocation_leaves_the_guest_whole_at_the_source() {
        let one = cancelled("SERVER-0", 10_000_000_000);
        let text = said(&one, one.ended_ns.unwrap_or(0));
        for wanted in
            ["ended as MAXQUIESCE was exceeded", "end code 05", "runs on at MEMBER1. None of its storage was lost."]
        {
            assert!(text.contains(wanted), "{text}");
        }
        assert!(!text.contains("runs on at MEMBER2"), "{text}");
    }

    #[test]
    fn the_quiesce_time_is_held_against_what_was_said_of_it() {
        let mut scenario = scenario(1);
        let text = quiesce_verdict(Some(800_000_000), 1_000, Some(&scenario));
        assert_eq!(text, "MAXQUIESCE 10\u{a0}s, the default; within the 1\u{a0}s that the guest tolerates");
        scenario.relocation.immediate = true;
        let text = quiesce_verdict(Some(1_800_000_000), 1_000, Some(&scenario));
        assert_eq!(text, "no MAXQUIESCE, because of IMMEDIATE; longer than the 1\u{a0}s that the guest tolerates");
    }

    #[test]
    fn a_throttle_says_what_it_waits_for() {
        let one = moved("SERVER-0", 0);
        let text = |of| why(of, &one, Some(&scenario(1)));
        assert!(text(Throttle::Link).starts_with("all 64 buffers"), "{}", text(Throttle::Link));
        assert!(text(Throttle::Memory).contains("at MEMBER2 and waited for frames"));
        assert!(text(Throttle::Paging).starts_with("4 or more paging I/Os"));
    }
}
