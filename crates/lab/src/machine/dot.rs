//! A dot: an I/O or a message on its way.

use zvmlab::snapshot::{IoKind, IoStage, MessageStage};

use super::{Course, Tone};
use crate::words::unit::gb_or_mb;

/// Radius of a dot, and half the side of a square.
pub(super) const DOT: f64 = 4.0;

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
        /// What it does.
        kind: IoKind,
        /// The name of the guest that waits for it; a write has none.
        guest: Option<String>,
        /// The page of that guest that it was started for. Others may come along with it.
        page: Option<u64>,
        /// Its pages, or records of 4 KB.
        pages: u32,
        /// How far it is.
        stage: IoStage,
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
            DotKind::Io { kind: IoKind::PageWrite | IoKind::MinidiskWrite, .. } => DotForm::Square,
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
            DotKind::Io { kind, guest, page, pages, stage } => {
                let does = does(*kind, guest.as_deref(), *page, *pages);
                format!("I/O {} {does}: {}", self.number, of_io(*kind, *stage))
            }
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

/// What an I/O does, and for whom: `reads page 4711 of LINUX-3 and 7 more`.
fn does(kind: IoKind, guest: Option<&str>, page: Option<u64>, pages: u32) -> String {
    let of = |one: &str| if pages == 1 { format!("one {one}") } else { format!("{pages} {one}s") };
    match (kind, guest, page) {
        (IoKind::PageRead, Some(guest), Some(page)) if pages == 1 => format!("reads page {page} of {guest}"),
        (IoKind::PageRead, Some(guest), Some(page)) => {
            format!("reads page {page} of {guest} and {} more", pages.saturating_sub(1))
        }
        (IoKind::PageRead, Some(guest), None) => format!("reads {} for {guest}", of("page")),
        (IoKind::PageRead, None, _) => format!("reads {}", of("page")),
        (IoKind::PageWrite, ..) => format!("writes {}", of("page")),
        (IoKind::MinidiskRead, guest, _) => format!("reads {}{}", of("record"), minidisk(" from", guest)),
        (IoKind::MinidiskWrite, guest, _) => format!("writes {}{}", of("record"), minidisk(" to", guest)),
    }
}

fn minidisk(way: &str, guest: Option<&str>) -> String {
    guest.map_or(String::new(), |guest| format!("{way} the minidisk of {guest}"))
}

/// The stage of an I/O in words.
const fn of_io(kind: IoKind, stage: IoStage) -> &'static str {
    match (stage, kind) {
        (IoStage::Queued, _) => "waits in CP's queue for an exposure",
        (IoStage::Pending, _) => "pending",
        (IoStage::Disconnect, _) => "disconnected: the control unit gets the data",
        (IoStage::Protocol, _) => "protocol on the channel",
        (IoStage::Transfer, IoKind::PageRead) => "transfer on the path, into frames",
        (IoStage::Transfer, _) => "transfer on the path",
        (IoStage::Interruption, _) => "ended, its interruption is pending",
        (IoStage::Finishing, IoKind::PageRead) => "CP makes its pages valid",
        (IoStage::Finishing, _) => "CP finishes it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_says_which_pages_it_reads_and_for_whom() {
        let words = |kind: IoKind, guest: Option<&str>, page: Option<u64>, pages: u32| {
            let subject = DotKind::Io { kind, guest: guest.map(String::from), page, pages, stage: IoStage::Transfer };
            Dot { number: 5, subject, tone: Tone::Base, course: Course::still((0.0, 0.0)) }.words()
        };
        let read = words(IoKind::PageRead, Some("LINUX-3"), Some(4711), 8);
        assert_eq!(read, "I/O 5 reads page 4711 of LINUX-3 and 7 more: transfer on the path, into frames");
        let alone = words(IoKind::PageRead, Some("LINUX-3"), Some(4711), 1);
        assert_eq!(alone, "I/O 5 reads page 4711 of LINUX-3: transfer on the path, into frames");
        assert_eq!(words(IoKind::PageWrite, None, None, 30), "I/O 5 writes 30 pages: transfer on the path");
        let record = words(IoKind::MinidiskRead, Some("CMS-1"), None, 1);
        assert_eq!(record, "I/O 5 reads one record from the minidisk of CMS-1: transfer on the path");
    }
}
