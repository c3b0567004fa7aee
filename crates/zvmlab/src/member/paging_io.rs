//! Paging of a member: who waits for frames, what is read, what is written.

use super::guest::VirtualCpu;
use super::moving::{FrameWaiter, Reader};
use super::{Member, Purpose};
use crate::devices::{Claimant, Direction, Request};
use crate::snapshot::GuestState;
use crate::storage::{Part, Read};

impl Member {
    /// A virtual CPU cannot go on without frames: it stands in line for them. One that wants a page which is being read for
    /// another of its guest waits for that read.
    pub(super) fn want_frames(&mut self, cpu: u32) {
        if self.joins_read(cpu) {
            return self.cpus[cpu as usize].enter(self.agenda.now(), GuestState::PageWait);
        }
        self.cpus[cpu as usize].enter(self.agenda.now(), GuestState::FrameWait);
        self.frame_waiters.push_back(FrameWaiter::Cpu(cpu));
        self.serve_frame_waiters();
    }

    /// Whether the page that a virtual CPU wants is being read already; if so it waits for that.
    fn joins_read(&mut self, cpu: u32) -> bool {
        let VirtualCpu { guest, program, .. } = &self.cpus[cpu as usize];
        let (guest, page) = (*guest, program.page());
        self.join_read(guest, page, Reader::Cpu(cpu))
    }

    /// Whether a page is being read already; if so `waiter` waits for that.
    pub(super) fn join_read(&mut self, guest: u32, page: u64, waiter: Reader) -> bool {
        if !self.reads_meet(guest) {
            return false;
        }
        let (word, bit) = ((page / 64) as u32, 1 << (page % 64));
        let holds = |part: &Part| (part.guest, part.word) == (guest, word) && part.mask & bit != 0;
        let under_way = self.purposes.iter_mut().flatten().find_map(|purpose| match purpose {
            Purpose::Read { read, waiters } if read.parts.iter().any(holds) => Some(waiters),
            _ => None,
        });
        under_way.is_some_and(|waiters| {
            waiters.push(waiter);
            true
        })
    }

    /// Whether several can want the same page of a guest at once: its virtual CPUs, or one and its relocation.
    fn reads_meet(&self, guest: u32) -> bool {
        self.scheduler.cpus_of(guest).len() > 1 || self.relocation_reads > 0
    }

    /// Leaves out of `read` what is being read already for another: of the block of the page that is wanted those pages, of the
    /// blocks behind it the first that holds such a page and all that follow.
    fn without_what_is_read(&self, guest: u32, mut read: Read) -> Read {
        if self.reads_meet(guest) {
            let under_way = |part: &Part| {
                let parts = self.purposes.iter().flatten().flat_map(|purpose| match purpose {
                    Purpose::Read { read, .. } => &read.parts[..],
                    _ => &[],
                });
                let same = parts.filter(|other| (other.guest, other.word) == (part.guest, part.word));
                same.fold(0, |mask, other| mask | other.mask) & part.mask
            };
            let (first, behind) = read.parts.split_at_mut(1);
            first[0].mask &= !under_way(&first[0]);
            let free = 1 + behind.iter().take_while(|part| under_way(part) == 0).count();
            read.parts.truncate(free);
        }
        read
    }

    /// Gives frames to those who wait, in their order, as long as there are enough for the first. Who touches pages for the
    /// first time gets those of one word at a time.
    pub(super) fn serve_frame_waiters(&mut self) {
        while let Some(&waiter) = self.frame_waiters.front() {
            let (guest, page, reader) = match waiter {
                FrameWaiter::Cpu(cpu) => {
                    let VirtualCpu { guest, program, .. } = &self.cpus[cpu as usize];
                    (*guest, program.page(), Reader::Cpu(cpu))
                }
                FrameWaiter::Read { tag, guest, page } => (guest, page, Reader::Relocation { tag, pages: 0 }),
                FrameWaiter::Store { tag } => match self.store_on(tag) {
                    true => {
                        self.frame_waiters.pop_front();
                        continue;
                    }
                    false => return,
                },
            };
            let read = self.storage.plan_read(guest, page);
            let read = read.map(|read| self.without_what_is_read(guest, read));
            let holds_page = |read: &Read| read.parts[0].mask >> (page % 64) & 1 == 1;
            if read.as_ref().is_some_and(|read| !holds_page(read)) {
                // Another has had the read begun since this one stood in line.
                self.frame_waiters.pop_front();
                self.waits_for_page(reader);
                assert!(self.join_read(guest, page, reader), "a page that is not to be read again is being read");
                continue;
            }
            let wanted = u64::from(read.as_ref().map_or(1, Read::pages));
            if self.storage.available() < wanted {
                self.replenish();
            }
            if self.storage.available() < wanted {
                return; // Writes are under way whose end brings frames and comes here again.
            }
            self.frame_waiters.pop_front();
            match (read, reader) {
                (Some(read), _) => self.begin_read(reader, read),
                (None, Reader::Cpu(cpu)) => {
                    let granted = self.touch(cpu, 64, 64);
                    self.cpus[cpu as usize].granted = granted;
                    self.make_ready(cpu);
                }
                // It has come back by itself meanwhile.
                (None, Reader::Relocation { .. }) => self.has_read(reader),
            }
            self.replenish();
        }
    }

    fn waits_for_page(&mut self, waiter: Reader) {
        if let Reader::Cpu(cpu) = waiter {
            self.cpus[cpu as usize].enter(self.agenda.now(), GuestState::PageWait);
        }
    }

    fn begin_read(&mut self, waiter: Reader, read: Read) {
        self.waits_for_page(waiter);
        self.storage.begin_read(&read);
        let (volume, pages) = (read.volume, read.pages());
        let waiter = match waiter {
            Reader::Relocation { tag, .. } => Reader::Relocation { tag, pages },
            cpu => cpu,
        };
        let tag = self.keep_purpose(Purpose::Read { waiters: vec![waiter], read });
        // Blocks that are read together count as one block, as the published read blocking does.
        let started = self.devices.submit(self.agenda.now(), paging_request(Direction::Read, tag, volume, 1, pages));
        self.begin(started);
    }

    /// Replenishes the available list if it is low, and writes the blocks that this brings up. They gather until a channel
    /// program is full, unless frames are waited for.
    pub(super) fn replenish(&mut self) {
        let mut parts = std::mem::take(&mut self.to_write);
        let urgent = self.storage.replenish(&mut parts);
        for part in parts.drain(..) {
            self.assign_slots(part);
        }
        self.to_write = parts;
        if urgent {
            (0..self.paging.volume_count()).for_each(|volume| self.start_write(volume));
        }
    }

    /// Chooses a volume and slots for a block, or for pieces of it where no run of free slots is long enough, and puts it in
    /// the channel program that gathers for the volume.
    fn assign_slots(&mut self, part: Part) {
        let mut left = part;
        while left.mask != 0 {
            let volume = self.paging.choose_volume(left.pages());
            let Some((slot, count)) = self.paging.allocate(volume, left.pages()) else {
                return self.storage.end_write(left, &mut self.freed);
            };
            let piece = left.first(count);
            self.storage.begin_write(piece, volume, slot, &mut self.freed);
            self.release_freed();
            if pages_of(&self.gathering[volume as usize]) + count > self.constants.write_pages_max {
                self.start_write(volume);
            }
            self.gathering[volume as usize].push(piece);
            left.mask &= !piece.mask;
        }
    }

    /// Starts the channel program that has gathered for `volume`.
    fn start_write(&mut self, volume: u16) {
        let parts = std::mem::take(&mut self.gathering[volume as usize]);
        if parts.is_empty() {
            return;
        }
        let (blocks, pages) = (parts.len() as u32, pages_of(&parts));
        let tag = self.keep_purpose(Purpose::Write { parts });
        let started = self.devices.submit(self.agenda.now(), paging_request(Direction::Write, tag, volume, blocks, pages));
        self.begin(started);
    }
}

fn paging_request(direction: Direction, tag: u32, volume: u16, blocks: u32, pages: u32) -> Request {
    Request { claimant: Claimant::Paging, direction, tag, volume, blocks, pages, transport: false }
}

fn pages_of(parts: &[Part]) -> u32 {
    parts.iter().map(|part| part.pages()).sum()
}
