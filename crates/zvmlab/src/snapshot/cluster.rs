//! The snapshot of a cluster: its members' states, the links between them, the relocations.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::{MessageSnapshot, Snapshot};

/// The cluster at one instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ClusterSnapshot {
    /// Every member, including the first.
    pub members: Vec<MemberSnapshot>,
    /// The snapshot of each member other than the first. This is part of the first member's.
    pub others: Vec<Snapshot>,
    /// The logical link between each two members, one for each direction.
    pub links: Vec<LinkSnapshot>,
    /// The relocations asked for so far and those to follow, in order. Where guests bounce, only the latest 512.
    pub relocations: Vec<RelocationSnapshot>,
    /// Sums of all relocations that have ended.
    pub totals: RelocationTotals,
    /// When the first VMRELOCATE was issued.
    pub began_ns: Option<u64>,
    /// Time in which at least one relocation was under way.
    pub relocating_ns: u64,
    /// Whether every relocation has ended. With guests that bounce this never happens.
    pub ended: bool,
}

/// One member.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MemberSnapshot {
    /// Its name: MEMBER1.
    pub name: String,
    /// Its state.
    pub state: MemberState,
    /// Since when.
    pub since_ns: u64,
    /// Times that it has changed its state.
    pub changes: u64,
    /// Guests that are logged on there.
    pub guests: u32,
}

/// The state of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemberState {
    /// It is a full member.
    #[default]
    Joined,
    /// It is shutting down.
    Leaving,
    /// It is not there.
    Down,
    /// It is coming back.
    Joining,
}

/// One direction of the ISFC logical link between two members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct LinkSnapshot {
    /// The member that sends, its place in [`ClusterSnapshot::members`].
    pub from: u32,
    /// The member that receives.
    pub to: u32,
    /// Whether the connection stands.
    pub up: bool,
    /// Its capacity factor: the sum of the chpids' speeds in Gb/s.
    pub capacity_factor: u32,
    /// Buffers for queued traffic.
    pub buffers: u32,
    /// How many of those are in use at this instant.
    pub buffers_used: u32,
    /// Integral of the buffers in use over time.
    pub buffers_ns: u64,
    /// Bytes that have arrived at the other end, relocations' and others'.
    pub bytes: u64,
    /// How many of those belong to other traffic than relocations.
    pub other_bytes: u64,
    /// Time that other traffic's messages waited for a CTC.
    pub other_waited_ns: u64,
    /// Messages of other traffic that arrived.
    pub other_messages: u64,
    /// Bytes that arrived while relocations were under way.
    pub relocating_bytes: u64,
    /// Busy time of all chpids together while relocations were under way.
    pub relocating_busy_ns: u64,
    /// Each message under way at this instant, from its collection until it is stored, in the order of their numbers.
    pub messages: Vec<MessageSnapshot>,
    /// Each chpid.
    pub chpids: Vec<ChpidSnapshot>,
}

/// One chpid of a link, in one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ChpidSnapshot {
    /// Its speed in Gb/s.
    pub gb_s: u32,
    /// Its CTC devices.
    pub ctcs: u32,
    /// How many of those carry a message at this instant.
    pub ctcs_busy: u32,
    /// Time in which something was transferred on the chpid.
    pub busy_ns: u64,
    /// Bytes that it carried.
    pub bytes: u64,
}

/// One relocation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct RelocationSnapshot {
    /// The guest: its place among the guests.
    pub guest: u32,
    /// Its name.
    pub name: String,
    /// The member that it leaves, its place in [`ClusterSnapshot::members`].
    pub from: u32,
    /// The member that it goes to.
    pub to: u32,
    /// What is going on.
    pub stage: RelocationStage,
    /// When each stage began, in order. Waiting does not count as a stage.
    pub stages: Vec<(RelocationStage, u64)>,
    /// Each pass through the guest's storage.
    pub passes: Vec<PassSnapshot>,
    /// How it ended.
    pub end: Option<EndCode>,
    /// When VMRELOCATE was issued.
    pub began_ns: Option<u64>,
    /// When the guest was stopped.
    pub stopped_ns: Option<u64>,
    /// When it was started again, at the destination or, where the relocation was cancelled, at the source.
    pub started_ns: Option<u64>,
    /// When the relocation ended.
    pub ended_ns: Option<u64>,
    /// Pages of the guest at the source that were ever touched.
    pub touched_pages: u64,
    /// Pages that were changed after they had been sent, and must be sent again, at this instant.
    pub changed_pages: u64,
    /// The guest's storage in equal pieces, from its first page to its last, while the source notes what changes.
    pub pieces: Vec<PieceSnapshot>,
    /// What holds it back at this instant.
    pub throttle: Option<Throttle>,
    /// Time that each throttle held it back, in the order of [`Throttle::ALL`].
    pub throttled_ns: [u64; 3],
    /// Pages that had to be read from page space at the source.
    pub pages_read: u64,
    /// Time that buffers waited at the destination for frames.
    pub frame_wait_ns: u64,
    /// Processor time of CP at the source and at the destination.
    pub cpu_ns: [u64; 2],
    /// Longest stop that the guest tolerates, in ms, from its scenario; 0: none given.
    pub tolerance_ms: u32,
    /// The guest before VMRELOCATE: since the fill, or since its relocation before this one.
    pub before: Option<StaySnapshot>,
    /// The guest after the relocation has ended: until now, or until the next VMRELOCATE.
    pub after: Option<StaySnapshot>,
}

/// Sums of the relocations that have ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct RelocationTotals {
    /// Relocations that completed.
    pub completed: u64,
    /// Relocations that ended otherwise.
    pub not_completed: u64,
    /// Time for which the completed relocations had stopped their guests.
    pub quiesce_ns: u64,
    /// The longest stop of any of them, completed or given up. A guest that logged off does not count.
    pub quiesce_worst_ns: u64,
    /// Time that the completed relocations took.
    pub relocation_ns: u64,
    /// Passes of the completed relocations.
    pub passes: u64,
    /// Pages that those passes sent.
    pub pages: u64,
    /// First passes that ended.
    pub first_passes: u64,
    /// Pages that those first passes sent.
    pub first_pass_pages: u64,
    /// Time that each throttle held relocations back, including those under way, in the order of [`Throttle::ALL`].
    pub throttled_ns: [u64; 3],
}

impl RelocationTotals {
    /// Counts a relocation that has ended.
    pub(crate) fn count(&mut self, ended: &RelocationSnapshot) {
        match ended.end {
            Some(EndCode::Completed) => {
                self.completed += 1;
                self.quiesce_ns += ended.quiesce_ns().unwrap_or(0);
                self.relocation_ns += ended.relocation_ns().unwrap_or(0);
                self.passes += ended.passes.len() as u64;
                self.pages += ended.pages();
            }
            _ => self.not_completed += 1,
        }
        self.quiesce_worst_ns = self.quiesce_worst_ns.max(ended.quiesce_ns().unwrap_or(0));
        if let Some(first) = ended.passes.first().filter(|pass| pass.ended_ns.is_some()) {
            self.first_passes += 1;
            self.first_pass_pages += first.pages;
        }
        self.hold(ended.throttled_ns);
    }

    /// Adds the time that throttles have held a relocation back.
    pub(crate) fn hold(&mut self, throttled_ns: [u64; 3]) {
        self.throttled_ns.iter_mut().zip(throttled_ns).for_each(|(sum, held)| *sum += held);
    }
}

/// What goes on in a relocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelocationStage {
    /// It waits until those before it have ended.
    #[default]
    Waiting,
    /// Whether the guest may be relocated is checked.
    Eligibility,
    /// A skeleton of the guest is built at the destination.
    Skeleton,
    /// Storage is moved while the guest runs.
    Moving,
    /// The guest is stopped: its I/O and CP's work for it come to an end.
    Stopping,
    /// The guest's state and its I/O configuration are moved, and the last pass but one.
    StateMove,
    /// The last pass.
    LastPass,
    /// It has ended.
    Ended,
}

/// What a guest was given while it was not being relocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct StaySnapshot {
    /// How long it stayed.
    pub ns: u64,
    /// For how long its virtual CPUs, all together, could have run meanwhile but did not: ready or interrupted.
    pub steal_ns: u64,
}

/// One pass through the guest's storage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PassSnapshot {
    /// When it began.
    pub began_ns: u64,
    /// When it was over: everything had arrived.
    pub ended_ns: Option<u64>,
    /// Pages that it sent.
    pub pages: u64,
    /// How many of those were sent before.
    pub resent: u64,
    /// Whether the guest was stopped.
    pub stopped: bool,
    /// For how long its virtual CPUs, all together, could have run in the pass but did not: ready or interrupted. 0 until the
    /// pass is over.
    pub steal_ns: u64,
}

/// A piece of the storage of a guest that is being relocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PieceSnapshot {
    /// Pages that were sent at least once.
    pub sent: u32,
    /// Pages that were sent and have changed since.
    pub changed: u32,
    /// Pages that were touched and never sent.
    pub unsent: u32,
    /// Pages that the present pass has sent, or the last one.
    pub of_pass: u32,
}

/// What holds a relocation back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Throttle {
    /// End to end: one of the two members pages heavily.
    Paging,
    /// At the endpoint of the memory move: storage is short at the destination.
    Memory,
    /// On the ISFC logical link: no buffer for queued traffic is left.
    Link,
}

/// How a relocation ended (monitor domain 4 record 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndCode {
    /// 00.
    Completed,
    /// 01.
    Cancelled,
    /// 02.
    Cphx,
    /// 03.
    ConnectionLost,
    /// 04.
    MaxTotal,
    /// 05.
    MaxQuiesce,
    /// 06.
    Ineligible,
    /// 07.
    Logoff,
    /// 08; the model has none.
    InternalError,
    /// 09; the model has none.
    RejectedByExit,
}

impl EndCode {
    /// Every code, in their order.
    pub const ALL: [EndCode; 10] = [
        EndCode::Completed,
        EndCode::Cancelled,
        EndCode::Cphx,
        EndCode::ConnectionLost,
        EndCode::MaxTotal,
        EndCode::MaxQuiesce,
        EndCode::Ineligible,
        EndCode::Logoff,
        EndCode::InternalError,
        EndCode::RejectedByExit,
    ];

    /// The code: 0 to 9.
    pub fn code(self) -> u32 {
        self as u32
    }

    /// What it means (monitor domain 4 record 12, MRUSERLE).
    pub fn text(self) -> &'static str {
        match self {
            EndCode::Completed => "completed",
            EndCode::Cancelled => "ended by VMRELOCATE CANCEL",
            EndCode::Cphx => "ended by CPHX",
            EndCode::ConnectionLost => "ended by the loss of the ISFC connection",
            EndCode::MaxTotal => "ended as MAXTOTAL was exceeded",
            EndCode::MaxQuiesce => "ended as MAXQUIESCE was exceeded",
            EndCode::Ineligible => "ended by an eligibility violation",
            EndCode::Logoff => "ended as the guest was reset or logged off",
            EndCode::InternalError => "ended by an internal error",
            EndCode::RejectedByExit => "rejected by an exit",
        }
    }
}

impl Throttle {
    /// Every throttle, in the order of [`RelocationSnapshot::throttled_ns`].
    pub const ALL: [Throttle; 3] = [Throttle::Paging, Throttle::Memory, Throttle::Link];
}

impl RelocationSnapshot {
    /// Pages that all passes sent.
    pub fn pages(&self) -> u64 {
        self.passes.iter().map(|pass| pass.pages).sum()
    }

    /// Time for which the guest was stopped, once it goes on again.
    pub fn quiesce_ns(&self) -> Option<u64> {
        Some(self.started_ns? - self.stopped_ns?)
    }

    /// Time from VMRELOCATE to the end, once that is over.
    pub fn relocation_ns(&self) -> Option<u64> {
        Some(self.ended_ns? - self.began_ns?)
    }
}
