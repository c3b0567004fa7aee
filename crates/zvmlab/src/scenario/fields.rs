//! The table of the scenario's fields: path, unit, range and meaning, stated once.

/// A field with a whole number: path, label, unit, help, from..=to, slider's end, step, place.
macro_rules! whole {
    ($path:expr, $label:expr, $unit:literal, $help:expr, $min:literal..=$max:literal, $slider:literal, $step:literal, $room:ident.$key:ident) => {
        Field {
            path: $path,
            label: $label,
            unit: $unit,
            help: $help,
            kind: Kind::Whole {
                min: $min,
                max: $max,
                slider_max: $slider,
                step: $step,
                get: |s, _| s.$room.$key.into(),
                set: |s, _, v| s.$room.$key = v as _,
            },
        }
    };
}

/// A field with a switch: path, label, help, place.
macro_rules! switch {
    ($path:expr, $label:expr, $help:expr, $room:ident.$key:ident) => {
        Field {
            path: $path,
            label: $label,
            unit: "",
            help: $help,
            kind: Kind::Switch { get: |s, _| s.$room.$key, set: |s, _, v| s.$room.$key = v },
        }
    };
}

/// A field with one of a few words: path, label, help, place, type.
macro_rules! words {
    ($path:expr, $label:expr, $help:expr, $room:ident.$key:ident, $type:ident, [$($word:literal),+]) => {
        Field {
            path: $path,
            label: $label,
            unit: "",
            help: $help,
            kind: Kind::Choice {
                allowed: &[$($word),+],
                get: |s, _| s.$room.$key.as_str(),
                set: |s, _, v| s.$room.$key = $type::ALL.iter().copied().find(|one| one.as_str() == v).unwrap_or_default(),
            },
        }
    };
}

mod cluster;
mod devices;
mod guests;
pub mod path;
mod processing;

use super::{AliasShare, Level, Scenario, Tenths};
use crate::kernel::tables::{joined, total};

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
    /// A number with one decimal from `min` to `max`; a knob's slider reaches `slider_max`.
    Tenths {
        /// Smallest value allowed.
        min: Tenths,
        /// Largest value allowed.
        max: Tenths,
        /// The largest value that a knob's slider reaches.
        slider_max: Tenths,
        /// Reads it.
        get: fn(&Scenario, usize) -> Tenths,
        /// Writes it.
        set: fn(&mut Scenario, usize, Tenths),
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
    /// Two whole numbers from 1 to `max` with a colon between them, which only matter relative to each other.
    Share {
        /// Largest number allowed.
        max: u32,
        /// What the two numbers add up to as a knob moves from one end to the other.
        total: u32,
        /// Reads it.
        get: fn(&Scenario, usize) -> AliasShare,
        /// Writes it.
        set: fn(&mut Scenario, usize, AliasShare),
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

/// Most virtual storage of all guests together, in MB. Chosen: 1 TB takes about 0.4 GB of state, which fits a browser tab.
pub const MAX_TOTAL_VIRTUAL_MB: u64 = 1_048_576;

/// Most page slots on a volume: 256 GB, as the model packs volume and slot into 32 bits.
pub const MAX_VOLUME_SLOTS: u64 = 1 << 26;

/// Most volumes of one kind.
pub const MAX_VOLUMES: u64 = 64;

/// Most minidisk tracks of all guests together. Chosen: the minidisk cache keeps four bytes for each.
pub const MAX_TOTAL_TRACKS: u64 = 1 << 24;

/// Most guests of all groups together. Chosen so that a snapshot stays small enough to draw.
pub const MAX_TOTAL_GUESTS: u64 = 512;

/// Most virtual CPUs of all guests together. Chosen for the same reason.
pub const MAX_TOTAL_VIRTUAL_CPUS: u64 = 2_048;

/// The fields of the scenario as a whole.
const SYSTEM: &[Field] = &[
    Field {
        path: path::NAME,
        label: "Name",
        unit: "",
        help: "What the scenario is called. A published run carries its run id.",
        kind: Kind::Text { max_chars: 80, get: |s, _| &s.name, set: |s, _, v| s.name = v },
    },
    Field {
        path: path::LEVEL,
        label: "z/VM level",
        unit: "",
        help: "5.2 brought the fast path of Diag X'44'. 6.2 brought new STORBUF defaults and LIMITHARD by consumption; guests can use zHPF only with the service VM65041. 6.3 brought today's storage management. 6.4 writes larger blocks. It can use HyperPAV aliases and zHPF for paging, and EDEVs on flash without an SVC.",
        kind: Kind::Choice {
            allowed: &["5.1", "5.2", "6.1", "6.2", "6.2 VM65041", "6.3", "6.4"],
            get: |s, _| s.level.as_str(),
            set: |s, _, v| s.level = Level::ALL.into_iter().find(|level| level.as_str() == v).unwrap_or_default(),
        },
    },
];

/// The fields of the host besides devices and guests.
const HOST: &[Field] = &[
    Field {
        path: path::STORAGE_CENTRAL_MB,
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
        path: path::STORAGE_EARLY_WRITES,
        label: "Early writes",
        unit: "",
        help: "On: CP writes changed pages near the bottom of the age list ahead of time, so it can reclaim their frames at once. Off: CP writes a page only when it wants the frame.",
        kind: Kind::Switch { get: |s, _| s.storage.early_writes, set: |s, _, v| s.storage.early_writes = v },
    },
];

/// The fields of the measurement.
const MEASURE: &[Field] = &[
    Field {
        path: path::MEASURE_WARMUP_S,
        label: "Warm-up",
        unit: "s",
        help: "Simulated seconds between the fill and the start of the interval.",
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
        path: path::MEASURE_INTERVAL_S,
        label: "Interval",
        unit: "s",
        help: "Simulated seconds that the reported figures cover.",
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

/// Every field, in the order in which people should meet them.
pub const FIELDS: &[Field] = &joined::<_, { total(PARTS) }>(PARTS);

const PARTS: &[&[Field]] = &[SYSTEM, devices::FIELDS, HOST, processing::FIELDS, guests::FIELDS, cluster::FIELDS, MEASURE];

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

    /// Whether it only names what other fields say: the model recognises a workload by those fields, and choosing one sets
    /// them.
    pub fn is_derived(&self) -> bool {
        self.path == path::GUESTS_WORKLOAD
    }

    /// What is allowed, in words: `a whole number from 1 to 64 volumes`.
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Whole { min, max, .. } => {
                format!("a whole number from {min} to {max} {}", self.unit).trim_end().to_string()
            }
            Kind::Tenths { min, max, .. } => {
                format!("a number from {min} to {max} {} with at most one decimal", self.unit)
            }
            Kind::Switch { .. } => "true or false".into(),
            Kind::Choice { allowed, .. } => format!("one of \"{}\"", allowed.join("\", \"")),
            Kind::Share { max, .. } => format!("two whole numbers from 1 to {max} with a colon between them, \"15:1\","),
            Kind::Text { max_chars, .. } => format!("a text of 1 to {max_chars} characters"),
        }
    }
}
