//! The rooms: what each shows of the model, in charts and words.

pub mod cluster;
pub mod compared;
pub mod connections;
pub mod control_unit;
pub mod guests;
pub mod isfc;
pub mod limits;
pub mod locks;
pub mod logical;
pub mod member;
pub mod minidisks;
pub mod overview;
pub mod paging;
pub mod processors;
pub mod prsm;
pub mod relocation;
pub mod remark;
pub mod response;
pub mod scheduler;
pub mod shares;
pub mod states;
pub mod storage;
pub mod sweep;
pub mod what_if;

use zvmlab::{Scenario, Snapshot};

use crate::batch::plan::lacking;
use crate::chart::Chart;
use crate::evidence::Evidence;
use crate::host::{pages, transits};
use crate::room::Room;
use crate::subjects::Subject;

/// The words if nothing is paged.
const NOTHING_PAGED: &str = "Nothing is paged: all that the guests touch fits in central storage.";
/// The words if no guest does I/O.
const NO_MINIDISK_IO: &str =
    "No guest does I/O to a minidisk here. A guest does I/O if its I/Os have 1 record or more. IO3390 is such a workload.";
/// The words if there are no locks.
const NO_LOCKS: &str =
    "No one takes a spin lock here. Guests do if they hold their lock or ask for a CP service in a cycle.";
/// The words if there is no I/O.
const NO_IO: &str = "No I/O has ended: nothing is paged, and no guest does I/O to a minidisk.";

/// Whether a room matters to `scenario`. The rooms of storage and of processors matter to every host.
pub fn matters(room: Room, scenario: &Scenario) -> bool {
    match room {
        Room::Prsm => scenario.processors.shared || scenario.processors.capacity_percent < 100,
        Room::Locks => locks::matter(scenario),
        Room::WhatIf => transits(scenario) || scenario.relocates() && !scenario.relocation.bounce,
        Room::Evacuation => lacking(scenario).is_none(),
        Room::Relocation => scenario.relocates(),
        Room::Isfc | Room::Cluster => scenario.cluster.members > 1,
        Room::Overview
        | Room::ControlUnit
        | Room::Paging
        | Room::Minidisks
        | Room::Storage
        | Room::Scheduler
        | Room::Processors => true,
    }
}

/// The charts of a room, and the words if it has none. `None` for a room that is more than its charts.
pub fn charts(room: Room, evidence: &Evidence) -> Option<(Vec<Chart>, &'static str)> {
    match room {
        Room::Overview => Some((overview::charts(evidence), "")),
        Room::ControlUnit => Some((control_unit::charts(evidence), NO_IO)),
        Room::Paging => Some((paging::charts(evidence), NOTHING_PAGED)),
        Room::Minidisks => Some((minidisks::charts(evidence), NO_MINIDISK_IO)),
        Room::Storage => Some((storage::charts(evidence), "")),
        Room::Scheduler => Some((scheduler::charts::charts(evidence), "")),
        Room::Processors => Some((processors::charts(evidence), "")),
        Room::Prsm => Some((prsm::charts(evidence), "")),
        Room::Locks => Some((locks::charts(evidence), NO_LOCKS)),
        Room::Relocation | Room::WhatIf | Room::Evacuation | Room::Isfc | Room::Cluster => None,
    }
}

/// Why a host about the scheduler and processors, or about relocations, has no use for a room. In a host about storage and devices
/// such a room says that itself.
pub fn why_unused(room: Room, scenario: &Scenario, subject: &Subject, shown: Option<&Snapshot>) -> Option<&'static str> {
    if !subject.is_of_processors() && !subject.is_of_relocation() {
        return None;
    }
    let (io, paging) = (scenario.does_io(), pages(scenario) || shown.is_some_and(anybody_pages));
    match room {
        Room::ControlUnit if !io && !paging => Some("no I/O"),
        Room::Paging if !paging => Some("all that is touched fits in storage"),
        Room::Minidisks if !io => Some("no guest does I/O"),
        _ => None,
    }
}

/// The rooms of a host from top to bottom; the subject's room comes first.
pub fn in_order(scenario: &Scenario, subject: &Subject, shown: Option<&Snapshot>) -> Vec<Room> {
    let used = |room: &Room| matters(*room, scenario) && why_unused(*room, scenario, subject, shown).is_none();
    let others = Room::ALL.into_iter().filter(|room| *room != subject.room && used(room));
    std::iter::once(subject.room).chain(others).collect()
}

/// Whether any member of the cluster has paged. Without a cluster: whether the host has.
fn anybody_pages(snapshot: &Snapshot) -> bool {
    let others = snapshot.cluster.iter().flat_map(|cluster| &cluster.others);
    std::iter::once(snapshot).chain(others).any(|member| member.paging.ios.starts > 0)
}
