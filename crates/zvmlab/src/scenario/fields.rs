//! The table of the scenario's fields: path, unit, range and meaning, stated once.

/// The effect of a field: as stated, or always some.
macro_rules! effect {
    () => {
        Effect::always
    };
    ($effect:expr) => {
        $effect
    };
}

/// A field with a whole number: path, label, unit, help, from..=to, slider's end, step, place; effect, if not always.
macro_rules! whole {
    ($path:expr, $label:expr, $unit:literal, $help:expr, $min:literal..=$max:literal, $slider:literal, $step:literal, $room:ident.$key:ident $(, $effect:expr)?) => {
        Field {
            path: $path,
            label: $label,
            unit: $unit,
            help: || $help,
            effect: effect!($($effect)?),
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

/// A field with a switch: path, label, help, place; effect, if not always.
macro_rules! switch {
    ($path:expr, $label:expr, $help:expr, $room:ident.$key:ident $(, $effect:expr)?) => {
        Field {
            path: $path,
            label: $label,
            unit: "",
            help: || $help,
            effect: effect!($($effect)?),
            kind: Kind::Switch { get: |s, _| s.$room.$key, set: |s, _, v| s.$room.$key = v },
        }
    };
}

/// A field with one of a few words: path, label, help, place, type, words; effect, if not always.
macro_rules! words {
    ($path:expr, $label:expr, $help:expr, $room:ident.$key:ident, $type:ident, [$($word:literal),+] $(, $effect:expr)?) => {
        Field {
            path: $path,
            label: $label,
            unit: "",
            help: || $help,
            effect: effect!($($effect)?),
            kind: Kind::Choice {
                allowed: &[$($word),+],
                get: |s, _| s.$room.$key.as_str(),
                set: |s, _, v| s.$room.$key = $type::ALL.iter().copied().find(|one| one.as_str() == v).unwrap_or_default(),
            },
        }
    };
}

/// The paths of a table's fields as the text form writes them, each under a name: a typo does not compile.
macro_rules! paths {
    ($($name:ident = $path:literal;)+) => {
        /// The paths of these fields.
        pub mod paths {
            $(
                #[doc = concat!("`", $path, "`.")]
                pub const $name: &str = $path;
            )+
        }
    };
}

mod cluster;
mod devices;
mod effect;
mod guests;
mod host;
pub mod path;
mod processing;
mod program;

pub use effect::Effect;

use super::{AliasShare, PAGES_PER_MB, Scenario, Tenths};
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
    /// A sentence or two on what it is. A function, so that a page can leave the text of what nobody has asked for to a file that
    /// loads later.
    help: fn() -> &'static str,
    /// Whether it does anything in a host, and if not, why. The `usize` is the index of the guest group.
    pub effect: fn(&Scenario, usize) -> Effect,
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

/// Most virtual storage of a guest, in MB: 1 TB.
pub const MAX_VIRTUAL_MB: u64 = 1_048_576;

/// Most virtual storage of all guests together, in MB. Chosen: 4 TB in a browser tab, whose memory ends at 4 GB. In a cluster half of
/// that, because the state of the pages may take twice their part of [`STATE_BYTES_PER_PAGE`] while guests are relocated. 16 TB
/// elsewhere.
pub const fn max_total_virtual_mb(is_cluster: bool) -> u64 {
    match (cfg!(target_arch = "wasm32"), is_cluster) {
        (false, _) => NATIVE_VIRTUAL_MB,
        (true, false) => 4_194_304,
        (true, true) => 2_097_152,
    }
}

/// The same where no browser sets a limit.
pub const NATIVE_VIRTUAL_MB: u64 = 16_777_216;

/// Bytes of state for each page of virtual storage, about: the bits of 64 pages are a word of 56 bytes, and notes come to it.
pub const STATE_BYTES_PER_PAGE: f64 = 1.1;

/// Bytes of memory that the state of the pages of so many MB of virtual storage takes, at [`STATE_BYTES_PER_PAGE`].
pub fn page_state_bytes(virtual_mb: u64) -> u64 {
    ((virtual_mb * PAGES_PER_MB) as f64 * STATE_BYTES_PER_PAGE) as u64
}

/// Most page slots on a volume: 256 GB, as the model packs volume and slot into 32 bits.
pub const MAX_VOLUME_SLOTS: u64 = 1 << 26;

/// Most volumes of one kind.
pub const MAX_VOLUMES: u64 = 64;

/// Most minidisk tracks of all guests together. Chosen: the minidisk cache keeps four bytes for each.
pub const MAX_TOTAL_TRACKS: u64 = 1 << 24;

/// Most guests of all groups together. Chosen so that a snapshot stays small enough to draw.
pub const MAX_TOTAL_GUESTS: u64 = 2_000;
/// Most connections between all clients and servers together. Chosen: a line of them is still gone through in no time.
pub const MAX_CONNECTIONS: u64 = 20_000;

/// Most virtual CPUs of all guests together. Chosen for the same reason.
pub const MAX_TOTAL_VIRTUAL_CPUS: u64 = 4_096;

/// Every field, in the order in which people should meet them.
pub static FIELDS: &[Field] = &joined::<_, { total(PARTS) }>(PARTS);

const PARTS: &[&[Field]] = &[
    host::SYSTEM,
    devices::FIELDS,
    host::STORAGE,
    processing::FIELDS,
    guests::FIELDS,
    program::FIELDS,
    guests::MOVING,
    program::TRANSACTION,
    cluster::FIELDS,
    host::MEASURE,
];

/// The field at `path`.
pub fn field(path: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.path == path)
}

impl Field {
    /// A sentence or two on what it is.
    pub fn help(&self) -> &'static str {
        (self.help)()
    }

    /// The room of the scenario that holds the field (`paging`), empty for the top level.
    pub fn room(&self) -> &'static str {
        self.path.split_once('.').map_or("", |(room, _)| room)
    }

    /// The field's name within its room (`volumes`).
    pub fn key(&self) -> &'static str {
        self.path.split_once('.').map_or(self.path, |(_, key)| key)
    }

    /// Whether the field is this one of a room: as [`Field::room`] and [`Field::key`], without a search for the dot.
    pub fn is_at(&self, room: &str, key: &str) -> bool {
        let path = self.path;
        if room.is_empty() {
            return path == key && !path.contains('.');
        }
        path.len() == room.len() + 1 + key.len()
            && path.as_bytes()[room.len()] == b'.'
            && path.ends_with(key)
            && path.starts_with(room)
    }

    /// The field as problems name it: `guests[1].count`. The index counts for fields of a guest group only.
    pub fn place(&self, index: usize) -> String {
        match self.room() {
            path::room::GUESTS => format!("guests[{index}].{}", self.key()),
            _ => self.path.into(),
        }
    }

    /// Gives it the value that it has in `other`, from the first guest group there.
    pub fn copy(&self, scenario: &mut Scenario, index: usize, other: &Scenario) {
        match self.kind {
            Kind::Whole { get, set, .. } => set(scenario, index, get(other, 0)),
            Kind::Tenths { get, set, .. } => set(scenario, index, get(other, 0)),
            Kind::Switch { get, set, .. } => set(scenario, index, get(other, 0)),
            Kind::Choice { get, set, .. } => set(scenario, index, get(other, 0)),
            Kind::Share { get, set, .. } => set(scenario, index, get(other, 0)),
            Kind::Text { get, set, .. } => set(scenario, index, get(other, 0).to_string()),
        }
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
