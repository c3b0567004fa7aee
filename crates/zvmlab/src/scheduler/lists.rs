//! The lists: who enters which, under which barrier, and who leaves.

use std::collections::BTreeSet;

use super::{MOVES_SHOWN, Scheduler, counts_for_shares, dispatch_list, eligible_list};
use crate::kernel::time::{Instant, Span};
use crate::snapshot::{List, MoveSnapshot, SchedulerSnapshot, Why};

/// A guest that entered the dispatch list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Admitted {
    pub guest: u32,
    /// When its elapsed slice ends, and the stay for which that is announced.
    pub slice_ends: Instant,
    pub stay: u32,
}

impl Scheduler {
    /// Lets the next guest from the eligible list into the dispatch list, if one may enter: E0 always, E1 if it fits under
    /// the first barrier, E2 if also under the second, E3 if also under the third. Only the first of each class counts: if
    /// it does not fit, smaller guests behind it wait, too (assumed). If nobody is in Q1 to Q3, the first may enter in any
    /// case; otherwise a working set larger than the barrier would wait for ever (assumed).
    pub fn admit(&mut self, now: Instant) -> Option<Admitted> {
        for class in 0..4_u8 {
            let Some(&(_, index)) = self.eligible[usize::from(class)].first() else { continue };
            if self.barrier(class, self.guests[index as usize].working_set).is_some() {
                continue;
            }
            let waited = self.guests[index as usize].since < now;
            self.counts.admissions += 1;
            self.counts.admissions_waited += u64::from(waited);
            self.move_to(now, index, dispatch_list(class), class, Why::Fits);
            let guest = &mut self.guests[index as usize];
            guest.stay += 1;
            guest.slice_over = false;
            let stay = guest.stay;
            // Neither a new elapsed slice nor a new transaction frees it from its limit.
            if guest.limited_until > now {
                self.move_to(now, index, List::Limit, class, Why::OverLimit);
            }
            return Some(Admitted { guest: index, slice_ends: now + self.slice_of(class), stay });
        }
        None
    }

    /// The first barrier under which a guest of `class` with `working_set` does not fit; 0 is that of Q1+Q2+Q3.
    fn barrier(&self, class: u8, working_set: u64) -> Option<u32> {
        if class == 0 || !self.keeps_eligible || self.in_dispatch[1..].iter().all(|&count| count == 0) {
            return None;
        }
        let claims = self.claims();
        (0..u32::from(class)).find(|&level| claims[level as usize] + working_set > self.barriers[level as usize])
    }

    /// Working sets claimed by Q1+Q2+Q3, by Q2+Q3, by Q3.
    pub(super) fn claims(&self) -> [u64; 3] {
        let [_, first, second, third] = self.claimed;
        [first + second + third, second + third, third]
    }

    /// The elapsed slice of a guest is over, unless it has left the dispatch list since the announcement. `true` if it must
    /// go back to the eligible list now: [`leave`](Self::leave) follows with its working set. A guest that is idle at that
    /// moment goes back when it wakes.
    pub fn elapsed_slice_ends(&mut self, guest: u32, stay: u32) -> bool {
        let guest = &mut self.guests[guest as usize];
        let due = guest.stay == stay && counts_for_shares(guest.list);
        if due && guest.active == 0 {
            guest.slice_over = true;
        }
        due && guest.active > 0
    }

    /// Whether a guest must leave the dispatch list now: its elapsed slice ended while it was idle, and it wants to run
    /// again.
    pub fn overdue(&self, guest: u32) -> bool {
        let guest = &self.guests[guest as usize];
        guest.slice_over && guest.active > 0 && counts_for_shares(guest.list)
    }

    /// A guest whose elapsed slice is over goes from the dispatch list to the eligible list, one class further.
    pub fn leave(&mut self, now: Instant, index: u32, working_set: u64) {
        self.measure(now, index, working_set);
        let guest = &self.guests[index as usize];
        let class = if guest.quick { 0 } else { (guest.class + 1).min(3) };
        self.move_to(now, index, eligible_list(class), class, Why::SliceOver);
    }

    /// A guest becomes dormant because it has been idle for long enough, or is stopped.
    pub fn become_dormant(&mut self, now: Instant, index: u32, working_set: u64, why: Why) {
        self.measure(now, index, working_set);
        let class = self.guests[index as usize].class;
        self.move_to(now, index, List::Dormant, class, why);
    }

    /// The stay of a guest in the dispatch list is over. From now on its working set is `working_set`.
    fn measure(&mut self, now: Instant, index: u32, working_set: u64) {
        self.integrate(now);
        let guest = &mut self.guests[index as usize];
        guest.slice_over = false;
        guest.stay += 1;
        let before = std::mem::replace(&mut guest.working_set, working_set);
        // A guest that became idle in the eligible list goes dormant from there, and claims nothing.
        if counts_for_shares(guest.list) {
            let claimed = &mut self.claimed[usize::from(guest.class)];
            *claimed = *claimed - before + working_set;
        }
    }

    /// Moves a guest from its list to `to`, with class `class`.
    pub(super) fn move_to(&mut self, now: Instant, index: u32, to: List, class: u8, why: Why) {
        self.integrate(now);
        let guest = &mut self.guests[index as usize];
        let from = std::mem::replace(&mut guest.list, to);
        let was = usize::from(std::mem::replace(&mut guest.class, class));
        let class = usize::from(class);
        guest.since = now;
        match (from, to) {
            (List::Limit, List::Limit) => {}
            (List::Limit, _) => self.forget_wait(index),
            (_, List::Limit) => guest.limited_at = self.time,
            _ => {}
        }
        let guest = &mut self.guests[index as usize];
        if from.is_eligible() {
            self.eligible[was].remove(&(guest.eligible_order, index));
        }
        self.rates_are_old |= counts_for_shares(from) != counts_for_shares(to);
        match (counts_for_shares(from), counts_for_shares(to)) {
            (false, true) => {
                self.shares.add(guest.share);
                self.claimed[class] += guest.working_set;
                self.in_dispatch[class] += 1;
            }
            (true, false) => {
                self.shares.remove(guest.share);
                self.claimed[was] -= guest.working_set;
                self.in_dispatch[was] -= 1;
            }
            _ => {}
        }
        if to.is_eligible() {
            let order = self.eligible_order(now, index);
            self.guests[index as usize].eligible_order = order;
            self.eligible[class].insert((order, index));
        }
        self.counts.moves_total += 1;
        if self.moves.len() == MOVES_SHOWN {
            self.moves.pop_front();
        }
        self.moves.push_back(MoveSnapshot { at_ns: now.0, guest: index, from, to, why });
    }

    /// A guest's place in the eligible list. Assumed: a guest with more than an average share waits less; it stands as if it
    /// had come earlier.
    fn eligible_order(&self, now: Instant, index: u32) -> u64 {
        let members = self.in_dispatch.iter().sum::<u32>() + 1;
        let average = self.part(index) * f64::from(members);
        now.0 + Span::from_ns_f64(self.slice_of(self.guests[index as usize].class).0 as f64 / average).0
    }

    fn slice_of(&self, class: u8) -> Span {
        self.elapsed_slices[usize::from(class)]
    }

    /// Brings the integrals over time up to `now`.
    fn integrate(&mut self, now: Instant) {
        let elapsed = now.since(self.integrated).0;
        let (eligible, dispatch) = self.counted();
        self.counts.eligible_ns += elapsed * eligible;
        self.counts.dispatch_ns += elapsed * dispatch;
        self.claimed_page_ns += u128::from(elapsed) * u128::from(self.claims()[0]);
        self.integrated = now;
    }

    /// How many guests are in the eligible list, and in the dispatch list.
    fn counted(&self) -> (u64, u64) {
        let eligible = self.eligible.iter().map(|class| class.len() as u64).sum();
        (eligible, self.in_dispatch.iter().map(|&count| u64::from(count)).sum())
    }

    /// A snapshot of the scheduler at `now`.
    pub fn snapshot(&self, now: Instant) -> SchedulerSnapshot {
        let elapsed = now.since(self.integrated).0;
        let (eligible, dispatch) = self.counted();
        let claimed = self.claims();
        let mut seen = self.counts.clone();
        seen.eligible_ns += elapsed * eligible;
        seen.dispatch_ns += elapsed * dispatch;
        seen.claimed_page_us = ((self.claimed_page_ns + u128::from(elapsed) * u128::from(claimed[0])) / 1_000) as u64;
        seen.claimed = claimed;
        seen.moves = self.moves.iter().copied().collect();
        seen
    }

    /// Checks that every guest is in exactly one list, and that the sums of claims are right.
    pub fn verify(&self) {
        let mut claimed = [0; 4];
        let mut in_dispatch = [0; 4];
        let mut standing = 0;
        for (guest, index) in self.guests.iter().zip(0..) {
            if guest.list.is_eligible() {
                let place = (guest.eligible_order, index);
                assert!(
                    self.eligible[usize::from(guest.class)].contains(&place),
                    "a guest in the eligible list has its place there"
                );
                standing += 1;
            }
            assert!(guest.active == 0 || guest.list != List::Dormant, "a dormant guest has no work");
            if counts_for_shares(guest.list) {
                claimed[usize::from(guest.class)] += guest.working_set;
                in_dispatch[usize::from(guest.class)] += 1;
            }
        }
        assert_eq!(
            standing,
            self.eligible.iter().map(BTreeSet::len).sum::<usize>(),
            "no other guest is in the eligible list"
        );
        assert_eq!((claimed, in_dispatch), (self.claimed, self.in_dispatch), "working sets claimed in the dispatch list");
        if self.keeps_eligible {
            return;
        }
        assert!(self.eligible.iter().all(BTreeSet::is_empty), "recent levels keep no guest in the eligible list");
    }

    /// Which list a guest is in.
    pub fn list(&self, index: u32) -> List {
        self.guests[index as usize].list
    }

    /// The list of a guest, since when it is there, the barrier that keeps it waiting, its working set in pages, and its
    /// share in millionths of the partition.
    pub fn place(&self, index: u32) -> (List, Instant, Option<u32>, u64, u64) {
        let guest = &self.guests[index as usize];
        let barrier = if guest.list.is_eligible() { self.barrier(guest.class, guest.working_set) } else { None };
        let share = if counts_for_shares(guest.list) { (self.part(index) * 1e6) as u64 } else { 0 };
        (guest.list, guest.since, barrier, guest.working_set, share)
    }
}
