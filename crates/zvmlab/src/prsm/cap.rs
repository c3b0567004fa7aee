//! The cap of this partition: whether a logical processor may run, or has had all that the cap gives it.
//!
//! The cap is divided among the logical processors, as the weight is. Each earns its part of the time that passes. One that wants
//! to run but has used more than it has earned is held until it has earned that too. It can save up the time of one slice,
//! no more (assumed).

use crate::kernel::time::{Instant, Span};

/// What the logical processors of this partition have used of the cap.
#[derive(Clone, Debug)]
pub(super) struct Cap {
    /// A logical processor earns `part` nanoseconds in `whole` nanoseconds.
    part: u64,
    whole: u64,
    /// How long it takes to earn a slice.
    saves: Span,
    used: Vec<Used>,
}

/// What one logical processor has used.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    /// What it earned before this instant is used.
    up_to: Instant,
    /// Its time before this instant is counted.
    counted: Instant,
}

impl Cap {
    /// The cap of a partition with so many logical processors; none where it lets all of them run all the time.
    pub fn new(cap_thousandths: u64, logical: u32, slice: Span) -> Option<Cap> {
        let whole = u64::from(logical) * 1000;
        let mut cap = Cap { part: cap_thousandths, whole, saves: Span::ZERO, used: Vec::new() };
        cap.saves = cap.earned_in(slice);
        cap.used = vec![Used::default(); logical as usize];
        (cap.part < cap.whole).then_some(cap)
    }

    /// How long it takes to earn `time`.
    fn earned_in(&self, time: Span) -> Span {
        Span((u128::from(time.0) * u128::from(self.whole) / u128::from(self.part)) as u64)
    }

    /// The logical processor runs from `from` on.
    pub fn runs(&mut self, from: Instant, logical: u32) {
        let saved_from = Instant(from.0.saturating_sub(self.saves.0));
        let used = &mut self.used[logical as usize];
        used.up_to = used.up_to.max(saved_from);
        used.counted = from;
    }

    /// Counts the time for which the running logical processor has run. Before the instant from which it runs that is none.
    pub fn count(&mut self, now: Instant, logical: u32) {
        let Used { up_to, counted } = self.used[logical as usize];
        if now > counted {
            let up_to = up_to + self.earned_in(now.since(counted));
            self.used[logical as usize] = Used { up_to, counted: now };
        }
    }

    /// Until when the logical processor is held; none if it may run.
    pub fn holds(&self, now: Instant, logical: u32) -> Option<Instant> {
        let up_to = self.used[logical as usize].up_to;
        (up_to > now).then_some(up_to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_processor_earns_its_part_and_saves_one_slice() {
        let ms = |ms: u64| Instant::ZERO + Span::from_millis(ms);
        // A quarter of a processor each.
        let mut cap = Cap::new(500, 2, Span::from_millis(12)).expect("it holds");
        cap.runs(ms(1000), 0);
        cap.count(ms(1012), 0);
        assert_eq!(cap.holds(ms(1012), 0), None, "a slice was saved up");
        cap.count(ms(1024), 0);
        assert_eq!(cap.holds(ms(1024), 0), Some(ms(1048)), "24 ms take 96, of which 48 were saved");
        assert_eq!((cap.holds(ms(1048), 0), cap.holds(ms(1024), 1)), (None, None));
        assert!(Cap::new(2000, 2, Span::from_millis(12)).is_none(), "two processors for two");
    }
}
