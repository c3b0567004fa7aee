//! A snapshot of the model at one instant: plain numbers, for views, embedders and tests.
//!
//! Counters (`…_ns`, `pages_…`, `starts`) count from the start of the run: the difference of two snapshots gives the rates
//! of the time between them (see [`Measurement`](crate::measurement::Measurement)).

mod cluster;
mod connections;
mod ios;
mod lists;
mod locks;
mod messages;
mod prsm;
mod storage;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::scenario::DeviceKind;
pub use cluster::{
    ChpidSnapshot, ClusterSnapshot, EndCode, LinkSnapshot, MemberSnapshot, MemberState, PassSnapshot, PieceSnapshot,
    RelocationSnapshot, RelocationStage, RelocationTotals, StaySnapshot, Throttle,
};
pub use connections::ConnectionsSnapshot;
pub use ios::{IoKind, IoSnapshot, IoStage};
pub use lists::{List, MoveSnapshot, SchedulerSnapshot, Why};
pub use locks::{LocksSnapshot, PtilSnapshot};
pub use messages::{MessageSnapshot, MessageStage};
pub use prsm::{PrsmSnapshot, TurnSnapshot};
pub use storage::{ContiguousSnapshot, ExpandedSnapshot, Look, LookRun, PassesSnapshot, SidesSnapshot, StorageSnapshot};

/// The state of the whole model at one instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
    /// The physical processors, where the partition shares them.
    pub prsm: PrsmSnapshot,
    /// The scheduler's lists.
    pub scheduler: SchedulerSnapshot,
    /// The spin locks of CP and of the guests.
    pub locks: LocksSnapshot,
    /// Each guest, in the order of the scenario.
    pub guests: Vec<GuestSnapshot>,
    /// Where the connections between clients and servers are, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<ConnectionsSnapshot>,
    /// The cluster whose first member this is, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Box<ClusterSnapshot>>,
}

/// The logical control unit: the pool of aliases, and the paths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
    /// Each I/O under way at this instant, from its request until CP is done with it, oldest first.
    pub ios: Vec<IoSnapshot>,
}

/// The paging volumes and the totals of paging I/O.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PagingSnapshot {
    /// Each volume with page space.
    pub volumes: Vec<VolumeSnapshot>,
    /// The I/Os.
    pub ios: ClaimantSnapshot,
}

/// The minidisk volumes, and the totals of the guests' I/O.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MinidisksSnapshot {
    /// Each volume with minidisks that holds no page space.
    pub volumes: Vec<VolumeSnapshot>,
    /// How many volumes hold minidisks, including those with page space.
    pub volume_count: u32,
    /// The I/Os that went to a volume.
    pub ios: ClaimantSnapshot,
    /// I/Os that guests have asked for and got, including those that the minidisk cache served.
    pub guest_ios: u64,
    /// CP time that they took.
    pub cp_ns: u64,
    /// The minidisk cache.
    pub mdc: MdcSnapshot,
}

/// The minidisk cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MdcSnapshot {
    /// Frames that it has.
    pub frames: u64,
    /// Frames that it may have at most, where CP's arbiter sets its size.
    #[serde(skip_serializing_if = "is_default")]
    pub most_frames: u64,
    /// Pages of expanded storage that it has.
    #[serde(skip_serializing_if = "is_default")]
    pub expanded_pages: u64,
    /// Frames, and pages of expanded storage, that hold tracks.
    pub frames_used: u64,
    /// Minidisks that it serves.
    pub minidisks_on: u32,
    /// Minidisks that it served until transport-mode I/O switched it off for them.
    pub minidisks_disabled: u32,
    /// Reads that came to the cache.
    pub reads: u64,
    /// Reads that the cache served.
    pub hits: u64,
    /// Pages that it moved to expanded storage and from there.
    #[serde(skip_serializing_if = "is_default")]
    pub expanded_moved: u64,
    /// Tracks that CP looked for because FlashCopy wrote to them.
    #[serde(skip_serializing_if = "is_default")]
    pub invalidated: u64,
    /// How many of them the cache held.
    #[serde(skip_serializing_if = "is_default")]
    pub invalidated_held: u64,
    /// CP time for them.
    #[serde(skip_serializing_if = "is_default")]
    pub invalidate_ns: u64,
}

/// The totals of one claimant's I/Os, minidisk or paging.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
    /// Runs of contiguous slots read; an I/O of a guest counts as one.
    pub runs_read: u64,
    /// Runs of contiguous slots written.
    pub runs_written: u64,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ProcessorsSnapshot {
    /// Logical processors of the partition.
    pub count: u32,
    /// Processors that run something at this instant.
    pub busy: u32,
    /// Time that guests' own instructions took.
    pub guest_ns: u64,
    /// CP time charged to a guest.
    pub chargeable_cp_ns: u64,
    /// CP time charged to no guest, including the time that CP spins for locks.
    pub nonchargeable_cp_ns: u64,
    /// Time in which a logical processor had work but no physical processor.
    pub suspended_ns: u64,
    /// Time in which processors had nothing to do.
    pub idle_ns: u64,
    /// Virtual CPUs given to a processor.
    pub dispatches: u64,
    /// How many of those a processor took from the vector of another one.
    pub steals: u64,
    /// Times that the dispatch list was dealt out to the vectors.
    pub reshuffles: u64,
    /// Ready virtual CPUs at this instant.
    pub ready: u32,
    /// How many of those are in no vector, but only in the dispatch list.
    pub beyond_vectors: u32,
    /// Integral over time of ready virtual CPUs while some processor had nothing to do: work that was forgotten.
    pub forgotten_ns: u64,
    /// Each logical processor.
    pub logical: Vec<LogicalSnapshot>,
}

/// One logical processor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct LogicalSnapshot {
    /// What it does at this instant.
    pub does: Doing,
    /// The guest that it runs, or works for: its place among the guests.
    pub guest: Option<u32>,
    /// Virtual CPUs in its vector (PLDV).
    pub vector: u32,
    /// Time that it was busy: guest and CP.
    pub busy_ns: u64,
}

/// What a logical processor does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// Nothing: a wait.
    #[default]
    Idle,
    /// Runs a guest.
    Guest,
    /// Does CP's work.
    Cp,
    /// Spins for a lock of CP.
    Spin,
    /// Has work, but PR/SM gives it no physical processor.
    Suspended,
}

/// What a virtual CPU is doing. Each is in one state at any time; the names are those of FCX114 USTAT where it has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuestState {
    /// Ready to run, waiting for a processor.
    #[default]
    Ready,
    /// Running on a processor.
    Running,
    /// On a processor that does something else at the moment: CP takes an interruption, or PR/SM has the physical processor.
    Interrupted,
    /// Waiting for a page to be read.
    PageWait,
    /// Waiting for a frame of the available list.
    FrameWait,
    /// Waiting for an I/O to its minidisk.
    IoWait,
    /// Waiting for a CP service that it asked for.
    SimulationWait,
    /// Wants to run, but its guest is in the eligible list.
    Eligible,
    /// Wants to run, but its guest is in the limit list.
    LimitList,
    /// Thinking, or waiting for the fill to be over.
    Idle,
    /// Wants to run, but CP reorders its guest's list of frames: console function wait.
    ConsoleWait,
    /// Wants to run, but its guest is stopped for the end of its relocation.
    Stopped,
    /// Its guest is logged on at another member of the cluster.
    Away,
}

impl GuestState {
    /// Every state of a virtual CPU whose guest is at this member.
    pub const ALL: [GuestState; 12] = [
        GuestState::Running,
        GuestState::Interrupted,
        GuestState::Ready,
        GuestState::PageWait,
        GuestState::FrameWait,
        GuestState::IoWait,
        GuestState::SimulationWait,
        GuestState::Eligible,
        GuestState::LimitList,
        GuestState::Idle,
        GuestState::ConsoleWait,
        GuestState::Stopped,
    ];
}

/// One guest: where its pages are and where its time went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct GuestSnapshot {
    /// The guest's name.
    pub name: String,
    /// Which group of the scenario it is of, from 0.
    pub group: u32,
    /// Whether it is logged on at another member of the cluster.
    #[serde(skip_serializing_if = "is_default")]
    pub away: bool,
    /// What its virtual CPUs are doing at this instant: the first state of [`GuestState::ALL`] that one of them is in.
    pub state: GuestState,
    /// What each of its virtual CPUs is doing.
    pub virtual_cpus: Vec<GuestState>,
    /// Which list it is in.
    pub list: List,
    /// Since when.
    pub list_since_ns: u64,
    /// While it waits in the eligible list: the barrier under which it does not fit, 0 for the first.
    pub barrier: Option<u32>,
    /// Its working set in pages: what it claims in the dispatch list, or would.
    pub working_set_pages: u64,
    /// Its share in millionths of the partition; 0 while it is in no list that counts.
    pub share_ppm: u64,
    /// Processor time that it has used: its own, and the CP time charged to it.
    pub cpu_ns: u64,
    /// Cycles that it has done; of a client, requests that were answered.
    pub cycles: u64,
    /// Time that its cycles took, each from the end of the pause before it to its own end; of a client, from the end of thinking to
    /// the answer; of a server, from the request to the answer.
    pub response_ns: u64,
    /// Whether its program works in cycles. Its transactions then consist of cycles.
    pub in_cycles: bool,
    /// Pages of its virtual storage.
    pub virtual_pages: u64,
    /// Pages that are valid in a frame.
    pub valid_pages: u64,
    /// Pages that are on the age list: invalid but resident.
    pub age_list_pages: u64,
    /// How many of its pages in frames stand below 2 GB, where the host tells the sides apart.
    #[serde(skip_serializing_if = "is_default")]
    pub below_pages: u64,
    /// Pages being read.
    pub reading_pages: u64,
    /// Pages that are in expanded storage.
    #[serde(skip_serializing_if = "is_default")]
    pub expanded_pages: u64,
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
    /// How many references or, for a program with cycles, how many cycles make a transaction.
    pub transaction: u64,
    /// Whether it asks servers. Its transactions are then rounds of its connections.
    #[serde(skip_serializing_if = "is_default")]
    pub asks: bool,
    /// Whether it answers the requests of clients. What it does is then part of their transactions.
    #[serde(skip_serializing_if = "is_default")]
    pub serves: bool,
    /// For how long connections have waited for one of its virtual CPUs, all together.
    #[serde(skip_serializing_if = "is_default")]
    pub line_ns: u64,
    /// Where in its loop the guest is: pages from the start of the loop.
    pub position_pages: u64,
    /// Time running, of all its virtual CPUs together; so are all times that follow.
    pub running_ns: u64,
    /// Time on a processor that did something else: CP's interruptions, PR/SM.
    pub interrupted_ns: u64,
    /// Time ready, waiting for a processor.
    pub ready_ns: u64,
    /// Time waiting for a page to be read.
    pub page_wait_ns: u64,
    /// Time waiting for a frame.
    pub frame_wait_ns: u64,
    /// Time waiting for an I/O to its minidisk.
    pub io_wait_ns: u64,
    /// Time waiting for a CP service that it asked for.
    pub simulation_wait_ns: u64,
    /// Time in the eligible list, wanting to run.
    pub eligible_ns: u64,
    /// Time in the limit list, wanting to run.
    pub limit_list_ns: u64,
    /// Time thinking, or waiting for the fill to be over.
    pub idle_ns: u64,
    /// Time in which its virtual CPUs wanted to run but stood still for a reorder: console function wait.
    #[serde(skip_serializing_if = "is_default")]
    pub console_wait_ns: u64,
    /// Reorders of its list of frames that have ended.
    #[serde(skip_serializing_if = "is_default")]
    pub reorders: u64,
    /// How long it stood still for them, all together.
    #[serde(skip_serializing_if = "is_default")]
    pub reorder_ns: u64,
    /// CP's time for them.
    #[serde(skip_serializing_if = "is_default")]
    pub reorder_cp_ns: u64,
    /// Pages that it has released, and the lock that this takes; none where it releases none.
    #[serde(skip_serializing_if = "is_default")]
    pub ptil: Option<PtilSnapshot>,
    /// Time in which its virtual CPUs wanted to run but the guest was stopped.
    #[serde(skip_serializing_if = "is_default")]
    pub stopped_ns: u64,
    /// Time in which the guest was logged on at another member.
    #[serde(skip_serializing_if = "is_default")]
    pub away_ns: u64,
}

/// Whether a value is the default. The text form leaves out such values where only clusters have others.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl GuestSnapshot {
    /// Its work so far, in what transactions are counted in: cycles or references.
    pub fn work(&self) -> u64 {
        if self.in_cycles { self.cycles } else { self.references }
    }

    /// Pages of it that were ever touched, wherever they are.
    pub fn touched_pages(&self) -> u64 {
        self.valid_pages + self.age_list_pages + self.reading_pages + self.expanded_pages + self.dasd_pages
    }

    /// Its time in `state`, of all its virtual CPUs together.
    pub fn time_in(&self, state: GuestState) -> u64 {
        match state {
            GuestState::Running => self.running_ns,
            GuestState::Interrupted => self.interrupted_ns,
            GuestState::Ready => self.ready_ns,
            GuestState::PageWait => self.page_wait_ns,
            GuestState::FrameWait => self.frame_wait_ns,
            GuestState::IoWait => self.io_wait_ns,
            GuestState::SimulationWait => self.simulation_wait_ns,
            GuestState::Eligible => self.eligible_ns,
            GuestState::LimitList => self.limit_list_ns,
            GuestState::Idle => self.idle_ns,
            GuestState::ConsoleWait => self.console_wait_ns,
            GuestState::Stopped => self.stopped_ns,
            GuestState::Away => self.away_ns,
        }
    }
}

impl Snapshot {
    /// The 64-bit FNV-1a digest of the snapshot's bytes, as workers send them: whole numbers and texts only, so it is the same on every
    /// machine.
    pub fn digest(&self) -> u64 {
        let bytes = borsh::to_vec(self).expect("a snapshot is a tree of numbers and texts");
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}
