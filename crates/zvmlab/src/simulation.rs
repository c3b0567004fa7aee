//! The simulation: events happen here, rooms answer, guests go on. Start reading at [`Event`] and [`Simulation::step`].

mod guest;

use std::collections::VecDeque;

use crate::constants::Constants;
use crate::dispatcher::{Cost, Dispatched, Dispatcher, Task};
use crate::kernel::queue::EventQueue;
use crate::kernel::time::{Instant, Span};
use crate::paging::{Direction, Ended, NextEnd, Paging, Started};
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::{GuestState, Snapshot};
use crate::storage::{FreedSlots, Part, Read, Stop, Storage, Touched};
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
}

/// What a processor was given to do and what comes of it when it is done.
#[derive(Clone, Copy, Debug, Default)]
struct Burst {
    cost: Cost,
    /// Why the guest's walk stopped; the page that it stopped at is its next one.
    stop: Stop,
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
    /// If there is no path, or if blocks, visits or channel programs hold no page.
    pub fn with_constants(scenario: &Scenario, seed: u64, constants: Constants) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let least = [constants.paths, constants.block_pages, constants.visit_pages, constants.write_pages_max];
        assert!(least.into_iter().all(|count| count > 0), "paths, blocks, visits and channel programs are not empty");
        let members = scenario.guests.iter().flat_map(|group| (1..=group.count).map(move |number| (group, number)));
        let guests: Vec<Guest> =
            members.enumerate().map(|(index, (group, number))| Guest::new(group, index as u64, number)).collect();
        let mut simulation = Simulation {
            now: Instant::ZERO,
            events: 0,
            queue: EventQueue::new(),
            storage: Storage::new(scenario, &constants),
            paging: Paging::new(scenario, &constants, seed),
            dispatcher: Dispatcher::new(scenario.processors.count),
            processors: vec![Processor::default(); scenario.processors.count as usize],
            purposes: Vec::new(),
            free_purposes: Vec::new(),
            frame_waiters: VecDeque::new(),
            filling: guests.len() as u32,
            slots_reserve: constants.page_space_reserve(constants.pageable_frames(scenario.installed_frames())),
            guests,
            gathering: vec![Vec::new(); scenario.paging.volumes as usize],
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
                let (path, next) = self.paging.begin_transfer(at, io);
                self.announce(path, Some(next));
            }
            Event::TransferEnds { path, generation } => {
                if let Some(ended) = self.paging.end_transfer(at, path, generation) {
                    self.end_transfer(path, ended);
                }
            }
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
            paging: self.paging.snapshot(self.now),
            processors: self.dispatcher.snapshot(),
            guests: guests
                .map(|(index, guest)| {
                    guest.snapshot(self.now, self.storage.virtual_pages(index), self.storage.places(index))
                })
                .collect(),
        }
    }

    /// Checks the laws that must hold between any two events: frames, exposures and processors are each in one place.
    pub fn verify(&self) {
        self.storage.verify();
        self.paging.verify();
        self.dispatcher.verify();
        let waiting = self.guests.iter().filter(|guest| guest.state() == GuestState::FrameWait).count();
        assert_eq!(waiting, self.frame_waiters.len(), "every guest in frame wait stands in line once");
        let reads = self.purposes.iter().flatten().filter(|purpose| matches!(purpose, Purpose::Read { .. })).count();
        let faulting = self.guests.iter().filter(|guest| guest.state() == GuestState::PageWait).count();
        assert_eq!(reads, faulting, "every guest in page wait has one read under way");
    }

    /// Checks every page and every slot too, which takes a look at each.
    pub fn verify_pages(&self) {
        self.verify();
        assert_eq!(self.storage.verify_pages(), self.paging.used_slots(), "slots in use are those that blocks hold");
        self.paging.verify_slots();
    }

    /// Gives processors to those who wait for one.
    fn dispatch(&mut self) {
        while let Some(Dispatched { processor, task, interrupts }) = self.dispatcher.dispatch() {
            let mut burst = match task {
                Task::Guest(guest) => self.run_guest(guest),
                Task::TakeInterrupt(_) => nonchargeable(self.constants.start_ns),
                Task::EndIo(io) => nonchargeable(self.constants.page_ns * f64::from(self.paging.io(io).pages)),
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

    /// A guest runs until it faults or its slice is over. Its touches are made at the beginning of the burst, so that a page
    /// which is valid now is not stolen in the microseconds before the guest comes to it.
    fn run_guest(&mut self, index: u32) -> Burst {
        self.guests[index as usize].enter(self.now, GuestState::Running);
        let constants = &self.constants;
        let slice_pages = ((constants.slice_ns / constants.touch_ns) as u64).max(1);
        // Nobody takes a frame past those who stand in line for one.
        let frames = if self.frame_waiters.is_empty() { u64::MAX } else { 0 };
        let granted = std::mem::take(&mut self.guests[index as usize].granted);
        let touched = granted.then(self.touch(index, slice_pages, frames));
        let constants = &self.constants;
        let fault_ns = if touched.stop == Stop::Fault { constants.fault_ns } else { 0.0 };
        let chargeable =
            fault_ns + touched.first as f64 * constants.clear_ns + touched.revalidated as f64 * constants.revalidate_ns;
        let cost = Cost {
            guest: Span::from_ns_f64(touched.pages as f64 * constants.touch_ns),
            chargeable: Span::from_ns_f64(chargeable),
            nonchargeable: Span::ZERO,
        };
        self.replenish();
        Burst { cost, stop: touched.stop, ends: self.now }
    }

    /// `index` goes on with its walk by up to `limit` pages and takes up to `frames` frames for pages never touched before.
    fn touch(&mut self, index: u32, limit: u64, frames: u64) -> Touched {
        let guest = &mut self.guests[index as usize];
        let (change, was_round) = (guest.change(), guest.walk.went_round());
        let limit = limit.min(guest.walk.to_end());
        let touched = self.storage.touch(index, guest.walk.page(), limit, frames, |word| change.mask(word));
        guest.walk.advance(touched.pages);
        if guest.walk.went_round() && !was_round {
            self.filling -= 1;
        }
        touched
    }

    fn end_interruption(&mut self, processor: u32) {
        let cost = self.processors[processor as usize].interruption;
        let task = self.dispatcher.release(processor, cost);
        self.end_task(task, Stop::Limit);
    }

    fn end_burst(&mut self, processor: u32) {
        let Burst { cost, stop, .. } = self.processors[processor as usize].burst;
        let task = self.dispatcher.release(processor, cost);
        self.end_task(task, stop);
    }

    fn end_task(&mut self, task: Task, stop: Stop) {
        match (task, stop) {
            (Task::Guest(guest), Stop::Limit) => self.make_ready(guest),
            (Task::Guest(guest), Stop::Fault | Stop::NoFrame) => self.want_frames(guest),
            (Task::TakeInterrupt(io), _) => {
                let started = self.paging.release_exposure(self.now, io);
                self.begin(started);
                // The rest of the I/O's work, from forming blocks to validating pages, is done in one piece here.
                self.dispatcher.ready(Task::EndIo(io));
            }
            (Task::EndIo(io), _) => self.end_io(io),
        }
    }

    fn make_ready(&mut self, guest: u32) {
        self.guests[guest as usize].enter(self.now, GuestState::Ready);
        self.dispatcher.ready(Task::Guest(guest));
    }

    /// A guest cannot go on without frames: it stands in line for them.
    fn want_frames(&mut self, guest: u32) {
        self.guests[guest as usize].enter(self.now, GuestState::FrameWait);
        self.frame_waiters.push_back(guest);
        self.serve_frame_waiters();
    }

    /// Gives frames to those who wait, in their order, as long as there are enough for the first. Who touches pages for the
    /// first time gets those of one word at a time.
    fn serve_frame_waiters(&mut self) {
        while let Some(&guest) = self.frame_waiters.front() {
            let page = self.guests[guest as usize].walk.page();
            let read = self.storage.plan_read(guest, page);
            let wanted = u64::from(read.as_ref().map_or(1, Read::pages));
            if self.storage.available() < wanted {
                self.replenish();
            }
            if self.storage.available() < wanted {
                return; // Writes are under way whose end brings frames and comes here again.
            }
            self.frame_waiters.pop_front();
            match read {
                Some(read) => self.begin_read(guest, read),
                None => {
                    let granted = self.touch(guest, 64, 64);
                    self.guests[guest as usize].granted = granted;
                    self.make_ready(guest);
                }
            }
            self.replenish();
        }
    }

    fn begin_read(&mut self, guest: u32, read: Read) {
        self.guests[guest as usize].enter(self.now, GuestState::PageWait);
        self.storage.begin_read(&read);
        let (volume, pages) = (read.volume, read.pages());
        let tag = self.keep_purpose(Purpose::Read { guest, read });
        // Blocks that are read together count as one block, as the published read blocking does.
        let started = self.paging.submit(self.now, Direction::Read, tag, volume, 1, pages);
        self.begin(started);
    }

    /// Replenishes the available list if it is low, and writes the blocks that this brings up. They gather until a channel
    /// program is full, unless frames are waited for.
    fn replenish(&mut self) {
        let mut parts = std::mem::take(&mut self.to_write);
        let urgent = self.storage.replenish(&mut parts);
        for part in parts.drain(..) {
            self.assign_slots(part);
        }
        self.to_write = parts;
        if urgent {
            (0..self.paging.volume_count()).for_each(|volume| self.start_write(volume));
        }
    }

    /// Chooses a volume and slots for a block, or for pieces of it where no run of free slots is long enough, and puts it in
    /// the channel program that gathers for the volume.
    fn assign_slots(&mut self, part: Part) {
        let mut left = part;
        while left.mask != 0 {
            let volume = self.paging.choose_volume(left.pages());
            let Some((slot, count)) = self.paging.allocate_slots(volume, left.pages()) else {
                return self.storage.end_write(left);
            };
            let piece = left.first(count);
            self.storage.begin_write(piece, volume, slot, &mut self.freed);
            self.release_freed();
            if pages_of(&self.gathering[volume as usize]) + count > self.constants.write_pages_max {
                self.start_write(volume);
            }
            self.gathering[volume as usize].push(piece);
            left.mask &= !piece.mask;
        }
    }

    /// Starts the channel program that has gathered for `volume`.
    fn start_write(&mut self, volume: u16) {
        let parts = std::mem::take(&mut self.gathering[volume as usize]);
        if parts.is_empty() {
            return;
        }
        let (blocks, pages) = (parts.len() as u32, pages_of(&parts));
        let tag = self.keep_purpose(Purpose::Write { parts });
        let started = self.paging.submit(self.now, Direction::Write, tag, volume, blocks, pages);
        self.begin(started);
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
        let tag = self.paging.forget(io).tag;
        self.free_purposes.push(tag);
        match self.purposes[tag as usize].take().expect("an I/O ends once") {
            Purpose::Read { guest, read } => {
                let keep = self.paging.free_slots() > self.slots_reserve;
                self.storage.end_read(&read, keep, &mut self.freed);
                self.release_freed();
                self.make_ready(guest);
            }
            Purpose::Write { parts } => {
                parts.iter().for_each(|&part| self.storage.end_write(part));
                self.replenish();
            }
        }
        self.serve_frame_waiters();
    }

    fn release_freed(&mut self) {
        for FreedSlots { volume, slot, pages } in self.freed.drain(..) {
            self.paging.release_slots(volume, slot, pages);
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

fn nonchargeable(ns: f64) -> Burst {
    Burst { cost: Cost { nonchargeable: Span::from_ns_f64(ns), ..Cost::default() }, ..Burst::default() }
}

fn pages_of(parts: &[Part]) -> u32 {
    parts.iter().map(|part| part.pages()).sum()
}
