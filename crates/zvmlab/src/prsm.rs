//! PR/SM: which logical processors, of this partition and of others, have a physical processor, and when.
//!
//! A partition's weight is divided among its logical processors. Those that want to run and have no physical processor wait
//! in one queue, ordered by what they have had. A logical processor that keeps a physical one from others is charged that
//! time over its weight; the one with the lowest charge goes next. Time that nobody else wanted is not charged, as it takes
//! nothing from anybody. After a wait, a logical processor starts with at least the lowest charge of the others, so that
//! nobody saves up (start-time fair queueing: Goyal, Vin and Cheng 1996).
//!
//! A logical processor keeps its physical one for a slice, and after that as long as nobody in the queue has a lower charge.
//! One that wakes while all physical processors are taken waits for the end of a slice or for a wait: PR/SM interrupts
//! nobody for it (assumed).
//!
//! A cap of this partition holds its logical processors while they have had all that it gives them, even beside idle physical
//! processors.
//!
//! PR/SM takes time to dispatch a logical processor and to serve its calls, and for nothing else. That this time grows with
//! the number of logical processors and of partitions follows: a partition's work falls into more and shorter pieces, and
//! more logical processors wait at the end of a slice. Left out: contention for PR/SM's own lock (the z10 fault), the
//! refilling of caches, and the choice of the physical processor that a logical one had before.

mod cap;
mod demand;
mod machine;
mod physical;
mod turns;
mod waiting;

use crate::constants::Constants;
use crate::kernel::time::Instant;
use crate::scenario::Scenario;
use crate::snapshot::PrsmSnapshot;
use machine::Machine;

/// What PR/SM answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The logical processor of this partition runs from `at` on: now plus PR/SM's time. Before `at` it loses the physical
    /// processor only if it enters a wait itself.
    Runs { logical: u32, at: Instant },
    /// The logical processor of this partition loses its physical processor now.
    Stops { logical: u32 },
    /// `due` falls due at `at`: the simulation schedules it and hands it back to [`Prsm::fall_due`].
    Announce { at: Instant, due: Due },
}

/// What falls due in PR/SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The slice on the physical processor ends. Void if `generation` says that it ended earlier.
    SliceEnds { physical: u32, generation: u32 },
    /// The cap of this partition no longer holds the logical processor. Void if it entered a wait meanwhile.
    HoldEnds { logical: u32 },
    /// A logical processor of another partition gets work, or finishes it. Its number counts on after those of this
    /// partition.
    OtherChanges { logical: u32 },
}

/// PR/SM, with the physical processors and the logical ones of all partitions. A method that moves a logical processor adds
/// what changes to `changes`, in order.
#[derive(Clone, Debug)]
pub(crate) struct Prsm {
    /// `None` for a dedicated partition: each of its logical processors always runs, so nothing ever changes.
    machine: Option<Machine>,
}

impl Prsm {
    /// PR/SM of the scenario. Every logical processor is in a wait.
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        Prsm { machine: scenario.processors.shared.then(|| Machine::new(scenario, constants, seed)) }
    }

    /// Whether the partition shares physical processors with others.
    pub fn is_shared(&self) -> bool {
        self.machine.is_some()
    }

    /// The run begins: the other partitions begin their work.
    pub fn begin(&mut self, now: Instant, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.begin(now, changes);
        }
    }

    /// Whether the logical processor of this partition has a physical one, as SIGP sense-running tells.
    pub fn runs(&self, logical: u32) -> bool {
        self.machine.as_ref().is_none_or(|machine| machine.runs(logical))
    }

    /// A logical processor of this partition that was in a wait has work.
    pub fn wants(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.wants(now, logical, changes);
        }
    }

    /// A logical processor of this partition loads a wait, or loses its work before it gets to run. It gets no `Stops` for
    /// this: it knows.
    pub fn leaves(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.leaves(now, logical, changes);
        }
    }

    /// A running logical processor of this partition gives up the rest of its slice (Diag X'44') and goes behind those that
    /// wait. If nobody waits, it goes on after PR/SM's time for the call.
    ///
    /// It waits no longer than if it had used up its slice. So one with a large weight does not wait for the whole turn of
    /// one with a small weight.
    pub fn yields(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.yields(now, logical, changes);
        }
    }

    /// A running logical processor of this partition gives its physical processor to another of this partition (Diag X'9C').
    /// If `holder` does not wait for one, this is the same as [`Prsm::yields`].
    pub fn yields_to(&mut self, now: Instant, logical: u32, holder: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.yields_to(now, logical, holder, changes);
        }
    }

    /// What was announced for `now` falls due.
    pub fn fall_due(&mut self, now: Instant, due: Due, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.fall_due(now, due, changes);
        }
    }

    /// A snapshot at `now`; all 0 for a dedicated partition.
    pub fn snapshot(&self, now: Instant) -> PrsmSnapshot {
        self.machine.as_ref().map(|machine| machine.snapshot(now)).unwrap_or_default()
    }

    /// Checks that each logical processor is in one place, that no physical one idles while another waits, and that all
    /// physical time is accounted for.
    pub fn verify(&self) {
        if let Some(machine) = &self.machine {
            machine.verify();
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod laws;
#[cfg(test)]
mod tests;
