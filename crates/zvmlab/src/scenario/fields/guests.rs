//! The fields of a guest group.

use super::{Field, Kind, MAX_TOTAL_GUESTS, MAX_TOTAL_VIRTUAL_MB};
use crate::scenario::workloads::{OTHER, WORKLOADS, Workload};
use crate::scenario::{GuestGroup, Pattern, Scenario};

fn group(scenario: &Scenario, index: usize) -> &GuestGroup {
    &scenario.guests[index]
}

fn group_mut(scenario: &mut Scenario, index: usize) -> &mut GuestGroup {
    &mut scenario.guests[index]
}

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    Field {
        path: "guests.name",
        label: "Guest name",
        unit: "",
        help: "What the guests of the group are called; each gets a number behind it.",
        kind: Kind::Text { max_chars: 16, get: |s, g| &group(s, g).name, set: |s, g, v| group_mut(s, g).name = v },
    },
    Field {
        path: "guests.workload",
        label: "Workload",
        unit: "",
        help: "What the program in each guest does. Choosing one sets the fields below; \"other\" is what none of the named ones does.",
        kind: Kind::Choice {
            allowed: &["VIRSTOEX", "VIRSTOCX", "IO3390", "PFAULT", OTHER],
            get: |s, g| Workload::of(group(s, g)).map_or(OTHER, |workload| workload.name),
            set: |s, g, v| {
                if let Some(workload) = WORKLOADS.into_iter().find(|workload| workload.name == v) {
                    workload.apply(group_mut(s, g));
                }
            },
        },
    },
    Field {
        path: "guests.count",
        label: "Guests",
        unit: "guests",
        help: "Virtual uniprocessors, each running the workload: who waits for a page or an I/O does nothing meanwhile.",
        kind: Kind::Whole {
            min: 1,
            max: MAX_TOTAL_GUESTS,
            slider_max: 36,
            step: 1,
            get: |s, g| group(s, g).count.into(),
            set: |s, g, v| group_mut(s, g).count = v as u32,
        },
    },
    Field {
        path: "guests.virtual_mb",
        label: "Virtual storage of a guest",
        unit: "MB",
        help: "The defined size of each guest.",
        kind: Kind::Whole {
            min: 1,
            max: MAX_TOTAL_VIRTUAL_MB,
            slider_max: 65_536,
            step: 1_024,
            get: |s, g| group(s, g).virtual_mb,
            set: |s, g, v| group_mut(s, g).virtual_mb = v,
        },
    },
    Field {
        path: "guests.loop_mb",
        label: "Loop of a guest",
        unit: "MB",
        help: "How much of its storage, at the top, the guest's program walks through over and over, touching every page.",
        kind: Kind::Whole {
            min: 1,
            max: MAX_TOTAL_VIRTUAL_MB,
            slider_max: 65_536,
            step: 1_024,
            get: |s, g| group(s, g).loop_mb,
            set: |s, g, v| group_mut(s, g).loop_mb = v,
        },
    },
    Field {
        path: "guests.reserved_mb",
        label: "SET RESERVED",
        unit: "MB",
        help: "Pages that demand scan leaves to each guest however scarce frames are.",
        kind: Kind::Whole {
            min: 0,
            max: MAX_TOTAL_VIRTUAL_MB,
            slider_max: 16_384,
            step: 256,
            get: |s, g| group(s, g).reserved_mb,
            set: |s, g, v| group_mut(s, g).reserved_mb = v,
        },
    },
    Field {
        path: "guests.pattern",
        label: "Touch pattern",
        unit: "",
        help: "Which page of the loop is touched next.",
        kind: Kind::Choice {
            allowed: &["sequential", "random"],
            get: |s, g| group(s, g).pattern.as_str(),
            set: |s, g, v| group_mut(s, g).pattern = if v == "random" { Pattern::Random } else { Pattern::Sequential },
        },
    },
    Field {
        path: "guests.references",
        label: "References to a page",
        unit: "references",
        help: "How often the program refers to a page when it comes to it.",
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000,
            slider_max: 4_096,
            step: 1,
            get: |s, g| group(s, g).references.into(),
            set: |s, g, v| group_mut(s, g).references = v as u32,
        },
    },
    Field {
        path: "guests.change_percent",
        label: "Pages changed",
        unit: "%",
        help: "How many of a hundred touched pages are changed. A page that was not changed since it was read need not be written again.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).change_percent.into(),
            set: |s, g, v| group_mut(s, g).change_percent = v as u32,
        },
    },
    Field {
        path: "guests.cycle_pages",
        label: "Pages of a cycle",
        unit: "pages",
        help: "Pages that the program touches before each I/O or pause.",
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000,
            slider_max: 256,
            step: 1,
            get: |s, g| group(s, g).cycle_pages.into(),
            set: |s, g, v| group_mut(s, g).cycle_pages = v as u32,
        },
    },
    Field {
        path: "guests.io_records",
        label: "Records of an I/O",
        unit: "records",
        help: "Records of 4 KB that each I/O to the minidisk moves; 0: the guest does none.",
        kind: Kind::Whole {
            min: 0,
            max: 64,
            slider_max: 64,
            step: 1,
            get: |s, g| group(s, g).io_records.into(),
            set: |s, g, v| group_mut(s, g).io_records = v as u32,
        },
    },
    Field {
        path: "guests.io_read_percent",
        label: "I/Os that read",
        unit: "%",
        help: "How many of a hundred I/Os are reads; the others are writes.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).io_read_percent.into(),
            set: |s, g, v| group_mut(s, g).io_read_percent = v as u32,
        },
    },
    Field {
        path: "guests.io_zhpf",
        label: "zHPF for the guest",
        unit: "",
        help: "Transport-mode I/O by the guest: less channel time and less CPU for each I/O, and no minidisk cache. Needs z/VM 6.2 with VM65041 and ECKD volumes.",
        kind: Kind::Switch { get: |s, g| group(s, g).io_zhpf, set: |s, g, v| group_mut(s, g).io_zhpf = v },
    },
    Field {
        path: "guests.minidisk_mb",
        label: "Minidisk of a guest",
        unit: "MB",
        help: "Size of the minidisk; I/O goes to a record anywhere on it, each as likely as the other.",
        kind: Kind::Whole {
            min: 1,
            max: 65_536,
            slider_max: 8_192,
            step: 100,
            get: |s, g| group(s, g).minidisk_mb,
            set: |s, g, v| group_mut(s, g).minidisk_mb = v,
        },
    },
    Field {
        path: "guests.think_ms",
        label: "Think time",
        unit: "ms",
        help: "Mean pause after each cycle, exponentially distributed; 0: the program goes on at once.",
        kind: Kind::Whole {
            min: 0,
            max: 60_000,
            slider_max: 1_000,
            step: 1,
            get: |s, g| group(s, g).think_ms.into(),
            set: |s, g, v| group_mut(s, g).think_ms = v as u32,
        },
    },
    Field {
        path: "guests.transaction",
        label: "Transaction",
        unit: "references or I/Os",
        help: "What is counted as a transaction: so many references to pages or, for guests that do I/O, so many I/Os.",
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000_000_000,
            slider_max: 2_000_000,
            step: 1,
            get: |s, g| group(s, g).transaction,
            set: |s, g, v| group_mut(s, g).transaction = v,
        },
    },
];
