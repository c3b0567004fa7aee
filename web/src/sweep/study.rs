//! A study: the experiments around what is on the bench that show what one control does. The page runs it by itself. Knows no
//! browser.

use std::rc::Rc;

use zvmlab::scenario::fields::{Kind, field};
use zvmlab::scenario::{AliasShare, DeviceKind};
use zvmlab::{Measurement, Scenario};

use super::{State, reason};
use crate::published::run_like;
use crate::queue::{Key, key};
use crate::words::changes;

/// The numbers of records that the study of guest zHPF takes: those of the exerciser, doubling.
const RECORDS: [u32; 8] = [1, 2, 4, 8, 16, 32, 48, 64];

/// What is studied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// SET CU: how minidisk and paging I/O share the aliases.
    SetCu,
    /// zHPF for guests: command mode against transport mode over the records of an I/O.
    GuestZhpf,
}

impl Subject {
    /// Why `scenario` has nothing to study of this, in a sentence; `None` where it has.
    pub fn lacking(self, scenario: &Scenario) -> Option<&'static str> {
        match self {
            Subject::SetCu => Some(match scenario {
                _ if scenario.lcu.aliases == 0 => "there are no aliases to share",
                _ if !scenario.does_io() => "no guest does minidisk I/O, so paging I/O has all aliases for itself",
                _ if !pages(scenario) => "nothing is paged, so minidisk I/O has all aliases for itself",
                _ if !scenario.paging.alias => "paging I/O uses no aliases",
                _ if !scenario.paging.kind.is_eckd() => "the page volumes are EDEVs, which use no aliases",
                _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which use no aliases",
                _ => return None,
            }),
            Subject::GuestZhpf => Some(match scenario {
                _ if !scenario.does_io() => "no guest does minidisk I/O",
                _ if scenario.guests.iter().any(|group| group.io_records == 0) || pages(scenario) => {
                    "other guests or paging share the processors and the paths"
                }
                _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which have no transport mode",
                _ => return None,
            }),
        }
    }

    /// The places along the horizontal axis, by name.
    pub fn places(self) -> Vec<String> {
        match self {
            Subject::SetCu => shares().iter().map(AliasShare::to_string).collect(),
            Subject::GuestZhpf => RECORDS.iter().map(u32::to_string).collect(),
        }
    }

    /// How many lines the study has.
    fn lines(self) -> usize {
        match self {
            Subject::SetCu => 1,
            Subject::GuestZhpf => 2,
        }
    }

    /// `scenario` as it is at a place on a line.
    fn put(self, scenario: &Scenario, line: usize, place: usize) -> Scenario {
        let mut scenario = scenario.clone();
        match self {
            Subject::SetCu => scenario.lcu.alias_share = shares()[place],
            Subject::GuestZhpf => {
                for group in &mut scenario.guests {
                    group.io_records = RECORDS[place];
                    group.io_zhpf = line == 1;
                }
            }
        }
        scenario
    }

    /// What has changed from one scenario to another, apart from what is studied.
    pub fn changes(self, from: &Scenario, to: &Scenario) -> Vec<String> {
        changes(&self.put(from, 0, 0), &self.put(to, 0, 0))
    }

    /// Where `scenario` stands along the horizontal axis, in places from the first, between two of them if need be; and what
    /// is written there.
    pub fn stands(self, scenario: &Scenario) -> (f64, String) {
        match self {
            Subject::SetCu => share_stands(scenario.lcu.alias_share),
            Subject::GuestZhpf => {
                let group = scenario.guests.first();
                let records = group.map_or(1, |group| group.io_records);
                let mode = if group.is_some_and(|group| group.io_zhpf) { "transport" } else { "command" };
                let unit = if records == 1 { "record" } else { "records" };
                (among(f64::from(records)), format!("{records} {unit}, {mode}"))
            }
        }
    }
}

/// Whether minidisk and paging I/O are both there, so that aliases would have to be shared.
pub fn has_both(scenario: &Scenario) -> bool {
    scenario.does_io() && pages(scenario)
}

/// Whether the guests touch more than central storage holds.
fn pages(scenario: &Scenario) -> bool {
    let touched: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    touched + scenario.minidisks.mdc_mb > scenario.storage.central_mb
}

/// What the volumes are that hold minidisks.
fn minidisk_kind(scenario: &Scenario) -> DeviceKind {
    if scenario.minidisks.volumes > 0 { scenario.minidisks.kind } else { scenario.paging.kind }
}

/// What the two parts of a share add up to as its slider moves.
pub fn total() -> u32 {
    match field("lcu.alias_share").map(|field| field.kind) {
        Some(Kind::Share { total, .. }) => total,
        _ => 16,
    }
}

/// The shares along the slider, from all but one for minidisks to all but one for paging.
fn shares() -> Vec<AliasShare> {
    let total = total();
    (1..total).map(|paging| AliasShare { mdisk: total - paging, paging }).collect()
}

/// Where a share stands among those along the slider, and how it is written there: `3:5 = 6:10`.
fn share_stands(share: AliasShare) -> (f64, String) {
    let shares = shares();
    let last = shares.len() - 1;
    // A share is relative: its part for paging of what the slider's add up to, in places from the first.
    let x = f64::from(share.paging) * f64::from(total()) / (f64::from(share.mdisk) + f64::from(share.paging)) - 1.0;
    let beside = match (x.floor(), x.fract() == 0.0) {
        (at, _) if at < 0.0 => format!(", beyond {}", shares[0]),
        (at, true) if at <= last as f64 && shares[at as usize] == share => String::new(),
        (at, true) if at <= last as f64 => format!(" = {}", shares[at as usize]),
        (at, _) if at >= last as f64 => format!(", beyond {}", shares[last]),
        (at, _) => format!(", between {} and {}", shares[at as usize], shares[at as usize + 1]),
    };
    (x, format!("{share}{beside}"))
}

/// Where so many records stand among [`RECORDS`].
fn among(records: f64) -> f64 {
    let above = RECORDS.iter().position(|&known| f64::from(known) >= records).unwrap_or(RECORDS.len() - 1);
    let Some(below) = above.checked_sub(1) else { return 0.0 };
    let (low, high) = (f64::from(RECORDS[below]), f64::from(RECORDS[above]));
    below as f64 + ((records - low) / (high - low)).clamp(0.0, 1.0)
}

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
    pub subject: Subject,
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
        subject: Subject,
        base: Scenario,
        seed: u64,
        earlier: Option<&Study>,
        known: &dyn Fn(&Key) -> Option<State>,
    ) -> Study {
        let places = subject.places().len();
        let point = |(line, place): (usize, usize)| {
            let scenario = subject.put(&base, line, place);
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
        let all = (0..subject.lines()).flat_map(|line| (0..places).map(move |place| (line, place)));
        let points = all.map(point).collect();
        let mut study = Study { subject, base, seed, points };
        study.forget_before();
        study
    }

    /// Whether it is the study of what is on the bench, wherever that stands on it.
    pub fn is_of(&self, scenario: &Scenario, seed: u64) -> bool {
        let first = |scenario: &Scenario| key(&self.subject.put(scenario, 0, 0), seed);
        self.seed == seed && self.points.first().is_some_and(|point| point.key == first(scenario))
    }

    /// The experiment to be run next, which is none of those that `running` names: coarse first, so that a slow study soon
    /// shows the shape of its curves.
    pub fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<&Point> {
        let due = self.points.iter().filter(|point| point.state == State::Due && !running(&point.key));
        due.min_by_key(|point| {
            let end = point.place == 0 || point.place + 1 == self.subject.places().len();
            (!end, std::cmp::Reverse((point.place + 1).trailing_zeros()), point.place, point.line)
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
