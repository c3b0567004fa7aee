//! The first entries of the vectors: a processor that looks for work sees all of them at a glance.

use std::hint;

use crate::scheduler::Priority;

/// The deadlines of the first entries, as a tree: each node has the earliest of the two below it. So neither a change nor a look
/// takes more steps than the tree has levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heads {
    /// The root is number 1, and the children of node `n` are `2 n` and `2 n + 1`. The lowest level has the deadline of each vector's
    /// first entry: the highest number where there is none, or where it is not released at once.
    tree: Vec<u64>,
    /// Vectors whose first entry may have to wait for its release, a bit each: who goes first there depends on the time.
    timed: u64,
}

impl Heads {
    /// Of empty vectors.
    pub fn new(processors: u32) -> Heads {
        Heads { tree: vec![u64::MAX; 2 * processors.next_power_of_two() as usize], timed: 0 }
    }

    /// Vectors whose first entry may have to wait for its release, a bit each.
    pub fn timed(&self) -> u64 {
        self.timed
    }

    /// This is the first entry of the vector of `processor` now.
    pub fn note(&mut self, processor: usize, first: Option<Priority>) {
        let at_once = |priority: &Priority| priority.release == 0;
        let deadline = first.filter(at_once).map_or(u64::MAX, |priority| priority.deadline);
        let is_timed = first.is_some_and(|priority| !at_once(&priority));
        self.timed = self.timed & !(1 << processor) | u64::from(is_timed) << processor;
        let mut node = self.tree.len() / 2 + processor;
        self.tree[node] = deadline;
        let mut below = deadline;
        while node > 1 {
            below = below.min(self.tree[node ^ 1]);
            node /= 2;
            if std::mem::replace(&mut self.tree[node], below) == below {
                return;
            }
        }
    }

    /// The earliest deadline of all vectors, where each is released at once.
    pub fn earliest(&self) -> Option<u64> {
        (self.timed == 0).then_some(self.tree[1])
    }

    /// The earliest deadline of the vectors but this one, and the first vector that has it.
    pub fn first_but(&self, processor: u32) -> Option<(u64, u32)> {
        let leaves = self.tree.len() / 2;
        let mut node = leaves + processor as usize;
        let (mut earliest, mut at) = (u64::MAX, 0);
        if self.tree[node] != self.tree[1] {
            // It is not the first of all, so that one is among the others.
            (earliest, at, node) = (self.tree[1], 1, 1);
        }
        while node > 1 {
            let beside = self.tree[node ^ 1];
            // What stands to the left of all so far goes first among equals. Either may be the case: no jump that would be guessed wrong.
            let goes_first = (beside < earliest) | (beside == earliest) & (node & 1 == 1);
            earliest = earliest.min(beside);
            at = hint::select_unpredictable(goes_first, node ^ 1, at);
            node /= 2;
        }
        if earliest == u64::MAX {
            return None;
        }
        while at < leaves {
            at = 2 * at + usize::from(self.tree[2 * at] != earliest);
        }
        Some((earliest, (at - leaves) as u32))
    }
}
