//! The minidisk cache and guests' pages share central storage, where CP's arbiter sets the size of the cache.

use super::{Event, Member};
use crate::kernel::time::Span;
use crate::minidisk::{GuestIo, Guests};

impl Member {
    /// The arbiter's next look, if there is an arbiter.
    pub(super) fn arbitrate_later(&mut self) {
        if self.minidisks.has_arbiter() {
            self.agenda.schedule(self.agenda.now() + Span::from_ns_f64(self.constants.arbiter_ns), Event::Arbitration);
        }
    }

    /// The arbiter looks at what was taken away on either side. Frames that the cache gives back go to those who wait.
    pub(super) fn arbitrate(&mut self) {
        let guests =
            Guests { frames: self.storage.takeable(), taken: self.storage.taken(), wait: self.frame_line.first().is_some() };
        self.minidisks.arbitrate(guests, self.constants.arbiter_part);
        self.settle_cache();
        self.arbitrate_later();
    }

    /// What was read from a minidisk goes into the cache, which may take frames for it.
    pub(super) fn cache_tracks(&mut self, cpu: u32, io: &GuestIo) {
        let guest = self.guests.cpu(cpu).guest;
        let storage = &mut self.storage;
        self.minidisks.end_io(guest, io, |frames| storage.lend(frames));
        if self.minidisks.has_arbiter() {
            self.replenish();
            self.serve_frame_waiters();
        }
    }

    /// Frames whose tracks have left the cache are available.
    pub(super) fn settle_cache(&mut self) {
        if self.minidisks.has_arbiter() && self.storage.take_back_all_but(self.minidisks.lent()) {
            self.serve_frame_waiters();
        }
    }

    /// Checks that the cache holds what it was lent.
    pub(super) fn verify_cache(&self) {
        if self.minidisks.has_arbiter() {
            assert_eq!(self.storage.lent(), self.minidisks.lent(), "the minidisk cache holds the frames that it was lent");
        }
    }
}
