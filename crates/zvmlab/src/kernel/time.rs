//! Simulated time in whole nanoseconds: instants and spans.

use std::ops::{Add, AddAssign, Sub};

/// A point of simulated time: nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub u64);

/// A length of simulated time in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

impl Instant {
    /// The start of every run.
    pub const ZERO: Instant = Instant(0);

    /// Time since `earlier`; zero if `earlier` lies in the future.
    pub fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// Seconds since the start of the run.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of whole seconds.
    pub const fn from_secs(secs: u64) -> Span {
        Span(secs * 1_000_000_000)
    }

    /// A span of whole milliseconds.
    pub const fn from_millis(millis: u64) -> Span {
        Span(millis * 1_000_000)
    }

    /// A span of `ns` nanoseconds, rounded to the nearest; negative and NaN count as zero.
    pub fn from_ns_f64(ns: f64) -> Span {
        Span((ns + 0.5) as u64)
    }

    /// The span in seconds.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Add<Span> for Instant {
    type Output = Instant;
    fn add(self, span: Span) -> Instant {
        Instant(self.0 + span.0)
    }
}

impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_rounded_to_the_nearest_nanosecond() {
        for (ns, expected) in [(0.4, 0), (0.5, 1), (1.49, 1), (2.5e9, 2_500_000_000), (-3.0, 0), (f64::NAN, 0)] {
            assert_eq!(Span::from_ns_f64(ns), Span(expected), "{ns}");
        }
        assert_eq!(Span::from_ns_f64(f64::INFINITY), Span(u64::MAX));
    }

    #[test]
    fn time_since_the_future_is_none() {
        assert_eq!(Instant(7).since(Instant(5)), Span(2));
        assert_eq!(Instant(5).since(Instant(7)), Span::ZERO);
    }

    #[test]
    fn seconds_and_milliseconds_are_nanoseconds() {
        assert_eq!(Span::from_secs(2) + Span::from_millis(3), Span(2_003_000_000));
        assert_eq!((Instant::ZERO + Span::from_secs(2)).as_secs(), 2.0);
        assert_eq!((Span::from_millis(5) - Span::from_millis(3)).as_secs(), 0.002);
    }
}
