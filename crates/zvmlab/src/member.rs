//! A member of the cluster, or the only host: events happen here, rooms answer, guests go on. Start reading at [`Event`] and
//! [`Member::step`].

mod arbiter;
mod below;
mod contiguous;
mod flashcopy;
mod frames;
mod guest;
mod guests;
mod ios;
mod locking;
mod moving;
mod paging_io;
mod processors;
mod program;
mod release;
mod reorder;
mod requests;
mod scheduling;
mod shown;
mod writes;

use std::collections::VecDeque;

use crate::connections::Connections;
use crate::constants::Constants;
use crate::devices::{Claimant, Devices, Ended, NextEnd, Started};
use crate::dispatcher::{Dispatcher, Task};
use crate::kernel::agenda::Agenda;
use crate::kernel::time::{Instant, Span};
use crate::locks::Locks;
use crate::minidisk::{GuestIo, Minidisks};
use crate::paging::Paging;
use crate::prsm::Due;
use crate::scenario::{Mechanism, Scenario};
use crate::scheduler::Scheduler;
use crate::snapshot::{GuestState, ProcessorsSnapshot, Snapshot};
use crate::storage::{FreedSlots, Storage};
use contiguous::Requests;
use frames::FrameLine;
use guests::Guests;
use ios::{Ios, Purpose};
pub(crate) use moving::Report;
use processors::Processors;
use writes::Writes;

/// Everything that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A processor has done its work, unless the end was put off since it was announced.
    WorkEnds { processor: u32, generation: u32 },
    /// An I/O is through its pending, disconnect and protocol time and begins to transfer on its path.
    TransferBegins { io: u32 },
    /// The next transfer on a path ends, unless the path's load has changed since this was announced.
    TransferEnds { path: u16, generation: u32 },
    /// A virtual CPU's pause is over.
    PauseEnds { cpu: u32, pause: u32 },
    /// A guest may have been idle for long enough to become dormant.
    IdleTested { guest: u32 },
    /// A guest's elapsed slice is over, unless it has left the dispatch list since.
    ElapsedSliceEnds { guest: u32, stay: u32 },
    /// A guest is below its maximum share again, unless it has gone past it since.
    LimitEnds { guest: u32, stay: u32 },
    /// The dispatch list is to be dealt out to the vectors anew.
    ReshuffleDue,
    /// Something is due that PR/SM announced.
    PrsmFallsDue { due: Due },
    /// FlashCopy writes to the minidisk of a guest.
    FlashCopy { guest: u32 },
    /// CP's arbiter looks at the minidisk cache.
    Arbitration,
    /// CP asks for contiguous frames.
    BlockRequested,
    /// CP gives a block of contiguous frames back.
    BlockEnds { block: u32 },
    /// The users of a connection have thought.
    Thought { connection: u32 },
    /// VARY PROCESSOR takes its lock.
    VaryEntered,
    /// VARY PROCESSOR has completed.
    VaryEnds,
}

/// Why a virtual CPU's burst ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pause {
    /// Its minor slice is over.
    #[default]
    Slice,
    /// It cannot go on without frames: for a page on DASD, or for a page that was never touched.
    Frames,
    /// It has reached the end of a cycle, with this I/O.
    Io(GuestIo),
    /// It has reached the end of a cycle without an I/O, or with one that the minidisk cache served.
    Cycle,
    /// It has touched its whole loop and waits for the others to do so.
    Filled,
    /// It needs its guest's page table invalidation lock (PTIL) to go on.
    Ptil,
    /// It has released pages.
    Released,
    /// It asks for a service of CP.
    Service,
    /// CP has done the part of the service for which it holds its lock.
    CpUnlocks,
    /// CP has done the service.
    ServiceDone,
    /// CP has spun for its lock for a while.
    CpSpun,
    /// CP, which was spinning, has been given its lock.
    CpGranted,
    /// It wants its guest's lock.
    Lock,
    /// It is done with what it held the lock for.
    LockDone,
    /// It has spun for the lock for a while.
    GuestSpun,
    /// It has spun for the lock for a while, and CP is done with its Diag X'44'. One event for both, unless `spin_on` parts them.
    SpunAndYielded,
    /// It was spinning, and has been given the lock.
    LockGranted,
    /// CP is done with its Diag X'44': it gives way.
    Yielded,
}

/// The whole model of one host, from a scenario and a seed.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    constants: Constants,
    agenda: Agenda<Event>,
    storage: Storage,
    paging: Paging,
    devices: Devices,
    minidisks: Minidisks,
    scheduler: Scheduler,
    dispatcher: Dispatcher,
    processors: Processors,
    locks: Locks,
    guests: Guests,
    connections: Connections,
    /// What each I/O under way is for.
    ios: Ios,
    /// Who waits for frames.
    frame_line: FrameLine,
    /// Blocks that gather to be written.
    writes: Writes,
    /// CP's requests for contiguous frames.
    requests: Requests,
    /// Pages touched at random, one by one, between events.
    wandered: u64,
    /// CP time of searches that have ended.
    searched: Span,
    /// CP time of demand scan that has ended.
    scanned: Span,
    /// CP time for tracks that FlashCopy invalidated, once it is spent.
    invalidated: Span,
    /// Guests that are to stand still for a reorder, until they do.
    reorders: Vec<u32>,
    /// News for whoever drives the members.
    pub reports: VecDeque<Report>,
}

impl Member {
    /// Member `number`, from 1, or the only host, at the start of its run. `scenario` describes this member and has been
    /// checked; `seed` decides every random choice.
    ///
    /// # Panics
    /// If blocks, visits or channel programs hold no page.
    pub fn new(scenario: &Scenario, number: u32, seed: u64, constants: Constants) -> Self {
        let least = [constants.block_pages, constants.visit_pages, constants.write_pages_max];
        assert!(least.into_iter().all(|count| count > 0), "blocks, visits and channel programs are not empty");
        let is_identity_mapped = scenario.has(Mechanism::IoBelow);
        let constants = constants.at_capacity(scenario.processors.capacity_percent).under_cp(is_identity_mapped);
        let service = if is_identity_mapped { constants.identity_part } else { 1.0 };
        let mut member = Member {
            agenda: Agenda::default(),
            storage: Storage::new(scenario, &constants, number),
            paging: Paging::new(scenario, &constants, seed),
            devices: Devices::new(scenario, &constants, seed),
            minidisks: Minidisks::new(scenario, seed),
            scheduler: Scheduler::new(scenario, &constants),
            dispatcher: Dispatcher::new(scenario),
            processors: Processors::new(scenario, &constants, seed),
            locks: Locks::new(scenario, &constants),
            guests: Guests::new(scenario, number, seed, service),
            connections: Connections::new(scenario, seed),
            ios: Ios::default(),
            frame_line: FrameLine::default(),
            writes: Writes::new(scenario.page_volumes(), constants.write_pages_max),
            requests: Requests::new(scenario, seed),
            wandered: 0,
            searched: Span::ZERO,
            scanned: Span::ZERO,
            invalidated: Span::ZERO,
            reorders: Vec::new(),
            reports: VecDeque::new(),
            constants,
        };
        member.storage.number_frames(scenario, seed);
        member.ask_prsm(|prsm, now, changes| prsm.begin(now, changes));
        member.wake_all();
        member.begin_flashcopies();
        member.arbitrate_later();
        member.request_block_later();
        member.dispatch();
        member
    }

    /// Handles the next event; `false` if there is none.
    pub fn step(&mut self) -> bool {
        let Some(event) = self.agenda.next_event() else { return false };
        let at = self.agenda.now();
        match event {
            Event::WorkEnds { processor, generation } => self.work_ends(processor, generation),
            Event::TransferBegins { io } => {
                let (path, next) = self.devices.begin_transfer(at, io);
                self.announce(path, Some(next));
            }
            Event::TransferEnds { path, generation } => {
                if let Some(ended) = self.devices.end_transfer(at, path, generation) {
                    self.end_transfer(path, ended);
                }
            }
            Event::PauseEnds { cpu, pause } => self.end_pause(cpu, pause),
            Event::IdleTested { guest } => self.idle_tested(guest),
            Event::ElapsedSliceEnds { guest, stay } => self.elapsed_slice_ends(guest, stay),
            Event::LimitEnds { guest, stay } => self.limit_ends(guest, stay),
            Event::ReshuffleDue => self.reshuffle_due(),
            Event::PrsmFallsDue { due } => self.ask_prsm(|prsm, now, changes| prsm.fall_due(now, due, changes)),
            Event::FlashCopy { guest } => self.flashcopy(guest),
            Event::Arbitration => self.arbitrate(),
            Event::BlockRequested => self.request_block(),
            Event::BlockEnds { block } => self.end_block(block),
            Event::Thought { connection } => self.want(connection),
            Event::VaryEntered => self.vary_entered(),
            Event::VaryEnds => self.vary_ends(),
        }
        self.begin_reorders();
        // After the event, as the event may have made a virtual CPU ready or a processor idle.
        self.dispatch();
        // A full check takes long with many virtual CPUs, and then it does not follow every event. Nor does it late in a long run,
        // which goes over the same states again and again: what is wrong in the books mostly stays wrong until the next check.
        let checked_every = || (1 + u64::from(self.guests.cpu_count()) / 16).max(self.agenda.events() >> 13);
        if cfg!(debug_assertions) && self.agenda.events().is_multiple_of(checked_every()) {
            self.verify();
        }
        true
    }

    /// Handles every event that is due up to `until`, but none once the work done reaches `last`. Whether it is `until` then.
    pub fn run_until(&mut self, until: Instant, last: u64) -> bool {
        while self.agenda.next_instant().is_some_and(|at| at <= until) {
            if self.work() >= last {
                return false;
            }
            self.step();
        }
        self.agenda.go_on_to(until);
        true
    }

    /// The simulated instant.
    pub fn now(&self) -> Instant {
        self.agenda.now()
    }

    /// Whether every guest has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.guests.filled()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.agenda.events()
    }

    /// What the run has cost so far, in events: a page touched at random, one by one, costs a quarter of one (chosen; measured, it is
    /// about a third), and so does a frame that is taken or given back by number.
    pub fn work(&self) -> u64 {
        self.agenda.events() + (self.wandered + self.storage.frames_moved()) / 4
    }

    /// Pages that guests touched for the first time.
    pub fn pages_first_touched(&self) -> u64 {
        self.storage.pages_first_touched()
    }

    /// Bytes of state for the guests' pages.
    pub fn page_state_bytes(&self) -> u64 {
        self.storage.bytes()
    }

    /// A snapshot of the model now.
    pub fn snapshot(&self) -> Snapshot {
        let now = self.agenda.now();
        Snapshot {
            now_ns: now.0,
            events: self.agenda.events(),
            filled: self.filled(),
            storage: self.storage_snapshot(),
            lcu: self.devices.lcu(now, &|tag| self.who_waits(tag)),
            paging: self.paging_snapshot(),
            minidisks: self.minidisks_snapshot(),
            processors: ProcessorsSnapshot {
                suspended_ns: self.processors.suspended_ns(now),
                logical: self.logical_snapshot(),
                ..self.dispatcher.snapshot(now, self.processors.under_way(now))
            },
            prsm: self.processors.prsm().snapshot(now),
            scheduler: self.scheduler.snapshot(now),
            locks: self.locks.snapshot(&self.processors.spinning(now)),
            guests: (0..self.guests.count()).map(|guest| self.guest_snapshot(guest)).collect(),
            connections: self.connections.snapshot(now),
            cluster: None,
        }
    }

    /// Checks the laws that must hold between any two events: frames, exposures and processors are each in one place.
    pub fn verify(&self) {
        self.storage.verify();
        self.devices.verify();
        self.minidisks.verify();
        self.verify_cache();
        self.verify_scheduling();
        let waiting = self.guests.in_state(GuestState::FrameWait);
        assert_eq!(waiting, self.frame_line.cpus(), "every virtual CPU in frame wait stands in line once");
        self.connections.verify();
        self.verify_idle();
        self.verify_ptil();
        self.ios.verify(|state| self.guests.in_state(state));
    }

    /// Checks every page and every slot too. That takes a look at each of them.
    pub fn verify_pages(&self) {
        self.verify();
        assert_eq!(self.storage.verify_pages(), self.paging.used(), "slots in use are those that blocks hold");
        self.paging.verify_slots();
    }

    fn end_cp_work(&mut self, task: Task) {
        match task {
            Task::Cpu(_) => unreachable!("a virtual CPU is no work of CP"),
            Task::TakeInterrupt(io) => {
                let started = self.devices.release_exposure(self.agenda.now(), io);
                self.begin(started);
                match self.devices.request(io).0.claimant {
                    Claimant::Mdisk => self.end_io(io),
                    // The rest of the I/O's work, from forming blocks to validating pages, is done in one piece here.
                    Claimant::Paging => self.dispatcher.cp_work(Task::EndIo(io)),
                }
            }
            Task::EndIo(io) => self.end_io(io),
            Task::Relocate { tag, .. } => self.reports.push_back(Report::Done { tag }),
            Task::Reorder { guest, time } => self.end_reorder(guest, time),
            Task::Scan { time } => self.scanned += time,
            Task::Search { time } => self.searched += time,
            Task::Coalesce { time } => self.end_coalescing(time),
            Task::Move { .. } => {}
            Task::Invalidate { guest, time, began } => self.end_invalidation(guest, time, began),
        }
    }

    fn begin(&mut self, started: Option<Started>) {
        if let Some(Started { io, transfer_at }) = started {
            self.agenda.schedule(transfer_at, Event::TransferBegins { io });
        }
    }

    fn announce(&mut self, path: u16, next: Option<NextEnd>) {
        if let Some(NextEnd { at, generation }) = next {
            self.agenda.schedule(at, Event::TransferEnds { path, generation });
        }
    }

    fn end_transfer(&mut self, path: u16, ended: Ended) {
        self.announce(path, ended.next_end);
        self.dispatcher.cp_work(Task::TakeInterrupt(ended.io));
    }

    /// CP is done with an I/O: pages are valid, or frames can be reclaimed.
    fn end_io(&mut self, io: u32) {
        let tag = self.devices.forget(io).tag;
        match self.ios.end(tag) {
            Purpose::Read { waiters, read } => {
                let keep = self.paging.spare() > 0;
                self.storage.end_read(&read, keep, &mut self.writes.freed);
                self.release_freed();
                waiters.into_iter().for_each(|waiter| self.has_read(waiter));
            }
            Purpose::Write { parts } => {
                parts.iter().for_each(|&part| self.storage.end_write(part, &mut self.writes.freed));
                self.release_freed();
                self.replenish();
            }
            Purpose::Migration { pages } => {
                self.storage.end_migration(pages);
                self.replenish();
            }
            Purpose::Minidisk { cpu, io } => {
                self.cache_tracks(cpu, &io);
                return self.end_minidisk_io(cpu);
            }
        }
        self.serve_frame_waiters();
    }

    /// Slots that pages gave up in storage go back to page space.
    #[inline]
    fn give_back_slots(&mut self) {
        if !self.storage.freed.is_empty() || !self.writes.freed.is_empty() {
            self.writes.freed.append(&mut self.storage.freed);
            self.release_freed();
        }
    }

    fn release_freed(&mut self) {
        for FreedSlots { volume, slot, pages } in self.writes.freed.drain(..) {
            self.paging.release(volume, slot, pages);
        }
    }
}
