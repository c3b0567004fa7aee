//! A channel path: the I/Os that transfer on it share its bandwidth equally.
//!
//! Assumed: concurrent exchanges are interleaved fairly, so n I/Os on a path each get 1/n of it (processor sharing). Kept in
//! virtual time: the work that each I/O on the path has had since the path was last idle.

use crate::kernel::time::{Instant, Span};

/// One channel path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Virtual time at `updated`, ns of path time for each I/O.
    virtual_ns: f64,
    updated: Instant,
    /// Virtual time at which each I/O has all its work, latest first, so that the next to end is last.
    transfers: Vec<(f64, u32)>,
    /// Counts the changes: an end that was announced before the last change is void.
    generation: u32,
    /// Time in which something was transferred, up to `updated`.
    busy: Span,
}

/// When the next transfer of a path ends, unless another one joins or leaves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextEnd {
    pub at: Instant,
    pub generation: u32,
}

impl Path {
    /// I/Os on the path.
    pub fn len(&self) -> u32 {
        self.transfers.len() as u32
    }

    /// Time up to `now` in which something was transferred.
    pub fn busy(&self, now: Instant) -> Span {
        let going_on = if self.transfers.is_empty() { Span::ZERO } else { now.since(self.updated) };
        self.busy + going_on
    }

    /// `io` begins to transfer `work_ns` of path time.
    pub fn join(&mut self, now: Instant, io: u32, work_ns: f64) -> NextEnd {
        self.advance(now);
        let tag = self.virtual_ns + work_ns;
        let place = self.transfers.partition_point(|&(other, _)| other > tag);
        self.transfers.insert(place, (tag, io));
        self.change().expect("an I/O is on the path")
    }

    /// The announced end of `generation` falls due: tells which I/O ends, and the next end; `None` if the end is void.
    pub fn end(&mut self, now: Instant, generation: u32) -> Option<(u32, Option<NextEnd>)> {
        if generation != self.generation {
            return None;
        }
        self.advance(now);
        let (_, io) = self.transfers.pop()?;
        Some((io, self.change()))
    }

    fn advance(&mut self, now: Instant) {
        if self.transfers.is_empty() {
            self.virtual_ns = 0.0; // Starting again from zero keeps the sums short, so they never lose precision.
        } else {
            self.busy += now.since(self.updated);
            self.virtual_ns += now.since(self.updated).0 as f64 / self.transfers.len() as f64;
        }
        self.updated = now;
    }

    fn change(&mut self) -> Option<NextEnd> {
        self.generation = self.generation.wrapping_add(1);
        let &(tag, _) = self.transfers.last()?;
        let left_ns = (tag - self.virtual_ns) * self.transfers.len() as f64;
        // Rounded up, so that the work is done when the end falls due.
        Some(NextEnd { at: Instant(self.updated.0 + (left_ns.max(0.0) + 0.999_999) as u64), generation: self.generation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_transfers_take_twice_as_long() {
        let mut path = Path::default();
        let alone = path.join(Instant(0), 1, 1000.0);
        assert_eq!(alone.at, Instant(1000));
        // Half way through, a second one joins: the first has 500 left and now gets half the path.
        let both = path.join(Instant(500), 2, 1000.0);
        assert_eq!(both.at, Instant(1500));
        assert_eq!(path.end(alone.at, alone.generation), None, "the first announcement is void");
        let (io, next) = path.end(both.at, both.generation).expect("the announcement stands");
        assert_eq!(io, 1);
        assert_eq!(next.expect("the second is left").at, Instant(2000));
    }
}
