//! Contiguous frames: which frames are free, by number, where CP asks for several that stand side by side.
//!
//! The 6.2 performance update ("VM64795 Enhanced Contiguous Frame Coalescing") says that the old way of coalescing free adjacent frames
//! "was exposed in certain scenarios", and that the service helps "keep contiguous free frame lists populated". How either works is
//! not published. Assumed:
//!
//! - CP has a list of single free frames and one of free *blocks*: as many frames as a request wants, which begin at a multiple of that number.
//! - A page gets the frame that has been on the list of single ones for longest. Only when that list is empty, a block is broken up.
//! - The old way: frames that are given back go to the list of single ones. When a request comes, CP looks through that list until some
//!   of its frames make up a block.
//! - The new way: a frame that is given back and completes a block makes it one at once.
//! - Which frame a page had that loses it has nothing to do with its place in any list: it is drawn at random.
//! - Frames that were never used are blocks. In the old way pages take them first, in the new way last.
//!
//! A request that finds no block fails and is not repeated; one that finds a block has it at once, before CP has spent the time to look.
//! A frame that comes back to the list of single ones before its earlier place there was reached takes that place. On which side of 2 GB
//! a frame stands has nothing to do with its number here.

use std::collections::{BTreeSet, VecDeque};

use super::Storage;
use super::used::Frames;
use crate::kernel::rng::Generator;
use crate::scenario::{Mechanism, Scenario};
use crate::snapshot::ContiguousSnapshot;

/// The frames of a host that guests' pages and CP's requests share.
#[derive(Clone, Debug)]
pub(super) struct Contiguous {
    /// Frames of a block.
    size: u32,
    /// Whether a block is made as soon as it is complete.
    at_once: bool,
    /// Draws which of the frames in use is given back.
    choice: Generator,
    /// What each frame is.
    by_number: Frames,
    /// The list of single frames, the next to be given out first. An entry of a frame that is not single any more is passed over.
    singles: VecDeque<u32>,
    /// The list of blocks.
    blocks: Vec<u32>,
    /// Frames from here on were never used.
    unused: u64,
    frames: u64,
    free_count: u64,
    /// Blocks that requests have got.
    held: BTreeSet<u32>,
    /// Frames that pages have taken and given back.
    moved: u64,
    /// Frames that CP has looked at to coalesce and for which no time is booked yet.
    looked_at: u64,
    counts: ContiguousSnapshot,
}

impl Contiguous {
    /// `frames` free frames that were never used, for requests of `size` of them.
    pub fn new(frames: u64, size: u32, at_once: bool, seed: u64) -> Self {
        assert!(size > 0, "a block has frames");
        Contiguous {
            size,
            at_once,
            choice: Generator::new(seed, "frames that are given back"),
            by_number: Frames::new(frames),
            singles: VecDeque::new(),
            blocks: Vec::new(),
            unused: 0,
            frames,
            free_count: 0,
            held: BTreeSet::new(),
            moved: 0,
            looked_at: 0,
            counts: ContiguousSnapshot { frames: size, ..ContiguousSnapshot::default() },
        }
    }

    /// Free frames.
    fn available(&self) -> u64 {
        self.free_count + self.frames - self.unused
    }

    /// `available` frames are free now: pages have taken some, or given some back, since this was last called.
    pub fn follow(&mut self, available: u64) {
        self.moved += self.available().abs_diff(available);
        let wanted = self.available().saturating_sub(available);
        for _ in self.take_first(wanted)..wanted {
            self.take_single();
        }
        for _ in self.available()..available {
            let frame = self.any_in_use();
            self.by_number.remove(frame);
            self.give_back(frame);
        }
    }

    /// One of the frames in use, each as likely as any other. Where most of those that were ever used are in use, one is drawn from all of
    /// these until it is one in use. That looks at one place of a large storage; to find the one of a rank takes several.
    fn any_in_use(&mut self) -> u32 {
        let in_use = self.by_number.count();
        assert!(in_use > 0, "a frame that is given back was in use");
        if 2 * in_use < self.unused {
            return self.by_number.nth(self.choice.below(in_use));
        }
        loop {
            let frame = self.choice.below(self.unused) as u32;
            if self.by_number.is_used(frame) {
                return frame;
            }
        }
    }

    /// As many of `wanted` pages take frames that were never used as take one before any other: all that there are in the old way, which
    /// has one list, on which these have been for longest; in the new way where the lists are empty. Returns how many.
    fn take_first(&mut self, wanted: u64) -> u64 {
        let are_next = !self.at_once || self.singles.is_empty() && self.blocks.is_empty();
        let taken = if are_next { wanted.min(self.frames - self.unused) } else { 0 };
        self.by_number.insert_all(self.unused..self.unused + taken);
        self.unused += taken;
        taken
    }

    /// A page takes a frame.
    fn take_single(&mut self) {
        while let Some(frame) = self.singles.pop_front() {
            let is_single = self.is_single(frame);
            let (line, bit) = self.by_number.at_mut(frame);
            line.listed &= !bit;
            if is_single {
                line.free &= !bit;
                self.free_count -= 1;
                return self.by_number.insert(frame);
            }
        }
        match self.next_block() {
            Some(block) => {
                self.counts.broken_up += 1;
                (0..self.size).for_each(|frame| self.list(block * self.size + frame));
                self.take_single();
            }
            None => assert_eq!(self.take_first(1), 1, "a page takes a frame that is free"),
        }
    }

    /// Takes the block that was put on the list last off it.
    fn next_block(&mut self) -> Option<u32> {
        let block = self.blocks.pop()?;
        let (line, bit) = self.by_number.at_mut(block * self.size);
        line.block &= !bit;
        Some(block)
    }

    /// Puts a free frame on the list of single ones.
    fn list(&mut self, frame: u32) {
        let (line, bit) = self.by_number.at_mut(frame);
        if line.listed & bit == 0 {
            line.listed |= bit;
            self.singles.push_back(frame);
        }
    }

    fn give_back(&mut self, frame: u32) {
        let (line, bit) = self.by_number.at_mut(frame);
        line.free |= bit;
        self.free_count += 1;
        match self.at_once && self.is_whole(frame / self.size) {
            true => self.make_block(frame / self.size),
            false => self.list(frame),
        }
    }

    /// Whether all frames of a block are free, and were used before.
    fn is_whole(&self, block: u32) -> bool {
        let frames = block * self.size..(block + 1) * self.size;
        u64::from(frames.end) <= self.frames && frames.into_iter().all(|frame| self.by_number.is_free(frame))
    }

    fn make_block(&mut self, block: u32) {
        let (line, bit) = self.by_number.at_mut(block * self.size);
        line.block |= bit;
        self.blocks.push(block);
    }

    /// Whether an entry on the list of single frames is one.
    fn is_single(&self, frame: u32) -> bool {
        self.by_number.is_free(frame) && !self.is_block(frame / self.size)
    }

    /// Whether a block is on its list.
    fn is_block(&self, block: u32) -> bool {
        let (line, bit) = self.by_number.at(block * self.size);
        line.block & bit != 0
    }

    /// Looks through the list of single frames until some make up a block.
    fn coalesce(&mut self) {
        let (mut looks, mut found) = (0, None);
        for &frame in self.singles.iter().filter(|frame| self.is_single(**frame)) {
            looks += 1;
            if self.is_whole(frame / self.size) {
                found = Some(frame / self.size);
                break;
            }
        }
        self.looked_at += looks;
        self.counts.looked_at += looks;
        found.into_iter().for_each(|block| self.make_block(block));
    }

    /// A block, if there is one: its number. CP may look for one among the single frames where it `may_look`.
    pub fn request(&mut self, may_look: bool) -> Option<u32> {
        self.counts.requests += 1;
        let mut block = self.next_block().or_else(|| self.unused_block());
        if block.is_none() && !self.at_once && may_look {
            self.coalesce();
            block = self.next_block();
        }
        match block {
            Some(block) => {
                let first = block * self.size;
                (first..first + self.size).for_each(|frame| self.set_free(frame, false));
                self.free_count -= u64::from(self.size);
                self.held.insert(block);
            }
            None => self.counts.failed += 1,
        }
        block
    }

    /// A request found too few frames available.
    pub fn refuse(&mut self) {
        self.counts.requests += 1;
        self.counts.failed += 1;
    }

    /// The first block of frames that were never used. Those before it become single ones.
    fn unused_block(&mut self) -> Option<u32> {
        let size = u64::from(self.size);
        let first = self.unused.next_multiple_of(size);
        if first + size > self.frames {
            return None;
        }
        for frame in self.unused..first + size {
            self.set_free(frame as u32, true);
            self.free_count += 1;
            if frame < first {
                self.list(frame as u32);
            }
        }
        self.unused = first + size;
        Some((first / size) as u32)
    }

    /// A block that a request got is given back.
    pub fn end(&mut self, block: u32) {
        assert!(self.held.remove(&block), "a block that is given back was held");
        (block * self.size..(block + 1) * self.size).for_each(|frame| self.give_back(frame));
    }

    fn set_free(&mut self, frame: u32, to: bool) {
        let (line, bit) = self.by_number.at_mut(frame);
        line.free = if to { line.free | bit } else { line.free & !bit };
    }

    /// Frames of a request.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Frames that CP has looked at to coalesce since this was last asked.
    pub fn looked_at(&mut self) -> u64 {
        std::mem::take(&mut self.looked_at)
    }

    /// What is seen of it.
    pub fn snapshot(&self) -> ContiguousSnapshot {
        let size = u64::from(self.size);
        let unused = (self.frames / size).saturating_sub(self.unused.div_ceil(size));
        // In the old way whole blocks stand among the single frames, and nobody has noticed.
        let first = |frame: &&u32| {
            (**frame).is_multiple_of(self.size) && self.is_single(**frame) && self.is_whole(**frame / self.size)
        };
        let unnoticed = if self.at_once { 0 } else { self.singles.iter().filter(first).count() as u64 };
        let blocks = self.blocks.len() as u64 + unused + unnoticed;
        ContiguousSnapshot {
            blocks,
            singles: self.available() - blocks * size,
            held: self.held.len() as u64,
            longest_run: self.longest_run(),
            ..self.counts.clone()
        }
    }

    /// The longest run of free frames.
    fn longest_run(&self) -> u64 {
        // Frames that were never used follow one another, and the free ones before them join them.
        let before = (0..self.unused).rev().take_while(|&frame| self.by_number.is_free(frame as u32)).count() as u64;
        // To look at few frames takes less time than to go through all lines of a large storage.
        let lines = self.unused.div_ceil(64);
        let longest = if self.free_count < lines / 8 { self.longest_on_lists() } else { self.longest_in_lines() };
        longest.max(before + self.frames - self.unused)
    }

    /// The longest run of free frames that were used before, from the lists on which they are.
    fn longest_on_lists(&self) -> u64 {
        let of_blocks = self.blocks.iter().flat_map(|block| block * self.size..(block + 1) * self.size);
        let singles = self.singles.iter().copied().filter(|frame| self.is_single(*frame));
        let is_first = |frame: &u32| *frame == 0 || !self.by_number.is_free(*frame - 1);
        let run = |first: u32| (first..self.unused as u32).take_while(|&frame| self.by_number.is_free(frame)).count() as u64;
        of_blocks.chain(singles).filter(is_first).map(run).max().unwrap_or(0)
    }

    /// The same, from what each frame is.
    fn longest_in_lines(&self) -> u64 {
        let (mut run, mut longest) = (0_u64, 0);
        for line in &self.by_number.lines()[..self.unused.div_ceil(64) as usize] {
            let (mut left, mut bits) = (line.free, 64);
            loop {
                let ones = left.trailing_ones().min(bits);
                run += u64::from(ones);
                longest = longest.max(run);
                if ones == bits {
                    break;
                }
                run = 0;
                left >>= ones;
                let zeros = left.trailing_zeros().min(bits - ones);
                bits -= ones + zeros;
                if bits == 0 {
                    break;
                }
                left >>= zeros;
            }
        }
        longest
    }

    /// Checks that `available` frames are free, each on one list.
    pub fn verify(&self, available: u64) {
        assert_eq!(self.available(), available, "frames that are free by number are those of the available list");
    }

    /// Checks every frame.
    pub fn verify_frames(&self) {
        let lines = self.by_number.lines();
        let free: u64 = lines.iter().map(|line| u64::from(line.free.count_ones())).sum();
        assert_eq!(free, self.free_count, "free frames that were used before");
        let held = self.held.len() as u64 * u64::from(self.size);
        assert_eq!(self.by_number.count() + free + held, self.unused, "frames that were used are in use, free, or CP's");
        let both = (0..self.unused as u32).any(|frame| self.by_number.is_used(frame) && self.by_number.is_free(frame));
        assert!(!both, "a frame in use is not free");
        for &block in &self.blocks {
            assert!(self.is_block(block) && self.is_whole(block), "a block on the list is whole");
            assert!(!self.held.contains(&block), "a block on the list is not held");
        }
        let on_lists: u64 = lines.iter().map(|line| u64::from(line.block.count_ones())).sum();
        assert_eq!(on_lists, self.blocks.len() as u64, "each block is on the list once");
        let mut single = 0;
        for &frame in &self.singles {
            let (line, bit) = self.by_number.at(frame);
            assert!(line.listed & bit != 0, "each frame on the list is noted as such");
            single += u64::from(self.is_single(frame));
        }
        assert_eq!(single + on_lists * u64::from(self.size), free, "a free frame is single, or of a block");
        assert_eq!(self.longest_on_lists(), self.longest_in_lines(), "the longest run");
        if self.at_once {
            let whole = (0..(self.unused / u64::from(self.size)) as u32).filter(|&block| self.is_whole(block)).count();
            assert_eq!(whole as u64, on_lists, "what is whole is a block at once");
        }
    }

    /// Bytes of state.
    pub fn bytes(&self) -> u64 {
        ((self.singles.capacity() + self.blocks.capacity()) * 4) as u64 + self.by_number.bytes()
    }
}

impl Storage {
    /// From now on frames have numbers, if CP of this host asks for contiguous ones. None may be in use yet.
    pub fn number_frames(&mut self, scenario: &Scenario, seed: u64) {
        let asks = scenario.storage.contiguous_rate > 0;
        let (frames, size) = (self.counts.available_frames, scenario.storage.contiguous_frames);
        self.contiguous = asks.then(|| Contiguous::new(frames, size, scenario.has(Mechanism::Coalescing), seed));
    }

    /// Frames of the available list were taken or given back.
    pub(super) fn note_frames(&mut self) {
        if let Some(contiguous) = &mut self.contiguous {
            contiguous.follow(self.counts.available_frames);
        }
    }

    /// CP asks for contiguous frames, and may look for some. Returns the number of the block that it gets.
    pub fn request_block(&mut self, may_look: bool) -> Option<u32> {
        self.note_frames();
        let contiguous = self.contiguous.as_mut()?;
        let size = u64::from(contiguous.size());
        if self.counts.available_frames < size {
            contiguous.refuse();
            return None;
        }
        let block = contiguous.request(may_look)?;
        self.sides.lend(self.counts.available_frames, size);
        self.counts.available_frames -= size;
        self.counts.cp_frames += size;
        Some(block)
    }

    /// CP gives the frames of a block back.
    pub fn end_block(&mut self, block: u32) {
        let Some(contiguous) = &mut self.contiguous else { return };
        contiguous.follow(self.counts.available_frames);
        contiguous.end(block);
        let size = u64::from(contiguous.size());
        self.sides.take_back(size);
        self.counts.available_frames += size;
        self.counts.cp_frames -= size;
    }

    /// Frames that pages have taken and given back by number so far.
    pub fn frames_moved(&self) -> u64 {
        self.contiguous.as_ref().map_or(0, |contiguous| contiguous.moved)
    }

    /// Frames that CP has looked at to coalesce since this was last asked.
    pub fn looked_at_to_coalesce(&mut self) -> u64 {
        self.contiguous.as_mut().map_or(0, Contiguous::looked_at)
    }
}

#[cfg(test)]
mod tests;
