//! The I/Os under way, as a snapshot shows them.

use super::{Claimant, Devices, Direction, Io, Progress};
use crate::kernel::time::{Instant, Span};
use crate::snapshot::{IoKind, IoSnapshot, IoStage};

impl Devices {
    /// Each I/O under way, oldest first.
    pub(super) fn under_way(&self, now: Instant, waits: &dyn Fn(u32) -> (Option<u32>, Option<u64>)) -> Vec<IoSnapshot> {
        let alive = self.ios.iter().zip(0u32..).filter(|(io, _)| io.progress != Progress::Forgotten);
        let mut ios: Vec<IoSnapshot> = alive.map(|(io, index)| self.io(now, io, index, waits(io.request.tag))).collect();
        ios.sort_unstable_by_key(|io| io.number);
        ios
    }

    /// One I/O under way; `guest` waits for it, at `page`.
    fn io(&self, now: Instant, io: &Io, index: u32, (guest, page): (Option<u32>, Option<u64>)) -> IoSnapshot {
        let disconnect_from = io.started + io.pending;
        let (stage, since, until) = match io.progress {
            Progress::Started if now < disconnect_from => (IoStage::Pending, io.started, disconnect_from),
            Progress::Started if now < io.protocol_from => (IoStage::Disconnect, disconnect_from, io.protocol_from),
            Progress::Started if now < io.transfer_at => (IoStage::Protocol, io.protocol_from, io.transfer_at),
            Progress::Started => (IoStage::Transfer, io.transfer_at, io.transfer_at),
            Progress::Ended(at) => (IoStage::Interruption, at, at),
            Progress::Released(at) => (IoStage::Finishing, at, at),
            Progress::Queued | Progress::Forgotten => (IoStage::Queued, io.requested, io.requested),
        };
        let left = match stage {
            IoStage::Transfer => self.paths.left(io.path, now, index),
            _ => None,
        };
        // An I/O of no pages takes no time on the path.
        let left_part = left.map_or(0.0, |left| if io.path_ns > 0.0 { left.work_ns / io.path_ns } else { 0.0 });
        IoSnapshot {
            number: io.sequence,
            kind: match (io.request.claimant, io.request.direction) {
                (Claimant::Paging, Direction::Read) => IoKind::PageRead,
                (Claimant::Paging, Direction::Write) => IoKind::PageWrite,
                (Claimant::Mdisk, Direction::Read) => IoKind::MinidiskRead,
                (Claimant::Mdisk, Direction::Write) => IoKind::MinidiskWrite,
            },
            guest,
            page,
            volume: io.request.volume.into(),
            pages: io.request.pages,
            stage,
            since_ns: since.0,
            until_ns: left.map_or(until, |left| now + Span::from_ns_f64(left.shared_ns)).0,
            done_ppm: if stage == IoStage::Transfer { ((1.0 - left_part).clamp(0.0, 1.0) * 1e6) as u32 } else { 0 },
            on_alias: io.on_alias,
            path: (stage != IoStage::Queued).then_some(io.path.into()),
        }
    }
}
