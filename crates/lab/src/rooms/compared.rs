//! What a view compares: the run now, the baseline and the published run of the same configuration; with the words and
//! looks by which charts tell them apart.

use std::rc::Rc;

use zvmlab::{Figure, Measurement, Scenario, Snapshot};

use crate::chart::time::SIMULATED_TIME;
use crate::chart::{Chart, Grid, Key, Level, Lines, Plot, Point, Quantity, Row, Series, Source};
use crate::evidence::{Evidence, Sample, Settled};
use crate::published::{PublishedRun, run_like};

/// The look of the model's present result.
pub const NOW: usize = 0;
/// The look of the baseline.
pub const PINNED: usize = 1;
/// The look of published figures.
pub const PUBLISHED: usize = 3;

/// How far charts of a live run look back for rates, in simulated nanoseconds. Chosen: long enough for steady figures, short
/// enough to see a change.
const LOOK_BACK_NS: u64 = 10_000_000_000;

/// Why a chart is empty before the first result.
pub const NO_RESULT: &str =
    "There is nothing to show yet. It appears when the first experiment ends, or as a live run goes on.";

/// Why a chart of I/Os is empty although there is a result.
pub const NO_PAGING: &str = "No I/O has ended: all that the guests touch fits in central storage.";

/// The time between two snapshots.
#[derive(Clone, Copy)]
pub struct Window<'a> {
    /// The state at its start; none if it starts with the run.
    pub from: Option<&'a Snapshot>,
    /// The state at its end.
    pub to: &'a Snapshot,
}

impl Window<'_> {
    /// How much a counter grew.
    pub fn growth(&self, counter: impl Fn(&Snapshot) -> u64) -> f64 {
        counter(self.to).saturating_sub(self.from.map_or(0, &counter)) as f64
    }

    /// Simulated nanoseconds between the two.
    pub fn elapsed_ns(&self) -> f64 {
        self.growth(|snapshot| snapshot.now_ns).max(1.0)
    }
}

/// Whether the samples are of a live run and not of the settled experiment.
pub fn is_live(evidence: &Evidence) -> bool {
    !evidence.history.is_empty()
        && evidence.settled.as_ref().is_none_or(|settled| !Rc::ptr_eq(&evidence.history, &settled.series))
}

/// The name of the baseline. The result panel has the same, and says what it is.
pub const BEFORE: &str = "A";

/// The word for the model's present result.
pub fn now_name(evidence: &Evidence) -> &'static str {
    if is_live(evidence) { "live run" } else { "now" }
}

/// The word for the settled result. During a live run that is not what happens now.
pub fn settled_name(evidence: &Evidence) -> &'static str {
    if is_live(evidence) { "settled" } else { "now" }
}

/// The newest state.
pub fn newest(evidence: &Evidence) -> Option<&Snapshot> {
    let sampled = evidence.history.last().map(|sample| &sample.snapshot);
    sampled.or_else(|| evidence.settled.as_ref().map(|settled| &settled.snapshot))
}

/// The figures of now: of the newest sample of a live run, else of the settled experiment.
pub fn figures(evidence: &Evidence) -> Option<&Measurement> {
    let live = evidence.history.last().filter(|_| is_live(evidence)).map(|sample| &sample.measurement);
    live.or_else(|| evidence.settled.as_ref().map(|settled| &settled.measurement))
}

/// The time for which rates of now are taken: the interval of the settled experiment, or the last seconds of a live run.
pub fn window(evidence: &Evidence) -> Option<Window<'_>> {
    if is_live(evidence) {
        let to = &evidence.history.last()?.snapshot;
        let start = to.now_ns.saturating_sub(LOOK_BACK_NS);
        let from = evidence.history.iter().map(|sample| &sample.snapshot).find(|snapshot| snapshot.now_ns >= start);
        return Some(Window { from: from.filter(|from| from.now_ns < to.now_ns), to });
    }
    evidence.settled.as_deref().map(window_of)
}

/// The interval of a settled experiment, as far as it was sampled.
pub fn window_of(settled: &Settled) -> Window<'_> {
    let first = settled.series.first().map(|sample| &sample.snapshot);
    Window { from: first.filter(|first| first.now_ns < settled.snapshot.now_ns), to: &settled.snapshot }
}

/// The baseline, unless it is the settled result.
pub fn pinned(evidence: &Evidence) -> Option<&Settled> {
    let same = |pinned: &&Settled| {
        evidence.settled.as_ref().is_some_and(|now| now.scenario == pinned.scenario && now.seed == pinned.seed)
    };
    evidence.pinned.as_deref().filter(|pinned| is_live(evidence) || !same(pinned))
}

/// Whether guests do I/O to minidisks, in the live run or in the settled result.
pub fn does_io(evidence: &Evidence) -> bool {
    seen(evidence).any(|snapshot| snapshot.guests.iter().any(|guest| guest.does_io))
}

/// Whether there was paging I/O, in the live run, which may not have paged yet, or in the settled result.
pub fn pages(evidence: &Evidence) -> bool {
    seen(evidence).any(|snapshot| snapshot.paging.ios.starts > 0)
}

/// Whether there are transactions of guests that do no I/O.
pub fn has_etr(evidence: &Evidence) -> bool {
    seen(evidence).any(|snapshot| snapshot.guests.iter().any(|guest| !guest.does_io))
}

/// The newest state, and the settled one.
fn seen(evidence: &Evidence) -> impl Iterator<Item = &Snapshot> {
    let settled = evidence.settled.as_ref().map(|settled| &settled.snapshot);
    newest(evidence).into_iter().chain(settled)
}

/// Whether there is anything to show.
pub fn has_result(evidence: &Evidence) -> bool {
    newest(evidence).is_some()
}

/// The published run of the present configuration.
pub fn current(evidence: &Evidence) -> Option<&PublishedRun> {
    let id = evidence.current_run.as_ref()?;
    evidence.published.iter().find(|run| &run.id == id)
}

/// The origin of an exported file: model version, setting and seed, and those of the baseline that stands beside.
pub fn provenance(evidence: &Evidence) -> String {
    let Some(settled) = &evidence.settled else { return format!("zvmlab {}", env!("CARGO_PKG_VERSION")) };
    let host = |of: &Settled| format!("{}: {}; seed {}", of.scenario.name, setting(&of.scenario), of.seed);
    let baseline = pinned(evidence).map(|pinned| format!("; {BEFORE} is {}", host(pinned))).unwrap_or_default();
    format!("zvmlab {}, {}{baseline}", env!("CARGO_PKG_VERSION"), host(settled))
}

/// A scenario in a line.
pub fn setting(scenario: &Scenario) -> String {
    let paging = &scenario.paging;
    let group = |group: &zvmlab::scenario::GuestGroup| match group.io_records {
        0 => format!("{} guests looping through {} MB", group.count, group.loop_mb),
        records => {
            let mode = if group.io_zhpf { "transport" } else { "command" };
            format!("{} guests doing I/O of {records} records in {mode} mode", group.count)
        }
    };
    let guests: Vec<String> = scenario.guests.iter().map(group).collect();
    let kind = |count: u32, kind: zvmlab::scenario::DeviceKind| match kind {
        zvmlab::scenario::DeviceKind::EckdSpinning => String::new(),
        _ if count == 0 => String::new(),
        other => format!(" ({})", other.as_str()),
    };
    let others = match paging.other_volumes {
        0 => String::new(),
        count => format!(", {count} other page volumes ({})", paging.other_kind.as_str()),
    };
    let minidisks = &scenario.minidisks;
    let minidisks = match scenario.does_io() {
        true => format!(
            ", {} minidisk volumes{}, alias share {}",
            minidisks.volumes,
            kind(minidisks.volumes, minidisks.kind),
            scenario.lcu.alias_share
        ),
        false => String::new(),
    };
    format!(
        "z/VM {}, {} processors, {} MB, {} paging volumes{}{others}{minidisks}, {} aliases, zHPF {}, {}",
        scenario.level.as_str(),
        scenario.processors.count,
        scenario.storage.central_mb,
        paging.volumes,
        kind(paging.volumes, paging.kind),
        scenario.lcu.aliases,
        if paging.zhpf { "on" } else { "off" },
        guests.join(", ")
    )
}

/// The published runs that have `figure`, with its sources.
pub fn sources<'a>(runs: impl Iterator<Item = &'a PublishedRun>, figure: Figure) -> Vec<Source> {
    let source = |run: &PublishedRun| {
        let published = run.figures.iter().find(|published| published.figure == figure)?;
        let value = crate::words::unit::with_unit(published.value, figure.unit());
        let text = format!("{}, {} {value}", run.title, figure.label());
        Some(Source { run: run.id.clone(), text, citation: published.source.clone() })
    };
    runs.filter_map(source).collect()
}

/// Sources that stand one after the other with the same run as one, with all that it says.
pub fn once_each(sources: impl Iterator<Item = Source>) -> Vec<Source> {
    let mut all: Vec<Source> = Vec::new();
    for source in sources {
        match all.last_mut().filter(|last| last.run == source.run) {
            Some(last) => {
                // The first words are those of the run, which stand there already.
                let figure = source.text.rsplit_once(", ").map_or(source.text.as_str(), |(_, figure)| figure);
                last.text = format!("{}, {figure}", last.text);
            }
            None => all.push(source),
        }
    }
    all
}

/// A chart with the origin of this evidence.
pub fn chart(evidence: &Evidence, id: &'static str, title: &str, summary: String, plot: Plot) -> Chart {
    Chart { id, title: title.into(), summary, plot, sources: Vec::new(), provenance: provenance(evidence) }
}

/// A line over simulated time, with one point for each sample that has the value.
pub fn curve(evidence: &Evidence, name: &str, look: usize, value: impl Fn(&Sample) -> Option<f64>) -> Series {
    let point = |sample: &Rc<Sample>| {
        let y = value(sample).filter(|y| y.is_finite())?;
        Some(Point { x: sample.snapshot.now_ns as f64 / 1e9, y, label: None })
    };
    Series { key: Key::new(name, look), joined: true, points: evidence.history.iter().filter_map(point).collect() }
}

/// Curves over simulated time; if none has a point, the sentence that says why.
pub fn over_time(y: Quantity, series: Vec<Series>, levels: Vec<Level>) -> Plot {
    if series.iter().all(|series| series.points.is_empty()) {
        return Plot::Nothing(NO_RESULT.into());
    }
    Plot::Lines(Lines { x: Quantity::new(SIMULATED_TIME, "s"), y, series, levels, ..Lines::default() })
}

/// The levels of `figure`: of the baseline and of the published run.
pub fn levels(evidence: &Evidence, figure: Figure) -> Vec<Level> {
    let pinned =
        pinned(evidence).and_then(|pinned| pinned.measurement.get(figure)).map(|value| (BEFORE.to_string(), value, PINNED));
    let published =
        current(evidence).and_then(|run| Some((format!("{}, published", run.id), run.value(figure)?, PUBLISHED)));
    pinned.into_iter().chain(published).map(|(name, value, look)| Level { name, value, look }).collect()
}

/// Rows of `parts`, figures that add up: for the live run, the settled result, the baseline and the published result.
pub fn rows(evidence: &Evidence, parts: &[Figure]) -> Vec<Row> {
    let row = |label: String, get: &dyn Fn(Figure) -> Option<f64>| Row {
        label,
        values: parts.iter().map(|&part| get(part)).collect(),
    };
    let mut rows = Vec::new();
    if is_live(evidence)
        && let Some(now) = figures(evidence)
    {
        rows.push(row("live run".into(), &|part| now.get(part)));
    }
    if let Some(settled) = &evidence.settled {
        rows.push(row(settled_name(evidence).into(), &|part| settled.measurement.get(part)));
    }
    if let Some(pinned) = pinned(evidence) {
        rows.push(row(BEFORE.into(), &|part| pinned.measurement.get(part)));
    }
    rows.retain(|row| row.values.iter().any(Option::is_some));
    if let Some(run) = current(evidence).filter(|run| parts.iter().all(|&part| run.value(part).is_some())) {
        rows.push(row(format!("{}, published", run.id), &|part| run.value(part)));
    }
    rows
}

/// Columns for each device, now and in the baseline. `measure` gives one value for each device; `names` has the names of
/// devices that are more than a number.
pub fn columns(
    evidence: &Evidence,
    row_name: &str,
    value: Quantity,
    levels: Vec<Level>,
    names: &[String],
    measure: &dyn Fn(Window) -> Vec<f64>,
) -> Option<Grid> {
    let mut columns = vec![(Key::new(now_name(evidence), NOW), measure(window(evidence)?))];
    columns.extend(pinned(evidence).map(|pinned| (Key::new(BEFORE, PINNED), measure(window_of(pinned)))));
    let count = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let row = |index: usize| Row {
        label: names.get(index).cloned().unwrap_or_else(|| (index + 1).to_string()),
        values: columns.iter().map(|(_, values)| values.get(index).copied()).collect(),
    };
    let rows = (0..count).map(row).collect();
    let keys = columns.iter().map(|(key, _)| key.clone()).collect();
    Some(Grid { row_name: row_name.into(), value, keys, rows, levels, at_least: 0.0 })
}

/// The id of the published run with the configuration of a result.
pub fn run_of(settled: &Settled) -> Option<String> {
    run_like(&settled.scenario)
}

#[cfg(test)]
pub mod tests;
