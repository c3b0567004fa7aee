//! The three passes of demand scan, before z/VM 6.3. It goes over the scheduler's lists: pass 1 is soft, pass 2 goes by a figure for the
//! working set that is inaccurate, pass 3 takes from every list and ignores SET RESERVED (storage management page of the 6.3
//! performance report).
//!
//! What a pass takes is assumed, as far as these words leave it open:
//!
//! 1. from guests outside the dispatch list, down to what SET RESERVED keeps;
//! 2. from all guests, down to the working set that the scheduler has measured of each, or to what is reserved if that is more; nothing
//!    from a guest of which it has not measured any here, because the guest is new;
//! 3. from all guests.
//!
//! Each takes pages that were not touched since the last reorder of their guest's list: `storage/order.rs`. On 5.2 and 6.1 a visit
//! passes over some of those in frames below 2 GB first: `storage/sides.rs`. A pass ends when the age
//! list is full, or when no guest has anything left that it may take. The next pass follows at once. If the available list then still
//! lacks more than there is, the last pass takes pages that were touched, too, in the order of the lists. It does not wait for a reorder
//! that is due (assumed).

use super::Storage;
use super::room::Side;
use super::turns::Turns;
use crate::scenario::{Mechanism, Scenario};
use crate::snapshot::PassesSnapshot;

/// What the first two passes go by.
#[derive(Clone, Debug, Default)]
pub(super) struct Passes {
    /// Whether demand scan makes passes.
    pub are_made: bool,
    /// For each guest, whether it is outside the dispatch list.
    pub outside: Vec<bool>,
    /// How many they are.
    pub outside_count: u32,
    /// The working set of each guest in pages, as the scheduler last measured it; none of a guest that is new here.
    working_set: Vec<Option<u64>>,
    /// Whose turn it is in the first pass, and in the second. Each has turns of its own: in a pass that finds nothing, everybody is
    /// asked, and nobody has waited for a turn afterwards.
    turns: [Turns; 2],
    /// Pages that each pass took.
    taken: [u64; 3],
}

impl Passes {
    /// The passes of a host; none on levels from 6.3 on.
    pub fn new(scenario: &Scenario) -> Passes {
        let guests = scenario.guest_count() as usize;
        Passes {
            are_made: scenario.has(Mechanism::ScanByLists),
            outside: vec![false; guests],
            outside_count: 0,
            working_set: vec![None; guests],
            turns: [Turns::new(guests), Turns::new(guests)],
            taken: [0; 3],
        }
    }

    /// The snapshot; none where there are no passes.
    pub fn snapshot(&self) -> Option<PassesSnapshot> {
        self.are_made.then_some(PassesSnapshot { taken: self.taken })
    }
}

impl Storage {
    /// A guest has entered the dispatch list.
    pub fn enters_dispatch_list(&mut self, guest: u32) {
        self.set_outside(guest, false);
    }

    /// A guest has left the dispatch list. That is when its working set, in pages, is measured.
    pub fn leaves_dispatch_list(&mut self, guest: u32, working_set: u64) {
        self.set_outside(guest, true);
        self.passes.working_set[guest as usize] = Some(working_set);
    }

    /// A guest has come from another member: what was measured of it in an earlier stay here no longer counts.
    pub(super) fn is_new(&mut self, guest: u32) {
        self.passes.working_set[guest as usize] = None;
    }

    fn set_outside(&mut self, guest: u32, outside: bool) {
        let passes = &mut self.passes;
        let was = std::mem::replace(&mut passes.outside[guest as usize], outside);
        passes.outside_count = passes.outside_count + u32::from(outside) - u32::from(was);
    }

    /// Refills the age list in three passes, or gets what the available list lacks if that is more.
    pub(super) fn make_passes(&mut self) {
        let lacking = self.counts.available_high.saturating_sub(self.counts.available_frames);
        let target = self.age_list_target.max(lacking);
        let side = self.sides.scan_side(self.counts.age_list_frames < target);
        if self.passes.outside_count > 0 {
            self.pass(0, (side, target), |storage, guest| {
                let kept = storage.reserved[guest as usize];
                if storage.passes.outside[guest as usize] { storage.spare(guest, kept) } else { Some(0) }
            });
        }
        self.pass(1, (side, target), |storage, guest| {
            let Some(working_set) = storage.passes.working_set[guest as usize] else { return Some(0) };
            storage.spare(guest, working_set.max(storage.reserved[guest as usize]))
        });
        let mut turns = std::mem::take(&mut self.turns);
        self.passes.taken[2] += self.refill_by(&mut turns, target, (side, false), |_, _| None);
        // Nothing is left that was not touched.
        self.passes.taken[2] += self.refill_by(&mut turns, lacking, (Side::Any, true), |_, _| None);
        self.turns = turns;
    }

    fn pass(&mut self, number: usize, (side, target): (Side, u64), spare: impl Fn(&Storage, u32) -> Option<u64>) {
        let mut turns = std::mem::take(&mut self.passes.turns[number]);
        self.passes.taken[number] += self.refill_by(&mut turns, target, (side, false), spare);
        self.passes.turns[number] = turns;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::constants::Constants;

    /// Central storage of the hosts here, MB.
    const CENTRAL_MB: u64 = 256;

    /// A guest as the passes see it: pages that it holds, the working set, the reserve, and whether it is outside the dispatch list.
    #[derive(Clone, Copy, Debug)]
    struct Held {
        valid: u64,
        working_set: Option<u64>,
        reserved: u64,
        outside: bool,
        /// Whether its list was reordered after all of its pages were touched.
        sorted: bool,
    }

    fn held() -> impl Strategy<Value = Held> {
        // Reserves are whole MB, as in a scenario.
        let working_set = prop::option::weighted(0.8, 0..14_000_u64);
        (0..12_000_u64, working_set, prop_oneof![Just(0), 0..40_u64], any::<[bool; 2]>()).prop_map(
            |(valid, working_set, reserved_mb, [outside, sorted])| Held {
                valid,
                working_set,
                reserved: 256 * reserved_mb,
                // A guest outside has left the dispatch list, so it was measured.
                outside: outside && working_set.is_some(),
                sorted,
            },
        )
    }

    /// A host whose guests hold what they are to hold; the age list is empty.
    fn host(guests: &[Held], level: &str) -> Storage {
        let group = |guest: &Held| {
            format!("[[guests]]\ncount = 1\nvirtual_mb = 64\nloop_mb = 64\nreserved_mb = {}\n", guest.reserved / 256)
        };
        let groups: String = guests.iter().map(group).collect();
        let text = format!("level = \"{level}\"\n[paging]\nalias = false\n[storage]\ncentral_mb = {CENTRAL_MB}\n{groups}");
        let mut storage = Storage::new(&Scenario::parse(&text).expect("valid"), &Constants::default(), 1);
        for (guest, held) in (0..).zip(guests) {
            storage.touch(guest, 0, held.valid, u64::MAX, |_| 0);
            if held.sorted {
                storage.reorder(guest);
            }
            if let Some(working_set) = held.working_set {
                storage.leaves_dispatch_list(guest, working_set);
            }
            if !held.outside {
                storage.enters_dispatch_list(guest);
            }
        }
        storage
    }

    /// What the three passes take, by the words at the top of this file alone: a pass can take what lies above its floors and was not
    /// touched, and the next one begins where that is not enough. At last the third takes what is `lacking`, touched or not. A visit
    /// takes up to `visit` pages, and the last one may take a few more than are wanted: so each pass takes from the first number to the second.
    fn expected(guests: &[Held], wanted: u64, lacking: u64, visit: u64) -> [(u64, u64); 3] {
        let floors: [fn(&Held) -> u64; 3] = [
            |guest| if guest.outside { guest.reserved } else { u64::MAX },
            |guest| guest.working_set.map_or(u64::MAX, |pages| pages.max(guest.reserved)),
            |_| 0,
        ];
        let mut left: Vec<u64> = guests.iter().map(|guest| guest.valid).collect();
        let mut lacking = lacking;
        let (mut wanted, mut all) = (wanted, [(0, 0); 3]);
        for (floor, range) in floors.iter().zip(&mut all) {
            let untouched = guests.iter().zip(&left).filter(|(guest, _)| guest.sorted);
            let can: u64 = untouched.map(|(guest, left)| left.saturating_sub(floor(guest))).sum();
            *range = if can < wanted { (can, can) } else { (wanted, can.min(wanted + visit - 1)) };
            if can >= wanted {
                return all; // Enough: the passes after it take nothing.
            }
            wanted -= can;
            lacking = lacking.saturating_sub(can);
            for (guest, left) in guests.iter().zip(&mut left).filter(|(guest, _)| guest.sorted) {
                *left = (*left).min(floor(guest));
            }
        }
        let still: u64 = left.iter().sum();
        let (least, most) = (still.min(lacking), if lacking == 0 { 0 } else { still.min(lacking + visit - 1) });
        all[2] = (all[2].0 + least, all[2].1 + most);
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_pass_takes_what_lies_above_its_floors(guests in prop::collection::vec(held(), 1..5), lacking in 0..3_000_u64) {
            let mut storage = host(&guests, "6.1");
            let (wanted, visit) = (storage.age_list_target, u64::from(storage.visit_pages));
            storage.counts.available_high = storage.available() + lacking;
            storage.refill_age_list();
            storage.verify();
            let taken = storage.passes.taken;
            for (pass, (least, most)) in expected(&guests, wanted.max(lacking), lacking, visit).into_iter().enumerate() {
                prop_assert!((least..=most).contains(&taken[pass]), "pass {}: {taken:?}, {least} to {most}", pass + 1);
            }
            // Floors hold for each guest, not only in sum.
            for (guest, held) in (0..).zip(&guests) {
                let valid = storage.places(guest)[0];
                let floor = if held.outside { held.reserved } else { held.reserved.max(held.working_set.unwrap_or(u64::MAX)) };
                prop_assert!(taken[2] > 0 || valid >= floor.min(held.valid), "guest {guest} has {valid} left, {held:?}");
            }
        }
    }

    #[test]
    fn from_6_3_on_reserved_pages_stay() {
        let all = Held { valid: 8_192, working_set: Some(8_192), reserved: 8_192, outside: false, sorted: true };
        for (level, left) in [("6.2", false), ("6.3", true)] {
            let mut storage = host(&[all; 2], level);
            storage.refill_age_list();
            assert_eq!(storage.places(0)[0] + storage.places(1)[0] == 2 * 8_192, left, "{level}");
            assert_eq!(storage.snapshot().passes.is_some(), !left);
        }
    }

    /// A large guest and a small one lose the same part of their pages, also beside guests that a pass goes past.
    #[test]
    fn turns_go_by_size_among_those_that_a_pass_visits() {
        let of = |valid, outside| Held { valid, working_set: Some(0), reserved: 0, outside, sorted: true };
        let mut storage = host(&[of(12_000, true), of(12_000, false), of(3_000, true), of(12_000, false)], "6.1");
        storage.age_list_target = 5_600;
        storage.refill_age_list();
        let left = [0, 1, 2, 3].map(|guest| storage.places(guest)[0]);
        assert_eq!((left[1], left[3]), (12_000, 12_000), "pass 1 goes past them");
        let lost = (12_000 - left[0], 3_000 - left[2]);
        assert!(lost.0 > 3 * lost.1 && lost.0 < 5 * lost.1, "{lost:?}");
    }

    #[test]
    fn nothing_is_beyond_the_working_set_of_a_guest_that_has_come() {
        let of = |working_set| Held { valid: 8_000, working_set, reserved: 0, outside: false, sorted: true };
        let mut storage = host(&[of(Some(5_000)), of(None)], "6.1");
        storage.refill_age_list();
        assert!(storage.places(0)[0] < 8_000 && storage.places(1)[0] == 8_000, "{:?}", storage.passes);
        storage.leaves_dispatch_list(1, 1_000);
        storage.is_new(1);
        assert_eq!(storage.passes.working_set[1], None, "an earlier stay does not count");
    }
}
