//! When a guest's list of frames is to be reordered: once demand scan has looked at as many frames as the list has.

use crate::scenario::{Mechanism, Scenario};

/// How far demand scan is in the list of each guest.
#[derive(Clone, Debug, Default)]
pub(super) struct Reorders {
    /// For each guest: whether it is reordered at all, frames looked at since its last reorder, and the frames that it had then.
    guests: Vec<(bool, u64, u64)>,
    /// Guests that are due.
    pub due: Vec<u32>,
}

impl Reorders {
    /// The guests of a host; none of them on levels without reorder.
    pub fn new(scenario: &Scenario) -> Reorders {
        let has = scenario.has(Mechanism::ScanByLists);
        let each = scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| (has && group.reorder, 0, 0)));
        Reorders { guests: each.collect(), due: Vec::new() }
    }

    /// Demand scan has looked at so many frames of a guest that has `resident` frames.
    pub fn looked(&mut self, guest: u32, frames: u64, resident: u64) {
        let Some((true, looked_at, of)) = self.guests.get_mut(guest as usize) else { return };
        *looked_at += frames;
        if *looked_at >= *of {
            (*looked_at, *of) = (0, resident);
            self.due.push(guest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_reordered_once_a_round() {
        let mut host = Scenario::parse("level = \"6.2\"\n[paging]\nalias = false\n[[guests]]\ncount = 2\n").expect("valid");
        let mut reorders = Reorders::new(&host);
        reorders.looked(1, 10, 100);
        assert_eq!(reorders.due, [1], "before the first scan of a list comes a reorder");
        reorders.due.clear();
        reorders.looked(1, 99, 100);
        assert_eq!(reorders.due, [0; 0]);
        reorders.looked(1, 1, 200);
        assert_eq!(reorders.due, [1]);
        (host.guests[0].reorder, reorders) = (false, Reorders::default());
        assert_eq!(reorders.due, [0; 0]);
        let mut off = Reorders::new(&host);
        off.looked(0, 1_000, 100);
        assert_eq!(off.due, [0; 0], "SET REORDER OFF");
    }
}
