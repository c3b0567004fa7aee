//! The subject of page release: the lock of a guest's page tables, held alone or shared.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Mechanism, Scenario};

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
    sources: &[],
    setups: &[Setup::new("RELEASE", "z/VM 6.1 without VM64715").back("One guest with twelve virtual CPUs.")],
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
    lead(Figure::PtilWait, "% of the guests’ time waiting for their page table lock (PTIL)", "% PTIL wait"),
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
    is_due: |seen: &Seen| wide(seen.scenario).is_some() && waits(seen),
    take: |scenario| {
        if let Some(group) = scenario.guests.iter_mut().find(|group| is_wide(group)) {
            (group.count, group.virtual_cpus) = (2, group.virtual_cpus / 2);
            (group.virtual_mb, group.loop_mb) = (group.virtual_mb / 2, group.loop_mb / 2);
        }
    },
    shows: (Figure::Etr, Way::Up),
};

const SHARE: Step = Step {
    label: |_| "Apply VM64715".into(),
    reason: "CP then releases pages under a shared lock: nobody waits for it any more.",
    is_due: |seen: &Seen| wide(seen.scenario).is_none() && waits(seen),
    take: |scenario| scenario.storage.release_exclusive = false,
    shows: (Figure::PtilWait, Way::Down),
};

fn is_wide(group: &GuestGroup) -> bool {
    group.releases() > 0 && group.count == 1 && group.virtual_cpus >= MANY
}

/// One large guest that releases pages.
fn wide(scenario: &Scenario) -> Option<&GuestGroup> {
    scenario.guests.iter().find(|group| is_wide(group))
}

/// Whether guests wait for the lock.
fn waits(seen: &Seen) -> bool {
    seen.scenario.has(Mechanism::ReleaseExclusive) && seen.may_limit(&[ResourceKind::Ptil])
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        Some(ResourceKind::Ptil) => {
            "The lock of one guest’s page tables limits. More processors or virtual CPUs do not help."
        }
        _ if !scenario.has(Mechanism::ReleaseExclusive) => {
            "CP takes pages back under a shared lock, so virtual CPUs wait for nobody. Each one adds its part."
        }
        _ => "The lock is exclusive, but too few virtual CPUs want it at once for it to limit.",
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
