//! What is seen of the model at one instant: plain numbers, for views, embedders and tests.
//!
//! Counters (`…_ns`, `pages_…`, `starts`) count from the start of the run: the difference of two snapshots gives the rates
//! of the time between them (see [`Measurement`](crate::measurement::Measurement)).

use serde::{Deserialize, Serialize};

use crate::scenario::DeviceKind;

/// The state of the whole model at one instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Simulated nanoseconds since the start of the run.
    pub now_ns: u64,
    /// Events handled so far.
    pub events: u64,
    /// Whether every guest has touched its whole loop once: the fill is over.
    pub filled: bool,
    /// Where the frames of central storage are, and what storage management did.
    pub storage: StorageSnapshot,
    /// The pool of aliases, and the paths.
    pub lcu: LcuSnapshot,
    /// The paging volumes and paging I/O.
    pub paging: PagingSnapshot,
    /// The minidisk volumes, guests' I/O and the minidisk cache.
    pub minidisks: MinidisksSnapshot,
    /// The processors and their time.
    pub processors: ProcessorsSnapshot,
    /// Each guest, in the order of the scenario.
    pub guests: Vec<GuestSnapshot>,
}

/// Central storage: where the frames are, and the counters of storage management.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageSnapshot {
    /// Frames of central storage.
    pub installed_frames: u64,
    /// Frames that CP keeps for itself.
    pub cp_frames: u64,
    /// Frames that the minidisk cache has.
    pub mdc_frames: u64,
    /// Frames on the available list.
    pub available_frames: u64,
    /// Frames that a page being read will occupy.
    pub reading_frames: u64,
    /// Frames on the age list: invalid but resident.
    pub age_list_frames: u64,
    /// Frames whose page is valid, on the guests' frame-owned lists.
    pub valid_frames: u64,
    /// Below this number of available frames CP replenishes the available list.
    pub available_low: u64,
    /// Up to this number CP replenishes the available list.
    pub available_high: u64,
    /// Pages touched by the guests.
    pub pages_touched: u64,
    /// Pages touched for the first time: a zeroed frame, no I/O.
    pub pages_first_touched: u64,
    /// Touches that found the page invalid but resident, and made it valid again.
    pub pages_revalidated: u64,
    /// Pages that demand scan looked at.
    pub pages_scanned: u64,
    /// Pages that demand scan put on the age list.
    pub pages_invalidated: u64,
    /// Frames reclaimed from the age list.
    pub frames_reclaimed: u64,
    /// Visits of demand scan to a guest.
    pub scan_visits: u64,
}

/// The logical control unit: the pool of aliases, and the paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LcuSnapshot {
    /// HyperPAV aliases in the pool.
    pub aliases: u32,
    /// Aliases bound to an I/O at this instant.
    pub aliases_in_use: u32,
    /// How many of the paths are FICON paths; they come first, FCP paths after them.
    pub ficon_paths: u32,
    /// I/Os on each path at this instant.
    pub ios_on_path: Vec<u32>,
    /// Time in which each path transferred something.
    pub path_busy_ns: Vec<u64>,
}

/// The paging volumes and what paging I/O came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PagingSnapshot {
    /// Each volume with page space.
    pub volumes: Vec<VolumeSnapshot>,
    /// The I/Os.
    pub ios: ClaimantSnapshot,
}

/// The minidisk volumes, and what the guests' I/O came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MinidisksSnapshot {
    /// Each volume with minidisks that holds no page space.
    pub volumes: Vec<VolumeSnapshot>,
    /// How many volumes hold minidisks, those with page space among them.
    pub volume_count: u32,
    /// The I/Os that went to a volume.
    pub ios: ClaimantSnapshot,
    /// I/Os that guests have asked for and got, those that the minidisk cache served among them.
    pub guest_ios: u64,
    /// CP time that they took.
    pub cp_ns: u64,
    /// The minidisk cache.
    pub mdc: MdcSnapshot,
}

/// The minidisk cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MdcSnapshot {
    /// Frames that it has.
    pub frames: u64,
    /// Frames that hold tracks.
    pub frames_used: u64,
    /// Minidisks that it serves.
    pub minidisks_on: u32,
    /// Minidisks that it served until transport-mode I/O switched it off for them.
    pub minidisks_disabled: u32,
    /// Reads that it was asked for.
    pub reads: u64,
    /// Reads that it had.
    pub hits: u64,
}

/// What the I/Os of one claimant, minidisk or paging, came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimantSnapshot {
    /// Aliases bound to its I/Os at this instant.
    pub aliases_in_use: u32,
    /// Integral of the aliases in use over time.
    pub aliases_ns: u64,
    /// I/Os waiting for an exposure at this instant.
    pub queued: u32,
    /// Integral of waiting I/Os over time.
    pub queue_ns: u64,
    /// I/Os (SSCH instructions) ended.
    pub starts: u64,
    /// I/Os ended that the cache of the control unit served.
    pub cache_hits: u64,
    /// Blocks read.
    pub blocks_read: u64,
    /// Blocks written.
    pub blocks_written: u64,
    /// Pages, or records of 4 KB, read.
    pub pages_read: u64,
    /// Pages, or records of 4 KB, written.
    pub pages_written: u64,
    /// Pending time of all ended I/Os.
    pub pending_ns: u64,
    /// Disconnect time of all ended I/Os.
    pub disconnect_ns: u64,
    /// Connect time of all ended I/Os.
    pub connect_ns: u64,
    /// Time that all started I/Os had waited for an exposure.
    pub waited_ns: u64,
    /// Integral of I/Os in progress over time.
    pub in_progress_ns: u64,
}

/// One volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VolumeSnapshot {
    /// What it is.
    pub kind: DeviceKind,
    /// Page slots on the volume; none on one that holds minidisks only.
    pub slots: u64,
    /// Slots that hold a page.
    pub slots_used: u64,
    /// I/Os waiting for an exposure at this instant.
    pub queued: u32,
    /// I/Os in progress on the base and on aliases at this instant.
    pub in_progress: u32,
    /// I/Os ended.
    pub starts: u64,
    /// Integral of I/Os in progress over time: base and aliases, so it can pass 100 % of elapsed time.
    pub busy_ns: u64,
    /// Integral of queued I/Os over time.
    pub queue_ns: u64,
}

/// The processors of the partition and how their time was spent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessorsSnapshot {
    /// Processors of the partition.
    pub count: u32,
    /// Processors that run something at this instant.
    pub busy: u32,
    /// Time that guests' own instructions took.
    pub guest_ns: u64,
    /// CP time charged to a guest.
    pub chargeable_cp_ns: u64,
    /// CP time charged to no guest.
    pub nonchargeable_cp_ns: u64,
}

/// What a guest is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuestState {
    /// Ready to run, waiting for a processor.
    #[default]
    Ready,
    /// Running on a processor.
    Running,
    /// Waiting for a page to be read.
    PageWait,
    /// Waiting for a frame of the available list.
    FrameWait,
    /// Waiting for an I/O to its minidisk.
    IoWait,
    /// Thinking, or waiting for the fill to be over.
    Idle,
}

/// One guest: where its pages are and where its time went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GuestSnapshot {
    /// The guest's name.
    pub name: String,
    /// What it is doing at this instant.
    pub state: GuestState,
    /// Pages of its virtual storage.
    pub virtual_pages: u64,
    /// Pages that are valid in a frame.
    pub valid_pages: u64,
    /// Pages that are on the age list: invalid but resident.
    pub age_list_pages: u64,
    /// Pages being read.
    pub reading_pages: u64,
    /// Pages that are on DASD only.
    pub dasd_pages: u64,
    /// Pages touched so far.
    pub pages_touched: u64,
    /// References made to them.
    pub references: u64,
    /// Whether it does I/O to a minidisk.
    pub does_io: bool,
    /// I/Os that it asked for and got.
    pub ios: u64,
    /// References or, for a guest that does I/O, I/Os in a transaction.
    pub transaction: u64,
    /// Where in its loop the guest is: pages from the start of the loop.
    pub position_pages: u64,
    /// Time running.
    pub running_ns: u64,
    /// Time ready, waiting for a processor.
    pub ready_ns: u64,
    /// Time waiting for a page to be read.
    pub page_wait_ns: u64,
    /// Time waiting for a frame.
    pub frame_wait_ns: u64,
    /// Time waiting for an I/O to its minidisk.
    pub io_wait_ns: u64,
    /// Time thinking, or waiting for the fill to be over.
    pub idle_ns: u64,
}

impl GuestSnapshot {
    /// What its transactions are counted in: I/Os or references.
    pub fn work(&self) -> u64 {
        if self.does_io { self.ios } else { self.references }
    }
}

impl Snapshot {
    /// The 64-bit FNV-1a digest of the snapshot's JSON: whole numbers and texts only, so it is the same on every machine.
    pub fn digest(&self) -> u64 {
        let json = serde_json::to_string(self).expect("a snapshot is a tree of numbers and texts");
        json.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}
