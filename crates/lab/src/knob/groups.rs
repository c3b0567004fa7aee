//! The groups of knobs. The knobs that matter most come first.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{FIELDS, path};

use super::{Knob, relocation};
use zvmlab::order;

/// The ids of the groups: a typo does not compile.
pub mod id {
    use zvmlab::scenario::fields::path::room;

    /// `system`.
    pub const SYSTEM: &str = "system";
    /// `processors`.
    pub const PROCESSORS: &str = room::PROCESSORS;
    /// `lcu`.
    pub const LCU: &str = room::LCU;
    /// `paging`.
    pub const PAGING: &str = room::PAGING;
    /// `minidisks`.
    pub const MINIDISKS: &str = room::MINIDISKS;
    /// `storage`.
    pub const STORAGE: &str = room::STORAGE;
    /// `guests`.
    pub const GUESTS: &str = room::GUESTS;
    /// `storbuf`.
    pub const STORBUF: &str = "storbuf";
    /// `shares`.
    pub const SHARES: &str = "shares";
    /// `scheduler`.
    pub const SCHEDULER: &str = room::SCHEDULER;
    /// `dispatcher`.
    pub const DISPATCHER: &str = room::DISPATCHER;
    /// `prsm`.
    pub const PRSM: &str = room::PRSM;
    /// `cluster`.
    pub const CLUSTER: &str = room::CLUSTER;
    /// `member2`.
    pub const MEMBER2: &str = room::MEMBER2;
    /// `member3`.
    pub const MEMBER3: &str = room::MEMBER3;
    /// `member4`.
    pub const MEMBER4: &str = room::MEMBER4;
    /// `relocation`.
    pub const RELOCATION: &str = room::RELOCATION;
    /// `isfc`.
    pub const ISFC: &str = room::ISFC;
    /// `assumptions`.
    pub const ASSUMPTIONS: &str = "assumptions";
    /// `measure`.
    pub const MEASURE: &str = room::MEASURE;
}

/// Knobs that stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the page: `paging`, `guests-2`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Its layout.
    pub layout: Layout,
    /// Its knobs.
    pub knobs: Vec<Knob>,
}

/// The layout of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One below the other.
    Plain,
    /// The three numbers of STORBUF as one command.
    Storbuf,
    /// The shares of all groups of guests, each in a few lines.
    Shares,
    /// The chpids of the ISFC logical link with their CTCs, each in a line.
    Link,
    /// One below the other, hidden until the reader wants them.
    Closed,
}

/// The groups that exist once, not for each group of guests: id, title, paths.
static ROOMS: &[(&str, &str, &[&str])] = &[
    (
        id::SYSTEM,
        "System",
        &[path::LEVEL, path::OWN_ELIGIBLE_LIST, path::OWN_SCAN_BY_LISTS, path::OWN_LARGE_BLOCKS, path::OWN_IO_BELOW],
    ),
    (id::PROCESSORS, "Processors", &[path::PROCESSORS_COUNT, path::PROCESSORS_SHARED, path::PROCESSORS_CAPACITY_PERCENT]),
    (id::LCU, "Logical control unit", &[path::LCU_ALIAS_SHARE, path::LCU_ALIASES, path::LCU_PATHS, path::LCU_CHANNEL]),
    (
        id::PAGING,
        "Paging",
        &[
            path::PAGING_ZHPF,
            path::PAGING_ALIAS,
            path::PAGING_VOLUMES,
            path::PAGING_KIND,
            path::PAGING_QUEUE_DEPTH,
            path::PAGING_READ_HIT_PERCENT,
            path::PAGING_WRITE_HIT_PERCENT,
            path::PAGING_VOLUME_SLOTS,
            path::PAGING_OTHER_VOLUMES,
            path::PAGING_OTHER_KIND,
            path::PAGING_OTHER_SLOTS,
        ],
    ),
    (
        id::MINIDISKS,
        "Minidisks",
        &[
            path::MINIDISKS_VOLUMES,
            path::MINIDISKS_KIND,
            path::MINIDISKS_QUEUE_DEPTH,
            path::MINIDISKS_READ_HIT_PERCENT,
            path::MINIDISKS_WRITE_HIT_PERCENT,
            path::MINIDISKS_MDC_MB,
            path::MINIDISKS_MDC_EXPANDED_MB,
            path::MINIDISKS_ON_PAGE_VOLUMES,
        ],
    ),
    (
        id::STORAGE,
        "Storage",
        &[path::STORAGE_CENTRAL_MB, path::STORAGE_EXPANDED_MB, path::STORAGE_BELOW_PERCENT, path::STORAGE_EARLY_WRITES],
    ),
    // The groups of guests stand here.
    (id::GUESTS, "", &[]),
    (id::STORBUF, "STORBUF", &[path::SCHEDULER_STORBUF_1, path::SCHEDULER_STORBUF_2, path::SCHEDULER_STORBUF_3]),
    (id::SHARES, "SET SHARE", &[]),
    (id::SCHEDULER, "Scheduler", &[path::SCHEDULER_LIMITHARD, path::SCHEDULER_EXCESS_FAULT]),
    (
        id::DISPATCHER,
        "Dispatcher",
        &[
            path::DISPATCHER_PLDV_FIX,
            path::DISPATCHER_GUEST_LOCK,
            path::DISPATCHER_DIAG44_FAST_PATH,
            path::DISPATCHER_SPIN_LOCK,
            path::DISPATCHER_VARY_S,
            path::DISPATCHER_VARY_FIX,
        ],
    ),
    (
        id::PRSM,
        "PR/SM",
        &[
            path::PRSM_PHYSICAL,
            path::PRSM_WEIGHT,
            path::PRSM_PARTITIONS,
            path::PRSM_OTHER_WEIGHT,
            path::PRSM_OTHER_LOGICAL,
            path::PRSM_OTHER_BUSY_PERCENT,
        ],
    ),
    (id::CLUSTER, "Cluster", &[path::CLUSTER_MEMBERS, path::CLUSTER_STATE_S, path::CLUSTER_TRANSITION_S]),
    (
        id::MEMBER2,
        "Second member",
        &[path::MEMBER2_CENTRAL_MB, path::MEMBER2_PROCESSORS, path::MEMBER2_VOLUMES, path::MEMBER2_TRANSITIONS],
    ),
    (
        id::MEMBER3,
        "Third member",
        &[path::MEMBER3_CENTRAL_MB, path::MEMBER3_PROCESSORS, path::MEMBER3_VOLUMES, path::MEMBER3_TRANSITIONS],
    ),
    (
        id::MEMBER4,
        "Fourth member",
        &[path::MEMBER4_CENTRAL_MB, path::MEMBER4_PROCESSORS, path::MEMBER4_VOLUMES, path::MEMBER4_TRANSITIONS],
    ),
    (
        id::RELOCATION,
        "VMRELOCATE",
        &[
            path::RELOCATION_MODE,
            path::RELOCATION_ORDER,
            path::RELOCATION_IMMEDIATE,
            path::RELOCATION_MAXQUIESCE,
            path::RELOCATION_MAXQUIESCE_S,
            path::RELOCATION_MAXTOTAL_S,
            path::RELOCATION_FORCE_STORAGE,
            path::RELOCATION_WINDOW_S,
            path::RELOCATION_BOUNCE,
            path::RELOCATION_STAY_S,
            path::RELOCATION_INTERRUPTION,
            path::RELOCATION_INTERRUPTION_MS,
            path::RELOCATION_AFTER_S,
        ],
    ),
    (
        id::ISFC,
        "ISFC logical link",
        &[
            path::ISFC_CHPID1,
            path::ISFC_CTCS1,
            path::ISFC_CHPID2,
            path::ISFC_CTCS2,
            path::ISFC_CHPID3,
            path::ISFC_CTCS3,
            path::ISFC_CHPID4,
            path::ISFC_CTCS4,
            path::ISFC_OTHER_MB_S,
        ],
    ),
    (
        id::ASSUMPTIONS,
        "Assumptions",
        &[
            path::RELOCATION_PASSES_MAX,
            path::RELOCATION_GOAL_MS,
            path::RELOCATION_THROTTLE_PAGING,
            path::RELOCATION_THROTTLE_ENDPOINT,
            path::ISFC_BUFFERS,
            path::SCHEDULER_ELAPSED_SLICE_MS,
            path::DISPATCHER_MINOR_SLICE_MS,
            path::DISPATCHER_VECTOR_ENTRIES,
            path::DISPATCHER_RESHUFFLE_MS,
            path::PRSM_SLICE_MS,
        ],
    ),
    (id::MEASURE, "Measurement", &[path::NAME, path::MEASURE_WARMUP_S, path::MEASURE_INTERVAL_S, path::MEASURE_EVENTS_M]),
];

/// The knobs of one group of guests, except those of its share.
static GUESTS: &[&str] = &[
    path::GUESTS_WORKLOAD,
    path::GUESTS_COUNT,
    path::GUESTS_VIRTUAL_CPUS,
    path::GUESTS_LOOP_MB,
    path::GUESTS_ACTIVE_MB,
    path::GUESTS_ACTIVE_PERCENT,
    path::GUESTS_TOUCH_MB_S,
    path::GUESTS_DEVICES,
    path::GUESTS_MEMBER,
    path::GUESTS_MOVE_TO,
    path::GUESTS_TOLERANCE_MS,
    path::GUESTS_QUICKDSP,
    path::GUESTS_IO_RECORDS,
    path::GUESTS_IO_READ_PERCENT,
    path::GUESTS_IO_ZHPF,
    path::GUESTS_MINIDISK_MB,
    path::GUESTS_MDC,
    path::GUESTS_FLASHCOPY_S,
    path::GUESTS_VIRTUAL_MB,
    path::GUESTS_RESERVED_MB,
    path::GUESTS_REORDER,
    path::GUESTS_PATTERN,
    path::GUESTS_REFERENCES,
    path::GUESTS_CHANGE_PERCENT,
    path::GUESTS_CYCLE_PAGES,
    path::GUESTS_CPU_US,
    path::GUESTS_SERVICE_US,
    path::GUESTS_LOCK_US,
    path::GUESTS_ROLE,
    path::GUESTS_CONNECTIONS,
    path::GUESTS_THINK_MS,
    path::GUESTS_PACE_MS,
    path::GUESTS_TRANSACTION,
    path::GUESTS_NAME,
];

/// The knobs of the share of a group of guests.
pub static SHARE: &[&str] = &[
    path::GUESTS_SHARE_TYPE,
    path::GUESTS_SHARE_RELATIVE,
    path::GUESTS_SHARE_ABSOLUTE,
    path::GUESTS_LIMIT_TYPE,
    path::GUESTS_LIMIT_ABSOLUTE,
];

/// Every group with every knob. The groups that `first` names come first; each group of guests is one.
pub fn groups(scenario: &Scenario, first: &[&str]) -> Vec<Group> {
    let place = |id: &str| first.iter().position(|other| *other == id).unwrap_or(first.len());
    let mut rooms: Vec<_> = ROOMS.iter().collect();
    order::by_key(&mut rooms, |(id, _, _)| place(id));
    let mut groups = Vec::new();
    for (id, title, paths) in rooms {
        match *id {
            id::GUESTS => groups.extend((0..scenario.guests.len()).map(|index| guests(scenario, index))),
            _ => groups.push(Group {
                id: (*id).into(),
                title: relocation::title(id, title, scenario),
                layout: layout(id),
                knobs: match *id {
                    id::SHARES => (0..scenario.guests.len()).flat_map(|index| knobs(SHARE, index)).collect(),
                    _ => knobs(&with_unlisted(id, paths), 0),
                },
            }),
        }
    }
    groups
}

/// The paths of a group, and then the fields of its room that no group lists: a new field has its knob there.
fn with_unlisted(id: &str, paths: &[&'static str]) -> Vec<&'static str> {
    let elsewhere = [GUESTS, SHARE].into_iter().chain(ROOMS.iter().map(|(_, _, paths)| *paths));
    let is_listed = |path: &str| elsewhere.clone().any(|paths| paths.contains(&path));
    let others = FIELDS.iter().filter(|field| field.room() == id && !is_listed(field.path));
    paths.iter().copied().chain(others.map(|field| field.path)).collect()
}

fn knobs(paths: &[&str], group: usize) -> Vec<Knob> {
    paths.iter().filter_map(|path| Knob::at(path, group)).collect()
}

fn layout(id: &str) -> Layout {
    match id {
        id::STORBUF => Layout::Storbuf,
        id::SHARES => Layout::Shares,
        id::ISFC => Layout::Link,
        id::ASSUMPTIONS => Layout::Closed,
        _ => Layout::Plain,
    }
}

fn guests(scenario: &Scenario, index: usize) -> Group {
    Group {
        id: format!("guests-{}", index + 1),
        title: guests_title(scenario, index),
        layout: Layout::Plain,
        knobs: knobs(&with_unlisted(id::GUESTS, GUESTS), index),
    }
}

/// The heading of a group of guests: `LINUX (24 guests)`.
pub fn guests_title(scenario: &Scenario, index: usize) -> String {
    let Some(group) = scenario.guests.get(index) else { return String::new() };
    // Groups with the same name are told apart by their member.
    let is_alike = |other: &zvmlab::scenario::GuestGroup| other.name == group.name && other.member != group.member;
    let at = if scenario.guests.iter().any(is_alike) { format!(" at MEMBER{}", group.member) } else { String::new() };
    format!("{} ({} {}{at})", group.name, group.count, if group.count == 1 { "guest" } else { "guests" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_one_name_are_told_apart_by_their_member() {
        let mut bounce = crate::published::ready::scenario_of("BOUNCE").expect("an example");
        bounce.guests[1].name = "WEB".into();
        let titles: Vec<String> = (0..3).map(|index| guests_title(&bounce, index)).collect();
        assert_eq!(titles, ["WEB (8 guests at MEMBER1)", "WEB (8 guests at MEMBER2)", "MOVER (2 guests)"]);
    }
}
