//! PR/SM: which logical processors, of this partition and of others, have a physical processor, and when.
//!
//! The weight of a partition is divided among its logical processors. Those that want to run and have no physical processor
//! wait in one queue, in the order of what they have had: a logical processor that keeps a physical one from others is charged
//! that time over its weight, and the one that was charged least goes next. What nobody else wanted is not charged, as it takes
//! nothing from anybody. Who comes back from a wait is taken to have been charged as much as whoever of the others was charged
//! least, so that nobody saves up (start-time fair queueing: Goyal, Vin and Cheng 1996).
//!
//! A logical processor keeps its physical one for a slice, and then as long as nobody who waits was charged less. One that
//! wakes while all physical processors are taken waits for the end of a slice or for a wait: PR/SM interrupts nobody for it (assumed).
//!
//! PR/SM's own time goes to the dispatch of a logical processor and to its calls, and nothing else. That it grows with the
//! number of logical processors and of partitions follows: the work of a partition falls into more and shorter pieces, and
//! more of them wait at the end of a slice. Left out: that PR/SM's processors hold up each other on its lock (the z10 fault), caches
//! that have to be filled anew, the choice of the physical processor that a logical one had before, and caps.

mod demand;
mod machine;
mod physical;
mod waiting;

use crate::constants::Constants;
use crate::kernel::time::Instant;
use crate::scenario::Scenario;
use crate::snapshot::PrsmSnapshot;
use machine::Machine;

/// What PR/SM answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The logical processor of this partition runs from `at` on: now and PR/SM's time. Before `at` only a wait of its own
    /// takes the physical processor from it again.
    Runs { logical: u32, at: Instant },
    /// The logical processor of this partition loses its physical processor now.
    Stops { logical: u32 },
    /// `due` falls due at `at`: the simulation schedules it and hands it back to [`Prsm::fall_due`].
    Announce { at: Instant, due: Due },
}

/// What falls due in PR/SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The slice of whoever has the physical processor ends, unless `generation` says that it ended before its time.
    SliceEnds { physical: u32, generation: u32 },
    /// A logical processor of another partition, counted after those of this one, gets work or has done it.
    OtherChanges { logical: u32 },
}

/// PR/SM, with the physical processors and the logical ones of all partitions. Methods that move somebody add what changes
/// to `changes`, in the order in which it happens.
#[derive(Clone, Debug)]
pub(crate) struct Prsm {
    /// `None` for a dedicated partition: each of its logical processors always runs, and nothing ever changes.
    machine: Option<Machine>,
}

impl Prsm {
    /// PR/SM of the scenario, with every logical processor in a wait.
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

    /// Whether the logical processor of this partition has a physical one: what SIGP sense-running tells.
    pub fn runs(&self, logical: u32) -> bool {
        self.machine.as_ref().is_none_or(|machine| machine.runs(logical))
    }

    /// A logical processor of this partition that was in a wait has work.
    pub fn wants(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.wants(now, logical, changes);
        }
    }

    /// A logical processor of this partition loads a wait, or has no work any more though it has not come to run. It is not
    /// told that it stops: it knows.
    pub fn leaves(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.leaves(now, logical, changes);
        }
    }

    /// A running logical processor of this partition ends its slice of its own will (Diag X'44'): it goes behind those that
    /// wait. With nobody waiting it goes on after PR/SM's time for the call.
    ///
    /// It waits no longer than if it had used up its slice: one with a large weight does not wait for the whole turn of one
    /// with a small weight.
    pub fn yields(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        if let Some(machine) = &mut self.machine {
            machine.yields(now, logical, changes);
        }
    }

    /// A running logical processor of this partition gives its physical processor to another of this partition (Diag X'9C').
    /// If `holder` does not wait for one, this is no more than [`Prsm::yields`].
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

    /// What is seen at `now`; all 0 for a dedicated partition.
    pub fn snapshot(&self, now: Instant) -> PrsmSnapshot {
        self.machine.as_ref().map(|machine| machine.snapshot(now)).unwrap_or_default()
    }

    /// Checks that each logical processor is in one place, that no physical one idles while anybody waits, and that all
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
