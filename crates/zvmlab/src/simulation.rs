//! The simulation: events happen here, rooms answer, guests go on. Start reading at [`Event`] and [`Simulation::step`].

mod guest;
mod paging_io;
mod program;

use std::collections::VecDeque;

use crate::constants::Constants;
use crate::devices::{Claimant, Devices, Ended, NextEnd, Started};
use crate::dispatcher::{Cost, Dispatched, Dispatcher, Task};
use crate::kernel::queue::EventQueue;
use crate::kernel::time::{Instant, Span};
use crate::minidisk::{GuestIo, Minidisks};
use crate::paging::Paging;
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::{
    GuestState, LocksSnapshot, MinidisksSnapshot, PagingSnapshot, PrsmSnapshot, SchedulerSnapshot, Snapshot,
};
use crate::storage::{FreedSlots, Part, Read, Storage};
use guest::Guest;

/// Everything that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A processor has done what it was given, unless it was interrupted and the end put off.
    BurstEnds { processor: u32, generation: u32 },
    /// A processor has done the work of CP for which it interrupted a guest.
    InterruptionEnds { processor: u32 },
    /// An I/O is through its pending, disconnect and protocol time and begins to transfer on its path.
    TransferBegins { io: u32 },
    /// The next transfer on a path ends, unless the path has changed since this was announced.
    TransferEnds { path: u16, generation: u32 },
    /// A guest has thought enough.
    ThinkEnds { guest: u32 },
}

/// Why a guest's burst ends.
#[derive(Clone, Copy, Debug, Default)]
enum Pause {
    /// Its slice is over.
    #[default]
    Slice,
    /// It cannot go on without frames, for a page on DASD or for one never touched.
    Frames,
    /// It has come to the end of a cycle with this I/O.
    Io(GuestIo),
    /// It has come to the end of a cycle without an I/O, or with one that the minidisk cache served.
    Cycle,
    /// It has touched its whole loop and waits for the others to do so.
    Filled,
}

/// What a processor was given to do and what comes of it when it is done.
#[derive(Clone, Copy, Debug, Default)]
struct Burst {
    cost: Cost,
    /// Why the guest pauses.
    pause: Pause,
    /// When it ends.
    ends: Instant,
}

/// What a processor is doing.
#[derive(Clone, Copy, Debug, Default)]
struct Processor {
    burst: Burst,
    /// The cost of CP's work that interrupts the burst.
    interruption: Cost,
    /// Counts the bursts and their postponements: an end that was announced before the last one is void.
    generation: u32,
}

/// What an I/O is for.
#[derive(Clone, Debug)]
enum Purpose {
    /// `guest` waits for it.
    Read { guest: u32, read: Read },
    /// Blocks on their way to DASD.
    Write { parts: Vec<Part> },
    /// `guest` waits for its minidisk.
    Minidisk { guest: u32, io: GuestIo },
}

/// The whole model of one host, from a scenario and a seed.
#[derive(Clone, Debug)]
pub struct Simulation {
    constants: Constants,
    now: Instant,
    events: u64,
    queue: EventQueue<Event>,
    storage: Storage,
    paging: Paging,
    devices: Devices,
    minidisks: Minidisks,
    /// CP time of guests' I/O.
    minidisk_cp: Span,
    dispatcher: Dispatcher,
    guests: Vec<Guest>,
    processors: Vec<Processor>,
    /// What each I/O is for, by the tag that the paging room knows it by.
    purposes: Vec<Option<Purpose>>,
    free_purposes: Vec<u32>,
    /// Guests that wait for frames, first come first served.
    frame_waiters: VecDeque<u32>,
    /// Guests that have not yet touched their whole loop.
    filling: u32,
    /// Free slots below which a page that was read gives its slot back.
    slots_reserve: u64,
    /// Blocks that wait for the channel program of their volume to be full.
    gathering: Vec<Vec<Part>>,
    /// Kept between uses so that no step allocates without need.
    to_write: Vec<Part>,
    freed: Vec<FreedSlots>,
}

impl Simulation {
    /// A host as `scenario` describes it, at the start of its run; `seed` decides every random choice.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: &Scenario, seed: u64) -> Result<Self, ScenarioError> {
        Self::with_constants(scenario, seed, Constants::default())
    }

    /// The same with other constants than the model's own, to see what they do.
    ///
    /// # Errors
    /// Every problem of the scenario.
    ///
    /// # Panics
    /// If blocks, visits or channel programs hold no page.
    pub fn with_constants(scenario: &Scenario, seed: u64, constants: Constants) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let least = [constants.block_pages, constants.visit_pages, constants.write_pages_max];
        assert!(least.into_iter().all(|count| count > 0), "blocks, visits and channel programs are not empty");
        let members = scenario.guests.iter().flat_map(|group| (1..=group.count).map(move |number| (group, number)));
        let guests: Vec<Guest> =
            members.enumerate().map(|(index, (group, number))| Guest::new(group, index as u64, number, seed)).collect();
        let mut simulation = Simulation {
            now: Instant::ZERO,
            events: 0,
            queue: EventQueue::new(),
            storage: Storage::new(scenario, &constants),
            paging: Paging::new(scenario, seed),
            devices: Devices::new(scenario, &constants, seed),
            minidisks: Minidisks::new(scenario, seed),
            minidisk_cp: Span::ZERO,
            dispatcher: Dispatcher::new(scenario.processors.count),
            processors: vec![Processor::default(); scenario.processors.count as usize],
            purposes: Vec::new(),
            free_purposes: Vec::new(),
            frame_waiters: VecDeque::new(),
            filling: guests.len() as u32,
            slots_reserve: constants.page_space_reserve(scenario.guest_frames(&constants)),
            guests,
            gathering: vec![Vec::new(); scenario.page_volumes() as usize],
            to_write: Vec::new(),
            freed: Vec::new(),
            constants,
        };
        for guest in 0..simulation.guests.len() as u32 {
            simulation.dispatcher.ready(Task::Guest(guest));
        }
        simulation.dispatch();
        Ok(simulation)
    }

    /// Lets the next event happen; `false` where there is none.
    pub fn step(&mut self) -> bool {
        let Some((at, event)) = self.queue.pop() else { return false };
        self.now = at;
        self.events += 1;
        match event {
            Event::BurstEnds { processor, generation } => {
                if generation == self.processors[processor as usize].generation {
                    self.end_burst(processor);
                }
            }
            Event::InterruptionEnds { processor } => self.end_interruption(processor),
            Event::TransferBegins { io } => {
                let (path, next) = self.devices.begin_transfer(at, io);
                self.announce(path, Some(next));
            }
            Event::TransferEnds { path, generation } => {
                if let Some(ended) = self.devices.end_transfer(at, path, generation) {
                    self.end_transfer(path, ended);
                }
            }
            Event::ThinkEnds { guest } => self.begin_cycle(guest),
        }
        // After the event, since whatever happened may have made somebody ready or a processor idle.
        self.dispatch();
        if cfg!(debug_assertions) {
            self.verify();
        }
        true
    }

    /// Lets everything happen that falls due up to `until`; then it is `until`.
    pub fn run_until(&mut self, until: Instant) {
        while self.queue.next_instant().is_some_and(|at| at <= until) {
            self.step();
        }
        self.now = self.now.max(until);
    }

    /// Goes on until every guest has touched its whole loop once, at most until `limit` and for `events_max` events.
    pub fn run_until_filled(&mut self, limit: Instant, events_max: u64) {
        let last_event = self.events.saturating_add(events_max);
        while !self.filled() && self.events < last_event && self.queue.next_instant().is_some_and(|at| at <= limit) {
            self.step();
        }
    }

    /// The simulated instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Whether every guest has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.filling == 0
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Bytes of state for the guests' pages.
    pub fn page_state_bytes(&self) -> u64 {
        self.storage.bytes()
    }

    /// What is seen of the model now.
    pub fn snapshot(&self) -> Snapshot {
        let guests = (0..).zip(&self.guests);
        Snapshot {
            now_ns: self.now.0,
            events: self.events,
            filled: self.filled(),
            storage: self.storage.snapshot(),
            lcu: self.devices.lcu(self.now),
            paging: self.paging_snapshot(),
            minidisks: self.minidisks_snapshot(),
            processors: self.dispatcher.snapshot(),
            prsm: PrsmSnapshot::default(),
            scheduler: SchedulerSnapshot::default(),
            locks: LocksSnapshot::default(),
            guests: guests
                .map(|(index, guest)| {
                    guest.snapshot(self.now, self.storage.virtual_pages(index), self.storage.places(index))
                })
                .collect(),
        }
    }

    fn paging_snapshot(&self) -> PagingSnapshot {
        let mut volumes = self.devices.page_volumes(self.now);
        for (volume, (slots, used)) in volumes.iter_mut().zip(self.paging.slots()) {
            (volume.slots, volume.slots_used) = (slots, used);
        }
        PagingSnapshot { volumes, ios: self.devices.claimant(self.now, Claimant::Paging) }
    }

    fn minidisks_snapshot(&self) -> MinidisksSnapshot {
        MinidisksSnapshot {
            volumes: self.devices.minidisk_volumes(self.now),
            volume_count: self.minidisks.volume_count(),
            ios: self.devices.claimant(self.now, Claimant::Mdisk),
            guest_ios: self.guests.iter().map(|guest| guest.ios).sum(),
            cp_ns: self.minidisk_cp.0,
            mdc: self.minidisks.snapshot(),
        }
    }

    /// Checks the laws that must hold between any two events: frames, exposures and processors are each in one place.
    pub fn verify(&self) {
        self.storage.verify();
        self.devices.verify();
        self.minidisks.verify();
        self.dispatcher.verify();
        let waiting = self.guests.iter().filter(|guest| guest.state() == GuestState::FrameWait).count();
        assert_eq!(waiting, self.frame_waiters.len(), "every guest in frame wait stands in line once");
        let under_way = |kind: fn(&Purpose) -> bool| self.purposes.iter().flatten().filter(|purpose| kind(purpose)).count();
        let in_state = |state| self.guests.iter().filter(|guest| guest.state() == state).count();
        let reads = under_way(|purpose| matches!(purpose, Purpose::Read { .. }));
        assert_eq!(reads, in_state(GuestState::PageWait), "every guest in page wait has one read under way");
        let ios = under_way(|purpose| matches!(purpose, Purpose::Minidisk { .. }));
        assert_eq!(ios, in_state(GuestState::IoWait), "every guest in I/O wait has one I/O under way");
    }

    /// Checks every page and every slot too, which takes a look at each.
    pub fn verify_pages(&self) {
        self.verify();
        assert_eq!(self.storage.verify_pages(), self.paging.used(), "slots in use are those that blocks hold");
        self.paging.verify_slots();
    }

    /// Gives processors to those who wait for one.
    fn dispatch(&mut self) {
        while let Some(Dispatched { processor, task, interrupts }) = self.dispatcher.dispatch() {
            let mut burst = match task {
                Task::Guest(guest) => self.run_guest(guest),
                Task::TakeInterrupt(io) => self.take_interrupt(io),
                Task::EndIo(io) => self.work_for_pages(io),
            };
            let on = &mut self.processors[processor as usize];
            on.generation = on.generation.wrapping_add(1);
            if interrupts {
                self.queue.schedule(self.now + burst.cost.total(), Event::InterruptionEnds { processor });
                on.interruption = burst.cost;
                on.burst.ends += burst.cost.total();
            } else {
                burst.ends = self.now + burst.cost.total();
                on.burst = burst;
            }
            let (at, generation) = (on.burst.ends, on.generation);
            self.queue.schedule(at, Event::BurstEnds { processor, generation });
        }
    }

    fn end_interruption(&mut self, processor: u32) {
        let cost = self.processors[processor as usize].interruption;
        let task = self.dispatcher.release(processor, cost);
        self.end_task(task, Pause::Slice);
    }

    fn end_burst(&mut self, processor: u32) {
        let Burst { cost, pause, .. } = self.processors[processor as usize].burst;
        let task = self.dispatcher.release(processor, cost);
        self.end_task(task, pause);
    }

    fn end_task(&mut self, task: Task, pause: Pause) {
        match task {
            Task::Guest(guest) => self.pause(guest, pause),
            Task::TakeInterrupt(io) => {
                let started = self.devices.release_exposure(self.now, io);
                self.begin(started);
                match self.devices.request(io).0.claimant {
                    Claimant::Mdisk => self.end_io(io),
                    // The rest of the I/O's work, from forming blocks to validating pages, is done in one piece here.
                    Claimant::Paging => self.dispatcher.ready(Task::EndIo(io)),
                }
            }
            Task::EndIo(io) => self.end_io(io),
        }
    }

    fn begin(&mut self, started: Option<Started>) {
        if let Some(Started { io, transfer_at }) = started {
            self.queue.schedule(transfer_at, Event::TransferBegins { io });
        }
    }

    fn announce(&mut self, path: u16, next: Option<NextEnd>) {
        if let Some(NextEnd { at, generation }) = next {
            self.queue.schedule(at, Event::TransferEnds { path, generation });
        }
    }

    fn end_transfer(&mut self, path: u16, ended: Ended) {
        self.announce(path, ended.next_end);
        self.dispatcher.ready(Task::TakeInterrupt(ended.io));
    }

    /// CP is done with an I/O: pages are valid, or frames can be reclaimed.
    fn end_io(&mut self, io: u32) {
        let tag = self.devices.forget(io).tag;
        self.free_purposes.push(tag);
        match self.purposes[tag as usize].take().expect("an I/O ends once") {
            Purpose::Read { guest, read } => {
                let keep = self.paging.free() > self.slots_reserve;
                self.storage.end_read(&read, keep, &mut self.freed);
                self.release_freed();
                self.make_ready(guest);
            }
            Purpose::Write { parts } => {
                parts.iter().for_each(|&part| self.storage.end_write(part));
                self.replenish();
            }
            Purpose::Minidisk { guest, io } => {
                self.minidisks.end_io(guest, &io);
                return self.end_cycle(guest);
            }
        }
        self.serve_frame_waiters();
    }

    fn release_freed(&mut self) {
        for FreedSlots { volume, slot, pages } in self.freed.drain(..) {
            self.paging.release(volume, slot, pages);
        }
    }

    fn keep_purpose(&mut self, purpose: Purpose) -> u32 {
        match self.free_purposes.pop() {
            Some(tag) => {
                self.purposes[tag as usize] = Some(purpose);
                tag
            }
            None => {
                self.purposes.push(Some(purpose));
                self.purposes.len() as u32 - 1
            }
        }
    }
}
