//! Maximum shares: who is past one, and when the limit list lets it go.
//!
//! CONSUMPTION compares what a guest consumes with what its maximum allows. How the older DEADLINE method works is not
//! published; the 6.2 deck only names three configurations in which it misses. Assumed here: the method knows a guest only
//! by its dispatch deadline. If a guest ends a minor slice before the deadline of that slice, it waits for the deadline. The
//! deadline comes from the guest's share or from its limit, whichever is later, both from normalised shares. Three things
//! follow. Absolute shares that add up to more than 100 % shrink the limit. A share far below the maximum takes the limit's
//! place. And a guest that waits before its slice is over, as guests on a host that is not busy do, is never held to its
//! deadline.

use crate::kernel::time::{Instant, Span};
use crate::scenario::{GuestGroup, LimitType};

/// A guest's maximum share and how much of it the guest has used.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// Whether the guest may use what nobody else can once it is past the limit.
    pub soft: bool,
    /// Part of the partition.
    pub part: f64,
    /// Processor time that it may still use, ns; below 0 it is past its limit.
    credit_ns: f64,
    /// When `credit_ns` was last brought up to date.
    at: Instant,
}

impl Limit {
    /// The limit of the guests of `group`, if they have one.
    pub fn of(group: &GuestGroup) -> Option<Limit> {
        let soft = match group.limit_type {
            LimitType::NoLimit => return None,
            LimitType::LimitSoft => true,
            LimitType::LimitHard => false,
        };
        Some(Limit { soft, part: group.limit_absolute.as_f64() / 100.0, credit_ns: 0.0, at: Instant::ZERO })
    }

    /// By consumption: takes `used` off what the limit, `part` of `processors`, has allowed up to `now`. Of unused allowance
    /// only `most` is kept, so that a pause gives no credit.
    pub fn consume(&mut self, now: Instant, used: Span, processors: f64, most: Span) {
        self.allow(now, processors, most);
        self.credit_ns -= used.0 as f64;
    }

    fn allow(&mut self, now: Instant, processors: f64, most: Span) {
        let allowed = now.since(self.at).0 as f64 * self.part * processors;
        self.credit_ns = (self.credit_ns + allowed).min(most.0 as f64);
        self.at = now;
    }

    /// When a guest that is past its limit may use `least` again; `None` if it is not past it. A guest whose bursts are short would
    /// otherwise be past it again within microseconds.
    pub fn below_again(&self, processors: f64, least: Span) -> Option<Instant> {
        let wait = Span::from_ns_f64((least.0 as f64 - self.credit_ns) / (self.part * processors));
        (self.credit_ns < 0.0).then_some(self.at + Span(wait.0.max(1)))
    }
}
