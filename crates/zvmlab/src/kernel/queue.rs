//! The event queue: what falls due next, ordered by (instant, sequence).
//!
//! A heap with four children to a node: half the levels of a binary heap, and four neighbours lie in few cache lines.
//! An event that is handled most often schedules another, so [`EventQueue::pop`] does not repair the heap at once: it
//! leaves the root vacant, and the next [`EventQueue::schedule`] puts its event there. That saves half of the work.

use super::time::Instant;

/// Children of a node. Four is faster than two, natively and in wasm, at 16 events pending as at a million (`cargo xtask
/// bench`). The pattern in [`least_child`] is written out for four.
const ARITY: usize = 4;

/// Events waiting for their instant; those of one instant leave in the order in which they were scheduled.
///
/// An event is a small plain value (`Copy`), which lets the heap move it with one copy a level.
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    /// The heap: no entry is less than its parent. The children of node `i` are `4 i + 1` to `4 i + 4`.
    heap: Vec<Entry<E>>,
    /// Whether the root has been popped and holds nothing but a copy of what left.
    root_vacant: bool,
    /// How many events have been scheduled so far.
    sequence: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    /// The instant in the upper half, the sequence in the lower: one comparison decides.
    key: u128,
    event: E,
}

impl<E> Entry<E> {
    fn at(&self) -> Instant {
        Instant((self.key >> 64) as u64)
    }
}

impl<E: Copy> Default for EventQueue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> EventQueue<E> {
    /// An empty queue.
    pub fn new() -> Self {
        Self { heap: Vec::new(), root_vacant: false, sequence: 0 }
    }

    /// Schedules `event` for `at`.
    pub fn schedule(&mut self, at: Instant, event: E) {
        let entry = Entry { key: u128::from(at.0) << 64 | u128::from(self.sequence), event };
        self.sequence += 1;
        if self.root_vacant {
            self.root_vacant = false;
            sift_down(&mut self.heap, entry);
        } else {
            let hole = self.heap.len();
            self.heap.push(entry);
            sift_up(&mut self.heap, hole, entry);
        }
    }

    /// Takes the event that is due next.
    pub fn pop(&mut self) -> Option<(Instant, E)> {
        self.fill_root();
        let first = self.heap.first()?;
        self.root_vacant = true;
        Some((first.at(), first.event))
    }

    /// When the next event falls due.
    pub fn next_instant(&self) -> Option<Instant> {
        if !self.root_vacant {
            return self.heap.first().map(Entry::at);
        }
        least_child(&self.heap, 1).map(|child| self.heap[child].at())
    }

    /// How many events wait.
    pub fn len(&self) -> usize {
        self.heap.len() - usize::from(self.root_vacant)
    }

    /// Whether no event waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves the last event into a vacant root, if no new event has filled it.
    fn fill_root(&mut self) {
        if !std::mem::take(&mut self.root_vacant) {
            return;
        }
        let last = self.heap.pop();
        if let (Some(entry), false) = (last, self.heap.is_empty()) {
            sift_down(&mut self.heap, entry);
        }
    }
}

/// Puts `entry` into the hole at the root of `heap`, or further down: the least child rises into the hole until none is
/// less than `entry`.
fn sift_down<E: Copy>(heap: &mut [Entry<E>], entry: Entry<E>) {
    let mut hole = 0;
    while let Some(child) = least_child(heap, ARITY * hole + 1) {
        let rising = heap[child];
        if entry.key < rising.key {
            break;
        }
        heap[hole] = rising;
        hole = child;
    }
    heap[hole] = entry;
}

/// Puts `entry` into the hole of `heap`, or further up: parents greater than `entry` sink into the hole.
fn sift_up<E: Copy>(heap: &mut [Entry<E>], mut hole: usize, entry: Entry<E>) {
    while hole > 0 {
        let parent = (hole - 1) / ARITY;
        let sinking = heap[parent];
        if sinking.key < entry.key {
            break;
        }
        heap[hole] = sinking;
        hole = parent;
    }
    heap[hole] = entry;
}

/// The index of the least of the up to four entries from `first` on.
fn least_child<E>(heap: &[Entry<E>], first: usize) -> Option<usize> {
    match heap.get(first..)? {
        // A slice pattern of fixed length: one bounds check, and three comparisons that need no jump.
        [a, b, c, d, ..] => {
            let left = usize::from(b.key < a.key);
            let right = 2 + usize::from(d.key < c.key);
            let least_left = if left == 1 { b.key } else { a.key };
            let least_right = if right == 3 { d.key } else { c.key };
            Some(first + if least_right < least_left { right } else { left })
        }
        few => few.iter().enumerate().min_by_key(|(_, entry)| entry.key).map(|(index, _)| first + index),
    }
}
