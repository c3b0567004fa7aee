//! Spin locks: one inside each guest whose program has one, and one of CP; and the lock of VARY PROCESSOR, which is waited for
//! without spinning.
//!
//! Which work of CP takes which of its many locks is not public. Here the services that programs ask for take one lock between
//! them; paging, guests' I/O and the dispatcher itself take none.

use std::collections::VecDeque;

use crate::snapshot::LocksSnapshot;

/// A spin lock: who holds it, and who spins for it, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpinLock {
    holder: Option<u32>,
    spinning: VecDeque<u32>,
}

impl SpinLock {
    /// `who` tries to take the lock; whether it has it now. If not it spins.
    pub fn take(&mut self, who: u32) -> bool {
        if self.holder.is_none() {
            self.stop_spinning(who);
            self.holder = Some(who);
            return true;
        }
        if !self.is_spinning(who) {
            self.spinning.push_back(who);
        }
        false
    }

    /// Whether `who` spins for the lock.
    pub fn is_spinning(&self, who: u32) -> bool {
        self.spinning.contains(&who)
    }

    /// Who holds the lock.
    pub fn holder(&self) -> Option<u32> {
        self.holder
    }

    /// `who` does not spin for now.
    pub fn stop_spinning(&mut self, who: u32) {
        self.spinning.retain(|&other| other != who);
    }

    /// The holder gives the lock up. The first of those who spin for which `runs` holds gets it: the others cannot see that it
    /// is free.
    pub fn release(&mut self, who: u32, runs: impl Fn(u32) -> bool) -> Option<u32> {
        assert_eq!(self.holder, Some(who), "the holder gives a lock up");
        let at = self.spinning.iter().position(|&other| runs(other));
        self.holder = at.and_then(|at| self.spinning.remove(at));
        self.holder
    }
}

/// All locks.
#[derive(Clone, Debug)]
pub(crate) struct Locks {
    /// The lock of each guest, held by virtual CPUs.
    pub guests: Vec<SpinLock>,
    /// The lock of CP, held by logical processors.
    pub cp: SpinLock,
    /// Whether VARY PROCESSOR holds its lock.
    vary_held: bool,
    /// Virtual CPUs that wait for it.
    vary_waiting: Vec<u32>,
    /// Services of CP so far.
    services: u64,
    pub counts: LocksSnapshot,
}

impl Locks {
    /// The free locks of a host with so many guests.
    pub fn new(guests: usize) -> Self {
        Locks {
            guests: vec![SpinLock::default(); guests],
            cp: SpinLock::default(),
            vary_held: false,
            vary_waiting: Vec::new(),
            services: 0,
            counts: LocksSnapshot::default(),
        }
    }

    /// A virtual CPU asks for a service of CP, one of `every` of which needs the lock of VARY PROCESSOR. Whether it must wait
    /// for that lock.
    pub fn begin_service(&mut self, cpu: u32, every: u64) -> bool {
        self.services += 1;
        let waits = self.vary_held && self.services.is_multiple_of(every);
        if waits {
            self.vary_waiting.push(cpu);
        }
        waits
    }

    /// VARY PROCESSOR takes its lock.
    pub fn vary_begins(&mut self) {
        self.vary_held = true;
    }

    /// VARY PROCESSOR gives its lock back; who waited for it.
    pub fn vary_ends(&mut self) -> Vec<u32> {
        self.vary_held = false;
        std::mem::take(&mut self.vary_waiting)
    }

    /// What is seen of the locks.
    pub fn snapshot(&self) -> LocksSnapshot {
        LocksSnapshot { vary_held: self.vary_held, vary_waiting: self.vary_waiting.len() as u32, ..self.counts.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_goes_to_the_first_who_can_see_that_it_is_free() {
        let mut lock = SpinLock::default();
        assert!(lock.take(1));
        assert!(!lock.take(2) && !lock.take(3) && !lock.take(2));
        assert_eq!(lock.release(1, |who| who == 3), Some(3));
        assert_eq!(lock.release(3, |_| false), None);
        assert!(lock.take(2), "who did not see it before takes it when it looks");
        assert_eq!(lock.release(2, |_| true), None, "nobody spins any more");
    }

    #[test]
    fn work_piles_up_behind_vary() {
        let mut locks = Locks::new(0);
        assert!(!locks.begin_service(0, 2) && !locks.begin_service(1, 2));
        locks.vary_begins();
        assert!(!locks.begin_service(2, 2) && locks.begin_service(3, 2));
        assert_eq!(locks.snapshot().vary_waiting, 1);
        assert_eq!(locks.vary_ends(), [3]);
        assert_eq!(locks.snapshot().vary_waiting, 0);
    }
}
