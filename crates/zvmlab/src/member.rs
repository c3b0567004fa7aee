//! A member of the cluster, or the only host: events happen here, rooms answer, guests go on. Start reading at [`Event`] and
//! [`Member::step`].

mod guest;
mod locking;
mod moving;
mod paging_io;
mod processors;
mod program;
mod scheduling;

use std::collections::VecDeque;

use crate::constants::Constants;
use crate::devices::{Claimant, Devices, Ended, NextEnd, Started};
use crate::dispatcher::{Dispatcher, Task};
use crate::kernel::agenda::Agenda;
use crate::kernel::time::{Instant, Span};
use crate::locks::Locks;
use crate::minidisk::{GuestIo, Minidisks};
use crate::paging::Paging;
use crate::prsm::{Change, Due, Prsm};
use crate::scenario::{Scenario, SpinLock};
use crate::scheduler::Scheduler;
use crate::snapshot::{GuestSnapshot, GuestState, MinidisksSnapshot, PagingSnapshot, ProcessorsSnapshot, Snapshot};
use crate::storage::{FreedSlots, Part, Read, Storage};
use crate::workload::Program;
use guest::{Guest, VirtualCpu};
pub(crate) use moving::Report;
use moving::{Arrivals, FrameWaiter, Reader};
use processors::Processor;

/// Everything that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A processor has done its work, unless the end was put off since it was announced.
    WorkEnds { processor: u32, generation: u32 },
    /// An I/O is through its pending, disconnect and protocol time and begins to transfer on its path.
    TransferBegins { io: u32 },
    /// The next transfer on a path ends, unless the path has changed since this was announced.
    TransferEnds { path: u16, generation: u32 },
    /// A virtual CPU's pause is over.
    PauseEnds { cpu: u32, pause: u32 },
    /// A guest may have wanted nothing for so long that it becomes dormant.
    IdleTested { guest: u32 },
    /// A guest's elapsed slice is over, unless it has left the dispatch list since.
    ElapsedSliceEnds { guest: u32, stay: u32 },
    /// A guest is below its maximum share again, unless it has gone past it since.
    LimitEnds { guest: u32, stay: u32 },
    /// The dispatch list is to be dealt out to the vectors anew.
    ReshuffleDue,
    /// What PR/SM announced.
    PrsmFallsDue { due: Due },
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
    /// It cannot go on without frames, for a page on DASD or for one never touched.
    Frames,
    /// It has come to the end of a cycle with this I/O.
    Io(GuestIo),
    /// It has come to the end of a cycle without an I/O, or with one that the minidisk cache served.
    Cycle,
    /// It has touched its whole loop and waits for the others to do so.
    Filled,
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
    /// It was spinning, and has been given the lock.
    LockGranted,
    /// CP is done with its Diag X'44': it gives way.
    Yielded,
}

/// What an I/O is for.
#[derive(Clone, Debug)]
enum Purpose {
    /// These wait for it, the first for most of its pages.
    Read { waiters: Vec<Reader>, read: Read },
    /// Blocks on their way to DASD.
    Write { parts: Vec<Part> },
    /// `cpu` waits for its guest's minidisk.
    Minidisk { cpu: u32, io: GuestIo },
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
    /// CP time of guests' I/O.
    minidisk_cp: Span,
    scheduler: Scheduler,
    dispatcher: Dispatcher,
    prsm: Prsm,
    locks: Locks,
    guests: Vec<Guest>,
    cpus: Vec<VirtualCpu>,
    processors: Vec<Processor>,
    /// Processors that were left without work in this step, a bit each.
    released: u64,
    /// Virtual CPUs in the limit list that may have what nobody else could use.
    soft: VecDeque<u32>,
    /// Time between reshuffles, and whether one is announced.
    reshuffle: Span,
    reshuffle_announced: bool,
    diag44_fast_path: bool,
    /// How CP waits for its locks.
    spin_lock: SpinLock,
    /// How long after the fill VARY PROCESSOR is entered, and whether it gives its lock back.
    vary_after: Option<Span>,
    vary_fix: bool,
    /// What each I/O is for, by the tag that the paging room knows it by.
    purposes: Vec<Option<Purpose>>,
    free_purposes: Vec<u32>,
    /// Who waits for frames, first come first served.
    frame_waiters: VecDeque<FrameWaiter>,
    /// What has happened that whoever drives the members must hear of.
    pub reports: VecDeque<Report>,
    /// Pages that arrived for guests and wait for frames.
    arrivals: Arrivals,
    /// Reads that relocations have asked for.
    relocation_reads: u32,
    /// Virtual CPUs that have not yet touched their whole loop.
    filling: u32,
    /// Free slots below which a page that was read gives its slot back.
    slots_reserve: u64,
    /// Blocks that wait for the channel program of their volume to be full.
    gathering: Vec<Vec<Part>>,
    /// Kept between uses so that no step allocates without need.
    to_write: Vec<Part>,
    freed: Vec<FreedSlots>,
    changes: Vec<Change>,
}

impl Member {
    /// Member `number`, from 1, or the only host, as `scenario`, which has been checked and is that of this member, describes it, at the start of its run; `seed` decides every random choice.
    ///
    /// # Panics
    /// If blocks, visits or channel programs hold no page.
    pub fn new(scenario: &Scenario, number: u32, seed: u64, constants: Constants) -> Self {
        let least = [constants.block_pages, constants.visit_pages, constants.write_pages_max];
        assert!(least.into_iter().all(|count| count > 0), "blocks, visits and channel programs are not empty");
        let constants = constants.at_capacity(scenario.processors.capacity_percent);
        let slowness = 100.0 / f64::from(scenario.processors.capacity_percent);
        let all = scenario.guests.iter().zip(0..).flat_map(|(group, at)| (1..=group.count).map(move |n| (group, at, n)));
        let mut guests = Vec::new();
        let mut cpus = Vec::new();
        for (group, at, nth) in all {
            let index = guests.len() as u64;
            let programs = (0..group.virtual_cpus).map(|cpu| Program::new(group, index, cpu, seed));
            let away = group.member != number;
            cpus.extend(programs.map(|program| VirtualCpu::new(index as u32, program, away)));
            guests.push(Guest::new(group, at, index, nth, slowness, away));
        }
        let vary_s = scenario.dispatcher.vary_s;
        let vary_after = Span::from_secs(u64::from(scenario.measure.warmup_s) + u64::from(vary_s));
        let dedicated = !scenario.processors.shared;
        let mut member = Member {
            agenda: Agenda::default(),
            storage: Storage::new(scenario, &constants, number),
            paging: Paging::new(scenario, &constants, seed),
            devices: Devices::new(scenario, &constants, seed),
            minidisks: Minidisks::new(scenario, seed),
            minidisk_cp: Span::ZERO,
            scheduler: Scheduler::new(scenario, &constants),
            dispatcher: Dispatcher::new(scenario),
            prsm: Prsm::new(scenario, &constants, seed),
            locks: Locks::new(guests.len()),
            processors: vec![Processor::new(dedicated); scenario.processors.count as usize],
            released: 0,
            soft: VecDeque::new(),
            reshuffle: Span::from_millis(scenario.dispatcher.reshuffle_ms.into()),
            reshuffle_announced: false,
            diag44_fast_path: scenario.dispatcher.diag44_fast_path,
            spin_lock: scenario.dispatcher.spin_lock,
            vary_after: (vary_s > 0).then_some(vary_after),
            vary_fix: scenario.dispatcher.vary_fix,
            purposes: Vec::new(),
            free_purposes: Vec::new(),
            frame_waiters: VecDeque::new(),
            reports: VecDeque::new(),
            arrivals: Arrivals::default(),
            relocation_reads: 0,
            filling: cpus.iter().filter(|cpu| cpu.state() != GuestState::Away).count() as u32,
            slots_reserve: constants.page_space_reserve(scenario.guest_frames(&constants)),
            guests,
            cpus,
            gathering: vec![Vec::new(); scenario.page_volumes() as usize],
            to_write: Vec::new(),
            freed: Vec::new(),
            changes: Vec::new(),
            constants,
        };
        member.ask_prsm(|prsm, now, changes| prsm.begin(now, changes));
        member.wake_all();
        member.dispatch();
        member
    }

    /// Lets the next event happen; `false` where there is none.
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
            Event::VaryEntered => self.vary_entered(),
            Event::VaryEnds => self.vary_ends(),
        }
        // After the event, since whatever happened may have made somebody ready or a processor idle.
        self.dispatch();
        // A look at everything takes long where there are many virtual CPUs: then not after every event.
        if cfg!(debug_assertions) && self.agenda.events().is_multiple_of(1 + self.cpus.len() as u64 / 16) {
            self.verify();
        }
        true
    }

    /// Lets everything happen that falls due up to `until`; then it is `until`.
    pub fn run_until(&mut self, until: Instant) {
        while self.agenda.next_instant().is_some_and(|at| at <= until) {
            self.step();
        }
        self.agenda.go_on_to(until);
    }

    /// The simulated instant.
    pub fn now(&self) -> Instant {
        self.agenda.now()
    }

    /// Whether every guest has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.filling == 0
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.agenda.events()
    }

    /// Bytes of state for the guests' pages.
    pub fn page_state_bytes(&self) -> u64 {
        self.storage.bytes()
    }

    /// What is seen of the model now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            now_ns: self.agenda.now().0,
            events: self.agenda.events(),
            filled: self.filled(),
            storage: self.storage.snapshot(),
            lcu: self.devices.lcu(self.agenda.now()),
            paging: self.paging_snapshot(),
            minidisks: self.minidisks_snapshot(),
            processors: ProcessorsSnapshot {
                suspended_ns: self.suspended_ns(),
                logical: self.logical_snapshot(),
                ..self.dispatcher.snapshot(self.agenda.now())
            },
            prsm: self.prsm.snapshot(self.agenda.now()),
            scheduler: self.scheduler.snapshot(self.agenda.now()),
            locks: self.locks.snapshot(),
            guests: (0..self.guests.len() as u32).map(|guest| self.guest_snapshot(guest)).collect(),
            cluster: None,
        }
    }

    fn guest_snapshot(&self, index: u32) -> GuestSnapshot {
        let (list, since, barrier, working_set_pages, share_ppm) = self.scheduler.place(index);
        let range = self.scheduler.cpus_of(index);
        let cpus = &self.cpus[range.start as usize..range.end as usize];
        let (pages, places) = (self.storage.virtual_pages(index), self.storage.places(index));
        GuestSnapshot {
            list,
            list_since_ns: since.0,
            barrier,
            working_set_pages,
            share_ppm,
            ..self.guests[index as usize].snapshot(self.agenda.now(), cpus, pages, places)
        }
    }

    fn paging_snapshot(&self) -> PagingSnapshot {
        let mut volumes = self.devices.page_volumes(self.agenda.now());
        for (volume, (slots, used)) in volumes.iter_mut().zip(self.paging.slots()) {
            (volume.slots, volume.slots_used) = (slots, used);
        }
        PagingSnapshot { volumes, ios: self.devices.claimant(self.agenda.now(), Claimant::Paging) }
    }

    fn minidisks_snapshot(&self) -> MinidisksSnapshot {
        MinidisksSnapshot {
            volumes: self.devices.minidisk_volumes(self.agenda.now()),
            volume_count: self.minidisks.volume_count(),
            ios: self.devices.claimant(self.agenda.now(), Claimant::Mdisk),
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
        self.prsm.verify();
        self.verify_scheduling();
        let waiting = self.cpus.iter().filter(|cpu| cpu.state() == GuestState::FrameWait).count();
        let in_line = self.frame_waiters.iter().filter(|waiter| matches!(waiter, FrameWaiter::Cpu(_))).count();
        assert_eq!(waiting, in_line, "every virtual CPU in frame wait stands in line once");
        let waited_for = |kind: &dyn Fn(&Purpose) -> usize| self.purposes.iter().flatten().map(kind).sum::<usize>();
        let in_state = |state| self.cpus.iter().filter(|cpu| cpu.state() == state).count();
        let cpus = |waiters: &[Reader]| waiters.iter().filter(|waiter| matches!(waiter, Reader::Cpu(_))).count();
        let for_pages =
            waited_for(&|purpose: &Purpose| if let Purpose::Read { waiters, .. } = purpose { cpus(waiters) } else { 0 });
        assert_eq!(for_pages, in_state(GuestState::PageWait), "every virtual CPU in page wait waits for one read");
        let for_ios = waited_for(&|purpose| usize::from(matches!(purpose, Purpose::Minidisk { .. })));
        assert_eq!(for_ios, in_state(GuestState::IoWait), "every virtual CPU in I/O wait has one I/O under way");
    }

    /// Checks every page and every slot too, which takes a look at each.
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
        self.free_purposes.push(tag);
        match self.purposes[tag as usize].take().expect("an I/O ends once") {
            Purpose::Read { waiters, read } => {
                let keep = self.paging.free() > self.slots_reserve;
                self.storage.end_read(&read, keep, &mut self.freed);
                self.release_freed();
                waiters.into_iter().for_each(|waiter| self.has_read(waiter));
            }
            Purpose::Write { parts } => {
                parts.iter().for_each(|&part| self.storage.end_write(part, &mut self.freed));
                self.release_freed();
                self.replenish();
            }
            Purpose::Minidisk { cpu, io } => {
                self.minidisks.end_io(self.cpus[cpu as usize].guest, &io);
                return self.end_minidisk_io(cpu);
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
