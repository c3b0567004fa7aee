//! The groups in which knobs stand, and which of them are shown without asking: what matters depends on the host.

use zvmlab::Scenario;
use zvmlab::scenario::DeviceKind;

use super::{Knob, relocation};
use crate::host::pages;
use crate::subjects::{LOCKS, PLDV, PRSM, SHARES, STORBUF, Subject};

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
const SHARE: &[&str] =
    &["guests.share_type", "guests.share_relative", "guests.share_absolute", "guests.limit_type", "guests.limit_absolute"];

/// The groups that stand first, by what the host is about.
fn first(subject: &Subject) -> &'static [&'static str] {
    match subject {
        _ if subject == STORBUF => &["storbuf", "system", "storage", "guests", "paging", "processors"],
        _ if subject == SHARES => &["shares", "scheduler", "processors", "guests"],
        _ if subject == LOCKS => &["system", "dispatcher", "guests", "processors"],
        _ if subject == PRSM => &["processors", "prsm", "guests"],
        _ if subject == PLDV => &["dispatcher", "processors", "guests"],
        _ if subject.is_of_relocation() => relocation::first(subject),
        _ => &[],
    }
}

/// Every group with every knob, in the order that suits what the host is about; each group of guests is one.
pub fn groups(scenario: &Scenario, subject: &Subject) -> Vec<Group> {
    let first = first(subject);
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

/// Whether the knob is shown without asking. What hangs on the knob's own value stays all the same while it is turned: the bench
/// remembers which knobs were.
pub fn is_main(knob: &Knob, scenario: &Scenario, subject: &Subject) -> bool {
    if subject.is_of_relocation() {
        return relocation::is_main(knob, scenario, subject);
    }
    if subject.is_of_processors() {
        return is_main_of_processors(knob, scenario, subject);
    }
    let io = scenario.does_io();
    // Guests that do I/O may have all the storage that they touch: then paging is another matter.
    let paging = !io || pages(scenario);
    let does_io = || scenario.guests.get(knob.group).is_some_and(|group| group.io_records > 0);
    // A group's records are a matter of I/O as long as any group does some, or where the subject begins with theirs.
    let alone = scenario.guests.len() == 1;
    let came_with_io =
        || subject.base().is_some_and(|base| base.guests.get(knob.group).is_some_and(|group| group.io_records > 0));
    // Between disks the control unit's cache decides.
    let disks = scenario.paging.kind == DeviceKind::EckdSsd;
    match knob.field.path {
        "level" | "lcu.aliases" | "guests.count" => true,
        "lcu.alias_share" => io && paging,
        "paging.zhpf" | "paging.volumes" | "storage.central_mb" => paging,
        "paging.kind" | "paging.queue_depth" => subject.kinds && paging,
        "paging.read_hit_percent" => (subject.kinds || disks) && paging,
        "minidisks.volumes" => io,
        "minidisks.kind" => subject.kinds && io,
        "minidisks.mdc_mb" => io && !paging,
        "guests.loop_mb" => paging && !does_io(),
        "guests.io_records" => does_io() || io && alone || came_with_io(),
        "guests.io_read_percent" => does_io() && !paging,
        "guests.io_zhpf" => does_io(),
        _ => false,
    }
}

/// The same where the host is about the scheduler and processors.
fn is_main_of_processors(knob: &Knob, scenario: &Scenario, subject: &Subject) -> bool {
    let Some(guests) = scenario.guests.get(knob.group) else { return false };
    let any = |of: fn(&zvmlab::scenario::GuestGroup) -> u32| scenario.guests.iter().any(|group| of(group) > 0);
    // Where a guest has a lock of its own, CP's are another matter.
    let spins = any(|group| group.service_us) && !any(|group| group.lock_us);
    let varies = scenario.dispatcher.vary_s > 0;
    let of = |other: &Subject| subject == other;
    match knob.field.path {
        "level" | "processors.count" | "guests.count" => true,
        path if path.starts_with("scheduler.storbuf_") => of(STORBUF),
        "storage.central_mb" | "guests.loop_mb" | "guests.quickdsp" | "paging.volumes" => of(STORBUF),
        path if SHARE.contains(&path) => of(SHARES),
        "scheduler.limithard" | "scheduler.excess_fault" => of(SHARES),
        "guests.pace_ms" => of(SHARES),
        "guests.cpu_us" => of(SHARES) && guests.pace_ms > 0,
        "dispatcher.diag44_fast_path" => of(LOCKS) && any(|group| group.lock_us),
        "guests.virtual_cpus" | "guests.lock_us" => of(LOCKS) && guests.lock_us > 0,
        "dispatcher.spin_lock" => of(LOCKS) && spins,
        "guests.service_us" => of(LOCKS) && spins && guests.service_us > 0,
        "processors.shared" => of(PRSM) || of(LOCKS) && spins,
        "processors.capacity_percent" => of(PRSM),
        "prsm.other_busy_percent" => of(PRSM) || of(LOCKS) && spins,
        "prsm.slice_ms" => scenario.processors.shared,
        path if path.starts_with("prsm.") => of(PRSM),
        "dispatcher.pldv_fix" => of(PLDV) && (!varies || !scenario.dispatcher.pldv_fix),
        "dispatcher.vary_s" | "dispatcher.vary_fix" => of(PLDV) && varies,
        "guests.think_ms" => of(PLDV) || of(PRSM),
        // They stand out of sight until they are wanted.
        "scheduler.elapsed_slice_ms"
        | "dispatcher.minor_slice_ms"
        | "dispatcher.vector_entries"
        | "dispatcher.reshuffle_ms" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::GuestGroup;
    use zvmlab::scenario::fields::FIELDS;
    use zvmlab::scenario::workloads::{IO3390, VIRSTOCX};

    use super::*;
    use crate::subjects::{SET_CU, SUBJECTS};

    fn main_knobs(scenario: &Scenario) -> Vec<String> {
        let subject = Subject::of(scenario, None);
        let knobs = groups(scenario, subject).into_iter().flat_map(|group| group.knobs);
        knobs.filter(|knob| is_main(knob, scenario, subject)).map(|knob| knob.place()).collect()
    }

    fn with_io() -> Scenario {
        let mut io = GuestGroup { name: "IO3390".into(), count: 32, virtual_mb: 32, loop_mb: 1, ..GuestGroup::default() };
        IO3390.apply(&mut io);
        let mut scenario = Scenario { guests: vec![io], ..Scenario::default() };
        scenario.minidisks.volumes = 4;
        scenario
    }

    #[test]
    fn every_field_has_one_knob_in_one_group_and_each_group_of_guests_its_own() {
        let mut scenario = with_io();
        scenario.guests.push(GuestGroup::default());
        for subject in SUBJECTS {
            let groups = groups(&scenario, subject);
            let all: Vec<String> = groups.iter().flat_map(|group| &group.knobs).map(|knob| knob.place()).collect();
            let mut once = all.clone();
            once.sort();
            once.dedup();
            let of_guests = FIELDS.iter().filter(|field| field.room() == "guests").count();
            let fields = FIELDS.len() - of_guests + of_guests * scenario.guests.len();
            assert_eq!((all.len(), once.len()), (fields, fields), "{}", subject.title);
            let titles: Vec<String> = groups.into_iter().map(|group| group.title).collect();
            assert!(
                titles.contains(&"IO3390 (32 guests)".into()) && titles.contains(&"VIRSTOEX (8 guests)".into()),
                "{titles:?}"
            );
            assert_eq!(titles.last().map(String::as_str), Some("Measurement"));
        }
    }

    #[test]
    fn groups_of_one_name_are_told_apart_by_their_member() {
        let mut bounce = crate::published::ready::scenario_of("BOUNCE").expect("an example");
        bounce.guests[1].name = "WEB".into();
        let titles: Vec<String> = (0..3).map(|index| guests_title(&bounce, index)).collect();
        assert_eq!(titles, ["WEB (8 guests at MEMBER1)", "WEB (8 guests at MEMBER2)", "MOVER (2 guests)"]);
    }

    #[test]
    fn each_processor_subject_shows_its_own_knobs_first() {
        for (subject, first, wanted) in [
            (
                STORBUF,
                "storbuf",
                &["scheduler.storbuf_1", "scheduler.storbuf_3", "storage.central_mb", "guests[0].count"][..],
            ),
            (SHARES, "shares", &["guests[0].share_relative", "guests[3].share_relative", "scheduler.excess_fault"]),
            (LOCKS, "system", &["dispatcher.diag44_fast_path", "guests[0].lock_us", "guests[0].virtual_cpus"]),
            (PRSM, "processors", &["processors.count", "prsm.weight", "prsm.other_busy_percent"]),
            (PLDV, "dispatcher", &["dispatcher.pldv_fix", "processors.count", "guests[0].count"]),
        ] {
            let scenario = subject.base().expect("a ready experiment");
            assert_eq!(groups(&scenario, subject)[0].id, first);
            let shown = main_knobs(&scenario);
            for knob in wanted {
                assert!(shown.iter().any(|other| other == knob), "{}: {knob} in {shown:?}", subject.title);
            }
            assert!(!shown.iter().any(|knob| knob.starts_with("minidisks.")), "{shown:?}");
        }
        let vary = crate::published::ready::scenario_of("VARY").expect("an example");
        assert!(main_knobs(&vary).contains(&"dispatcher.vary_fix".to_string()));
        let spin = crate::published::ready::scenario_of("SPIN-LOCK").expect("an example");
        assert!(main_knobs(&spin).contains(&"dispatcher.spin_lock".to_string()));
    }

    #[test]
    fn what_is_shown_at_first_is_what_matters_to_the_host() {
        let paging = [
            "level",
            "lcu.aliases",
            "paging.zhpf",
            "paging.volumes",
            "storage.central_mb",
            "guests[0].count",
            "guests[0].loop_mb",
        ];
        assert_eq!(main_knobs(&Scenario::default()), paging, "as many as ever");
        let mut io = with_io();
        let only_io = main_knobs(&io);
        for there in ["guests[0].io_records", "guests[0].io_zhpf", "guests[0].io_read_percent", "minidisks.mdc_mb"] {
            assert!(only_io.iter().any(|knob| knob == there), "{there}");
        }
        assert!(!only_io.iter().any(|knob| knob.starts_with("paging.")), "{only_io:?}");
        let mut thrashing = GuestGroup { count: 12, ..GuestGroup::default() };
        VIRSTOCX.apply(&mut thrashing);
        io.guests.push(thrashing);
        let both = main_knobs(&io);
        for there in ["lcu.alias_share", "lcu.aliases", "guests[0].io_records", "guests[1].loop_mb", "paging.volumes"] {
            assert!(both.iter().any(|knob| knob == there), "{there}");
        }
        for not in ["guests[1].io_records", "guests[1].io_zhpf", "guests[0].loop_mb", "minidisks.mdc_mb"] {
            assert!(!both.iter().any(|knob| knob == not), "{not}");
        }
    }

    #[test]
    fn the_way_back_to_io_and_to_misses_is_shown() {
        let mut scenario = SET_CU.base().expect("a published run");
        let shown = |path: &str, group: usize, scenario: &Scenario| {
            is_main(&Knob::at(path, group).expect("a field"), scenario, Subject::of(scenario, Some(SET_CU.start())))
        };
        assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
        scenario.guests[0].io_records = 0;
        assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
        assert!(!shown("paging.read_hit_percent", 0, &scenario));
        scenario.paging.kind = DeviceKind::EckdSsd;
        assert!(shown("paging.read_hit_percent", 0, &scenario));
    }
}
