//! A study: the experiments around what is on the bench that show what one control does. The page runs it by itself. Knows no
//! browser.

use std::rc::Rc;

use zvmlab::{Measurement, Scenario};

use super::sweep::{State, reason};
use crate::batch::queue::{Key, key};
use crate::published::run_like;
use crate::studies::StudyKind;

/// One experiment of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Which line it is on.
    pub line: usize,
    /// Which place it has along the horizontal axis.
    pub place: usize,
    /// What is run.
    pub scenario: Rc<Scenario>,
    /// Its key.
    pub key: Key,
    /// The published run with this configuration.
    pub run: Option<String>,
    /// What is known of it.
    pub state: State,
    /// What was known here before the last change, until the study is complete again.
    before: Option<Measurement>,
}

impl Point {
    /// Its figures, where they are known.
    pub fn known(&self) -> Option<&Measurement> {
        match &self.state {
            State::Known(measurement) => Some(measurement),
            _ => None,
        }
    }
}

/// A study, under way or complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// What is studied.
    pub kind: StudyKind,
    /// What was on the bench when it began.
    pub base: Scenario,
    /// The seed of all its experiments.
    pub seed: u64,
    /// Its experiments.
    pub points: Vec<Point>,
}

impl Study {
    /// A study of `base`. What `known` tells of an experiment is not run again; what `earlier` has found is kept to be seen
    /// until this one is complete.
    pub fn begin(
        kind: StudyKind,
        base: Scenario,
        seed: u64,
        earlier: Option<&Study>,
        known: &dyn Fn(&Key) -> Option<State>,
    ) -> Study {
        let places = kind.places(&base).len();
        let point = |(line, place): (usize, usize)| {
            let scenario = kind.put(&base, line, place);
            let key = key(&scenario, seed);
            let state = match scenario.check() {
                Err(error) => State::LeftOut(error.problems.first().map(reason).unwrap_or_default()),
                Ok(()) => known(&key).unwrap_or(State::Due),
            };
            let same = |point: &&Point| point.line == line && point.place == place;
            let old = earlier.and_then(|earlier| earlier.points.iter().find(same));
            let before = old.and_then(|old| old.known().or(old.before.as_ref()).cloned());
            Point { line, place, run: run_like(&scenario), scenario: Rc::new(scenario), key, state, before }
        };
        let all = (0..kind.lines()).flat_map(|line| (0..places).map(move |place| (line, place)));
        let points = all.map(point).collect();
        let mut study = Study { kind, base, seed, points };
        study.forget_before();
        study
    }

    /// The places along the horizontal axis, by name.
    pub fn places(&self) -> Vec<String> {
        self.kind.places(&self.base)
    }

    /// Whether it is the study of what is on the bench, wherever that stands on it.
    pub fn is_of(&self, scenario: &Scenario, seed: u64) -> bool {
        let first = |scenario: &Scenario| key(&self.kind.put(scenario, 0, 0), seed);
        self.seed == seed && self.points.first().is_some_and(|point| point.key == first(scenario))
    }

    /// The experiment to be run next, which is none of those that `running` names: coarse first, so that a slow study soon
    /// shows the shape of its curves.
    pub fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<&Point> {
        let last = self.points.iter().map(|point| point.place).max().unwrap_or(0);
        let due = self.points.iter().filter(|point| point.state == State::Due && !running(&point.key));
        due.min_by_key(|point| {
            let end = point.place == 0 || point.place == last;
            let first = self.kind.first(point.place).unwrap_or(usize::MAX);
            (first, !end, std::cmp::Reverse((point.place + 1).trailing_zeros()), point.place, point.line)
        })
    }

    /// What is known of an experiment now.
    pub fn put(&mut self, of: &Key, state: &State) {
        self.points.iter_mut().filter(|point| point.key == *of && point.state == State::Due).for_each(|point| {
            point.state = state.clone();
        });
        self.forget_before();
    }

    fn forget_before(&mut self) {
        if self.is_complete() {
            self.points.iter_mut().for_each(|point| point.before = None);
        }
    }

    /// Whether no experiment is to come.
    pub fn is_complete(&self) -> bool {
        self.points.iter().all(|point| point.state != State::Due)
    }

    /// How many experiments have settled, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let known = self.points.iter().filter(|point| point.known().is_some()).count();
        (known, known + self.points.iter().filter(|point| point.state == State::Due).count())
    }

    /// The points of a line with their figures, from the first place to the last.
    pub fn line(&self, line: usize) -> impl Iterator<Item = (&Point, &Measurement)> {
        self.points.iter().filter(move |point| point.line == line).filter_map(|point| Some((point, point.known()?)))
    }

    /// The places of a line with the figures that they had before the last change, as long as those are shown.
    pub fn before(&self, line: usize) -> impl Iterator<Item = (usize, &Measurement)> {
        let points = self.points.iter().filter(move |point| point.line == line);
        points.filter_map(|point| Some((point.place, point.before.as_ref()?)))
    }

    /// The interval of its points in seconds, where it is shorter than that of the bench.
    pub fn shorter_interval(&self) -> Option<u32> {
        let short = self.points.first()?.scenario.measure.interval_s;
        (self.kind == StudyKind::Storbuf && short < self.base.measure.interval_s).then_some(short)
    }

    /// Why experiments are left out, each reason once.
    pub fn left_out(&self) -> Vec<&str> {
        let mut reasons = Vec::new();
        for point in &self.points {
            if let State::LeftOut(why) = &point.state
                && !reasons.contains(&why.as_str())
            {
                reasons.push(why);
            }
        }
        reasons
    }
}

#[cfg(test)]
pub mod tests;
