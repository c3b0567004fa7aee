//! Reorder, before z/VM 6.3: CP goes through a guest's list of frames, notes which pages were touched and resets their reference
//! bits. The guest stands still meanwhile, with all of its virtual CPUs.
//!
//! How long that takes, in proportion to the frames, is published (6.2 performance update, "Reorder Processing"). When CP does it
//! is not, apart from "periodically on a virtual machine basis" and "as input to demand scan processing". Assumed: when demand scan
//! has gone through the whole list since the last time. So a host without a shortage of frames has no reorders.

use super::Member;
use crate::dispatcher::Task;
use crate::kernel::time::Span;
use crate::snapshot::GuestState;

impl Member {
    /// Demand scan has gone through the guest's list: the guest is to stand still. A virtual CPU that runs finishes its burst; who waits
    /// for a page or an I/O goes on waiting.
    pub(super) fn ask_for_reorder(&mut self, guest: u32) {
        let state = self.guests.guest_mut(guest);
        if state.away || state.stopping || state.reordering {
            return;
        }
        state.reordering = true;
        let held = |state| matches!(state, GuestState::Ready | GuestState::Eligible | GuestState::LimitList);
        let waiting: Vec<u32> = self.guests.cpus_of(guest).filter(|&cpu| held(self.guests.cpu(cpu).state())).collect();
        self.withdraw(guest, GuestState::ConsoleWait);
        waiting.into_iter().for_each(|cpu| self.halt(cpu));
        self.reorders.push(guest);
    }

    /// CP begins with the guests that have come to stand still.
    pub(super) fn begin_reorders(&mut self) {
        let mut at = 0;
        while let Some(&guest) = self.reorders.get(at) {
            if !self.guests.is_off_processors(guest) {
                at += 1;
                continue;
            }
            self.reorders.remove(at);
            let [valid, age_list, ..] = self.storage.places(guest);
            let time = Span::from_ns_f64((valid + age_list) as f64 * self.constants.reorder_frame_ns);
            self.guests.guest_mut(guest).reorder_began = self.agenda.now();
            self.dispatcher.cp_work(Task::Reorder { guest, time });
        }
    }

    /// The guest's list is in order, after so much of CP's time: the guest goes on, unless a relocation has stopped it meanwhile.
    pub(super) fn end_reorder(&mut self, guest: u32, time: Span) {
        let now = self.agenda.now();
        self.storage.reorder(guest);
        let state = self.guests.guest_mut(guest);
        state.reordering = false;
        state.reorders += 1;
        state.reorder_cp += time;
        state.at_reorder = None;
        state.reordered += now.since(state.reorder_began);
        for cpu in self.guests.cpus_of(guest) {
            if self.guests.cpu(cpu).state() == GuestState::ConsoleWait {
                self.wake(cpu);
            }
        }
        self.report_stopped(guest);
    }
}
