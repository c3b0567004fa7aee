//! A sweep as a chart: the model's lines over the knob, the published runs on them, and the present setting of the bench.

use std::collections::BTreeSet;

use crate::words::letters;
use zvmlab::kernel::statistics::Interval;
use zvmlab::scenario::fields::Kind;
use zvmlab::{Figure, Measurement, Scenario};

use super::compared::{NOW, PUBLISHED, setting, sources};
use crate::batch::sweep::sentence::summary;
use crate::batch::sweep::{Line, Sweep, bare};
use crate::chart::{Chart, Key, Lines, Plot, Point, Quantity, Reach, Series};
use crate::comparison::Pair;
use crate::knob::Knob;
use crate::published::PublishedRun;

/// The look of the line with zHPF, if there are two lines.
const ZHPF: usize = 2;
/// The look of the setting on the bench.
const BENCH: usize = 7;

/// The chart of `sweep` for `figure`; `now` is the host on the bench with its figures, if they are known.
pub fn chart(sweep: &Sweep, figure: Figure, runs: &[PublishedRun], now: Option<(&Scenario, &[Measurement])>) -> Chart {
    let (knob, lines) = (&sweep.knob, sweep.lines());
    let largest = sweep.batch.runs.iter().map(|run| run.at.value).max().unwrap_or(0);
    let in_gb = knob.field.unit == "MB" && largest >= 1_024;
    let x = |value: u64| if in_gb { value as f64 / 1_024.0 } else { value as f64 };
    let unit = match knob.field.unit {
        "MB" if in_gb => "GB",
        "MB" => "MB",
        _ => "",
    };
    let published = sweep.published(runs);
    let ticks = ticks(knob, lines.first(), &published, x);
    let mark = |(value, run): &(u64, &PublishedRun)| {
        Some(Point { x: x(*value), y: run.value(figure)?, label: Some(run.id.clone()) })
    };
    let here = now.and_then(|(scenario, measurements)| {
        let measurements: Vec<&Measurement> = measurements.iter().collect();
        let y = Pair::of(figure, &[], &measurements).now?;
        Some(Point { x: x(sweep.place(scenario)?.0), y, label: None })
    });
    let apart = |name: &str, look: usize, points: Vec<Point>| Series { key: Key::new(name, look), joined: false, points };
    let mut series = vec![
        apart("published", PUBLISHED, published.iter().filter_map(mark).collect()),
        apart("on the bench", BENCH, here.into_iter().collect()),
    ];
    series.retain(|series| !series.points.is_empty());
    let reaches = add_lines(&mut series, &lines, figure, x);
    let plot = if series.is_empty() {
        Plot::Nothing("No experiment of this sweep has this figure yet.".into())
    } else {
        Plot::Lines(Lines {
            x: Quantity::new(knob.field.label, unit),
            y: Quantity::new(figure.label(), figure.unit()),
            series,
            x_from_zero: knob.field.unit != "MB" && ticks.is_empty(),
            by_point: true,
            ticks,
            reaches,
            ..Lines::default()
        })
    };
    Chart {
        id: "sweep",
        title: format!("{} over {}", figure.label(), letters::within(knob.field.label)),
        summary: summary(sweep, figure),
        plot,
        sources: sources(published.iter().map(|(_, run)| *run), figure),
        provenance: format!(
            "zvmlab {}, sweep of {} on {}; {}{}",
            env!("CARGO_PKG_VERSION"),
            letters::within(knob.field.label),
            setting(&sweep.batch.base),
            sweep.seeds(),
            sweep.batch.good_for()
        ),
    }
}

/// What stands at the places of the axis where its numbers would say nothing: shares are written as shares, not as places on a slider.
fn ticks(
    knob: &Knob,
    line: Option<&Line>,
    published: &[(u64, &PublishedRun)],
    x: impl Fn(u64) -> f64,
) -> Vec<(f64, String)> {
    let (Kind::Share { .. }, Some(line)) = (knob.field.kind, line) else { return Vec::new() };
    let places: BTreeSet<u64> = line.values().chain(published.iter().map(|(value, _)| *value)).collect();
    places.into_iter().map(|value| (x(value), bare(knob, value))).collect()
}

/// Adds the lines of the model that have values to the series; returns how far each value may be off.
fn add_lines(series: &mut Vec<Series>, lines: &[Line], figure: Figure, x: impl Fn(u64) -> f64) -> Vec<Reach> {
    let mut reaches: Vec<Reach> = Vec::new();
    for line in lines {
        let means = line.known().filter_map(|place| Some((x(place.value), place.mean(figure)?)));
        let means: Vec<_> = means.collect();
        if means.is_empty() {
            continue;
        }
        let place = series.len();
        let reach = |&(x, (_, interval)): &(f64, (f64, Option<Interval>))| {
            let interval = interval?;
            // No figure is below zero.
            Some(Reach { series: place, x, ends: [interval.low.max(0.0), interval.high] })
        };
        reaches.extend(means.iter().filter_map(reach));
        series.push(named_line(line, lines.len(), means.iter().map(|(x, (y, _))| Point { x: *x, y: *y, label: None })));
    }
    reaches
}

/// A line of the sweep, one of so many.
fn named_line(line: &Line, lines: usize, points: impl Iterator<Item = Point>) -> Series {
    let (name, look) = match (lines, line.zhpf) {
        (1, _) => ("model", NOW),
        (_, false) => ("model, command mode", NOW),
        (_, true) => ("model, zHPF", ZHPF),
    };
    Series { key: Key::new(name, look), joined: true, points: points.collect() }
}
