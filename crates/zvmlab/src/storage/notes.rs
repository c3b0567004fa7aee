//! Notes about a guest's pages during its relocation: which were changed, which were sent, and where touched ones are.
//!
//! Bits of pages are in words, as the pages themselves are. Bits of segments say which words are worth a look: a guest of
//! 100 GB has 409,600 words, and a pass with little to send must not look at all of them.

use super::SEGMENT_WORDS;

/// The notes of one guest; all empty where none are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Pages changed by a touch and not collected since.
    pub changed: Changed,
    /// Pages that were collected at least once.
    pub sent: Vec<u64>,
    /// The word that the pass has collected in part, and the pages collected from it. A pass collects none of them twice, as
    /// nothing makes sure that two messages of a pass are stored in order.
    pub in_part: Option<(u32, u64)>,
    /// Segments with pages that were ever touched.
    touched: Vec<u64>,
    /// Segments that may have pages on DASD only. A bit is set at once, and cleared when a pass finds no such page.
    away: Vec<u64>,
}

/// What a touch at random asks of a word, side by side: it finds both in one line of the processor's cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(super) struct Noted {
    /// Pages changed by a touch and not collected since.
    pub changed: u64,
    /// The quiet pages: see `Pages::quiet`.
    pub quiet: u64,
}

/// Pages that a touch changed, and how many they are. Who asks need not count: a guest of 500 GB has two million words.
#[derive(Clone, Debug, Default)]
pub(super) struct Changed {
    /// For each word; empty where no notes are taken.
    words: Vec<Noted>,
    count: u64,
}

impl Changed {
    /// Pages of a word were changed. Does nothing where no notes are taken.
    #[inline]
    pub fn add(&mut self, word: usize, mask: u64) {
        if let Some(noted) = self.words.get_mut(word) {
            self.count += u64::from((mask & !noted.changed).count_ones());
            noted.changed |= mask;
        }
    }

    /// Each word, and how many changed pages they have.
    pub fn parts(&mut self) -> (&mut [Noted], &mut u64) {
        (&mut self.words, &mut self.count)
    }

    /// Pages of a word were collected.
    pub fn take(&mut self, word: usize, mask: u64) {
        self.count -= u64::from((self.words[word].changed & mask).count_ones());
        self.words[word].changed &= !mask;
    }

    /// Whether notes are taken.
    pub fn are_noted(&self) -> bool {
        !self.words.is_empty()
    }

    /// Each word.
    pub fn words(&self) -> &[Noted] {
        &self.words
    }

    /// How many pages they are.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Notes {
    /// Notes of a guest of so many words, with nothing in them, and its quiet pages, if it has any.
    pub fn new(words: usize, quiet: &[u64]) -> Self {
        let mut noted = vec![Noted::default(); words];
        noted.iter_mut().zip(quiet).for_each(|(noted, quiet)| noted.quiet = *quiet);
        let segments = words.div_ceil(SEGMENT_WORDS as usize).div_ceil(64);
        Notes {
            changed: Changed { words: noted, count: 0 },
            sent: vec![0; words],
            in_part: None,
            touched: vec![0; segments],
            away: vec![0; segments],
        }
    }

    /// Whether notes are taken.
    pub fn are_taken(&self) -> bool {
        self.changed.are_noted()
    }

    /// Pages of a word were changed; the `fresh` ones were touched for the first time.
    pub fn note_changed(&mut self, word: usize, changed: u64, fresh: u64) {
        self.changed.add(word, changed);
        if fresh != 0 {
            self.note_touched(word as u32);
        }
    }

    /// A word has touched pages.
    pub fn note_touched(&mut self, word: u32) {
        set(&mut self.touched, word / SEGMENT_WORDS, true);
    }

    /// A word may have pages on DASD only.
    pub fn note_away(&mut self, word: u32) {
        set(&mut self.away, word / SEGMENT_WORDS, true);
    }

    /// Whether a segment may have pages on DASD only.
    pub fn may_be_away(&self, segment: u32) -> bool {
        self.away.get(segment as usize / 64).is_some_and(|bits| bits >> (segment % 64) & 1 != 0)
    }

    /// A segment has no pages on DASD only.
    pub fn none_away(&mut self, segment: u32) {
        set(&mut self.away, segment, false);
    }

    /// The first segment from `segment` on that has touched pages.
    pub fn next_touched(&self, segment: u32) -> Option<u32> {
        next(&self.touched, segment)
    }

    /// The first segment from `segment` on that may have pages on DASD only.
    pub fn next_away(&self, segment: u32) -> Option<u32> {
        next(&self.away, segment)
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        let words = 2 * self.changed.words.len() + self.sent.len() + self.touched.len() + self.away.len();
        (words * size_of::<u64>()) as u64
    }
}

/// Sets or clears a bit of a bitmap. Does nothing if there is no bitmap.
fn set(bits: &mut [u64], at: u32, to: bool) {
    if let Some(bits) = bits.get_mut(at as usize / 64) {
        *bits = *bits & !(1 << (at % 64)) | u64::from(to) << (at % 64);
    }
}

/// The first bit from `from` on that is set.
fn next(bits: &[u64], from: u32) -> Option<u32> {
    let first = bits.get(from as usize / 64)? & u64::MAX << (from % 64);
    if first != 0 {
        return Some(from / 64 * 64 + first.trailing_zeros());
    }
    let rest = (from / 64 + 1) as usize;
    let at = rest + bits[rest..].iter().position(|&bits| bits != 0)?;
    Some(at as u32 * 64 + bits[at].trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_bit_is_the_first_from_there_on() {
        let set = [0, 1, 63, 64, 200, 319];
        let mut bits = vec![0; 5];
        set.iter().for_each(|&at| super::set(&mut bits, at, true));
        for from in 0..330 {
            assert_eq!(next(&bits, from), set.into_iter().find(|&at| at >= from), "from {from} on");
        }
        super::set(&mut bits, 64, false);
        assert_eq!(next(&bits, 64), Some(200));
    }
}
