//! Storage's part in relocations: which pages a pass has to send, and pages that arrive from another member.
//!
//! At the source, storage notes which pages change while the guest runs on. A pass goes through the guest's words and
//! collects pages: the first pass every page that was ever touched, later passes those noted as changed. A page that is on
//! DASD only must be read first, and one in expanded storage moved to a frame. At the destination, arriving pages go into frames, like pages that the guest has just
//! changed. But the guest has not touched them yet, so demand scan may take them at once.

use super::bits::{below_first, bits, low_bits};
use super::notes::{Noted, Notes};
use super::pages::{Pages, Word};
use super::{FreedSlots, Part, SEGMENT_WORDS, Storage};
use crate::snapshot::PieceSnapshot;

/// Pieces in which a snapshot shows a guest's storage; fewer for a guest with fewer words. Chosen: as many as an eye can tell
/// apart, in a number with many divisors.
const PIECES: usize = 240;

/// The result of a stretch of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Collected {
    /// The word at which the pass goes on; the number of words once it is through.
    pub next: u32,
    pub through: bool,
    /// Pages collected.
    pub pages: u32,
    /// How many of those were sent before.
    pub resent: u32,
    /// Segments of 1 MB with touched pages that the pass has finished. A segment split between stretches counts for the
    /// stretch that finishes it.
    pub segments: u32,
    /// The next page to send, if it is on DASD only or being read. It must be read before the pass goes on.
    pub away: Option<u64>,
}

impl Storage {
    /// From now on storage notes which pages of `guest` change, and which are collected.
    pub fn track(&mut self, guest: u32) {
        assert!(self.is_here(guest), "only a guest that is here is relocated from here");
        let pages = &mut self.guests[guest as usize];
        pages.begin_notes();
        for word in 0..pages.words.len() as u32 {
            if pages.touched_in(word) != 0 {
                pages.notes.note_touched(word);
            }
            if pages.out_in(word) != 0 {
                pages.notes.note_away(word);
            }
        }
    }

    /// Ends the notes about `guest`.
    pub fn untrack(&mut self, guest: u32) {
        self.guests[guest as usize].end_notes();
    }

    /// Whether storage notes which pages of `guest` change.
    pub fn is_tracked(&self, guest: u32) -> bool {
        self.guests[guest as usize].notes.are_taken()
    }

    /// Pages of `guest` that were ever touched.
    pub fn touched_pages(&self, guest: u32) -> u64 {
        let pages = &self.guests[guest as usize];
        pages.page_count - pages.untouched_count
    }

    /// Pages of `guest` that are noted as changed and have not been collected since.
    pub fn changed_pages(&self, guest: u32) -> u64 {
        self.guests[guest as usize].notes.changed.count()
    }

    /// The piece of a guest's storage that a word is in.
    pub fn piece(&self, guest: u32, word: u32) -> usize {
        let words = self.guests[guest as usize].words.len().max(1);
        word as usize * PIECES.min(words) / words
    }

    /// The pages of `guest` by piece, for a snapshot. A first pass under way has come to the word `first_pass_at`: only behind
    /// that does every touched page count as sent or as changed.
    pub fn pieces(&self, guest: u32, first_pass_at: Option<u32>) -> Vec<PieceSnapshot> {
        let pages = &self.guests[guest as usize];
        let mut pieces = vec![PieceSnapshot::default(); PIECES.min(pages.words.len())];
        let ahead = first_pass_at.map_or(pages.words.len(), |word| word as usize);
        let mut notes = pages.notes.sent.iter().zip(pages.notes.changed.words()).enumerate();
        let (count, words) = (pieces.len(), pages.notes.sent.len());
        for (index, piece) in pieces.iter_mut().enumerate() {
            let end = ((index + 1) * words).div_ceil(count);
            let length = end - (index * words).div_ceil(count);
            for (word, (&sent, &Noted { changed, .. })) in notes.by_ref().take(length) {
                let touched = if word >= ahead { pages.touched_in(word as u32) } else { changed };
                piece.sent += sent.count_ones();
                piece.changed += (sent & changed).count_ones();
                piece.unsent += (touched & !sent).count_ones();
            }
        }
        pieces
    }

    /// Continues a pass through `guest` at word `from`: collects up to `limit` pages and finishes up to `segments` segments.
    /// Collected pages are no longer noted as changed. A page that is on DASD only stops the pass, after the pages before it
    /// are collected. A word may be collected in part.
    pub fn collect(
        &mut self,
        guest: u32,
        from: u32,
        first_pass: bool,
        limit: u32,
        segments: u32,
        parts: &mut Vec<Part>,
    ) -> Collected {
        let pages = &mut self.guests[guest as usize];
        assert!(pages.notes.are_taken(), "a pass goes by the notes");
        let words = pages.words.len() as u32;
        let mut collected = Collected { next: from, ..Collected::default() };
        loop {
            let segment = collected.next / SEGMENT_WORDS;
            match pages.notes.next_touched(segment) {
                Some(touched) if touched == segment => {}
                Some(touched) => collected.next = touched * SEGMENT_WORDS,
                None => collected.next = words,
            }
            collected.through = collected.next >= words;
            if collected.through {
                pages.notes.in_part = None;
            }
            if collected.through || collected.pages == limit || collected.segments == segments {
                return collected;
            }
            let segment = collected.next / SEGMENT_WORDS;
            let end = ((segment + 1) * SEGMENT_WORDS).min(words);
            pages.collect(guest, end, first_pass, limit, &mut collected, parts);
            if collected.next < end {
                return collected;
            }
            pages.look_for_away(segment);
            collected.segments += 1;
        }
    }

    /// The first page of `guest` from `page` on that the pass has to send and that is on DASD only or being read.
    pub fn next_away(&self, guest: u32, page: u64, first_pass: bool) -> Option<u64> {
        let pages = &self.guests[guest as usize];
        let (first_word, below) = ((page / 64) as u32, low_bits(page % 64));
        let mut from = first_word / SEGMENT_WORDS;
        while let Some(segment) = pages.notes.next_away(from) {
            let end = ((segment + 1) * SEGMENT_WORDS).min(pages.words.len() as u32);
            for word in (segment * SEGMENT_WORDS).max(first_word)..end {
                let passed = if word == first_word { below } else { 0 };
                let away = pages.to_send(word as usize, first_pass) & pages.out_in(word) & !passed;
                if away != 0 {
                    return Some(first_page(word, away));
                }
            }
            from = segment + 1;
        }
        None
    }

    /// Builds the skeleton of `guest`, which is to come here: its words, with no page touched.
    pub fn build(&mut self, guest: u32) {
        assert!(self.is_gone(guest), "a guest is at only one place in a member's storage");
        self.is_new(guest);
        let pages = &mut self.guests[guest as usize];
        pages.build();
        if self.watched {
            pages.versions = vec![0; pages.page_count as usize];
        }
    }

    /// Pages of a guest arrive from another member. Those not in a frame take one. Their copies on DASD are out of date; the
    /// slots go to `freed`. Returns `false` and does nothing if the available list has too few frames.
    pub fn store(&mut self, part: Part, freed: &mut Vec<FreedSlots>) -> bool {
        let pages = &mut self.guests[part.guest as usize];
        assert_eq!(pages.reading_count, 0, "nothing is read for a guest that does not run here yet");
        let touched = pages.touched_in(part.word);
        let expanded = pages.expanded_in(part.word) & part.mask;
        let state = &mut pages.words[part.word as usize];
        let again = state.invalid & part.mask;
        let wanted = part.mask & !state.valid & !state.invalid;
        let fresh = part.mask & !touched;
        let (again_count, wanted_count) = (u64::from(again.count_ones()), u64::from(wanted.count_ones()));
        if wanted_count > self.counts.available_frames {
            return false;
        }
        state.valid |= part.mask;
        state.invalid &= !part.mask;
        state.changed |= part.mask;
        state.referenced &= !part.mask;
        // A page that is being written keeps its slot until that write has ended and it is written again.
        state.assigned &= !(part.mask & !state.writing);
        self.blocks.prune(&mut state.blocks, state.assigned, freed);
        let mut room = self.sides.room(self.counts.available_frames);
        pages.place(part.word, wanted, &mut room);
        self.sides.settle(room);
        pages.valid_count += again_count + wanted_count;
        pages.invalid_count -= again_count;
        pages.untouched_count -= u64::from(fresh.count_ones());
        pages.take_expanded(part.word, expanded);
        self.expanded.give_back(expanded.count_ones());
        pages.stir(part.word, part.mask);
        pages.list(part.word);
        self.counts.valid_frames += again_count + wanted_count;
        self.counts.age_list_frames -= again_count;
        self.counts.available_frames -= wanted_count;
        self.note_frames();
        true
    }

    /// The pages of `guest` are no longer wanted here: their frames are available, and their slots go to `freed`. A page
    /// that is being written keeps both until the write ends. No read may be under way.
    pub fn release(&mut self, guest: u32, freed: &mut Vec<FreedSlots>) {
        assert!(self.is_here(guest), "a guest is released where it is");
        self.strike(guest);
        let pages = &mut self.guests[guest as usize];
        assert_eq!(pages.reading_count, 0, "no read is under way for a guest that is released");
        let (mut held, mut below) = (0, 0);
        for word in 0..pages.words.len() {
            below += pages.displace(word as u32, !pages.words[word].writing);
            let state = &mut pages.words[word];
            held += u64::from(state.writing.count_ones());
            *state = Word {
                invalid: state.writing,
                assigned: state.writing,
                writing: state.writing,
                blocks: state.blocks,
                ..Word::EMPTY
            };
            self.blocks.prune(&mut state.blocks, state.assigned, freed);
        }
        let (valid, invalid) = (pages.valid_count, pages.invalid_count);
        pages.expanded.fill(0);
        self.expanded.forget(guest, std::mem::take(&mut pages.expanded_count));
        // Frames held until a write ends count as frames of the age list.
        (pages.valid_count, pages.invalid_count, pages.untouched_count) = (0, held, pages.page_count - held);
        pages.owned.clear();
        pages.notes = Notes::default();
        pages.stir_all();
        pages.versions = Vec::new();
        pages.leaving = true;
        pages.leave();
        self.sides.give_back(below);
        self.counts.valid_frames -= valid;
        self.counts.age_list_frames = self.counts.age_list_frames + held - invalid;
        self.counts.available_frames += valid + invalid - held;
        self.note_frames();
    }

    /// Takes the pages of `guest` from the age list.
    fn strike(&mut self, guest: u32) {
        self.strike_sought(guest);
        let (mut at, written) = (0, self.written_entries);
        let (written_entries, written_pages) = (&mut self.written_entries, &mut self.written_pages);
        self.age_list.retain(|part| {
            let keep = part.guest != guest;
            if !keep && at < written {
                *written_entries -= 1;
                *written_pages -= u64::from(part.pages());
            }
            at += 1;
            keep
        });
    }

    /// The write of pages of a released guest has ended.
    pub(super) fn let_go(&mut self, part: Part, freed: &mut Vec<FreedSlots>) {
        let pages = &mut self.guests[part.guest as usize];
        let state = &mut pages.words[part.word as usize];
        state.invalid &= !part.mask;
        state.assigned &= !part.mask;
        self.blocks.prune(&mut state.blocks, state.assigned, freed);
        let count = u64::from(part.pages());
        pages.invalid_count -= count;
        pages.untouched_count += count;
        let below = pages.displace(part.word, part.mask);
        self.sides.give_back(below);
        pages.leave();
        self.counts.age_list_frames -= count;
        self.counts.available_frames += count;
        self.note_frames();
    }

    /// Whether nothing of `guest` is left here.
    pub fn is_gone(&self, guest: u32) -> bool {
        self.guests[guest as usize].words.is_empty()
    }

    /// Whether `guest` is here and has not been released.
    pub(super) fn is_here(&self, guest: u32) -> bool {
        self.guests[guest as usize].is_here()
    }

    /// From now on storage keeps a version of each page and raises it whenever a touch changes the page.
    pub fn watch_contents(&mut self) {
        self.watched = true;
        for pages in self.guests.iter_mut().filter(|pages| !pages.words.is_empty() && !pages.leaving) {
            pages.versions = vec![0; pages.page_count as usize];
        }
    }

    /// The versions of the pages of a part, the lowest page first; none unless contents are watched.
    pub fn contents(&self, part: Part) -> Vec<u32> {
        let versions = &self.guests[part.guest as usize].versions;
        if versions.is_empty() { Vec::new() } else { bits(part.mask).map(|bit| versions[page(part.word, bit)]).collect() }
    }

    /// Gives the pages of `part` that have arrived these contents. Does nothing unless contents are watched.
    pub fn store_contents(&mut self, part: Part, contents: &[u32]) {
        let versions = &mut self.guests[part.guest as usize].versions;
        if !versions.is_empty() {
            assert_eq!(contents.len(), part.pages() as usize, "each page has its contents");
            bits(part.mask).zip(contents).for_each(|(bit, &version)| versions[page(part.word, bit)] = version);
        }
    }

    /// Whether both hold the same pages of `guest` with the same contents. If not, returns the first difference in words.
    pub fn compare(&self, other: &Storage, guest: u32) -> Result<(), String> {
        let (here, there) = (&self.guests[guest as usize], &other.guests[guest as usize]);
        if here.words.len() != there.words.len() {
            return Err(format!("{} words at the source, {} at the destination", here.words.len(), there.words.len()));
        }
        if here.versions.len() < here.page_count as usize || there.versions.len() < there.page_count as usize {
            return Err("contents are not watched".into());
        }
        for word in 0..here.words.len() as u32 {
            let (source, destination) = (here.touched_in(word), there.touched_in(word));
            if let Some(bit) = bits(source ^ destination).next() {
                let place = if source >> bit & 1 != 0 { "source" } else { "destination" };
                return Err(format!("page {}: at the {place} only", page(word, bit)));
            }
            for page in bits(source).map(|bit| page(word, bit)) {
                let (source, destination) = (here.versions[page], there.versions[page]);
                if source != destination {
                    return Err(format!("page {page}: version {source} at the source, {destination} at the destination"));
                }
            }
        }
        Ok(())
    }
}

impl Pages {
    /// The pages of a word that the pass has to send.
    fn to_send(&self, word: usize, first_pass: bool) -> u64 {
        let noted = if first_pass {
            self.touched_in(word as u32) & !self.notes.sent[word]
        } else {
            self.notes.changed.words()[word].changed
        };
        noted & !self.collected_of(word as u32)
    }

    /// The pages of a word that the pass has collected, if that is the last word that it collected from.
    fn collected_of(&self, word: u32) -> u64 {
        self.notes.in_part.filter(|&(in_part, _)| in_part == word).map_or(0, |(_, mask)| mask)
    }

    /// Continues a pass up to the word `end`, until it reaches a limit or a page that must be read.
    fn collect(
        &mut self,
        guest: u32,
        end: u32,
        first_pass: bool,
        limit: u32,
        so_far: &mut Collected,
        parts: &mut Vec<Part>,
    ) {
        while so_far.next < end && so_far.pages < limit {
            let word = so_far.next as usize;
            let wanted = self.to_send(word, first_pass);
            if wanted != 0 {
                let away = wanted & self.out_in(word as u32);
                let ready = Part { guest, word: so_far.next, mask: wanted & below_first(away) };
                let part = ready.first(limit - so_far.pages);
                if part.mask != 0 {
                    so_far.pages += part.pages();
                    so_far.resent += (part.mask & self.notes.sent[word]).count_ones();
                    self.notes.sent[word] |= part.mask;
                    self.notes.changed.take(word, part.mask);
                    self.notes.in_part = Some((so_far.next, self.collected_of(so_far.next) | part.mask));
                    parts.push(part);
                }
                if part.mask != ready.mask {
                    return;
                }
                if away != 0 {
                    so_far.away = Some(first_page(so_far.next, away));
                    return;
                }
            }
            so_far.next += 1;
        }
    }

    /// Clears the note that a segment may have pages on DASD only, if it has none.
    fn look_for_away(&mut self, segment: u32) {
        if self.notes.may_be_away(segment) {
            let end = ((segment + 1) * SEGMENT_WORDS).min(self.words.len() as u32);
            if (segment * SEGMENT_WORDS..end).all(|word| self.out_in(word) == 0) {
                self.notes.none_away(segment);
            }
        }
    }

    /// A guest that was released is gone once none of its pages is being written.
    fn leave(&mut self) {
        if self.invalid_count == 0 {
            (self.words, self.below, self.expanded) = (Vec::new(), Vec::new(), Vec::new());
            self.leaving = false;
        }
    }
}

/// The page of a word with the number of its bit.
fn page(word: u32, bit: u32) -> usize {
    word as usize * 64 + bit as usize
}

/// The page of the lowest of `bits`, of a word.
fn first_page(word: u32, bits: u64) -> u64 {
    u64::from(word) * 64 + u64::from(bits.trailing_zeros())
}

#[cfg(test)]
mod tests;

#[cfg(all(test, not(target_arch = "wasm32")))]
mod laws;
