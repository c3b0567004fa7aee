//! Studies of curves alone: a chart for each figure over the places, and a sentence about each curve.

use zvmlab::Figure;

use super::studied::{Curve, Studied, Words, chart};
use crate::chart::{Chart, Plot, Quantity, Series};
use crate::words::number::short;
use crate::words::unit::NO_BREAK;

/// A throughput of at least this part of the best counts as just as good. Chosen: chance alone makes such a difference.
pub const SAME: f64 = 0.99;

/// One chart of a study: id, title, figure, and how the middle of a sentence names the figure.
pub type Drawn = (&'static str, &'static str, Figure, &'static str);

/// What a study of curves fills in.
pub struct Plain {
    /// Its charts.
    pub drawn: &'static [Drawn],
    /// The names of its lines.
    pub lines: &'static [&'static str],
    /// The name of the horizontal axis.
    pub x: &'static str,
    /// The words after a place in a sentence: `guests` in `40 guests`.
    pub places: &'static str,
    /// The text while the curves are not known yet.
    pub waiting: &'static str,
    /// The sentence about throughput if there is one line: where throughput is best. `None` if it says no more than those of
    /// other curves.
    pub best: Option<fn(&Known) -> Option<String>>,
    /// Further marks on a chart of one line.
    pub marks: fn(&Studied, &Curve) -> Vec<Series>,
}

impl Plain {
    /// One line, with nothing marked on it.
    pub const ONE_LINE: Plain =
        Plain { drawn: &[], lines: &["model"], x: "", places: "", waiting: "", best: None, marks: |_, _| Vec::new() };
}

/// A line whose values are known at every place.
pub struct Known<'a> {
    /// The study.
    pub studied: &'a Studied<'a>,
    /// The names of its places.
    pub places: Vec<String>,
    /// The values, each with its place.
    pub values: Vec<(usize, f64)>,
    /// Their unit.
    pub unit: &'static str,
}

impl<'a> Known<'a> {
    fn new(studied: &'a Studied<'a>, curve: &Curve) -> Known<'a> {
        let (places, values) = (studied.study.places(), curve.model(studied));
        Known { studied, places, values, unit: curve.figure.unit() }
    }

    /// The name of a place.
    pub fn name(&self, place: usize) -> String {
        self.places.get(place).cloned().unwrap_or_default()
    }

    /// A value with its unit.
    pub fn write(&self, value: f64) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!("{NO_BREAK}{}", self.unit) };
        format!("{}{unit}", short(value))
    }

    /// The place nearest to the bench, and the value there.
    fn near_bench(&self) -> Option<(usize, f64)> {
        let stands = self.studied.study.kind.stands(self.studied.bench).map_or(0.0, |(x, _)| x);
        let away = |place: usize| (place as f64 - stands).abs();
        self.values.iter().min_by(|a, b| away(a.0).total_cmp(&away(b.0))).copied()
    }
}

/// The charts of a study.
pub fn charts(studied: &Studied, plain: &Plain) -> Vec<Chart> {
    plain.drawn.iter().map(|drawn| one(studied, plain, drawn)).collect()
}

fn one(studied: &Studied, plain: &Plain, drawn: &Drawn) -> Chart {
    let (id, title, figure, _) = *drawn;
    let curve = |(line, name): (usize, &&'static str)| Curve { name, look: line, line, figure, relative_to: None };
    let curves: Vec<Curve> = plain.lines.iter().enumerate().map(curve).collect();
    let known = studied.is_of_bench && studied.study.batch.is_complete();
    let said = known.then(|| summary(studied, plain, drawn, &curves)).flatten();
    let words = Words {
        id,
        title,
        summary: said.unwrap_or_else(|| plain.waiting.into()),
        x: Quantity::new(plain.x, ""),
        y: Quantity::new(figure.label(), figure.unit()),
    };
    let mut chart = chart(studied, words, &curves, Vec::new());
    if let (Plot::Lines(lines), [curve]) = (&mut chart.plot, curves.as_slice()) {
        lines.series.extend((plain.marks)(studied, curve));
    }
    chart
}

/// What the curves show, in a sentence.
fn summary(studied: &Studied, plain: &Plain, (_, _, figure, word): &Drawn, curves: &[Curve]) -> Option<String> {
    let all: Vec<Known> = curves.iter().map(|curve| Known::new(studied, curve)).collect();
    let first = all.first()?;
    let places = plain.places;
    match (all.get(1), plain.best) {
        (Some(second), _) => {
            let ((last, one), (_, other)) = (first.near_bench()?, second.near_bench()?);
            Some(format!(
                "At {} {places}, {word} is {} {} and {} {}.",
                first.name(last),
                first.write(one),
                with(curves.first()?.name),
                second.write(other),
                with(curves.get(1)?.name)
            ))
        }
        (None, Some(best)) if *figure == Figure::Etr => best(first),
        (None, _) => {
            let (from, to) = (first.values.first()?, first.values.last()?);
            let (start, end) = (first.name(from.0), first.name(to.0));
            let (from, to) = (first.write(from.1), first.write(to.1));
            Some(format!("From {start} to {end} {places}, {word} goes from {from} to {to}."))
        }
    }
}

/// The words after a value that name its line: `with DIAG 44`.
fn with(name: &str) -> String {
    if name.starts_with("with") { name.into() } else { format!("with {name}") }
}
