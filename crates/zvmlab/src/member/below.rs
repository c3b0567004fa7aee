//! What CP works on has to be below 2 GB on z/VM 5.1: the pages that a guest's I/O reads or writes, and the page that CP looks at for a
//! service that the program asks for. CP moves them there first.
//!
//! Assumed: an I/O goes to the pages that the program touched last, as many as it has records; of a program that goes from page to
//! page at random, those from the next one on. A service works on one such page. To move a page takes as long as to clear one.

use super::Member;
use super::frames::ForCp;
use super::program::After;
use crate::kernel::time::Span;
use crate::snapshot::GuestState;

impl Member {
    /// CP's time for the pages that it has to move for that.
    pub(super) fn cost_of_moving(&self, cpu: u32, what: ForCp) -> Span {
        let (guest, from, pages) = self.pages_for_cp(cpu, what);
        Span::from_ns_f64(self.storage.above_for_cp(guest, from, pages) as f64 * self.constants.clear_ns)
    }

    /// The guest and its pages that CP works on: the first page and how many.
    fn pages_for_cp(&self, cpu: u32, what: ForCp) -> (u32, u64, u64) {
        let cpu = self.guests.cpu(cpu);
        let (from, pages) = cpu.program.pages_for_cp(what.pages());
        (cpu.guest, from, pages)
    }

    /// A virtual CPU asks for an I/O or for a service. The pages that CP works on move below 2 GB first; where frames are lacking there,
    /// it waits for them.
    pub(super) fn begin_below(&mut self, cpu: u32, what: ForCp) -> After {
        if self.frame_line.first_below().is_none() && self.place_below(cpu, what) {
            return self.go_on_below(cpu, what);
        }
        self.guests.enter(self.agenda.now(), cpu, GuestState::FrameWait);
        self.frame_line.join_below(cpu, what);
        self.replenish();
        self.serve_below();
        After::Waits
    }

    /// Gives frames below 2 GB to those who wait for them, in order, as long as there are enough for the first.
    pub(super) fn serve_below(&mut self) {
        while let Some((cpu, what)) = self.frame_line.first_below() {
            if !self.place_below(cpu, what) {
                return; // The end of a write under way brings frames and calls this again.
            }
            self.frame_line.leave_below();
            if self.go_on_below(cpu, what) == After::GoesOn {
                self.make_ready(cpu);
            }
        }
    }

    /// Moves the pages that CP works on below 2 GB; `false` if frames are lacking there.
    fn place_below(&mut self, cpu: u32, what: ForCp) -> bool {
        let (guest, from, pages) = self.pages_for_cp(cpu, what);
        let mut placed = self.storage.move_below(guest, from, pages);
        self.replenish();
        if !placed {
            placed = self.storage.move_below(guest, from, pages);
        }
        placed
    }

    /// The pages are below 2 GB: what was asked for begins, unless it is an I/O that the minidisk cache has served.
    fn go_on_below(&mut self, cpu: u32, what: ForCp) -> After {
        match what {
            ForCp::Io(io) if io.cached => self.end_cycle(cpu),
            ForCp::Io(io) => {
                self.begin_minidisk_io(cpu, io);
                After::Waits
            }
            ForCp::Service => self.begin_service(cpu),
        }
    }
}
