//! The subject of page release: the lock of a guest's page tables, held alone or shared.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Level, LimitType, Mechanism, Role, Scenario, ShareType};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::{on, who};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// The lock of a guest's page tables.
pub static RELEASE: &Subject = &Subject {
    title: "Page release",
    question: "Why do virtual CPUs wait while processors are idle, when one of them gives pages back?",
    depth: Depth::Further,
    part: Part::Processors,
    sources: &["page-release-6.2"],
    setups: &[Setup::new("RELEASE", "z/VM 6.1 without VM64715").back("One guest with twelve virtual CPUs.")],
    limit: Some(ResourceKind::Ptil),
    room: Room::Locks,
    sign: Some(Sign { order: 33, is_seen: |scenario| scenario.guests.iter().any(|group| group.releases() > 0) }),
    groups: &[id::STORAGE, id::GUESTS, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_VIRTUAL_CPUS,
    introduction,
    chain: Chain { steps: &[SPLIT, SHARE], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    ETR,
    lead(
        Figure::PtilWait,
        "% of the time of guests that release pages, waiting for their page table lock (PTIL)",
        "% PTIL wait",
    ),
    lead(Figure::PtilHeld, "% of the time the busiest PTIL is held exclusively", "% held"),
    lead(Figure::Utilization, "% of the processors in use", "% CPU"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ReleaseRate, false),
    (Figure::PtilWait, false),
    (Figure::PtilHeld, false),
    (Figure::SimulationWait, false),
    (Figure::Utilization, false),
    (Figure::ResponseTime, false),
    (Figure::TotalTimePerTransaction, true),
];

/// Virtual CPUs of a guest that is worth splitting.
const MANY: u32 = 8;

const SPLIT: Step = Step {
    label: |_| "Split the guest in two".into(),
    reason: "Each address space has a lock of its own. Half as many virtual CPUs wait for each.",
    is_due: |seen: &Seen| seen.scenario.guests.iter().any(is_wide) && waits(seen),
    take: |scenario| {
        if let Some(group) = scenario.guests.iter_mut().find(|group| is_wide(group)) {
            (group.count, group.virtual_cpus) = (2, group.virtual_cpus / 2);
            (group.virtual_mb, group.loop_mb) = (group.virtual_mb / 2, group.loop_mb / 2);
            (group.active_mb, group.reserved_mb) = (group.active_mb / 2, group.reserved_mb / 2);
            group.touch_mb_s = group.touch_mb_s.div_ceil(2);
            // Both together get the share that the one had.
            match group.share_type {
                ShareType::Relative => group.share_relative = group.share_relative.div_ceil(2),
                ShareType::Absolute => group.share_absolute.0 = group.share_absolute.0.div_ceil(2),
            }
            if group.limit_type != LimitType::NoLimit {
                group.limit_absolute.0 = group.limit_absolute.0.div_ceil(2);
            }
        }
    },
    shows: (Figure::Etr, Way::Up),
};

const SHARE: Step = Step {
    label: |scenario| match scenario.level {
        Level::V6_1 => "Apply VM64715".into(),
        _ => "Release pages under a shared lock".into(),
    },
    reason: "Virtual CPUs then wait for no lock of their page tables any more.",
    is_due: waits,
    take: |scenario| scenario.storage.release_exclusive = false,
    shows: (Figure::PtilWait, Way::Down),
};

/// Whether it is one guest that releases pages, with many virtual CPUs, half of whose work can be done elsewhere.
fn is_wide(group: &GuestGroup) -> bool {
    let many = group.virtual_cpus >= MANY && group.virtual_cpus.is_multiple_of(2);
    group.releases() > 0 && group.count == 1 && many && group.role == Role::Alone
}

/// Whether guests wait for the lock, so long that it counts.
fn waits(seen: &Seen) -> bool {
    let long = seen.waiting(ResourceKind::Ptil).is_none_or(|waiting| waiting >= 0.1);
    seen.scenario.has(Mechanism::ReleaseExclusive) && long
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if scenario.has(Mechanism::ReleaseExclusive) => {
            "The lock is exclusive, but virtual CPUs wait for it for less than a tenth of the time."
        }
        None => "CP takes pages back under a shared lock, and nobody waits for it. Each virtual CPU adds its part.",
        Some(_) => "CP takes pages back under a shared lock, and nobody waits for it. What limits now is something else.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    knob.field.path == path::STORAGE_RELEASE_EXCLUSIVE
        || of_processors::is_main(knob, scenario, |path, _, group| match path {
            path::GUESTS_VIRTUAL_CPUS | path::GUESTS_RELEASE_PERCENT | path::GUESTS_CYCLE_PAGES | path::GUESTS_CPU_US => {
                group.releases() > 0
            }
            _ => false,
        })
}

fn introduction(scenario: &Scenario) -> String {
    let lock = if scenario.has(Mechanism::ReleaseExclusive) { "an exclusive" } else { "a shared" };
    format!("{} run on {} and release pages under {lock} lock", who(&scenario.guests), on(scenario))
}
