//! The latest turns on the physical processors: who ran where, for a picture in which slices stand as time.

use std::collections::VecDeque;

use super::physical::Turn;
use crate::kernel::time::{Instant, Span};
use crate::snapshot::TurnSnapshot;

/// How long a turn is shown after its end: two slices and a half, as PR/SM gives them unasked.
const SHOWN_FOR: Span = Span::from_millis(30);
/// The same with more physical processors than [`SHOWN_LONG_UP_TO`]: then as much happens in less time.
const SHOWN_FOR_OF_MANY: Span = Span::from_millis(10);
const SHOWN_LONG_UP_TO: u32 = 24;
/// The most turns that are shown after their end. Where logical processors give up their slices for locks, turns can be very short.
const SHOWN_MAX: usize = 512;

/// The turns that were over not long ago, in the order of their ends.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    over: VecDeque<TurnSnapshot>,
    kept: Span,
    /// Everything that ended after this instant is kept.
    complete_from: Instant,
}

impl Turns {
    /// Nothing has run yet on so many physical processors.
    pub fn new(physical: u32) -> Turns {
        let kept = if physical > SHOWN_LONG_UP_TO { SHOWN_FOR_OF_MANY } else { SHOWN_FOR };
        Turns { over: VecDeque::new(), kept, complete_from: Instant::ZERO }
    }

    /// The turn on `physical` is over. One that took no time was none.
    pub fn ends(&mut self, now: Instant, physical: u32, turn: &Turn) {
        if now == turn.given {
            return;
        }
        self.over.push_back(TurnSnapshot { ended_ns: Some(now.0), ..under_way(physical, turn) });
        let kept_from = now.0.saturating_sub(self.kept.0);
        while let Some(first) = self.over.front() {
            let ended_ns = first.ended_ns.unwrap_or_default();
            if ended_ns >= kept_from && self.over.len() <= SHOWN_MAX {
                return;
            }
            self.complete_from = Instant(ended_ns);
            self.over.pop_front();
        }
    }

    /// The turns that are over, and the instant from which on all are known.
    pub fn over(&self) -> (impl Iterator<Item = TurnSnapshot>, Instant) {
        (self.over.iter().copied(), self.complete_from)
    }
}

/// The turn on `physical`, while it is under way.
pub(super) fn under_way(physical: u32, turn: &Turn) -> TurnSnapshot {
    TurnSnapshot { physical, logical: turn.logical, began_ns: turn.given.0, ended_ns: None }
}
