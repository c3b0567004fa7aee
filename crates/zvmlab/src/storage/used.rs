//! How many frames are in use, by number, so that one of them can be drawn: each is as likely as any other.
//!
//! A tree of sums over words of 64 frames (Fenwick 1994, "A new data structure for cumulative frequency tables"): a frame is noted, and
//! drawn, in as many steps as the number of words has binary digits.

/// Frames in use.
#[derive(Clone, Debug)]
pub(super) struct Used {
    words: Vec<u64>,
    /// Sums over words; the first is not used.
    sums: Vec<u32>,
    count: u64,
}

impl Used {
    /// None of `frames` frames is in use.
    pub fn new(frames: u64) -> Self {
        let words = frames.div_ceil(64) as usize;
        Used { words: vec![0; words], sums: vec![0; words + 1], count: 0 }
    }

    /// How many are in use.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether a frame is in use.
    pub fn contains(&self, frame: u32) -> bool {
        self.words[frame as usize / 64] >> (frame % 64) & 1 == 1
    }

    /// A frame is in use from now on.
    pub fn insert(&mut self, frame: u32) {
        assert!(!self.contains(frame), "a frame is taken once");
        self.words[frame as usize / 64] |= 1 << (frame % 64);
        self.count += 1;
        let mut at = frame as usize / 64 + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// A frame is free from now on.
    pub fn remove(&mut self, frame: u32) {
        assert!(self.contains(frame), "a frame that is given back was in use");
        self.words[frame as usize / 64] &= !(1 << (frame % 64));
        self.count -= 1;
        let mut at = frame as usize / 64 + 1;
        while at < self.sums.len() {
            self.sums[at] -= 1;
            at += at & at.wrapping_neg();
        }
    }

    /// The frame in use that has `before` others with lower numbers.
    pub fn nth(&self, before: u64) -> u32 {
        assert!(before < self.count, "so many frames are in use");
        let (mut at, mut left) = (0, before as u32);
        let mut step = self.words.len().next_power_of_two();
        while step > 0 {
            if at + step < self.sums.len() && self.sums[at + step] <= left {
                at += step;
                left -= self.sums[at];
            }
            step /= 2;
        }
        let bit = super::bits::nth_bit(self.words[at], left.into()).trailing_zeros();
        at as u32 * 64 + bit
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 8 + self.sums.len() * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_frame_in_use_is_found_whatever_was_noted() {
        for frames in [1, 63, 64, 65, 1_000, 4_096] {
            let mut used = Used::new(frames);
            let marked = |frame: &u32| frame.is_multiple_of(7) || frame % 5 == 2;
            (0..frames as u32).for_each(|frame| used.insert(frame));
            (0..frames as u32).filter(|frame| !marked(frame)).for_each(|frame| used.remove(frame));
            let expected: Vec<u32> = (0..frames as u32).filter(marked).collect();
            assert_eq!(used.count(), expected.len() as u64);
            for (before, &frame) in (0..).zip(&expected) {
                assert_eq!(used.nth(before), frame, "{before} of {frames}");
            }
        }
    }
}
