//! The page slots of one volume.

/// The slots of one volume.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    count: u64,
    used: u64,
    /// One bit a slot: in use. It goes as far as slots were ever taken: a volume has millions, and a short run takes few.
    map: Vec<u64>,
    /// Where the next search for free slots begins.
    cursor: u64,
}

impl Slots {
    pub fn new(count: u64) -> Self {
        Slots { count, used: 0, map: Vec::new(), cursor: 0 }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Slots that hold a page.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Slots that hold no page.
    pub fn free(&self) -> u64 {
        self.count - self.used
    }

    /// Takes up to `count` contiguous free slots. Of the next `runs` runs of free slots, it picks the first that is long
    /// enough, or else the longest. Returns the first slot and how many.
    pub fn allocate(&mut self, count: u32, runs: u32) -> Option<(u32, u32)> {
        if self.used == self.count {
            return None;
        }
        let mut best = (0, 0);
        let mut from = self.cursor;
        for _ in 0..runs {
            let first = self.next_free(from)?;
            let length = self.free_run(first, u64::from(count).min(self.count - first));
            if length > best.1 {
                best = (first, length);
            }
            if length == u64::from(count) {
                break;
            }
            from = first + length;
        }
        let (first, length) = best;
        let words = (first + length).div_ceil(64) as usize;
        if words > self.map.len() {
            self.map.resize(words, 0);
        }
        pieces(first, length).for_each(|(word, mask)| self.map[word] |= mask);
        self.used += length;
        self.cursor = (first + length) % self.count;
        Some((first as u32, length as u32))
    }

    /// Frees `count` slots from `first` on.
    pub fn release(&mut self, first: u32, count: u32) {
        for (word, mask) in pieces(first.into(), count.into()) {
            assert_eq!(self.map[word] & mask, mask, "a slot is released once");
            self.map[word] &= !mask;
        }
        self.used -= u64::from(count);
    }

    /// Free slots from `first` on without a gap, at most `limit`.
    fn free_run(&self, first: u64, limit: u64) -> u64 {
        let mut length = 0;
        for (word, mask) in pieces(first, limit) {
            let used = self.word(word) & mask;
            if used != 0 {
                return length + u64::from((mask & ((used & used.wrapping_neg()) - 1)).count_ones());
            }
            length += u64::from(mask.count_ones());
        }
        length
    }

    /// The first free slot at or after `from`; after the last slot the search starts over at the first.
    fn next_free(&self, from: u64) -> Option<u64> {
        let words = self.count.div_ceil(64);
        let from = from % self.count;
        for step in 0..=words {
            let word = (from / 64 + step) % words;
            let mut free = !self.word(word as usize);
            if step == 0 {
                free &= u64::MAX << (from % 64);
            }
            let slot = word * 64 + u64::from(free.trailing_zeros());
            if free != 0 && slot < self.count {
                return Some(slot);
            }
        }
        None
    }

    /// A word of the map, which may end before it.
    fn word(&self, word: usize) -> u64 {
        self.map.get(word).copied().unwrap_or_default()
    }

    /// Checks the count of used slots against the map.
    pub fn verify(&self) {
        let used: u64 = self.map.iter().map(|word| u64::from(word.count_ones())).sum();
        assert_eq!(used, self.used, "used slots are those marked in the map");
    }
}

/// The words that hold the slots from `first` to `first + count`, each with the bits of those slots.
fn pieces(first: u64, count: u64) -> impl Iterator<Item = (usize, u64)> {
    let end = first + count;
    let words = if count == 0 { 0..0 } else { first / 64..end.div_ceil(64) };
    words.map(move |word| {
        let from = u64::MAX << first.saturating_sub(word * 64);
        let to = u64::MAX >> (word * 64 + 64).saturating_sub(end);
        (word as usize, from & to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_contiguous_and_come_back() {
        let mut slots = Slots::new(100);
        assert_eq!(slots.allocate(60, 32), Some((0, 60)));
        assert_eq!(slots.allocate(60, 32), Some((60, 40)), "the longest run that is left");
        assert_eq!(slots.allocate(1, 32), None);
        slots.release(10, 5);
        slots.release(30, 20);
        assert_eq!(slots.allocate(16, 32), Some((30, 16)), "a run that is long enough goes before a nearer short one");
        assert_eq!(slots.free(), 9);
        slots.verify();
    }
}
