//! A volume: its base exposure or its queue depth, and the I/Os that wait for it.

use std::collections::VecDeque;

use super::{CLAIMANTS, Claimant};
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::Instant;
use crate::scenario::DeviceKind;
use crate::snapshot::VolumeSnapshot;

/// One volume.
#[derive(Clone, Debug)]
pub(super) struct Volume {
    pub kind: DeviceKind,
    /// I/Os that it carries at once without an alias: one on the base of an ECKD volume, the queue depth of an EDEV.
    pub own_exposures: u32,
    /// Own exposures that carry an I/O.
    pub own_busy: u32,
    /// I/Os of each claimant that wait for an exposure, first come first served.
    queues: [VecDeque<u32>; 2],
    /// I/Os ended.
    pub starts: u64,
    queued: TimeWeighted,
    in_progress: TimeWeighted,
}

impl Volume {
    pub fn new(kind: DeviceKind, queue_depth: u32) -> Self {
        Volume {
            kind,
            own_exposures: if kind.is_eckd() { 1 } else { queue_depth },
            own_busy: 0,
            queues: Default::default(),
            starts: 0,
            queued: TimeWeighted::default(),
            in_progress: TimeWeighted::default(),
        }
    }

    /// Whether an exposure of its own is idle.
    pub fn own_idle(&self) -> bool {
        self.own_busy < self.own_exposures
    }

    /// I/Os that wait.
    pub fn queue_len(&self) -> u64 {
        self.queues.iter().map(|queue| queue.len() as u64).sum()
    }

    /// `io` of `claimant` waits from `now` on.
    pub fn push(&mut self, now: Instant, claimant: Claimant, io: u32) {
        self.queues[claimant as usize].push_back(io);
        self.queued.set(now, self.queue_len());
    }

    /// The I/O of `claimant` that waits longest.
    pub fn head(&self, claimant: Claimant) -> Option<u32> {
        self.queues[claimant as usize].front().copied()
    }

    /// Takes that I/O off its queue.
    pub fn pop(&mut self, now: Instant, claimant: Claimant) -> Option<u32> {
        let io = self.queues[claimant as usize].pop_front();
        self.queued.set(now, self.queue_len());
        io
    }

    /// The claimants with an I/O that waits here.
    pub fn waiting(&self) -> impl Iterator<Item = Claimant> + '_ {
        CLAIMANTS.into_iter().filter(|&claimant| !self.queues[claimant as usize].is_empty())
    }

    /// Notes how many I/Os are in progress from `now` on: one more or one less.
    pub fn count_in_progress(&mut self, now: Instant, change: i64) {
        self.in_progress.set(now, self.in_progress.value().saturating_add_signed(change));
    }

    pub fn snapshot(&self, now: Instant) -> VolumeSnapshot {
        VolumeSnapshot {
            kind: self.kind,
            slots: 0,
            slots_used: 0,
            queued: self.queue_len() as u32,
            in_progress: self.in_progress.value() as u32,
            starts: self.starts,
            busy_ns: self.in_progress.area_at(now),
            queue_ns: self.queued.area_at(now),
        }
    }
}
