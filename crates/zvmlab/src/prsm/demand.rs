//! What a logical processor of another partition wants: processor time, then none for a while.
//!
//! Work comes to it at random, in pieces whose mean is a constant of the model. It wants to run until it has done all work,
//! including what comes meanwhile. So the busier it is, the longer it runs at a time: mean busy and idle times are those of
//! a single server with random arrivals (M/M/1). Simplified: the busy times are exponential, too.

use crate::kernel::rng::Generator;
use crate::kernel::time::{Instant, Span};

/// The demand of one logical processor.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// The part of time for which it would run if it never had to wait: 0 to 1.
    busy: f64,
    busy_ns: f64,
    idle_ns: f64,
    /// Processor time that it wants now; `None` means for ever.
    left: Option<Span>,
    /// When its demand changes, unless it loses its processor before.
    due: Option<Instant>,
    generator: Generator,
}

impl Demand {
    /// The demand of a logical processor that wants to run `percent` of the time, with pieces of work of `piece_ns`.
    pub fn new(percent: u32, piece_ns: f64, generator: Generator) -> Self {
        let busy = f64::from(percent) / 100.0;
        Demand {
            busy,
            busy_ns: piece_ns / (1.0 - busy),
            idle_ns: piece_ns / busy,
            left: Some(Span::ZERO),
            due: None,
            generator,
        }
    }

    /// The run begins, within a piece of work or between two. `Err` if it does not want to run now, with the time when it
    /// will, if ever.
    pub fn begin(&mut self, now: Instant) -> Result<(), Option<Instant>> {
        if self.busy >= 1.0 {
            self.left = None;
            return Ok(());
        }
        if self.busy <= 0.0 {
            return Err(None);
        }
        if self.generator.unit() < self.busy {
            self.work_comes();
            return Ok(());
        }
        Err(Some(self.rests(now)))
    }

    /// Work has come.
    pub fn work_comes(&mut self) {
        self.due = None;
        self.left = Some(self.draw(self.busy_ns));
    }

    /// It runs from `from` on. Returns when its work will be done.
    pub fn runs(&mut self, from: Instant) -> Option<Instant> {
        self.due = self.left.map(|left| from + left);
        self.due
    }

    /// It loses the processor that it had since `from`. Returns whether its work is done.
    pub fn stops(&mut self, now: Instant, from: Instant) -> bool {
        self.due = None;
        self.left = self.left.map(|left| Span(left.0.saturating_sub(now.since(from).0)));
        self.left == Some(Span::ZERO)
    }

    /// Its work is done. Returns when work comes again.
    pub fn rests(&mut self, now: Instant) -> Instant {
        let at = now + self.draw(self.idle_ns);
        self.due = Some(at);
        at
    }

    /// Whether its demand changes now. If not, something has overtaken the announcement.
    pub fn is_due(&self, now: Instant) -> bool {
        self.due == Some(now)
    }

    /// Draws a time that is never zero: nothing changes twice in an instant.
    fn draw(&mut self, mean_ns: f64) -> Span {
        Span::from_ns_f64(self.generator.exponential(mean_ns)).max(Span(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(percent: u32) -> Demand {
        Demand::new(percent, 2e6, Generator::new(1, "demand"))
    }

    #[test]
    fn busy_and_idle_times_are_in_the_proportion_wanted() {
        for percent in [10, 50, 90] {
            let mut demand = demand(percent);
            let (mut now, mut busy) = (Instant::ZERO, Span::ZERO);
            for _ in 0..20_000 {
                demand.work_comes();
                let done = demand.runs(now).expect("its work has an end");
                busy += done.since(now);
                assert!(demand.is_due(done) && demand.stops(done, now));
                now = demand.rests(done);
            }
            let part = busy.as_secs() / now.as_secs() * 100.0;
            assert!((part - f64::from(percent)).abs() < 1.0, "{part} instead of {percent}");
        }
    }

    #[test]
    fn the_extremes_never_idle_and_never_run() {
        let mut always = demand(100);
        assert_eq!(always.begin(Instant::ZERO), Ok(()));
        assert_eq!(always.runs(Instant(5)), None);
        assert!(!always.stops(Instant(u64::MAX), Instant(5)), "its work has no end");
        assert_eq!(demand(0).begin(Instant::ZERO), Err(None));
    }

    #[test]
    fn work_that_is_stopped_goes_on_where_it_stopped() {
        let mut demand = demand(50);
        demand.work_comes();
        let done = demand.runs(Instant(100)).expect("its work has an end");
        assert!(!demand.stops(Instant(150), Instant(100)));
        assert!(!demand.is_due(done), "what was announced is overtaken");
        assert_eq!(demand.runs(Instant(1000)), Some(Instant(done.0 + 850)));
    }
}
