//! Who waits for frames at a member, and pages that have arrived for its guests and wait for frames.

use std::collections::{BTreeMap, VecDeque};

use crate::minidisk::GuestIo;
use crate::storage::Part;

/// Who waits for frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameWaiter {
    /// A virtual CPU.
    Cpu(u32),
    /// A relocation that needs a page of a guest read.
    Read { tag: u32, guest: u32, page: u64 },
    /// Pages that have arrived for a guest.
    Store { tag: u32 },
}

/// What CP does with pages of a guest, which on z/VM 5.1 have to be below 2 GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForCp {
    /// An I/O of the guest to its minidisk.
    Io(GuestIo),
    /// A service that its program asks for.
    Service,
}

impl ForCp {
    /// To how many pages.
    pub fn pages(self) -> u64 {
        match self {
            ForCp::Io(io) => io.records.into(),
            ForCp::Service => 1,
        }
    }
}

/// Pages on their way into frames.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub parts: Vec<Part>,
    /// How many of the parts are stored already.
    pub stored: usize,
    /// Versions of the pages, where contents are watched.
    pub contents: Vec<Vec<u32>>,
}

/// Those who wait for frames, first come first served.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameLine {
    waiters: VecDeque<FrameWaiter>,
    /// Pages that have arrived and wait for frames, by their tag.
    arrivals: BTreeMap<u32, Arrival>,
    /// Virtual CPUs that wait for frames below 2 GB, and what for. They have a line of their own: whoever wants any frame need not wait
    /// for them.
    below: VecDeque<(u32, ForCp)>,
}

impl FrameLine {
    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }

    /// Who has waited longest.
    pub fn first(&self) -> Option<FrameWaiter> {
        self.waiters.front().copied()
    }

    /// The first in line has its frames and leaves.
    pub fn leave(&mut self) {
        self.waiters.pop_front();
    }

    /// `waiter` joins the end of the line.
    pub fn join(&mut self, waiter: FrameWaiter) {
        self.waiters.push_back(waiter);
    }

    /// Keeps pages that have arrived and are not all stored yet.
    pub fn keep(&mut self, tag: u32, arrival: Arrival) {
        self.arrivals.insert(tag, arrival);
    }

    /// The pages that arrived with `tag`, unless they were forgotten.
    pub fn take(&mut self, tag: u32) -> Option<Arrival> {
        self.arrivals.remove(&tag)
    }

    /// Drops what arrived with these tags: it is not stored any more.
    pub fn forget(&mut self, forgotten: &dyn Fn(u32) -> bool) {
        self.arrivals.retain(|&tag, _| !forgotten(tag));
        self.waiters.retain(|waiter| !matches!(*waiter, FrameWaiter::Store { tag } if forgotten(tag)));
    }

    /// Whether a relocation has asked for a page of `guest`.
    pub fn asks_for(&self, guest: u32) -> bool {
        self.waiters.iter().any(|waiter| matches!(*waiter, FrameWaiter::Read { guest: of, .. } if of == guest))
    }

    /// Virtual CPUs that wait.
    pub fn cpus(&self) -> usize {
        self.waiters.iter().filter(|waiter| matches!(waiter, FrameWaiter::Cpu(_))).count() + self.below.len()
    }

    /// A virtual CPU that needs frames below 2 GB joins the end of their line.
    pub fn join_below(&mut self, cpu: u32, what: ForCp) {
        self.below.push_back((cpu, what));
    }

    /// Who has waited longest for frames below 2 GB.
    pub fn first_below(&self) -> Option<(u32, ForCp)> {
        self.below.front().copied()
    }

    /// The first in line for frames below 2 GB has them and leaves.
    pub fn leave_below(&mut self) {
        self.below.pop_front();
    }
}
