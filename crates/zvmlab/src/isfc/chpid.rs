//! A chpid of a link in one direction: its CTCs, and the messages that transfer on it.

use crate::kernel::sharing::{NextEnd, ProcessorSharing};
use crate::kernel::time::{Instant, Span};
use crate::snapshot::ChpidSnapshot;

/// One chpid.
#[derive(Clone, Debug)]
pub(super) struct Chpid {
    pub gb_s: u32,
    pub ctcs: u32,
    /// CTCs that carry a message, in the protocol exchange or in the transfer.
    pub ctcs_busy: u32,
    /// Which of them do.
    busy: Vec<bool>,
    /// Time that a byte takes when nothing else is transferred.
    ns_per_byte: f64,
    transfers: ProcessorSharing,
    /// Bytes of the messages whose transfer has ended.
    bytes: u64,
}

impl Chpid {
    /// A chpid of `gb_s`; `ns_per_byte` is the time of a byte at 1 Gb/s.
    pub fn new(gb_s: u32, ctcs: u32, ns_per_byte: f64) -> Self {
        let ns_per_byte = ns_per_byte / f64::from(gb_s);
        Chpid {
            gb_s,
            ctcs,
            ctcs_busy: 0,
            busy: vec![false; ctcs as usize],
            ns_per_byte,
            transfers: ProcessorSharing::default(),
            bytes: 0,
        }
    }

    pub fn has_free_ctc(&self) -> bool {
        self.ctcs_busy < self.ctcs
    }

    /// The transfer of a message of `bytes` begins at `now`.
    pub fn join(&mut self, now: Instant, message: u32, bytes: u64) -> NextEnd {
        self.transfers.join(now, message, self.ns_per_byte * bytes as f64)
    }

    /// The end that `generation` announced is due. Returns the message that has been transferred, and the next end; `None`
    /// if it is void.
    pub fn end(&mut self, now: Instant, generation: u32) -> Option<(u32, Option<NextEnd>)> {
        self.transfers.end(now, generation)
    }

    /// A message takes a CTC: the first that is free.
    pub fn take_ctc(&mut self) -> u16 {
        let ctc = self.busy.iter().position(|busy| !busy).unwrap_or_default();
        self.busy[ctc] = true;
        self.ctcs_busy += 1;
        ctc as u16
    }

    /// Whether a CTC carries a message.
    pub fn is_busy(&self, ctc: u16) -> bool {
        self.busy[ctc as usize]
    }

    /// A message of `bytes` has been transferred: its CTC is free.
    pub fn free_ctc(&mut self, ctc: u16, bytes: u64) {
        self.busy[ctc as usize] = false;
        self.ctcs_busy -= 1;
        self.bytes += bytes;
    }

    /// The connection is lost: every CTC is free, and all announcements are void.
    pub fn lose(&mut self, now: Instant) {
        self.ctcs_busy = 0;
        self.busy.fill(false);
        self.transfers.clear(now);
    }

    /// How much of the transfer of a message of `bytes` is done, in millionths, and when it ends if nobody joins or leaves.
    pub fn left(&self, now: Instant, message: u32, bytes: u64) -> Option<(u32, Instant)> {
        let left = self.transfers.left(now, message)?;
        let whole = self.ns_per_byte * bytes as f64;
        let part = if whole > 0.0 { (left.work_ns / whole).clamp(0.0, 1.0) } else { 0.0 };
        Some((((1.0 - part) * 1e6) as u32, now + Span::from_ns_f64(left.shared_ns)))
    }

    /// Messages in transfer.
    pub fn transfers(&self) -> u32 {
        self.transfers.len()
    }

    pub fn snapshot(&self, now: Instant) -> ChpidSnapshot {
        let Span(busy_ns) = self.transfers.busy(now);
        ChpidSnapshot { gb_s: self.gb_s, ctcs: self.ctcs, ctcs_busy: self.ctcs_busy, busy_ns, bytes: self.bytes }
    }
}

/// The chpid whose CTC the next message takes. Of the chpids with a free CTC it is the one with the fewest busy CTCs for its
/// speed, counting this message; of equals, the first. Assumed; how ISFC spreads its messages is not published.
pub(super) fn choose(chpids: &[Chpid]) -> Option<u16> {
    let mut best: Option<(u16, &Chpid)> = None;
    for (index, chpid) in (0u16..).zip(chpids).filter(|(_, chpid)| chpid.has_free_ctc()) {
        let better = |than: &Chpid| (chpid.ctcs_busy + 1) * than.gb_s < (than.ctcs_busy + 1) * chpid.gb_s;
        if best.is_none_or(|(_, than)| better(than)) {
            best = Some((index, chpid));
        }
    }
    best.map(|(index, _)| index)
}
