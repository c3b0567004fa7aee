//! The page table invalidation lock (PTIL) of a guest: who holds it, and who waits for it.
//!
//! CP takes it while it changes the guest's page tables. The 6.2 performance update ("VM64715 Page Release Serialization") says that
//! on some levels pages are released under an exclusive lock, and that the service makes such locks shared. Assumed: a first touch and
//! a page fault take it shared; it goes to those who wait in the order in which they came, and all at the front of the line who want it
//! shared get it together; who waits gives up the processor.

use std::collections::VecDeque;

use crate::kernel::time::{Instant, Span};

/// How somebody wants the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Together with others who want it shared.
    Shared,
    /// Alone.
    Exclusive,
}

/// The lock of one guest, and how long it was held and waited for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ptil {
    shared: Vec<u32>,
    exclusive: Option<u32>,
    line: VecDeque<(u32, Hold)>,
    /// When one of these last changed.
    since: Instant,
    held: Span,
    closed: Span,
    waited: Span,
}

impl Ptil {
    /// Virtual CPU `cpu` takes the lock, if nobody holds it or waits for it whom that would harm. Returns whether it has it.
    pub fn take(&mut self, now: Instant, cpu: u32, hold: Hold) -> bool {
        let is_held = self.is_held_by(cpu);
        if !is_held && self.line.is_empty() && self.is_free_for(hold) {
            self.account(now);
            self.give_to(cpu, hold);
            return true;
        }
        is_held
    }

    /// `cpu`, which could not take the lock, stands in line for it.
    pub fn wait(&mut self, now: Instant, cpu: u32, hold: Hold) {
        self.account(now);
        self.line.push_back((cpu, hold));
    }

    fn is_free_for(&self, hold: Hold) -> bool {
        self.exclusive.is_none() && (hold == Hold::Shared || self.shared.is_empty())
    }

    fn give_to(&mut self, cpu: u32, hold: Hold) {
        match hold {
            Hold::Shared => self.shared.push(cpu),
            Hold::Exclusive => self.exclusive = Some(cpu),
        }
    }

    /// Whether `cpu` holds the lock.
    #[inline]
    pub fn is_held_by(&self, cpu: u32) -> bool {
        self.exclusive == Some(cpu) || self.shared.contains(&cpu)
    }

    /// `cpu`, which holds the lock, gives it up. Returns who has got it.
    pub fn give_up(&mut self, now: Instant, cpu: u32) -> Vec<u32> {
        assert!(self.is_held_by(cpu), "a holder gives the lock up");
        self.account(now);
        if self.exclusive == Some(cpu) {
            self.exclusive = None;
        }
        self.shared.retain(|&other| other != cpu);
        self.grant()
    }

    /// Gives the lock to those at the front of the line who can have it. Returns them.
    fn grant(&mut self) -> Vec<u32> {
        let mut granted = Vec::new();
        while let Some(&(cpu, hold)) = self.line.front()
            && self.is_free_for(hold)
        {
            self.line.pop_front();
            self.give_to(cpu, hold);
            granted.push(cpu);
        }
        granted
    }

    fn account(&mut self, now: Instant) {
        self.held = self.held(now);
        self.closed = self.closed(now);
        self.waited = self.waited(now);
        self.since = now;
    }

    /// For how long it was held exclusively, up to `now`.
    pub fn held(&self, now: Instant) -> Span {
        self.held + if self.exclusive.is_some() { now.since(self.since) } else { Span::ZERO }
    }

    /// For how long nobody who came could have had it: it was held exclusively, or others stood in line.
    pub fn closed(&self, now: Instant) -> Span {
        let is_closed = self.exclusive.is_some() || !self.line.is_empty();
        self.closed + if is_closed { now.since(self.since) } else { Span::ZERO }
    }

    /// For how long virtual CPUs have stood in line, all together.
    pub fn waited(&self, now: Instant) -> Span {
        self.waited + Span(now.since(self.since).0 * self.line.len() as u64)
    }

    /// Who stands in line, the next first.
    pub fn line(&self) -> impl Iterator<Item = u32> + '_ {
        self.line.iter().map(|&(cpu, _)| cpu)
    }

    /// Those who share it.
    pub fn sharing(&self) -> &[u32] {
        &self.shared
    }

    /// The virtual CPU that holds it exclusively.
    pub fn exclusive(&self) -> Option<u32> {
        self.exclusive
    }

    /// Checks that nobody holds it beside one who holds it exclusively, and that who holds it stands in no line.
    pub fn verify(&self) {
        assert!(self.exclusive.is_none() || self.shared.is_empty(), "who holds the PTIL exclusively holds it alone");
        assert!(self.line().all(|cpu| !self.is_held_by(cpu)), "who holds the PTIL does not wait for it");
        let is_free = self.exclusive.is_none() && self.shared.is_empty();
        assert!(!is_free || self.line.is_empty(), "nobody waits for a PTIL that is free");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ns: u64) -> Instant {
        Instant(ns)
    }

    #[test]
    fn those_who_share_it_hold_it_together_and_who_does_not_holds_it_alone() {
        let mut lock = Ptil::default();
        assert!(lock.take(at(0), 1, Hold::Shared) && lock.take(at(0), 2, Hold::Shared));
        assert!(!lock.take(at(10), 3, Hold::Exclusive), "two hold it");
        lock.wait(at(10), 3, Hold::Exclusive);
        assert!(!lock.take(at(20), 4, Hold::Shared), "nobody passes the one who waits");
        lock.wait(at(20), 4, Hold::Shared);
        lock.wait(at(20), 5, Hold::Shared);
        assert_eq!(lock.give_up(at(30), 1), [0; 0]);
        assert_eq!(lock.give_up(at(30), 2), [3]);
        lock.verify();
        assert!(lock.take(at(35), 3, Hold::Exclusive), "it has it");
        assert_eq!(lock.give_up(at(40), 3), [4, 5]);
        // 3 waited from 10 to 30; 4 and 5 from 20 to 40.
        assert_eq!((lock.held(at(50)), lock.waited(at(50)), lock.closed(at(50))), (Span(10), Span(60), Span(30)));
        assert_eq!(lock.sharing(), [4, 5]);
        assert_eq!((lock.give_up(at(60), 5), lock.give_up(at(60), 4)), (vec![], vec![]));
        assert!(lock.take(at(70), 6, Hold::Exclusive));
        assert_eq!((lock.exclusive(), lock.held(at(75))), (Some(6), Span(15)));
    }
}
