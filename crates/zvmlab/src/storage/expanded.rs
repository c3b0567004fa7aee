//! Expanded storage: pages that are in no frame, and that CP moves to one and back without I/O. Before z/VM 6.3.
//!
//! A frame is reclaimed by moving its page to expanded storage, changed or not, as long as there is room; without room the page goes to
//! DASD as on a host without expanded storage. A page that is wanted again is moved back at once: its guest does not wait. It is then in
//! a frame only. That a page gives up its copy on DASD when it goes to expanded storage is assumed; the 5.2 report writes nearly as many
//! pages to DASD as it reads, of which few were changed (5G Apache mixed paging).
//! When little is free, pages migrate to page space. Those that came first go first; a word of 64 pages whose pages came again since it
//! joined the line gets another round.
//!
//! Assumed: CP moves a page that migrates through a frame of its own, and what is wanted meanwhile is read from DASD. What is
//! migrating counts as in use until its write has ended.

use std::collections::VecDeque;

use super::pages::Pages;
use super::{FreedSlots, Part, Storage};
use crate::constants::Constants;
use crate::scenario::Scenario;
use crate::snapshot::ExpandedSnapshot;

/// Expanded storage of the host, and the line of pages that migrate.
#[derive(Clone, Debug, Default)]
pub(super) struct Expanded {
    counts: ExpandedSnapshot,
    /// Words with pages in expanded storage, by guest; the next to migrate first.
    line: VecDeque<(u32, u32)>,
    migrating: bool,
    /// Migration begins when fewer pages are free, and goes on until so many are.
    low: u64,
    high: u64,
    /// Pages moved for which CP has not yet spent its time.
    moved: u64,
}

impl Expanded {
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let (pages, cache_pages) = scenario.expanded_pages();
        let part = |percent: f64| (pages as f64 * percent / 100.0) as u64;
        Expanded {
            counts: ExpandedSnapshot { pages, cache_pages, ..ExpandedSnapshot::default() },
            low: part(constants.expanded_low_percent),
            high: part(constants.expanded_high_percent),
            ..Expanded::default()
        }
    }

    /// Pages that there is room for.
    pub fn room(&self) -> u64 {
        self.counts.pages - self.counts.used
    }

    /// What is seen of it; none where the host has none.
    pub fn snapshot(&self) -> Option<ExpandedSnapshot> {
        (self.counts.pages + self.counts.cache_pages > 0).then(|| self.counts.clone())
    }

    /// So many pages are out of date: they were given new contents elsewhere.
    pub fn give_back(&mut self, pages: u32) {
        self.counts.used -= u64::from(pages);
    }

    /// A guest leaves, which had `pages` pages here.
    pub fn forget(&mut self, guest: u32, pages: u64) {
        self.counts.used -= pages;
        self.line.retain(|&(of, _)| of != guest);
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        (self.line.capacity() * size_of::<(u32, u32)>()) as u64
    }

    /// Checks the count of pages in use. `held` are those that guests have here.
    pub fn verify(&self, held: u64) {
        assert_eq!(
            held + self.counts.migrating,
            self.counts.used,
            "pages in use are those of guests and those that migrate"
        );
        assert!(self.counts.used <= self.counts.pages, "no more pages than expanded storage has");
    }
}

impl Pages {
    /// Pages of a word are no longer in expanded storage.
    pub(super) fn take_expanded(&mut self, word: u32, mask: u64) {
        if mask != 0 {
            self.expanded[word as usize] &= !mask;
            self.expanded_count -= u64::from(mask.count_ones());
        }
    }
}

impl Storage {
    /// Whether a page is in expanded storage.
    pub fn is_expanded(&self, guest: u32, page: u64) -> bool {
        self.guests[guest as usize].expanded_in((page / 64) as u32) >> (page % 64) & 1 == 1
    }

    /// Moves a page from expanded storage to a frame. Returns `false` and does nothing if it is not there, or if no frame is available.
    pub fn fetch(&mut self, guest: u32, page: u64) -> bool {
        if self.counts.available_frames == 0 || !self.is_expanded(guest, page) {
            return false;
        }
        let part = Part { guest, word: (page / 64) as u32, mask: 1 << (page % 64) };
        self.place(part);
        let pages = &mut self.guests[guest as usize];
        pages.take_expanded(part.word, part.mask);
        let state = &mut pages.words[part.word as usize];
        state.valid |= part.mask;
        // There is no other copy.
        state.changed |= part.mask;
        state.referenced &= !part.mask;
        pages.valid_count += 1;
        pages.list(part.word);
        self.counts.available_frames -= 1;
        self.counts.valid_frames += 1;
        self.expanded.counts.used -= 1;
        self.expanded.counts.moved_in += 1;
        self.note_frames();
        true
    }

    /// Moves pages of a part to expanded storage, as many as there is room for. They are on the age list.
    pub(super) fn move_out(&mut self, part: Part) {
        let room = self.expanded.room().min(64) as u32;
        let moved = part.first(room).mask;
        if room == 0 || moved == 0 {
            return;
        }
        let pages = &mut self.guests[part.guest as usize];
        let state = &mut pages.words[part.word as usize];
        state.changed &= !moved;
        // A copy on DASD is given up.
        state.assigned &= !moved;
        self.blocks.prune(&mut state.blocks, state.assigned, &mut self.freed);
        match state.in_line {
            true => state.came_again = true,
            false => self.expanded.line.push_back((part.guest, part.word)),
        }
        state.in_line = true;
        let count = u64::from(moved.count_ones());
        pages.expanded[part.word as usize] |= moved;
        pages.expanded_count += count;
        self.expanded.counts.used += count;
        self.expanded.counts.moved_out += count;
        self.expanded.moved += count;
    }

    /// Pages moved to expanded storage, or from there to page space, for which CP has not yet spent its time.
    pub fn moved_expanded(&mut self) -> u64 {
        std::mem::take(&mut self.expanded.moved)
    }

    /// Pages that are to migrate to page space next: a block of one word. Once little is free, until enough is.
    pub fn next_to_migrate(&mut self) -> Option<Part> {
        let expanded = &mut self.expanded;
        let free = expanded.room() + expanded.counts.migrating;
        expanded.migrating =
            expanded.counts.pages > 0 && free < if expanded.migrating { expanded.high } else { expanded.low };
        if !expanded.migrating {
            return None;
        }
        while let Some((guest, word)) = self.expanded.line.pop_front() {
            let pages = &mut self.guests[guest as usize];
            let held = pages.expanded_in(word);
            let state = &mut pages.words[word as usize];
            if held != 0 && std::mem::take(&mut state.came_again) {
                self.expanded.line.push_back((guest, word));
                continue;
            }
            let part = Part { guest, word, mask: held }.first(self.block_pages);
            if part.mask != held {
                self.expanded.line.push_front((guest, word));
            } else {
                (state.in_line, state.came_again) = (false, false);
            }
            if part.mask != 0 {
                return Some(part);
            }
        }
        None
    }

    /// Pages begin to migrate to `slot` of `volume`. Slots that no longer count go to `freed`.
    pub fn begin_migration(&mut self, part: Part, volume: u16, slot: u32, freed: &mut Vec<FreedSlots>) {
        let pages = &mut self.guests[part.guest as usize];
        pages.take_expanded(part.word, part.mask);
        let state = &mut pages.words[part.word as usize];
        state.assigned |= part.mask;
        self.blocks.push(&mut state.blocks, part.mask, volume, slot);
        self.blocks.prune(&mut state.blocks, state.assigned, freed);
        self.close_up_blocks();
        let count = u64::from(part.pages());
        self.expanded.counts.migrating += count;
        self.expanded.moved += count;
    }

    /// Page space is full: these pages stay, and are the first to migrate later.
    pub fn put_off_migration(&mut self, part: Part) {
        let state = &mut self.guests[part.guest as usize].words[part.word as usize];
        if !std::mem::replace(&mut state.in_line, true) {
            self.expanded.line.push_front((part.guest, part.word));
        }
    }

    /// Pages that migrated are in page space: there is room for others.
    pub fn end_migration(&mut self, pages: u32) {
        let count = u64::from(pages);
        self.expanded.counts.migrating -= count;
        self.expanded.counts.used -= count;
        self.expanded.counts.migrated += count;
    }
}
