//! Demand scan from guest to guest: whom it visits, how many pages it may take there, and what looking at frames costs CP.

use super::room::Side;
use super::scan::Wanted;
use super::turns::Turns;
use super::{Part, Storage};

impl Storage {
    /// Visits guests in turn until the age list is full or no guest has a page that was not touched lately. Who has more valid
    /// pages is visited more often: see [`Turns`]. Before 6.3 that takes [three passes](Self::make_passes).
    pub(super) fn refill_age_list(&mut self) {
        if self.passes.are_made {
            return self.make_passes();
        }
        let mut turns = std::mem::take(&mut self.turns);
        let target = self.age_list_target;
        self.refill_by(&mut turns, target, (Side::Any, false), |storage, guest| {
            storage.spare(guest, storage.reserved[guest as usize])
        });
        self.turns = turns;
    }

    /// The same until the age list has `target` pages. With `touched_too` visits take pages that were touched, too. `spare` says how many
    /// pages the next visit to a guest may take; none if there is no limit. Returns how many all visits took.
    pub(super) fn refill_by(
        &mut self,
        turns: &mut Turns,
        target: u64,
        (side, touched_too): (Side, bool),
        spare: impl Fn(&Storage, u32) -> Option<u64>,
    ) -> u64 {
        // Guests from which a pass may take nothing have no turns.
        let passed = |storage: &Storage, guest: u32| storage.passes.are_made && spare(storage, guest) == Some(0);
        let (mut fruitless, before) = (0, self.counts.pages_invalidated);
        let mut in_vain = false;
        // The first round notes what was touched. A second round then finds pages.
        while self.counts.age_list_frames < target && fruitless < 2 * self.guests.len() {
            let size = |guest: usize| if passed(self, guest as u32) { 0 } else { self.guests[guest].valid_count };
            let guest = turns.next(in_vain, size) as u32;
            if !self.is_here(guest) || passed(self, guest) {
                fruitless += 1;
                in_vain |= !self.passes.are_made;
                continue;
            }
            let spare = spare(self, guest);
            let (pages, whole) = self.visit(spare);
            let passes = self.passed_per_page * u64::from(pages);
            let wanted = Wanted { pages, whole, side, passes, touched_too };
            let (age_list, mut count) = (&mut self.age_list, 0);
            let take = |word, mask| {
                let part = Part { guest, word, mask };
                count += u64::from(part.pages());
                age_list.push_back(part);
            };
            let (pages, trail) = (&mut self.guests[guest as usize], self.sides.trail());
            trail.begin_visit();
            let looks = match side {
                Side::Any => pages.scan(wanted, |_| (), take),
                Side::Above | Side::Below => pages.scan(wanted, |seen| trail.see(seen), take),
            };
            self.note_visit(guest, looks.all, count);
            self.note_looks(looks.all, count);
            fruitless = if count == 0 { fruitless + 1 } else { 0 };
            in_vain = count == 0;
        }
        self.counts.pages_invalidated - before
    }

    /// Notes a visit of demand scan: it has looked at some pages of a guest and taken `count` of them.
    pub(super) fn note_visit(&mut self, guest: u32, looked_at: u64, count: u64) {
        let pages = &self.guests[guest as usize];
        if pages.order.wants_reorder() && pages.valid_count > 0 && !self.to_reorder.contains(&guest) {
            self.to_reorder.push(guest);
        }
        self.counts.scan_visits += 1;
        self.counts.pages_scanned += looked_at;
        self.counts.pages_invalidated += count;
        self.counts.valid_frames -= count;
        self.counts.age_list_frames += count;
    }

    /// Notes the frames that a visit has looked at to take `taken` pages: CP is to spend its time on them. From 6.3 on a visit resets
    /// reference bits as it looks, those of a whole list at one moment if it must. CP's time for what it looks at in vain is therefore
    /// spread over the round that follows, as if it had looked ahead bit by bit (assumed).
    pub(super) fn note_looks(&mut self, looked_at: u64, taken: u64) {
        self.counts.pages_taken += taken;
        if self.passes.are_made {
            self.looks += looked_at;
            return;
        }
        let (mut behind, mut left) = self.looks_behind;
        let times = |one: u64, other: u64| u128::from(one) * u128::from(other);
        let in_vain = looked_at.saturating_sub(taken);
        if in_vain > 0 {
            let rounds = times(behind, left) + times(in_vain, self.counts.valid_frames);
            behind += in_vain;
            left = (rounds / u128::from(behind)) as u64;
        }
        let part = if taken < left { (times(behind, taken) / u128::from(left)) as u64 } else { behind };
        self.looks += taken + part;
        self.looks_behind = (behind - part, left.saturating_sub(taken));
    }

    /// Frames that demand scan has looked at and that CP is to spend its time on, if any.
    pub fn looked_at(&mut self) -> Option<u64> {
        self.counts.looks_paid += self.looks;
        (self.looks > 0).then(|| std::mem::take(&mut self.looks))
    }

    /// A guest whose list demand scan has gone through since it was last reordered.
    pub fn next_to_reorder(&mut self) -> Option<u32> {
        self.to_reorder.pop()
    }

    /// CP has reordered the guest's list.
    pub fn reorder(&mut self, guest: u32) {
        self.guests[guest as usize].reorder();
    }

    /// The valid pages of a guest beyond those that it is to keep; none if it keeps nothing.
    pub(super) fn spare(&self, guest: u32, keeps: u64) -> Option<u64> {
        (keeps > 0).then(|| self.guests[guest as usize].valid_count.saturating_sub(keeps))
    }

    /// How many pages a visit may take from a guest that can spare so many, and the size of the blocks that it completes. It
    /// completes no block if that could take more.
    pub(super) fn visit(&self, spare: Option<u64>) -> (u32, Option<u32>) {
        let whole = self.blocking.completes_block.then_some(self.block_pages);
        let Some(spare) = spare else { return (self.visit_pages, whole) };
        let want = u64::from(self.visit_pages).min(spare) as u32;
        (want, whole.filter(|&block| u64::from(want + block) <= spare))
    }
}
