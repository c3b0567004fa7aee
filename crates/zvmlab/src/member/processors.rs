//! Processors of a member: the work of each, what interrupts it, and the physical processor beneath it.

use super::guest::Burst;
use super::{Event, Member, Pause};
use crate::constants::Constants;
use crate::dispatcher::{Cost, Task};
use crate::kernel::time::{Instant, Span};
use crate::locks::Spinning;
use crate::prsm::{Change, Prsm};
use crate::scenario::Scenario;
use crate::snapshot::{Doing, LogicalSnapshot};

/// A piece of work on a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub task: Task,
    pub cost: Cost,
    /// What happens when it is done.
    pub pause: Pause,
    /// How much of it is still to do.
    left: Span,
}

impl Work {
    pub fn new(task: Task, cost: Cost, pause: Pause) -> Self {
        Work { task, cost, pause, left: cost.total() }
    }
}

/// What a logical processor is doing.
#[derive(Clone, Debug)]
struct Processor {
    /// Its work, and the CP work that interrupts it. The last entry is the one in progress.
    work: Vec<Work>,
    /// Since when the last entry has been in progress. In the future while PR/SM is still dispatching the processor.
    started: Instant,
    /// Whether it has a physical processor.
    runs: bool,
    /// Whether PR/SM knows that it has work.
    wants: bool,
    /// Counts announcements: an announced end is void if another was announced after it.
    generation: u32,
    suspended_since: Option<Instant>,
    suspended: Span,
    busy: Span,
}

impl Processor {
    /// A processor without work. Only a dedicated one has a physical processor.
    fn new(dedicated: bool) -> Self {
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

    /// The work in progress.
    fn top(&self) -> Option<&Work> {
        self.work.last()
    }

    /// Whether it executes at this instant: it has a physical processor and PR/SM has finished dispatching it.
    fn goes_on(&self, now: Instant) -> bool {
        self.runs && self.started <= now
    }

    /// Takes the time worked so far off what is left.
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

    /// How long it has executed its work number `at`, counted from the lowest. Only the last entry is in progress.
    fn executed(&self, now: Instant, at: usize) -> Span {
        let Work { cost, left, .. } = self.work[at];
        let in_progress = self.runs && at + 1 == self.work.len();
        cost.total() - left + if in_progress { now.since(self.started).min(left) } else { Span::ZERO }
    }

    /// What it has executed of such tasks that it has not ended.
    fn doing(&self, now: Instant, is_such: fn(&Task) -> bool) -> Span {
        let such = (0..self.work.len()).filter(|&at| is_such(&self.work[at].task));
        such.map(|at| self.executed(now, at)).fold(Span::ZERO, |sum, done| sum + done)
    }

    /// What it has executed of the work that it has not ended.
    fn under_way(&self, now: Instant) -> Cost {
        let of = |at: usize| self.work[at].cost.first(self.executed(now, at));
        (0..self.work.len()).map(of).fold(Cost::default(), Cost::with)
    }

    /// Time up to `now` in which it was busy.
    fn done(&self, now: Instant) -> u64 {
        (self.busy + self.under_way(now).total()).0
    }

    /// Whether its work number `at` is a virtual CPU's that spins for its guest's lock, and has not spun for long enough.
    fn spins(&self, now: Instant, at: usize) -> bool {
        let Work { cost, pause, .. } = self.work[at];
        pause == Pause::GuestSpun || pause == Pause::SpunAndYielded && self.executed(now, at) < cost.guest
    }

    /// What it does.
    fn does(&self, now: Instant) -> Doing {
        match self.top() {
            None => Doing::Idle,
            Some(_) if !self.runs => Doing::Suspended,
            Some(work) if work.pause == Pause::CpSpun => Doing::Spin,
            Some(work) if work.pause == Pause::SpunAndYielded && !self.spins(now, self.work.len() - 1) => Doing::Cp,
            Some(Work { task: Task::Cpu(_), pause, .. })
                if !matches!(pause, Pause::CpUnlocks | Pause::ServiceDone | Pause::Yielded) =>
            {
                Doing::Guest
            }
            Some(_) => Doing::Cp,
        }
    }
}

/// What happens to work that a processor is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    /// It is in progress; its end is to be announced.
    GoesOn,
    /// PR/SM must hear that the processor has work.
    Wants,
    /// PR/SM knows already.
    Waits,
}

/// The logical processors of the partition, and PR/SM beneath them.
#[derive(Clone, Debug)]
pub(super) struct Processors {
    all: Vec<Processor>,
    /// Those that ran out of work in this step, a bit each.
    released: u64,
    prsm: Prsm,
    /// PR/SM's answers, kept between uses so that a step seldom allocates.
    changes: Vec<Change>,
}

impl Processors {
    /// The processors of the scenario's partition, without work.
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let dedicated = !scenario.processors.shared;
        Processors {
            all: vec![Processor::new(dedicated); scenario.processors.count as usize],
            released: 0,
            prsm: Prsm::new(scenario, constants, seed),
            changes: Vec::new(),
        }
    }

    /// PR/SM.
    pub fn prsm(&self) -> &Prsm {
        &self.prsm
    }

    /// Those that have a physical processor, a bit each.
    pub fn on_physical(&self, now: Instant) -> u64 {
        if !self.prsm.is_shared() {
            return u64::MAX;
        }
        self.all.iter().zip(0..).fold(0, |mask, (on, at)| mask | (u64::from(on.goes_on(now)) << at))
    }

    /// Whether `processor` executes at this instant and spins for CP's lock.
    pub fn spins_for_cp(&self, now: Instant, processor: u32) -> bool {
        let on = &self.all[processor as usize];
        on.goes_on(now) && on.top().is_some_and(|work| work.pause == Pause::CpSpun)
    }

    /// Whether `cpu` executes on `processor` at this instant and spins for its guest's lock.
    pub fn spins(&self, now: Instant, processor: u32, cpu: u32) -> bool {
        let on = &self.all[processor as usize];
        let is_its = on.top().is_some_and(|work| work.task == Task::Cpu(cpu));
        is_its && on.goes_on(now) && on.spins(now, on.work.len() - 1)
    }

    /// The virtual CPU that spins on `processor` does not give way when it has spun; it decides then. Returns whether the end of
    /// that is to be announced.
    pub fn only_spins(&mut self, now: Instant, processor: u32) -> bool {
        let on = &mut self.all[processor as usize];
        let gives_way = on.work.first().is_some_and(|work| work.pause == Pause::SpunAndYielded);
        if !gives_way || !on.spins(now, 0) {
            return false;
        }
        let work = &mut on.work[0];
        work.left = work.left - std::mem::take(&mut work.cost.chargeable);
        work.pause = Pause::GuestSpun;
        on.runs && on.work.len() == 1
    }

    /// How far the burst of `cpu` on `processor` is.
    pub fn burst(&self, now: Instant, processor: u32, cpu: u32) -> Burst {
        let on = &self.all[processor as usize];
        let Some(at) = on.work.iter().position(|work| work.task == Task::Cpu(cpu)) else { return Burst::default() };
        let executed = on.executed(now, at);
        let charged = if on.work[at].cost.nonchargeable == Span::ZERO { executed } else { Span::ZERO };
        let left = on.work[at].cost.total() - executed;
        Burst { executed, left, charged, executes: at + 1 == on.work.len() && on.goes_on(now) }
    }

    /// `processor` begins `work`, which interrupts what it does.
    fn begin(&mut self, now: Instant, processor: u32, work: Work) -> Begun {
        let on = &mut self.all[processor as usize];
        on.progress(now);
        on.work.push(work);
        on.started = on.started.max(now);
        if on.runs {
            return Begun::GoesOn;
        }
        if on.wants {
            return Begun::Waits;
        }
        on.wants = true;
        on.suspended_since = Some(now);
        Begun::Wants
    }

    /// When the work in progress on `processor` ends, and the generation of that announcement. Earlier announcements are
    /// void.
    fn next_end(&mut self, processor: u32) -> Option<(Instant, u32)> {
        let on = &mut self.all[processor as usize];
        on.generation = on.generation.wrapping_add(1);
        on.work.last().map(|work| (on.started + work.left, on.generation))
    }

    /// The work in progress on `processor` is done. Returns it, and whether there is more.
    fn end(&mut self, now: Instant, processor: u32) -> Option<(Work, bool)> {
        let on = &mut self.all[processor as usize];
        let work = on.work.pop()?;
        on.busy += work.cost.total();
        on.started = on.started.max(now);
        Some((work, !on.work.is_empty()))
    }

    /// Ends the work in progress on `processor`, a wait for a lock, at `now`.
    fn cut_short(&mut self, now: Instant, processor: u32, pause: Pause) {
        let on = &mut self.all[processor as usize];
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
    }

    /// `processor` loads a wait.
    fn load_wait(&mut self, processor: u32) {
        let on = &mut self.all[processor as usize];
        (on.wants, on.runs) = (false, false);
    }

    /// `processor` has a physical one and goes on at `at`. If it spins for the lock of CP, it looks at once whether the lock
    /// is free: nobody could tell it while it had no physical processor.
    fn resume(&mut self, now: Instant, processor: u32, at: Instant, lock_is_free: bool) {
        let on = &mut self.all[processor as usize];
        if let Some(since) = on.suspended_since.take() {
            on.suspended += now.since(since);
        }
        (on.runs, on.started) = (true, at);
        if let Some(work) = on.work.last_mut()
            && work.pause == Pause::CpSpun
            && lock_is_free
        {
            work.cost = Cost { nonchargeable: work.cost.total() - work.left, ..Cost::default() };
            work.left = Span::ZERO;
        }
    }

    /// `processor` has lost its physical one.
    fn suspend(&mut self, now: Instant, processor: u32) {
        let on = &mut self.all[processor as usize];
        on.progress(now);
        on.runs = false;
        on.generation = on.generation.wrapping_add(1);
        on.suspended_since = (!on.work.is_empty()).then_some(now);
    }

    /// Time in which logical processors had work but no physical processor.
    pub fn suspended_ns(&self, now: Instant) -> u64 {
        self.all.iter().map(|processor| processor.suspended(now).0).sum()
    }

    /// What processors have executed up to `now` of the work that they have not ended.
    pub fn under_way(&self, now: Instant) -> Cost {
        self.all.iter().map(|on| on.under_way(now)).fold(Cost::default(), Cost::with)
    }

    /// How much of that is CP's work for such tasks.
    pub fn doing(&self, now: Instant, is_such: fn(&Task) -> bool) -> Span {
        self.all.iter().fold(Span::ZERO, |sum, on| sum + on.doing(now, is_such))
    }

    /// How much of that is for locks: of virtual CPUs for those of their guests, and of CP for its own.
    pub fn spinning(&self, now: Instant) -> Spinning {
        let mut all = Spinning::default();
        for on in &self.all {
            match on.work.first() {
                Some(work) if work.pause == Pause::GuestSpun => all.for_guests += on.executed(now, 0),
                Some(work) if work.pause == Pause::SpunAndYielded => {
                    all.for_guests += on.executed(now, 0).min(work.cost.guest);
                    all.diag44 += u64::from(!on.spins(now, 0));
                }
                Some(work) if work.pause == Pause::CpSpun => all.for_cp += on.executed(now, 0),
                _ => {}
            }
        }
        all
    }

    /// A snapshot of each. `guest_of` gives the guest of a virtual CPU, `vector` the length of a processor's vector.
    pub fn snapshot(
        &self,
        now: Instant,
        guest_of: impl Fn(u32) -> u32,
        vector: impl Fn(u32) -> u32,
    ) -> Vec<LogicalSnapshot> {
        let of = |(on, index): (&Processor, u32)| {
            let guest = match on.top().map(|work| work.task) {
                Some(Task::Cpu(cpu)) => Some(guest_of(cpu)),
                _ => None,
            };
            LogicalSnapshot { does: on.does(now), guest, vector: vector(index), busy_ns: on.done(now) }
        };
        self.all.iter().zip(0..).map(of).collect()
    }

    /// Checks that all time is accounted for: `spent` by somebody, `idle`, without a physical processor or, on shared
    /// processors, used by PR/SM.
    fn verify(&self, now: Instant, idle: Span, spent: Span) {
        self.prsm.verify();
        let done: u64 = self.all.iter().map(|on| on.done(now)).sum();
        let accounted = done + idle.0 + self.suspended_ns(now);
        let all = now.0 * self.all.len() as u64;
        let of_prsm = self.prsm.snapshot(now).own_overhead_ns;
        assert!((all.saturating_sub(of_prsm)..=all).contains(&accounted), "{accounted} ns of {all} are accounted for");
        let ended: u64 = self.all.iter().map(|on| on.busy.0).sum();
        assert_eq!(spent.0, ended, "what processors did was for somebody");
    }
}

impl Member {
    /// `processor` begins `work`, which interrupts what it does.
    pub(super) fn begin_work(&mut self, processor: u32, work: Work) {
        match self.processors.begin(self.agenda.now(), processor, work) {
            Begun::GoesOn => self.announce_end(processor),
            Begun::Wants => self.ask_prsm(|prsm, now, changes| prsm.wants(now, processor, changes)),
            Begun::Waits => {}
        }
    }

    pub(super) fn announce_end(&mut self, processor: u32) {
        if let Some((at, generation)) = self.processors.next_end(processor) {
            self.agenda.schedule(at, Event::WorkEnds { processor, generation });
        }
    }

    /// The last work of `processor` is done, unless its end was put off since this was announced.
    pub(super) fn work_ends(&mut self, processor: u32, generation: u32) {
        if generation == self.processors.all[processor as usize].generation {
            self.end_work(processor);
        }
    }

    /// The work in progress on `processor` is done.
    fn end_work(&mut self, processor: u32) {
        let ended = self.processors.end(self.agenda.now(), processor);
        let Some((Work { task, cost, pause, .. }, more)) = ended else { return };
        self.dispatcher.spend(cost);
        if more {
            self.announce_end(processor);
            self.dispatcher.end_interruption(processor);
            return self.end_cp_work(task);
        }
        match task {
            Task::Cpu(cpu) => self.end_burst(processor, cpu, cost, pause),
            Task::TakeInterrupt(_)
            | Task::EndIo(_)
            | Task::Relocate { .. }
            | Task::Reorder { .. }
            | Task::Scan { .. }
            | Task::Search { .. }
            | Task::Coalesce { .. }
            | Task::Move { .. }
            | Task::Invalidate { .. } => {
                self.release(processor);
                self.end_cp_work(task);
            }
        }
    }

    /// `processor` has nothing to do for now.
    pub(super) fn release(&mut self, processor: u32) {
        self.dispatcher.release(self.agenda.now(), processor);
        self.processors.released |= 1 << processor;
    }

    /// Ends the work in progress on `processor`, a wait for a lock, now: it has been given the lock.
    pub(super) fn cut_short(&mut self, processor: u32, pause: Pause) {
        self.processors.cut_short(self.agenda.now(), processor, pause);
        self.end_work(processor);
    }

    /// Processors that ran out of work load a wait, so that PR/SM can give their physical processors to others.
    pub(super) fn load_waits(&mut self) {
        let mut released = std::mem::take(&mut self.processors.released);
        while released != 0 && self.processors.prsm.is_shared() {
            let processor = released.trailing_zeros();
            released &= released - 1;
            if self.dispatcher.is_idle(processor) {
                self.processors.load_wait(processor);
                self.ask_prsm(|prsm, now, changes| prsm.leaves(now, processor, changes));
            }
        }
    }

    /// Calls PR/SM and acts on its answers.
    pub(super) fn ask_prsm(&mut self, ask: impl FnOnce(&mut Prsm, Instant, &mut Vec<Change>)) {
        let now = self.agenda.now();
        let mut changes = std::mem::take(&mut self.processors.changes);
        ask(&mut self.processors.prsm, now, &mut changes);
        for change in changes.drain(..) {
            match change {
                Change::Runs { logical, at } => {
                    self.processors.resume(now, logical, at, self.locks.cp.holder().is_none());
                    self.announce_end(logical);
                }
                Change::Stops { logical } => self.processors.suspend(now, logical),
                Change::Announce { at, due } => self.agenda.schedule(at, Event::PrsmFallsDue { due }),
            }
        }
        self.processors.changes = changes;
    }

    /// Checks that all time of the logical processors is accounted for.
    pub(super) fn verify_processors(&self) {
        let now = self.agenda.now();
        self.processors.verify(now, self.dispatcher.idle(now), self.dispatcher.spent().total());
    }
}
