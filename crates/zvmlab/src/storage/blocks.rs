//! Blocks on DASD: which pages of a guest were written together, and to which slots.
//!
//! All pages of a block are in one word of 64 pages (256 KB of virtual storage), so a mask of the word names them. The
//! blocks of a word form a list, newest first. A page's copy is in the first block that holds it. A block gives its slots
//! back when none of its copies counts any more.

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// Pages written together to contiguous slots of one volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The pages, as bits of their word.
    pub mask: u64,
    place: Place,
    /// The word's next older block.
    next: u32,
}

/// A volume (in the upper bits) and one of its slots in one number. Otherwise a block would be a quarter larger.
#[derive(Clone, Copy, Debug)]
struct Place(u32);

/// Bits of a slot's number. The scenario allows no larger volume, and no more volumes than the other bits can count.
const SLOT_BITS: u32 = 26;

impl Block {
    fn new(mask: u64, volume: u16, slot: u32, next: u32) -> Self {
        assert!(slot >> SLOT_BITS == 0 && u32::from(volume) >> (u32::BITS - SLOT_BITS) == 0, "volume and slot fit a place");
        Block { mask, place: Place((u32::from(volume) << SLOT_BITS) | slot), next }
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

/// The blocks of all guests.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    slab: Vec<Block>,
    free: Vec<u32>,
}

impl Blocks {
    /// Puts a new block at the head of the list that starts at `head`.
    pub fn push(&mut self, head: &mut u32, mask: u64, volume: u16, slot: u32) {
        let block = Block::new(mask, volume, slot, *head);
        *head = match self.free.pop() {
            Some(index) => {
                self.slab[index as usize] = block;
                index
            }
            None => {
                self.slab.push(block);
                self.slab.len() as u32 - 1
            }
        };
    }

    /// The block that holds the copy of the page with the bit `page`, and the pages whose copies are in newer blocks of the word. Blocks of
    /// a word lie far apart, so the list is walked once for both.
    pub fn holding(&self, head: u32, page: u64) -> Option<(Block, u64)> {
        let mut newer = 0;
        for block in self.iter(head) {
            if block.mask & page != 0 {
                return Some((block, newer));
            }
            newer |= block.mask;
        }
        None
    }

    /// Removes the blocks in which no copy counts. `assigned` are the pages of the word that have a copy.
    pub fn prune(&mut self, head: &mut u32, assigned: u64, freed: &mut Vec<FreedSlots>) {
        let mut counts = assigned;
        let mut before = NONE;
        let mut index = *head;
        while index != NONE {
            let block = self.slab[index as usize];
            let Block { mask, next, .. } = block;
            if mask & counts == 0 {
                freed.push(FreedSlots { volume: block.volume(), slot: block.slot(), pages: mask.count_ones() });
                match before {
                    NONE => *head = next,
                    _ => self.slab[before as usize].next = next,
                }
                self.free.push(index);
            } else {
                before = index;
            }
            counts &= !mask;
            index = next;
        }
    }

    /// A word's blocks, newest first.
    pub fn iter(&self, head: u32) -> impl Iterator<Item = Block> + '_ {
        let mut index = head;
        std::iter::from_fn(move || {
            let block = *self.slab.get(index as usize)?;
            index = block.next;
            Some(block)
        })
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        (self.slab.capacity() * size_of::<Block>() + self.free.capacity() * size_of::<u32>()) as u64
    }
}
