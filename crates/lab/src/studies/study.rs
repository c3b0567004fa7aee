//! A study: the batch of runs around the scenario on the bench that shows what one control does. The page runs it without
//! being asked. Needs no browser.

use std::collections::BTreeMap;

use zvmlab::{Measurement, Scenario};

use super::StudyKind;
use crate::batch::crew::Work;
use crate::batch::queue::{Key, key};
use crate::batch::runner::{Batched, Long, Manner};
use crate::batch::{Batch, Run, RunState};
use crate::evidence::Settled;
use crate::published::run_like;

/// The place of a run in a study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPoint {
    /// Which line it is on.
    pub line: usize,
    /// Its place along the horizontal axis.
    pub place: usize,
    /// The published run with this configuration.
    pub published: Option<String>,
}

/// One run of a study, with its result once it has one.
pub type StudyRun = Run<StudyPoint, Measurement>;

/// A study, under way or complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The question of the study.
    pub kind: &'static StudyKind,
    /// Its runs.
    pub batch: Batch<StudyPoint, Measurement>,
    /// Results from before the last change, by line and place; kept until the study is complete again.
    before: BTreeMap<(usize, usize), Measurement>,
}

impl Study {
    /// A study of `base`. It takes over every result that `known` has, and runs only the rest. The results of `earlier` stay
    /// visible until this study is complete.
    pub fn begin(
        kind: &'static StudyKind,
        base: Scenario,
        seed: u64,
        earlier: Option<&Study>,
        known: &dyn Fn(&Key) -> Option<RunState<Measurement>>,
    ) -> Study {
        let places = kind.places(&base).len();
        let all = (0..kind.lines).flat_map(|line| (0..places).map(move |place| (line, place)));
        let run = |(line, place): (usize, usize)| {
            let scenario = kind.put(&base, line, place);
            (StudyPoint { line, place, published: run_like(&scenario) }, scenario)
        };
        let runs: Vec<(StudyPoint, Scenario)> = all.map(run).collect();
        let mut before = earlier.map(Study::seen).unwrap_or_default();
        before.retain(|at, _| runs.iter().any(|(point, _)| (point.line, point.place) == *at));
        let mut study = Study { kind, batch: Batch::new(base, seed, runs, known), before };
        study.forget_before();
        study
    }

    /// The results that the charts of this study show, by line and place: the known ones, and earlier ones where a run is
    /// still due.
    fn seen(&self) -> BTreeMap<(usize, usize), Measurement> {
        let mut seen = self.before.clone();
        let known = self.batch.runs.iter().filter_map(|run| Some(((run.at.line, run.at.place), run.known()?.clone())));
        seen.extend(known);
        seen
    }

    /// The places along the horizontal axis, by name.
    pub fn places(&self) -> Vec<String> {
        self.kind.places(&self.batch.base)
    }

    /// Whether it studies the scenario on the bench, wherever that scenario is on the axis.
    pub fn is_of(&self, scenario: &Scenario, seed: u64) -> bool {
        let first = |scenario: &Scenario| key(&self.kind.put(scenario, 0, 0), seed);
        self.batch.seed == seed && self.batch.runs.first().is_some_and(|run| run.key == first(scenario))
    }

    /// The next run, which is none that `running` names. Coarse steps come first, so that even a slow study soon shows the
    /// shape of its curves.
    pub fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<&StudyRun> {
        let last = self.batch.runs.iter().map(|run| run.at.place).max().unwrap_or(0);
        self.batch.next(running, |at| {
            let end = at.place == 0 || at.place == last;
            let first = self.kind.first(at.place).unwrap_or(usize::MAX);
            (first, !end, std::cmp::Reverse((at.place + 1).trailing_zeros()), at.place, at.line)
        })
    }

    /// Stores the outcome of a run.
    pub fn put(&mut self, of: &Key, state: &RunState<Measurement>) {
        self.batch.put(of, state);
        self.forget_before();
    }

    fn forget_before(&mut self) {
        if self.batch.is_complete() {
            self.before.clear();
        }
    }

    /// The runs of a line with their figures, from the first place to the last.
    pub fn line(&self, line: usize) -> impl Iterator<Item = (&StudyPoint, &Measurement)> {
        let of_line = self.batch.runs.iter().filter(move |run| run.at.line == line);
        of_line.filter_map(|run| Some((&run.at, run.known()?)))
    }

    /// The places of a line with the figures from before the last change, as long as the charts show those.
    pub fn before(&self, line: usize) -> impl Iterator<Item = (usize, &Measurement)> {
        let of_line = self.before.iter().filter(move |(at, _)| at.0 == line);
        of_line.map(|(at, measurement)| (at.1, measurement))
    }

    /// The interval of its runs in seconds, if it is shorter than the bench's.
    pub fn shorter_interval(&self) -> Option<u32> {
        let short = self.batch.runs.first()?.scenario.measure.interval_s;
        (self.kind.is_shortened && short < self.batch.base.measure.interval_s).then_some(short)
    }

    /// Why runs are left out, each reason once.
    pub fn left_out(&self) -> Vec<&str> {
        let mut reasons = Vec::new();
        for (_, why) in self.batch.left_out() {
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        reasons
    }
}

impl Batched for Study {
    type At = StudyPoint;
    type Found = Measurement;

    const MANNER: Manner = Manner {
        // Chosen: a study of short runs ends before the reader misses it. One of long runs would keep the machine busy
        // without being asked.
        long: Long::Run(2_000.0),
        // Chosen: no run that starts without being asked takes nearly as long.
        silent_ms: 60_000.0,
        // Chosen: under 1 KB each.
        known_max: 1_000,
    };

    fn batch(&self) -> &Batch<Self::At, Measurement> {
        &self.batch
    }

    fn is_of(&self, base: &Scenario, seed: u64) -> bool {
        Study::is_of(self, base, seed)
    }

    fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<Work<'_>> {
        let run = Study::next(self, running)?;
        Some(Work { key: &run.key, scenario: &run.scenario, seed: self.batch.seed })
    }

    fn put(&mut self, of: &Key, state: &RunState<Measurement>) {
        Study::put(self, of, state);
    }

    fn seen_on_bench(settled: &Settled) -> Option<RunState<Measurement>> {
        Some(RunState::of_figures(settled.snapshot.filled, &settled.measurement))
    }
}

#[cfg(test)]
pub mod tests;
