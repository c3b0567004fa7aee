//! Maximum shares: who is past one, and when the limit list lets it go.
//!
//! CONSUMPTION counts what a guest consumes against what its maximum allows. How the older DEADLINE method reckons is not
//! published; the 6.2 deck only names three configurations in which it misses. Assumed here: the method knows a guest by its
//! dispatch deadline alone. A guest that comes to the end of a minor slice before the deadline of that slice waits for it, and the
//! deadline is that of the share or that of the limit, whichever is later, both from normalised shares. So a sum of absolute
//! shares past 100 % shrinks the limit, a share far below the maximum takes its place, and a guest that waits before its slice is
//! over, as guests on a host that is not busy do, is never held against its deadline.

use crate::kernel::time::{Instant, Span};
use crate::scenario::{GuestGroup, LimitType};

/// A guest's maximum share and what it has had of it.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// Whether what nobody else could use is given past it.
    pub soft: bool,
    /// Part of the partition.
    pub part: f64,
    /// Processor time that it may still consume, ns; below 0 it is past its limit.
    credit_ns: f64,
    /// When `credit_ns` was reckoned.
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

    /// By consumption: `used` is taken off what the limit of `part` of `processors` has allowed up to `now`. Allowance that was
    /// not used is lost but for `most`, so that a pause is not made up for.
    pub fn consume(&mut self, now: Instant, used: Span, processors: f64, most: Span) {
        self.allow(now, processors, most);
        self.credit_ns -= used.0 as f64;
    }

    fn allow(&mut self, now: Instant, processors: f64, most: Span) {
        let allowed = now.since(self.at).0 as f64 * self.part * processors;
        self.credit_ns = (self.credit_ns + allowed).min(most.0 as f64);
        self.at = now;
    }

    /// When a guest that is past its limit will be below it again; `None` where it is.
    pub fn below_again(&self, processors: f64) -> Option<Instant> {
        let wait = Span::from_ns_f64(-self.credit_ns / (self.part * processors));
        (self.credit_ns < 0.0).then_some(self.at + Span(wait.0.max(1)))
    }
}
