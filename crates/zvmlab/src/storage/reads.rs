//! Reads from DASD: what a page fault reads, and its pages from then until they are valid.

use super::blocks::{Block, FreedSlots};
use super::pages::Word;
use super::{Part, Storage};

/// What a page fault reads: blocks in contiguous slots of one volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub volume: u16,
    pub parts: Vec<Part>,
}

impl Read {
    /// How many pages.
    pub fn pages(&self) -> u32 {
        self.parts.iter().map(|part| part.pages()).sum()
    }
}

impl Storage {
    /// What a fault of `guest` on `page` reads: the page's block, and the blocks that follow it both in virtual storage and
    /// on the volume, as many as the level reads at once. `None` if the page is not on DASD.
    pub fn plan_read(&self, guest: u32, page: u64) -> Option<Read> {
        let (word, bit) = ((page / 64) as u32, 1 << (page % 64));
        let (block, mask) = self.away_part(guest, word, bit)?;
        let volume = block.volume();
        let mut parts = vec![Part { guest, word, mask }];
        let mut total = block.mask().count_ones();
        let (mut last, mut next_slot) =
            (u64::from(word) * 64 + 63 - u64::from(block.mask().leading_zeros()), block.slot() + total);
        loop {
            let (next_word, next_bit) = (((last + 1) / 64) as u32, 1 << ((last + 1) % 64));
            let near = (last + 1) / self.read_within_pages == page / self.read_within_pages;
            let follows = |(block, mask): &(Block, u64)| {
                let length = block.mask().count_ones();
                block.volume() == volume
                    && block.slot() == next_slot
                    && total + length <= self.blocking.read_pages_max
                    && block.mask() & (next_bit - 1) == 0
                    && *mask == block.mask()
            };
            let next = near.then(|| self.away_part(guest, next_word, next_bit)).flatten().filter(follows);
            let Some((next, _)) = next else { break };
            parts.push(Part { guest, word: next_word, mask: next.mask() });
            total += next.mask().count_ones();
            last = u64::from(next_word) * 64 + 63 - u64::from(next.mask().leading_zeros());
            next_slot = next.slot() + next.mask().count_ones();
        }
        Some(Read { volume, parts })
    }

    /// The pages of a word that are on DASD only.
    pub(super) fn away(&self, guest: u32, word: u32) -> u64 {
        self.guests[guest as usize].words.get(word as usize).map_or(0, Word::away)
    }

    /// The block that holds the copy of the page with this bit, if that is on DASD only, and the pages of the block to read: those on DASD
    /// only whose copy is in this block.
    fn away_part(&self, guest: u32, word: u32, bit: u64) -> Option<(Block, u64)> {
        let away = self.away(guest, word);
        if away & bit == 0 {
            return None;
        }
        let row = self.guests[guest as usize].words[word as usize].blocks;
        let (block, newer) = self.blocks.holding(row, bit).expect("a page on DASD is in a block");
        Some((block, block.mask() & away & !newer))
    }

    /// Takes frames of the available list for the pages of `read`. There must be enough.
    pub fn begin_read(&mut self, read: &Read) {
        for part in &read.parts {
            let pages = u64::from(part.pages());
            self.place(*part);
            self.guests[part.guest as usize].reading_count += pages;
            self.guests[part.guest as usize].read_count += pages;
            self.counts.available_frames -= pages;
            self.counts.reading_frames += pages;
        }
        self.note_frames();
    }

    /// A read has ended: its pages are valid. With `keep` their slots stay assigned, so that CP need not write an unchanged
    /// page again. Without it the slots go to `freed`, to be given back.
    pub fn end_read(&mut self, read: &Read, keep: bool, freed: &mut Vec<FreedSlots>) {
        for &Part { guest, word, mask } in &read.parts {
            let pages = &mut self.guests[guest as usize];
            pages.arrive(word, mask);
            let count = u64::from(mask.count_ones());
            self.counts.reading_frames -= count;
            self.counts.valid_frames += count;
            if !keep {
                let state = &mut pages.words[word as usize];
                state.assigned &= !mask;
                state.changed |= mask;
                self.blocks.prune(&mut state.blocks, state.assigned, freed);
            }
        }
    }
}
