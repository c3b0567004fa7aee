//! Blocks on DASD: which pages of a guest were written together, and to which slots.
//!
//! All pages of a block are in one word of 64 pages (256 KB of virtual storage), so a mask of the word names them. The
//! blocks of a word stand in one row, newest first. A page's copy is in the first block that holds it. A block gives its slots
//! back when none of its copies counts any more.

/// Where the blocks of a word stand. Its row has room for as many blocks as it has, rounded up to a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    start: u32,
    blocks: u8,
}

impl Row {
    /// No blocks, and no room.
    pub const EMPTY: Row = Row { start: 0, blocks: 0 };

    /// The size of its room as a power of two. It has one only where it has blocks.
    fn size(blocks: u8) -> usize {
        usize::from(blocks).next_power_of_two().trailing_zeros() as usize
    }
}

/// Pages written together to contiguous slots of one volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The pages, as bits of their word.
    pub mask: u64,
    place: Place,
}

/// A volume (in the upper bits) and one of its slots in one number.
#[derive(Clone, Copy, Debug)]
struct Place(u32);

/// Bits of a slot's number. The scenario allows no larger volume, and no more volumes than the other bits can count.
const SLOT_BITS: u32 = 26;

impl Block {
    /// Fills room where no block stands.
    const NONE: Block = Block { mask: 0, place: Place(0) };

    fn new(mask: u64, volume: u16, slot: u32) -> Self {
        assert!(slot >> SLOT_BITS == 0 && u32::from(volume) >> (u32::BITS - SLOT_BITS) == 0, "volume and slot fit a place");
        Block { mask, place: Place((u32::from(volume) << SLOT_BITS) | slot) }
    }

    /// The volume.
    pub fn volume(&self) -> u16 {
        (self.place.0 >> SLOT_BITS) as u16
    }

    /// The slot of the first page.
    pub fn slot(&self) -> u32 {
        self.place.0 & ((1 << SLOT_BITS) - 1)
    }
}

/// Slots whose copies no longer count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FreedSlots {
    pub volume: u16,
    pub slot: u32,
    pub pages: u32,
}

/// The blocks of all guests. A fault looks for one among all blocks of its word, so they stand side by side: in a list from one to the
/// next each step would wait for memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    slab: Vec<Block>,
    /// Rooms without blocks, by the power of two of their size: a word has 64 pages and so 64 blocks at most, and one more while it is
    /// being written.
    free: [Vec<u32>; 8],
}

impl Blocks {
    /// Puts a new block at the head of a row.
    pub fn push(&mut self, row: &mut Row, mask: u64, volume: u16, slot: u32) {
        let count = row.blocks;
        self.make_room(row, count + 1);
        let at = row.start as usize;
        self.slab.copy_within(at..at + usize::from(count), at + 1);
        self.slab[at] = Block::new(mask, volume, slot);
    }

    /// Gives a row as much room as so many blocks need. Those blocks that it has and that go on standing in it go along.
    fn make_room(&mut self, row: &mut Row, blocks: u8) {
        let Row { start, blocks: before } = *row;
        row.blocks = blocks;
        if before != 0 && blocks != 0 && Row::size(before) == Row::size(blocks) {
            return;
        }
        if blocks != 0 {
            row.start = self.take_room(Row::size(blocks));
            let kept = start as usize..start as usize + usize::from(before.min(blocks));
            self.slab.copy_within(kept, row.start as usize);
        }
        if before != 0 {
            self.free[Row::size(before)].push(start);
        }
    }

    fn take_room(&mut self, size: usize) -> u32 {
        self.free[size].pop().unwrap_or_else(|| {
            let start = self.slab.len();
            self.slab.resize(start + (1 << size), Block::NONE);
            start as u32
        })
    }

    /// The block that holds the copy of the page with the bit `page`, and the pages whose copies are in newer blocks of the word.
    pub fn holding(&self, row: Row, page: u64) -> Option<(Block, u64)> {
        let mut newer = 0;
        for &block in self.of(row) {
            if block.mask & page != 0 {
                return Some((block, newer));
            }
            newer |= block.mask;
        }
        None
    }

    /// Removes the blocks in which no copy counts. `assigned` are the pages of the word that have a copy.
    pub fn prune(&mut self, row: &mut Row, assigned: u64, freed: &mut Vec<FreedSlots>) {
        let mut counts = assigned;
        let blocks = &mut self.slab[row.start as usize..][..row.blocks.into()];
        let mut kept = 0;
        for index in 0..blocks.len() {
            let block = blocks[index];
            if block.mask & counts == 0 {
                freed.push(FreedSlots { volume: block.volume(), slot: block.slot(), pages: block.mask.count_ones() });
            } else {
                blocks[kept] = block;
                kept += 1;
            }
            counts &= !block.mask;
        }
        self.make_room(row, kept as u8);
    }

    /// A word's blocks, newest first.
    pub fn of(&self, row: Row) -> &[Block] {
        &self.slab[row.start as usize..][..row.blocks.into()]
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        (self.slab.capacity() * size_of::<Block>() + free * size_of::<u32>()) as u64
    }
}
