//! The groups in which knobs stand, those that matter most first.

use zvmlab::Scenario;

use super::{Knob, relocation};

/// Knobs that stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the page: `paging`, `guests-2`.
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// How its knobs stand.
    pub layout: Layout,
    /// Its knobs.
    pub knobs: Vec<Knob>,
}

/// How the knobs of a group stand.
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
    /// One below the other, out of sight until they are wanted.
    Closed,
}

/// The groups that no group of guests has one of: id, title, paths.
const ROOMS: &[(&str, &str, &[&str])] = &[
    ("system", "System", &["level"]),
    ("processors", "Processors", &["processors.count", "processors.shared", "processors.capacity_percent"]),
    ("lcu", "Logical control unit", &["lcu.alias_share", "lcu.aliases", "lcu.paths", "lcu.channel"]),
    (
        "paging",
        "Paging",
        &[
            "paging.zhpf",
            "paging.alias",
            "paging.volumes",
            "paging.kind",
            "paging.queue_depth",
            "paging.read_hit_percent",
            "paging.write_hit_percent",
            "paging.volume_slots",
            "paging.other_volumes",
            "paging.other_kind",
            "paging.other_slots",
        ],
    ),
    (
        "minidisks",
        "Minidisks",
        &[
            "minidisks.volumes",
            "minidisks.kind",
            "minidisks.queue_depth",
            "minidisks.read_hit_percent",
            "minidisks.write_hit_percent",
            "minidisks.mdc_mb",
            "minidisks.on_page_volumes",
        ],
    ),
    ("storage", "Storage", &["storage.central_mb", "storage.early_writes"]),
    // Here the groups of guests stand.
    ("guests", "", &[]),
    ("storbuf", "STORBUF", &["scheduler.storbuf_1", "scheduler.storbuf_2", "scheduler.storbuf_3"]),
    ("shares", "SET SHARE", &[]),
    ("scheduler", "Scheduler", &["scheduler.limithard", "scheduler.excess_fault"]),
    (
        "dispatcher",
        "Dispatcher",
        &[
            "dispatcher.pldv_fix",
            "dispatcher.diag44_fast_path",
            "dispatcher.spin_lock",
            "dispatcher.vary_s",
            "dispatcher.vary_fix",
        ],
    ),
    (
        "prsm",
        "PR/SM",
        &[
            "prsm.physical",
            "prsm.weight",
            "prsm.partitions",
            "prsm.other_weight",
            "prsm.other_logical",
            "prsm.other_busy_percent",
        ],
    ),
    ("cluster", "Cluster", &["cluster.members", "cluster.state_s", "cluster.transition_s"]),
    ("member2", "Second member", &["member2.central_mb", "member2.processors", "member2.volumes", "member2.transitions"]),
    ("member3", "Third member", &["member3.central_mb", "member3.processors", "member3.volumes", "member3.transitions"]),
    ("member4", "Fourth member", &["member4.central_mb", "member4.processors", "member4.volumes", "member4.transitions"]),
    (
        "relocation",
        "VMRELOCATE",
        &[
            "relocation.mode",
            "relocation.order",
            "relocation.immediate",
            "relocation.maxquiesce",
            "relocation.maxquiesce_s",
            "relocation.maxtotal_s",
            "relocation.force_storage",
            "relocation.window_s",
            "relocation.bounce",
            "relocation.stay_s",
            "relocation.interruption",
            "relocation.interruption_ms",
            "relocation.after_s",
        ],
    ),
    (
        "isfc",
        "ISFC logical link",
        &[
            "isfc.chpid1",
            "isfc.ctcs1",
            "isfc.chpid2",
            "isfc.ctcs2",
            "isfc.chpid3",
            "isfc.ctcs3",
            "isfc.chpid4",
            "isfc.ctcs4",
            "isfc.other_mb_s",
        ],
    ),
    (
        "assumptions",
        "Assumptions",
        &[
            "relocation.passes_max",
            "relocation.goal_ms",
            "relocation.throttle_paging",
            "relocation.throttle_endpoint",
            "isfc.buffers",
            "scheduler.elapsed_slice_ms",
            "dispatcher.minor_slice_ms",
            "dispatcher.vector_entries",
            "dispatcher.reshuffle_ms",
            "prsm.slice_ms",
        ],
    ),
    ("measure", "Measurement", &["name", "measure.warmup_s", "measure.interval_s"]),
];

/// The knobs of one group of guests, but those of its share.
const GUESTS: &[&str] = &[
    "guests.workload",
    "guests.count",
    "guests.virtual_cpus",
    "guests.loop_mb",
    "guests.active_mb",
    "guests.touch_mb_s",
    "guests.devices",
    "guests.member",
    "guests.move_to",
    "guests.tolerance_ms",
    "guests.quickdsp",
    "guests.io_records",
    "guests.io_read_percent",
    "guests.io_zhpf",
    "guests.minidisk_mb",
    "guests.virtual_mb",
    "guests.reserved_mb",
    "guests.pattern",
    "guests.references",
    "guests.change_percent",
    "guests.cycle_pages",
    "guests.cpu_us",
    "guests.service_us",
    "guests.lock_us",
    "guests.think_ms",
    "guests.pace_ms",
    "guests.transaction",
    "guests.name",
];

/// The knobs of the share of a group of guests.
pub const SHARE: &[&str] =
    &["guests.share_type", "guests.share_relative", "guests.share_absolute", "guests.limit_type", "guests.limit_absolute"];

/// Every group with every knob, those that `first` names before the others; each group of guests is one.
pub fn groups(scenario: &Scenario, first: &[&str]) -> Vec<Group> {
    let place = |id: &str| first.iter().position(|other| *other == id).unwrap_or(first.len());
    let mut rooms: Vec<_> = ROOMS.iter().collect();
    rooms.sort_by_key(|(id, _, _)| place(id));
    let mut groups = Vec::new();
    for (id, title, paths) in rooms {
        match *id {
            "guests" => groups.extend((0..scenario.guests.len()).map(|index| guests(scenario, index))),
            _ => groups.push(Group {
                id: (*id).into(),
                title: relocation::title(id, title, scenario),
                layout: layout(id),
                knobs: match *id {
                    "shares" => (0..scenario.guests.len()).flat_map(|index| knobs(SHARE, index)).collect(),
                    _ => knobs(paths, 0),
                },
            }),
        }
    }
    groups
}

fn knobs(paths: &[&str], group: usize) -> Vec<Knob> {
    paths.iter().filter_map(|path| Knob::at(path, group)).collect()
}

fn layout(id: &str) -> Layout {
    match id {
        "storbuf" => Layout::Storbuf,
        "shares" => Layout::Shares,
        "isfc" => Layout::Link,
        "assumptions" => Layout::Closed,
        _ => Layout::Plain,
    }
}

fn guests(scenario: &Scenario, index: usize) -> Group {
    Group {
        id: format!("guests-{}", index + 1),
        title: guests_title(scenario, index),
        layout: Layout::Plain,
        knobs: knobs(GUESTS, index),
    }
}

/// What stands above the knobs of a group of guests: `LINUX (24 guests)`.
pub fn guests_title(scenario: &Scenario, index: usize) -> String {
    let Some(group) = scenario.guests.get(index) else { return String::new() };
    // Groups of one name are told apart by where they are.
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
