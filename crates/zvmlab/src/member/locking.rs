//! Locks of a member: services of CP, a guest's own lock, Diag X'44' and X'9C', VARY PROCESSOR.

use super::guest::Stage;
use super::processors::Work;
use super::program::After;
use super::{Event, Member, Pause};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::Span;
use crate::scenario::SpinLock as Way;
use crate::snapshot::GuestState;

impl Member {
    /// A virtual CPU asks for a service of CP. It may have to wait for the lock of VARY PROCESSOR first.
    pub(super) fn begin_service(&mut self, cpu: u32) -> After {
        self.guests.cpu_mut(cpu).stage = Stage::Service;
        self.guests.enter(self.agenda.now(), cpu, GuestState::SimulationWait);
        if self.locks.begin_service(cpu) { After::Waits } else { After::GoesOn }
    }

    /// CP's work for the service, or the wait for its lock.
    pub(super) fn serve(&mut self, processor: u32, cpu: u32) -> Work {
        self.guests.enter(self.agenda.now(), cpu, GuestState::SimulationWait);
        let task = Task::Cpu(cpu);
        let spun_before = self.locks.cp.is_spinning(processor);
        if self.locks.cp.holder() == Some(processor) || self.locks.cp.take(processor) {
            self.locks.counts.cp_taken += 1;
            let chargeable = self.locked_part(cpu);
            return Work::new(task, Cost { chargeable, ..Cost::default() }, Pause::CpUnlocks);
        }
        // Counted once, however often it spins.
        self.locks.counts.cp_contended += u64::from(!spun_before);
        // A dedicated processor has nobody to give way to: it spins until it gets the lock.
        let times = if self.processors.prsm().is_shared() { 1.0 } else { 1e3 };
        let spin = Span::from_ns_f64(self.constants.cp_spin_ns * times);
        Work::new(task, Cost { nonchargeable: spin, ..Cost::default() }, Pause::CpSpun)
    }

    /// The part of a service's time for which CP holds its lock.
    fn locked_part(&self, cpu: u32) -> Span {
        let service = self.guests.of(cpu).service;
        Span::from_ns_f64(service.0 as f64 * self.constants.cp_lock_part)
    }

    /// The rest of a service, for which CP needs no lock.
    pub(super) fn serve_on(&mut self, cpu: u32) -> Work {
        let service = self.guests.of(cpu).service;
        let chargeable = service - self.locked_part(cpu);
        Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, Pause::ServiceDone)
    }

    /// CP gives its lock up. The first spinner that has a physical processor gets it.
    pub(super) fn unlock_cp(&mut self, processor: u32) {
        let (processors, now) = (&self.processors, self.agenda.now());
        let next = self.locks.cp.release(processor, |other| processors.spins_for_cp(now, other));
        if let Some(next) = next {
            self.cut_short(next, Pause::CpGranted);
        }
    }

    /// CP has spun for its lock for a while and turns to PR/SM, with Diag X'44' or with Diag X'9C'.
    pub(super) fn turn_to_prsm(&mut self, processor: u32) {
        let Some(holder) = self.locks.cp.holder() else { return };
        if !self.processors.prsm().is_shared() || holder == processor {
            return;
        }
        match self.locks.way {
            Way::Diag44 => {
                self.locks.counts.cp_diag44 += 1;
                self.ask_prsm(|prsm, now, changes| prsm.yields(now, processor, changes));
            }
            Way::Diag9c if self.processors.prsm().runs(holder) => {}
            Way::Diag9c => {
                self.locks.counts.cp_diag9c += 1;
                self.ask_prsm(|prsm, now, changes| prsm.yields_to(now, processor, holder, changes));
            }
        }
    }

    /// A virtual CPU wants its guest's lock. It gets the lock now, or spins.
    pub(super) fn want_lock(&mut self, cpu: u32) -> Work {
        let index = self.guests.cpu(cpu).guest as usize;
        let lock = &mut self.locks.guests[index];
        if lock.holder() == Some(cpu) || lock.take(cpu) {
            let (guest, virtual_cpu) = self.guests.with_cpu(cpu);
            (virtual_cpu.stage, virtual_cpu.left) = (Stage::Hold, guest.lock);
            return self.hold_lock(cpu);
        }
        let owed = std::mem::take(&mut self.guests.cpu_mut(cpu).owed);
        let spins = Cost { guest: self.locks.times.spin + owed, ..Cost::default() };
        if self.locks.guest_way == Way::Diag9c || self.takes_fast_path(index as u32) {
            return Work::new(Task::Cpu(cpu), spins, Pause::GuestSpun);
        }
        Work::new(Task::Cpu(cpu), Cost { chargeable: self.locks.times.diag44, ..spins }, Pause::SpunAndYielded)
    }

    /// Perhaps no virtual CPU of the guest waits for a processor any more. Then those of it that spin will spin on after their
    /// Diag X'44', if that takes the fast path: they decide when they have spun.
    pub(super) fn spin_on(&mut self, guest: u32) {
        if !self.takes_fast_path(guest) {
            return;
        }
        let lock = &self.locks.guests[guest as usize];
        let spinning: Vec<u32> = lock.spinning().filter_map(|cpu| self.guests.cpu(cpu).on).collect();
        for processor in spinning {
            if self.processors.only_spins(self.agenda.now(), processor) {
                self.announce_end(processor);
            }
        }
    }

    /// A virtual CPU works while it holds its guest's lock, until its minor slice ends.
    pub(super) fn hold_lock(&mut self, cpu: u32) -> Work {
        let room = self.scheduler.slice_left(cpu);
        let virtual_cpu = self.guests.cpu_mut(cpu);
        let now = Span(virtual_cpu.left.0.min(room.0));
        virtual_cpu.left = virtual_cpu.left - now;
        let pause = if virtual_cpu.left == Span::ZERO { Pause::LockDone } else { Pause::Slice };
        let guest = now + std::mem::take(&mut virtual_cpu.owed);
        Work::new(Task::Cpu(cpu), Cost { guest, ..Cost::default() }, pause)
    }

    /// A virtual CPU gives its guest's lock up. The first that spins for it on a processor gets it.
    pub(super) fn end_lock(&mut self, cpu: u32) {
        let index = self.guests.cpu(cpu).guest as usize;
        let (guests, processors, now) = (&self.guests, &self.processors, self.agenda.now());
        let spins = |other: u32| guests.cpu(other).on.is_some_and(|on| processors.spins(now, on, other));
        let next = self.locks.guests[index].release(cpu, spins);
        if let Some(on) = next.and_then(|next| self.guests.cpu(next).on) {
            self.cut_short(on, Pause::LockGranted);
        }
    }

    /// A virtual CPU has spun for its guest's lock in vain and gives way. Returns CP's work for it; `None` where it spins on.
    pub(super) fn give_way_for_lock(&mut self, cpu: u32) -> Option<Work> {
        match self.locks.guest_way {
            Way::Diag44 => self.diag44(cpu),
            Way::Diag9c => self.diag9c(cpu),
        }
    }

    /// It issues Diag X'9C' and names the holder. Where that does not wait for a processor, the call returns at once: `None`,
    /// and it spins on. Assumed: the call takes as long as a Diag X'44'.
    fn diag9c(&mut self, cpu: u32) -> Option<Work> {
        let guest = self.guests.cpu(cpu).guest;
        if self.waiting_holder(guest).is_none() {
            self.guests.cpu_mut(cpu).owed = self.locks.times.diag44_fast;
            return None;
        }
        self.locks.counts.guest_diag9c += 1;
        self.locks.guests[guest as usize].stop_spinning(cpu);
        let chargeable = self.locks.times.diag44;
        Some(Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, Pause::Yielded))
    }

    /// The virtual CPU that holds its guest's lock, if it waits for a processor, perhaps in the limit list.
    pub(super) fn waiting_holder(&self, guest: u32) -> Option<u32> {
        let holder = self.locks.guests[guest as usize].holder()?;
        self.guests.is_waiting(holder).then_some(holder)
    }

    /// It issues Diag X'44'. Returns CP's work where the call takes the
    /// whole path. By the fast path the call returns at once: `None`, and it spins on.
    pub(super) fn diag44(&mut self, cpu: u32) -> Option<Work> {
        let guest = self.guests.cpu(cpu).guest;
        if self.takes_fast_path(guest) {
            self.locks.counts.diag44_fast += 1;
            self.guests.cpu_mut(cpu).owed = self.locks.times.diag44_fast;
            return None;
        }
        self.locks.counts.diag44_normal += 1;
        self.locks.guests[guest as usize].stop_spinning(cpu);
        let chargeable = self.locks.times.diag44;
        Some(Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, Pause::Yielded))
    }

    /// Whether a Diag X'44' of the guest would take the fast path now: no other virtual CPU of it waits for a processor.
    fn takes_fast_path(&self, guest: u32) -> bool {
        !self.guests.somebody_waits(guest) && self.locks.has_fast_path(self.guests.cpus_of(guest).len())
    }

    /// Schedules VARY PROCESSOR, if the scenario enters it.
    pub(super) fn announce_vary(&mut self) {
        if let Some(after) = self.locks.vary_after() {
            self.agenda.schedule(self.agenda.now() + after, Event::VaryEntered);
        }
    }

    /// VARY PROCESSOR takes its lock. With the fix it will give it back.
    pub(super) fn vary_entered(&mut self) {
        if let Some(span) = self.locks.vary_begins() {
            self.agenda.schedule(self.agenda.now() + span, Event::VaryEnds);
        }
    }

    /// VARY PROCESSOR has completed: the virtual CPUs that waited for its lock go on.
    pub(super) fn vary_ends(&mut self) {
        for cpu in self.locks.vary_ends() {
            self.make_ready(cpu);
        }
    }
}
