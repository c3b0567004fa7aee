//! Guests that give pages back to CP at the end of each cycle, and the lock under which CP takes them: the page table invalidation
//! lock (PTIL), see `locks/ptil.rs`.
//!
//! Assumed: CP works as long for a page that is released as for one that is touched for the first time. Where the lock is exclusive, a
//! virtual CPU that comes to a page that was never touched, or is on DASD, takes it shared while CP works for it. The model does that
//! for up to sixteen pages at a time, and the program's own time for them follows without the lock.
//! Left out: demand scan and the end of a page read change page tables too, and take no lock here. A virtual CPU that has waited for
//! frames gets them without the lock.

use super::guest::{Reach, Stage};
use super::processors::Work;
use super::program::After;
use super::{Member, Pause};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::Span;
use crate::locks::Hold;
use crate::snapshot::{GuestState, PtilSnapshot};

impl Member {
    /// How far a virtual CPU may go. Only guests that release pages under an exclusive lock take it at all.
    pub(super) fn reach(&self, cpu: u32) -> Reach {
        let guest = self.guests.cpu(cpu).guest;
        if !self.locks.release_is_exclusive || self.guests.guest(guest).releases == 0 || !self.filled() {
            return Reach::Anywhere;
        }
        match self.locks.ptil[guest as usize].is_held_by(cpu) {
            true => Reach::Pages(self.constants.ptil_pages),
            false => Reach::Valid,
        }
    }

    /// A virtual CPU takes the PTIL of its guest for what it does next, if it can have it at once.
    pub(super) fn takes_ptil(&mut self, cpu: u32) -> bool {
        let (guest, hold) = self.ptil_of(cpu);
        self.locks.ptil[guest as usize].take(self.agenda.now(), cpu, hold)
    }

    /// A virtual CPU that cannot go on without the PTIL takes it, or waits for it.
    pub(super) fn take_ptil_or_wait(&mut self, cpu: u32) -> After {
        if self.takes_ptil(cpu) {
            return After::GoesOn;
        }
        let ((guest, hold), now) = (self.ptil_of(cpu), self.agenda.now());
        self.locks.ptil[guest as usize].wait(now, cpu, hold);
        self.guests.enter(now, cpu, GuestState::SimulationWait);
        After::Waits
    }

    /// The guest of a virtual CPU, and how it wants the guest's PTIL next.
    fn ptil_of(&self, cpu: u32) -> (u32, Hold) {
        let cpu = self.guests.cpu(cpu);
        (cpu.guest, if cpu.stage == Stage::Release { Hold::Exclusive } else { Hold::Shared })
    }

    /// A burst of a virtual CPU for which it held the PTIL, if it did, is over: the next in line get the lock.
    #[inline]
    pub(super) fn give_up_ptil(&mut self, cpu: u32, took: Span) {
        let guest = self.guests.cpu(cpu).guest;
        let lock = &mut self.locks.ptil[guest as usize];
        if !lock.is_held_by(cpu) {
            return;
        }
        if lock.exclusive() == Some(cpu) {
            self.guests.guest_mut(guest).release_time += took;
            if self.guests.cpu(cpu).to_release > 0 {
                return;
            }
        }
        for other in lock.give_up(self.agenda.now(), cpu) {
            self.make_ready(other);
        }
    }

    /// CP's work for the pages that a virtual CPU releases, as many as fit its minor slice; none yet where it has to wait for the lock.
    pub(super) fn release_pages(&mut self, cpu: u32) -> Work {
        if self.locks.release_is_exclusive && !self.takes_ptil(cpu) {
            return Work::new(Task::Cpu(cpu), Cost::default(), Pause::Ptil);
        }
        let fit = (self.scheduler.slice_left(cpu).0 as f64 / self.constants.release_ns) as u64;
        let virtual_cpu = self.guests.cpu_mut(cpu);
        // Those touched first go first.
        let mut wanted = virtual_cpu.to_release.min(fit.max(1));
        let ranges = virtual_cpu.program.touched_last(virtual_cpu.to_release);
        virtual_cpu.to_release -= wanted;
        let (guest, mut pages) = (virtual_cpu.guest, 0);
        for (from, count) in ranges {
            let count = count.min(wanted);
            wanted -= count;
            pages += self.storage.release_pages(guest, from, count, |part| self.ios.being_read(part));
        }
        self.guests.guest_mut(guest).pages_released += pages;
        self.give_back_slots();
        self.serve_frame_waiters();
        let chargeable = Span::from_ns_f64(pages as f64 * self.constants.release_ns);
        let pause = if self.guests.cpu(cpu).to_release == 0 { Pause::Released } else { Pause::Slice };
        Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, pause)
    }

    /// What is seen of a guest's PTIL; none where the guest releases no pages.
    pub(super) fn ptil_snapshot(&self, guest: u32) -> Option<PtilSnapshot> {
        let now = self.agenda.now();
        let (state, lock) = (self.guests.guest(guest), &self.locks.ptil[guest as usize]);
        let of_guest = |cpu: u32| cpu - state.cpus.start;
        (state.releases > 0).then(|| PtilSnapshot {
            pages_released: state.pages_released,
            held_ns: lock.held(now).0,
            closed_ns: lock.closed(now).0,
            work_ns: state.release_time.0,
            wait_ns: lock.waited(now).0,
            holder: lock.exclusive().map(of_guest),
            sharing: lock.sharing().iter().copied().map(of_guest).collect(),
            line: lock.line().map(of_guest).collect(),
        })
    }

    /// Checks that those who wait for a PTIL are in simulation wait.
    pub(super) fn verify_ptil(&self) {
        for lock in &self.locks.ptil {
            lock.verify();
            for cpu in lock.line() {
                let waits = self.guests.cpu(cpu).state() == GuestState::SimulationWait;
                assert!(waits && self.guests.cpu(cpu).on.is_none(), "who waits for a PTIL is in simulation wait");
            }
        }
    }
}
