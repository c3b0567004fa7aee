//! Guests in the simulation: their bursts, their pauses, their I/O to minidisks.

use super::{Burst, Event, Pause, Purpose, Simulation};
use crate::constants::GuestIoCost;
use crate::devices::{Claimant, Direction, Request};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::Span;
use crate::minidisk::GuestIo;
use crate::snapshot::GuestState;
use crate::storage::{Stop, Touched};

impl Simulation {
    /// A guest runs until it faults or its slice is over. Its touches are made at the beginning of the burst, so that a page
    /// which is valid now is not stolen in the microseconds before the guest comes to it.
    pub(super) fn run_guest(&mut self, index: u32) -> Burst {
        self.guests[index as usize].enter(self.now, GuestState::Running);
        let constants = &self.constants;
        let program = &self.guests[index as usize].program;
        let page_ns = constants.touch_ns + (program.references() - 1) as f64 * constants.reference_ns;
        let slice_pages = ((constants.slice_ns / page_ns) as u64).max(1);
        // Nobody takes a frame past those who stand in line for one.
        let frames = if self.frame_waiters.is_empty() { u64::MAX } else { 0 };
        let granted = std::mem::take(&mut self.guests[index as usize].granted);
        let touched = granted.then(self.touch(index, slice_pages, frames));
        let mut cost = self.cost_of(&touched, page_ns);
        let pause = match touched.stop {
            Stop::Fault | Stop::NoFrame => Pause::Frames,
            Stop::Limit => self.end_of_walk(index, &mut cost),
        };
        self.replenish();
        Burst { cost, pause, ends: self.now }
    }

    fn cost_of(&self, touched: &Touched, page_ns: f64) -> Cost {
        let constants = &self.constants;
        let fault_ns = if touched.stop == Stop::Fault { constants.fault_ns } else { 0.0 };
        let chargeable =
            fault_ns + touched.first as f64 * constants.clear_ns + touched.revalidated as f64 * constants.revalidate_ns;
        Cost {
            guest: Span::from_ns_f64(touched.pages as f64 * page_ns),
            chargeable: Span::from_ns_f64(chargeable),
            nonchargeable: Span::ZERO,
        }
    }

    /// What a guest does that has touched what it wanted to: its I/O, if one is due, costs processor time from here on.
    fn end_of_walk(&mut self, index: u32, cost: &mut Cost) -> Pause {
        let program = &self.guests[index as usize].program;
        if program.cycle_left() == u64::MAX {
            return Pause::Slice;
        }
        if !self.filled() || self.guests[index as usize].held {
            return if program.went_round() { Pause::Filled } else { Pause::Slice };
        }
        if !program.cycle_over() {
            return Pause::Slice;
        }
        if !self.minidisks.has(index) {
            return Pause::Cycle;
        }
        let io = self.minidisks.next_io(index);
        let constants = &self.constants;
        let GuestIoCost { guest_ns, guest_ns_per_record, .. } = constants.guest_io_cost(io.transport);
        let cp_ns = match io.cached {
            true => constants.guest_io_cost(false).cp_ns + constants.mdc_record_ns * f64::from(io.records),
            false => constants.start_ns_of(io.transport, io.moved),
        };
        cost.guest += Span::from_ns_f64(guest_ns + guest_ns_per_record * f64::from(io.records));
        cost.chargeable += Span::from_ns_f64(cp_ns);
        self.minidisk_cp += Span::from_ns_f64(cp_ns);
        if io.cached { Pause::Cycle } else { Pause::Io(io) }
    }

    /// CP takes the interruption of an I/O.
    pub(super) fn take_interrupt(&mut self, io: u32) -> Burst {
        let (request, kind) = self.devices.request(io);
        let edev_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_start_ns };
        if request.claimant == Claimant::Paging {
            return nonchargeable(self.constants.start_ns + edev_ns);
        }
        let pages_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_page_ns * f64::from(request.pages) };
        let chargeable = Span::from_ns_f64(self.constants.interrupt_ns_of(request.transport) + edev_ns + pages_ns);
        self.minidisk_cp += chargeable;
        Burst { cost: Cost { chargeable, ..Cost::default() }, ..Burst::default() }
    }

    /// CP does its work for the pages of a paging I/O.
    pub(super) fn work_for_pages(&self, io: u32) -> Burst {
        let (request, kind) = self.devices.request(io);
        let edev_ns = if kind.is_eckd() { 0.0 } else { self.constants.edev_page_ns };
        nonchargeable((self.constants.page_ns + edev_ns) * f64::from(request.pages))
    }

    /// `index` goes on with its program by up to `limit` pages and takes up to `frames` frames for pages never touched before.
    pub(super) fn touch(&mut self, index: u32, limit: u64, frames: u64) -> Touched {
        let guest = &mut self.guests[index as usize];
        let (change, was_round) = (guest.change(), guest.program.went_round());
        let filling = self.filling > 0 || guest.held;
        let limit = if filling { limit } else { limit.min(guest.program.cycle_left()) };
        let mut touched = Touched::default();
        // A walk is one run of pages; random pages come one at a time.
        while touched.stop == Stop::Limit && touched.pages < limit {
            let (page, run) = (guest.program.page(), (limit - touched.pages).min(guest.program.run()));
            let step = self.storage.touch(index, page, run, frames.saturating_sub(touched.first), |word| change.mask(word));
            guest.program.advance(step.pages);
            touched = touched.then(step);
            if guest.program.run() > 1 {
                break;
            }
        }
        if guest.program.went_round() && !was_round {
            self.filling -= 1;
            if self.filling == 0 {
                self.begin_cycles();
            }
        }
        touched
    }

    /// The fill is over: guests that do I/O, or think, begin with it.
    fn begin_cycles(&mut self) {
        for index in 0..self.guests.len() as u32 {
            let guest = &mut self.guests[index as usize];
            guest.program.begin_cycle();
            if std::mem::take(&mut guest.held) {
                self.make_ready(index);
            }
        }
    }

    pub(super) fn pause(&mut self, guest: u32, pause: Pause) {
        match pause {
            Pause::Slice => self.make_ready(guest),
            Pause::Frames => self.want_frames(guest),
            Pause::Io(io) => self.begin_minidisk_io(guest, io),
            Pause::Cycle => self.end_cycle(guest),
            // The fill may have ended during this burst.
            Pause::Filled if self.filled() => {
                self.guests[guest as usize].program.begin_cycle();
                self.make_ready(guest);
            }
            Pause::Filled => {
                let guest = &mut self.guests[guest as usize];
                guest.held = true;
                guest.enter(self.now, GuestState::Idle);
            }
        }
    }

    fn begin_minidisk_io(&mut self, guest: u32, io: GuestIo) {
        self.guests[guest as usize].enter(self.now, GuestState::IoWait);
        let GuestIo { read, moved, transport, .. } = io;
        let direction = if read { Direction::Read } else { Direction::Write };
        let volume = self.minidisks.volume(guest);
        let tag = self.keep_purpose(Purpose::Minidisk { guest, io });
        let request = Request { claimant: Claimant::Mdisk, direction, tag, volume, blocks: 1, pages: moved, transport };
        let started = self.devices.submit(self.now, request);
        self.begin(started);
    }

    /// A guest has done its cycle: it counts its I/O, and thinks or goes on.
    pub(super) fn end_cycle(&mut self, index: u32) {
        let guest = &mut self.guests[index as usize];
        guest.ios += u64::from(self.minidisks.has(index));
        match guest.program.think_ns() {
            Some(ns) => {
                guest.enter(self.now, GuestState::Idle);
                self.queue.schedule(self.now + Span::from_ns_f64(ns), Event::ThinkEnds { guest: index });
            }
            None => self.begin_cycle(index),
        }
    }

    pub(super) fn begin_cycle(&mut self, guest: u32) {
        self.guests[guest as usize].program.begin_cycle();
        self.make_ready(guest);
    }

    pub(super) fn make_ready(&mut self, guest: u32) {
        self.guests[guest as usize].enter(self.now, GuestState::Ready);
        self.dispatcher.ready(Task::Guest(guest));
    }
}

fn nonchargeable(ns: f64) -> Burst {
    Burst { cost: Cost { nonchargeable: Span::from_ns_f64(ns), ..Cost::default() }, ..Burst::default() }
}
