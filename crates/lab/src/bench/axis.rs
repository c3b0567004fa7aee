//! The headline figure on one axis: A, now, and what IBM measured.

use zvmlab::Scenario;

use crate::chart::layout::Measure;
use crate::chart::scale::{Axis, nice_step};
use crate::comparison::Pair;
use crate::published::{Kind, PublishedFigure, figure_of, run_like};
use crate::words::number::{grouped, number, value_of};
use crate::words::unit;
use zvmlab::order;

/// Height of the picture in CSS pixels.
pub const HEIGHT: f64 = 60.0;
/// Where the labels over the line stand, those under it, and those of its ends.
pub const ROWS: [f64; 3] = [11.0, 43.0, 57.0];
/// Where the line lies.
pub const LINE: f64 = 25.0;
/// Height of the font.
pub const FONT: f64 = 11.5;

/// Between two labels beside each other, in CSS pixels.
const GAP: f64 = 8.0;
/// From an edge of the picture to an end of the line: half a marker.
const INSET: f64 = 8.0;
/// Points that differ by less than this part of the largest would lie on each other on an axis from 0. Chosen.
const CLOSE: f64 = 0.1;
/// The least part of the largest value that an axis shows, so that a small difference looks small. Chosen.
const LEAST: f64 = 0.2;

/// Whose value a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The baseline's.
    A,
    /// The present host's.
    Now,
    /// What IBM measured.
    Ibm,
}

/// A point of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Whose value it is.
    pub whose: Whose,
    /// Its name: `A`.
    pub name: &'static str,
    /// The value.
    pub value: f64,
    /// The value in words.
    pub said: String,
    /// Its 95 % interval, if there are replications.
    pub interval: Option<(f64, f64)>,
}

/// The headline figure of a result, with those that it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// What the axis counts, and how IBM's figure was used.
    pub title: String,
    /// The same in a sentence, with the values.
    pub told: String,
    /// The points.
    pub values: Vec<Value>,
}

impl Headline {
    /// The headline of a result of `scenario`; `is_a` where that is the baseline.
    pub fn of(pair: &Pair, scenario: &Scenario, is_a: bool) -> Option<Headline> {
        let run = run_like(scenario);
        let published = run.as_deref().and_then(|id| figure_of(id, pair.figure));
        Headline::with(pair, is_a, run.as_deref().zip(published.as_ref()))
    }

    fn with(pair: &Pair, is_a: bool, published: Option<(&str, &PublishedFigure)>) -> Option<Headline> {
        let figure = pair.figure;
        let said = |value: f64| value_of(figure, Some(value));
        let of =
            |whose: Whose, name: &'static str, value: f64| Value { whose, name, value, said: said(value), interval: None };
        let mut values: Vec<Value> = pair.before.or(pair.so_far).map(|value| of(Whose::A, "A", value)).into_iter().collect();
        let now = of(Whose::Now, if is_a { "A, now" } else { "now" }, pair.now?);
        values.push(Value { interval: pair.interval.map(|interval| (interval.low, interval.high)), ..now });
        values.extend(
            published
                .map(|(_, published)| Value { said: grouped(&published.shown), ..of(Whose::Ibm, "IBM", published.value) }),
        );
        values.retain(|value| value.value.is_finite());
        let counted = match figure.unit() {
            "" => figure.label().to_string(),
            unit => format!("{}, {unit}", figure.label()),
        };
        let used = published.map_or(String::new(), |(_, published)| format!("; {}", used(published.kind)));
        let each: Vec<String> = values.iter().map(|value| tell(value, published.map(|(run, _)| run))).collect();
        (!values.is_empty()).then(|| Headline {
            told: format!("{counted}: {}{used}.", each.join("; ")),
            title: format!("{counted}{used}"),
            values,
        })
    }
}

/// How a published figure was used.
fn used(kind: Kind) -> &'static str {
    match kind {
        Kind::Fitted => "the model was fitted to IBM’s figure: a constant was chosen with it in view",
        Kind::Predicted => "IBM’s figure was predicted: nothing was tuned on it",
        Kind::NotValidated => "IBM’s figure is not judged",
    }
}

/// A value in a sentence.
fn tell(value: &Value, run: Option<&str>) -> String {
    let interval = value.interval.filter(|(low, high)| low < high);
    let interval =
        interval.map_or(String::new(), |(low, high)| format!(" (95 % interval {} to {})", number(low), number(high)));
    match value.whose {
        Whose::Ibm => format!("IBM measured {} ({})", value.said, run.unwrap_or_default()),
        _ => format!("{} {}{interval}", value.name, value.said),
    }
}

/// A label: where its middle is, and whether it stands under the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// Its middle, across.
    pub middle: f64,
    /// How wide it is.
    pub wide: f64,
    /// Whether it stands under the line.
    pub below: bool,
}

/// A point at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Whose value it is.
    pub whose: Whose,
    /// Its place, across.
    pub x: f64,
    /// Its interval, across.
    pub bar: Option<(f64, f64)>,
    /// Its label.
    pub label: Label,
}

impl Placed {
    /// The near end of the line that leads from the label to its point, where the label had to be moved away.
    pub fn lead(&self) -> Option<f64> {
        let half = self.label.wide / 2.0;
        let near = self.x.clamp(self.label.middle - half, self.label.middle + half);
        ((near - self.x).abs() > 1.0).then_some(near)
    }
}

/// The axis at its width.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width in CSS pixels.
    pub width: f64,
    /// The ends of the line, across, each with its value in words.
    pub ends: [(f64, String); 2],
    /// Whether it begins elsewhere than at 0.
    pub broken: bool,
    /// The ticks, across.
    pub ticks: Vec<f64>,
    /// The points, the one to be drawn first.
    pub points: Vec<Placed>,
}

/// Lays the points out on an axis `width` CSS pixels wide. No label lies on another.
pub fn lay_out(values: &[Value], width: f64, measure: Measure) -> Picture {
    let axis = axis_of(values);
    let place = |value: f64| axis.place(value, INSET, width - INSET).clamp(INSET, width - INSET);
    let label = |value: &Value, text: String| {
        // Names are bold, and wider for it.
        let wide = measure(&text, FONT) * 1.06 + 2.0;
        Label { text, middle: place(value.value), wide, below: value.whose == Whose::Ibm }
    };
    let full = |value: &Value| label(value, format!("{} {}", value.name, value.said));
    let mut labels: Vec<Label> = values.iter().map(full).collect();
    let needed = |labels: &[Label]| labels.iter().filter(|label| !label.below).map(|label| label.wide + GAP).sum::<f64>();
    if needed(&labels) - GAP > width {
        labels = values.iter().map(|value| label(value, value.name.into())).collect();
    }
    for below in [false, true] {
        let mut row: Vec<&mut Label> = labels.iter_mut().filter(|label| label.below == below).collect();
        order::by(&mut row, |one, other| one.middle.total_cmp(&other.middle));
        spread(&mut row, width);
    }
    let placed = values.iter().zip(labels).map(|(value, label)| Placed {
        whose: value.whose,
        x: place(value.value),
        bar: value.interval.filter(|(low, high)| low < high).map(|(low, high)| (place(low), place(high))),
        label,
    });
    let mut points: Vec<Placed> = placed.collect();
    // The largest marker lies under the others, so that equal values all show.
    order::by_key(&mut points, |point| match point.whose {
        Whose::Ibm => 0,
        Whose::A => 1,
        Whose::Now => 2,
    });
    let end = |value: f64, x: f64| (x, unit::tick(value, axis.step, axis.high));
    Picture {
        width,
        ends: [end(axis.low, INSET), end(axis.high, width - INSET)],
        broken: axis.low > 0.0,
        ticks: axis.ticks.iter().map(|tick| place(*tick)).collect(),
        points,
    }
}

/// The axis: from 0, unless the values are so close that they would lie on each other.
fn axis_of(values: &[Value]) -> Axis {
    let ends = values.iter().flat_map(|value| {
        let (low, high) = value.interval.unwrap_or((value.value, value.value));
        [value.value, low, high]
    });
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let long = high - low;
    let is_close = long > 0.0 && long < high * CLOSE;
    if !is_close && low >= 0.0 {
        return Axis::from_zero(high, 5);
    }
    if !low.is_finite() || !high.is_finite() {
        return Axis::from_zero(1.0, 5);
    }
    let margin = ((high * LEAST - long) / 2.0).max(0.0);
    let step = nice_step((long + 2.0 * margin) / 5.0);
    let (first, last) = (((low - margin) / step).floor(), ((high + margin) / step).ceil());
    let first = if low >= 0.0 { first.max(0.0) } else { first };
    let ticks = (0..=(last - first) as u32).map(|tick| (first + f64::from(tick)) * step).collect();
    Axis { low: first * step, high: last * step, step, ticks }
}

/// Moves labels of one row, which ascend, so that none lies on another or outside.
fn spread(row: &mut [&mut Label], width: f64) {
    // Neighbours that overlap share the way.
    for index in 1..row.len() {
        let over = row[index - 1].middle + row[index - 1].wide / 2.0 + GAP - (row[index].middle - row[index].wide / 2.0);
        if over > 0.0 {
            row[index - 1].middle -= over / 2.0;
            row[index].middle += over / 2.0;
        }
    }
    let mut free = 0.0;
    for label in row.iter_mut() {
        label.middle = label.middle.max(free + label.wide / 2.0);
        free = label.middle + label.wide / 2.0 + GAP;
    }
    let mut free = width;
    for label in row.iter_mut().rev() {
        label.middle = label.middle.min(free - label.wide / 2.0);
        free = label.middle - label.wide / 2.0 - GAP;
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::Figure;
    use zvmlab::kernel::statistics::Interval;

    use super::*;
    use crate::published::scenario_of;

    /// About the width of a sans-serif font.
    fn measure(text: &str, size: f64) -> f64 {
        text.chars().count() as f64 * size * 0.56
    }

    fn pair(before: Option<f64>, now: Option<f64>) -> Pair {
        Pair { figure: Figure::Etr, before, so_far: None, now, interval: None, difference: None }
    }

    fn published(value: f64, kind: Kind) -> PublishedFigure {
        let shown = value.to_string();
        PublishedFigure { figure: Figure::Etr, value, shown, kind, tolerance_pct: None, source: String::new(), note: None }
    }

    fn values(before: Option<f64>, now: f64, ibm: Option<f64>) -> Vec<Value> {
        let ibm = ibm.map(|value| published(value, Kind::Predicted));
        Headline::with(&pair(before, Some(now)), false, ibm.as_ref().map(|ibm| ("RUN", ibm))).expect("a value").values
    }

    /// The labels of a row from left to right, each with its two ends.
    fn row(picture: &Picture, below: bool) -> Vec<(f64, f64)> {
        let labels = picture.points.iter().map(|point| &point.label).filter(|label| label.below == below);
        let mut ends: Vec<_> =
            labels.map(|label| (label.middle - label.wide / 2.0, label.middle + label.wide / 2.0)).collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        ends
    }

    #[test]
    fn no_label_lies_on_another_or_outside() {
        let cases = [0.0, 1e-6, 0.043, 0.0569, 0.057, 0.0571, 0.0591, 1.0, 97.0, 100.0, 88_925.0, 1.23e9];
        for width in [160.0, 250.0, 300.0, 700.0] {
            for now in cases {
                for before in cases.map(Some).into_iter().chain([None]) {
                    for ibm in cases.map(Some).into_iter().chain([None]) {
                        let picture = lay_out(&values(before, now, ibm), width, &measure);
                        for below in [false, true] {
                            let ends = row(&picture, below);
                            assert!(ends.iter().all(|(from, to)| *from >= -1e-9 && *to <= width + 1e-9), "{picture:?}");
                            let apart = |pair: &[(f64, f64)]| pair[0].1 + GAP <= pair[1].0 + 1e-9;
                            assert!(ends.windows(2).all(apart), "{picture:?}");
                        }
                        for point in &picture.points {
                            assert!((INSET..=width - INSET).contains(&point.x), "{picture:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_axis_begins_at_zero_unless_the_values_are_close() {
        let ends = |values: &[Value]| lay_out(values, 250.0, &measure).ends.map(|end| end.1);
        assert_eq!(ends(&values(Some(0.043), 0.0569, Some(0.0591))), ["0", "0.06"]);
        let close = values(Some(0.0569), 0.0575, Some(0.0591));
        let picture = lay_out(&close, 250.0, &measure);
        assert!(picture.broken, "{picture:?}");
        let x = |whose| picture.points.iter().find(|point| point.whose == whose).expect("a point").x;
        assert!(x(Whose::Now) - x(Whose::A) > 8.0, "two points are seen: {picture:?}");
        assert!(x(Whose::Ibm) - x(Whose::A) < 60.0, "a difference of 4 % looks small: {picture:?}");
        assert_eq!(ends(&values(Some(100.0), 100.0, None))[0], "0", "equal values");
        assert_eq!(ends(&values(None, 0.0, None)), ["0", "1.0"]);
        assert_eq!(ends(&values(None, 42.0, None)), ["0", "50"], "one point alone");
    }

    #[test]
    fn equal_values_lie_on_each_other_and_their_labels_beside_each_other() {
        let picture = lay_out(&values(Some(50.0), 50.0, Some(50.0)), 250.0, &measure);
        let x: Vec<f64> = picture.points.iter().map(|point| point.x).collect();
        assert!(x.iter().all(|at| *at == x[0]), "{x:?}");
        let order: Vec<Whose> = picture.points.iter().map(|point| point.whose).collect();
        assert_eq!(order, [Whose::Ibm, Whose::A, Whose::Now], "the smallest marker is on top");
        assert_eq!(row(&picture, false).len(), 2);
        let moved: Vec<bool> = picture.points.iter().map(|point| point.lead().is_some()).collect();
        assert_eq!(moved, [false, true, false], "a line leads from a label that was moved away");
    }

    #[test]
    fn the_title_says_how_the_published_figure_was_used_and_the_sentence_has_all() {
        let pair =
            Pair { interval: Some(Interval { mean: 0.0569, low: 0.0561, high: 0.0577 }), ..pair(Some(0.043), Some(0.0569)) };
        let of = |kind| Headline::with(&pair, false, Some(("V4DVYA40", &published(0.0591, kind)))).expect("a value");
        let headline = of(Kind::Predicted);
        assert!(headline.title.ends_with("; IBM’s figure was predicted: nothing was tuned on it"), "{}", headline.title);
        assert!(headline.told.contains(
            ": A 0.04300; now 0.05690 (95 % interval 0.05610 to 0.05770); IBM measured 0.0591 (V4DVYA40); IBM’s figure was predicted"
        ), "{}", headline.told);
        assert!(of(Kind::Fitted).title.contains("fitted to IBM’s figure: a constant was chosen"));
        let bar = lay_out(&headline.values, 250.0, &measure).points[2].bar.expect("an interval");
        assert!(bar.0 < bar.1);
    }

    #[test]
    fn what_is_missing_is_no_point() {
        assert_eq!(Headline::with(&pair(Some(1.0), None), false, None), None);
        let alone = Headline::with(&pair(None, Some(1.0)), true, None).expect("a value");
        assert_eq!(alone.values.iter().map(|value| value.name).collect::<Vec<_>>(), ["A, now"]);
        assert!(!alone.told.contains("IBM"), "{}", alone.told);
        let waiting = Pair { so_far: Some(2.0), ..pair(None, Some(1.0)) };
        assert_eq!(Headline::with(&waiting, false, None).expect("a value").values.len(), 2);
        let scenario = scenario_of("V4DVYA40").expect("a published run");
        let found = Headline::of(&pair(None, Some(0.0569)), &scenario, true).expect("a value");
        assert_eq!(found.values.last().map(|value| value.whose), Some(Whose::Ibm));
        let mut other = scenario;
        other.lcu.aliases = 3;
        let own = Headline::of(&pair(None, Some(1.0)), &other, true).expect("a value");
        assert_eq!(own.values.len(), 1, "no run has these settings");
    }
}
