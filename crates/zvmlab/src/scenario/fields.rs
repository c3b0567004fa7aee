//! The table of the scenario's fields: path, unit, range and meaning, stated once.

use super::workloads::{OTHER, WORKLOADS, Workload};
use super::{AliasShare, Channel, DeviceKind, GuestGroup, Level, Pattern, Scenario};

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

/// Most virtual storage of all guests together, in MB. Chosen: 1 TB takes about 0.4 GB of state, which a browser tab bears.
pub const MAX_TOTAL_VIRTUAL_MB: u64 = 1_048_576;

/// Most page slots on a volume: 256 GB, as the model packs volume and slot into 32 bits.
pub const MAX_VOLUME_SLOTS: u64 = 1 << 26;

/// Most volumes of one kind.
pub const MAX_VOLUMES: u64 = 64;

/// Most minidisk tracks of all guests together. Chosen: the minidisk cache keeps four bytes for each.
pub const MAX_TOTAL_TRACKS: u64 = 1 << 24;

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
        help: "6.2 lets no guest use zHPF before the service VM65041; 6.3 brought today's storage management; 6.4 writes larger blocks, can use HyperPAV aliases and zHPF for paging, and EDEVs on flash without an SVC.",
        kind: Kind::Choice {
            allowed: &["6.2", "6.2 VM65041", "6.3", "6.4"],
            get: |s, _| s.level.as_str(),
            set: |s, _, v| s.level = Level::ALL.into_iter().find(|level| level.as_str() == v).unwrap_or_default(),
        },
    },
    Field {
        path: "lcu.channel",
        label: "Channels",
        unit: "",
        help: "The generation of the channels. zHPF for paging needs FICON Express8S or newer.",
        kind: Kind::Choice {
            allowed: &["FICON Express8", "FICON Express8S"],
            get: |s, _| s.lcu.channel.as_str(),
            set: |s, _, v| s.lcu.channel = if v == "FICON Express8" { Channel::Express8 } else { Channel::Express8S },
        },
    },
    Field {
        path: "lcu.paths",
        label: "Channel paths",
        unit: "paths",
        help: "Channel paths to the logical control unit, shared by all its volumes; as many FCP paths lead to EDEVs.",
        kind: Kind::Whole {
            min: 1,
            max: 8,
            slider_max: 8,
            step: 1,
            get: |s, _| s.lcu.paths.into(),
            set: |s, _, v| s.lcu.paths = v as u32,
        },
    },
    Field {
        path: "lcu.aliases",
        label: "HyperPAV aliases",
        unit: "aliases",
        help: "Further exposures, one pool for the logical control unit; each is bound to a volume for one I/O. Minidisk I/O can use them, and paging I/O from z/VM 6.4.",
        kind: Kind::Whole {
            min: 0,
            max: 254,
            slider_max: 32,
            step: 1,
            get: |s, _| s.lcu.aliases.into(),
            set: |s, _, v| s.lcu.aliases = v as u32,
        },
    },
    Field {
        path: "lcu.alias_share",
        label: "Alias share MDISK:PAGING",
        unit: "",
        help: "SET CU: how minidisk and paging I/O share the aliases when both want more than there are. What one does not want, the other may have.",
        kind: Kind::Share { max: 1_000, total: 16, get: |s, _| s.lcu.alias_share, set: |s, _, v| s.lcu.alias_share = v },
    },
    Field {
        path: "paging.alias",
        label: "Aliases for paging",
        unit: "",
        help: "SET PAGING ALIAS: whether paging I/O uses the aliases. Needs z/VM 6.4.",
        kind: Kind::Switch { get: |s, _| s.paging.alias, set: |s, _, v| s.paging.alias = v },
    },
    Field {
        path: "paging.zhpf",
        label: "zHPF for paging",
        unit: "",
        help: "SET PAGING HPF: transport-mode I/O, one exchange for the whole channel program instead of one for each command. Needs z/VM 6.4 and FICON Express8S.",
        kind: Kind::Switch { get: |s, _| s.paging.zhpf, set: |s, _, v| s.paging.zhpf = v },
    },
    Field {
        path: "paging.volumes",
        label: "Paging volumes",
        unit: "volumes",
        help: "Volumes with page space. An ECKD volume has one base exposure, which carries one I/O at a time; an EDEV carries as many as its queue is deep.",
        kind: Kind::Whole {
            min: 1,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.paging.volumes.into(),
            set: |s, _, v| s.paging.volumes = v as u32,
        },
    },
    Field {
        path: "paging.kind",
        label: "Kind of page volume",
        unit: "",
        help: "ECKD volumes are reached by FICON and can have aliases and zHPF; EDEVs (SCSI) by FCP, several I/Os at once, at more CPU for each. Flash without a SAN Volume Controller needs z/VM 6.4.",
        kind: Kind::Choice { allowed: KINDS, get: |s, _| s.paging.kind.as_str(), set: |s, _, v| s.paging.kind = kind_of(v) },
    },
    Field {
        path: "paging.queue_depth",
        label: "Queue depth of a page EDEV",
        unit: "I/Os",
        help: "I/Os that a SCSI page volume carries at once; ECKD volumes have exposures instead.",
        kind: Kind::Whole {
            min: 1,
            max: 256,
            slider_max: 64,
            step: 1,
            get: |s, _| s.paging.queue_depth.into(),
            set: |s, _, v| s.paging.queue_depth = v as u32,
        },
    },
    Field {
        path: "paging.volume_slots",
        label: "Slots on a volume",
        unit: "slots",
        help: "Page slots of 4 KB on each volume. The default is a 3390-54, 65,520 cylinders with 180 slots each.",
        kind: Kind::Whole {
            min: 1_800,
            max: MAX_VOLUME_SLOTS,
            slider_max: 23_587_200,
            step: 1_800,
            get: |s, _| s.paging.volume_slots,
            set: |s, _, v| s.paging.volume_slots = v,
        },
    },
    Field {
        path: "paging.read_hit_percent",
        label: "Page reads that hit the cache",
        unit: "%",
        help: "Reads of a hundred that the cache of the control unit serves; the others wait for the disk, which shows as disconnect time.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.paging.read_hit_percent.into(),
            set: |s, _, v| s.paging.read_hit_percent = v as u32,
        },
    },
    Field {
        path: "paging.write_hit_percent",
        label: "Page writes that hit the cache",
        unit: "%",
        help: "Writes of a hundred that the cache of the control unit takes; the others wait for the disk.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.paging.write_hit_percent.into(),
            set: |s, _, v| s.paging.write_hit_percent = v as u32,
        },
    },
    Field {
        path: "paging.other_volumes",
        label: "Other page volumes",
        unit: "volumes",
        help: "Further page volumes, which may be of another kind or size: best practice is to have none.",
        kind: Kind::Whole {
            min: 0,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.paging.other_volumes.into(),
            set: |s, _, v| s.paging.other_volumes = v as u32,
        },
    },
    Field {
        path: "paging.other_kind",
        label: "Kind of the other page volumes",
        unit: "",
        help: "What the further page volumes are.",
        kind: Kind::Choice {
            allowed: KINDS,
            get: |s, _| s.paging.other_kind.as_str(),
            set: |s, _, v| s.paging.other_kind = kind_of(v),
        },
    },
    Field {
        path: "paging.other_slots",
        label: "Slots on each other page volume",
        unit: "slots",
        help: "Page slots of 4 KB on each further page volume.",
        kind: Kind::Whole {
            min: 1_800,
            max: MAX_VOLUME_SLOTS,
            slider_max: 23_587_200,
            step: 1_800,
            get: |s, _| s.paging.other_slots,
            set: |s, _, v| s.paging.other_slots = v,
        },
    },
    Field {
        path: "minidisks.volumes",
        label: "Minidisk volumes",
        unit: "volumes",
        help: "Volumes that hold minidisks; the guests' minidisks are dealt out to them in turn.",
        kind: Kind::Whole {
            min: 0,
            max: MAX_VOLUMES,
            slider_max: 16,
            step: 1,
            get: |s, _| s.minidisks.volumes.into(),
            set: |s, _, v| s.minidisks.volumes = v as u32,
        },
    },
    Field {
        path: "minidisks.kind",
        label: "Kind of minidisk volume",
        unit: "",
        help: "What the minidisk volumes are.",
        kind: Kind::Choice {
            allowed: KINDS,
            get: |s, _| s.minidisks.kind.as_str(),
            set: |s, _, v| s.minidisks.kind = kind_of(v),
        },
    },
    Field {
        path: "minidisks.queue_depth",
        label: "Queue depth of a minidisk EDEV",
        unit: "I/Os",
        help: "I/Os that a SCSI minidisk volume carries at once; ECKD volumes have exposures instead.",
        kind: Kind::Whole {
            min: 1,
            max: 256,
            slider_max: 64,
            step: 1,
            get: |s, _| s.minidisks.queue_depth.into(),
            set: |s, _, v| s.minidisks.queue_depth = v as u32,
        },
    },
    Field {
        path: "minidisks.read_hit_percent",
        label: "Minidisk reads that hit the cache",
        unit: "%",
        help: "Reads of a hundred that the cache of the control unit serves; the others wait for the disk.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.minidisks.read_hit_percent.into(),
            set: |s, _, v| s.minidisks.read_hit_percent = v as u32,
        },
    },
    Field {
        path: "minidisks.write_hit_percent",
        label: "Minidisk writes that hit the cache",
        unit: "%",
        help: "Writes of a hundred that the cache of the control unit takes; the others wait for the disk.",
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, _| s.minidisks.write_hit_percent.into(),
            set: |s, _, v| s.minidisks.write_hit_percent = v as u32,
        },
    },
    Field {
        path: "minidisks.on_page_volumes",
        label: "Minidisks on page volumes",
        unit: "",
        help: "Whether minidisks lie on the page volumes too: best practice is not to mix page space with other data.",
        kind: Kind::Switch { get: |s, _| s.minidisks.on_page_volumes, set: |s, _, v| s.minidisks.on_page_volumes = v },
    },
    Field {
        path: "minidisks.mdc_mb",
        label: "Minidisk cache",
        unit: "MB",
        help: "SET MDCACHE: central storage that caches what guests read from their minidisks; 0 is off. Transport-mode I/O to a minidisk switches it off for that minidisk.",
        kind: Kind::Whole {
            min: 0,
            max: 1_048_576,
            slider_max: 16_384,
            step: 256,
            get: |s, _| s.minidisks.mdc_mb,
            set: |s, _, v| s.minidisks.mdc_mb = v,
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

/// The kinds of volume, as people write them.
const KINDS: &[&str] = &["ECKD spinning", "ECKD SSD", "EDEV flash via SVC", "EDEV flash direct"];

fn kind_of(word: &str) -> DeviceKind {
    DeviceKind::ALL.into_iter().find(|kind| kind.as_str() == word).unwrap_or_default()
}

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

    /// Whether it only names what other fields say: a workload is recognised by its pattern, and choosing one sets that.
    pub fn is_derived(&self) -> bool {
        self.path == "guests.workload"
    }

    /// What is allowed, in words: `a whole number from 1 to 64 volumes`.
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Whole { min, max, .. } => {
                format!("a whole number from {min} to {max} {}", self.unit).trim_end().to_string()
            }
            Kind::Switch { .. } => "true or false".into(),
            Kind::Choice { allowed, .. } => format!("one of \"{}\"", allowed.join("\", \"")),
            Kind::Share { max, .. } => format!("two whole numbers from 1 to {max} with a colon between them, \"15:1\","),
            Kind::Text { max_chars, .. } => format!("a text of 1 to {max_chars} characters"),
        }
    }
}
