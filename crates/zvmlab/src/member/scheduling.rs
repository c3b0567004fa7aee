//! Scheduler and dispatcher of a member: who wakes, enters the dispatch list, reaches a limit, gets a processor.

use super::{Event, Member};
use crate::dispatcher::{Dispatched, Task};
use crate::kernel::time::{Instant, Span};
use crate::scenario::SpinLock;
use crate::scheduler::{Admitted, Charged, Priority, Standing};
use crate::snapshot::{GuestState, List, Why};

impl Member {
    /// A virtual CPU that was idle wants to run.
    pub(super) fn wake(&mut self, cpu: u32) {
        if self.guests.of(cpu).held_in().is_some() {
            return self.stay_stopped(cpu);
        }
        self.scheduler.wake(self.agenda.now(), cpu);
        self.guests.enter(self.agenda.now(), cpu, GuestState::Eligible);
        let guest = self.guests.cpu(cpu).guest;
        if self.scheduler.overdue(guest) {
            self.leave_dispatch_list(guest);
        } else if self.scheduler.standing(cpu) == Standing::Eligible {
            self.admit();
        } else {
            self.make_ready(cpu);
        }
    }

    /// A virtual CPU becomes idle.
    pub(super) fn fall_idle(&mut self, cpu: u32) {
        self.sleep(cpu, GuestState::Idle);
        self.report_stopped(self.guests.cpu(cpu).guest);
    }

    /// Tells the scheduler that a virtual CPU does not want to run for now; it is in `state`.
    pub(super) fn sleep(&mut self, cpu: u32, state: GuestState) {
        self.guests.enter(self.agenda.now(), cpu, state);
        let guest = self.guests.cpu(cpu).guest;
        if let Some(at) = self.scheduler.sleep(self.agenda.now(), cpu) {
            self.agenda.schedule(at, Event::IdleTested { guest });
        }
    }

    /// A virtual CPU wants to run. Its guest's list decides whether it is ready or has to wait.
    pub(super) fn make_ready(&mut self, cpu: u32) {
        if self.guests.of(cpu).held_in().is_some() {
            return self.halt(cpu);
        }
        match self.scheduler.standing(cpu) {
            Standing::Dispatch(priority) => self.stand_ready(cpu, priority),
            Standing::Eligible => self.guests.enter(self.agenda.now(), cpu, GuestState::Eligible),
            Standing::Limited => {
                self.guests.enter(self.agenda.now(), cpu, GuestState::LimitList);
                self.wait_for_surplus(cpu);
            }
        }
    }

    /// A virtual CPU in the limit list may use what nobody else can, if its limit is soft.
    fn wait_for_surplus(&mut self, cpu: u32) {
        if self.scheduler.is_soft(self.guests.cpu(cpu).guest) {
            let priority = self.scheduler.order(cpu);
            self.dispatcher.wait_for_surplus(cpu, priority);
        }
    }

    fn stand_ready(&mut self, cpu: u32, priority: Priority) {
        self.guests.enter(self.agenda.now(), cpu, GuestState::Ready);
        self.dispatcher.ready(self.agenda.now(), cpu, priority);
        if let Some(at) = self.dispatcher.reshuffle_due(self.agenda.now()) {
            self.agenda.schedule(at, Event::ReshuffleDue);
        }
    }

    /// Lets all guests that may enter the dispatch list enter it.
    fn admit(&mut self) {
        while let Some(Admitted { guest, slice_ends, stay }) = self.scheduler.admit(self.agenda.now()) {
            self.agenda.schedule(slice_ends, Event::ElapsedSliceEnds { guest, stay });
            self.storage.enters_dispatch_list(guest);
            self.guests.guest_mut(guest).read_before_stay = self.storage.pages_read(guest);
            for cpu in self.guests.cpus_of(guest) {
                self.guests.cpu_mut(cpu).program.begin_stay();
                if self.guests.cpu(cpu).state() == GuestState::Eligible {
                    self.make_ready(cpu);
                }
            }
        }
    }

    pub(super) fn elapsed_slice_ends(&mut self, guest: u32, stay: u32) {
        if self.scheduler.elapsed_slice_ends(guest, stay) {
            self.leave_dispatch_list(guest);
        }
    }

    /// A guest goes back to the eligible list, one class further. If it may, it enters the dispatch list again at once.
    fn leave_dispatch_list(&mut self, guest: u32) {
        let working_set = self.working_set(guest);
        self.scheduler.leave(self.agenda.now(), guest, working_set);
        self.storage.leaves_dispatch_list(guest, working_set);
        self.withdraw(guest, GuestState::Eligible);
        self.admit();
    }

    /// Makes a guest dormant if it has been idle for long enough, or tests again later.
    pub(super) fn idle_tested(&mut self, guest: u32) {
        if self.guests.guest(guest).reordering {
            // Console function wait is no idleness: it keeps its place in the dispatch list.
            let again = self.agenda.now() + Span::from_ns_f64(self.constants.test_idle_ns);
            return self.agenda.schedule(again, Event::IdleTested { guest });
        }
        match self.scheduler.idle_tested(self.agenda.now(), guest) {
            Err(at) => self.agenda.schedule(at, Event::IdleTested { guest }),
            Ok(false) => {}
            Ok(true) => self.become_dormant(guest, Why::Idle),
        }
    }

    /// A guest with no wish to run leaves the scheduler's lists, if it is in one.
    pub(super) fn become_dormant(&mut self, guest: u32, why: Why) {
        if self.scheduler.list(guest) != List::Dormant {
            let working_set = self.working_set(guest);
            self.scheduler.become_dormant(self.agenda.now(), guest, working_set, why);
            self.storage.leaves_dispatch_list(guest, working_set);
            self.admit();
        }
    }

    /// The working set of a guest at the end of its stay in the dispatch list: the different pages that it touched in the
    /// stay. If that is more, it is its valid pages plus the pages read in the stay, at most all pages that it has: each
    /// page that it had to read had been taken from it. Assumed; how CP calculates it is not public.
    fn working_set(&self, guest: u32) -> u64 {
        let touched = self.guests.stay_pages(guest);
        let [valid, age_list, reading, dasd] = self.storage.places(guest);
        let dasd = dasd + self.storage.expanded_pages(guest);
        let read = self.storage.pages_read(guest) - self.guests.guest(guest).read_before_stay;
        // What it has released it does not have.
        let all = valid + age_list + reading + dasd;
        (valid + read).min(all).max(touched.min(all))
    }

    /// Virtual CPUs of a guest that wait for a processor now wait in `state` instead.
    pub(super) fn withdraw(&mut self, guest: u32, state: GuestState) {
        for cpu in self.guests.cpus_of(guest) {
            match self.guests.cpu(cpu).state() {
                GuestState::Ready => {
                    self.dispatcher.withdraw(self.agenda.now(), cpu);
                }
                GuestState::Eligible if matches!(state, GuestState::Stopped | GuestState::ConsoleWait) => {}
                GuestState::LimitList if state != GuestState::LimitList => {
                    self.dispatcher.forgo_surplus(cpu);
                }
                _ => continue,
            }
            self.guests.enter(self.agenda.now(), cpu, state);
            if state == GuestState::LimitList {
                self.wait_for_surplus(cpu);
            }
        }
        self.spin_on(guest);
    }

    /// Charges a virtual CPU for the processor time `used`. Returns whether it may go on with its minor slice.
    pub(super) fn charge(&mut self, cpu: u32, used: Span) -> bool {
        // A maximum share counts only after the fill. At 0.1 % the fill would take a thousand times as long otherwise.
        let (guest, free) = (self.guests.cpu(cpu).guest, self.guests.cpu(cpu).free || !self.filled());
        match self.scheduler.charge(self.agenda.now(), cpu, used, free) {
            Charged::GoesOn => true,
            Charged::SliceOver => false,
            Charged::Limited(until, stay) => {
                self.agenda.schedule(until, Event::LimitEnds { guest, stay });
                self.withdraw(guest, GuestState::LimitList);
                false
            }
        }
    }

    /// Whether a virtual CPU whose guest is past its soft limit may go on, because nobody else wants its processor.
    pub(super) fn has_surplus_for(&self, cpu: u32) -> bool {
        self.scheduler.list(self.guests.cpu(cpu).guest) == List::Limit && !self.dispatcher.somebody_waits()
    }

    pub(super) fn limit_ends(&mut self, guest: u32, stay: u32) {
        if self.scheduler.limit_ends(self.agenda.now(), guest, stay) {
            for cpu in self.guests.cpus_of(guest) {
                if self.guests.cpu(cpu).state() == GuestState::LimitList {
                    self.dispatcher.forgo_surplus(cpu);
                    self.make_ready(cpu);
                }
            }
        }
    }

    /// Deals the dispatch list out again, and repeats that as long as vectors overflow.
    pub(super) fn reshuffle_due(&mut self) {
        if let Some(at) = self.dispatcher.reshuffle(self.agenda.now()) {
            self.agenda.schedule(at, Event::ReshuffleDue);
        }
    }

    /// Gives processors to those who wait for one.
    pub(super) fn dispatch(&mut self) {
        loop {
            let physical = self.processors.on_physical(self.agenda.now());
            if let Some(Dispatched { processor, task }) = self.dispatcher.dispatch(self.agenda.now(), physical) {
                match task {
                    Task::Cpu(cpu) => self.begin_burst(processor, cpu, false),
                    Task::TakeInterrupt(_)
                    | Task::EndIo(_)
                    | Task::Relocate { .. }
                    | Task::Reorder { .. }
                    | Task::Scan { .. }
                    | Task::Search { .. }
                    | Task::Coalesce { .. }
                    | Task::Move { .. }
                    | Task::Invalidate { .. } => {
                        self.begin_cp_work(processor, task);
                    }
                }
                continue;
            }
            // Guests past a soft limit divide what nobody else could use.
            let Some((processor, cpu)) = self.dispatcher.dispatch_surplus(self.agenda.now()) else { break };
            self.begin_burst(processor, cpu, true);
        }
        self.load_waits();
    }

    /// A virtual CPU gets a processor.
    pub(super) fn begin_burst(&mut self, processor: u32, cpu: u32, free: bool) {
        self.scheduler.begin(self.agenda.now(), cpu);
        let virtual_cpu = self.guests.cpu_mut(cpu);
        (virtual_cpu.on, virtual_cpu.free) = (Some(processor), free);
        let work = self.burst(processor, cpu);
        self.begin_work(processor, work);
        self.spin_on(self.guests.cpu(cpu).guest);
    }

    /// A virtual CPU has given up its processor for the others of its guest: with Diag X'44' for the one that has waited
    /// longest, with Diag X'9C' for the holder of the lock. That takes its place in the order of the dispatch list, now or once
    /// the guest leaves the limit list. The dispatcher decides whether another guest is due even earlier.
    pub(super) fn give_way(&mut self, cpu: u32) {
        let guest = self.guests.cpu(cpu).guest;
        let other = match self.locks.guest_way {
            SpinLock::Diag44 => self.guests.waiting_for_longest(guest),
            SpinLock::Diag9c => self.waiting_holder(guest),
        };
        if let Some(other) = other {
            self.scheduler.give_place(cpu, other);
            if self.dispatcher.forgo_surplus(other) {
                self.wait_for_surplus(other);
            }
            if self.dispatcher.withdraw(self.agenda.now(), other) {
                let priority = self.scheduler.order(other);
                self.dispatcher.ready(self.agenda.now(), other, priority);
            }
        }
        self.make_ready(cpu);
    }

    /// Starts every virtual CPU of the host.
    pub(super) fn wake_all(&mut self) {
        for cpu in 0..self.guests.cpu_count() {
            if self.guests.cpu(cpu).state() != GuestState::Away {
                self.wake(cpu);
            }
        }
    }

    /// Checks what must hold between scheduler, dispatcher and virtual CPUs.
    pub(super) fn verify_scheduling(&self) {
        self.scheduler.verify();
        self.dispatcher.verify();
        self.guests.verify();
        self.verify_processors();
        for cpu in self.guests.cpus() {
            let list = self.scheduler.list(cpu.guest);
            match cpu.state() {
                GuestState::Eligible => assert!(list.is_eligible(), "who waits in the eligible list is in it"),
                GuestState::Ready => assert!(!list.is_eligible(), "who waits for a processor is in the dispatch list"),
                _ => {}
            }
            assert_eq!(
                cpu.accounted(self.agenda.now()),
                self.agenda.now().since(Instant::ZERO).0,
                "all of a virtual CPU's time is accounted for"
            );
        }
    }
}
