//! Runs a batch in the background: when it begins anew, which run goes to a worker next, which earlier results are kept, and when
//! the batch waits for the reader's consent.
//!
//! The reader goes first: while a knob is turned or its experiment is due, no run of a batch begins, and those that run are held. The
//! page adds only the workers and a timer; both are arguments here, and so is the time.

use std::collections::BTreeMap;

use zvmlab::Scenario;

use super::crew::{Crew, Work, Workers, size};
use super::moved::Moved;
use super::queue::{Key, key};
use super::trials::Trials;
use super::{Batch, RunState};
use crate::evidence::Settled;

/// From which wall time on a batch waits for the reader's consent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Long {
    /// It waits if one run takes longer than so many milliseconds.
    Run(f64),
    /// It waits if the remaining runs together would take longer.
    Rest(f64),
}

/// How a batch is run.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// When it waits for the reader's consent.
    pub long: Long,
    /// Wall time in milliseconds without an answer after which workers are replaced.
    pub silent_ms: f64,
    /// How many runs of earlier batches are kept.
    pub known_max: usize,
}

/// A batch that a [`Runner`] runs.
pub trait Batched {
    /// The place of one of its runs.
    type At;
    /// The result of one of its runs.
    type Found: Clone;
    /// How it is run.
    const MANNER: Manner;
    /// Its runs.
    fn batch(&self) -> &Batch<Self::At, Self::Found>;
    /// Whether it is the batch of the scenario on the bench.
    fn is_of(&self, base: &Scenario, seed: u64) -> bool;
    /// The run to make next. It is none of those that `running` names.
    fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<Work<'_>>;
    /// Notes what became of a run.
    fn put(&mut self, of: &Key, state: &RunState<Self::Found>);
    /// The result of the same run from a result of the bench; `None` if that says too little.
    fn seen_on_bench(_settled: &Settled) -> Option<RunState<Self::Found>> {
        None
    }
}

impl Batched for Trials {
    type At = super::trials::TrialName;
    type Found = Moved;

    const MANNER: Manner = Manner {
        // Chosen: an answer within a minute is worth a minute of two workers.
        long: Long::Rest(60_000.0),
        // Chosen: a guest of 100 GB that is relocated while both members page takes long.
        silent_ms: 300_000.0,
        // Chosen: some 10 KB each.
        known_max: 500,
    };

    fn batch(&self) -> &Trials {
        self
    }

    fn is_of(&self, base: &Scenario, seed: u64) -> bool {
        Batch::is_of(self, base, seed)
    }

    fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<Work<'_>> {
        let trial = Batch::next(self, running, |_| ())?;
        Some(Work { key: &trial.key, scenario: &trial.scenario, seed: self.seed })
    }

    fn put(&mut self, of: &Key, state: &RunState<Moved>) {
        Batch::put(self, of, state);
    }
}

/// The scenario and the circumstances in which a batch runs.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The scenario on the bench.
    pub base: &'a Scenario,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run: no knob is being turned, and its result has settled.
    pub quiet: bool,
    /// Whether the reader wants the batch, however long it takes.
    pub asked_for: bool,
    /// The last settled result of the bench, which may be a run of the batch.
    pub settled: Option<&'a Settled>,
    /// Wall time, in milliseconds.
    pub now_ms: f64,
    /// Processors of the reader's machine.
    pub processors: u32,
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard<R> {
    /// Its run was made or cannot be made; with the wall time that it took in milliseconds.
    Made(RunState<R>, f64),
    /// It failed, in words. It is of no more use.
    Failed(String),
}

/// A batch that is run in the background.
#[derive(Debug)]
pub struct Runner<B: Batched> {
    batch: Option<B>,
    /// The batch's name. Another name is another batch, whatever is on the bench.
    of: &'static str,
    crew: Crew,
    known: BTreeMap<Key, RunState<B::Found>>,
    longest_ms: f64,
    asked_for: bool,
    stopped: bool,
    began_ms: f64,
    took_ms: Option<f64>,
}

impl<B: Batched> Runner<B> {
    /// A runner without a batch yet. A first batch called `of` begins when the bench is quiet; a batch with another name begins at
    /// once.
    pub fn new(of: &'static str) -> Runner<B> {
        Runner {
            batch: None,
            of,
            crew: Crew::new(B::MANNER.silent_ms),
            known: BTreeMap::new(),
            longest_ms: 0.0,
            asked_for: false,
            stopped: false,
            began_ms: 0.0,
            took_ms: None,
        }
    }

    /// The batch, if there is anything to run.
    pub fn batch(&self) -> Option<&B> {
        self.batch.as_ref()
    }

    /// Whether the batch is that of the bench and all its runs are made.
    pub fn is_fresh(&self, around: Around) -> bool {
        let batch = self.batch.as_ref().filter(|batch| batch.is_of(around.base, around.seed));
        batch.is_some_and(|batch| batch.batch().is_complete())
    }

    /// Whether no run is due, or there is nothing to run.
    pub fn is_over(&self) -> bool {
        self.batch.as_ref().is_none_or(|batch| batch.batch().is_complete())
    }

    /// Wall time that the whole batch took in milliseconds, once it is over.
    pub fn took_ms(&self) -> Option<f64> {
        self.took_ms
    }

    /// Wall time of its longest run so far, in milliseconds.
    pub fn longest_ms(&self) -> f64 {
        self.longest_ms
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.crew.size()
    }

    /// Why no worker works any more, in words.
    pub fn failed(&self) -> Option<&str> {
        self.crew.failed()
    }

    /// Whether the reader has stopped it.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Wall time that the rest would take, in milliseconds, if known.
    pub fn rest_ms(&self) -> f64 {
        let (done, all) = self.batch.as_ref().map_or((0, 0), |batch| batch.batch().progress());
        self.longest_ms * ((all - done) as f64 / self.crew.size().max(1) as f64).ceil()
    }

    /// Whether it is stopped, or so long that it waits for the reader's consent.
    pub fn waits(&self, around: Around) -> bool {
        let is_long = match B::MANNER.long {
            Long::Run(ms) => self.longest_ms > ms,
            Long::Rest(ms) => self.rest_ms() > ms,
        };
        self.stopped || is_long && !self.asked_for && !around.asked_for
    }

    /// When [`Runner::wake`] is to be called, in wall time.
    pub fn wakes_at(&self) -> Option<f64> {
        self.crew.wakes_at()
    }

    /// There is nothing to run: the workers go too.
    pub fn end(&mut self, workers: &mut dyn Workers) {
        self.batch = None;
        self.crew.dismiss(workers);
    }

    /// The bench or the question may have changed. The batch called `of` is the one that `begin` makes; `begin` gets the earlier
    /// batch and the results that are known.
    pub fn follow(
        &mut self,
        of: &'static str,
        around: Around,
        workers: &mut dyn Workers,
        begin: impl FnOnce(Option<&B>, &dyn Fn(&Key) -> Option<RunState<B::Found>>) -> B,
    ) {
        self.crew.warm_up(workers);
        let is_same = self.of == of && self.batch.as_ref().is_some_and(|batch| batch.is_of(around.base, around.seed));
        // While a knob is dragged, the page keeps showing the old batch. It runs again where the knob stops.
        if !is_same && (around.quiet || self.of != of) {
            let batch = begin(self.batch.as_ref(), &|key| self.known.get(key).cloned());
            // The workers run the old batch, and nobody waits for it.
            self.crew.let_go(workers);
            self.crew.try_again();
            (self.of, self.longest_ms, self.asked_for, self.stopped) = (of, 0.0, false, false);
            (self.began_ms, self.took_ms) = (around.now_ms, None);
            self.batch = Some(batch);
        }
        if let (Some(batch), Some(settled)) = (&mut self.batch, around.settled)
            && let Some(state) = B::seen_on_bench(settled)
        {
            batch.put(&key(&settled.scenario, settled.seed), &state);
        }
        self.pump(around, workers);
    }

    /// A worker has said something.
    pub fn hear(&mut self, number: u64, heard: Heard<B::Found>, around: Around, workers: &mut dyn Workers) {
        match heard {
            Heard::Failed(why) => self.crew.lost(number, why, workers),
            Heard::Made(state, wall_ms) => {
                if let Some(of) = self.crew.answered(number, workers) {
                    self.longest_ms = self.longest_ms.max(wall_ms);
                    self.know(of, state, around.now_ms);
                }
            }
        }
        self.pump(around, workers);
    }

    /// The time that [`Runner::wakes_at`] told has come.
    pub fn wake(&mut self, around: Around, workers: &mut dyn Workers) {
        self.crew.wake(around.now_ms, workers);
        self.pump(around, workers);
    }

    /// The reader wants the rest of the batch.
    pub fn go_on(&mut self, around: Around, workers: &mut dyn Workers) {
        (self.asked_for, self.stopped) = (true, false);
        self.crew.try_again();
        self.pump(around, workers);
    }

    /// The reader wants no more runs.
    pub fn stop(&mut self, workers: &mut dyn Workers) {
        self.stopped = true;
        self.crew.let_go(workers);
    }

    /// Gives every free worker the next run.
    fn pump(&mut self, around: Around, workers: &mut dyn Workers) {
        if self.is_over() {
            return;
        }
        if !around.quiet {
            return self.crew.hold_back(workers);
        }
        self.crew.go_on(around.now_ms, workers);
        let waits = self.waits(around) || self.crew.failed().is_some();
        let Some(batch) = self.batch.as_ref().filter(|batch| !waits && batch.is_of(around.base, around.seed)) else {
            return;
        };
        let size = size(around.base, around.processors);
        self.crew.employ(size, around.now_ms, workers, |running| batch.next(running));
    }

    /// A run has been made.
    fn know(&mut self, of: Key, state: RunState<B::Found>, now_ms: f64) {
        if self.known.len() >= B::MANNER.known_max {
            self.known.clear();
        }
        if let Some(batch) = &mut self.batch {
            batch.put(&of, &state);
            if batch.batch().is_complete() {
                self.took_ms = Some(now_ms - self.began_ms);
            }
        }
        self.known.insert(of, state);
    }
}

#[cfg(test)]
mod tests;
