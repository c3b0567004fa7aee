//! Blocks of a member that gather to be written, and slots that blocks give up.

use crate::storage::{FreedSlots, Part};

/// What one channel program of paging moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Blocks.
    pub blocks: u32,
    /// Runs of contiguous slots.
    pub runs: u32,
    /// Pages.
    pub pages: u32,
    /// The slot behind the last block.
    next_slot: u32,
}

impl Load {
    /// One block, in contiguous slots.
    pub fn block(pages: u32) -> Load {
        Load { blocks: 1, runs: 1, pages, next_slot: 0 }
    }

    /// Adds a block of so many pages from `slot` on. Blocks are written in the order in which they came (assumed): one that does not
    /// follow the block before it begins a run.
    pub fn add(&mut self, slot: u32, pages: u32) {
        self.runs += u32::from(self.blocks == 0 || slot != self.next_slot);
        (self.blocks, self.pages, self.next_slot) = (self.blocks + 1, self.pages + pages, slot + pages);
    }
}

/// Blocks that wait for the channel program of their volume to be full.
#[derive(Clone, Debug)]
pub(super) struct Writes {
    /// The blocks of each volume, with their first slots.
    gathering: Vec<Vec<(Part, u32)>>,
    /// Most pages of a channel program.
    pages_max: u32,
    /// Slots that blocks have given up and that page space is to get back.
    pub freed: Vec<FreedSlots>,
    /// A buffer for the blocks of demand scan, kept between uses so that a step seldom allocates.
    pub spare: Vec<Part>,
}

impl Writes {
    /// Nothing gathers yet for any of `volumes` volumes.
    pub fn new(volumes: u32, pages_max: u32) -> Self {
        Writes { gathering: vec![Vec::new(); volumes as usize], pages_max, freed: Vec::new(), spare: Vec::new() }
    }

    /// Whether a channel program of `volume` has no room for `pages` more pages.
    pub fn is_full(&self, volume: u16, pages: u32) -> bool {
        let gathered: u32 = self.gathering[volume as usize].iter().map(|(part, _)| part.pages()).sum();
        gathered + pages > self.pages_max
    }

    /// Adds a block to be written from `slot` on.
    pub fn add(&mut self, volume: u16, part: Part, slot: u32) {
        self.gathering[volume as usize].push((part, slot));
    }

    /// What has gathered for `volume`.
    pub fn take(&mut self, volume: u16) -> (Vec<Part>, Load) {
        let mut load = Load::default();
        let gathered = self.gathering[volume as usize].drain(..);
        let parts = gathered.inspect(|(part, slot)| load.add(*slot, part.pages())).map(|(part, _)| part).collect();
        (parts, load)
    }

    /// Takes out the blocks of `guest`, which need not be written any more.
    pub fn withdraw(&mut self, guest: u32) -> Vec<Part> {
        let of_guest =
            self.gathering.iter_mut().flat_map(|gathered| gathered.extract_if(.., |(part, _)| part.guest == guest));
        of_guest.map(|(part, _)| part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_side_by_side_are_one_run() {
        let mut writes = Writes::new(2, 96);
        let part = |guest, mask| Part { guest, word: 0, mask };
        for (guest, mask, slot) in [(0, 0b1111, 10), (1, 0b11, 14), (0, 0b111, 16), (0, 0b1, 20), (0, 0b1, 3)] {
            writes.add(1, part(guest, mask), slot);
        }
        assert!(!writes.is_full(1, 85) && writes.is_full(1, 86) && !writes.is_full(0, 96));
        let mut other = writes.clone();
        let (parts, load) = writes.take(1);
        assert_eq!((parts.len(), load.blocks, load.runs, load.pages), (5, 5, 3, 11));
        assert_eq!(writes.take(1), (Vec::new(), Load::default()));
        // What another guest takes out leaves a gap.
        assert_eq!(other.withdraw(1), [part(1, 0b11)]);
        assert_eq!(other.take(1).1.runs, 4);
    }
}
