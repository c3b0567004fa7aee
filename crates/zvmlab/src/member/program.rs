//! Virtual CPUs of a member: their bursts, their pauses, their I/O to minidisks.

use super::frames::ForCp;
use super::guest::{Reach, Series, Stage, VirtualCpu};
use super::ios::Purpose;
use super::processors::Work;
use super::{Event, Member, Pause};
use crate::constants::GuestIoCost;
use crate::devices::{Claimant, Direction, Request};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::Span;
use crate::minidisk::GuestIo;
use crate::snapshot::{GuestState, List};
use crate::storage::{Stop, Touched};

/// What a virtual CPU does after a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// It wants to go on at once.
    GoesOn,
    /// It waits for something; its processor is free.
    Waits,
}

impl Member {
    /// What a virtual CPU does now that it has a processor.
    pub(super) fn burst(&mut self, processor: u32, cpu: u32) -> Work {
        self.guests.enter(self.agenda.now(), cpu, GuestState::Running);
        match self.guests.cpu(cpu).stage {
            Stage::Walk => self.walk(cpu),
            Stage::Service => self.serve(processor, cpu),
            Stage::Lock => self.want_lock(cpu),
            Stage::Hold => self.hold_lock(cpu),
            Stage::Release => self.release_pages(cpu),
            Stage::Io => {
                let mut cost = Cost::default();
                let pause = self.start_io(cpu, &mut cost);
                Work::new(Task::Cpu(cpu), cost, pause)
            }
        }
    }

    /// A virtual CPU runs until it faults or its minor slice ends. It touches its pages at the beginning of the burst. So a
    /// page that is valid now cannot be stolen in the microseconds before the program comes to it.
    fn walk(&mut self, cpu: u32) -> Work {
        let page_ns = self.page_ns(cpu);
        let slice = self.scheduler.slice_left(cpu);
        let slice_pages = ((slice.0 as f64 / page_ns) as u64).max(1);
        let reach = self.reach(cpu);
        // Nobody gets a frame ahead of those who wait in line for one.
        let frames = if self.frame_line.is_empty() { u64::MAX } else { 0 };
        let (pages, frames) = match reach {
            Reach::Anywhere => (slice_pages, frames),
            Reach::Valid => (slice_pages, 0),
            Reach::Pages(most) => (slice_pages.min(most), frames),
        };
        let granted = std::mem::take(&mut self.guests.cpu_mut(cpu).granted);
        let fetches = if frames == 0 { 0 } else { self.fetches_in(slice) };
        let mut touched = granted.then(self.touch(cpu, pages, frames, fetches));
        let stop = touched.stop;
        let owed = std::mem::take(&mut self.guests.cpu_mut(cpu).owed);
        if stop != Stop::Limit && reach == Reach::Valid {
            let does_nothing = touched == (Touched { stop, ..Touched::default() }) && owed == Span::ZERO;
            if does_nothing && self.takes_ptil(cpu) {
                return self.walk(cpu);
            }
            // CP begins with the fault once it has the lock.
            touched.stop = Stop::Limit;
        }
        let mut cost = self.cost_of(&touched, page_ns);
        if stop != Stop::Limit {
            cost.guest += self.guests.cut_series(cpu);
        }
        if let Reach::Pages(_) = reach {
            // Its own time for these pages the program spends without the lock.
            self.guests.cpu_mut(cpu).owed = owed + std::mem::take(&mut cost.guest);
        } else {
            cost.guest += owed;
        }
        let pause = match (stop, reach) {
            (Stop::Fault | Stop::NoFrame, Reach::Valid) => Pause::Ptil,
            (Stop::Fault | Stop::NoFrame, _) => Pause::Frames,
            (Stop::Limit, Reach::Pages(_)) => Pause::Slice,
            (Stop::Limit, _) => self.end_of_walk(cpu, slice, &mut cost),
        };
        self.replenish();
        Work::new(Task::Cpu(cpu), cost, pause)
    }

    fn cost_of(&self, touched: &Touched, page_ns: f64) -> Cost {
        let constants = &self.constants;
        let fault_ns = if touched.stop == Stop::Fault { constants.fault_ns } else { 0.0 };
        let fetched_ns = touched.fetched as f64 * (constants.fault_ns + constants.expanded_ns);
        let chargeable = fault_ns
            + fetched_ns
            + touched.first as f64 * constants.clear_ns
            + touched.revalidated as f64 * constants.revalidate_ns;
        Cost {
            guest: Span::from_ns_f64(touched.pages as f64 * page_ns),
            chargeable: Span::from_ns_f64(chargeable),
            nonchargeable: Span::ZERO,
        }
    }

    /// How many pages from expanded storage a virtual CPU can get in a time, or until CP replenishes the available list if that comes
    /// first: it does so when the list is low, not when a program happens to pause.
    fn fetches_in(&self, time: Span) -> u64 {
        let each = self.constants.fault_ns + self.constants.expanded_ns;
        let in_time = ((time.0 as f64 / each) as u64).max(1);
        in_time.min(self.storage.until_low())
    }

    /// A virtual CPU has touched all pages it wanted. It computes for as long as its minor slice lasts, then goes on to the
    /// next stage.
    fn end_of_walk(&mut self, cpu: u32, slice: Span, cost: &mut Cost) -> Pause {
        let filled = self.filled();
        let (guest, VirtualCpu { program, held, left, .. }) = self.guests.with_cpu(cpu);
        if program.cycle_left() == u64::MAX && (filled || !program.waits_for_fill()) {
            return Pause::Slice;
        }
        if !filled || *held {
            return if program.went_round() { Pause::Filled } else { Pause::Slice };
        }
        if !program.cycle_over() {
            return Pause::Slice;
        }
        let room = Span(slice.0.saturating_sub(cost.total().0));
        let computed = Span(left.0.min(room.0));
        cost.guest += computed;
        *left = *left - computed;
        if *left > Span::ZERO {
            return Pause::Slice;
        }
        let (asks_for_service, locks) = (guest.service > Span::ZERO, guest.lock > Span::ZERO);
        if asks_for_service {
            if self.storage.cp_below() {
                cost.chargeable += self.cost_of_moving(cpu, ForCp::Service);
            }
            return Pause::Service;
        }
        if locks {
            return Pause::Lock;
        }
        self.start_io(cpu, cost)
    }

    /// The cycle ends. If the program does I/O, that costs processor time from here on.
    fn start_io(&mut self, cpu: u32, cost: &mut Cost) -> Pause {
        let guest = self.guests.cpu(cpu).guest;
        if !self.minidisks.has(guest) {
            return Pause::Cycle;
        }
        let io = self.minidisks.next_io(guest);
        let constants = &self.constants;
        let GuestIoCost { guest_ns, guest_ns_per_record, .. } = constants.guest_io_cost(io.transport);
        let cp_ns = match io.cached {
            true => {
                let moves = self.minidisks.expanded_of(io.records) * constants.expanded_ns;
                constants.guest_io_cost(false).cp_ns + constants.mdc_record_ns * f64::from(io.records) + moves
            }
            false => constants.start_ns_of(io.transport, io.moved),
        };
        cost.guest += Span::from_ns_f64(guest_ns + guest_ns_per_record * f64::from(io.records));
        cost.chargeable += Span::from_ns_f64(cp_ns);
        self.minidisks.spend_cp(Span::from_ns_f64(cp_ns));
        if self.storage.cp_below() {
            cost.chargeable += self.cost_of_moving(cpu, ForCp::Io(io));
        } else if io.cached {
            return Pause::Cycle;
        }
        Pause::Io(io)
    }

    /// CP's work for an I/O begins on `processor`.
    pub(super) fn begin_cp_work(&mut self, processor: u32, task: Task) {
        if let Task::Reorder { guest, time } = task {
            self.guests.guest_mut(guest).at_reorder = Some((self.agenda.now(), time));
        }
        let cost = match task {
            Task::TakeInterrupt(io) => self.take_interrupt(io),
            Task::EndIo(io) => self.work_for_pages(io),
            Task::Relocate { time, .. }
            | Task::Reorder { time, .. }
            | Task::Scan { time }
            | Task::Search { time }
            | Task::Coalesce { time }
            | Task::Move { time }
            | Task::Invalidate { time, .. } => Cost { nonchargeable: time, ..Cost::default() },
            Task::Cpu(_) => unreachable!("a virtual CPU is no work of CP"),
        };
        self.begin_work(processor, Work::new(task, cost, Pause::Slice));
    }

    /// CP takes the interruption of an I/O.
    fn take_interrupt(&mut self, io: u32) -> Cost {
        let (request, kind) = self.devices.request(io);
        let edev_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_start_ns };
        if request.claimant == Claimant::Paging {
            return nonchargeable(self.constants.start_ns + edev_ns);
        }
        let pages_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_page_ns * f64::from(request.pages) };
        // What goes into the minidisk cache moves to its part of expanded storage.
        let caches = request.direction == Direction::Read && !request.transport;
        let moves_ns = if caches { self.minidisks.expanded_of(request.pages) * self.constants.expanded_ns } else { 0.0 };
        let own_ns = self.constants.interrupt_ns_of(request.transport) + edev_ns + pages_ns;
        let chargeable = Span::from_ns_f64(own_ns + moves_ns);
        self.minidisks.spend_cp(chargeable);
        Cost { chargeable, ..Cost::default() }
    }

    /// CP does its work for the pages of a paging I/O.
    fn work_for_pages(&self, io: u32) -> Cost {
        let (request, kind) = self.devices.request(io);
        let edev_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_page_ns };
        nonchargeable((self.constants.page_ns + edev_ns) * f64::from(request.pages))
    }

    /// `index` goes on with its program by up to `limit` pages. Pages never touched before may take up to `frames` frames. Up to
    /// `fetches` pages may come from expanded storage.
    pub(super) fn touch(&mut self, index: u32, limit: u64, frames: u64, fetches: u64) -> Touched {
        let filled = self.filled();
        let (guest, cpu) = self.guests.with_cpu(index);
        let change = guest.change();
        let was_round = cpu.program.went_round();
        let filling = !filled || cpu.held;
        let limit = if filling { limit.min(cpu.program.fill_left()) } else { limit.min(cpu.program.cycle_left()) };
        let mut touched = Touched::default();
        // A walk is one run of pages; random pages come one at a time.
        while touched.stop == Stop::Limit && touched.pages < limit {
            let left = limit - touched.pages;
            if cpu.program.at_random() {
                let wandered = self.storage.touch_valid(cpu.guest, |mut valid| {
                    cpu.program.wander(left, |page| valid.touch(page, || change.page(page)))
                });
                self.wandered += wandered;
                touched.pages += wandered;
            }
            if touched.pages == limit {
                break;
            }
            let (page, run) = (cpu.program.page(), (limit - touched.pages).min(cpu.program.run()));
            let frames = frames.saturating_sub(touched.first);
            let changed = |word| if run == 1 { change.page(page) } else { change.mask(word) };
            let mut step = self.storage.touch(cpu.guest, page, run, frames, changed);
            cpu.program.advance(step.pages);
            if step.stop == Stop::Fault && self.storage.is_expanded(cpu.guest, cpu.program.page()) {
                // CP moves the page while the guest has its processor, as long as there is a frame.
                let may_fetch = touched.fetched < fetches;
                step.fetched = u64::from(may_fetch && self.storage.fetch(cpu.guest, cpu.program.page()));
                step.stop = if step.fetched == 1 || touched.fetched > 0 && !may_fetch { Stop::Limit } else { Stop::NoFrame };
            }
            touched = touched.then(step);
            if step.fetched == 0 && (cpu.program.run() > 1 || step.pages == 0) {
                break;
            }
        }
        if cpu.program.went_round() && !was_round && self.guests.went_round() {
            self.begin_cycles();
        }
        touched
    }

    /// The fill is over: programs that work in cycles begin their first.
    fn begin_cycles(&mut self) {
        for index in 0..self.guests.cpu_count() {
            if self.guests.cpu(index).state() == GuestState::Away {
                continue;
            }
            self.guests.start_cycle(self.agenda.now(), index);
            match std::mem::take(&mut self.guests.cpu_mut(index).held) {
                true if self.has_connections(index) => self.take_connection(index),
                true => self.wake(index),
                false => {}
            }
        }
        self.begin_connections();
        self.announce_vary();
    }

    /// A virtual CPU's burst is over. It pays for it, and then runs on, waits, or goes back into the order of the dispatch
    /// list.
    pub(super) fn end_burst(&mut self, processor: u32, cpu: u32, cost: Cost, pause: Pause) {
        let used = cost.guest + cost.chargeable;
        self.guests.of_mut(cpu).used += used;
        self.guests.cpu_mut(cpu).executed(self.agenda.now(), cost.total());
        let may_go_on = if pause == Pause::SpunAndYielded {
            // A minor slice that ended while it spun does not count: it gives way in the next.
            self.charge(cpu, cost.guest);
            self.charge(cpu, cost.chargeable)
        } else {
            self.charge(cpu, used)
        };
        if matches!(pause, Pause::GuestSpun | Pause::LockGranted | Pause::SpunAndYielded) {
            self.locks.counts.guest_spin_ns += cost.guest.0;
        }
        if pause == Pause::CpSpun || pause == Pause::CpGranted {
            self.locks.counts.cp_spin_ns += cost.nonchargeable.0;
        }
        match pause {
            // CP itself is at work and does not give up the processor.
            Pause::CpSpun | Pause::CpGranted => return self.go_on_spinning(processor, cpu, pause),
            Pause::GuestSpun => {
                if let Some(work) = self.give_way_for_lock(cpu) {
                    return self.begin_work(processor, work);
                }
            }
            Pause::CpUnlocks => {
                self.unlock_cp(processor);
                let work = self.serve_on(cpu);
                return self.begin_work(processor, work);
            }
            Pause::Ptil => {}
            Pause::Yielded | Pause::SpunAndYielded => {
                self.locks.counts.diag44_normal += u64::from(pause == Pause::SpunAndYielded);
                self.leave_processor(processor, cpu);
                let gives_way = may_go_on || self.scheduler.list(self.guests.cpu(cpu).guest) == List::Limit;
                return if gives_way { self.give_way(cpu) } else { self.make_ready(cpu) };
            }
            _ => self.give_up_ptil(cpu, cost.total()),
        }
        let after = self.after(cpu, pause);
        let may_go_on = may_go_on && self.guests.of(cpu).held_in().is_none();
        // Past a soft limit it goes on as long as nobody else wants the processor.
        let is_its_turn = !self.guests.cpu(cpu).free || self.has_surplus_for(cpu);
        if after == After::GoesOn && may_go_on && is_its_turn {
            let work = self.burst(processor, cpu);
            return self.begin_work(processor, work);
        }
        self.leave_processor(processor, cpu);
        if after == After::GoesOn {
            self.make_ready(cpu);
        }
    }

    fn go_on_spinning(&mut self, processor: u32, cpu: u32, pause: Pause) {
        let work = self.burst(processor, cpu);
        let spins_on = work.pause == Pause::CpSpun;
        self.begin_work(processor, work);
        if pause == Pause::CpSpun && spins_on {
            self.turn_to_prsm(processor);
        }
    }

    fn leave_processor(&mut self, processor: u32, cpu: u32) {
        self.guests.cpu_mut(cpu).on = None;
        let guest = self.guests.cpu(cpu).guest as usize;
        self.locks.guests[guest].stop_spinning(cpu);
        self.release(processor);
    }

    /// What the virtual CPU does after a burst that ended with `pause`.
    fn after(&mut self, cpu: u32, pause: Pause) -> After {
        match pause {
            Pause::Slice | Pause::LockGranted | Pause::GuestSpun => After::GoesOn,
            Pause::Frames => {
                self.want_frames(cpu);
                After::Waits
            }
            Pause::Io(io) if self.storage.cp_below() => self.begin_below(cpu, ForCp::Io(io)),
            Pause::Io(io) => {
                self.begin_minidisk_io(cpu, io);
                After::Waits
            }
            Pause::Cycle | Pause::Released => self.end_cycle(cpu),
            Pause::Ptil => self.take_ptil_or_wait(cpu),
            Pause::Service if self.storage.cp_below() => self.begin_below(cpu, ForCp::Service),
            Pause::Service => self.begin_service(cpu),
            Pause::ServiceDone => {
                let locks = self.guests.of(cpu).lock > Span::ZERO;
                self.guests.cpu_mut(cpu).stage = if locks { Stage::Lock } else { Stage::Io };
                After::GoesOn
            }
            Pause::Lock => {
                self.guests.cpu_mut(cpu).stage = Stage::Lock;
                After::GoesOn
            }
            Pause::LockDone => {
                self.guests.cpu_mut(cpu).stage = Stage::Io;
                self.end_lock(cpu);
                After::GoesOn
            }
            // The fill may have ended during this burst.
            Pause::Filled if self.filled() && self.has_connections(cpu) => self.end_request(cpu),
            Pause::Filled if self.filled() => {
                self.guests.start_cycle(self.agenda.now(), cpu);
                After::GoesOn
            }
            Pause::Filled => {
                self.guests.cpu_mut(cpu).held = true;
                self.fall_idle(cpu);
                After::Waits
            }
            Pause::CpSpun | Pause::CpGranted | Pause::CpUnlocks | Pause::Yielded | Pause::SpunAndYielded => {
                unreachable!("these are dealt with before")
            }
        }
    }

    pub(super) fn begin_minidisk_io(&mut self, cpu: u32, io: GuestIo) {
        self.guests.enter(self.agenda.now(), cpu, GuestState::IoWait);
        let GuestIo { read, moved, transport, .. } = io;
        let direction = if read { Direction::Read } else { Direction::Write };
        let volume = self.minidisks.volume(self.guests.cpu(cpu).guest);
        let tag = self.ios.begin(Purpose::Minidisk { cpu, io });
        let claimant = Claimant::Mdisk;
        let request = Request { claimant, direction, tag, volume, blocks: 1, runs: 1, pages: moved, transport };
        let started = self.devices.submit(self.agenda.now(), request);
        self.begin(started);
    }

    /// A virtual CPU's I/O is done, and with it the cycle.
    pub(super) fn end_minidisk_io(&mut self, cpu: u32) {
        if self.end_cycle(cpu) == After::GoesOn {
            self.make_ready(cpu);
        }
    }

    /// A virtual CPU has done its cycle, except that it may have pages to release. It counts the cycle, then pauses or goes on.
    pub(super) fn end_cycle(&mut self, cpu: u32) -> After {
        let releases = self.guests.of(cpu).releases > 0;
        let stage = &mut self.guests.cpu_mut(cpu).stage;
        if releases && *stage != Stage::Release {
            *stage = Stage::Release;
            let (guest, virtual_cpu) = self.guests.with_cpu(cpu);
            virtual_cpu.to_release = guest.releases;
            return After::GoesOn;
        }
        let does_io = self.minidisks.has(self.guests.cpu(cpu).guest);
        if self.has_connections(cpu) {
            self.guests.of_mut(cpu).ios += u64::from(does_io);
            return self.end_request(cpu);
        }
        let next = self.guests.end_cycle(self.agenda.now(), cpu, does_io);
        if next > self.agenda.now() {
            self.fall_idle(cpu);
            let pause = self.guests.cpu_mut(cpu).pause(next);
            self.agenda.schedule(next, Event::PauseEnds { cpu, pause });
            return After::Waits;
        }
        self.guests.start_cycle(self.agenda.now(), cpu);
        self.begin_series(cpu);
        After::GoesOn
    }

    /// Short cycles of which each takes the same time, and after which the program goes on at once, are done as one, as many as fit into
    /// what is left of the minor slice. Nothing could come between them: a program gives up its processor at the end of its slice,
    /// or when it waits for a page.
    fn begin_series(&mut self, cpu: u32) {
        let (guest, VirtualCpu { program, free, .. }) = self.guests.with_cpu(cpu);
        let Some(pages) = program.pages_in_series() else { return };
        let is_plain =
            guest.service == Span::ZERO && guest.lock == Span::ZERO && guest.releases == 0 && guest.pace == Span::ZERO;
        if !is_plain || *free || self.minidisks.has(self.guests.cpu(cpu).guest) {
            return;
        }
        let page_ns = self.page_ns(cpu);
        let each = self.guests.of(cpu).cpu + Span::from_ns_f64(pages as f64 * page_ns);
        let cycles = self.scheduler.slice_left(cpu).0 / each.0.max(1);
        if cycles > 1 {
            self.guests.begin_series(cpu, Series { cycles, each });
        }
    }

    /// What it takes a program to touch a page and refer to it, in ns.
    fn page_ns(&self, cpu: u32) -> f64 {
        let more = self.guests.cpu(cpu).program.references() - 1;
        self.constants.touch_ns + more as f64 * self.constants.reference_ns
    }

    /// The pause of a virtual CPU is over, unless its guest has left since.
    pub(super) fn end_pause(&mut self, cpu: u32, pause: u32) {
        if self.guests.cpu(cpu).pauses != pause {
            return;
        }
        self.guests.cpu_mut(cpu).pause_ends = None;
        self.guests.start_cycle(self.agenda.now(), cpu);
        self.wake(cpu);
    }
}

fn nonchargeable(ns: f64) -> Cost {
    Cost { nonchargeable: Span::from_ns_f64(ns), ..Cost::default() }
}
