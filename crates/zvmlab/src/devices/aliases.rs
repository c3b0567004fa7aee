//! The pool of HyperPAV aliases, and how minidisk and paging I/O share it.
//!
//! Each claimant is entitled to a part of the pool by its relative share (`SET CU`). The sharing conserves work: an idle alias
//! goes to whoever wants it, and an alias that becomes free while both want it goes to the claimant that holds fewer than the
//! whole number it is entitled to. Where entitlements are no whole numbers one alias is left, which the two hold by turns, so
//! that each has its part in the long run. An I/O in progress is never taken off its alias.

use super::Claimant;
use crate::constants::Constants;
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
    /// What MDISK had too little of lately, in nanoseconds of an alias times the sum of the shares.
    owed_to_mdisk: i64,
    since: Instant,
    /// How far the past counts, in nanoseconds of one alias.
    memory_ns: i64,
}

impl Aliases {
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let share = scenario.lcu.alias_share;
        Aliases {
            count: scenario.lcu.aliases,
            shares: [share.mdisk, share.paging],
            used_by: [true, scenario.paging.alias],
            in_use: Default::default(),
            owed_to_mdisk: 0,
            since: Instant::ZERO,
            memory_ns: constants.alias_memory_ns as i64,
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

    /// Notes, before an alias changes hands, what MDISK held less, or more, than it is entitled to since the last time; not
    /// where one of them did not want any more, as unused entitlement is lost.
    pub fn account(&mut self, now: Instant, both_wait: bool) {
        let sum = i64::from(self.shares[0] + self.shares[1]);
        let entitled = i64::from(self.shares[Claimant::Mdisk as usize]) * i64::from(self.count);
        let missing = entitled - self.held(Claimant::Mdisk) as i64 * sum;
        let elapsed = if both_wait { now.since(self.since).0.min(self.memory_ns as u64) as i64 } else { 0 };
        let most = self.memory_ns * sum;
        self.owed_to_mdisk = (self.owed_to_mdisk + missing * elapsed).clamp(-most, most);
        self.since = now;
    }

    /// The whole number of aliases that `claimant` is entitled to.
    fn entitled(&self, claimant: Claimant) -> u64 {
        let share = u64::from(self.shares[claimant as usize]);
        share * u64::from(self.count) / u64::from(self.shares[0] + self.shares[1])
    }

    /// Who of two that both want the alias that has become free gets it.
    pub fn next(&self) -> Claimant {
        let below = |claimant| self.held(claimant) < self.entitled(claimant);
        match (below(Claimant::Mdisk), below(Claimant::Paging)) {
            (true, false) => Claimant::Mdisk,
            (false, true) => Claimant::Paging,
            _ if self.owed_to_mdisk > 0 => Claimant::Mdisk,
            _ => Claimant::Paging,
        }
    }
}
