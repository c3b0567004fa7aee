//! Spin locks: one in each guest whose program has one, and one in CP. Also the lock of VARY PROCESSOR, for which nobody
//! spins.
//!
//! CP has many locks, and which of its work takes which is not public. Here all services that programs ask for share one
//! lock. Paging, guests' I/O and the dispatcher itself take none.
//!
//! The lock of a guest's page tables, for which CP defers work instead of spinning, is in `locks/ptil.rs`.

mod ptil;

use crate::constants::Constants;
use crate::kernel::time::Span;
use crate::scenario::{Mechanism, Scenario, SpinLock as Way};
use crate::snapshot::LocksSnapshot;
pub(crate) use ptil::{Hold, Ptil};

/// A spin lock: who holds it, and who spins for it, in order of arrival.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpinLock {
    holder: Option<u32>,
    spinning: Vec<u32>,
}

impl SpinLock {
    /// `who` tries to take the lock. Returns whether it holds the lock now; if not, it spins.
    pub fn take(&mut self, who: u32) -> bool {
        if self.holder.is_none() {
            self.stop_spinning(who);
            self.holder = Some(who);
            return true;
        }
        if !self.is_spinning(who) {
            self.spinning.push(who);
        }
        false
    }

    /// Whether `who` spins for the lock.
    pub fn is_spinning(&self, who: u32) -> bool {
        self.spinning.contains(&who)
    }

    /// Those who spin for the lock.
    pub fn spinning(&self) -> impl Iterator<Item = u32> {
        self.spinning.iter().copied()
    }

    /// Who holds the lock.
    pub fn holder(&self) -> Option<u32> {
        self.holder
    }

    /// `who` stops spinning for now.
    pub fn stop_spinning(&mut self, who: u32) {
        if let Some(at) = self.spinning.iter().position(|&other| other == who) {
            self.spinning.remove(at);
        }
    }

    /// The holder gives the lock up. It goes to the first spinner for which `runs` is true: the others cannot see that it is
    /// free. Returns who has it now.
    pub fn release(&mut self, who: u32, runs: impl Fn(u32) -> bool) -> Option<u32> {
        assert_eq!(self.holder, Some(who), "the holder gives a lock up");
        let at = self.spinning.iter().position(|&other| runs(other));
        self.holder = at.map(|at| self.spinning.remove(at));
        self.holder
    }
}

/// All locks.
#[derive(Clone, Debug)]
pub(crate) struct Locks {
    /// The lock of each guest, held by virtual CPUs.
    pub guests: Vec<SpinLock>,
    /// The page table invalidation lock of each guest, held by its virtual CPUs.
    pub ptil: Vec<Ptil>,
    /// Whether CP holds that lock exclusively while a guest releases pages.
    pub release_is_exclusive: bool,
    /// The lock of CP, held by logical processors.
    pub cp: SpinLock,
    /// How CP waits for its lock.
    pub way: Way,
    /// How guests give way while they wait for theirs.
    pub guest_way: Way,
    /// Whether the fast path of Diag X'44' serves guests with many virtual CPUs too.
    fast_path: bool,
    /// What a guest's wait for its lock takes.
    pub times: Times,
    vary: Vary,
    pub counts: LocksSnapshot,
}

/// What a guest's wait for its lock takes.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// For how long it spins before it gives way.
    pub spin: Span,
    /// CP's work for a Diag X'44' or X'9C'.
    pub diag44: Span,
    /// The same by the fast path.
    pub diag44_fast: Span,
}

impl Times {
    fn new(constants: &Constants) -> Self {
        Times {
            spin: Span::from_ns_f64(constants.guest_spin_ns),
            diag44: Span::from_ns_f64(constants.diag44_ns),
            diag44_fast: Span::from_ns_f64(constants.diag44_fast_ns),
        }
    }
}

/// What processors have done for locks in work that they have not ended.
#[derive(Debug, Default)]
pub(crate) struct Spinning {
    /// Time for which they have spun for guests' locks.
    pub for_guests: Span,
    /// Time for which they have spun for CP's lock.
    pub for_cp: Span,
    /// Calls of Diag X'44' that have begun.
    pub diag44: u64,
}

/// The lock of VARY PROCESSOR.
#[derive(Clone, Debug)]
struct Vary {
    /// Time from the end of the fill to the command, if the scenario enters it.
    after: Option<Span>,
    /// How long it holds its lock; without the fix, for ever.
    lasts: Option<Span>,
    held: bool,
    /// Virtual CPUs that wait for it.
    waiting: Vec<u32>,
    /// Services of CP so far; every `needs_lock`th of them needs the lock.
    services: u64,
    needs_lock: u64,
}

impl Vary {
    fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let vary_s = scenario.dispatcher.vary_s;
        let after = Span::from_secs(u64::from(scenario.measure.warmup_s) + u64::from(vary_s));
        Vary {
            after: (vary_s > 0).then_some(after),
            lasts: scenario.dispatcher.vary_fix.then(|| Span::from_ns_f64(constants.vary_ns)),
            held: false,
            waiting: Vec::new(),
            services: 0,
            needs_lock: constants.vary_services,
        }
    }
}

impl Locks {
    /// The free locks of a host.
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        Locks {
            guests: vec![SpinLock::default(); scenario.guest_count() as usize],
            ptil: vec![Ptil::default(); scenario.guest_count() as usize],
            release_is_exclusive: scenario.has(Mechanism::ReleaseExclusive),
            cp: SpinLock::default(),
            way: scenario.dispatcher.spin_lock,
            guest_way: scenario.dispatcher.guest_lock,
            fast_path: scenario.dispatcher.diag44_fast_path,
            times: Times::new(constants),
            vary: Vary::new(scenario, constants),
            counts: LocksSnapshot::default(),
        }
    }

    /// Whether Diag X'44' may take the fast path in a guest with that many virtual CPUs.
    pub fn has_fast_path(&self, cpus: usize) -> bool {
        self.fast_path || cpus <= 2
    }

    /// A virtual CPU asks for a service of CP. Returns whether it must first wait for the lock of VARY PROCESSOR.
    pub fn begin_service(&mut self, cpu: u32) -> bool {
        let vary = &mut self.vary;
        vary.services += 1;
        let waits = vary.held && vary.services.is_multiple_of(vary.needs_lock);
        if waits {
            vary.waiting.push(cpu);
        }
        waits
    }

    /// Time from the end of the fill to VARY PROCESSOR, if the scenario enters it.
    pub fn vary_after(&self) -> Option<Span> {
        self.vary.after
    }

    /// VARY PROCESSOR takes its lock. Returns for how long; `None` if it never gives it back.
    pub fn vary_begins(&mut self) -> Option<Span> {
        self.vary.held = true;
        self.vary.lasts
    }

    /// VARY PROCESSOR gives its lock back. Returns the virtual CPUs that waited for it.
    pub fn vary_ends(&mut self) -> Vec<u32> {
        self.vary.held = false;
        std::mem::take(&mut self.vary.waiting)
    }

    /// A snapshot of the locks, with what processors do for them just now.
    pub fn snapshot(&self, now: &Spinning) -> LocksSnapshot {
        LocksSnapshot {
            vary_held: self.vary.held,
            vary_waiting: self.vary.waiting.len() as u32,
            guest_spin_ns: self.counts.guest_spin_ns + now.for_guests.0,
            cp_spin_ns: self.counts.cp_spin_ns + now.for_cp.0,
            diag44_normal: self.counts.diag44_normal + now.diag44,
            ..self.counts.clone()
        }
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
        assert_eq!(lock.release(2, |_| true), None, "no virtual CPU spins any more");
    }

    #[test]
    fn work_piles_up_behind_vary() {
        let every_second = Constants { vary_services: 2, ..Constants::default() };
        let mut locks = Locks::new(&Scenario::default(), &every_second);
        assert!(!locks.begin_service(0) && !locks.begin_service(1));
        locks.vary_begins();
        assert!(!locks.begin_service(2) && locks.begin_service(3));
        assert_eq!(locks.snapshot(&Spinning::default()).vary_waiting, 1);
        assert_eq!(locks.vary_ends(), [3]);
        assert_eq!(locks.snapshot(&Spinning::default()).vary_waiting, 0);
    }
}
