//! The dispatcher: who runs. Logical processors, their vectors, and the work of CP itself.
//!
//! CP's own work goes first: if no processor is idle, it interrupts one that runs a guest. Virtual CPUs run in the order of
//! the deadlines that the scheduler gave them, by way of the vectors. Assumed: a virtual CPU keeps its processor to the end
//! of its minor slice, even if another one has an earlier deadline.

mod heads;
mod vectors;

use std::collections::{BTreeSet, VecDeque};

use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::scheduler::Priority;
use crate::snapshot::ProcessorsSnapshot;
pub(crate) use vectors::Ready;
use vectors::Vectors;

/// What a processor can be told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Run this virtual CPU.
    Cpu(u32),
    /// Take the interruption of this I/O, so that its exposure can carry the next one.
    TakeInterrupt(u32),
    /// Do CP's work for the pages of this I/O.
    EndIo(u32),
    /// Do a piece of CP's work for a relocation, or for the cluster.
    Relocate {
        /// Tells whoever asked for the work which piece it is.
        tag: u32,
        /// How long it takes.
        time: Span,
    },
    /// Look at frames in demand scan.
    Scan {
        /// How long that takes.
        time: Span,
    },
    /// Seek frames below 2 GB.
    Search {
        /// How long that takes.
        time: Span,
    },
    /// Look at free frames for some that stand side by side.
    Coalesce {
        /// How long that takes.
        time: Span,
    },
    /// Move pages to expanded storage, or from there to page space.
    Move {
        /// How long that takes.
        time: Span,
    },
    /// Invalidate the tracks of a guest's minidisk in the minidisk cache.
    Invalidate {
        /// The guest.
        guest: u32,
        /// How long that takes.
        time: Span,
        /// When FlashCopy wrote to them.
        began: Instant,
    },
    /// Reorder the list of frames of a guest, which stands still meanwhile.
    Reorder {
        /// The guest.
        guest: u32,
        /// How long it takes.
        time: Span,
    },
}

/// Processor time by who pays for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub guest: Span,
    pub chargeable: Span,
    pub nonchargeable: Span,
}

impl Cost {
    /// All of the time.
    pub fn total(self) -> Span {
        self.guest + self.chargeable + self.nonchargeable
    }

    /// What both take together.
    pub fn with(self, other: Cost) -> Cost {
        Cost {
            guest: self.guest + other.guest,
            chargeable: self.chargeable + other.chargeable,
            nonchargeable: self.nonchargeable + other.nonchargeable,
        }
    }

    /// Its first `done`: the guest's own part is executed first, then what CP charges to it, then the rest.
    pub fn first(self, done: Span) -> Cost {
        let guest = self.guest.min(done);
        let chargeable = self.chargeable.min(done - guest);
        Cost { guest, chargeable, nonchargeable: self.nonchargeable.min(done - guest - chargeable) }
    }
}

/// A processor that was given something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatched {
    pub processor: u32,
    pub task: Task,
}

/// When the dispatch list is dealt out to the vectors again.
#[derive(Clone, Copy, Debug)]
struct Reshuffle {
    /// Time between two reshuffles.
    every: Span,
    announced: bool,
}

/// The processors, what they run and who waits for one.
#[derive(Clone, Debug)]
pub(crate) struct Dispatcher {
    running: Vec<Option<Task>>,
    /// CP's work that interrupts what the processor runs.
    interrupting: Vec<Option<Task>>,
    /// Idle processors, a bit each.
    idle: u64,
    /// Processors that run a virtual CPU and are not interrupted.
    interruptible: u64,
    cp_work: VecDeque<Task>,
    vectors: Vectors,
    reshuffle: Reshuffle,
    /// Virtual CPUs in the limit list that may run when nobody else wants the processor, with their deadlines.
    surplus: BTreeSet<(u64, u32)>,
    /// Where each virtual CPU ran last.
    last: Vec<u32>,
    spent: Cost,
    dispatches: u64,
    idle_ns: u64,
    forgotten_ns: u64,
    integrated: Instant,
}

impl Dispatcher {
    /// A partition with idle processors.
    pub fn new(scenario: &Scenario) -> Self {
        let count = scenario.processors.count;
        let dispatcher = &scenario.dispatcher;
        let tolerance = Span::from_millis(dispatcher.minor_slice_ms.into()).0;
        Dispatcher {
            running: vec![None; count as usize],
            interrupting: vec![None; count as usize],
            idle: all_of(count),
            interruptible: 0,
            cp_work: VecDeque::new(),
            vectors: Vectors::new(count, dispatcher.vector_entries, dispatcher.pldv_fix, tolerance),
            reshuffle: Reshuffle { every: Span::from_millis(dispatcher.reshuffle_ms.into()), announced: false },
            surplus: BTreeSet::new(),
            last: (0..scenario.virtual_cpu_count() as u32).map(|cpu| cpu % count).collect(),
            spent: Cost::default(),
            dispatches: 0,
            idle_ns: 0,
            forgotten_ns: 0,
            integrated: Instant::ZERO,
        }
    }

    /// CP has work to do.
    pub fn cp_work(&mut self, task: Task) {
        self.cp_work.push_back(task);
    }

    /// A virtual CPU is ready to run.
    pub fn ready(&mut self, now: Instant, cpu: u32, priority: Priority) {
        self.integrate(now);
        let last = self.last[cpu as usize];
        // An idle processor takes it at once, even if it last ran on another.
        let processor = if self.idle != 0 && self.idle >> last & 1 == 0 { self.idle.trailing_zeros() } else { last };
        self.vectors.insert(processor, Ready { cpu, priority });
    }

    /// A ready virtual CPU no longer wants to run, or no longer may. Returns `false` if it was not waiting here.
    pub fn withdraw(&mut self, now: Instant, cpu: u32) -> bool {
        self.integrate(now);
        self.vectors.remove(cpu)
    }

    /// When the next reshuffle is due. `None` if one is announced already, or if the vectors hold every ready virtual CPU,
    /// so that a reshuffle would change nothing.
    pub fn reshuffle_due(&mut self, now: Instant) -> Option<Instant> {
        if self.reshuffle.announced || !self.overflows() {
            return None;
        }
        self.reshuffle.announced = true;
        Some(now + self.reshuffle.every)
    }

    fn overflows(&self) -> bool {
        self.vectors.counts().1 > 0
    }

    /// Deals the dispatch list out to the vectors again. Returns when to do so next, if vectors still overflow.
    pub fn reshuffle(&mut self, now: Instant) -> Option<Instant> {
        self.integrate(now);
        self.vectors.reshuffle();
        self.reshuffle.announced = false;
        self.reshuffle_due(now)
    }

    /// A virtual CPU in the limit list may use what nobody else can.
    pub fn wait_for_surplus(&mut self, cpu: u32, priority: Priority) {
        self.surplus.insert((priority.deadline, cpu));
    }

    /// Whether a virtual CPU waits for a processor that knows of it.
    pub fn somebody_waits(&self) -> bool {
        self.vectors.has_work()
    }

    /// A virtual CPU no longer waits for what nobody else can use. Returns `false` if it did not.
    pub fn forgo_surplus(&mut self, cpu: u32) -> bool {
        if self.surplus.is_empty() {
            return false;
        }
        let place = self.surplus.iter().find(|(_, other)| *other == cpu).copied();
        place.is_some_and(|place| self.surplus.remove(&place))
    }

    /// Gives an idle processor to the virtual CPU past a soft limit that has the earliest deadline.
    pub fn dispatch_surplus(&mut self, now: Instant) -> Option<(u32, u32)> {
        let processor = (self.idle != 0).then(|| self.idle.trailing_zeros())?;
        let (_, cpu) = self.surplus.pop_first()?;
        self.start(now, processor, Task::Cpu(cpu));
        Some((processor, cpu))
    }

    /// Gives a processor to whoever is next: an idle processor or, for CP's work, one that runs a virtual CPU. `None` where
    /// no processor can be had, or where no processor knows of waiting work. CP's work prefers processors that have a
    /// physical one; `physical` has a bit for each of those.
    pub fn dispatch(&mut self, now: Instant, physical: u64) -> Option<Dispatched> {
        if let Some(given) = self.dispatch_cp_work(now, physical) {
            return Some(given);
        }
        if self.idle != 0 {
            if !self.vectors.has_work() {
                return None;
            }
            let own = bits(self.idle).find(|&processor| self.vectors.length(processor) > 0);
            let processor = own.unwrap_or(self.idle.trailing_zeros());
            self.integrate(now);
            let ready = self.vectors.take(processor, now.0)?;
            return Some(self.start(now, processor, Task::Cpu(ready.cpu)));
        }
        None
    }

    fn dispatch_cp_work(&mut self, now: Instant, physical: u64) -> Option<Dispatched> {
        let places = [self.idle & physical, self.interruptible & physical, self.idle, self.interruptible];
        let place = places.into_iter().find(|&place| place != 0)?;
        let task = self.cp_work.pop_front()?;
        let processor = place.trailing_zeros();
        if self.idle >> processor & 1 == 1 {
            return Some(self.start(now, processor, task));
        }
        self.interruptible &= !(1 << processor);
        self.interrupting[processor as usize] = Some(task);
        Some(Dispatched { processor, task })
    }

    fn start(&mut self, now: Instant, processor: u32, task: Task) -> Dispatched {
        self.integrate(now);
        self.running[processor as usize] = Some(task);
        self.idle &= !(1 << processor);
        if let Task::Cpu(cpu) = task {
            self.interruptible |= 1 << processor;
            self.last[cpu as usize] = processor;
            self.dispatches += 1;
        }
        Dispatched { processor, task }
    }

    /// Work that took this processor time has ended.
    pub fn spend(&mut self, cost: Cost) {
        self.spent = self.spent.with(cost);
    }

    /// `processor` has done the CP work that interrupted a virtual CPU. Returns what that work was.
    pub fn end_interruption(&mut self, processor: u32) -> Task {
        self.interruptible |= 1 << processor;
        self.interrupting[processor as usize].take().expect("only an interrupted processor goes on")
    }

    /// `processor` has nothing more to do. Returns what it did.
    pub fn release(&mut self, now: Instant, processor: u32) -> Task {
        self.integrate(now);
        self.idle |= 1 << processor;
        self.interruptible &= !(1 << processor);
        self.running[processor as usize].take().expect("only a busy processor is released")
    }

    /// Whether `processor` has nothing to do.
    pub fn is_idle(&self, processor: u32) -> bool {
        self.idle >> processor & 1 == 1
    }

    /// Virtual CPUs in the vector of `processor`.
    pub fn vector(&self, processor: u32) -> u32 {
        self.vectors.length(processor)
    }

    /// Time in which processors had nothing to do.
    pub fn idle(&self, now: Instant) -> Span {
        Span(self.idle_ns + now.since(self.integrated).0 * u64::from(self.idle.count_ones()))
    }

    /// Processor time that was spent on work that has ended.
    pub fn spent(&self) -> Cost {
        self.spent
    }

    fn integrate(&mut self, now: Instant) {
        let elapsed = now.since(self.integrated).0;
        if elapsed > 0 {
            let idle = u64::from(self.idle.count_ones());
            self.idle_ns += elapsed * idle;
            if idle > 0 {
                self.forgotten_ns += elapsed * u64::from(self.vectors.counts().0);
            }
            self.integrated = now;
        }
    }

    /// A snapshot of the processors at `now`, without what each one does. `under_way` is what they have executed of work
    /// that has not ended.
    pub fn snapshot(&self, now: Instant, under_way: Cost) -> ProcessorsSnapshot {
        let mut here = self.clone();
        here.integrate(now);
        let (ready, beyond_vectors) = here.vectors.counts();
        let (reshuffles, steals) = here.vectors.totals();
        let count = here.running.len() as u32;
        let spent = here.spent.with(under_way);
        ProcessorsSnapshot {
            count,
            busy: count - here.idle.count_ones(),
            guest_ns: spent.guest.0,
            chargeable_cp_ns: spent.chargeable.0,
            nonchargeable_cp_ns: spent.nonchargeable.0,
            idle_ns: here.idle_ns,
            dispatches: here.dispatches,
            steals,
            reshuffles,
            ready,
            beyond_vectors,
            forgotten_ns: here.forgotten_ns,
            ..ProcessorsSnapshot::default()
        }
    }

    /// Checks that no processor idles while it knows of waiting work, and that each virtual CPU waits or runs only once.
    pub fn verify(&self) {
        assert!(self.idle == 0 || self.cp_work.is_empty(), "a processor idles while CP's work waits");
        assert!(self.idle == 0 || !self.vectors.has_work(), "a processor idles while a virtual CPU waits in a vector");
        assert!(self.cp_work.is_empty() || self.interruptible == 0, "CP's work waits though it may interrupt a guest");
        for (processor, running) in self.running.iter().enumerate() {
            assert_eq!(running.is_none(), self.idle >> processor & 1 == 1, "an idle processor runs nothing");
        }
        self.vectors.verify();
        let mut seen = vec![false; self.last.len()];
        let running = self.running.iter().flatten().filter_map(|task| match task {
            Task::Cpu(cpu) => Some(*cpu),
            _ => None,
        });
        for cpu in self.vectors.iter().map(|ready| ready.cpu).chain(running) {
            assert!(!std::mem::replace(&mut seen[cpu as usize], true), "a virtual CPU waits or runs once");
        }
    }
}

/// A bit for each of so many processors.
fn all_of(processors: u32) -> u64 {
    u64::MAX >> (64 - processors)
}

/// The bits of `mask` from the lowest up.
fn bits(mask: u64) -> impl Iterator<Item = u32> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let bit = (left != 0).then(|| left.trailing_zeros())?;
        left &= left - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests;
