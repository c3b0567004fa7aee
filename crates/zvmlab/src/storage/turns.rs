//! Whose turn it is with demand scan. A visit takes the same number of pages from any guest, so a guest is visited as often as its
//! valid pages are many: all guests lose the same part of their pages.
//!
//! That each visit takes from the next guest, large or small, is no equilibrium. Guests that are alike then all lose the same number,
//! whatever they hold. One that happens to fault more often gains frames, keeps them and gains more, until all of its storage is
//! resident and it runs without faults while the others wait. CP's own rule is not published; IBM's runs with eight such guests are
//! steady.

/// A visit that would take all valid pages of a guest moves its turn on by `1 << WHOLE`.
const WHOLE: u32 = 32;

/// Visits in vain after which a guest is left out: the first clears its marks of touched pages, the second should find pages.
const IN_VAIN: u8 = 2;

/// The turns of the guests.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// For each guest, the sum over its visits of their part of its valid pages. The lowest is next.
    turns: Vec<u64>,
    /// The turn of the latest visit. A guest that had nothing to give for a while does not make up for it.
    now: u64,
    /// Visits in vain to each guest since the beginning, or since it gave pages.
    in_vain: Vec<u8>,
    /// Whether one of them is not 0.
    any_in_vain: bool,
    /// Pages of a visit.
    visit_pages: u64,
}

impl Turns {
    /// No guest was visited yet.
    pub fn new(guests: usize, visit_pages: u32) -> Turns {
        Turns {
            turns: vec![0; guests],
            now: 0,
            in_vain: vec![0; guests],
            any_in_vain: false,
            visit_pages: visit_pages.into(),
        }
    }

    /// The age list is to be refilled.
    pub fn begin(&mut self) {
        if std::mem::take(&mut self.any_in_vain) {
            self.in_vain.fill(0);
        }
    }

    /// The guest to visit next, and moves its turn on. `valid` gives the valid pages of a guest, 0 for one that is not to be visited.
    /// `None` if no guest is left that may give pages.
    pub fn next(&mut self, valid: impl Fn(usize) -> u64) -> Option<usize> {
        let may = |guest: &usize| self.in_vain[*guest] < IN_VAIN && valid(*guest) > 0;
        let guest = (0..self.turns.len()).filter(may).min_by_key(|guest| self.turns[*guest])?;
        let turn = &mut self.turns[guest];
        self.now = self.now.max(*turn);
        *turn = self.now + (self.visit_pages << WHOLE) / valid(guest);
        Some(guest)
    }

    /// The guest was visited; `gave` says whether it had a page to give.
    pub fn visited(&mut self, guest: usize, gave: bool) {
        let in_vain = &mut self.in_vain[guest];
        *in_vain = if gave { 0 } else { *in_vain + 1 };
        self.any_in_vain |= !gave;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits to each guest, of `count`.
    fn visits(turns: &mut Turns, count: usize, valid: &[u64]) -> Vec<usize> {
        let mut visits = vec![0; valid.len()];
        for _ in 0..count {
            let guest = turns.next(|guest| valid[guest]).expect("a guest to visit");
            turns.visited(guest, true);
            visits[guest] += 1;
        }
        visits
    }

    #[test]
    fn all_lose_the_same_part() {
        let mut turns = Turns::new(3, 100);
        assert_eq!(visits(&mut turns, 700, &[10_000, 20_000, 40_000]), [100, 200, 400]);
        assert_eq!(visits(&mut Turns::new(2, 100), 10, &[7, 7]), [5, 5], "those that are alike take turns");
    }

    #[test]
    fn who_comes_late_has_no_arrears() {
        let mut turns = Turns::new(2, 100);
        visits(&mut turns, 1_000, &[10_000, 0]);
        let both = visits(&mut turns, 100, &[10_000, 10_000]);
        assert!(both[1].abs_diff(50) <= 1, "{both:?}");
    }

    #[test]
    fn a_guest_that_gives_nothing_holds_nobody_up() {
        let mut turns = Turns::new(2, 100);
        turns.begin();
        // The first is a thousand times as large, but all of its pages are reserved.
        let order: Vec<usize> = std::iter::from_fn(|| {
            let guest = turns.next(|guest| [10_000_000, 10_000][guest])?;
            turns.visited(guest, false);
            Some(guest)
        })
        .collect();
        assert_eq!(order, [0, 1, 0, 1], "each twice");
        turns.begin();
        assert_eq!(turns.next(|_| 1), Some(0), "and again when the age list is refilled next");
    }
}
