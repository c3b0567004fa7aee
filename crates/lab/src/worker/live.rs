//! The live run: a simulation that goes on in small pieces, as far as its share of the worker's time allows.

use std::borrow::Cow;
use std::collections::VecDeque;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{PAGES_PER_MB, ScenarioError};
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};

use crate::evidence::Sample;
use crate::worker::step::{changes, under_way};
use crate::worker::wire::{End, LiveReport, Reached, SentSample};

/// Simulated time that a sample's figures look back at least. Chosen: some 200 I/Os, so that the figures do not dance.
const WINDOW: Span = Span::from_millis(250);
/// Simulated time that passes between two looks at the wall clock.
const PIECE: Span = Span::from_millis(20);
/// Snapshots kept to look back to.
const LOOK_BACK_MAX: usize = 300;

/// A simulation that is run while someone watches.
pub struct LiveRun {
    simulation: Simulation,
    loop_pages: u64,
    fill_events_max: u64,
    recent: VecDeque<Snapshot>,
    samples: Vec<SentSample>,
    end: End,
    stepped: Option<String>,
    next_sample: Instant,
    ended: bool,
}

impl LiveRun {
    /// A run of `scenario` at its first instant.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: Scenario, seed: u64) -> Result<LiveRun, ScenarioError> {
        let simulation = Simulation::new(&scenario, seed)?;
        let loop_pages =
            scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum::<u64>() * PAGES_PER_MB;
        let recent = VecDeque::from([simulation.snapshot()]);
        Ok(LiveRun {
            simulation,
            loop_pages,
            fill_events_max: scenario.measure.events_max(),
            recent,
            samples: Vec::new(),
            end: End::default(),
            stepped: None,
            next_sample: Instant::ZERO,
            ended: false,
        })
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.simulation.events()
    }

    /// Whether every guest has touched its loop, or as much was tried as in a whole experiment.
    fn fill_is_over(&self) -> bool {
        self.simulation.filled() || self.simulation.work() >= self.fill_events_max
    }

    /// Goes on until the fill is over, or `may_go_on` says no.
    pub fn fill(&mut self, may_go_on: &dyn Fn() -> bool) {
        // The limit goes on by itself: where nothing happens for long, the simulation's own time stays behind it.
        let mut limit = self.simulation.now();
        while !self.fill_is_over() && may_go_on() {
            limit += PIECE;
            let left = self.fill_events_max.saturating_sub(self.simulation.work());
            self.simulation.run_until_filled(limit, left);
        }
        if self.fill_is_over() {
            self.recent = VecDeque::from([self.simulation.snapshot()]);
            self.next_sample = self.simulation.now();
        }
    }

    /// Goes on to the instant `until_ns`, or until `may_go_on` says no, with a sample every `every_ns`.
    pub fn advance(&mut self, until_ns: u64, every_ns: u64, may_go_on: &dyn Fn() -> bool) {
        let every = Span(every_ns.max(1));
        let next = self.simulation.now() + every;
        // One sample for the whole way is wanted at its end, whenever the last one was.
        self.next_sample = if next.0 == until_ns { next } else { self.next_sample.min(next) };
        while self.simulation.now().0 < until_ns && may_go_on() {
            if self.next_sample <= self.simulation.now() {
                self.next_sample = self.simulation.now() + every;
            }
            let piece = (self.simulation.now() + PIECE).min(self.next_sample).min(Instant(until_ns));
            self.simulation.run_until(piece);
            if self.simulation.now() >= self.next_sample {
                self.sample();
            }
        }
    }

    /// Handles one event.
    pub fn step(&mut self) {
        let before = self.at().into_owned();
        self.ended = !self.simulation.step();
        self.sample();
        self.stepped = (!self.ended).then(|| changes(&before, &self.at()));
    }

    /// Takes a sample of the present state, unless the last one is of it.
    pub fn look(&mut self) {
        if matches!(self.at(), Cow::Owned(_)) {
            self.sample();
        }
    }

    /// The present state: the last sample's, where nothing has happened since. A snapshot of a relocation takes the longest of all
    /// that a report needs, because it counts the changed pages.
    fn at(&self) -> Cow<'_, Snapshot> {
        let is_now = |last: &&Snapshot| (last.events, last.now_ns) == (self.simulation.events(), self.simulation.now().0);
        match self.recent.back().filter(is_now) {
            Some(last) => Cow::Borrowed(last),
            None => Cow::Owned(self.simulation.snapshot()),
        }
    }

    /// How far the run is, with the samples since the last report; `events_before` were handled before this job.
    pub fn report(&mut self, events_before: u64, wall_ms: f64) -> LiveReport {
        let at = self.at();
        let touched: u64 = at.storage.pages_first_touched;
        let fill = if at.filled { 1.0 } else { (touched as f64 / self.loop_pages.max(1) as f64).min(1.0) };
        let at = Reached { now_ns: at.now_ns, events: at.events, under_way: under_way(&at) };
        LiveReport {
            fill,
            filled: self.fill_is_over(),
            ended: self.ended,
            events: at.events - events_before,
            wall_ms,
            samples: std::mem::take(&mut self.samples),
            stepped: self.stepped.take(),
            at,
        }
    }

    /// Takes a sample whose figures look back over [`WINDOW`], or as far as the run has been watched.
    fn sample(&mut self) {
        let snapshot = self.simulation.snapshot();
        let aged = |older: &Snapshot| snapshot.now_ns.saturating_sub(older.now_ns) >= WINDOW.0;
        while self.recent.len() > 1 && (self.recent.get(1).is_some_and(aged) || self.recent.len() > LOOK_BACK_MAX) {
            self.recent.pop_front();
        }
        if let Some(earlier) = self.recent.front().filter(|earlier| earlier.now_ns < snapshot.now_ns) {
            let sample = Sample { measurement: Measurement::between(earlier, &snapshot), snapshot };
            self.samples.push(self.end.send(&sample));
            self.recent.push_back(sample.snapshot);
        } else {
            self.recent.push_back(snapshot);
        }
    }
}
