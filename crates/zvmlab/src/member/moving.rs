//! What a member does for relocations: it stops and starts guests, lets them go and takes them in, collects their pages, and
//! stores pages that arrive.

use super::frames::{Arrival, FrameWaiter};
use super::{Event, Member, guest};
use crate::devices::Claimant;
use crate::dispatcher::Task;
use crate::kernel::time::{Instant, Span};
use crate::locks::SpinLock;
use crate::snapshot::{GuestState, Why};
use crate::storage::{Collected, Part, Storage};

/// Who waits for a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// A virtual CPU.
    Cpu(u32),
    /// A relocation that has to send pages which are on DASD; `pages` is how many of them this read brings.
    Relocation { tag: u32, pages: u32 },
}

/// Something that a relocation waits for has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// A piece of CP's work is done.
    Done { tag: u32 },
    /// A requested page is in a frame; the read brought `pages` pages for the relocation.
    Read { tag: u32, pages: u32 },
    /// Pages that arrived are stored.
    Stored { tag: u32 },
    /// A guest that was to be stopped has stopped.
    Stopped { guest: u32 },
}

/// A guest on its way from one member to another, without its storage.
#[derive(Clone, Debug)]
pub(crate) struct Traveller {
    cpus: Vec<guest::Traveller>,
    lock: SpinLock,
}

impl Member {
    /// Whether `guest` is logged on here.
    pub fn has(&self, guest: u32) -> bool {
        !self.guests.guest(guest).away
    }

    /// Stops a guest. A virtual CPU that runs finishes its burst; I/O and services under way finish too. When all of its
    /// virtual CPUs are stopped or idle, the member reports it.
    pub fn stop_guest(&mut self, guest: u32) {
        self.guests.guest_mut(guest).stopping = true;
        if self.guests.guest(guest).reordering {
            return; // It stands still, or is about to. It stays so when the reorder ends.
        }
        let waiting: Vec<u32> = self
            .scheduler
            .cpus_of(guest)
            .filter(|&cpu| {
                matches!(self.guests.cpu(cpu).state(), GuestState::Ready | GuestState::Eligible | GuestState::LimitList)
            })
            .collect();
        self.withdraw(guest, GuestState::Stopped);
        waiting.into_iter().for_each(|cpu| self.halt(cpu));
        self.report_stopped(guest);
    }

    /// A virtual CPU wants to run but stands still, as its guest does.
    pub(super) fn halt(&mut self, cpu: u32) {
        let state = self.guests.of(cpu).held_in().unwrap_or(GuestState::Stopped);
        self.sleep(cpu, state);
        self.report_stopped(self.guests.cpu(cpu).guest);
    }

    /// A virtual CPU's pause is over, but it stands still, as its guest does.
    pub(super) fn stay_stopped(&mut self, cpu: u32) {
        let state = self.guests.of(cpu).held_in().unwrap_or(GuestState::Stopped);
        self.guests.enter(self.agenda.now(), cpu, state);
    }

    /// Reports a guest that was to be stopped, once it has stopped.
    pub(super) fn report_stopped(&mut self, guest: u32) {
        if self.guests.guest(guest).stopping && self.stands_still(guest) {
            self.become_dormant(guest, Why::Stopped);
            self.reports.push_back(Report::Stopped { guest });
        }
    }

    /// For how long the virtual CPUs of a guest, all together, could have run so far but did not.
    pub fn steal(&self, guest: u32) -> Span {
        let burst = |processor, cpu| self.processors.burst(self.agenda.now(), processor, cpu);
        let seen = self.guests.snapshot(self.agenda.now(), guest, &burst);
        Span(seen.ready_ns + seen.interrupted_ns)
    }

    /// Whether each of a guest's virtual CPUs is stopped or idle.
    pub fn stands_still(&self, guest: u32) -> bool {
        self.guests.stands_still(guest)
    }

    /// A guest that was stopped goes on here.
    pub fn start_guest(&mut self, guest: u32) {
        self.guests.guest_mut(guest).stopping = false;
        for cpu in self.guests.cpus_of(guest) {
            if self.guests.cpu(cpu).state() == GuestState::Stopped {
                self.wake(cpu);
            }
        }
    }

    /// A stopped guest leaves; its storage stays until it is [released](Self::release_storage).
    pub fn let_go(&mut self, guest: u32) -> Traveller {
        assert!(self.stands_still(guest), "only a stopped guest leaves");
        let lock = std::mem::take(&mut self.locks.guests[guest as usize]);
        self.become_dormant(guest, Why::Stopped);
        Traveller { cpus: self.guests.let_go(self.agenda.now(), guest), lock }
    }

    /// A guest arrives and goes on here.
    pub fn take_in(&mut self, guest: u32, traveller: Traveller) {
        self.guests.guest_mut(guest).away = false;
        self.locks.guests[guest as usize] = traveller.lock;
        for (cpu, came) in self.guests.cpus_of(guest).zip(traveller.cpus) {
            let here = self.guests.cpu_mut(cpu);
            let pause_ends = here.arrive(self.agenda.now(), came);
            let pause = here.pauses;
            match pause_ends {
                Some(at) => self.agenda.schedule(at.max(self.agenda.now()), Event::PauseEnds { cpu, pause }),
                None => self.wake(cpu),
            }
        }
    }

    /// Gives CP a piece of work of `ns`, for a relocation or for the cluster. The member reports its end with `tag`.
    pub fn work_for(&mut self, tag: u32, ns: f64) {
        self.dispatcher.cp_work(Task::Relocate { tag, time: Span::from_ns_f64(ns) });
    }

    /// A relocation needs a page of a guest that is on DASD. It waits in line for frames and then for the read, or joins a
    /// read that is under way.
    pub fn read_for(&mut self, tag: u32, guest: u32, page: u64) {
        self.ios.for_relocations += 1;
        if !self.join_read(guest, page, Reader::Relocation { tag, pages: 0 }) {
            self.frame_line.join(FrameWaiter::Read { tag, guest, page });
            self.serve_frame_waiters();
        }
    }

    /// Whoever waited for a read goes on.
    pub(super) fn has_read(&mut self, reader: Reader) {
        match reader {
            Reader::Cpu(cpu) => self.make_ready(cpu),
            Reader::Relocation { tag, pages } => {
                self.ios.for_relocations -= 1;
                self.reports.push_back(Report::Read { tag, pages });
            }
        }
    }

    /// Pages arrive and wait in line for frames. When all are stored, the member reports it with `tag`.
    pub fn store(&mut self, tag: u32, parts: Vec<Part>, contents: Vec<Vec<u32>>) {
        self.frame_line.keep(tag, Arrival { parts, stored: 0, contents });
        if !self.frame_line.is_empty() || !self.store_on(tag) {
            self.frame_line.join(FrameWaiter::Store { tag });
            self.serve_frame_waiters();
        }
        self.replenish();
    }

    /// Stores as much of an arrival as there are frames for. Returns whether that is all of it.
    pub(super) fn store_on(&mut self, tag: u32) -> bool {
        let Some(mut arrival) = self.frame_line.take(tag) else { return true };
        while let Some(&part) = arrival.parts.get(arrival.stored) {
            let mut stored = self.storage.store(part, &mut self.writes.freed);
            if !stored {
                self.replenish();
                stored = self.storage.store(part, &mut self.writes.freed);
            }
            if !stored {
                self.frame_line.keep(tag, arrival);
                return false; // The end of a write under way brings frames and calls this again.
            }
            if let Some(versions) = arrival.contents.get(arrival.stored) {
                self.storage.store_contents(part, versions);
            }
            arrival.stored += 1;
            self.release_freed();
        }
        self.reports.push_back(Report::Stored { tag });
        true
    }

    /// Forgets what arrived with these tags: the rest is not stored, and nothing of it is reported any more.
    pub fn forget_arrivals(&mut self, forgotten: &dyn Fn(u32) -> bool) {
        self.frame_line.forget(forgotten);
        self.reports.retain(|report| !matches!(*report, Report::Stored { tag } if forgotten(tag)));
        self.serve_frame_waiters();
    }

    /// Continues a pass through a guest's storage.
    pub fn collect(&mut self, guest: u32, from: u32, first_pass: bool, parts: &mut Vec<Part>) -> Collected {
        let (limit, segments) = (self.constants.message_pages, self.constants.walk_segments as u32);
        self.storage.collect(guest, from, first_pass, limit, segments, parts)
    }

    /// The guests' storage, to read.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The same, to note changes and build skeletons.
    pub fn storage_mut(&mut self) -> &mut Storage {
        &mut self.storage
    }

    /// A guest's pages are no longer wanted here. Pages that wait for a channel program are not written: if nobody else
    /// pages, it would never become full.
    pub fn release_storage(&mut self, guest: u32) {
        for part in self.writes.withdraw(guest) {
            self.storage.end_write(part, &mut self.writes.freed);
        }
        self.storage.release(guest, &mut self.writes.freed);
        self.release_freed();
        self.serve_frame_waiters();
    }

    /// Whether a read for a guest is under way or requested.
    pub fn reads(&self, guest: u32) -> bool {
        let [_, _, reading, _] = self.storage.places(guest);
        reading > 0 || self.frame_line.asks_for(guest)
    }

    /// The page behind the last one that a read of `page` brings in.
    pub fn block_end(&self, guest: u32, page: u64) -> u64 {
        let read = self.storage.plan_read(guest, page);
        let last = read.and_then(|read| read.parts.last().copied());
        last.map_or(page + 1, |part| u64::from(part.word) * 64 + 64 - u64::from(part.mask.leading_zeros()))
    }

    /// Guests that are logged on here.
    pub fn guest_count(&self) -> u32 {
        self.guests.here()
    }

    /// Gives processors to the work that others have brought to this member.
    pub fn settle(&mut self) {
        self.dispatch();
    }

    /// Paging I/Os that wait, for each paging volume. As many as relocations have asked for are left out.
    pub fn paging_queue(&self) -> f64 {
        let waiting = self.devices.waiting(Claimant::Paging).saturating_sub(self.ios.for_relocations.into());
        waiting as f64 / f64::from(self.paging.volume_count())
    }

    /// For how many pages there is room: frames on the available list, expanded storage, and page space beyond what CP needs to page
    /// at all.
    pub fn room(&self) -> u64 {
        self.storage.available() + self.storage.expanded_room() + self.paging.spare()
    }

    /// Goes on to `now` without an event.
    pub fn set_now(&mut self, now: Instant) {
        self.agenda.go_on_to(now);
    }

    /// When the next event falls due.
    pub fn next_instant(&self) -> Option<Instant> {
        self.agenda.next_instant()
    }
}
