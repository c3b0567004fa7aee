//! The fields of a guest group: who the guests are, their shares, their storage, where they run and go. What their program
//! does stands in `program.rs`.

use super::processing::of_eligible_list;
use super::{Effect, Field, Kind, MAX_TOTAL_GUESTS, MAX_VIRTUAL_MB};
use crate::scenario::workloads::{OTHER, WORKLOADS, Workload};
use crate::scenario::{GuestGroup, LimitType, Mechanism, Scenario, ShareType, Tenths};

paths! {
    GUESTS_NAME = "guests.name";
    GUESTS_WORKLOAD = "guests.workload";
    GUESTS_COUNT = "guests.count";
    GUESTS_VIRTUAL_CPUS = "guests.virtual_cpus";
    GUESTS_SHARE_TYPE = "guests.share_type";
    GUESTS_SHARE_RELATIVE = "guests.share_relative";
    GUESTS_SHARE_ABSOLUTE = "guests.share_absolute";
    GUESTS_LIMIT_TYPE = "guests.limit_type";
    GUESTS_LIMIT_ABSOLUTE = "guests.limit_absolute";
    GUESTS_QUICKDSP = "guests.quickdsp";
    GUESTS_VIRTUAL_MB = "guests.virtual_mb";
    GUESTS_LOOP_MB = "guests.loop_mb";
    GUESTS_RESERVED_MB = "guests.reserved_mb";
    GUESTS_REORDER = "guests.reorder";
    GUESTS_DEVICES = "guests.devices";
    GUESTS_MEMBER = "guests.member";
    GUESTS_MOVE_TO = "guests.move_to";
    GUESTS_TOLERANCE_MS = "guests.tolerance_ms";
}

pub(super) fn group(scenario: &Scenario, index: usize) -> &GuestGroup {
    &scenario.guests[index]
}

pub(super) fn group_mut(scenario: &mut Scenario, index: usize) -> &mut GuestGroup {
    &mut scenario.guests[index]
}

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    Field {
        path: paths::GUESTS_NAME,
        label: "Guest name",
        unit: "",
        help: || "The name of the guests in the group. A number follows it for each guest.",
        effect: Effect::always,
        kind: Kind::Text { max_chars: 16, get: |s, g| &group(s, g).name, set: |s, g, v| group_mut(s, g).name = v },
    },
    Field {
        path: paths::GUESTS_WORKLOAD,
        label: "Workload",
        unit: "",
        help: || "What the program in each guest does. A choice sets the fields below. \"other\": the fields match no named workload.",
        effect: Effect::always,
        kind: Kind::Choice {
            allowed: &["VIRSTOEX", "VIRSTOCX", "IO3390", "PFAULT", "PTOUCH", "COMPUTE", "INTERACTIVE", "LINUX", OTHER],
            get: |s, g| Workload::of(group(s, g)).map_or(OTHER, |workload| workload.name),
            set: |s, g, v| {
                if let Some(workload) = WORKLOADS.into_iter().find(|workload| workload.name == v) {
                    workload.apply(group_mut(s, g));
                }
            },
        },
    },
    Field {
        path: paths::GUESTS_COUNT,
        label: "Guests",
        unit: "guests",
        help: || "How many guests the group has. Each runs the workload. A virtual CPU that waits for a page or an I/O does nothing else.",
        effect: Effect::always,
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
        path: paths::GUESTS_VIRTUAL_CPUS,
        label: "Virtual CPUs of a guest",
        unit: "virtual CPUs",
        help: || "Each runs the program on its own part of the loop. They divide the guest's share.",
        effect: Effect::always,
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
        path: paths::GUESTS_SHARE_TYPE,
        label: "SET SHARE",
        unit: "",
        help: || "RELATIVE: the guest competes with other relative shares for what absolute shares leave. ABSOLUTE: the guest is entitled to a percentage of the whole partition.",
        effect: Effect::always,
        kind: Kind::Choice {
            allowed: &["RELATIVE", "ABSOLUTE"],
            get: |s, g| group(s, g).share_type.as_str(),
            set: |s, g, v| {
                group_mut(s, g).share_type = if v == "ABSOLUTE" { ShareType::Absolute } else { ShareType::Relative };
            },
        },
    },
    Field {
        path: paths::GUESTS_SHARE_RELATIVE,
        label: "Relative share",
        unit: "",
        help: || "The guest's RELATIVE share. It counts against the relative shares of the other guests that want to run.",
        effect: |s, g| {
            Effect::of_group(s, g, |group| {
                Effect::none_if(group.share_type == ShareType::Absolute, "The share is ABSOLUTE.")
            })
        },
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
        path: paths::GUESTS_SHARE_ABSOLUTE,
        label: "Absolute share",
        unit: "%",
        help: || "The guest's ABSOLUTE share, in percent of all processors of the partition.",
        effect: |s, g| {
            Effect::of_group(s, g, |group| {
                Effect::none_if(group.share_type == ShareType::Relative, "The share is RELATIVE.")
            })
        },
        kind: Kind::Tenths {
            min: Tenths(1),
            max: Tenths(1_000),
            slider_max: Tenths(1_000),
            get: |s, g| group(s, g).share_absolute,
            set: |s, g, v| group_mut(s, g).share_absolute = v,
        },
    },
    Field {
        path: paths::GUESTS_LIMIT_TYPE,
        label: "Limit of the share",
        unit: "",
        help: || "NOLIMIT: the guest may use all that others leave. LIMITSOFT: above its maximum it gets only time that no other guest can use. LIMITHARD: above its maximum it gets nothing and waits in the limit list.",
        effect: Effect::always,
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
        path: paths::GUESTS_LIMIT_ABSOLUTE,
        label: "Maximum share",
        unit: "%",
        help: || "The guest's ABSOLUTE maximum share, in percent of all processors of the partition. It matters with LIMITSOFT and LIMITHARD.",
        effect: |s, g| {
            Effect::of_group(s, g, |group| Effect::none_if(group.limit_type == LimitType::NoLimit, "There is no limit."))
        },
        kind: Kind::Tenths {
            min: Tenths(1),
            max: Tenths(1_000),
            slider_max: Tenths(1_000),
            get: |s, g| group(s, g).limit_absolute,
            set: |s, g, v| group_mut(s, g).limit_absolute = v,
        },
    },
    Field {
        path: paths::GUESTS_QUICKDSP,
        label: "QUICKDSP",
        unit: "",
        help: || "On: the guest is in class 0 and never waits in the eligible list.",
        effect: of_eligible_list,
        kind: Kind::Switch { get: |s, g| group(s, g).quickdsp, set: |s, g, v| group_mut(s, g).quickdsp = v },
    },
    Field {
        path: paths::GUESTS_VIRTUAL_MB,
        label: "Virtual storage of a guest",
        unit: "MB",
        help: || "The defined size of each guest.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: MAX_VIRTUAL_MB,
            slider_max: 65_536,
            step: 1_024,
            get: |s, g| group(s, g).virtual_mb,
            set: |s, g, v| group_mut(s, g).virtual_mb = v,
        },
    },
    Field {
        path: paths::GUESTS_LOOP_MB,
        label: "Loop of a guest",
        unit: "MB",
        help: || "The guest's program loops through this much of its storage, at the top, and touches every page.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: MAX_VIRTUAL_MB,
            slider_max: 65_536,
            step: 1_024,
            get: |s, g| group(s, g).loop_mb,
            set: |s, g, v| group_mut(s, g).loop_mb = v,
        },
    },
    Field {
        path: paths::GUESTS_RESERVED_MB,
        label: "SET RESERVED",
        unit: "MB",
        help: || "From z/VM 6.3 on demand scan leaves each guest this many pages, even when frames are scarce. Before, its last pass takes them, too.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: MAX_VIRTUAL_MB,
            slider_max: 16_384,
            step: 256,
            get: |s, g| group(s, g).reserved_mb,
            set: |s, g, v| group_mut(s, g).reserved_mb = v,
        },
    },
    Field {
        path: paths::GUESTS_REORDER,
        label: "SET REORDER",
        unit: "",
        help: || "CP reorders each guest’s list of frames when demand scan has gone through it, and learns which pages are in use. The guest stands still meanwhile, for about 130 ms with each GB in storage. Off: CP takes the pages that have been in storage for longest.",
        effect: |s, _| Effect::none_if(!s.has(Mechanism::ScanByLists), "From z/VM 6.3 on, CP reorders no guest."),
        kind: Kind::Switch { get: |s, g| group(s, g).reorder, set: |s, g, v| group_mut(s, g).reorder = v },
    },
];

/// The fields of members and relocation.
pub(super) const MOVING: &[Field] = &[
    Field {
        path: paths::GUESTS_DEVICES,
        label: "Devices of a guest",
        unit: "devices",
        help: || "Virtual devices of the guest. Their configuration moves with it while it is stopped.",
        effect: of_moving,
        kind: Kind::Whole {
            min: 0,
            max: 512,
            slider_max: 64,
            step: 1,
            get: |s, g| group(s, g).devices.into(),
            set: |s, g, v| group_mut(s, g).devices = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_MEMBER,
        label: "Logged on at member",
        unit: "",
        help: || "The cluster member on which the guest runs at the start.",
        effect: |s, _| Effect::in_cluster(s, || Effect::Some),
        kind: Kind::Whole {
            min: 1,
            max: 4,
            slider_max: 4,
            step: 1,
            get: |s, g| group(s, g).member.into(),
            set: |s, g, v| group_mut(s, g).member = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_MOVE_TO,
        label: "Relocate to member",
        unit: "",
        help: || "VMRELOCATE moves the guest to this member. 0: the guest stays where it is.",
        effect: |s, _| Effect::in_cluster(s, || Effect::Some),
        kind: Kind::Whole {
            min: 0,
            max: 4,
            slider_max: 4,
            step: 1,
            get: |s, g| group(s, g).move_to.into(),
            set: |s, g, v| group_mut(s, g).move_to = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_TOLERANCE_MS,
        label: "Longest stop the guest tolerates",
        unit: "ms",
        help: || "How long the guest may be stopped before its users or its network connections suffer. 0: not stated. It changes nothing in the run; the result is compared with it.",
        effect: of_moving,
        kind: Kind::Whole {
            min: 0,
            max: 99999999,
            slider_max: 30000,
            step: 100,
            get: |s, g| group(s, g).tolerance_ms.into(),
            set: |s, g, v| group_mut(s, g).tolerance_ms = v as u32,
        },
    },
];

/// What matters to guests that move.
fn of_moving(scenario: &Scenario, index: usize) -> Effect {
    Effect::in_cluster(scenario, || {
        Effect::of_group(scenario, index, |group| Effect::none_if(!group.moves(), "These guests stay where they are."))
    })
}
