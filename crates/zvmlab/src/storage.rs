//! Storage management: frames, the available list, demand scan, the age list, early writes.
//!
//! Before z/VM 6.3 demand scan goes over the scheduler's lists in three passes: `storage/passes.rs`. Only a reorder resets reference
//! bits, while the guest stands still: `storage/order.rs`, `member/reorder.rs`. What demand scan has taken waits for its write in the
//! list that is the age list from 6.3 on, but no more than that. For the rest those levels work in the model as 6.3 and later do.
//!
//! Guests' pages are on frame-owned lists. When the available list runs low, CP takes frames from the bottom of the global
//! age list. Demand scan refills the age list: it visits guests, the larger ones more often, and makes pages invalid that were
//! not touched since its last look. These pages stay resident, and a touch makes them valid again. CP writes changed pages as
//! blocks, either when they come near the bottom of the list (early writes) or only when their frame is wanted.
//!
//! To look at a frame takes CP time, whatever comes of it.
//!
//! Frames have no numbers. Each page in a frame holds exactly one, and the model counts frames by what they hold; on levels before
//! 6.2 also by the side of 2 GB on which they stand: `storage/sides.rs`.

mod bits;
mod blocks;
mod checks;
mod contiguous;
mod expanded;
mod lent;
mod moving;
mod notes;
mod order;
mod pages;
mod passes;
mod reads;
mod release;
mod room;
mod scan;
mod sides;
mod turns;
mod used;
mod visits;

use std::collections::VecDeque;

use crate::constants::{Blocking, Constants};
use crate::scenario::{GuestGroup, Mechanism, PAGES_PER_MB, Pattern, Scenario};
use crate::snapshot::StorageSnapshot;
use bits::nth_bit;
use blocks::Blocks;
pub(crate) use blocks::FreedSlots;
use contiguous::Contiguous;
use expanded::Expanded;
pub(crate) use moving::Collected;
use order::{Order, Sorted};
use pages::Pages;
pub(crate) use pages::{Stop, Touched};
use passes::Passes;
pub(crate) use reads::Read;
use sides::Sides;
use turns::Turns;

/// Words of 64 pages in a segment of 1 MB, which has one page table.
const SEGMENT_WORDS: u32 = 4;

/// Pages of one word of one guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub guest: u32,
    pub word: u32,
    pub mask: u64,
}

impl Part {
    /// How many pages.
    pub fn pages(self) -> u32 {
        self.mask.count_ones()
    }

    /// The first `count` of the pages.
    pub fn first(self, count: u32) -> Part {
        let mask = if count < self.pages() { self.mask & (nth_bit(self.mask, count.into()) - 1) } else { self.mask };
        Part { mask, ..self }
    }
}

/// The frames of the host and the pages of its guests.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    guests: Vec<Pages>,
    blocks: Blocks,
    blocking: Blocking,
    block_pages: u32,
    /// No read goes past the end of a stretch of this many pages.
    read_within_pages: u64,
    visit_pages: u32,
    /// Frames below 2 GB that a visit passes over, for each page that it may take, before it takes some below.
    passed_per_page: u64,
    /// Pages at the bottom of the age list that early writes keep written; none without early writes.
    early_write_pages: u64,
    /// The age list, the next to be reclaimed first. Pages of an entry no longer count once they are touched again.
    age_list: VecDeque<Part>,
    /// Entries at the bottom of the age list that are written or being written, and their pages.
    written_entries: usize,
    written_pages: u64,
    age_list_target: u64,
    /// Pages of each guest that demand scan leaves in storage (SET RESERVED).
    reserved: Vec<u64>,
    /// Whose turn it is with demand scan. Before 6.3 that is the last pass.
    turns: Turns,
    /// The two passes before it, on levels that have them.
    passes: Passes,
    /// Guests whose lists are to be reordered.
    to_reorder: Vec<u32>,
    /// Frames below 2 GB and above.
    sides: Sides,
    expanded: Expanded,
    /// Frames by number, where CP asks for contiguous ones.
    contiguous: Option<Contiguous>,
    /// Slots that pages gave up when they moved to expanded storage, and that page space is to get back.
    pub freed: Vec<FreedSlots>,
    /// Frames that demand scan has looked at and CP is to spend its time on now.
    looks: u64,
    /// Frames that it has looked at in vain, on which CP spends its time little by little, and how many pages it takes meanwhile.
    looks_behind: (u64, u64),
    replenishing: bool,
    replenish_frames: u64,
    /// Whether storage keeps versions of pages' contents, to check relocations.
    watched: bool,
    counts: StorageSnapshot,
}

impl Storage {
    /// The storage of member `number`, from 1. It holds the guests of that member only.
    pub fn new(scenario: &Scenario, constants: &Constants, number: u32) -> Self {
        let installed = scenario.installed_frames();
        let pageable = scenario.guest_frames(constants);
        let low = constants.low_threshold(pageable);
        let (mdc, cp) = (scenario.mdc_frames(), installed - pageable - scenario.mdc_frames());
        let sides = Sides::new(scenario, constants);
        let expanded = Expanded::new(scenario, constants);
        let each = || scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group));
        let pages = |group: &GuestGroup| {
            let mut pages = Pages::new(group.virtual_mb * PAGES_PER_MB);
            pages.at_random = group.pattern == Pattern::Random;
            pages.sided = sides.told;
            pages.expands = expanded.room() > 0;
            pages.order = match (scenario.has(Mechanism::ScanByLists), group.reorder) {
                (false, _) => Order::AsItLooks,
                (true, true) => Order::ByReorder(Sorted::default()),
                (true, false) => Order::AsTheyCame,
            };
            if group.member == number {
                pages.build();
            }
            pages
        };
        let guests = each().map(pages).collect();
        Storage {
            guests,
            blocks: Blocks::default(),
            blocking: if scenario.has(Mechanism::LargeBlocks) { constants.blocking_64 } else { constants.blocking_63 },
            block_pages: constants.block_pages,
            read_within_pages: constants.read_within_pages,
            visit_pages: constants.visit_pages,
            passed_per_page: constants.passed_per_page,
            // Without an age list, what demand scan takes is written at once.
            early_write_pages: match scenario.storage.early_writes || scenario.has(Mechanism::ScanByLists) {
                true => constants.early_write_pages,
                false => 0,
            },
            age_list: VecDeque::new(),
            written_entries: 0,
            written_pages: 0,
            age_list_target: match scenario.has(Mechanism::ScanByLists) {
                // No age list: demand scan takes what is to be written next, or what is lacking.
                true => constants.age_list_target(pageable).min(constants.early_write_pages),
                false => constants.age_list_target(pageable),
            },
            reserved: each().map(|group| group.reserved_mb * PAGES_PER_MB).collect(),
            turns: Turns::new(scenario.guest_count() as usize),
            passes: Passes::new(scenario),
            to_reorder: Vec::new(),
            sides,
            expanded,
            contiguous: None,
            freed: Vec::new(),
            looks: 0,
            looks_behind: (0, 0),
            replenishing: false,
            replenish_frames: constants.replenish_frames,
            watched: false,
            counts: StorageSnapshot {
                installed_frames: installed,
                cp_frames: cp,
                mdc_frames: mdc,
                available_frames: pageable,
                available_low: low,
                available_high: low + constants.replenish_frames,
                ..StorageSnapshot::default()
            },
        }
    }

    /// Frames on the available list.
    pub fn available(&self) -> u64 {
        self.counts.available_frames
    }

    /// Pages that guests touched for the first time.
    pub fn pages_first_touched(&self) -> u64 {
        self.counts.pages_first_touched
    }

    /// `guest` touches up to `limit` pages from `page` on. Pages never touched before take up to `frames` frames of the
    /// available list. `change` gives the pages of a word that the touch changes.
    pub fn touch(&mut self, guest: u32, page: u64, limit: u64, frames: u64, change: impl Fn(u64) -> u64) -> Touched {
        let frames = frames.min(self.counts.available_frames);
        let pages = &mut self.guests[guest as usize];
        pages.room = self.sides.room(self.counts.available_frames);
        let touched = pages.touch(page, limit, frames, change);
        self.sides.settle(pages.room);
        let counts = &mut self.counts;
        counts.available_frames -= touched.first;
        counts.age_list_frames -= touched.revalidated;
        counts.valid_frames += touched.first + touched.revalidated;
        counts.pages_touched += touched.pages;
        counts.pages_first_touched += touched.first;
        counts.pages_revalidated += touched.revalidated;
        self.note_frames();
        touched
    }

    /// The short way of [`touch`](Self::touch) for pages that come one at a time: `touch_pages` touches pages of `guest` that
    /// are valid, and says how many.
    pub fn touch_valid(&mut self, guest: u32, touch_pages: impl FnOnce(pages::ValidTouches<'_>) -> u64) -> u64 {
        let touched = touch_pages(self.guests[guest as usize].valid_touches());
        self.counts.pages_touched += touched;
        touched
    }

    /// Once the available list has fallen below its lower threshold, fills it to the upper one, as far as frames can be had
    /// at once, and refills the age list. Blocks to be written go to `write`. Returns whether a write holds up frames.
    pub fn replenish(&mut self, write: &mut Vec<Part>) -> bool {
        self.replenishing |= self.counts.available_frames < self.counts.available_low;
        let held_up_below = self.replenish_below(write);
        if !self.replenishing {
            self.note_frames();
            return held_up_below;
        }
        self.refill_age_list();
        let held_up = self.reclaim();
        if held_up {
            // Two kinds of pages here may not be on their way to DASD: pages that found page space full, and pages that were
            // touched and changed again after their entry was written and have come back to the age list since.
            self.form_blocks(self.age_list[0], write);
        }
        // As long as pages go to expanded storage, none need be written.
        if held_up || self.expanded.room() == 0 {
            let ahead = if held_up { self.replenish_frames } else { 0 };
            self.write_ahead(ahead.max(self.early_write_pages), write);
        }
        if self.counts.available_frames >= self.counts.available_high {
            self.replenishing = false;
        }
        self.note_frames();
        held_up | held_up_below
    }

    /// Frames that pages from expanded storage can take until the available list is low and CP replenishes it; without end where it is
    /// low already.
    pub fn until_low(&self) -> u64 {
        let (available, low) = (self.counts.available_frames, self.counts.available_low);
        if available < low { u64::MAX } else { available - low + 1 }
    }

    /// Reclaims frames from the bottom of the age list until the available list is full. Returns `true` if it stops earlier,
    /// at a page that must be written first.
    fn reclaim(&mut self) -> bool {
        while self.counts.available_frames < self.counts.available_high {
            let Some(&entry) = self.age_list.front() else { break };
            let left = Part { mask: self.reclaim_part(entry), ..entry };
            if self.written_entries > 0 {
                self.written_pages -= u64::from(entry.pages() - left.pages());
            }
            if left.mask != 0 {
                self.age_list[0] = left;
                return true;
            }
            self.age_list.pop_front();
            self.written_entries = self.written_entries.saturating_sub(1);
        }
        false
    }

    /// Reclaims the frames of those pages of a part that are still on the age list and need not be written, or move to expanded
    /// storage. Returns the others that are on it.
    fn reclaim_part(&mut self, part: Part) -> u64 {
        let Some(state) = self.guests[part.guest as usize].words.get(part.word as usize) else { return 0 };
        let (held, writing) = (part.mask & state.invalid, state.writing);
        if self.expanded.room() > 0 {
            self.move_out(Part { mask: held & !writing, ..part });
        }
        let pages = &mut self.guests[part.guest as usize];
        let state = &mut pages.words[part.word as usize];
        let clean = held & !state.changed & !writing;
        let count = u64::from(clean.count_ones());
        state.invalid &= !clean;
        state.referenced &= !clean;
        pages.invalid_count -= count;
        pages.notes.note_away(part.word);
        let below = pages.displace(part.word, clean);
        self.sides.give_back(below);
        self.counts.age_list_frames -= count;
        self.counts.available_frames += count;
        self.counts.frames_reclaimed += count;
        held & !clean
    }

    /// Makes sure that the lowest `pages` of the age list are written or being written.
    fn write_ahead(&mut self, pages: u64, write: &mut Vec<Part>) {
        while self.written_pages < pages {
            let Some(&entry) = self.age_list.get(self.written_entries) else { break };
            self.form_blocks(entry, write);
            self.written_entries += 1;
            self.written_pages += u64::from(entry.pages());
        }
    }

    /// Cuts `part` into blocks to write: the pages that must be written before their frames can be reclaimed.
    fn form_blocks(&mut self, part: Part, write: &mut Vec<Part>) {
        let state = &mut self.guests[part.guest as usize].words[part.word as usize];
        let mut left = part.mask & state.invalid & state.changed & !state.writing;
        state.writing |= left;
        while left != 0 {
            let block = if left.count_ones() > self.block_pages {
                left & (nth_bit(left, self.block_pages.into()) - 1)
            } else {
                left
            };
            write.push(Part { mask: block, ..part });
            left &= !block;
        }
    }

    /// The write of a block to `slot` of `volume` begins. The slots of older copies go to `freed`.
    pub fn begin_write(&mut self, part: Part, volume: u16, slot: u32, freed: &mut Vec<FreedSlots>) {
        let pages = &mut self.guests[part.guest as usize];
        pages.stir(part.word, part.mask);
        let state = &mut pages.words[part.word as usize];
        // If a page changes again during the write, its copy is out of date and CP writes it again.
        state.changed &= !part.mask;
        state.assigned |= part.mask;
        self.blocks.push(&mut state.blocks, part.mask, volume, slot);
        self.blocks.prune(&mut state.blocks, state.assigned, freed);
        self.close_up_blocks();
    }

    /// Closes the gaps between the rows of blocks once they are many.
    fn close_up_blocks(&mut self) {
        if self.blocks.are_sparse() {
            let words = self.guests.iter_mut().flat_map(|pages| &mut pages.words);
            self.blocks.close_up(words.map(|word| &mut word.blocks));
        }
    }

    /// The write of a block has ended. Or it never began because no slot was free; its pages are still changed and wait for
    /// the next replenishment. If the guest was released meanwhile, its frames are available and the slots go to `freed`.
    pub fn end_write(&mut self, part: Part, freed: &mut Vec<FreedSlots>) {
        let pages = &mut self.guests[part.guest as usize];
        pages.words[part.word as usize].writing &= !part.mask;
        if pages.leaving {
            self.let_go(part, freed);
        }
    }

    /// Pages of `guest`: valid, on the age list, being read, on DASD only.
    pub fn places(&self, guest: u32) -> [u64; 4] {
        let pages = &self.guests[guest as usize];
        [pages.valid_count, pages.invalid_count, pages.reading_count, pages.dasd_count()]
    }

    /// Pages that there is room for in expanded storage.
    pub fn expanded_room(&self) -> u64 {
        self.expanded.room()
    }

    /// Pages of `guest` in expanded storage.
    pub fn expanded_pages(&self, guest: u32) -> u64 {
        self.guests[guest as usize].expanded_count
    }

    /// Pages read for `guest` so far.
    pub fn pages_read(&self, guest: u32) -> u64 {
        self.guests[guest as usize].read_count
    }

    /// Pages of virtual storage of `guest`.
    pub fn virtual_pages(&self, guest: u32) -> u64 {
        self.guests[guest as usize].page_count
    }

    pub fn snapshot(&self) -> StorageSnapshot {
        let (sides, expanded) = (self.sides.snapshot(), self.expanded.snapshot());
        let contiguous = self.contiguous.as_ref().map(Contiguous::snapshot);
        StorageSnapshot { sides, expanded, contiguous, passes: self.passes.snapshot(), ..self.counts.clone() }
    }

    /// Bytes of state for the guests' pages.
    pub fn bytes(&self) -> u64 {
        let age_list = (self.age_list.capacity() * size_of::<Part>()) as u64;
        let by_number = self.contiguous.as_ref().map_or(0, Contiguous::bytes);
        self.guests.iter().map(Pages::bytes).sum::<u64>()
            + self.blocks.bytes()
            + self.expanded.bytes()
            + age_list
            + by_number
    }
}

#[cfg(test)]
mod tests;
