//! What each frame is, by number: in use, free, on a list; and how many are in use, so that one of them can be drawn, each as likely as
//! any other.
//!
//! All bits of 64 frames are one [`Line`]. A frame that is drawn is anywhere in a large storage: what is asked of it then lies in one
//! line of the processor's cache. Counts of frames in use are kept in four levels; a draw reads one or two lines of the
//! cache from each.

/// What 64 frames are, a bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// A page has it.
    used: u64,
    /// Free, and used before.
    pub free: u64,
    /// Has an entry in the list of single frames.
    pub listed: u64,
    /// The first of a block that is on the list of blocks.
    pub block: u64,
}

/// Lines below a sum of the lowest level.
const LINES_SUMMED: usize = 16;
/// Sums below one of the next level.
const SUMS_SUMMED: usize = 32;

/// The frames of a host.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    lines: Vec<Line>,
    /// How many are in use of each line.
    counts: Vec<u8>,
    /// How many are in use of 1,024 frames, of 32 times as many, and of 32 times as many again.
    sums: [Vec<u32>; 3],
    count: u64,
}

impl Frames {
    /// `frames` frames that are nothing yet.
    pub fn new(frames: u64) -> Self {
        let lines = frames.div_ceil(64) as usize;
        let sums = [LINES_SUMMED, LINES_SUMMED * SUMS_SUMMED, LINES_SUMMED * SUMS_SUMMED * SUMS_SUMMED]
            .map(|each| vec![0; lines.div_ceil(each)]);
        Frames { lines: vec![Line::default(); lines], counts: vec![0; lines], sums, count: 0 }
    }

    /// The lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// How many are in use.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The line of a frame, and its bit there.
    #[inline]
    pub fn at(&self, frame: u32) -> (&Line, u64) {
        (&self.lines[frame as usize / 64], 1 << (frame % 64))
    }

    /// The same, to change it.
    #[inline]
    pub fn at_mut(&mut self, frame: u32) -> (&mut Line, u64) {
        (&mut self.lines[frame as usize / 64], 1 << (frame % 64))
    }

    /// Whether a frame is in use.
    pub fn is_used(&self, frame: u32) -> bool {
        let (line, bit) = self.at(frame);
        line.used & bit != 0
    }

    /// Whether a frame is free, and was used before.
    pub fn is_free(&self, frame: u32) -> bool {
        let (line, bit) = self.at(frame);
        line.free & bit != 0
    }

    /// The sums over a frame.
    #[inline]
    fn sums_mut(&mut self, frame: u32) -> [&mut u32; 3] {
        let line = frame as usize / 64;
        let [low, middle, high] = &mut self.sums;
        [
            &mut low[line / LINES_SUMMED],
            &mut middle[line / (LINES_SUMMED * SUMS_SUMMED)],
            &mut high[line / (LINES_SUMMED * SUMS_SUMMED * SUMS_SUMMED)],
        ]
    }

    /// A frame is in use from now on.
    pub fn insert(&mut self, frame: u32) {
        assert!(!self.is_used(frame), "a frame is taken once");
        let (line, bit) = self.at_mut(frame);
        line.used |= bit;
        self.counts[frame as usize / 64] += 1;
        self.count += 1;
        self.sums_mut(frame).into_iter().for_each(|sum| *sum += 1);
    }

    /// Frames that follow one another are in use from now on.
    pub fn insert_all(&mut self, frames: std::ops::Range<u64>) {
        let mut first = frames.start;
        while first < frames.end {
            let end = frames.end.min((first / 64 + 1) * 64);
            let (count, line) = ((end - first) as u32, first as usize / 64);
            let bits = super::bits::low_bits(count.into()) << (first % 64);
            assert!(self.lines[line].used & bits == 0, "a frame is taken once");
            self.lines[line].used |= bits;
            self.counts[line] += count as u8;
            self.sums_mut(first as u32).into_iter().for_each(|sum| *sum += count);
            first = end;
        }
        self.count += frames.end.saturating_sub(frames.start);
    }

    /// A frame is not in use any more.
    pub fn remove(&mut self, frame: u32) {
        assert!(self.is_used(frame), "a frame that is given back was in use");
        let (line, bit) = self.at_mut(frame);
        line.used &= !bit;
        self.counts[frame as usize / 64] -= 1;
        self.count -= 1;
        self.sums_mut(frame).into_iter().for_each(|sum| *sum -= 1);
    }

    /// The frame in use that has `before` others with lower numbers.
    pub fn nth(&self, before: u64) -> u32 {
        assert!(before < self.count, "so many frames are in use");
        let (mut left, mut at) = (before as u32, 0);
        for (sums, below) in [(&self.sums[2], SUMS_SUMMED), (&self.sums[1], SUMS_SUMMED), (&self.sums[0], LINES_SUMMED)] {
            while sums[at] <= left {
                left -= sums[at];
                at += 1;
            }
            at *= below;
        }
        while u32::from(self.counts[at]) <= left {
            left -= u32::from(self.counts[at]);
            at += 1;
        }
        at as u32 * 64 + super::bits::nth_bit(self.lines[at].used, left.into()).trailing_zeros()
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        (self.lines.len() * (size_of::<Line>() + 1) + self.sums.iter().map(|sums| sums.len() * 4).sum::<usize>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_frame_in_use_is_found_whatever_was_noted() {
        for frames in [1, 63, 64, 65, 1_000, 4_096, 70_001, 1_100_000] {
            let mut used = Frames::new(frames);
            let marked = |frame: &u32| frame.is_multiple_of(7) || frame % 5 == 2;
            let at_once = frames / 3..frames / 2;
            used.insert_all(at_once.clone());
            (0..frames as u32).filter(|&frame| !at_once.contains(&frame.into())).for_each(|frame| used.insert(frame));
            (0..frames as u32).filter(|frame| !marked(frame)).for_each(|frame| used.remove(frame));
            // Nothing is in use over some sums of each level.
            let empty = |frame: &u32| frames > 100_000 && frame / 1_024 % 40 > 2;
            (0..frames as u32).filter(|frame| marked(frame) && empty(frame)).for_each(|frame| used.remove(frame));
            let expected: Vec<u32> = (0..frames as u32).filter(|frame| marked(frame) && !empty(frame)).collect();
            assert_eq!(used.count(), expected.len() as u64);
            for (before, &frame) in (0..).zip(&expected) {
                assert_eq!(used.nth(before), frame, "{before} of {frames}");
            }
        }
    }
}
