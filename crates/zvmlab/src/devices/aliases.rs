//! The pool of HyperPAV aliases, and how minidisk and paging I/O share it.
//!
//! Its relative share entitles each claimant to a part of the pool (`SET CU`). No alias idles while one of them wants it.
//! When both want an alias that becomes free, it goes to the claimant that holds fewer than the whole number it is entitled
//! to. If the entitlements are not whole numbers, one alias is left over. The two take turns with it, so that each gets its
//! part in the long run. CP never takes an alias away from an I/O in progress.

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
    /// How far MDISK was below its entitlement lately, in nanoseconds of an alias times the sum of the shares.
    owed_to_mdisk: i64,
    since: Instant,
    /// How far back the past counts, in nanoseconds of one alias.
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

    /// Call this before an alias changes hands. It adds how far MDISK was below or above its entitlement since the last
    /// call. Time in which one of the two wanted no more aliases does not count: unused entitlement is lost.
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

    /// The claimant that gets an alias that has become free, when both want it.
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
