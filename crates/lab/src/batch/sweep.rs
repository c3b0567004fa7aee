//! A sweep: the batch of one run for each value of one knob, or of several with a seed each, whose mean has an interval then. All else
//! stays as it was on the bench when the sweep began. Knows no browser.

pub mod form;
pub mod sentence;

use crate::words::letters;
use zvmlab::kernel::statistics::Interval;
use zvmlab::scenario::fields::{
    Kind,
    path::{self, room},
};
use zvmlab::scenario::{AliasShare, Channel, Mechanism, Tenths};
use zvmlab::{Figure, Measurement, Scenario};

use super::queue::{Key, key};
use super::{Batch, Run, RunState};
use crate::comparison::Pair;
use crate::evidence::Settled;
use crate::knob::Knob;
use crate::knob::changes::changes;
use crate::published::{PublishedRun, run_like};
use crate::subjects::Subject;
use crate::subjects::lead::GROUP_CPU;
use crate::words::number::storage_mb;
use zvmlab::order;

/// Most values of a sweep. Chosen: for both modes of I/O they take a minute or two of computing.
pub const VALUES_MAX: u64 = 33;

/// The figures of paging that a sweep can show.
const OF_PAGING: &[Figure] = &[Figure::PagesPerSecond, Figure::ServiceTime, Figure::IosInProgress, Figure::StorageWait];
/// The figures that a sweep can show if a host is about the scheduler and processors.
const OF_PROCESSORS: &[Figure] = &[Figure::ResponseTime, Figure::Utilization, Figure::ReadyWait, Figure::ForgottenWork];
/// The figures that a sweep can show if guests are relocated.
const OF_RELOCATION: &[Figure] = &[
    Figure::RelocationTime,
    Figure::RelocationTotal,
    Figure::QuiesceTime,
    Figure::QuiesceTimeWorst,
    Figure::RelocationsCompleted,
    Figure::RelocationsEnded,
    Figure::MemoryPasses,
    Figure::MemoryMoved,
    Figure::LinkBusy,
    Figure::ThrottledPaging,
    Figure::ThrottledMemory,
    Figure::ThrottledLink,
];
/// The figures of minidisk I/O that a sweep can show.
const OF_MINIDISKS: &[Figure] = &[
    Figure::MdiskVolumeRate,
    Figure::MdiskServiceTime,
    Figure::MdiskWaitTime,
    Figure::MdiskCpTime,
    Figure::MdiskQueue,
    Figure::MdcHitPercent,
];

/// The figures that a sweep of `scenario` can show, the most telling first.
pub fn figures(scenario: &Scenario) -> Vec<Figure> {
    let pages = scenario.guests.iter().any(|group| group.io_records == 0);
    let (io, aliases) = (scenario.does_io(), scenario.lcu.aliases > 0);
    let mut figures = Vec::new();
    figures.extend(OF_RELOCATION.iter().filter(|_| scenario.relocates()));
    figures.extend((scenario.cluster.members > 1).then_some(Figure::ClusterEtr));
    figures.extend(pages.then_some(Figure::Etr));
    figures.extend(io.then_some(Figure::MdiskEtr));
    if scenario.connection_count() > 0 {
        figures.extend([Figure::ConnectionsClientWait, Figure::ConnectionsServerWait]);
    }
    figures.extend((io && aliases).then_some(Figure::MdiskAliases));
    figures.extend((io && aliases && pages).then_some(Figure::PagingAliases));
    let subject = Subject::of(scenario, None);
    if subject.is_of_processors() || subject.is_of_relocation() {
        figures.extend(OF_PROCESSORS);
        figures.extend(GROUP_CPU.iter().take(scenario.guests.len()).filter(|_| scenario.guests.len() > 1));
        figures.extend(scenario.has(Mechanism::EligibleList).then_some(Figure::EligibleGuests));
        figures.extend(scenario.processors.shared.then_some(Figure::PrsmOverhead));
    } else if scenario.guests.iter().any(|group| group.think_ms > Tenths::ZERO) {
        figures.push(Figure::ResponseTime);
    }
    figures.extend(OF_PAGING.iter().filter(|_| pages));
    figures.extend((io && pages).then_some(Figure::PagingQueue));
    let cached = |figure: &&Figure| **figure != Figure::MdcHitPercent || scenario.minidisks.is_cached();
    figures.extend(OF_MINIDISKS.iter().filter(|_| io).filter(cached));
    figures.push(Figure::PathBusy);
    figures
}

/// The figure that a sweep of `scenario` shows when `wanted` was chosen. If the sweep has no such figure, it is another.
pub fn shown(wanted: Figure, scenario: &Scenario) -> Figure {
    let figures = figures(scenario);
    if figures.contains(&wanted) { wanted } else { figures.first().copied().unwrap_or(wanted) }
}

/// The smallest and the largest value of a knob that can be swept. For a share these are places, from all but one for minidisk I/O
/// to all but one for paging.
pub fn bounds(knob: &Knob) -> Option<(u64, u64)> {
    match knob.field.kind {
        Kind::Whole { min, max, .. } => Some((min, max)),
        // In whole numbers.
        Kind::Tenths { min, max, .. } => Some((min.0.div_ceil(10).into(), (max.0 / 10).into())),
        Kind::Share { total, .. } => Some((1, u64::from(total) - 1)),
        _ => None,
    }
}

/// The value of a knob in `scenario`.
pub fn value(knob: &Knob, scenario: &Scenario) -> Option<u64> {
    if knob.field.room() == room::GUESTS && knob.group >= scenario.guests.len() {
        return None;
    }
    match knob.field.kind {
        Kind::Whole { get, .. } => Some(get(scenario, knob.group)),
        Kind::Tenths { get, .. } => Some(u64::from(get(scenario, knob.group).0) / 10),
        Kind::Share { .. } => knob.share_place(scenario).map(u64::from),
        _ => None,
    }
}

/// Turns a knob of `scenario` to a value.
fn set_value(knob: &Knob, scenario: &mut Scenario, value: u64) {
    match knob.field.kind {
        Kind::Whole { set, .. } => set(scenario, knob.group, value),
        Kind::Tenths { set, .. } => set(scenario, knob.group, Tenths::whole(value as u32)),
        Kind::Share { total, set, .. } => set(scenario, knob.group, share_at(total, value)),
        _ => {}
    }
}

/// The share at a place of its slider.
fn share_at(total: u32, place: u64) -> AliasShare {
    let paging = (place as u32).min(total);
    AliasShare { mdisk: total - paging, paging }
}

/// Whether the knob's I/O is in transport mode: the I/O of a group of guests, or paging.
fn mode(knob: &Knob, scenario: &Scenario) -> bool {
    match knob.field.path {
        path::GUESTS_IO_RECORDS => scenario.guests.get(knob.group).is_some_and(|group| group.io_zhpf),
        _ => scenario.paging.zhpf,
    }
}

fn set_mode(knob: &Knob, scenario: &mut Scenario, zhpf: bool) {
    match knob.field.path {
        path::GUESTS_IO_RECORDS => {
            scenario.guests.iter_mut().skip(knob.group).take(1).for_each(|group| group.io_zhpf = zhpf)
        }
        _ => scenario.paging.zhpf = zhpf,
    }
}

/// `base` with a knob at a value and its I/O in a mode.
fn at(base: &Scenario, knob: &Knob, zhpf: bool, value: u64) -> Scenario {
    let mut scenario = base.clone();
    set_value(knob, &mut scenario, value);
    set_mode(knob, &mut scenario, zhpf);
    scenario
}

/// The modes for which a sweep has a line.
fn modes(knob: &Knob, base: &Scenario) -> Vec<bool> {
    let both = match knob.field.path {
        path::PAGING_VOLUMES | path::LCU_ALIASES => {
            !base.level.lacks(Mechanism::PagingZhpf) && base.lcu.channel >= Channel::Express8S && base.paging.kind.is_eckd()
        }
        path::GUESTS_IO_RECORDS => !base.level.lacks(Mechanism::GuestZhpf) && base.minidisks.kind.is_eckd(),
        _ => false,
    };
    if both { vec![false, true] } else { vec![mode(knob, base)] }
}

/// What to sweep: a knob, and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRange {
    /// Which knob.
    pub knob: Knob,
    /// Its values, ascending.
    pub values: Vec<u64>,
}

/// The place of a run in a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint {
    /// The value of the knob.
    pub value: u64,
    /// Whether the knob's I/O is in transport mode (zHPF).
    pub zhpf: bool,
    /// Which of the runs at this value, from 0: each has another seed.
    pub replication: usize,
}

/// One run of a sweep.
pub type SweepRun = Run<SweepPoint, Measurement>;

/// The settled runs at one value of the knob.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The value.
    pub value: u64,
    /// What its runs came to; at least one.
    known: Vec<&'a Measurement>,
}

impl Place<'_> {
    /// A figure: the mean over the runs that have it, and its 95 % interval if there are several.
    pub fn mean(&self, figure: Figure) -> Option<(f64, Option<Interval>)> {
        let pair = Pair::of(figure, &[], &self.known);
        Some((pair.now?, pair.interval))
    }

    /// The mean of a figure.
    pub fn get(&self, figure: Figure) -> Option<f64> {
        Some(self.mean(figure)?.0)
    }
}

/// The runs of one mode of I/O, in ascending order of the knob's value.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Whether the knob's I/O is in transport mode (zHPF).
    pub zhpf: bool,
    /// Its runs.
    pub runs: &'a [SweepRun],
}

impl<'a> Line<'a> {
    /// The runs at each value.
    fn at_values(&self) -> impl Iterator<Item = &'a [SweepRun]> + use<'a> {
        self.runs.chunk_by(|a, b| a.at.value == b.at.value)
    }

    /// The values of the knob.
    pub fn values(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.at_values().map(|runs| runs[0].at.value)
    }

    /// The values of which at least one run has settled.
    pub fn known(&self) -> impl Iterator<Item = Place<'a>> + use<'a> {
        let place = |runs: &'a [SweepRun]| Place {
            value: runs[0].at.value,
            known: runs.iter().filter_map(SweepRun::known).collect(),
        };
        self.at_values().map(place).filter(|place| !place.known.is_empty())
    }

    /// Its smallest and its largest value.
    fn ends(&self) -> Option<(u64, u64)> {
        Some((self.runs.first()?.at.value, self.runs.last()?.at.value))
    }
}

/// A sweep, under way or over.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The knob that is swept.
    pub knob: Knob,
    /// How many runs there are at each value.
    pub replications: usize,
    /// Its runs; the runs of a line stand together, and in it those of a value.
    pub batch: Batch<SweepPoint, Measurement>,
    /// Whether it goes on unasked.
    pub running: bool,
}

impl Sweep {
    /// A sweep of `base`, with a run for each of `seeds` at each value. A run that `known` has a result for is not made again.
    pub fn begin(
        base: Scenario,
        seeds: &[u64],
        range: &SweepRange,
        known: &dyn Fn(&Key) -> Option<RunState<Measurement>>,
    ) -> Sweep {
        let knob = range.knob;
        let mut runs = Vec::new();
        for zhpf in modes(&knob, &base) {
            for &value in &range.values {
                let scenario = at(&base, &knob, zhpf, value);
                let run = |(replication, &seed)| (SweepPoint { value, zhpf, replication }, scenario.clone(), seed);
                runs.extend(seeds.iter().enumerate().map(run));
            }
        }
        let seed = seeds.first().copied().unwrap_or_default();
        Sweep { knob, replications: seeds.len(), batch: Batch::of_seeds(base, seed, runs, known), running: true }
    }

    /// The seeds of its runs in words: `seed 1`, `seeds 1 to 5`.
    pub fn seeds(&self) -> String {
        let of = |replication: usize| self.batch.runs.get(replication).map_or(self.batch.seed, |run| run.key.1);
        match self.replications {
            0 | 1 => format!("seed {}", of(0)),
            count => format!("seeds {} to {}", of(0), of(count - 1)),
        }
    }

    /// One line; if the knob is one of devices or of an I/O, one line without and one with zHPF.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let of_mode = self.batch.runs.chunk_by(|a, b| a.at.zhpf == b.at.zhpf);
        of_mode.map(|runs| Line { zhpf: runs[0].at.zhpf, runs }).collect()
    }

    /// The next `count` runs to make: from the smallest value on, all lines together. The whole sweep is made with the first seed
    /// before the next one begins, so that the curve is soon there and becomes surer.
    pub fn due(&self, count: usize) -> Vec<&SweepRun> {
        self.batch.due(count, |at| (at.replication, at.value, at.zhpf))
    }

    /// A run has settled, whoever asked for it.
    pub fn heard(&mut self, of: &Key, settled: &Settled) {
        self.batch.put(of, &RunState::of_figures(settled.snapshot.filled, &settled.measurement));
    }

    /// A run cannot be made.
    pub fn leave_out(&mut self, of: &Key, why: &str) {
        self.batch.put(of, &RunState::LeftOut(letters::within(why.trim_end_matches('.'))));
    }

    /// The settled results, which another sweep need not run again.
    pub fn known(&self, of: &Key) -> Option<RunState<Measurement>> {
        let run = self.batch.runs.iter().find(|run| run.key == *of && run.known().is_some());
        run.map(|run| run.state.clone())
    }

    /// The scenario at a place on a line.
    fn scenario(&self, zhpf: bool, value: u64) -> Scenario {
        at(&self.batch.base, &self.knob, zhpf, value)
    }

    /// The line of a mode.
    fn line(&self, zhpf: bool) -> Option<Line<'_>> {
        self.lines().into_iter().find(|line| line.zhpf == zhpf)
    }

    /// The value of the knob at which `scenario` is on one of the lines, and whether that line has zHPF.
    pub fn place(&self, scenario: &Scenario) -> Option<(u64, bool)> {
        let value = self.value(scenario)?;
        let line = self.line(self.mode(scenario))?;
        let (first, last) = line.ends()?;
        let same = key(&self.scenario(line.zhpf, value), 0) == key(scenario, 0);
        ((first..=last).contains(&value) && same).then_some((value, line.zhpf))
    }

    /// The value of the swept knob in `scenario`.
    fn value(&self, scenario: &Scenario) -> Option<u64> {
        value(&self.knob, scenario)
    }

    /// Whether `scenario` belongs on the line with zHPF.
    pub fn mode(&self, scenario: &Scenario) -> bool {
        mode(&self.knob, scenario)
    }

    /// The published runs on the lines, each with its value of the knob.
    pub fn published<'a>(&self, runs: &'a [PublishedRun]) -> Vec<(u64, &'a PublishedRun)> {
        let place = |run: &'a PublishedRun| {
            let (value, zhpf) = (self.value(&run.scenario)?, self.mode(&run.scenario));
            let (first, last) = self.line(zhpf)?.ends()?;
            let same = run_like(&self.scenario(zhpf, value)).as_ref() == Some(&run.id);
            ((first..=last).contains(&value) && same).then_some((value, run))
        };
        let mut found: Vec<_> = runs.iter().filter_map(place).collect();
        order::by_key(&mut found, |(value, _)| *value);
        found
    }

    /// What has changed on the bench since then, except the swept knob.
    pub fn changed_since(&self, now: &Scenario, seed: u64, replications: u32) -> Vec<String> {
        let mut alike = now.clone();
        if let (Some(value), Some(_)) = (self.value(&self.batch.base), self.value(now)) {
            set_value(&self.knob, &mut alike, value);
        }
        if self.lines().len() > 1 {
            set_mode(&self.knob, &mut alike, self.mode(&self.batch.base));
        }
        let mut changed = changes(&self.batch.base, &alike);
        if seed != self.batch.seed {
            changed.push(format!("seed {} → {seed}", self.batch.seed));
        }
        let replications = replications.max(1) as usize;
        if replications != self.replications {
            changed.push(format!("replications {} → {replications}", self.replications));
        }
        changed
    }

    /// Which values are left out and why, one sentence for each reason.
    pub fn left_out(&self) -> Vec<String> {
        let mut by_reason: Vec<(&str, Vec<u64>)> = Vec::new();
        for (&SweepPoint { value, .. }, why) in self.batch.left_out() {
            match by_reason.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, values)) if values.contains(&value) => {}
                Some((_, values)) => values.push(value),
                None => by_reason.push((why, vec![value])),
            }
        }
        let sentence = |(why, values): (&str, Vec<u64>)| {
            let named: Vec<String> = values.iter().map(|value| bare(&self.knob, *value)).collect();
            format!("Left out: {} at {}, because {why}.", self.knob.field.label, and(&named))
        };
        by_reason.into_iter().map(sentence).collect()
    }
}

/// `a, b and c`.
fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A value of the knob without the word for what is counted: `8`, `128 GB`, `15:1`.
pub fn bare(knob: &Knob, value: u64) -> String {
    match (knob.field.kind, knob.field.unit) {
        (Kind::Share { total, .. }, _) => share_at(total, value).to_string(),
        (_, "MB") => storage_mb(value),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
