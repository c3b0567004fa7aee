//! A study as charts: the model's lines, the published points, what is entitled or expected, and where the bench is.

use zvmlab::{Figure, Measurement, Scenario};

use super::Published;
use super::places::{along, positions};
use super::study::Study;
use crate::chart::scene::{Dash, SOLID, Shape};
use crate::chart::{Chart, Key, Lines, Marked, Plot, Point, Quantity, Series};
use crate::knob::changes::apart;
use crate::published::{Kind, PublishedRun};
use crate::rooms::compared::{PUBLISHED, once_each, setting, sources};
use zvmlab::order;

/// The look of results from before the last change.
const BEFORE: usize = 6;
/// The dashes of lines from before the last change.
const BEFORE_DASH: Dash = &[3.0, 3.0];

/// What the charts of a study need.
#[derive(Clone, Copy)]
pub struct Studied<'a> {
    /// The study.
    pub study: &'a Study,
    /// The scenario on the bench now.
    pub bench: &'a Scenario,
    /// Whether the study is of the bench, apart from the control that it studies.
    pub is_of_bench: bool,
    /// Every published run.
    pub published: &'a [PublishedRun],
    /// Whether the reader wants multiples; only a study with a [`Scale`](super::Scale) offers them.
    pub scaled: bool,
}

/// One line of a chart: a figure of one line of the study.
#[derive(Clone, Copy)]
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Its colour.
    pub look: usize,
    /// Which line of the study.
    pub line: usize,
    /// Which figure.
    pub figure: Figure,
    /// If set, values are multiples of this line's value at this place.
    pub relative_to: Option<usize>,
}

impl Curve {
    /// The model's figure at every known place.
    pub fn model(&self, studied: &Studied) -> Vec<(usize, f64)> {
        let value = |measurement: &Measurement| measurement.get(self.figure);
        self.scaled(studied.study.line(self.line).filter_map(|(point, known)| Some((point.place, value(known)?))).collect())
    }

    fn before(&self, studied: &Studied) -> Vec<(usize, f64)> {
        let of_line = studied.study.before(self.line);
        self.scaled(of_line.filter_map(|(place, known)| Some((place, known.get(self.figure)?))).collect())
    }

    fn scaled(&self, values: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
        let Some(place) = self.relative_to else { return values };
        let unit = values.iter().find(|(at, _)| *at == place).map(|(_, value)| *value).filter(|unit| *unit > 0.0);
        unit.map_or(Vec::new(), |unit| values.iter().map(|(at, value)| (*at, value / unit)).collect())
    }

    /// The published figures: place, value, run, and how the run was used; none while the curves are of another bench.
    pub fn published<'a>(&self, studied: &Studied<'a>) -> Vec<(usize, f64, &'a PublishedRun, Kind)> {
        if !studied.is_of_bench {
            return Vec::new();
        }
        let points = studied.study.batch.runs.iter().filter(|point| point.at.line == self.line);
        let mut found: Vec<_> = points
            .filter_map(|point| {
                let run = studied.published.iter().find(|run| point.at.published.as_ref() == Some(&run.id))?;
                let figure = run.figures.iter().find(|published| published.figure == self.figure)?;
                Some((point.at.place, figure.value, run, figure.kind))
            })
            .collect();
        if let Some(place) = self.relative_to {
            let unit = found.iter().find(|found| found.0 == place).map(|found| found.1).filter(|unit| *unit > 0.0);
            let Some(unit) = unit else { return Vec::new() };
            found.iter_mut().for_each(|found| found.1 /= unit);
        }
        found
    }
}

/// A line that needs no experiment.
pub struct Expected {
    /// Its name.
    pub name: String,
    /// Its name in the legend.
    pub legend: &'static str,
    /// Its colour.
    pub look: usize,
    /// A value for every place.
    pub values: Vec<f64>,
}

/// The words and axes of a chart.
pub struct Words {
    /// Its id.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its sentence.
    pub summary: String,
    /// The quantity along the horizontal axis.
    pub x: Quantity,
    /// The quantity along the vertical axis.
    pub y: Quantity,
}

/// The chart of `curves`.
pub fn chart(studied: &Studied, words: Words, curves: &[Curve], expected: Vec<Expected>) -> Chart {
    let mut series: Vec<Series> = expected.into_iter().map(expectation).collect();
    series.extend(curves.iter().flat_map(|curve| published(studied, curve)));
    series.extend(curves.iter().map(|curve| before(studied, curve)));
    series.extend(curves.iter().map(|curve| model(studied, curve)));
    series.retain(|series| !series.points.is_empty());
    let names = studied.study.places();
    let positions = positions(&names);
    let stands = studied.study.kind.stands(studied.bench);
    let marked = stands.map(|(at, name)| Marked { name: format!("on the bench: {name}"), x: along(&positions, at) });
    for point in series.iter_mut().flat_map(|series| &mut series.points) {
        point.x = along(&positions, point.x);
    }
    let ticks = positions.into_iter().zip(names).collect();
    let mut runs: Vec<(&PublishedRun, Figure)> =
        curves.iter().flat_map(|curve| curve.published(studied).into_iter().map(|found| (found.2, curve.figure))).collect();
    order::by_key(&mut runs, |(run, _)| run.id.as_str());
    let cited = once_each(runs.iter().flat_map(|(run, figure)| sources(std::iter::once(*run), *figure)));
    Chart {
        id: words.id,
        title: words.title.into(),
        summary: words.summary,
        plot: Plot::Lines(Lines { x: words.x, y: words.y, series, ticks, marked, ..Lines::default() }),
        sources: cited,
        provenance: format!(
            "zvmlab {}, each point one experiment on {}; seed {}{}",
            env!("CARGO_PKG_VERSION"),
            setting(&studied.study.batch.base),
            studied.study.batch.seed,
            studied.study.batch.good_for()
        ),
    }
}

/// A point at a place; it is moved to where the place stands at last.
fn at(place: usize, y: f64) -> Point {
    Point { x: place as f64, y, label: None }
}

fn expectation(expected: Expected) -> Series {
    let key = Key::new(&expected.name, expected.look).shaped(Shape::None).dashed(&[2.0, 3.0]).under(expected.legend);
    let points = expected.values.iter().enumerate().map(|(place, y)| at(place, *y)).collect();
    Series { key, joined: true, points }
}

/// The colour of published figures beside a line of the model: a lighter shade of the line's.
fn published_look(look: usize) -> usize {
    match look {
        0 => 5,
        1 => 4,
        _ => PUBLISHED,
    }
}

/// The published figures: a series each for those that were predicted, fitted and not judged.
fn published(studied: &Studied, curve: &Curve) -> Vec<Series> {
    let found = curve.published(studied);
    let of = |word: &str, shape: Shape, kinds: &[Kind]| {
        let key = Key::new(&format!("{} published ({word})", curve.name), published_look(curve.look));
        let points = found.iter().filter(|found| kinds.contains(&found.3));
        let point =
            |found: &(usize, f64, &PublishedRun, Kind)| Point { label: Some(found.2.id.clone()), ..at(found.0, found.1) };
        Series {
            key: key.shaped(shape).under(&format!("published, {word}")),
            joined: false,
            points: points.map(point).collect(),
        }
    };
    vec![
        of("predicted", Shape::Diamond, &[Kind::Predicted]),
        of("fitted", Shape::Square, &[Kind::Fitted]),
        of("not judged", Shape::Triangle, &[Kind::NotValidated]),
    ]
}

/// The line from before the last change. It is the only line if the knobs have moved on and nothing has run yet.
fn before(studied: &Studied, curve: &Curve) -> Series {
    let key = Key::new(&format!("{}, before the change", curve.name), BEFORE);
    let key = key.shaped(Shape::None).dashed(BEFORE_DASH).under("before the change, being run again");
    let values = if studied.is_of_bench { curve.before(studied) } else { curve.model(studied) };
    Series { key, joined: true, points: values.into_iter().map(|(place, y)| at(place, y)).collect() }
}

fn model(studied: &Studied, curve: &Curve) -> Series {
    let key =
        Key::new(curve.name, curve.look).dashed(if curve.look == 0 { SOLID } else { &[9.0, 3.0] }).shaped(Shape::Circle);
    let values = if studied.is_of_bench { curve.model(studied) } else { Vec::new() };
    // The first few points must not be joined: the line would promise a shape that the other points need not have.
    let joined = studied.study.batch.is_complete();
    Series { key, joined, points: values.into_iter().map(|(place, y)| at(place, y)).collect() }
}

/// Which published runs the charts show, or why they show none, in a sentence.
pub fn about_published(studied: &Studied) -> String {
    if let Published::Nothing(said) = studied.study.kind.published {
        return said.into();
    }
    let mut runs: Vec<&PublishedRun> = studied
        .study
        .batch
        .runs
        .iter()
        .filter_map(|point| studied.published.iter().find(|run| point.at.published.as_ref() == Some(&run.id)))
        .collect();
    order::by_key(&mut runs, |run| run.id.as_str());
    runs.dedup_by_key(|run| run.id.as_str());
    match runs.as_slice() {
        [] => no_published(studied),
        [one] => format!("The charts show the published run {}.", one.id),
        few if few.len() <= 4 => {
            let names: Vec<&str> = few.iter().map(|run| run.id.as_str()).collect();
            format!("The charts show the published runs {}.", names.join(", "))
        }
        [first, .., last] => {
            format!("The charts show the {} published runs {} to {}.", runs.len(), first.id, last.id)
        }
    }
}

/// How the bench differs from the nearest published run of this study.
fn no_published(studied: &Studied) -> String {
    let mut alike: Vec<((usize, u32), String)> = Vec::new();
    for run in studied.published.iter().filter(|run| studied.study.kind.lacking(&run.scenario).is_none()) {
        let changes = studied.study.kind.changes(&run.scenario, studied.bench);
        // If several runs differ in equally many knobs, the one whose place on the axis is nearest.
        let nearness = (changes.len(), apart(studied.bench, &run.scenario));
        alike.push((nearness, format!("{}: {}", run.id, changes.join(", "))));
    }
    match alike.into_iter().min_by_key(|(nearness, _)| *nearness) {
        Some(((count, _), changes)) if count <= 3 => {
            format!("No published run has these settings, so the charts show none. What differs from {changes}.")
        }
        Some(_) => "No published run has these settings, so the charts show none.".into(),
        None => "No figures are published for this.".into(),
    }
}

#[cfg(test)]
pub mod tests;
