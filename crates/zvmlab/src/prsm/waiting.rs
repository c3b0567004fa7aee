//! The queue of logical processors that want a physical one.

use std::collections::BTreeSet;

/// A place in the queue. The lowest place goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The charge at which it goes next: its own or, after a yield, that of the others in front of it.
    pub charge: u128,
    /// 0 or, after a yield, the number of the yield. This puts it behind all that wait at the same charge.
    behind: u64,
    /// Which logical processor.
    pub logical: u32,
}

/// The logical processors that wait for a physical one, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    places: BTreeSet<Place>,
    yields: u64,
}

impl Waiting {
    /// `logical` joins the queue at the place of its charge.
    pub fn join(&mut self, charge: u128, logical: u32) -> Place {
        let place = Place { charge, behind: 0, logical };
        assert!(self.places.insert(place), "logical processor {logical} waits already");
        place
    }

    /// `logical` joins the queue behind all that wait now with a charge up to `furthest`.
    pub fn join_behind(&mut self, charge: u128, furthest: u128, logical: u32) -> Place {
        let last = self.places.last().map_or(charge, |place| place.charge);
        self.yields += 1;
        let place = Place { charge: last.min(furthest).max(charge), behind: self.yields, logical };
        self.places.insert(place);
        place
    }

    /// Who goes next.
    pub fn first(&self) -> Option<Place> {
        self.places.first().copied()
    }

    /// Takes out whoever waits at `place`.
    pub fn remove(&mut self, place: Place) {
        assert!(self.places.remove(&place), "logical processor {} does not wait", place.logical);
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Who waits, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.places.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_charged_goes_first_and_who_yields_goes_behind() {
        let mut waiting = Waiting::default();
        waiting.join(50, 1);
        waiting.join(50, 0);
        waiting.join_behind(10, 1000, 2);
        waiting.join_behind(20, 1000, 3);
        let place = waiting.join(70, 4);
        // No further back than its slice would have taken it.
        waiting.join_behind(5, 40, 5);
        waiting.remove(place);
        let order: Vec<u32> = waiting.iter().map(|place| place.logical).collect();
        assert_eq!(order, [5, 0, 1, 2, 3]);
        assert_eq!(waiting.first().map(|place| place.logical), Some(5));
    }
}
