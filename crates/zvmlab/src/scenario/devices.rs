//! What a scenario says of devices: the logical control unit, the paging volumes, the minidisk volumes.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// A generation of channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum DeviceKind {
    /// ECKD on spinning disk.
    #[default]
    #[serde(rename = "ECKD spinning")]
    EckdSpinning,
    /// ECKD on solid state disk.
    #[serde(rename = "ECKD SSD")]
    EckdSsd,
    /// SCSI (an EDEV) on the spinning disks of a storage server.
    #[serde(rename = "EDEV spinning")]
    EdevSpinning,
    /// SCSI (an EDEV) on the solid state disks of a storage server.
    #[serde(rename = "EDEV SSD")]
    EdevSsd,
    /// SCSI (an EDEV) on a FlashSystem behind a SAN Volume Controller.
    #[serde(rename = "EDEV flash via SVC")]
    EdevSvc,
    /// SCSI (an EDEV) on a FlashSystem without an SVC, from z/VM 6.4.
    #[serde(rename = "EDEV flash direct")]
    EdevDirect,
}

impl DeviceKind {
    /// Every kind.
    pub const ALL: [DeviceKind; 6] = [
        DeviceKind::EckdSpinning,
        DeviceKind::EckdSsd,
        DeviceKind::EdevSpinning,
        DeviceKind::EdevSsd,
        DeviceKind::EdevSvc,
        DeviceKind::EdevDirect,
    ];

    /// The kind as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            DeviceKind::EckdSpinning => "ECKD spinning",
            DeviceKind::EckdSsd => "ECKD SSD",
            DeviceKind::EdevSpinning => "EDEV spinning",
            DeviceKind::EdevSsd => "EDEV SSD",
            DeviceKind::EdevSvc => "EDEV flash via SVC",
            DeviceKind::EdevDirect => "EDEV flash direct",
        }
    }

    /// Whether FICON reaches it, with base, aliases and zHPF; if not, FCP does, with a queue.
    pub fn is_eckd(self) -> bool {
        matches!(self, DeviceKind::EckdSpinning | DeviceKind::EckdSsd)
    }
}

/// What part of the aliases of the logical control unit each kind of I/O is entitled to: relative shares, as `SET CU` takes
/// them. The text form is `"15:1"`, MDISK first, as table 6 of the 6.4 paging page prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
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
            let plain = part.len() <= 9 && part.bytes().all(|byte| byte.is_ascii_digit()) && !part.starts_with('0');
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

/// The logical control unit that holds the ECKD volumes.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Minidisks {
    /// Volumes that hold minidisks. The guests' minidisks are spread over them in turn.
    pub volumes: u32,
    /// What the volumes are.
    pub kind: DeviceKind,
    /// I/Os that an EDEV carries at once.
    pub queue_depth: u32,
    /// Percentage of reads that the cache of the control unit serves.
    pub read_hit_percent: u32,
    /// Percentage of writes that the cache of the control unit takes.
    pub write_hit_percent: u32,
    /// Whether minidisks lie on the page volumes as well.
    pub on_page_volumes: bool,
    /// Central storage for the minidisk cache, in MB; 0 is off.
    pub mdc_mb: u64,
    /// Whether CP's arbiter sets the size of the cache in central storage, from nothing up to `mdc_mb`. Otherwise that is its size.
    pub mdc_arbiter: bool,
    /// Expanded storage for the minidisk cache, in MB, out of that of the host.
    pub mdc_expanded_mb: u64,
}

impl Minidisks {
    /// Whether there is a minidisk cache.
    pub fn is_cached(&self) -> bool {
        self.mdc_mb + self.mdc_expanded_mb > 0
    }
}

/// The paging volumes and how they are driven.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
    /// Percentage of reads that the cache of the control unit serves.
    pub read_hit_percent: u32,
    /// Percentage of writes that the cache of the control unit takes.
    pub write_hit_percent: u32,
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

impl Paging {
    /// Whether some page volume is an ECKD volume, which can have aliases.
    pub fn has_eckd(&self) -> bool {
        self.kind.is_eckd() || self.other_volumes > 0 && self.other_kind.is_eckd()
    }

    /// Whether some page volume is an EDEV.
    pub fn has_edevs(&self) -> bool {
        !self.kind.is_eckd() || self.other_volumes > 0 && !self.other_kind.is_eckd()
    }
}

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
            mdc_arbiter: false,
            mdc_expanded_mb: 0,
        }
    }
}
