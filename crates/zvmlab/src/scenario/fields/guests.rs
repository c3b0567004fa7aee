//! The fields of a guest group.

use super::{Field, Kind, MAX_TOTAL_GUESTS, MAX_TOTAL_VIRTUAL_MB};
use crate::scenario::workloads::{OTHER, WORKLOADS, Workload};
use crate::scenario::{GuestGroup, LimitType, Pattern, Scenario, ShareType, Tenths};

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
            allowed: &["VIRSTOEX", "VIRSTOCX", "IO3390", "PFAULT", "COMPUTE", "INTERACTIVE", "LINUX", OTHER],
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
        help: "How many guests the group has, each running the workload: a virtual CPU that waits for a page or an I/O does nothing meanwhile.",
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
        path: "guests.virtual_cpus",
        label: "Virtual CPUs of a guest",
        unit: "virtual CPUs",
        help: "Each runs the program on its own part of the loop; the guest's share is divided among them.",
        kind: Kind::Whole {
            min: 1,
            max: 64,
            slider_max: 16,
            step: 1,
            get: |s, g| group(s, g).virtual_cpus.into(),
            set: |s, g, v| group_mut(s, g).virtual_cpus = v as u32,
        },
    },
    Field {
        path: "guests.share_type",
        label: "SET SHARE",
        unit: "",
        help: "RELATIVE: the guest competes with the other relative shares for what absolute ones leave. ABSOLUTE: it is entitled to a part of the whole partition.",
        kind: Kind::Choice {
            allowed: &["RELATIVE", "ABSOLUTE"],
            get: |s, g| group(s, g).share_type.as_str(),
            set: |s, g, v| {
                group_mut(s, g).share_type = if v == "ABSOLUTE" { ShareType::Absolute } else { ShareType::Relative };
            },
        },
    },
    Field {
        path: "guests.share_relative",
        label: "Relative share",
        unit: "",
        help: "The guest's share where it is RELATIVE, against the other relative shares of guests that want to run.",
        kind: Kind::Whole {
            min: 1,
            max: 10000,
            slider_max: 1000,
            step: 10,
            get: |s, g| group(s, g).share_relative.into(),
            set: |s, g, v| group_mut(s, g).share_relative = v as u32,
        },
    },
    Field {
        path: "guests.share_absolute",
        label: "Absolute share",
        unit: "%",
        help: "The guest's share where it is ABSOLUTE, in percent of all processors of the partition.",
        kind: Kind::Tenths {
            min: Tenths(1),
            max: Tenths(1_000),
            slider_max: Tenths(1_000),
            get: |s, g| group(s, g).share_absolute,
            set: |s, g, v| group_mut(s, g).share_absolute = v,
        },
    },
    Field {
        path: "guests.limit_type",
        label: "Limit of the share",
        unit: "",
        help: "NOLIMIT: the guest may have whatever others leave. LIMITSOFT: past its maximum it gets only what nobody else could use. LIMITHARD: past its maximum it gets nothing and waits in the limit list.",
        kind: Kind::Choice {
            allowed: &["NOLIMIT", "LIMITSOFT", "LIMITHARD"],
            get: |s, g| group(s, g).limit_type.as_str(),
            set: |s, g, v| {
                group_mut(s, g).limit_type = match v {
                    "LIMITHARD" => LimitType::LimitHard,
                    "LIMITSOFT" => LimitType::LimitSoft,
                    _ => LimitType::NoLimit,
                };
            },
        },
    },
    Field {
        path: "guests.limit_absolute",
        label: "Maximum share",
        unit: "%",
        help: "The guest's maximum share, ABSOLUTE: percent of all processors of the partition. Matters with LIMITSOFT and LIMITHARD.",
        kind: Kind::Tenths {
            min: Tenths(1),
            max: Tenths(1_000),
            slider_max: Tenths(1_000),
            get: |s, g| group(s, g).limit_absolute,
            set: |s, g, v| group_mut(s, g).limit_absolute = v,
        },
    },
    Field {
        path: "guests.quickdsp",
        label: "QUICKDSP",
        unit: "",
        help: "On: the guest is of class 0 and never waits in the eligible list.",
        kind: Kind::Switch { get: |s, g| group(s, g).quickdsp, set: |s, g, v| group_mut(s, g).quickdsp = v },
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
        path: "guests.cpu_us",
        label: "Processor time of a cycle",
        unit: "µs",
        help: "Processor time that the program takes in each cycle beside touching pages.",
        kind: Kind::Whole {
            min: 0,
            max: 10_000_000,
            slider_max: 100_000,
            step: 100,
            get: |s, g| group(s, g).cpu_us.into(),
            set: |s, g, v| group_mut(s, g).cpu_us = v as u32,
        },
    },
    Field {
        path: "guests.service_us",
        label: "CP service of a cycle",
        unit: "µs",
        help: "Processor time of CP in each cycle for something that the program asks of it; CP holds one of its spin locks meanwhile. 0: the program asks for nothing.",
        kind: Kind::Whole {
            min: 0,
            max: 1_000_000,
            slider_max: 1000,
            step: 10,
            get: |s, g| group(s, g).service_us.into(),
            set: |s, g, v| group_mut(s, g).service_us = v as u32,
        },
    },
    Field {
        path: "guests.lock_us",
        label: "Guest's lock held in a cycle",
        unit: "µs",
        help: "Time in each cycle for which the program holds the one spin lock of its guest; who waits for it spins and gives way by Diag X'44'. 0: there is no lock.",
        kind: Kind::Whole {
            min: 0,
            max: 1_000_000,
            slider_max: 1000,
            step: 1,
            get: |s, g| group(s, g).lock_us.into(),
            set: |s, g, v| group_mut(s, g).lock_us = v as u32,
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
        path: "guests.pace_ms",
        label: "Time from cycle to cycle",
        unit: "ms",
        help: "Cycles start this far apart wherever one does not take longer, so that the guest wants a fixed part of a processor; 0: they follow one another.",
        kind: Kind::Whole {
            min: 0,
            max: 60_000,
            slider_max: 1000,
            step: 1,
            get: |s, g| group(s, g).pace_ms.into(),
            set: |s, g, v| group_mut(s, g).pace_ms = v as u32,
        },
    },
    Field {
        path: "guests.transaction",
        label: "Transaction",
        unit: "references or cycles",
        help: "What is counted as a transaction: so many references to pages or, for programs that work in cycles, each with an I/O, a pause or processor time of its own, so many cycles.",
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
