//! Guests' I/O on z/VM 5.1: the pages that it reads or writes must be below 2 GB, so CP moves them there first.
//!
//! Assumed: these are the pages that the program touched last, as many as the I/O has records; of a program that goes from page to
//! page at random, those from the next one on. To move a page takes as long as to clear one.

use super::Member;
use super::program::After;
use crate::kernel::time::Span;
use crate::minidisk::GuestIo;
use crate::snapshot::GuestState;

impl Member {
    /// CP's time for the pages that it has to move for an I/O.
    pub(super) fn cost_of_moving(&self, cpu: u32, io: GuestIo) -> Span {
        let (guest, from, pages) = self.pages_of_io(cpu, io);
        Span::from_ns_f64(self.storage.above_for_io(guest, from, pages) as f64 * self.constants.clear_ns)
    }

    /// The guest and the pages of an I/O: the first page and how many.
    fn pages_of_io(&self, cpu: u32, io: GuestIo) -> (u32, u64, u64) {
        let cpu = self.guests.cpu(cpu);
        let (from, pages) = cpu.program.pages_of_io(io.records.into());
        (cpu.guest, from, pages)
    }

    /// A virtual CPU asks for an I/O. Its pages move below 2 GB first; where frames are lacking there, it waits for them.
    pub(super) fn begin_io_below(&mut self, cpu: u32, io: GuestIo) -> After {
        if self.frame_line.first_below().is_none() && self.place_io(cpu, io) {
            return self.go_on_with_io(cpu, io);
        }
        self.guests.enter(self.agenda.now(), cpu, GuestState::FrameWait);
        self.frame_line.join_below(cpu, io);
        self.replenish();
        self.serve_below();
        After::Waits
    }

    /// Gives frames below 2 GB to those who wait for them, in order, as long as there are enough for the first.
    pub(super) fn serve_below(&mut self) {
        while let Some((cpu, io)) = self.frame_line.first_below() {
            if !self.place_io(cpu, io) {
                return; // The end of a write under way brings frames and calls this again.
            }
            self.frame_line.leave_below();
            if self.go_on_with_io(cpu, io) == After::GoesOn {
                self.make_ready(cpu);
            }
        }
    }

    /// Moves the pages of an I/O below 2 GB; `false` if frames are lacking there.
    fn place_io(&mut self, cpu: u32, io: GuestIo) -> bool {
        let (guest, from, pages) = self.pages_of_io(cpu, io);
        let mut placed = self.storage.move_below(guest, from, pages);
        self.replenish();
        if !placed {
            placed = self.storage.move_below(guest, from, pages);
        }
        placed
    }

    /// The pages of an I/O are below 2 GB: it begins, unless the minidisk cache has served it.
    fn go_on_with_io(&mut self, cpu: u32, io: GuestIo) -> After {
        if io.cached {
            return self.end_cycle(cpu);
        }
        self.begin_minidisk_io(cpu, io);
        After::Waits
    }
}
