//! Processor sharing: a server that gives each of its customers an equal part of its time.
//!
//! It works in virtual time: the work that each customer has had since the server was last idle. The server holds no event
//! queue. Its owner announces the next end that the server names; any later change makes that announcement void.

use super::time::{Instant, Span};

/// A server under processor sharing: n customers get 1/n of it each.
#[derive(Clone, Debug, Default)]
pub struct ProcessorSharing {
    /// Virtual time at `updated`, ns of the server's time for each customer.
    virtual_ns: f64,
    updated: Instant,
    /// Virtual time at which each customer's work is done, latest first: the next to end is the last entry.
    customers: Vec<(f64, u32)>,
    /// Counts the changes: an end that was announced before the last change is void.
    generation: u32,
    /// Time in which anybody was served, up to `updated`.
    busy: Span,
}

/// When the next customer of a server ends, unless another one joins or leaves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextEnd {
    /// When it falls due.
    pub at: Instant,
    /// Tells this announcement from those before and after it.
    pub generation: u32,
}

/// What a customer still needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// The server's own time for it, in ns.
    pub work_ns: f64,
    /// How long that takes if the present customers stay and nobody joins, in ns.
    pub shared_ns: f64,
}

impl ProcessorSharing {
    /// Customers that are served.
    pub fn len(&self) -> u32 {
        self.customers.len() as u32
    }

    /// Whether nobody is served.
    pub fn is_empty(&self) -> bool {
        self.customers.is_empty()
    }

    /// Time up to `now` in which anybody was served.
    pub fn busy(&self, now: Instant) -> Span {
        let going_on = if self.customers.is_empty() { Span::ZERO } else { now.since(self.updated) };
        self.busy + going_on
    }

    /// `customer` joins with `work_ns` of the server's time to be done.
    pub fn join(&mut self, now: Instant, customer: u32, work_ns: f64) -> NextEnd {
        self.advance(now);
        let tag = self.virtual_ns + work_ns;
        let place = self.customers.partition_point(|&(other, _)| other > tag);
        self.customers.insert(place, (tag, customer));
        self.change().expect("a customer is served")
    }

    /// The end announced with `generation` is due. Returns the customer that ends, and the next end; `None` if this end is
    /// void.
    pub fn end(&mut self, now: Instant, generation: u32) -> Option<(u32, Option<NextEnd>)> {
        if generation != self.generation {
            return None;
        }
        self.advance(now);
        let (_, customer) = self.customers.pop()?;
        Some((customer, self.change()))
    }

    /// What `customer` still needs at `now`; `None` if it is not served.
    pub fn left(&self, now: Instant, customer: u32) -> Option<Left> {
        let &(tag, _) = self.customers.iter().find(|&&(_, one)| one == customer)?;
        let served = self.customers.len() as f64;
        let work_ns = (tag - self.virtual_ns - now.since(self.updated).0 as f64 / served).max(0.0);
        Some(Left { work_ns, shared_ns: work_ns * served })
    }

    /// All customers leave with their work undone. Any announced end is void.
    pub fn clear(&mut self, now: Instant) {
        self.advance(now);
        self.customers.clear();
        self.generation = self.generation.wrapping_add(1);
    }

    fn advance(&mut self, now: Instant) {
        if self.customers.is_empty() {
            self.virtual_ns = 0.0; // Starting again from zero keeps the sums short, so they never lose precision.
        } else {
            self.busy += now.since(self.updated);
            self.virtual_ns += now.since(self.updated).0 as f64 / self.customers.len() as f64;
        }
        self.updated = now;
    }

    fn change(&mut self) -> Option<NextEnd> {
        self.generation = self.generation.wrapping_add(1);
        let &(tag, _) = self.customers.last()?;
        let left_ns = (tag - self.virtual_ns) * self.customers.len() as f64;
        // Rounded up, so that the work is done when the end falls due.
        Some(NextEnd { at: Instant(self.updated.0 + (left_ns.max(0.0) + 0.999_999) as u64), generation: self.generation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_customers_take_twice_as_long() {
        let mut server = ProcessorSharing::default();
        let alone = server.join(Instant(0), 1, 1000.0);
        assert_eq!(alone.at, Instant(1000));
        // Half way through, a second one joins: the first has 500 left and now gets half the server.
        let both = server.join(Instant(500), 2, 1000.0);
        assert_eq!(both.at, Instant(1500));
        assert_eq!(server.end(alone.at, alone.generation), None, "the first announcement is void");
        let (customer, next) = server.end(both.at, both.generation).expect("the announcement stands");
        assert_eq!(customer, 1);
        assert_eq!(next.expect("the second is left").at, Instant(2000));
    }

    #[test]
    fn what_is_left_is_shared_among_those_who_are_served() {
        let mut server = ProcessorSharing::default();
        server.join(Instant(0), 1, 1000.0);
        server.join(Instant(500), 2, 1000.0);
        let left = |server: &ProcessorSharing, customer| server.left(Instant(700), customer);
        assert_eq!(left(&server, 1), Some(Left { work_ns: 400.0, shared_ns: 800.0 }));
        assert_eq!(left(&server, 2), Some(Left { work_ns: 900.0, shared_ns: 1800.0 }));
        assert_eq!(left(&server, 3), None);
    }

    #[test]
    fn nothing_that_was_announced_counts_after_all_have_left() {
        let mut server = ProcessorSharing::default();
        let gone = server.join(Instant(0), 1, 1000.0);
        server.clear(Instant(400));
        assert_eq!(server.end(gone.at, gone.generation), None, "the server is empty");
        let later = server.join(Instant(600), 2, 400.0);
        assert_eq!(later.at, gone.at, "both fall due at one instant");
        assert_eq!(server.end(gone.at, gone.generation), None, "the first announcement is void");
        assert_eq!(server.end(later.at, later.generation), Some((2, None)));
        assert_eq!(server.busy(Instant(2000)), Span(800), "from 0 to 400 and from 600 to 1000");
    }
}
