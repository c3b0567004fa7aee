//! Shared by the subjects of relocations and clusters. The words for a host of theirs say which guests move, and how.

mod introduction;

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Chpid, GuestGroup, Isfc, MaxQuiesce, Relocate, Scenario};

use super::lead::{Lead, Table, lead};
use super::next_step::{Step, Way};
use crate::host::{moves, moving, pages, transits};
use crate::knob::Knob;

pub use introduction::{evacuation, introduction, introduction_with_room};

/// How long guests are stopped.
pub const QUIESCE: Lead = lead(Figure::QuiesceTime, "s stopped (quiesce time)", "s stopped");
/// How long a relocation takes.
pub const IN_ALL: Lead = lead(Figure::RelocationTime, "s from VMRELOCATE to the start there (relocation time)", "s in all");

/// One guest that moves.
pub const ONE: &[Lead] = &[
    QUIESCE,
    IN_ALL,
    lead(Figure::MemoryPasses, "passes through its storage", "passes"),
    lead(Figure::MemoryMoved, "GB sent in all passes", "GB sent"),
];

/// Guests that move, one after the other or all at once.
pub const MANY: &[Lead] = &[
    lead(Figure::RelocationTotal, "s from the first VMRELOCATE to the last end", "s for all"),
    lead(Figure::RelocationTime, "s for each of them, mean", "s each"),
    lead(Figure::QuiesceTime, "s stopped, mean", "s stopped"),
    lead(Figure::QuiesceTimeWorst, "s stopped, the longest", "s at most"),
];

/// Guests that go back and forth next to work that stays. The sentence above tells of that work; the ETR of a member has both.
const BESIDE_WORK: &[Lead] = &[
    lead(Figure::RelocationsCompleted, "relocations", "moves"),
    lead(Figure::QuiesceTime, "s stopped for each of them, mean", "s stopped"),
    lead(Figure::RelocationTime, "s for each of them, mean", "s each"),
    lead(Figure::ClusterEtr, "transactions a second of all guests, at all members (external throughput rate, ETR)", "ETR"),
];

/// Members that come and go.
const COMING_AND_GOING: &[Lead] = &[
    lead(Figure::Etr, "transactions a second at MEMBER1 (external throughput rate, ETR)", "ETR"),
    lead(Figure::ResponseTime, "ms response time at MEMBER1", "ms response"),
    lead(Figure::Utilization, "% of the processors of MEMBER1 busy", "% busy"),
];

/// The figures that head the result; `one` do so if one guest moves once.
pub fn leads(scenario: &Scenario, one: &[Lead]) -> Vec<Lead> {
    let leads = match moving(scenario) {
        0 => COMING_AND_GOING,
        _ if scenario.relocation.bounce => BESIDE_WORK,
        1 => one,
        _ => MANY,
    };
    leads.to_vec()
}

/// The figures that the table of the result always shows.
pub const TABLE: Table = &[
    (Figure::QuiesceTime, false),
    (Figure::QuiesceTimeWorst, false),
    (Figure::StoppedTime, false),
    (Figure::RelocationTime, false),
    (Figure::RelocationTotal, false),
    (Figure::RelocationsCompleted, false),
    (Figure::RelocationsEnded, false),
    (Figure::MemoryPasses, false),
    (Figure::MemoryMoved, false),
    (Figure::FirstPass, true),
    (Figure::LinkBusy, false),
    (Figure::LinkRate, false),
    (Figure::ThrottledPaging, false),
    (Figure::ThrottledMemory, false),
    (Figure::ThrottledLink, false),
    (Figure::ClusterEtr, false),
    (Figure::Etr, true),
    (Figure::OtherMembersEtr, true),
];

/// Whether the knob is shown unasked. Some are on every such host, some only if the scenario gives them something to do. Some are
/// for one subject, which names them as `own`; a knob of another member stands there as `member.volumes`.
pub fn is_main(knob: &Knob, scenario: &Scenario, own: &[&str]) -> bool {
    let path = knob.field.path;
    let wanted = || own.contains(&path);
    match knob.field.room() {
        room::GUESTS => scenario.guests.get(knob.group).is_some_and(|group| is_main_of_guests(path, group, wanted())),
        room::RELOCATION => is_main_of_relocation(path, scenario, wanted()),
        room::ISFC => match path {
            path::ISFC_BUFFERS => moving(scenario) > 0,
            path::ISFC_OTHER_MB_S => wanted(),
            _ => own.contains(&room::ISFC),
        },
        other if other.starts_with("member") => own.contains(&format!("member.{}", knob.field.key()).as_str()),
        _ => match path {
            path::CLUSTER_STATE_S | path::CLUSTER_TRANSITION_S => transits(scenario),
            path::STORAGE_CENTRAL_MB | path::PAGING_VOLUMES => wanted() || pages(scenario),
            path::CLUSTER_MEMBERS | path::PROCESSORS_COUNT => wanted(),
            _ => false,
        },
    }
}

fn is_main_of_guests(path: &str, group: &GuestGroup, wanted: bool) -> bool {
    let moves = moves(group);
    match path {
        path::GUESTS_LOOP_MB => true,
        path::GUESTS_COUNT => group.count > 1 || wanted,
        path::GUESTS_ACTIVE_MB | path::GUESTS_TOUCH_MB_S => moves,
        path::GUESTS_TOLERANCE_MS | path::GUESTS_DEVICES => moves && wanted,
        path::GUESTS_MOVE_TO | path::GUESTS_MEMBER => wanted,
        _ => false,
    }
}

fn is_main_of_relocation(path: &str, scenario: &Scenario, wanted: bool) -> bool {
    let relocation = &scenario.relocation;
    let moving = moving(scenario);
    match path {
        _ if moving == 0 => false,
        path::RELOCATION_MODE => moving > 1,
        path::RELOCATION_ORDER => moving > 1 && wanted,
        path::RELOCATION_MAXQUIESCE_S => relocation.maxquiesce == MaxQuiesce::Seconds,
        path::RELOCATION_STAY_S => relocation.bounce,
        path::RELOCATION_INTERRUPTION_MS => relocation.interruption != Default::default(),
        path::RELOCATION_MAXTOTAL_S
        | path::RELOCATION_FORCE_STORAGE
        | path::RELOCATION_BOUNCE
        | path::RELOCATION_INTERRUPTION
        | path::RELOCATION_WINDOW_S => wanted,
        path::RELOCATION_AFTER_S => false,
        _ => true,
    }
}

/// One early pass, then the guest stops. Guests that change nothing of what was sent are stopped as early without it.
pub const IMMEDIATE: Step = Step {
    label: |_| "VMRELOCATE IMMEDIATE".into(),
    reason: "One early pass, then the guest is stopped. The move is shorter, but what did the guest change meanwhile?",
    is_due: |seen| !seen.scenario.relocation.immediate && seen.limits.is_none_or(|limits| limits.resent >= WORTH_IT),
    take: |scenario| scenario.relocation.immediate = true,
    shows: (Figure::QuiesceTime, Way::Up),
};

/// The least part of what is sent that must have been sent before, so that it matters how many passes there are. Chosen.
const WORTH_IT: f64 = 0.1;

/// All guests at once.
pub const ASYNCH: Step = Step {
    label: |_| "Relocate all at once (ASYNCH)".into(),
    reason: "The guests share the link and the members. Best practice is one at a time.",
    is_due: |seen| seen.scenario.relocation.mode == Relocate::Synch && moving(seen.scenario) > 1,
    take: |scenario| scenario.relocation.mode = Relocate::Asynch,
    shows: (Figure::RelocationTime, Way::Up),
};

/// Names the chpid that a step would add, up to the third.
pub fn chpid_to_add(isfc: &Isfc) -> Cow<'static, str> {
    match isfc.chpids().len() {
        0 => "Add a first chpid",
        1 => "Add a second chpid",
        2 => "Add a third chpid",
        _ => "Add another chpid",
    }
    .into()
}

/// Adds a chpid as fast as the first there is, with four CTCs.
pub fn add_chpid(isfc: &mut Isfc) {
    let speed = isfc.chpids().first().map_or(Chpid::Gb8, |(chpid, _)| *chpid);
    let all = [
        (&mut isfc.chpid1, &mut isfc.ctcs1),
        (&mut isfc.chpid2, &mut isfc.ctcs2),
        (&mut isfc.chpid3, &mut isfc.ctcs3),
        (&mut isfc.chpid4, &mut isfc.ctcs4),
    ];
    if let Some((chpid, ctcs)) = all.into_iter().find(|(chpid, _)| **chpid == Chpid::None) {
        (*chpid, *ctcs) = (speed, 4);
    }
}

/// What limits relocations at the end of a chain, where there is nothing more to say.
pub fn what_limits(limits: &Limits) -> &'static str {
    match limits.limit {
        Some(ResourceKind::Link | ResourceKind::Ctcs | ResourceKind::Buffers) if limits.resent >= WORTH_IT => {
            "The link limits: it carries again what guests change while it sends."
        }
        Some(ResourceKind::Link | ResourceKind::Ctcs | ResourceKind::Buffers) => {
            "The link limits, and guests change little of what it has sent. So each page goes over it about once."
        }
        Some(ResourceKind::Source | ResourceKind::Destination) => "CP’s work limits: a faster link would wait for it.",
        Some(ResourceKind::Reads) => {
            "Page reads at the source limit: a guest that has touched more than its member has storage for is read before it is sent."
        }
        Some(ResourceKind::EndToEnd) => "Paging limits: a faster link would wait for it.",
        Some(ResourceKind::Endpoint) => "Storage at the destination limits: a faster link would wait for it.",
        Some(ResourceKind::Stages) => "The stages that move no storage limit: a faster link would gain little.",
        _ => "Nothing is near its limit: the members have time for both, relocations and the work that stays.",
    }
}
