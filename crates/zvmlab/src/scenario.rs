//! The scenario: what a host is made of and how it is measured. It goes in; everything else comes out.
//!
//! One table, [`fields`], states every field once: its path, unit, range, default and meaning. The text form, the checks,
//! the JSON Schema and the page's knobs are all made from it.

mod check;
pub mod fields;
mod given;
mod schema;

use serde::{Deserialize, Serialize};

pub use check::{Problem, ScenarioError};

/// Pages of 4 KB in a megabyte.
pub const PAGES_PER_MB: u64 = 256;

/// A host, its guests and how to measure it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// What the scenario is called; a published run carries its run id.
    pub name: String,
    /// Which level of z/VM runs.
    pub level: Level,
    /// The processors of the partition.
    pub processors: Processors,
    /// Central storage.
    pub storage: Storage,
    /// The paging volumes and how they are driven.
    pub paging: Paging,
    /// The guests, in groups of equal ones.
    pub guests: Vec<GuestGroup>,
    /// How the host is measured.
    pub measure: Measure,
}

/// A level of z/VM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// z/VM 6.3.0.
    #[serde(rename = "6.3")]
    V6_3,
    /// z/VM 6.4.0.
    #[default]
    #[serde(rename = "6.4")]
    V6_4,
}

impl Level {
    /// The level as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::V6_3 => "6.3",
            Level::V6_4 => "6.4",
        }
    }
}

/// The processors of the partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Processors {
    /// How many cores.
    pub count: u32,
}

/// Central storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// Central storage in MB.
    pub central_mb: u64,
    /// Whether pages near the bottom of the age list are written ahead (on) or only when their frame is wanted (off).
    pub early_writes: bool,
}

/// The paging volumes and how they are driven.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paging {
    /// Paging volumes, all on one logical control unit.
    pub volumes: u32,
    /// HyperPAV aliases enabled for paging, one pool for the logical control unit.
    pub aliases: u32,
    /// Whether the paging driver uses transport-mode I/O (zHPF).
    pub zhpf: bool,
    /// Page slots of 4 KB on a volume.
    pub volume_slots: u64,
}

/// Guests that are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GuestGroup {
    /// What the guests are called; each gets a number behind it.
    pub name: String,
    /// How many of them.
    pub count: u32,
    /// Virtual storage of each in MB.
    pub virtual_mb: u64,
    /// Megabytes, at the top of virtual storage, that the guest's program loops through.
    pub loop_mb: u64,
    /// How many of a hundred touched pages are changed.
    pub change_percent: u32,
}

/// How the host is measured: fill, warm-up, interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Measure {
    /// Simulated seconds between the end of the fill and the start of the interval.
    pub warmup_s: u32,
    /// Simulated seconds of the interval whose figures are reported.
    pub interval_s: u32,
}

impl Default for Scenario {
    /// V4DVY000: the base run of the 6.4 paging page.
    fn default() -> Self {
        Scenario {
            name: "V4DVY000".into(),
            level: Level::default(),
            processors: Processors::default(),
            storage: Storage::default(),
            paging: Paging::default(),
            guests: vec![GuestGroup::default()],
            measure: Measure::default(),
        }
    }
}

impl Default for Processors {
    fn default() -> Self {
        Processors { count: 8 } // eight IFL cores: 6.4 paging page, method.
    }
}

impl Default for Storage {
    fn default() -> Self {
        Storage { central_mb: 131_072, early_writes: true } // 128 GB: 6.4 paging page, table 1.
    }
}

impl Default for Paging {
    fn default() -> Self {
        Paging {
            volumes: 4, // 6.4 paging page, table 1.
            aliases: 0,
            zhpf: false,
            // 65,520 cylinders of 15 tracks with 12 slots each, a 3390-54. The size of the volumes is not published;
            // while page space is plentiful it moves no figure but slot utilisation.
            volume_slots: 65_520 * 15 * 12,
        }
    }
}

impl Default for GuestGroup {
    fn default() -> Self {
        GuestGroup {
            name: "VIRSTOEX".into(),
            count: 8,           // 6.4 paging page, method.
            virtual_mb: 18_432, // 18 GB: same.
            loop_mb: 16_384,    // 16 GB: same.
            // Pages written equal pages read in every run of tables 1-5, so each page is changed before it is stolen.
            change_percent: 100,
        }
    }
}

impl Default for Measure {
    fn default() -> Self {
        // Chosen: the rates are steady a few seconds after the fill, and half a minute holds 30,000 to 130,000 blocks.
        Measure { warmup_s: 5, interval_s: 30 }
    }
}

impl Scenario {
    /// Reads a scenario from its text form, TOML or JSON (a text that starts with `{`). Fields left out take their defaults.
    ///
    /// # Errors
    /// Every problem of the text together, each with the field, what was given and what is allowed.
    pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
        check::parse(text)
    }

    /// Checks a scenario that was made by a program.
    ///
    /// # Errors
    /// Every problem together, each with the field, what was given and what is allowed.
    pub fn check(&self) -> Result<(), ScenarioError> {
        check::check(self)
    }

    /// The scenario as TOML, every field stated.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a scenario is a tree of tables, texts, numbers and switches")
    }

    /// The scenario as one line of JSON, every field stated.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a scenario is a tree of tables, texts, numbers and switches")
    }

    /// The JSON Schema of the text form.
    pub fn json_schema() -> serde_json::Value {
        schema::json_schema()
    }

    /// How many guests all groups hold together.
    pub fn guest_count(&self) -> u64 {
        self.guests.iter().map(|group| u64::from(group.count)).sum()
    }

    /// Frames of central storage.
    pub fn installed_frames(&self) -> u64 {
        self.storage.central_mb * PAGES_PER_MB
    }
}
