//! The groups in which knobs stand, and which of them are shown without asking: what matters depends on the host.

use zvmlab::Scenario;
use zvmlab::scenario::DeviceKind;

use super::Knob;
use crate::subject::{Subject, pages};

/// Knobs that stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the page: `paging`, `guests-2`.
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// Its knobs.
    pub knobs: Vec<Knob>,
}

/// The groups of all but the guests: id, title, paths.
const ROOMS: &[(&str, &str, &[&str])] = &[
    ("system", "System", &["level", "processors.count"]),
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
    ("measure", "Measurement", &["name", "measure.warmup_s", "measure.interval_s"]),
];

/// The knobs of one group of guests.
const GUESTS: &[&str] = &[
    "guests.workload",
    "guests.count",
    "guests.loop_mb",
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
    "guests.think_ms",
    "guests.transaction",
    "guests.name",
];

/// Every group with every knob; each group of guests is one, before the measurement.
pub fn groups(scenario: &Scenario) -> Vec<Group> {
    let knobs = |paths: &[&str], group: usize| paths.iter().filter_map(|path| Knob::at(path, group)).collect::<Vec<_>>();
    let room = |(id, title, paths): &(&str, &str, &[&str])| Group {
        id: (*id).into(),
        title: (*title).into(),
        knobs: knobs(paths, 0),
    };
    let guests = |(index, group): (usize, &zvmlab::scenario::GuestGroup)| Group {
        id: format!("guests-{}", index + 1),
        title: format!("{} ({} {})", group.name, group.count, if group.count == 1 { "guest" } else { "guests" }),
        knobs: knobs(GUESTS, index),
    };
    let (measure, host) = ROOMS.split_last().map_or((None, ROOMS), |(last, rest)| (Some(last), rest));
    host.iter().map(room).chain(scenario.guests.iter().enumerate().map(guests)).chain(measure.map(room)).collect()
}

/// Whether the knob is shown without asking. What hangs on the knob's own value stays all the same while it is turned: the bench
/// remembers which knobs were.
pub fn is_main(knob: &Knob, scenario: &Scenario, subject: &Subject) -> bool {
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

#[cfg(test)]
mod tests {
    use zvmlab::scenario::GuestGroup;
    use zvmlab::scenario::fields::FIELDS;
    use zvmlab::scenario::workloads::{IO3390, VIRSTOCX};

    use super::*;
    use crate::subject::SUBJECTS;

    fn main_knobs(scenario: &Scenario) -> Vec<String> {
        let subject = Subject::of(scenario, None);
        let knobs = groups(scenario).into_iter().flat_map(|group| group.knobs);
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
        let all: Vec<String> =
            groups(&scenario).into_iter().flat_map(|group| group.knobs).map(|knob| knob.place()).collect();
        let mut once = all.clone();
        once.sort();
        once.dedup();
        let of_guests = FIELDS.iter().filter(|field| field.room() == "guests").count();
        let fields = FIELDS.len() - of_guests + of_guests * scenario.guests.len();
        assert_eq!((all.len(), once.len()), (fields, fields));
        let titles: Vec<String> = groups(&scenario).into_iter().map(|group| group.title).collect();
        assert!(
            titles.contains(&"IO3390 (32 guests)".into()) && titles.contains(&"VIRSTOEX (8 guests)".into()),
            "{titles:?}"
        );
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
        let set_cu = &SUBJECTS[1];
        let mut scenario = set_cu.base().expect("a published run");
        let shown = |path: &str, group: usize, scenario: &Scenario| {
            is_main(&Knob::at(path, group).expect("a field"), scenario, Subject::of(scenario, Some(set_cu.run)))
        };
        assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
        scenario.guests[0].io_records = 0;
        assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
        assert!(!shown("paging.read_hit_percent", 0, &scenario));
        scenario.paging.kind = DeviceKind::EckdSsd;
        assert!(shown("paging.read_hit_percent", 0, &scenario));
    }
}
