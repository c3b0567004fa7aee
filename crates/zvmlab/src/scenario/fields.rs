//! The table of the scenario's fields: path, unit, range and meaning, stated once.

use super::{GuestGroup, Level, Scenario};

/// One field of the scenario.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Where it stands: `paging.volumes`; fields of a guest group start with `guests.`.
    pub path: &'static str,
    /// What it is called on the page.
    pub label: &'static str,
    /// Its unit, empty for a plain count or a switch.
    pub unit: &'static str,
    /// A sentence or two on what it is.
    pub help: &'static str,
    /// What kind of value it holds, and how to reach it.
    pub kind: Kind,
}

/// The kind of a field, with its range and its place in the scenario. The `usize` is the index of the guest group, unused
/// by fields that do not start with `guests.`.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number from `min` to `max`; a knob moves it by `step`.
    Whole {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
        /// The largest value that a knob's slider reaches; the number field beside it reaches `max`.
        slider_max: u64,
        /// How far one step of a knob goes.
        step: u64,
        /// Reads it.
        get: fn(&Scenario, usize) -> u64,
        /// Writes it.
        set: fn(&mut Scenario, usize, u64),
    },
    /// On or off.
    Switch {
        /// Reads it.
        get: fn(&Scenario, usize) -> bool,
        /// Writes it.
        set: fn(&mut Scenario, usize, bool),
    },
    /// One of a few words.
    Choice {
        /// The words allowed.
        allowed: &'static [&'static str],
        /// Reads it.
        get: fn(&Scenario, usize) -> &'static str,
        /// Writes it; the word is one of those allowed.
        set: fn(&mut Scenario, usize, &str),
    },
    /// A text of 1 to `max_chars` characters.
    Text {
        /// Most characters allowed.
        max_chars: usize,
        /// Reads it.
        get: fn(&Scenario, usize) -> &str,
        /// Writes it.
        set: fn(&mut Scenario, usize, String),
    },
}

/// Most guest groups that a scenario may hold.
pub const MAX_GROUPS: usize = 16;

/// Most virtual storage of all guests together, in MB. Chosen: 1 TB takes about 0.4 GB of state, which a browser tab bears.
pub const MAX_TOTAL_VIRTUAL_MB: u64 = 1_048_576;

/// Most guests of all groups together. Chosen so that a snapshot stays small enough to draw.
pub const MAX_TOTAL_GUESTS: u64 = 512;

fn group(scenario: &Scenario, index: usize) -> &GuestGroup {
    &scenario.guests[index]
}

fn group_mut(scenario: &mut Scenario, index: usize) -> &mut GuestGroup {
    &mut scenario.guests[index]
}

/// Every field, in the order in which people should meet them.
pub const FIELDS: &[Field] = &[
    Field {
        path: "name",
        label: "Name",
        unit: "",
        help: "What the scenario is called. A published run carries its run id.",
        kind: Kind::Text { max_chars: 80, get: |s, _| &s.name, set: |s, _, v| s.name = v },
    },
    Field {
        path: "level",
        label: "z/VM level",
        unit: "",
        help: "6.4 writes larger blocks to contiguous slots, and can use HyperPAV aliases and zHPF for paging; 6.3 cannot.",
        kind: Kind::Choice {
            allowed: &["6.3", "6.4"],
            get: |s, _| s.level.as_str(),
            set: |s, _, v| s.level = if v == "6.3" { Level::V6_3 } else { Level::V6_4 },
        },
    },
    Field {
        path: "paging.zhpf",
        label: "zHPF for paging",
        unit: "",
        help: "SET PAGING HPF: transport-mode I/O, one exchange for the whole channel program instead of one for each command. Needs z/VM 6.4.",
        kind: Kind::Switch { get: |s, _| s.paging.zhpf, set: |s, _, v| s.paging.zhpf = v },
    },
    Field {
        path: "paging.volumes",
        label: "Paging volumes",
        unit: "volumes",
        help: "ECKD volumes with page space, all on one logical control unit. Each has one base exposure, which carries one I/O at a time.",
        kind: Kind::Whole {
            min: 1,
            max: 64,
            slider_max: 16,
            step: 1,
            get: |s, _| s.paging.volumes.into(),
            set: |s, _, v| s.paging.volumes = v as u32,
        },
    },
    Field {
        path: "paging.aliases",
        label: "HyperPAV aliases",
        unit: "aliases",
        help: "SET PAGING ALIAS: a pool of further exposures; each is bound to a volume for one I/O. Needs z/VM 6.4.",
        kind: Kind::Whole {
            min: 0,
            max: 254,
            slider_max: 32,
            step: 1,
            get: |s, _| s.paging.aliases.into(),
            set: |s, _, v| s.paging.aliases = v as u32,
        },
    },
    Field {
        path: "paging.volume_slots",
        label: "Slots on a volume",
        unit: "slots",
        help: "Page slots of 4 KB on each volume. The default is a 3390-54, 65,520 cylinders with 180 slots each.",
        kind: Kind::Whole {
            min: 1_800,
            max: 1 << 26, // 256 GB; the model packs volume and slot into 32 bits.
            slider_max: 23_587_200,
            step: 1_800,
            get: |s, _| s.paging.volume_slots,
            set: |s, _, v| s.paging.volume_slots = v,
        },
    },
    Field {
        path: "storage.central_mb",
        label: "Central storage",
        unit: "MB",
        help: "Real storage of the partition. CP keeps a small part for itself.",
        kind: Kind::Whole {
            min: 256,
            max: 4_194_304,
            slider_max: 196_608,
            step: 1_024,
            get: |s, _| s.storage.central_mb,
            set: |s, _, v| s.storage.central_mb = v,
        },
    },
    Field {
        path: "storage.early_writes",
        label: "Early writes",
        unit: "",
        help: "On: changed pages near the bottom of the age list are written ahead, so that their frames can be reclaimed at once. Off: a page is written only when its frame is wanted.",
        kind: Kind::Switch { get: |s, _| s.storage.early_writes, set: |s, _, v| s.storage.early_writes = v },
    },
    Field {
        path: "processors.count",
        label: "Processors",
        unit: "IFL cores",
        help: "Cores of the dedicated partition.",
        kind: Kind::Whole {
            min: 1,
            max: 64,
            slider_max: 32,
            step: 1,
            get: |s, _| s.processors.count.into(),
            set: |s, _, v| s.processors.count = v as u32,
        },
    },
    Field {
        path: "guests.name",
        label: "Guest name",
        unit: "",
        help: "What the guests of the group are called; each gets a number behind it.",
        kind: Kind::Text { max_chars: 16, get: |s, g| &group(s, g).name, set: |s, g, v| group_mut(s, g).name = v },
    },
    Field {
        path: "guests.count",
        label: "Guests",
        unit: "guests",
        help: "Virtual uniprocessors that run VIRSTOEX: each waits for its page before it goes on.",
        kind: Kind::Whole {
            min: 1,
            max: MAX_TOTAL_GUESTS,
            slider_max: 18,
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
        path: "measure.warmup_s",
        label: "Warm-up",
        unit: "s",
        help: "Simulated seconds after the fill, before the interval starts.",
        kind: Kind::Whole {
            min: 0,
            max: 3_600,
            slider_max: 120,
            step: 1,
            get: |s, _| s.measure.warmup_s.into(),
            set: |s, _, v| s.measure.warmup_s = v as u32,
        },
    },
    Field {
        path: "measure.interval_s",
        label: "Interval",
        unit: "s",
        help: "Simulated seconds whose figures are reported.",
        kind: Kind::Whole {
            min: 1,
            max: 3_600,
            slider_max: 300,
            step: 1,
            get: |s, _| s.measure.interval_s.into(),
            set: |s, _, v| s.measure.interval_s = v as u32,
        },
    },
];

/// The field at `path`.
pub fn field(path: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.path == path)
}

impl Field {
    /// The room of the scenario that holds the field (`paging`), empty for the top level.
    pub fn room(&self) -> &'static str {
        self.path.split_once('.').map_or("", |(room, _)| room)
    }

    /// The field's name within its room (`volumes`).
    pub fn key(&self) -> &'static str {
        self.path.split_once('.').map_or(self.path, |(_, key)| key)
    }

    /// What is allowed, in words: `a whole number from 1 to 64 volumes`.
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Whole { min, max, .. } => {
                format!("a whole number from {min} to {max} {}", self.unit).trim_end().to_string()
            }
            Kind::Switch { .. } => "true or false".into(),
            Kind::Choice { allowed, .. } => format!("one of \"{}\"", allowed.join("\", \"")),
            Kind::Text { max_chars, .. } => format!("a text of 1 to {max_chars} characters"),
        }
    }
}
