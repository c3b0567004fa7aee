//! Whose turn it is with demand scan. A visit takes the same number of pages from any guest. Guests take turns, and one that has
//! half as many valid pages as the largest is visited every second time: all guests lose the same part of their pages.
//!
//! That each visit takes from the next guest, large or small, is no equilibrium. Guests that are alike then all lose the same number,
//! whatever they hold. One that happens to fault more often gains frames, keeps them and gains more, until all of its storage is
//! resident and it runs without faults while the others wait. CP's own rule is not published; IBM's figures are those of hosts in
//! which all such guests wait.

/// The turns of the guests.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// The guest whose turn is next.
    next: usize,
    /// For each guest, its valid pages at each of its turns since its last visit, added up.
    credit: Vec<u64>,
    /// The most valid pages of a guest, as the present round began.
    largest: u64,
}

impl Turns {
    /// No guest was visited yet.
    pub fn new(guests: usize) -> Turns {
        Turns { next: 0, credit: vec![0; guests], largest: 0 }
    }

    /// The guest to visit next. `valid` gives the valid pages of a guest. With `all`, no guest is passed over: the last visit was in
    /// vain, and each guest is asked before one is asked again.
    pub fn next(&mut self, all: bool, valid: impl Fn(usize) -> u64) -> usize {
        loop {
            let guest = self.next;
            self.next = (guest + 1) % self.credit.len();
            if guest == 0 {
                self.largest = (0..self.credit.len()).map(&valid).max().unwrap_or_default();
            }
            let credit = self.credit[guest] + valid(guest);
            if all || credit >= self.largest {
                self.credit[guest] = credit.saturating_sub(self.largest).min(self.largest);
                return guest;
            }
            self.credit[guest] = credit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits to each guest, of `count`.
    fn visits(turns: &mut Turns, count: usize, valid: &[u64]) -> Vec<usize> {
        let mut visits = vec![0; valid.len()];
        for _ in 0..count {
            visits[turns.next(false, |guest| valid[guest])] += 1;
        }
        visits
    }

    #[test]
    fn all_lose_the_same_part() {
        assert_eq!(visits(&mut Turns::new(3), 700, &[10_000, 20_000, 40_000]), [100, 200, 400]);
        assert_eq!(visits(&mut Turns::new(2), 10, &[7, 7]), [5, 5], "those that are alike take turns");
        assert_eq!(visits(&mut Turns::new(2), 10, &[0, 0]), [5, 5], "also where none has a page");
    }

    #[test]
    fn who_had_nothing_has_no_arrears() {
        let mut turns = Turns::new(2);
        visits(&mut turns, 1_000, &[10_000, 0]);
        let both = visits(&mut turns, 100, &[10_000, 10_000]);
        assert!(both[1].abs_diff(50) <= 1, "{both:?}");
        // The largest has left: the others are visited as often as each other.
        let mut turns = Turns::new(3);
        visits(&mut turns, 1_001, &[90_000, 10_000, 10_000]);
        let both = visits(&mut turns, 101, &[0, 10_000, 10_000]);
        assert!(both[1].abs_diff(50) <= 2 && both[2].abs_diff(50) <= 2, "{both:?}");
    }

    #[test]
    fn after_a_visit_in_vain_each_is_asked() {
        let mut turns = Turns::new(3);
        let order: Vec<usize> = (0..6).map(|_| turns.next(true, |guest| [1_000_000, 1, 1][guest])).collect();
        assert_eq!(order, [0, 1, 2, 0, 1, 2]);
    }
}
