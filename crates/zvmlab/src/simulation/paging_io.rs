//! Paging in the simulation: who waits for frames, what is read, what is written.

use super::{Purpose, Simulation};
use crate::devices::{Claimant, Direction, Request};
use crate::snapshot::GuestState;
use crate::storage::{Part, Read};

impl Simulation {
    /// A guest cannot go on without frames: it stands in line for them.
    pub(super) fn want_frames(&mut self, guest: u32) {
        self.guests[guest as usize].enter(self.now, GuestState::FrameWait);
        self.frame_waiters.push_back(guest);
        self.serve_frame_waiters();
    }

    /// Gives frames to those who wait, in their order, as long as there are enough for the first. Who touches pages for the
    /// first time gets those of one word at a time.
    pub(super) fn serve_frame_waiters(&mut self) {
        while let Some(&guest) = self.frame_waiters.front() {
            let page = self.guests[guest as usize].program.page();
            let read = self.storage.plan_read(guest, page);
            let wanted = u64::from(read.as_ref().map_or(1, Read::pages));
            if self.storage.available() < wanted {
                self.replenish();
            }
            if self.storage.available() < wanted {
                return; // Writes are under way whose end brings frames and comes here again.
            }
            self.frame_waiters.pop_front();
            match read {
                Some(read) => self.begin_read(guest, read),
                None => {
                    let granted = self.touch(guest, 64, 64);
                    self.guests[guest as usize].granted = granted;
                    self.make_ready(guest);
                }
            }
            self.replenish();
        }
    }

    fn begin_read(&mut self, guest: u32, read: Read) {
        self.guests[guest as usize].enter(self.now, GuestState::PageWait);
        self.storage.begin_read(&read);
        let (volume, pages) = (read.volume, read.pages());
        let tag = self.keep_purpose(Purpose::Read { guest, read });
        // Blocks that are read together count as one block, as the published read blocking does.
        let started = self.devices.submit(self.now, paging_request(Direction::Read, tag, volume, 1, pages));
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
                return self.storage.end_write(left);
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
        let started = self.devices.submit(self.now, paging_request(Direction::Write, tag, volume, blocks, pages));
        self.begin(started);
    }
}

fn paging_request(direction: Direction, tag: u32, volume: u16, blocks: u32, pages: u32) -> Request {
    Request { claimant: Claimant::Paging, direction, tag, volume, blocks, pages, transport: false }
}

fn pages_of(parts: &[Part]) -> u32 {
    parts.iter().map(|part| part.pages()).sum()
}
