//! The tables of a result: each column with its unit and the name that the published tables have for it.

use pyo3::prelude::*;
use serde::Serialize;
use zvmlab::measurement::{FIGURES, Measurement, OfGroup};
use zvmlab::report::Report;
use zvmlab::snapshot::{RelocationSnapshot, Throttle};
use zvmlab_lab::evidence::Sample;
use zvmlab_lab::words::relocations::member_at;
use zvmlab_lab::words::state;

use crate::kept::Kept;
use crate::table::{Column, Columns, Key};

/// A run, with the number of its host.
type Row<'a> = (usize, &'a Kept);

/// The columns of the keys, for rows of these hosts.
fn keyed(keys: &[Key], hosts: &[usize]) -> Vec<Column> {
    keys.iter().map(|key| Column::key(key, hosts)).collect()
}

/// A table of columns that Python made, `rows` of them long.
#[pyfunction]
pub fn columns(keys: Vec<Key>, rows: usize) -> PyResult<Columns> {
    Columns::new(keyed(&keys, &(0..rows).collect::<Vec<_>>()))
}

/// A column for each figure.
fn figures<'a>(measurements: impl Iterator<Item = &'a Measurement> + Clone) -> impl Iterator<Item = Column> {
    FIGURES.iter().map(move |&figure| {
        let values = measurements.clone().map(move |measurement| measurement.get(figure));
        Column::numbers(figure.id(), figure.unit(), figure.label(), values)
    })
}

/// A word of the model in its serialised form.
fn word(value: impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// A row for each run.
pub fn of_runs(keys: &[Key], rows: &[Row]) -> PyResult<Columns> {
    let of = |get: fn(&Kept) -> Option<f64>| rows.iter().map(move |(_, kept)| get(kept));
    let mut columns = keyed(keys, &rows.iter().map(|(host, _)| *host).collect::<Vec<_>>());
    columns.extend([
        Column::counts("seed", "", "Seed", rows.iter().map(|(_, kept)| Some(kept.seed))),
        Column::texts("digest", "Digest of the end", rows.iter().map(|(_, kept)| Some(format!("{:016x}", kept.digest)))),
        Column::switches("filled", "Filled before the interval", rows.iter().map(|(_, kept)| Some(kept.measurement.filled))),
        Column::texts(
            "steadiness",
            "What the figures are good for",
            rows.iter().map(|(_, kept)| kept.measurement.settling.map(|settling| settling.state.as_str())),
        ),
        Column::numbers("warmup_s", "s", "Warm-up", of(|kept| kept.measurement.settling.map(|one| one.warmup_s))),
        Column::numbers("interval_s", "s", "Interval", of(|kept| Some(kept.measurement.to_s - kept.measurement.from_s))),
        Column::texts("limit", "What limits", rows.iter().map(|(_, kept)| kept.limits.limit.and_then(word))),
    ]);
    columns.extend(figures(rows.iter().map(|(_, kept)| &kept.measurement)));
    Columns::new(columns)
}

/// A row for each figure of each host: mean over its runs, and confidence interval.
pub fn of_figures(keys: &[Key], reports: &[(usize, Report)]) -> PyResult<Columns> {
    let all = || reports.iter().flat_map(|(host, report)| report.figures.iter().map(move |figure| (*host, report, figure)));
    let mut columns = keyed(keys, &all().map(|(host, ..)| host).collect::<Vec<_>>());
    columns.extend([
        Column::texts("figure", "Figure", all().map(|(_, _, figure)| Some(&figure.figure))),
        Column::texts("label", "Name in the published tables", all().map(|(_, _, figure)| Some(&figure.label))),
        Column::texts("unit", "Unit of the values", all().map(|(_, _, figure)| Some(&figure.unit))),
        Column::counts("runs", "", "Runs", all().map(|(_, report, _)| Some(report.runs.len() as u64))),
        Column::numbers("value", "", "Mean over the runs", all().map(|(_, _, figure)| figure.value)),
        Column::numbers("interval_low", "", "95 % from", all().map(|(_, _, figure)| figure.interval_low)),
        Column::numbers("interval_high", "", "95 % to", all().map(|(_, _, figure)| figure.interval_high)),
    ]);
    Columns::new(columns)
}

/// A row for each step of an interval.
pub fn of_series(samples: &[Sample]) -> PyResult<Columns> {
    let measurements = || samples.iter().map(|sample| &sample.measurement);
    let mut columns = vec![
        Column::numbers("from_s", "s", "Begin of the step", measurements().map(|one| Some(one.from_s))),
        Column::numbers("to_s", "s", "End of the step", measurements().map(|one| Some(one.to_s))),
    ];
    columns.extend(figures(measurements()));
    Columns::new(columns)
}

/// A row for each relocation of each run.
pub fn of_relocations(keys: &[Key], rows: &[Row]) -> PyResult<Columns> {
    let all: Vec<(usize, u64, &RelocationSnapshot)> =
        rows.iter().flat_map(|(host, kept)| kept.relocations.iter().map(|one| (*host, kept.seed, one))).collect();
    let seconds =
        |get: fn(&RelocationSnapshot) -> Option<u64>| all.iter().map(move |(_, _, one)| get(one).map(|ns| ns as f64 / 1e9));
    let pages = |get: fn(&RelocationSnapshot) -> u64| all.iter().map(move |(_, _, one)| Some(get(one)));
    let mut columns = keyed(keys, &all.iter().map(|(host, ..)| *host).collect::<Vec<_>>());
    columns.extend([
        Column::counts("seed", "", "Seed", all.iter().map(|(_, seed, _)| Some(*seed))),
        Column::texts("guest", "Guest", all.iter().map(|(_, _, one)| Some(&one.name))),
        Column::texts("source", "Member that it leaves", all.iter().map(|(_, _, one)| Some(member_at(one.from)))),
        Column::texts("destination", "Member that it goes to", all.iter().map(|(_, _, one)| Some(member_at(one.to)))),
        Column::texts("stage", "Stage", all.iter().map(|(_, _, one)| Some(state::stage(one.stage)))),
        Column::texts("end", "How it ended", all.iter().map(|(_, _, one)| one.end.map(state::end))),
        Column::switches("completed", "Completed", all.iter().map(|(_, _, one)| one.end.map(|end| end.code() == 0))),
        Column::numbers("began_s", "s", "VMRELOCATE issued", seconds(|one| one.began_ns)),
        Column::numbers("stopped_s", "s", "Guest stopped", seconds(|one| one.stopped_ns)),
        Column::numbers("started_s", "s", "Guest started again", seconds(|one| one.started_ns)),
        Column::numbers("ended_s", "s", "Relocation ended", seconds(|one| one.ended_ns)),
        Column::numbers("quiesce_s", "s", "Quiesce time", seconds(|one| one.quiesce_ns())),
        Column::numbers("relocation_s", "s", "Relocation time", seconds(|one| one.relocation_ns())),
        Column::counts("passes", "", "Passes", pages(|one| one.passes.len() as u64)),
        Column::counts("pages", "pages", "Pages sent", pages(|one| one.pages())),
        Column::counts("touched_pages", "pages", "Pages ever touched", pages(|one| one.touched_pages)),
        Column::counts("pages_read", "pages", "Pages read from page space", pages(|one| one.pages_read)),
    ]);
    for (at, throttle) in Throttle::ALL.into_iter().enumerate() {
        let name = format!("throttled_{}_s", word(throttle).unwrap_or_default().replace('-', "_"));
        let times = all.iter().map(|(_, _, one)| Some(one.throttled_ns[at] as f64 / 1e9));
        columns.push(Column::numbers(&name, "s", &format!("Held back by {}", state::throttle(throttle)), times));
    }
    Columns::new(columns)
}

/// A row for each group of guests of each run.
pub fn of_groups(runs: &[Kept]) -> PyResult<Columns> {
    let all: Vec<(u64, OfGroup)> =
        runs.iter().flat_map(|kept| kept.measurement.groups.iter().map(|group| (kept.seed, *group))).collect();
    let of = |get: fn(&OfGroup) -> Option<f64>| all.iter().map(move |(_, group)| get(group));
    Columns::new(vec![
        Column::counts("seed", "", "Seed", all.iter().map(|(seed, _)| Some(*seed))),
        Column::counts("group", "", "Group of the scenario, from 0", all.iter().map(|(_, one)| Some(one.group.into()))),
        Column::counts("guests", "", "Guests of the group here", all.iter().map(|(_, one)| Some(one.guests.into()))),
        Column::numbers("etr", "tx/s", "Transactions a second", of(|group| group.etr)),
        Column::numbers(
            "response_ms",
            "ms",
            "Mean time of a cycle, of clients of a round, of servers from the request to the answer",
            of(|group| group.response_ms),
        ),
        Column::numbers("running", "%", "Virtual CPUs that ran", of(|group| Some(group.running))),
        Column::numbers("steal", "%", "Could run but did not", of(|group| Some(group.steal))),
        Column::numbers("storage_wait", "%", "Waited for storage", of(|group| Some(group.storage_wait))),
        Column::numbers("io_wait", "%", "Waited for I/O to minidisks", of(|group| Some(group.io_wait))),
        Column::numbers("list_wait", "%", "Held back by the scheduler", of(|group| Some(group.list_wait))),
    ])
}

/// A row for each resource of each run, the one that is waited for longest first.
pub fn of_limits(runs: &[Kept]) -> PyResult<Columns> {
    let all: Vec<_> = runs
        .iter()
        .flat_map(|kept| kept.limits.resources.iter().map(|one| (kept.seed, one, kept.limits.limit == Some(one.kind))))
        .collect();
    Columns::new(vec![
        Column::counts("seed", "", "Seed", all.iter().map(|(seed, ..)| Some(*seed))),
        Column::texts("resource", "Resource", all.iter().map(|(_, one, _)| word(one.kind))),
        Column::switches("limits", "Limits the run", all.iter().map(|(.., limits)| Some(*limits))),
        Column::counts("count", "", "How many there are", all.iter().map(|(_, one, _)| Some(one.count.into()))),
        Column::numbers("busy", "%", "Busy", all.iter().map(|(_, one, _)| Some(one.busy * 100.0))),
        Column::numbers("queue", "", "Waited for it, mean", all.iter().map(|(_, one, _)| Some(one.queue))),
        Column::numbers(
            "waiting",
            "%",
            "Time spent waiting for it",
            all.iter().map(|(_, one, _)| Some(one.waiting * 100.0)),
        ),
    ])
}
