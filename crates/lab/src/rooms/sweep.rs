//! A sweep as a chart: the model's lines over the knob, the published runs on them, and the present setting of the bench.

use crate::words::letters;
use zvmlab::scenario::fields::Kind;
use zvmlab::{Figure, Measurement, Scenario};

use super::compared::{NOW, PUBLISHED, setting, sources};
use crate::batch::sweep::sentence::{summary, values};
use crate::batch::sweep::{Line, Sweep, SweepRun, bare};
use crate::chart::{Chart, Key, Lines, Plot, Point, Quantity, Series};
use crate::published::PublishedRun;

/// The look of the line with zHPF, if there are two lines.
const ZHPF: usize = 2;
/// The look of the setting on the bench.
const BENCH: usize = 7;

/// The chart of `sweep` for `figure`; `now` is the settled result on the bench.
pub fn chart(sweep: &Sweep, figure: Figure, runs: &[PublishedRun], now: Option<(&Scenario, &Measurement)>) -> Chart {
    let (knob, lines) = (&sweep.knob, sweep.lines());
    let largest = sweep.batch.runs.iter().map(|run| run.at.value).max().unwrap_or(0);
    let in_gb = knob.field.unit == "MB" && largest >= 1_024;
    let x = |value: u64| if in_gb { value as f64 / 1_024.0 } else { value as f64 };
    let unit = match knob.field.unit {
        "MB" if in_gb => "GB",
        "MB" => "MB",
        _ => "",
    };
    // Shares are written as shares, not as places on a slider.
    let named = |run: &SweepRun| (x(run.at.value), bare(knob, run.at.value));
    let ticks: Vec<(f64, String)> = match (knob.field.kind, lines.first()) {
        (Kind::Share { .. }, Some(line)) => line.runs.iter().map(named).collect(),
        _ => Vec::new(),
    };
    let published = sweep.published(runs);
    let mark = |(value, run): &(u64, &PublishedRun)| {
        Some(Point { x: x(*value), y: run.value(figure)?, label: Some(run.id.clone()) })
    };
    let here = now.and_then(|(scenario, measurement)| {
        Some(Point { x: x(sweep.place(scenario)?.0), y: measurement.get(figure)?, label: None })
    });
    let apart = |name: &str, look: usize, points: Vec<Point>| Series { key: Key::new(name, look), joined: false, points };
    let mut series = vec![
        apart("published", PUBLISHED, published.iter().filter_map(mark).collect()),
        apart("on the bench", BENCH, here.into_iter().collect()),
    ];
    let line = |line: &Line| {
        let points = values(line, figure).into_iter().map(|(value, y)| Point { x: x(value), y, label: None }).collect();
        let (name, look) = match (lines.len(), line.zhpf) {
            (1, _) => ("model", NOW),
            (_, false) => ("model, command mode", NOW),
            (_, true) => ("model, zHPF", ZHPF),
        };
        Series { key: Key::new(name, look), joined: true, points }
    };
    series.extend(lines.iter().map(line));
    series.retain(|series| !series.points.is_empty());
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
            "zvmlab {}, sweep of {} on {}; seed {}{}",
            env!("CARGO_PKG_VERSION"),
            letters::within(knob.field.label),
            setting(&sweep.batch.base),
            sweep.batch.seed,
            sweep.batch.good_for()
        ),
    }
}
