//! The pages of one guest: a bit for each page and property, handled in words of 64 pages.
//!
//! A page is in one of six places: never touched; valid in a frame; invalid but resident (on the age list); in expanded storage;
//! being read; on DASD only. The last two are told apart by the read that is under way.

use std::collections::VecDeque;

use super::bits::{below_first, bits, low_bits, nth_bit};
use super::blocks::Row;
use super::notes::{Noted, Notes};
use super::order::Order;
use super::room::Room;

/// The state of 64 pages, a bit for each page and property. The model mostly needs several properties of a word together, so
/// all bits of a word are together: in one line of the processor's cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// In a frame, and a touch goes through.
    pub valid: u64,
    /// In a frame, on the age list: a touch makes it valid again.
    pub invalid: u64,
    /// Touched since demand scan last looked or, where CP reorders, since the last reorder.
    pub referenced: u64,
    /// Differs from its copy on DASD, or was changed and has no copy.
    pub changed: u64,
    /// Being written. Its frame cannot be had before the write ends.
    pub writing: u64,
    /// Has a slot on DASD.
    pub assigned: u64,
    /// Where the word's blocks stand.
    pub blocks: Row,
    /// Whether the word is on the frame-owned list.
    pub listed: bool,
    /// Whether the word is in the line of those that migrate from expanded storage.
    pub in_line: bool,
    /// Whether pages of it came to expanded storage since it joined that line.
    pub came_again: bool,
}

impl Word {
    /// Pages never touched.
    pub const EMPTY: Word = Word {
        valid: 0,
        invalid: 0,
        referenced: 0,
        changed: 0,
        writing: 0,
        assigned: 0,
        blocks: Row::EMPTY,
        listed: false,
        in_line: false,
        came_again: false,
    };

    /// The pages that were ever touched, without those in expanded storage.
    fn touched(&self) -> u64 {
        self.valid | self.invalid | self.assigned
    }

    /// The pages that are on DASD only, including those being read.
    pub fn away(&self) -> u64 {
        self.assigned & !self.valid & !self.invalid
    }
}

/// The state of a guest's pages.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    /// None where the guest is not here.
    pub words: Vec<Word>,
    /// Whether the guest was released and some of its pages are still being written.
    pub leaving: bool,
    /// The frame-owned list: words that hold valid pages, the next to be scanned first.
    pub owned: VecDeque<u32>,
    /// By what demand scan chooses pages of that list.
    pub order: Order,
    /// The notes for a relocation.
    pub notes: Notes,
    /// Whether its programs go from page to page at random.
    pub at_random: bool,
    /// Pages with which another touch has nothing to do, except for the notes: they are valid and referenced, and either changed, or no
    /// touch changes them. Some such pages may be missing, and all where programs do not go at random. While notes are taken, they have
    /// them. See [`ValidTouches`].
    quiet: Vec<u64>,
    /// Whether the host tells frames below 2 GB from those above.
    pub sided: bool,
    /// Pages in frames below 2 GB, a bit each as in `words`; empty where the host does not tell them apart.
    pub below: Vec<u64>,
    /// How many they are.
    pub below_count: u64,
    /// Available frames on either side, for the touch under way.
    pub room: Room,
    /// How often each page was changed; empty unless contents are watched.
    pub versions: Vec<u32>,
    pub page_count: u64,
    pub valid_count: u64,
    pub invalid_count: u64,
    pub reading_count: u64,
    /// Whether the host has expanded storage.
    pub expands: bool,
    /// Pages in expanded storage, and nowhere else; a bit each as in `words`. Empty where the host has none.
    pub expanded: Vec<u64>,
    /// How many they are.
    pub expanded_count: u64,
    /// Pages read so far.
    pub read_count: u64,
    pub untouched_count: u64,
}

/// The result of a step of a guest's walk through its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Pages touched.
    pub pages: u64,
    /// How many of those were touched for the first time.
    pub first: u64,
    /// How many of those were invalid but resident.
    pub revalidated: u64,
    /// How many of those came from expanded storage.
    pub fetched: u64,
    /// Why the walk stopped.
    pub stop: Stop,
}

impl Touched {
    /// This step and then `next`.
    pub fn then(self, next: Touched) -> Touched {
        Touched {
            pages: self.pages + next.pages,
            first: self.first + next.first,
            revalidated: self.revalidated + next.revalidated,
            fetched: self.fetched + next.fetched,
            stop: next.stop,
        }
    }
}

/// Why a walk stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It went as far as it was asked to.
    #[default]
    Limit,
    /// The next page is on DASD, or in expanded storage.
    Fault,
    /// The next page was never touched and no frame is available.
    NoFrame,
}

/// Touches of single pages that are valid. There is nothing to do for them except to note the touch. A guest that goes from
/// page to page at random does so hundreds of millions of times; so what all touches need is looked up once. Most touches find
/// that the page is quiet. The bits that say so fit into a cache for which the words are far too large.
pub(crate) struct ValidTouches<'a> {
    words: &'a mut [Word],
    /// Where no notes are taken.
    quiet: &'a mut [u64],
    /// Where they are taken, with how many pages are noted as changed.
    noted: &'a mut [Noted],
    count: &'a mut u64,
}

impl ValidTouches<'_> {
    /// Touches `page` if it is valid. `change` gives the pages of its word that the touch changes: the same each time that a page is
    /// touched this way.
    #[inline]
    pub fn touch(&mut self, page: u64, change: impl Fn() -> u64) -> bool {
        let (word, bit) = ((page / 64) as usize, 1 << (page % 64));
        match self.noted.get_mut(word) {
            Some(noted) if noted.quiet & bit != 0 => {
                let changed = bit & change();
                *self.count += u64::from(changed & !noted.changed != 0);
                noted.changed |= changed;
                true
            }
            None if self.quiet.get(word).is_some_and(|quiet| quiet & bit != 0) => true,
            _ => self.touch_in_word(word, bit, change()),
        }
    }

    fn touch_in_word(&mut self, word: usize, bit: u64, change: u64) -> bool {
        let Some(state) = self.words.get_mut(word) else { return false };
        if state.valid & bit == 0 {
            return false;
        }
        state.referenced |= bit;
        state.changed |= bit & change;
        let quiet = bit & (state.changed | !change);
        if let Some(noted) = self.noted.get_mut(word) {
            *self.count += u64::from(bit & change & !noted.changed != 0);
            noted.changed |= bit & change;
            noted.quiet |= quiet;
        } else if let Some(of_word) = self.quiet.get_mut(word) {
            *of_word |= quiet;
        }
        true
    }
}

impl Pages {
    /// A guest that is not here.
    pub fn new(page_count: u64) -> Self {
        Pages {
            words: Vec::new(),
            leaving: false,
            owned: VecDeque::new(),
            order: Order::default(),
            notes: Notes::default(),
            at_random: false,
            quiet: Vec::new(),
            sided: false,
            below: Vec::new(),
            below_count: 0,
            room: Room::default(),
            versions: Vec::new(),
            page_count,
            valid_count: 0,
            invalid_count: 0,
            reading_count: 0,
            expands: false,
            expanded: Vec::new(),
            expanded_count: 0,
            read_count: 0,
            untouched_count: page_count,
        }
    }

    /// The guest is here from now on, and none of its pages was touched.
    pub fn build(&mut self) {
        self.words = vec![Word::EMPTY; self.page_count.div_ceil(64) as usize];
        self.quiet = if self.at_random { vec![0; self.words.len()] } else { Vec::new() };
        self.below = if self.sided { vec![0; self.words.len()] } else { Vec::new() };
        self.expanded = if self.expands { vec![0; self.words.len()] } else { Vec::new() };
        self.order.begin(self.words.len());
    }

    /// The pages of a word that are in expanded storage.
    pub fn expanded_in(&self, word: u32) -> u64 {
        self.expanded.get(word as usize).copied().unwrap_or_default()
    }

    /// The pages of a word that were ever touched.
    pub fn touched_in(&self, word: u32) -> u64 {
        self.words[word as usize].touched() | self.expanded_in(word)
    }

    /// The pages of a word that are in no frame: in expanded storage, on DASD only, or being read.
    pub fn out_in(&self, word: u32) -> u64 {
        self.words[word as usize].away() | self.expanded_in(word)
    }

    /// Whether the guest is here.
    pub fn is_here(&self) -> bool {
        !self.words.is_empty() && !self.leaving
    }

    /// Touches up to `limit` pages from `page` on, in order. It stops at the first page that is not in a frame and cannot
    /// have one of `frames` at once. `change` gives the pages of a word that the touch changes.
    pub fn touch(&mut self, page: u64, limit: u64, frames: u64, change: impl Fn(u64) -> u64) -> Touched {
        let mut touched = Touched::default();
        while touched.pages < limit {
            let at = page + touched.pages;
            let (word, bit) = ((at / 64) as usize, at % 64);
            let wanted = (limit - touched.pages).min(64 - bit);
            let mut mask = low_bits(wanted) << bit;
            let state = &self.words[word];
            let resident = state.valid | state.invalid;
            let out = state.away() | self.expanded_in(word as u32);
            mask &= below_first(out & mask);
            let mut fresh = mask & !resident & !out;
            let room = frames - touched.first;
            if u64::from(fresh.count_ones()) > room {
                let first_without = nth_bit(fresh, room);
                mask &= first_without - 1;
                fresh &= mask;
            }
            self.touch_word(word, mask, fresh, change(word as u64), &mut touched);
            if u64::from(mask.count_ones()) < wanted {
                let next = 1 << ((page + touched.pages) % 64);
                touched.stop = if out & next != 0 { Stop::Fault } else { Stop::NoFrame };
                break;
            }
        }
        touched
    }

    /// Touches pages one at a time, as long as they are valid.
    pub fn valid_touches(&mut self) -> ValidTouches<'_> {
        // Where versions are kept, no page is touched this way.
        let (noted, count) = self.notes.changed.parts();
        if !self.versions.is_empty() {
            return ValidTouches { words: &mut [], quiet: &mut [], noted: &mut [], count };
        }
        ValidTouches { words: &mut self.words, quiet: &mut self.quiet, noted, count }
    }

    /// From now on changes of pages are noted, with nothing noted yet.
    pub fn begin_notes(&mut self) {
        self.notes = Notes::new(self.words.len(), &std::mem::take(&mut self.quiet));
    }

    /// Ends the notes.
    pub fn end_notes(&mut self) {
        let notes = std::mem::take(&mut self.notes);
        if self.at_random && notes.are_taken() {
            self.quiet = notes.changed.words().iter().map(|noted| noted.quiet).collect();
        }
    }

    /// The quiet pages of a word, if there may be any.
    fn quiet_mut(&mut self, word: usize) -> Option<&mut u64> {
        let of_notes = self.notes.changed.parts().0.get_mut(word).map(|noted| &mut noted.quiet);
        of_notes.or_else(|| self.quiet.get_mut(word))
    }

    /// These pages are no longer quiet.
    pub fn stir(&mut self, word: u32, mask: u64) {
        if let Some(quiet) = self.quiet_mut(word as usize) {
            *quiet &= !mask;
        }
    }

    /// No page is quiet, and none will be: the guest leaves, and its notes have ended.
    pub fn stir_all(&mut self) {
        self.quiet = Vec::new();
    }

    /// All reference bits are reset: no page is quiet.
    pub fn reset_references(&mut self) {
        self.words.iter_mut().for_each(|word| word.referenced = 0);
        self.quiet.fill(0);
        self.notes.changed.parts().0.iter_mut().for_each(|noted| noted.quiet = 0);
    }

    fn touch_word(&mut self, word: usize, mask: u64, fresh: u64, change: u64, touched: &mut Touched) {
        if mask == 0 {
            return;
        }
        let state = &mut self.words[word];
        let again = state.invalid & mask;
        state.invalid &= !mask;
        state.valid |= mask;
        state.referenced |= mask;
        // The first touch of a page writes to it: the program fills its storage before it uses it.
        let changed = mask & (change | fresh);
        state.changed |= changed;
        let settled = mask & state.changed;
        if let Some(quiet) = self.quiet_mut(word) {
            *quiet |= settled;
        }
        self.note(word, changed, fresh);
        let (fresh_count, again_count) = (u64::from(fresh.count_ones()), u64::from(again.count_ones()));
        if self.sided && fresh != 0 {
            let mut room = self.room;
            self.place(word as u32, fresh, &mut room);
            self.room = room;
        }
        self.valid_count += fresh_count + again_count;
        self.invalid_count -= again_count;
        self.untouched_count -= fresh_count;
        touched.pages += u64::from(mask.count_ones());
        touched.first += fresh_count;
        touched.revalidated += again_count;
        if fresh | again != 0 {
            self.list(word as u32);
        }
    }

    /// Notes that a touch changed pages of a word, the `fresh` ones for the first time.
    fn note(&mut self, word: usize, changed: u64, fresh: u64) {
        self.notes.note_changed(word, changed, fresh);
        if !self.versions.is_empty() {
            bits(changed).for_each(|bit| self.versions[word * 64 + bit as usize] += 1);
        }
    }

    /// Puts a word at the end of the frame-owned list, unless it is there already.
    pub fn list(&mut self, word: u32) {
        if !std::mem::replace(&mut self.words[word as usize].listed, true) {
            self.owned.push_back(word);
        }
    }

    /// Pages that a read brought in become valid. They count as untouched until the guest reaches them.
    pub fn arrive(&mut self, word: u32, mask: u64) {
        let count = u64::from(mask.count_ones());
        let state = &mut self.words[word as usize];
        state.valid |= mask;
        state.referenced &= !mask;
        state.changed &= !mask;
        self.valid_count += count;
        self.reading_count -= count;
        self.list(word);
    }

    /// Pages on DASD only, without those being read.
    pub fn dasd_count(&self) -> u64 {
        let in_frames = self.valid_count + self.invalid_count + self.reading_count;
        self.page_count - self.untouched_count - in_frames - self.expanded_count
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        let words = self.words.len() * size_of::<Word>() + self.owned.capacity() * size_of::<u32>();
        let bits = (self.quiet.len() + self.below.len() + self.expanded.len()) * size_of::<u64>();
        (words + bits + self.versions.len() * size_of::<u32>()) as u64 + self.notes.bytes() + self.order.bytes()
    }

    /// Checks the counts against the bits, and that each page is in one place.
    pub fn verify(&self) {
        let count =
            |bits: fn(&Word) -> u64| -> u64 { self.words.iter().map(|word| u64::from(bits(word).count_ones())).sum() };
        assert_eq!(count(|word| word.valid & word.invalid), 0, "a page is not valid and invalid at once");
        let expanded: u64 = self.expanded.iter().map(|word| u64::from(word.count_ones())).sum();
        assert_eq!(expanded, self.expanded_count, "pages in expanded storage");
        let twice = self.words.iter().zip(&self.expanded).any(|(word, expanded)| word.touched() & expanded != 0);
        assert!(!twice, "a page in expanded storage is nowhere else");
        assert_eq!(count(|word| word.valid), self.valid_count, "valid pages");
        assert_eq!(count(|word| word.invalid), self.invalid_count, "invalid but resident pages");
        assert_eq!(count(Word::away), self.dasd_count() + self.reading_count, "pages on DASD only and pages being read");
        let homeless = count(|word| (word.changed | word.writing) & !(word.valid | word.invalid));
        assert_eq!(homeless, 0, "a changed page, or one being written, is in a frame");
        let lost = count(|word| (word.valid | word.invalid) & !word.assigned & !word.changed);
        assert_eq!(lost, 0, "a page without a copy is changed");
        let touched = if self.words.is_empty() { 0 } else { self.page_count - self.untouched_count };
        assert_eq!(count(Word::touched) + expanded, touched, "pages that were ever touched");
        let noted = self.notes.changed.words();
        let quiet = self.quiet.iter().copied().chain(noted.iter().map(|noted| noted.quiet));
        let all = quiet.zip(&self.words).all(|(quiet, word)| quiet & !(word.valid & word.referenced) == 0);
        assert!(all, "a quiet page is valid and referenced");
        let noted = noted.iter().map(|noted| u64::from(noted.changed.count_ones())).sum::<u64>();
        assert_eq!(noted, self.notes.changed.count(), "pages noted as changed");
        let unlisted = self.words.iter().filter(|word| word.valid != 0 && !word.listed).count();
        assert_eq!(unlisted, 0, "a word with valid pages is on the frame-owned list");
        assert_eq!(self.words.iter().filter(|word| word.listed).count(), self.owned.len(), "a word is listed once");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guest that is here.
    fn pages(page_count: u64) -> Pages {
        let mut pages = Pages::new(page_count);
        pages.build();
        pages
    }

    #[test]
    fn a_walk_stops_where_frames_run_out_and_goes_on() {
        let mut pages = pages(1000);
        let first = pages.touch(10, 500, 100, |_| u64::MAX);
        assert_eq!(first, Touched { pages: 100, first: 100, revalidated: 0, fetched: 0, stop: Stop::NoFrame });
        let second = pages.touch(10, 200, 100, |_| u64::MAX);
        assert_eq!(second, Touched { pages: 200, first: 100, revalidated: 0, fetched: 0, stop: Stop::Limit });
        pages.verify();
    }
}
