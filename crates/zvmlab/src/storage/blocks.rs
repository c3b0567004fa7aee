//! Blocks on DASD: which pages of a guest were written together, and to which slots.
//!
//! All pages of a block are in one word of 64 pages (256 KB of virtual storage), so a mask of the word names them. The
//! blocks of a word stand in one row, newest first. A page's copy is in the first block that holds it. A block gives its slots
//! back when none of its copies counts any more.

/// Blocks for which a row may have room. A word has 64 pages and so 64 blocks at most, and one more while it is being written.
const ROOMS: [u8; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 65];

/// Room without blocks that is too little to matter, in blocks. Chosen: 12 KB.
const SPARSE_MIN: usize = 1_000;

/// Where the blocks of a word stand. Its row has the smallest room that holds them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    start: u32,
    blocks: u8,
}

impl Row {
    /// No blocks, and no room.
    pub const EMPTY: Row = Row { start: 0, blocks: 0 };

    /// Which of [`ROOMS`] so many blocks need; none where there are none.
    fn room(blocks: u8) -> Option<usize> {
        (blocks > 0).then(|| ROOMS.partition_point(|&room| room < blocks))
    }

    /// For how many blocks it has room.
    fn size(self) -> usize {
        Row::room(self.blocks).map_or(0, |room| ROOMS[room].into())
    }
}

/// Pages written together to contiguous slots of one volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The pages, as bits of their word, in two halves: with a number of 64 bits a block would be a third larger.
    halves: [u32; 2],
    place: Place,
}

/// A volume (in the upper bits) and one of its slots in one number.
#[derive(Clone, Copy, Debug)]
struct Place(u32);

/// Bits of a slot's number. The scenario allows no larger volume, and no more volumes than the other bits can count.
const SLOT_BITS: u32 = 26;

impl Block {
    /// Fills room where no block stands.
    const NONE: Block = Block { halves: [0; 2], place: Place(0) };

    fn new(mask: u64, volume: u16, slot: u32) -> Self {
        assert!(slot >> SLOT_BITS == 0 && u32::from(volume) >> (u32::BITS - SLOT_BITS) == 0, "volume and slot fit a place");
        Block { halves: [mask as u32, (mask >> 32) as u32], place: Place((u32::from(volume) << SLOT_BITS) | slot) }
    }

    /// The pages, as bits of their word.
    pub fn mask(&self) -> u64 {
        u64::from(self.halves[1]) << 32 | u64::from(self.halves[0])
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
    /// Rooms without blocks, by their size.
    free: [Vec<u32>; ROOMS.len()],
    /// For how many blocks they are in all.
    free_count: usize,
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
    #[inline(never)]
    fn make_room(&mut self, row: &mut Row, blocks: u8) {
        let before = *row;
        let (old, new) = (Row::room(before.blocks), Row::room(blocks));
        row.blocks = blocks;
        if old == new {
            return;
        }
        row.start = new.map_or(0, |room| self.take_room(room));
        let (from, kept) = (before.start as usize, usize::from(before.blocks.min(blocks)));
        self.slab.copy_within(from..from + kept, row.start as usize);
        if let Some(room) = old {
            self.free[room].push(before.start);
            self.free_count += usize::from(ROOMS[room]);
        }
    }

    fn take_room(&mut self, room: usize) -> u32 {
        let size = usize::from(ROOMS[room]);
        if let Some(start) = self.free[room].pop() {
            self.free_count -= size;
            return start;
        }
        let start = self.slab.len();
        if start + size > self.slab.capacity() {
            // An eighth (chosen) is less than a vector takes by itself: the blocks of a large host are a large part of its state.
            self.slab.reserve_exact(size.max(start / 8));
        }
        self.slab.resize(start + size, Block::NONE);
        start as u32
    }

    /// Whether rooms without blocks take more than an eighth of all (chosen: state stays below two bytes a page). Those of rows that grew are of use to rows that are as short as they
    /// were then, and there may be none.
    pub fn are_sparse(&self) -> bool {
        self.free_count > SPARSE_MIN && 8 * self.free_count > self.slab.len()
    }

    /// Puts all rows side by side, without rooms between them.
    #[cold]
    pub fn close_up<'a>(&mut self, rows: impl Iterator<Item = &'a mut Row>) {
        let mut slab = Vec::with_capacity(self.slab.len() - self.free_count);
        for row in rows.filter(|row| row.blocks > 0) {
            let start = slab.len();
            slab.extend_from_slice(self.of(*row));
            slab.resize(start + row.size(), Block::NONE);
            row.start = start as u32;
        }
        *self = Blocks { slab, ..Blocks::default() };
    }

    /// The block that holds the copy of the page with the bit `page`, and the pages whose copies are in newer blocks of the word.
    pub fn holding(&self, row: Row, page: u64) -> Option<(Block, u64)> {
        let mut newer = 0;
        for &block in self.of(row) {
            if block.mask() & page != 0 {
                return Some((block, newer));
            }
            newer |= block.mask();
        }
        None
    }

    /// Removes the blocks in which no copy counts. `assigned` are the pages of the word that have a copy.
    pub fn prune(&mut self, row: &mut Row, assigned: u64, freed: &mut Vec<FreedSlots>) {
        let mut counts = assigned;
        let blocks = &mut self.slab[row.start as usize..][..row.blocks.into()];
        let mut kept = 0_u8;
        for index in 0..blocks.len() {
            let block = blocks[index];
            if block.mask() & counts == 0 {
                freed.push(FreedSlots { volume: block.volume(), slot: block.slot(), pages: block.mask().count_ones() });
            } else {
                blocks[usize::from(kept)] = block;
                kept += 1;
            }
            counts &= !block.mask();
        }
        if kept != row.blocks {
            self.make_room(row, kept);
        }
    }

    /// Checks that each room belongs to one of `rows` or is free.
    pub fn verify(&self, rows: impl Iterator<Item = Row>) {
        let taken: usize = rows.map(Row::size).sum();
        let free: usize = self.free.iter().zip(ROOMS).map(|(free, size)| free.len() * usize::from(size)).sum();
        assert_eq!(free, self.free_count, "room without blocks");
        assert_eq!(taken + free, self.slab.len(), "rooms of rows and free ones are all");
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
