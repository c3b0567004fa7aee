//! The words for the model's enums: states of virtual CPUs and members, stages and ends of relocations, throttles, lists. Each has
//! one word. Charts, tables and sentences use it, on the page and at the command line.

use zvmlab::Scenario;
use zvmlab::snapshot::{EndCode, GuestState, List, MemberState, RelocationSnapshot, RelocationStage, Throttle};

use super::unit::{gb, time};

/// What a virtual CPU does, in the words of FCX114 USTAT if it has one.
pub fn guest(state: GuestState) -> &'static str {
    match state {
        GuestState::Running => "running",
        GuestState::Interrupted => "interrupted",
        GuestState::Ready => "ready",
        GuestState::PageWait => "page wait",
        GuestState::FrameWait => "frame wait",
        GuestState::IoWait => "I/O wait",
        GuestState::SimulationWait => "simulation wait",
        GuestState::Eligible => "eligible list",
        GuestState::LimitList => "limit list",
        GuestState::Idle => "idle",
        GuestState::ConsoleWait => "console function wait",
        GuestState::Stopped => "stopped",
        GuestState::Away => "at another member",
    }
}

/// The state of a member in a sentence, in the words of SSI: `is leaving`.
pub fn member(state: MemberState) -> &'static str {
    match state {
        MemberState::Joined => "joined",
        MemberState::Leaving => "leaving",
        MemberState::Down => "down",
        MemberState::Joining => "joining",
    }
}

/// What a list of the scheduler is for.
pub fn list(list: List) -> &'static str {
    match list {
        List::Dormant => "Dormant list: the guest wants nothing",
        List::E0 => "Eligible list, QUICKDSP: no guest waits here",
        List::E1 => "Eligible list, class 1: short transactions, wait to enter Q1",
        List::E2 => "Eligible list, class 2: longer transactions, wait to enter Q2",
        List::E3 => "Eligible list, class 3: long transactions, wait to enter Q3",
        List::Q0 => "Dispatch list, QUICKDSP",
        List::Q1 => "Dispatch list, class 1: short transactions",
        List::Q2 => "Dispatch list, class 2: longer transactions",
        List::Q3 => "Dispatch list, class 3: long transactions",
        List::Limit => "Limit list: in the dispatch list, but at its maximum share",
    }
}

/// The name of a stage of a relocation. [`doing`] says how far it has come.
pub fn stage(stage: RelocationStage) -> &'static str {
    match stage {
        RelocationStage::Waiting => "waits for its turn",
        RelocationStage::Eligibility => "eligibility checks",
        RelocationStage::Skeleton => "skeleton at the destination",
        RelocationStage::Moving => "storage moved, guest runs",
        RelocationStage::Stopping => "stopping, I/O ends",
        RelocationStage::StateMove => "state, devices, last pass but one",
        RelocationStage::LastPass => "last pass",
        RelocationStage::Ended => "ended",
    }
}

/// The name of a pass: `pass 3`, and of the two in which the guest is stopped, `last pass but one (7)` and `last pass (8)`.
pub fn pass(one: &RelocationSnapshot, index: usize) -> String {
    let stopped = |at: usize| one.passes.get(at).is_some_and(|pass| pass.stopped);
    match (stopped(index), index > 0 && stopped(index - 1)) {
        (false, _) => format!("pass {}", index + 1),
        (true, false) => format!("last pass but one ({})", index + 1),
        (true, true) => format!("last pass ({})", index + 1),
    }
}

/// What a relocation is doing and how far it has come: `pass 3, 12.1 GB wait to be sent`.
pub fn doing(one: &RelocationSnapshot) -> String {
    let pass = one.passes.len().max(1);
    match one.stage {
        RelocationStage::Waiting => "waits for earlier relocations".into(),
        RelocationStage::Eligibility => "CP checks its eligibility".into(),
        RelocationStage::Skeleton => "CP builds its skeleton at the destination".into(),
        RelocationStage::Moving => format!("pass {pass}, {} wait to be sent", gb(left(one))),
        RelocationStage::Stopping => "stopped, its I/O ends".into(),
        RelocationStage::StateMove => {
            format!(
                "stopped, its state, its devices and the last pass but one ({pass}) move, {} wait to be sent",
                gb(left(one))
            )
        }
        RelocationStage::LastPass => format!("stopped, last pass ({pass}), {} wait to be sent", gb(left(one))),
        RelocationStage::Ended => match one.end {
            Some(EndCode::Completed) | None => "runs at its destination".into(),
            Some(end) => format!("{} (code {})", end.text(), code(end)),
        },
    }
}

/// Pages that wait to be sent: pages that the first pass has not reached, and pages that changed since they were sent.
fn left(one: &RelocationSnapshot) -> u64 {
    let first = one.passes.first().map_or(0, |pass| pass.pages);
    one.touched_pages.saturating_sub(first) + one.changed_pages
}

/// The name of a throttle: what is short, and where it acts.
pub fn throttle(throttle: Throttle) -> &'static str {
    match throttle {
        Throttle::Paging => "paging (end to end)",
        Throttle::Memory => "memory (endpoint)",
        Throttle::Link => "ISFC buffers (link)",
    }
}

/// The layer at which a throttle acts, then what is short there: the heading of a throttle.
pub fn throttle_layer(throttle: Throttle) -> &'static str {
    match throttle {
        Throttle::Paging => "End to end: paging",
        Throttle::Memory => "Memory-move endpoint: storage",
        Throttle::Link => "ISFC logical link: buffers",
    }
}

/// What holds a relocation back where a throttle acts, as the subject of a sentence.
pub fn throttle_cause(throttle: Throttle) -> &'static str {
    match throttle {
        Throttle::Paging => "paging (end to end)",
        Throttle::Memory => "storage at the destination (endpoint)",
        Throttle::Link => "the lack of ISFC buffers (link)",
    }
}

/// The code of an end as monitor records have it: `05`.
pub fn code(end: EndCode) -> String {
    format!("{:02}", end.code())
}

/// How a relocation ended: `05, ended as MAXQUIESCE was exceeded`.
pub fn end(end: EndCode) -> String {
    format!("{}, {}", code(end), end.text())
}

/// What leads to an end, or what one can do about it. For the two ends that the model never has, it says that.
pub fn about_end(code: EndCode) -> &'static str {
    match code {
        EndCode::Completed => "the guest runs on at the destination",
        EndCode::Cancelled => "interruption CANCEL",
        EndCode::Cphx => "interruption CPHX",
        EndCode::ConnectionLost => "interruption “link lost”; the guest loses nothing",
        EndCode::MaxTotal => "the relocation would take longer than MAXTOTAL",
        EndCode::MaxQuiesce => "the guest would be stopped longer than MAXQUIESCE",
        EndCode::Ineligible => {
            "the destination has no room for the guest, or is not joined. FORCE STORAGE skips the check for room"
        }
        EndCode::Logoff => "interruption LOGOFF: the guest is gone",
        EndCode::InternalError => "the model has none",
        EndCode::RejectedByExit => "the model has none",
    }
}

/// Why a relocation ended, as a clause with its code: `the quiesce time passed MAXQUIESCE of 10 s (code 05)`.
pub fn cause_of_end(end: EndCode, scenario: &Scenario, after_ns: Option<u64>) -> String {
    let relocation = &scenario.relocation;
    let after = after_ns.map_or(String::new(), |ns| format!(" after {}", time(ns)));
    let why = match end {
        EndCode::Completed => "its relocation completed".into(),
        EndCode::Cancelled => format!("VMRELOCATE CANCEL ended its relocation{after}"),
        EndCode::Cphx => format!("CPHX ended its relocation{after}"),
        EndCode::ConnectionLost => format!("the ISFC connection was lost{after}"),
        EndCode::MaxTotal => format!("the relocation time passed MAXTOTAL of {} s", relocation.maxtotal_s),
        EndCode::MaxQuiesce => {
            let limit = relocation.quiesce_limit_s().map_or(String::new(), |limit| format!(" of {limit} s"));
            format!("the quiesce time passed MAXQUIESCE{limit}")
        }
        EndCode::Ineligible if !relocation.force_storage => {
            "it was not eligible: the destination has no room for it, and FORCE STORAGE is off".into()
        }
        EndCode::Ineligible => "it was not eligible".into(),
        EndCode::Logoff => format!("it was reset or logged off{after}, which ended its relocation"),
        EndCode::InternalError | EndCode::RejectedByExit => end.text().into(),
    };
    format!("{why} (code {})", code(end))
}

/// Why a relocation did not complete, in a few words: `MAXQUIESCE of 10 s exceeded (05)`.
pub fn why_not(scenario: &Scenario, end: Option<EndCode>) -> String {
    let Some(end) = end else { return "not ended within one simulated hour".into() };
    let code = code(end);
    match end {
        EndCode::MaxQuiesce => {
            let limit = scenario.relocation.quiesce_limit_s().unwrap_or(0);
            format!("MAXQUIESCE of {limit} s exceeded ({code})")
        }
        EndCode::MaxTotal => format!("MAXTOTAL of {} s exceeded ({code})", scenario.relocation.maxtotal_s),
        EndCode::Ineligible => format!("not eligible ({code}): the destination has no room"),
        _ => format!("{} ({code})", end.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_complete_says_why() {
        let mut scenario = Scenario::default();
        assert_eq!(why_not(&scenario, Some(EndCode::MaxQuiesce)), "MAXQUIESCE of 10 s exceeded (05)");
        scenario.relocation.maxtotal_s = 30;
        assert_eq!(why_not(&scenario, Some(EndCode::MaxTotal)), "MAXTOTAL of 30 s exceeded (04)");
        assert!(why_not(&scenario, Some(EndCode::Ineligible)).starts_with("not eligible (06)"));
        assert!(why_not(&scenario, None).contains("hour"));
    }

    #[test]
    fn every_end_has_its_code_and_only_two_are_never_seen() {
        let codes: Vec<String> = EndCode::ALL.iter().map(|end| code(*end)).collect();
        assert_eq!(codes, ["00", "01", "02", "03", "04", "05", "06", "07", "08", "09"]);
        let none = EndCode::ALL.iter().filter(|end| about_end(**end) == "the model has none").count();
        assert_eq!(none, 2);
        assert_eq!(end(EndCode::MaxQuiesce), "05, ended as MAXQUIESCE was exceeded");
    }
}
