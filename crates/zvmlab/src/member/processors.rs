//! Processors of a member: the work that each does, what interrupts it, and the physical processor beneath it.

use super::{Event, Member, Pause};
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::{Instant, Span};
use crate::prsm::Change;
use crate::snapshot::{Doing, LogicalSnapshot};

/// A piece of work on a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub task: Task,
    pub cost: Cost,
    /// What comes of it when it is done.
    pub pause: Pause,
    /// How much of it is still to be done.
    left: Span,
}

impl Work {
    pub fn new(task: Task, cost: Cost, pause: Pause) -> Self {
        Work { task, cost, pause, left: cost.total() }
    }
}

/// What a logical processor is doing.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    /// Its work, and the work of CP that interrupts it. The last goes on.
    work: Vec<Work>,
    /// Since when the last has been going on; later than now while PR/SM is still at it.
    started: Instant,
    /// Whether it has a physical processor.
    runs: bool,
    /// Whether PR/SM knows that it has work.
    wants: bool,
    /// Counts what was announced: an end that was announced before the last one is void.
    generation: u32,
    suspended_since: Option<Instant>,
    suspended: Span,
    busy: Span,
}

impl Processor {
    /// A processor without work, with a physical processor of its own or without.
    pub fn new(dedicated: bool) -> Self {
        Processor {
            work: Vec::with_capacity(2),
            started: Instant::ZERO,
            runs: dedicated,
            wants: dedicated,
            generation: 0,
            suspended_since: None,
            suspended: Span::ZERO,
            busy: Span::ZERO,
        }
    }

    /// What goes on.
    pub fn top(&self) -> Option<&Work> {
        self.work.last()
    }

    /// Whether it goes on at this instant: PR/SM has given it a physical processor and is done with that.
    pub fn goes_on(&self, now: Instant) -> bool {
        self.runs && self.started <= now
    }

    /// Takes what has been done off what is left.
    fn progress(&mut self, now: Instant) {
        let done = now.since(self.started);
        if let Some(work) = self.work.last_mut()
            && self.runs
        {
            work.left = Span(work.left.0.saturating_sub(done.0));
            self.started = self.started.max(now);
        }
    }

    fn suspended(&self, now: Instant) -> Span {
        self.suspended + self.suspended_since.map_or(Span::ZERO, |since| now.since(since))
    }
}

impl Member {
    /// Processors that have a physical one, a bit each.
    pub(super) fn on_physical(&self) -> u64 {
        if !self.prsm.is_shared() {
            return u64::MAX;
        }
        self.processors.iter().zip(0..).fold(0, |mask, (on, at)| mask | (u64::from(on.goes_on(self.agenda.now())) << at))
    }

    /// `processor` begins with `work`, which interrupts what it does.
    pub(super) fn begin_work(&mut self, processor: u32, work: Work) {
        let on = &mut self.processors[processor as usize];
        on.progress(self.agenda.now());
        on.work.push(work);
        on.started = on.started.max(self.agenda.now());
        if on.runs {
            return self.announce_end(processor);
        }
        if !on.wants {
            on.wants = true;
            on.suspended_since = Some(self.agenda.now());
            self.ask_prsm(|prsm, now, changes| prsm.wants(now, processor, changes));
        }
    }

    fn announce_end(&mut self, processor: u32) {
        let on = &mut self.processors[processor as usize];
        on.generation = on.generation.wrapping_add(1);
        if let Some(work) = on.work.last() {
            let (at, generation) = (on.started + work.left, on.generation);
            self.agenda.schedule(at, Event::WorkEnds { processor, generation });
        }
    }

    /// What `processor` did last is done, unless the end was put off since it was announced.
    pub(super) fn work_ends(&mut self, processor: u32, generation: u32) {
        if generation == self.processors[processor as usize].generation {
            self.end_work(processor);
        }
    }

    /// The work of `processor` that goes on is done.
    fn end_work(&mut self, processor: u32) {
        let on = &mut self.processors[processor as usize];
        let Some(Work { task, cost, pause, .. }) = on.work.pop() else { return };
        on.busy += cost.total();
        on.started = on.started.max(self.agenda.now());
        self.dispatcher.spend(cost);
        if self.processors[processor as usize].work.is_empty() {
            match task {
                Task::Cpu(cpu) => self.end_burst(processor, cpu, cost, pause),
                Task::TakeInterrupt(_) | Task::EndIo(_) | Task::Relocate { .. } => {
                    self.release(processor);
                    self.end_cp_work(task);
                }
            }
        } else {
            self.announce_end(processor);
            self.dispatcher.end_interruption(processor);
            self.end_cp_work(task);
        }
    }

    /// `processor` has nothing to do for now.
    pub(super) fn release(&mut self, processor: u32) {
        self.dispatcher.release(self.agenda.now(), processor);
        self.released |= 1 << processor;
    }

    /// The work of `processor` that goes on, a wait for a lock, ends now: it was given the lock.
    pub(super) fn cut_short(&mut self, processor: u32, pause: Pause) {
        let now = self.agenda.now();
        let on = &mut self.processors[processor as usize];
        on.progress(now);
        on.generation = on.generation.wrapping_add(1);
        if let Some(work) = on.work.last_mut() {
            let done = Span(work.cost.total().0 - work.left.0);
            work.cost = match work.cost.nonchargeable {
                Span::ZERO => Cost { guest: done, ..Cost::default() },
                _ => Cost { nonchargeable: done, ..Cost::default() },
            };
            work.pause = pause;
        }
        self.end_work(processor);
    }

    /// Processors that were left without work load a wait, so that PR/SM can give their physical processor to others.
    pub(super) fn load_waits(&mut self) {
        let mut released = std::mem::take(&mut self.released);
        while released != 0 && self.prsm.is_shared() {
            let processor = released.trailing_zeros();
            released &= released - 1;
            if self.dispatcher.is_idle(processor) {
                let on = &mut self.processors[processor as usize];
                (on.wants, on.runs) = (false, false);
                self.ask_prsm(|prsm, now, changes| prsm.leaves(now, processor, changes));
            }
        }
    }

    /// Asks PR/SM and does what it answers.
    pub(super) fn ask_prsm(&mut self, ask: impl FnOnce(&mut crate::prsm::Prsm, Instant, &mut Vec<Change>)) {
        let mut changes = std::mem::take(&mut self.changes);
        ask(&mut self.prsm, self.agenda.now(), &mut changes);
        for change in changes.drain(..) {
            match change {
                Change::Runs { logical, at } => self.resume(logical, at),
                Change::Stops { logical } => self.suspend(logical),
                Change::Announce { at, due } => self.agenda.schedule(at, Event::PrsmFallsDue { due }),
            }
        }
        self.changes = changes;
    }

    fn resume(&mut self, processor: u32, at: Instant) {
        let lock_is_free = self.locks.cp.holder().is_none();
        let now = self.agenda.now();
        let on = &mut self.processors[processor as usize];
        if let Some(since) = on.suspended_since.take() {
            on.suspended += now.since(since);
        }
        (on.runs, on.started) = (true, at);
        if let Some(work) = on.work.last_mut()
            && work.pause == Pause::CpSpun
            && lock_is_free
        {
            // It looks at once whether the lock is free, which nobody told it while it had no physical processor.
            work.cost = Cost { nonchargeable: work.cost.total() - work.left, ..Cost::default() };
            work.left = Span::ZERO;
        }
        self.announce_end(processor);
    }

    fn suspend(&mut self, processor: u32) {
        let now = self.agenda.now();
        let on = &mut self.processors[processor as usize];
        on.progress(now);
        on.runs = false;
        on.generation = on.generation.wrapping_add(1);
        on.suspended_since = (!on.work.is_empty()).then_some(now);
    }

    /// Time in which logical processors had work but no physical processor.
    pub(super) fn suspended_ns(&self) -> u64 {
        self.processors.iter().map(|processor| processor.suspended(self.agenda.now()).0).sum()
    }

    /// Checks that all time of the logical processors is accounted for: spent, idle, without a physical processor, or, where
    /// they share those, taken by PR/SM.
    pub(super) fn verify_processors(&self) {
        let done = |on: &Processor| {
            let so_far: u64 = on.work.iter().map(|work| (work.cost.total() - work.left).0).sum();
            let going_on = if on.runs && !on.work.is_empty() { self.agenda.now().since(on.started).0 } else { 0 };
            on.busy.0 + so_far + going_on
        };
        let spent: u64 = self.processors.iter().map(done).sum();
        let accounted = spent + self.dispatcher.idle(self.agenda.now()).0 + self.suspended_ns();
        let all = self.agenda.now().0 * self.processors.len() as u64;
        let of_prsm = self.prsm.snapshot(self.agenda.now()).own_overhead_ns;
        assert!((all.saturating_sub(of_prsm)..=all).contains(&accounted), "{accounted} ns of {all} are accounted for");
        let ended: u64 = self.processors.iter().map(|on| on.busy.0).sum();
        assert_eq!(self.dispatcher.spent().total().0, ended, "what processors did was for somebody");
    }

    /// What is seen of each logical processor.
    pub(super) fn logical_snapshot(&self) -> Vec<LogicalSnapshot> {
        let of = |(on, index): (&Processor, u32)| {
            let task = on.top().map(|work| work.task);
            let does = match on.top() {
                None => Doing::Idle,
                Some(_) if !on.runs => Doing::Suspended,
                Some(work) if work.pause == Pause::CpSpun => Doing::Spin,
                Some(Work { task: Task::Cpu(_), pause, .. })
                    if !matches!(pause, Pause::CpUnlocks | Pause::ServiceDone | Pause::Yielded) =>
                {
                    Doing::Guest
                }
                Some(_) => Doing::Cp,
            };
            let guest = match task {
                Some(Task::Cpu(cpu)) => Some(self.cpus[cpu as usize].guest),
                _ => None,
            };
            LogicalSnapshot { does, guest, vector: self.dispatcher.vector(index), busy_ns: on.busy.0 }
        };
        self.processors.iter().zip(0..).map(of).collect()
    }
}
