//! The scenario: what a host is made of and how it is measured. It goes in; everything else comes out.
//!
//! One table, [`fields`], states every field once: its path, unit, range, default and meaning. The text form, the checks,
//! the JSON Schema and the page's knobs are all made from it.

mod check;
pub mod fields;
mod given;
pub(crate) mod relations;
mod schema;
pub mod workloads;

use serde::{Deserialize, Serialize};

pub use check::{Problem, ScenarioError};
use workloads::VIRSTOEX;

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
    /// The logical control unit that holds the ECKD volumes: channel paths and HyperPAV aliases.
    pub lcu: Lcu,
    /// The paging volumes and how they are driven.
    pub paging: Paging,
    /// The volumes that hold the guests' minidisks, and the minidisk cache.
    pub minidisks: Minidisks,
    /// The guests, in groups of equal ones.
    pub guests: Vec<GuestGroup>,
    /// How the host is measured.
    pub measure: Measure,
}

/// A level of z/VM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// z/VM 6.2.0.
    #[serde(rename = "6.2")]
    V6_2,
    /// z/VM 6.2.0 with the service that lets guests use zHPF.
    #[serde(rename = "6.2 VM65041")]
    V6_2Vm65041,
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
            Level::V6_2 => "6.2",
            Level::V6_2Vm65041 => "6.2 VM65041",
            Level::V6_3 => "6.3",
            Level::V6_4 => "6.4",
        }
    }

    /// Every level, the oldest first.
    pub const ALL: [Level; 4] = [Level::V6_2, Level::V6_2Vm65041, Level::V6_3, Level::V6_4];
}

/// A generation of channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Channel {
    /// FICON Express8: the guest zHPF measurements of the 6.2 deck.
    #[serde(rename = "FICON Express8")]
    Express8,
    /// FICON Express8S: what zHPF for paging needs (6.4 paging page).
    #[default]
    #[serde(rename = "FICON Express8S")]
    Express8S,
}

impl Channel {
    /// The channel as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Channel::Express8 => "FICON Express8",
            Channel::Express8S => "FICON Express8S",
        }
    }
}

/// What a volume is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DeviceKind {
    /// ECKD on spinning disk.
    #[default]
    #[serde(rename = "ECKD spinning")]
    EckdSpinning,
    /// ECKD on solid state disk.
    #[serde(rename = "ECKD SSD")]
    EckdSsd,
    /// SCSI (an EDEV) on a FlashSystem behind a SAN Volume Controller.
    #[serde(rename = "EDEV flash via SVC")]
    EdevSvc,
    /// SCSI (an EDEV) on a FlashSystem without an SVC, from z/VM 6.4.
    #[serde(rename = "EDEV flash direct")]
    EdevDirect,
}

impl DeviceKind {
    /// Every kind.
    pub const ALL: [DeviceKind; 4] =
        [DeviceKind::EckdSpinning, DeviceKind::EckdSsd, DeviceKind::EdevSvc, DeviceKind::EdevDirect];

    /// The kind as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            DeviceKind::EckdSpinning => "ECKD spinning",
            DeviceKind::EckdSsd => "ECKD SSD",
            DeviceKind::EdevSvc => "EDEV flash via SVC",
            DeviceKind::EdevDirect => "EDEV flash direct",
        }
    }

    /// Whether it is reached by FICON, with base, aliases and zHPF; if not, by FCP, with a queue.
    pub fn is_eckd(self) -> bool {
        matches!(self, DeviceKind::EckdSpinning | DeviceKind::EckdSsd)
    }
}

/// What the two kinds of I/O are entitled to of the aliases of the logical control unit: relative shares, as `SET CU` takes
/// them. In the text form `"15:1"`, MDISK first, as table 6 of the 6.4 paging page prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AliasShare {
    /// The share of minidisk I/O.
    pub mdisk: u32,
    /// The share of paging I/O.
    pub paging: u32,
}

impl std::fmt::Display for AliasShare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.mdisk, self.paging)
    }
}

impl std::str::FromStr for AliasShare {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = |part: &str| {
            let plain = !part.is_empty() && part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit());
            if plain { part.parse().map_err(|_| ()) } else { Err(()) }
        };
        let (mdisk, paging) = text.split_once(':').ok_or(())?;
        Ok(AliasShare { mdisk: digits(mdisk)?, paging: digits(paging)? })
    }
}

impl Serialize for AliasShare {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AliasShare {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom("an alias share is two numbers with a colon between them"))
    }
}

/// The logical control unit that holds the ECKD volumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lcu {
    /// The generation of the channels.
    pub channel: Channel,
    /// Channel paths to the control unit; as many FCP paths lead to EDEVs.
    pub paths: u32,
    /// HyperPAV aliases attached to SYSTEM, one pool for all its volumes.
    pub aliases: u32,
    /// How minidisk and paging I/O share the pool.
    pub alias_share: AliasShare,
}

/// The volumes that hold the guests' minidisks, and the minidisk cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Minidisks {
    /// Volumes that hold minidisks; the guests' minidisks are dealt out to them in turn.
    pub volumes: u32,
    /// What the volumes are.
    pub kind: DeviceKind,
    /// I/Os that an EDEV carries at once.
    pub queue_depth: u32,
    /// Reads of a hundred that the cache of the control unit serves.
    pub read_hit_percent: u32,
    /// Writes of a hundred that the cache of the control unit takes.
    pub write_hit_percent: u32,
    /// Whether minidisks lie on the page volumes too.
    pub on_page_volumes: bool,
    /// Central storage that the minidisk cache has, in MB; 0 is off.
    pub mdc_mb: u64,
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
    /// Paging volumes of the first kind.
    pub volumes: u32,
    /// Whether paging I/O uses HyperPAV aliases.
    pub alias: bool,
    /// Whether the paging driver uses transport-mode I/O (zHPF).
    pub zhpf: bool,
    /// What the volumes are.
    pub kind: DeviceKind,
    /// I/Os that an EDEV carries at once.
    pub queue_depth: u32,
    /// Page slots of 4 KB on a volume.
    pub volume_slots: u64,
    /// Further paging volumes, which may be of another kind or size.
    pub other_volumes: u32,
    /// What the further volumes are.
    pub other_kind: DeviceKind,
    /// Page slots of 4 KB on each further volume.
    pub other_slots: u64,
    /// Reads of a hundred that the cache of the control unit serves.
    pub read_hit_percent: u32,
    /// Writes of a hundred that the cache of the control unit takes.
    pub write_hit_percent: u32,
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
    /// Pages that a guest is sure to keep in central storage, in MB.
    pub reserved_mb: u64,
    /// Which page of the loop is touched next.
    pub pattern: Pattern,
    /// References that the program makes to a page when it comes to it.
    pub references: u32,
    /// How many of a hundred touched pages are changed.
    pub change_percent: u32,
    /// Pages that the program touches before each I/O or pause.
    pub cycle_pages: u32,
    /// Records of 4 KB in each I/O to the guest's minidisk; 0 is no I/O.
    pub io_records: u32,
    /// How many of a hundred I/Os are reads.
    pub io_read_percent: u32,
    /// Whether the guest's I/O is in transport mode (zHPF).
    pub io_zhpf: bool,
    /// Size of the guest's minidisk in MB.
    pub minidisk_mb: u64,
    /// Mean think time after each cycle, in ms.
    pub think_ms: u32,
    /// What counts as a transaction: so many references or, for a guest that does I/O, so many I/Os.
    pub transaction: u64,
}

/// Which page of its loop a program touches next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// One after the other, over and over.
    #[default]
    Sequential,
    /// Each as likely as any other.
    Random,
}

impl Pattern {
    /// The pattern as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Pattern::Sequential => "sequential",
            Pattern::Random => "random",
        }
    }
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
            lcu: Lcu::default(),
            paging: Paging::default(),
            minidisks: Minidisks::default(),
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

impl Default for Lcu {
    fn default() -> Self {
        Lcu {
            channel: Channel::default(),
            // Chosen: the smallest number without a single point of failure; not published. `zvmlab refit` shows others.
            paths: 2,
            aliases: 0,
            alias_share: AliasShare { mdisk: 8, paging: 8 }, // the middle of table 6, 6.4 paging page.
        }
    }
}

/// Slots of a 3390-54: 65,520 cylinders of 15 tracks with 12 slots each.
const SLOTS_3390_54: u64 = 65_520 * 15 * 12;

/// I/Os that an EDEV carries at once. Chosen; not published.
const QUEUE_DEPTH: u32 = 16;

impl Default for Paging {
    fn default() -> Self {
        Paging {
            volumes: 4, // 6.4 paging page, table 1.
            alias: true,
            zhpf: false,
            kind: DeviceKind::default(),
            queue_depth: QUEUE_DEPTH,
            // The size of the volumes is not published; while page space is plentiful it moves no figure but slot utilisation.
            volume_slots: SLOTS_3390_54,
            other_volumes: 0,
            other_kind: DeviceKind::EckdSsd,
            other_slots: SLOTS_3390_54,
            // Disconnect time of 6 to 19 us in tables 1-5: practically every I/O was a hit.
            read_hit_percent: 100,
            write_hit_percent: 100,
        }
    }
}

impl Default for Minidisks {
    fn default() -> Self {
        Minidisks {
            volumes: 0,
            kind: DeviceKind::default(),
            queue_depth: QUEUE_DEPTH,
            read_hit_percent: 100,
            write_hit_percent: 100,
            on_page_volumes: false,
            mdc_mb: 0,
        }
    }
}

impl Default for GuestGroup {
    /// The VIRSTOEX guests of the 6.4 paging page.
    fn default() -> Self {
        let mut group = GuestGroup {
            name: "VIRSTOEX".into(),
            count: 8,           // 6.4 paging page, method.
            virtual_mb: 18_432, // 18 GB: same.
            loop_mb: 16_384,    // 16 GB: same.
            reserved_mb: 0,
            pattern: Pattern::default(),
            references: 1,
            change_percent: 0,
            cycle_pages: 1,
            io_records: 0,
            io_read_percent: 0,
            io_zhpf: false,
            minidisk_mb: 1_000,
            think_ms: 0,
            transaction: 1,
        };
        VIRSTOEX.apply(&mut group);
        group
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

    /// Frames that the minidisk cache has.
    pub fn mdc_frames(&self) -> u64 {
        self.minidisks.mdc_mb * PAGES_PER_MB
    }

    /// Paging volumes of both kinds.
    pub fn page_volumes(&self) -> u32 {
        self.paging.volumes + self.paging.other_volumes
    }

    /// Page slots on all paging volumes.
    pub fn page_slots(&self) -> u64 {
        u64::from(self.paging.volumes) * self.paging.volume_slots
            + u64::from(self.paging.other_volumes) * self.paging.other_slots
    }

    /// Whether any guest does I/O to its minidisk.
    pub fn does_io(&self) -> bool {
        self.guests.iter().any(|group| group.io_records > 0)
    }
}
