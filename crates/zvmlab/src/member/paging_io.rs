//! Paging of a member: who waits for frames, what is read, what is written.

use super::Member;
use super::frames::FrameWaiter;
use super::guest::VirtualCpu;
use super::ios::Purpose;
use super::moving::Reader;
use super::writes::Load;
use crate::devices::{Claimant, Direction, Request};
use crate::dispatcher::Task;
use crate::kernel::time::Span;
use crate::snapshot::GuestState;
use crate::storage::{Part, Read};

impl Member {
    /// A virtual CPU cannot go on without frames and waits in line for them. If another read already brings in its page, it
    /// waits for that read instead.
    pub(super) fn want_frames(&mut self, cpu: u32) {
        if self.joins_read(cpu) {
            return self.guests.enter(self.agenda.now(), cpu, GuestState::PageWait);
        }
        self.guests.enter(self.agenda.now(), cpu, GuestState::FrameWait);
        self.frame_line.join(FrameWaiter::Cpu(cpu));
        self.serve_frame_waiters();
    }

    /// Whether the page that a virtual CPU wants is being read already. If so, it waits for that read.
    fn joins_read(&mut self, cpu: u32) -> bool {
        let VirtualCpu { guest, program, .. } = self.guests.cpu(cpu);
        let (guest, page) = (*guest, program.page());
        self.join_read(guest, page, Reader::Cpu(cpu))
    }

    /// Whether a page is being read already. If so, `waiter` waits for that read.
    pub(super) fn join_read(&mut self, guest: u32, page: u64, waiter: Reader) -> bool {
        self.reads_meet(guest) && self.ios.join_read(guest, page, waiter)
    }

    /// Whether several readers may want the same page of a guest at once: its virtual CPUs, or one of them and its
    /// relocation.
    fn reads_meet(&self, guest: u32) -> bool {
        self.guests.cpus_of(guest).len() > 1 || self.ios.for_relocations > 0
    }

    /// `read` without the pages that another read brings in already.
    fn without_what_is_read(&self, guest: u32, mut read: Read) -> Read {
        if self.reads_meet(guest) {
            self.ios.leave_out_of(&mut read);
        }
        read
    }

    /// Gives frames to those who wait, in order, as long as there are enough for the first. A virtual CPU that touches pages
    /// for the first time gets up to 64 frames at a time.
    pub(super) fn serve_frame_waiters(&mut self) {
        self.serve_below();
        while let Some(waiter) = self.frame_line.first() {
            let (guest, page, reader) = match waiter {
                FrameWaiter::Cpu(cpu) => {
                    let VirtualCpu { guest, program, .. } = self.guests.cpu(cpu);
                    (*guest, program.page(), Reader::Cpu(cpu))
                }
                FrameWaiter::Read { tag, guest, page } => (guest, page, Reader::Relocation { tag, pages: 0 }),
                FrameWaiter::Store { tag } => match self.store_on(tag) {
                    true => {
                        self.frame_line.leave();
                        continue;
                    }
                    false => return,
                },
            };
            let read = self.storage.plan_read(guest, page);
            let read = read.map(|read| self.without_what_is_read(guest, read));
            let holds_page = |read: &Read| read.parts[0].mask >> (page % 64) & 1 == 1;
            if read.as_ref().is_some_and(|read| !holds_page(read)) {
                // Somebody else has started the read since this one joined the line.
                self.frame_line.leave();
                self.waits_for_page(reader);
                assert!(self.join_read(guest, page, reader), "a page that is not to be read again is being read");
                continue;
            }
            let wanted = u64::from(read.as_ref().map_or(1, Read::pages));
            if self.storage.available() < wanted {
                self.replenish();
            }
            if self.storage.available() < wanted {
                return; // The end of a write under way brings frames and calls this again.
            }
            self.frame_line.leave();
            match (read, reader) {
                (Some(read), _) => self.begin_read(reader, read),
                (None, Reader::Cpu(cpu)) => {
                    let granted = self.touch(cpu, 64, 64, 64);
                    self.guests.cpu_mut(cpu).granted = granted;
                    self.make_ready(cpu);
                }
                (None, Reader::Relocation { .. }) => {
                    // Where it is not in expanded storage, the guest has brought the page back by itself meanwhile.
                    if self.storage.fetch(guest, page) {
                        self.move_pages(1);
                    }
                    self.has_read(reader);
                }
            }
            self.replenish();
        }
    }

    fn waits_for_page(&mut self, waiter: Reader) {
        if let Reader::Cpu(cpu) = waiter {
            self.guests.enter(self.agenda.now(), cpu, GuestState::PageWait);
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
        let tag = self.ios.begin(Purpose::Read { waiters: vec![waiter], read });
        // Blocks read together count as one block, as they do in the published read blocking.
        let started =
            self.devices.submit(self.agenda.now(), paging_request(Direction::Read, tag, volume, Load::block(pages)));
        self.begin(started);
    }

    /// Replenishes the available list if it is low, and writes the blocks that this calls for. Blocks gather until a channel
    /// program is full, unless somebody waits for frames.
    pub(super) fn replenish(&mut self) {
        let mut parts = std::mem::take(&mut self.writes.spare);
        let urgent = self.storage.replenish(&mut parts);
        self.give_back_slots();
        for part in parts.drain(..) {
            self.assign_slots(part);
        }
        self.writes.spare = parts;
        if let Some(frames) = self.storage.looked_at() {
            let time = Span::from_ns_f64(frames as f64 * self.constants.look_ns);
            self.dispatcher.cp_work(Task::Scan { time });
        }
        if let Some(frames) = self.storage.searched() {
            let time = Span::from_ns_f64(frames as f64 * self.constants.look_ns);
            self.dispatcher.cp_work(Task::Search { time });
        }
        self.migrate();
        match self.storage.moved_expanded() {
            0 => {}
            pages => self.move_pages(pages),
        }
        while let Some(guest) = self.storage.next_to_reorder() {
            self.ask_for_reorder(guest);
        }
        if urgent {
            (0..self.paging.volume_count()).for_each(|volume| self.start_write(volume));
        }
    }

    /// CP spends its time to move so many pages to or from expanded storage.
    fn move_pages(&mut self, pages: u64) {
        let time = Span::from_ns_f64(pages as f64 * self.constants.expanded_ns);
        self.dispatcher.cp_work(Task::Move { time });
    }

    /// Writes pages from expanded storage to page space, if little of it is free and as long as there are slots. Blocks that go to
    /// the same volume share channel programs.
    fn migrate(&mut self) {
        let mut gathered: Vec<Load> = Vec::new();
        while let Some(part) = self.storage.next_to_migrate() {
            gathered.resize(self.paging.volume_count().into(), Load::default());
            let volume = self.paging.choose_volume(part.pages());
            let slots = if self.paging.spare() > 0 { self.paging.allocate(volume, part.pages()) } else { None };
            let Some((slot, count)) = slots else {
                self.storage.put_off_migration(part);
                break;
            };
            let piece = part.first(count);
            if piece != part {
                self.storage.put_off_migration(part);
            }
            self.storage.begin_migration(piece, volume, slot, &mut self.writes.freed);
            self.release_freed();
            let load = &mut gathered[usize::from(volume)];
            if load.pages + count > self.constants.write_pages_max {
                let full = std::mem::take(load);
                load.add(slot, count);
                self.write_migrating(volume, full);
            } else {
                load.add(slot, count);
            }
        }
        for (volume, load) in (0..).zip(gathered) {
            self.write_migrating(volume, load);
        }
    }

    /// Starts a channel program with blocks that migrate.
    fn write_migrating(&mut self, volume: u16, load: Load) {
        if load.pages > 0 {
            let tag = self.ios.begin(Purpose::Migration { pages: load.pages });
            let started = self.devices.submit(self.agenda.now(), paging_request(Direction::Write, tag, volume, load));
            self.begin(started);
        }
    }

    /// Chooses a volume and slots for a block and adds it to the channel program that gathers for that volume. Where no run
    /// of free slots is long enough, it splits the block.
    fn assign_slots(&mut self, part: Part) {
        let mut left = part;
        while left.mask != 0 {
            let volume = self.paging.choose_volume(left.pages());
            let Some((slot, count)) = self.paging.allocate(volume, left.pages()) else {
                return self.storage.end_write(left, &mut self.writes.freed);
            };
            let piece = left.first(count);
            self.storage.begin_write(piece, volume, slot, &mut self.writes.freed);
            self.release_freed();
            if self.writes.is_full(volume, count) {
                self.start_write(volume);
            }
            self.writes.add(volume, piece, slot);
            left.mask &= !piece.mask;
        }
    }

    /// Starts the channel program that has gathered for `volume`.
    fn start_write(&mut self, volume: u16) {
        let (parts, load) = self.writes.take(volume);
        if parts.is_empty() {
            return;
        }
        let tag = self.ios.begin(Purpose::Write { parts });
        let started = self.devices.submit(self.agenda.now(), paging_request(Direction::Write, tag, volume, load));
        self.begin(started);
    }
}

fn paging_request(direction: Direction, tag: u32, volume: u16, load: Load) -> Request {
    let Load { blocks, runs, pages, .. } = load;
    Request { claimant: Claimant::Paging, direction, tag, volume, blocks, runs, pages, transport: false }
}
