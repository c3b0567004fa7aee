//! What kind of host a scenario describes, beyond single fields. Knobs, subjects, batches and rooms ask it.

use zvmlab::Scenario;
use zvmlab::constants::Constants;
use zvmlab::scenario::{DeviceKind, GuestGroup, Mechanism, PAGES_PER_MB};

/// Whether there are members beside the first.
pub fn is_cluster(scenario: &Scenario) -> bool {
    scenario.cluster.members > 1
}

/// Whether the guests of a group are relocated.
pub fn moves(group: &GuestGroup) -> bool {
    group.moves()
}

/// Guests that are relocated, in all groups.
pub fn moving(scenario: &Scenario) -> u64 {
    scenario.moving_count()
}

/// Central storage of a member in MB; members are counted from 1.
pub fn central_mb(scenario: &Scenario, member: u32) -> u64 {
    match member {
        2 => scenario.member2.central_mb,
        3 => scenario.member3.central_mb,
        4 => scenario.member4.central_mb,
        _ => scenario.storage.central_mb,
    }
}

/// Which kinds of I/O there are: minidisk I/O, and paging I/O next to it. A host without minidisk I/O is all about paging.
pub fn ios(scenario: &Scenario) -> (bool, bool) {
    let io = scenario.does_io();
    (io, !io || pages(scenario))
}

/// Storage that all guests touch together. In a cluster: the guests of the first member.
pub fn looped_mb(scenario: &Scenario) -> u64 {
    let there = scenario.guests.iter().filter(|group| group.member == 1);
    there.map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// Whether the guests touch more than there are frames for them, so that the host pages. In a cluster: the first member.
pub fn pages(scenario: &Scenario) -> bool {
    looped_mb(scenario) * PAGES_PER_MB > scenario.guest_frames_least(&Constants::default())
}

/// Whether minidisk and paging I/O can use aliases if there are any. EDEVs have none, and paging had none before 6.4.
pub fn alias_users(scenario: &Scenario) -> (bool, bool) {
    let paging = &scenario.paging;
    (scenario.minidisks_use_aliases(), !scenario.level.lacks(Mechanism::PagingAliases) && paging.alias && paging.has_eckd())
}

/// Whether any member except the first repeats the states of a member.
pub fn transits(scenario: &Scenario) -> bool {
    scenario.transits()
}

/// Why minidisk and paging I/O do not share the aliases of the control unit, in a sentence; `None` if they do.
pub fn why_no_sharing(scenario: &Scenario) -> Option<&'static str> {
    Some(match scenario {
        _ if scenario.lcu.aliases == 0 => "there are no aliases to share",
        _ if !scenario.does_io() => "no guest does minidisk I/O, so paging I/O has all aliases for itself",
        _ if !overfills(scenario) => "nothing is paged, so minidisk I/O has all aliases for itself",
        _ if !scenario.paging.alias => "paging I/O uses no aliases",
        _ if !scenario.paging.kind.is_eckd() => "the page volumes are EDEVs, which use no aliases",
        _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which use no aliases",
        _ => return None,
    })
}

/// Why the records of an I/O and its mode do not tell alone how long it takes, in a sentence; `None` if they do.
pub fn why_no_modes(scenario: &Scenario) -> Option<&'static str> {
    Some(match scenario {
        _ if !scenario.does_io() => "no guest does minidisk I/O",
        _ if scenario.guests.iter().any(|group| group.io_records == 0) || overfills(scenario) => {
            "other guests or paging share the processors and the paths"
        }
        _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which have no transport mode",
        _ => return None,
    })
}

/// Whether guests and the minidisk cache together ask for more than central storage holds.
pub fn overfills(scenario: &Scenario) -> bool {
    let touched: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    touched + scenario.minidisks.mdc_mb > scenario.storage.central_mb
}

/// What the volumes are that hold minidisks.
fn minidisk_kind(scenario: &Scenario) -> DeviceKind {
    if scenario.minidisks.volumes > 0 { scenario.minidisks.kind } else { scenario.paging.kind }
}
