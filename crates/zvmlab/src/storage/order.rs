//! By what demand scan chooses pages of a guest's list of frames: by reference bits that it resets as it looks, by those that only a
//! reorder resets, or by the order of the list alone.
//!
//! Before z/VM 6.3 CP "reorders" the list, "as input to demand scan processing. It includes resetting the HW reference bit" (6.2
//! performance update). What a reorder makes of the list, and what demand scan takes from it, is assumed: pages that were not touched
//! since the reorder before come to the front, the others follow. Demand scan goes through the list once and takes the pages that were
//! not touched since the reorder; then it wants another. Where SET REORDER is OFF nobody resets the bits, so they tell nothing, and
//! demand scan takes what has been on the list for longest.

/// By what demand scan chooses.
#[derive(Clone, Debug, Default)]
pub(super) enum Order {
    /// Reference bits; demand scan resets those that it looks at (6.3 and later).
    #[default]
    AsItLooks,
    /// Reference bits; only a reorder resets them.
    ByReorder(Sorted),
    /// The order of the list alone.
    AsTheyCame,
}

/// A list as its last reorder left it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    /// Pages at the front: those in frames that had not been touched between the last two reorders. A bit each, as in `Pages::words`.
    front: Vec<u64>,
    /// Words that demand scan has still to look through for pages at the front, and then for the others.
    left: [usize; 2],
}

impl Sorted {
    /// A list that is as it was at its last reorder.
    pub fn new(front: Vec<u64>, listed: usize) -> Sorted {
        Sorted { front, left: [listed; 2] }
    }

    /// Whether demand scan has gone through the list since its last reorder. At first there was none.
    pub fn is_exhausted(&self) -> bool {
        self.left == [0; 2]
    }

    /// The pages of a word that demand scan looks at there: those at the front first, then the others.
    pub fn looks_at(&self, word: u32) -> u64 {
        let front = self.front[word as usize];
        if self.left[0] > 0 { front } else { !front }
    }

    /// Pages of a word were taken: should they come back, they come to the end of the list. So do those that a search passes over; if
    /// they were at the end already, they wait for the next reorder.
    pub fn strike(&mut self, word: u32, mask: u64) {
        self.front[word as usize] &= !mask;
    }

    /// Demand scan is through with a word; `listed` are on the list.
    pub fn next_word(&mut self, listed: usize) {
        match &mut self.left {
            [0, others] => *others = others.saturating_sub(1),
            [front, others] => {
                *front -= 1;
                if *front == 0 {
                    *others = listed;
                }
            }
        }
    }
}

impl Order {
    /// The guest is here from now on, with so many words of pages.
    pub fn begin(&mut self, words: usize) {
        if let Order::ByReorder(sorted) = self {
            *sorted = Sorted::new(vec![0; words], 0);
        }
    }

    /// The list as its last reorder left it; none where demand scan does not go by reorders.
    pub fn sorted(&mut self) -> Option<&mut Sorted> {
        match self {
            Order::ByReorder(sorted) => Some(sorted),
            _ => None,
        }
    }

    /// Whether the list must be reordered before demand scan finds another page by its bits.
    pub fn wants_reorder(&self) -> bool {
        matches!(self, Order::ByReorder(sorted) if sorted.is_exhausted())
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        match self {
            Order::ByReorder(sorted) => (sorted.front.len() * size_of::<u64>()) as u64,
            _ => 0,
        }
    }
}
