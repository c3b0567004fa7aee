//! A dot: an I/O or a message on its way.

use zvmlab::snapshot::{IoStage, MessageStage};

use super::{Course, Tone};
use crate::words::unit::gb_or_mb;

/// Something on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Its number among the I/Os, or among the messages: the same dot in the pictures before and after.
    pub number: u64,
    /// What it is.
    pub subject: DotKind,
    /// What its colour means.
    pub tone: Tone,
    /// Where it is, and where it goes.
    pub course: Course,
}

/// What is on its way.
#[derive(Clone, Debug, PartialEq)]
pub enum DotKind {
    /// An I/O.
    Io {
        /// The number of its guest, from 1.
        guest: Option<u32>,
        /// The volume that it is for, counted over all volumes.
        volume: usize,
        /// How far it is.
        stage: IoStage,
        /// Whether it writes.
        writes: bool,
    },
    /// A message from member to member.
    Message {
        /// The name of the guest whose pages it carries; none for other users of the link.
        guest: Option<String>,
        /// Its pages.
        pages: u32,
        /// How far it is.
        stage: MessageStage,
    },
}

/// The form of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotForm {
    /// A read.
    Round,
    /// A write.
    Square,
    /// A message.
    Packet,
}

impl Dot {
    /// A name that no other dot of the picture has.
    pub fn key(&self) -> String {
        match self.subject {
            DotKind::Io { .. } => self.number.to_string(),
            DotKind::Message { .. } => format!("message-{}", self.number),
        }
    }

    /// Its form.
    pub fn form(&self) -> DotForm {
        match self.subject {
            DotKind::Io { writes: true, .. } => DotForm::Square,
            DotKind::Io { .. } => DotForm::Round,
            DotKind::Message { .. } => DotForm::Packet,
        }
    }

    /// Whether it waits in a queue. Then it can be seen at any speed.
    pub fn waits(&self) -> bool {
        matches!(self.subject, DotKind::Io { stage: IoStage::Queued, .. })
    }

    /// What it is and how far it is, in words.
    pub fn words(&self) -> String {
        match &self.subject {
            DotKind::Io { guest: Some(guest), stage, .. } => {
                format!("I/O {} for guest {guest}: {}", self.number, of_io(*stage))
            }
            DotKind::Io { guest: None, stage, .. } => format!("I/O {}: {}", self.number, of_io(*stage)),
            DotKind::Message { guest: Some(guest), pages, stage } => {
                format!("Message {}, {} of {guest}: {}", self.number, gb_or_mb(u64::from(*pages)), of_message(*stage))
            }
            DotKind::Message { guest: None, stage, .. } => {
                format!("Message {} of other users: {}", self.number, of_message(*stage))
            }
        }
    }
}

/// The stage of a message in words.
const fn of_message(stage: MessageStage) -> &'static str {
    match stage {
        MessageStage::Collecting => "CP collects its pages",
        MessageStage::Waiting => "waits for a CTC",
        MessageStage::Protocol => "protocol exchange on its CTC",
        MessageStage::Transfer => "transfer on the chpid",
        MessageStage::Early => "arrived before one that was sent earlier, and waits for that",
        MessageStage::Storing => "CP stores its pages",
        MessageStage::FrameWait => "waits for frames at the destination",
    }
}

/// The stage of an I/O in words.
const fn of_io(stage: IoStage) -> &'static str {
    match stage {
        IoStage::Queued => "waits for an exposure",
        IoStage::Pending => "pending",
        IoStage::Disconnect => "disconnected: the control unit gets the data",
        IoStage::Protocol => "protocol on the channel",
        IoStage::Transfer => "transfer on the path",
        IoStage::Interruption => "ended, its interruption is pending",
        IoStage::Finishing => "CP makes its pages valid",
    }
}
