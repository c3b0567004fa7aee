//! FlashCopy onto minidisks that the minidisk cache serves: CP must invalidate the tracks of the target in the cache. A z/OS guest that
//! defragments its volumes does that all the time, and "FlashCopy channel programs induce large numbers of MDC track invalidations";
//! the "symptom is very high unexplained system time" (6.2 performance update, "MDC and FlashCopy Interaction").
//!
//! No figure is published. Assumed: CP looks for each track of the target, whether the cache holds it or not; a track that it holds
//! gives up its frames, which takes as long as clearing them; the next FlashCopy does not begin before that is done. The copy itself is
//! made in the storage server and takes no time here, and the guest's program goes on.

use super::{Event, Member};
use crate::dispatcher::Task;
use crate::kernel::time::{Instant, Span};
use crate::scenario::relations::RECORDS_PER_TRACK;

impl Member {
    /// The first FlashCopies, spread over their intervals.
    pub(super) fn begin_flashcopies(&mut self) {
        let copied: Vec<(u32, Span)> = (0..self.guests.count())
            .filter_map(|guest| self.minidisks.flashcopy(guest).map(|interval| (guest, interval)))
            .collect();
        for (at, &(guest, interval)) in (1..).zip(&copied) {
            let first = Span::from_ns_f64(interval.0 as f64 * f64::from(at) / copied.len() as f64);
            self.agenda.schedule(Instant::ZERO + first, Event::FlashCopy { guest });
        }
    }

    /// FlashCopy writes to the minidisk of a guest, if that is here.
    pub(super) fn flashcopy(&mut self, guest: u32) {
        if self.guests.guest(guest).away {
            return self.flashcopy_again(guest, Span::ZERO);
        }
        let (tracks, held) = self.minidisks.invalidate(guest);
        self.settle_cache();
        let pages = (held * RECORDS_PER_TRACK) as f64;
        let time = tracks as f64 * self.constants.invalidate_ns + pages * self.constants.clear_ns;
        self.dispatcher.cp_work(Task::Invalidate { guest, time: Span::from_ns_f64(time), began: self.agenda.now() });
    }

    /// CP has invalidated the tracks of a minidisk.
    pub(super) fn end_invalidation(&mut self, guest: u32, time: Span, began: Instant) {
        self.invalidated += time;
        self.flashcopy_again(guest, self.agenda.now().since(began));
    }

    /// The next FlashCopy, after the one that was `ago`.
    fn flashcopy_again(&mut self, guest: u32, ago: Span) {
        let Some(interval) = self.minidisks.flashcopy(guest) else { return };
        let wait = Span(interval.0.saturating_sub(ago.0));
        self.agenda.schedule(self.agenda.now() + wait, Event::FlashCopy { guest });
    }
}
