//! The pool of HyperPAV aliases, and how minidisk and paging I/O share it.
//!
//! Each claimant is entitled to a part of the pool by its relative share (`SET CU`). The sharing conserves work: an idle alias
//! goes to whoever wants it, and an alias that becomes free while both want it goes to the claimant that holds less for its
//! share. An I/O in progress is never taken off its alias.

use super::Claimant;
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::Instant;
use crate::scenario::Scenario;

/// The pool.
#[derive(Clone, Debug)]
pub(super) struct Aliases {
    count: u32,
    /// Relative share of each claimant.
    shares: [u32; 2],
    /// Whether the claimant uses aliases at all.
    used_by: [bool; 2],
    in_use: [TimeWeighted; 2],
}

impl Aliases {
    pub fn new(scenario: &Scenario) -> Self {
        let share = scenario.lcu.alias_share;
        Aliases {
            count: scenario.lcu.aliases,
            shares: [share.mdisk, share.paging],
            used_by: [true, scenario.paging.alias],
            in_use: Default::default(),
        }
    }

    /// Aliases in the pool.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Aliases that `claimant` holds.
    pub fn held(&self, claimant: Claimant) -> u64 {
        self.in_use[claimant as usize].value()
    }

    /// Integral of the aliases that `claimant` holds over time, up to `now`.
    pub fn held_ns(&self, claimant: Claimant, now: Instant) -> u64 {
        self.in_use[claimant as usize].area_at(now)
    }

    /// Whether `claimant` uses aliases.
    pub fn used_by(&self, claimant: Claimant) -> bool {
        self.used_by[claimant as usize]
    }

    /// Whether an alias is idle.
    pub fn idle(&self) -> bool {
        self.held(Claimant::Mdisk) + self.held(Claimant::Paging) < u64::from(self.count)
    }

    /// `claimant` binds an alias for one I/O.
    pub fn bind(&mut self, now: Instant, claimant: Claimant) {
        let held = &mut self.in_use[claimant as usize];
        held.set(now, held.value() + 1);
    }

    /// The I/O of `claimant` is done with its alias.
    pub fn unbind(&mut self, now: Instant, claimant: Claimant) {
        let held = &mut self.in_use[claimant as usize];
        held.set(now, held.value() - 1);
    }

    /// Who of two that want an alias gets it: the one that holds less for its share; `None` if they are even.
    pub fn next(&self) -> Option<Claimant> {
        let weight = |claimant: Claimant, other: Claimant| self.held(claimant) * u64::from(self.shares[other as usize]);
        let (mdisk, paging) = (weight(Claimant::Mdisk, Claimant::Paging), weight(Claimant::Paging, Claimant::Mdisk));
        match mdisk.cmp(&paging) {
            std::cmp::Ordering::Less => Some(Claimant::Mdisk),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Claimant::Paging),
        }
    }
}
