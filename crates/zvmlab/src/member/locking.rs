//! Locks of a member: services of CP, a guest's own lock, Diag X'44' and X'9C', VARY PROCESSOR.

use super::guest::Stage;
use super::processors::Work;
use super::{Event, Member, Pause};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::Span;
use crate::scenario::SpinLock as Way;
use crate::snapshot::GuestState;

impl Member {
    /// A virtual CPU wants a service of CP; `false` where it must wait for the lock of VARY PROCESSOR first.
    pub(super) fn begin_service(&mut self, cpu: u32) -> bool {
        self.cpus[cpu as usize].stage = Stage::Service;
        self.cpus[cpu as usize].enter(self.agenda.now(), GuestState::SimulationWait);
        !self.locks.begin_service(cpu, self.constants.vary_services)
    }

    /// CP's work for the service, or the wait for its lock.
    pub(super) fn serve(&mut self, processor: u32, cpu: u32) -> Work {
        self.cpus[cpu as usize].enter(self.agenda.now(), GuestState::SimulationWait);
        let task = Task::Cpu(cpu);
        let spun_before = self.locks.cp.is_spinning(processor);
        if self.locks.cp.holder() == Some(processor) || self.locks.cp.take(processor) {
            self.locks.counts.cp_taken += 1;
            let chargeable = self.locked_part(cpu);
            return Work::new(task, Cost { chargeable, ..Cost::default() }, Pause::CpUnlocks);
        }
        // Counted once, however often it spins.
        self.locks.counts.cp_contended += u64::from(!spun_before);
        // On processors of its own nobody is to be asked: it spins until it is given the lock.
        let times = if self.prsm.is_shared() { 1.0 } else { 1e3 };
        let spin = Span::from_ns_f64(self.constants.cp_spin_ns * times);
        Work::new(task, Cost { nonchargeable: spin, ..Cost::default() }, Pause::CpSpun)
    }

    /// Time of a service for which CP holds its lock.
    fn locked_part(&self, cpu: u32) -> Span {
        let service = self.guests[self.cpus[cpu as usize].guest as usize].service;
        Span::from_ns_f64(service.0 as f64 * self.constants.cp_lock_part)
    }

    /// The rest of a service, for which CP needs no lock.
    pub(super) fn serve_on(&mut self, cpu: u32) -> Work {
        let service = self.guests[self.cpus[cpu as usize].guest as usize].service;
        let chargeable = service - self.locked_part(cpu);
        Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, Pause::ServiceDone)
    }

    /// CP gives its lock up: it goes to the first who spins for it and has a physical processor.
    pub(super) fn unlock_cp(&mut self, processor: u32) {
        let (processors, now) = (&self.processors, self.agenda.now());
        let spins = |other: u32| {
            let other = &processors[other as usize];
            other.goes_on(now) && other.top().is_some_and(|work| work.pause == Pause::CpSpun)
        };
        let next = self.locks.cp.release(processor, spins);
        if let Some(next) = next {
            self.cut_short(next, Pause::CpGranted);
        }
    }

    /// CP has spun for its lock for a while: it turns to PR/SM, in the old way or the new one.
    pub(super) fn turn_to_prsm(&mut self, processor: u32) {
        let Some(holder) = self.locks.cp.holder() else { return };
        if !self.prsm.is_shared() || holder == processor {
            return;
        }
        match self.spin_lock {
            Way::Diag44 => {
                self.locks.counts.cp_diag44 += 1;
                self.ask_prsm(|prsm, now, changes| prsm.yields(now, processor, changes));
            }
            Way::Diag9c if self.prsm.runs(holder) => {}
            Way::Diag9c => {
                self.locks.counts.cp_diag9c += 1;
                self.ask_prsm(|prsm, now, changes| prsm.yields_to(now, processor, holder, changes));
            }
        }
    }

    /// A virtual CPU wants its guest's lock: it holds it from now on, or spins.
    pub(super) fn want_lock(&mut self, cpu: u32) -> Work {
        let index = self.cpus[cpu as usize].guest as usize;
        let lock = &mut self.locks.guests[index];
        if lock.holder() == Some(cpu) || lock.take(cpu) {
            let virtual_cpu = &mut self.cpus[cpu as usize];
            (virtual_cpu.stage, virtual_cpu.left) = (Stage::Hold, self.guests[index].lock);
            return self.hold_lock(cpu);
        }
        let owed = std::mem::take(&mut self.cpus[cpu as usize].owed);
        let spin = Span::from_ns_f64(self.constants.guest_spin_ns);
        Work::new(Task::Cpu(cpu), Cost { guest: spin + owed, ..Cost::default() }, Pause::GuestSpun)
    }

    /// A virtual CPU works with its guest's lock held, for as long as its minor slice lasts.
    pub(super) fn hold_lock(&mut self, cpu: u32) -> Work {
        let room = self.scheduler.slice_left(cpu);
        let virtual_cpu = &mut self.cpus[cpu as usize];
        let now = Span(virtual_cpu.left.0.min(room.0));
        virtual_cpu.left = virtual_cpu.left - now;
        let pause = if virtual_cpu.left == Span::ZERO { Pause::LockDone } else { Pause::Slice };
        let guest = now + std::mem::take(&mut virtual_cpu.owed);
        Work::new(Task::Cpu(cpu), Cost { guest, ..Cost::default() }, pause)
    }

    /// A virtual CPU gives its guest's lock up, to the first that spins for it on a processor.
    pub(super) fn end_lock(&mut self, cpu: u32) {
        let index = self.cpus[cpu as usize].guest as usize;
        let (cpus, processors, now) = (&self.cpus, &self.processors, self.agenda.now());
        let spins = |other: u32| {
            let on = cpus[other as usize].on.map(|on| &processors[on as usize]);
            on.is_some_and(|on| {
                let top = on.top().map(|work| (work.task, work.pause));
                on.goes_on(now) && top == Some((Task::Cpu(other), Pause::GuestSpun))
            })
        };
        let next = self.locks.guests[index].release(cpu, spins);
        if let Some(on) = next.and_then(|next| self.cpus[next as usize].on) {
            self.cut_short(on, Pause::LockGranted);
        }
    }

    /// A virtual CPU has spun for its guest's lock in vain: it issues Diag X'44'. `Some` with the work of CP where it takes the
    /// whole path; where the fast path returns it, it spins on.
    pub(super) fn diag44(&mut self, cpu: u32) -> Option<Work> {
        let siblings = self.scheduler.cpus_of(self.cpus[cpu as usize].guest);
        let fast_path = self.diag44_fast_path || siblings.len() <= 2;
        let somebody_waits = siblings.into_iter().any(|other| self.cpus[other as usize].state() == GuestState::Ready);
        if fast_path && !somebody_waits {
            self.locks.counts.diag44_fast += 1;
            self.cpus[cpu as usize].owed = Span::from_ns_f64(self.constants.diag44_fast_ns);
            return None;
        }
        self.locks.counts.diag44_normal += 1;
        let guest = self.cpus[cpu as usize].guest as usize;
        self.locks.guests[guest].stop_spinning(cpu);
        let chargeable = Span::from_ns_f64(self.constants.diag44_ns);
        Some(Work::new(Task::Cpu(cpu), Cost { chargeable, ..Cost::default() }, Pause::Yielded))
    }

    /// VARY PROCESSOR takes its lock; with the fix it gives it back.
    pub(super) fn vary_entered(&mut self) {
        self.locks.vary_begins();
        if self.vary_fix {
            let span = Span::from_ns_f64(self.constants.vary_ns);
            self.agenda.schedule(self.agenda.now() + span, Event::VaryEnds);
        }
    }

    /// VARY PROCESSOR has completed: who waited for its lock goes on.
    pub(super) fn vary_ends(&mut self) {
        for cpu in self.locks.vary_ends() {
            self.make_ready(cpu);
        }
    }
}
