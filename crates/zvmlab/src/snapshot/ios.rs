//! The I/Os under way, for pictures in which each takes its real course.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// One I/O under way, at one instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct IoSnapshot {
    /// Its number among all I/Os of the run, in the order of their requests, from 0.
    pub number: u64,
    /// What it does, and for whom.
    pub kind: IoKind,
    /// The guest that waits for it: its place among the guests. A write has none, because it gathers pages of several.
    pub guest: Option<u32>,
    /// The page of that guest that a read was started for. Others may come along with it.
    pub page: Option<u64>,
    /// Its volume: those with page space first, then those that hold minidisks only.
    pub volume: u32,
    /// Pages, or records of 4 KB.
    pub pages: u32,
    /// How far it is.
    pub stage: IoStage,
    /// When this stage began.
    pub since_ns: u64,
    /// When this stage will end: fixed from pending to protocol time, expected in a transfer, in which others may join or
    /// leave the path. Equal to `since_ns` where the end depends on others.
    pub until_ns: u64,
    /// In a transfer, how much of it is done, in millionths.
    pub done_ppm: u32,
    /// Whether an alias carries it, and not the base. A queued I/O has neither.
    pub on_alias: bool,
    /// Its channel path, once it has an exposure.
    pub path: Option<u32>,
}

impl IoSnapshot {
    /// Whether it holds an exposure: from its start until CP has taken its interruption.
    pub fn is_on_exposure(&self) -> bool {
        !matches!(self.stage, IoStage::Queued | IoStage::Finishing)
    }
}

/// What an I/O does, and for whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IoKind {
    /// CP reads pages.
    #[default]
    PageRead,
    /// CP writes pages.
    PageWrite,
    /// A guest reads from its minidisk.
    MinidiskRead,
    /// A guest writes to its minidisk.
    MinidiskWrite,
}

/// How far an I/O is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IoStage {
    /// It waits for an exposure of its volume.
    #[default]
    Queued,
    /// It has an exposure; the control unit has not begun.
    Pending,
    /// The control unit works without the path: it gets the data.
    Disconnect,
    /// Channel and control unit exchange what the protocol asks for.
    Protocol,
    /// Data is transferred on its path.
    Transfer,
    /// The transfer is over; CP has not taken the interruption yet, so its exposure is not free.
    Interruption,
    /// Its exposure is free; CP does the rest, such as making pages valid.
    Finishing,
}
