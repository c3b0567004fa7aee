//! The messages under way on the links of a cluster, for pictures in which each takes its real course.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// One message under way, at one instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MessageSnapshot {
    /// Its number among all messages of the run, from 0.
    pub number: u64,
    /// The guest whose pages it carries, its place among the guests. Other users' traffic is for none.
    pub guest: Option<u32>,
    /// Pages; 0 in other users' traffic, and in a stretch of a pass that found none.
    pub pages: u32,
    /// Bytes.
    pub bytes: u64,
    /// How far it is.
    pub stage: MessageStage,
    /// When this stage began.
    pub since_ns: u64,
    /// When this stage will end: fixed in the protocol exchange, expected in a transfer, in which others may join or leave the
    /// chpid. Equal to `since_ns` where the end depends on others.
    pub until_ns: u64,
    /// In a transfer, how much of it is done, in millionths.
    pub done_ppm: u32,
    /// The chpid that carries it, from the protocol exchange until it is delivered.
    pub chpid: Option<u32>,
    /// Its CTC on that chpid, from 0; from the protocol exchange to the end of the transfer.
    pub ctc: Option<u32>,
    /// Whether it holds a buffer of the link. Other users' traffic holds none.
    pub buffered: bool,
}

impl MessageSnapshot {
    /// Whether a CTC carries it.
    pub fn is_on_ctc(&self) -> bool {
        matches!(self.stage, MessageStage::Protocol | MessageStage::Transfer)
    }
}

/// How far a message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageStage {
    /// CP collects its pages at the source.
    #[default]
    Collecting,
    /// It waits for a CTC.
    Waiting,
    /// Its CTC exchanges what the protocol asks for.
    Protocol,
    /// It is transferred on the chpid.
    Transfer,
    /// It has come over, and waits for a message that was sent earlier.
    Early,
    /// CP stores its pages at the destination.
    Storing,
    /// It waits for frames at the destination.
    FrameWait,
}
