//! The comparison: what was published beside what the model says, one row a figure, each with a verdict. It runs nothing.

use serde::{Deserialize, Serialize};
use zvmlab::kernel::statistics::{difference_interval, mean_interval};
use zvmlab::measurement::{Figure, Measurement};

use crate::published::{Kind, Order, PublishedFigure, Ratio, Run, Tolerance};

/// What the comparison says of one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The model's mean lies within the tolerance.
    Pass,
    /// It lies outside, or the model yields no such figure.
    Fail,
    /// It lies outside, and the data says that this is known and why.
    KnownDifference,
    /// The data says that it is known to lie outside, but it lies inside: the note is to be removed.
    AgreesNow,
    /// The figure is not judged.
    NotValidated,
}

impl Verdict {
    /// The word for it: `pass`, `fail`, `known_difference`, `agrees_now`, `not_validated`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::KnownDifference => "known_difference",
            Verdict::AgreesNow => "agrees_now",
            Verdict::NotValidated => "not_validated",
        }
    }

    /// Whether the verdict fails the validation as a whole.
    pub fn fails(self) -> bool {
        matches!(self, Verdict::Fail | Verdict::AgreesNow)
    }
}

/// One figure of one run, published beside modelled. What is serialised is the row of `zvmlab validate --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The id of the source.
    pub source_id: String,
    /// The run id.
    pub case: String,
    /// The figure's id.
    pub figure: &'static str,
    /// The figure's unit.
    pub unit: &'static str,
    /// The published value, in that unit.
    pub published: f64,
    /// Mean of the model over the replications; absent where the model yields no such figure.
    pub model: Option<f64>,
    /// Lower end of the 95 % confidence interval of the mean; absent with fewer than two replications.
    pub interval_low: Option<f64>,
    /// Upper end of that interval.
    pub interval_high: Option<f64>,
    /// (model - published) / published, in percent; absent where 0 is published.
    pub error_pct: Option<f64>,
    /// How the figure may be used.
    pub kind: Kind,
    /// What the comparison says of it.
    pub verdict: Verdict,
    /// Title, table and run id; the arithmetic where the figure is derived.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// The published value as printed, in the figure's unit.
    #[serde(skip)]
    pub printed: String,
    /// How far the mean may be off.
    #[serde(skip)]
    pub tolerance: Option<Tolerance>,
    /// Why the figure is not judged, or why it is known to lie outside.
    #[serde(skip)]
    pub note: Option<String>,
}

/// What a source says of one run against another, published beside modelled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatioRow {
    /// The id of the source.
    pub source_id: String,
    /// The run id from which the change is counted.
    pub from: String,
    /// The run id to which it is counted.
    pub to: String,
    /// The figure's id.
    pub figure: &'static str,
    /// The change as printed.
    pub published: String,
    /// The published change in percent, the end of a range that is nearer to no change.
    pub least_percent: f64,
    /// The other end; the same where a single number is published.
    pub most_percent: f64,
    /// The model's change in percent, mean over the seeds; absent where the model yields none.
    pub model_percent: Option<f64>,
    /// Lower end of the 95 % confidence interval of that mean; absent with fewer than two seeds.
    pub interval_low: Option<f64>,
    /// Upper end of that interval.
    pub interval_high: Option<f64>,
    /// How it may be used.
    pub kind: Kind,
    /// How far the model may lie outside the published range, in percentage points; absent where only the sign counts.
    pub within_points: Option<f64>,
    /// Whether the model has the sign and, where there is a bar, the size.
    pub verdict: Verdict,
    /// Title and table.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// What a reader should know of it.
    #[serde(skip)]
    pub note: Option<String>,
}

/// Which of two runs has less of a figure, as a source says, beside what the model has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderRow {
    /// The id of the source.
    pub source_id: String,
    /// The figure's id.
    pub figure: &'static str,
    /// The figure's unit.
    pub unit: &'static str,
    /// The run id that is said to have less.
    pub less: String,
    /// The run id that is said to have more.
    pub more: String,
    /// What the source says.
    pub published: String,
    /// Whether the source calls the difference a large one.
    pub substantial: bool,
    /// The model's mean of the first run.
    pub less_model: Option<f64>,
    /// The 95 % confidence interval of that mean; absent with fewer than two seeds.
    pub less_interval: Option<(f64, f64)>,
    /// The model's mean of the second run.
    pub more_model: Option<f64>,
    /// The interval of that mean.
    pub more_interval: Option<(f64, f64)>,
    /// How much more the second run has than the first, in percent of the first.
    pub more_percent: Option<f64>,
    /// How it may be used.
    pub kind: Kind,
    /// Whether the model has the order, and where the difference is large, with intervals that do not overlap.
    pub verdict: Verdict,
    /// Title and table.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// What a reader should know of it.
    #[serde(skip)]
    pub note: Option<String>,
}

/// An object of `zvmlab validate --json`: the changes stand behind the figures, and have a `from`; the orders stand last, and
/// have a `less`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Line<'a> {
    /// One figure of one run.
    Figure(&'a Row),
    /// One run against another.
    Change(&'a RatioRow),
    /// Which of two runs has less.
    Order(&'a OrderRow),
}

/// Sets the measurements of any number of replications of `run` beside its published figures.
pub fn compare(run: &Run, measurements: &[&Measurement]) -> Vec<Row> {
    run.figures.iter().map(|published| row(run, published, measurements)).collect()
}

fn row(run: &Run, published: &PublishedFigure, measurements: &[&Measurement]) -> Row {
    let model = mean_of(measurements, published.figure);
    let interval = interval_of(measurements, published.figure);
    let error_pct = model.filter(|_| published.value > 0.0).map(|model| (model - published.value) / published.value * 100.0);
    Row {
        source_id: run.source_id.clone(),
        case: run.id.clone(),
        figure: published.figure.id(),
        unit: published.figure.unit(),
        published: published.value,
        model,
        interval_low: interval.map(|(low, _)| low),
        interval_high: interval.map(|(_, high)| high),
        error_pct,
        kind: published.kind,
        verdict: judge(published, model),
        source: published.source.clone(),
        label: label(run, published.figure),
        printed: published.shown.clone(),
        tolerance: published.tolerance,
        note: published.known_difference.clone().or_else(|| published.reason.clone()),
    }
}

/// The figure's name in a run: a source that also has the ETR of minidisk I/O calls the other one that of paging.
fn label(run: &Run, figure: Figure) -> &'static str {
    match figure {
        Figure::Etr if run.figure(Figure::MdiskEtr).is_some() => "Paging ETR",
        figure => figure.label(),
    }
}

fn judge(published: &PublishedFigure, model: Option<f64>) -> Verdict {
    let Some(tolerance) = published.tolerance else { return Verdict::NotValidated };
    let inside = model.is_some_and(|model| tolerance.admits(published.value, model));
    match (published.known_difference.is_some(), inside) {
        (false, true) => Verdict::Pass,
        (false, false) => Verdict::Fail,
        (true, false) => Verdict::KnownDifference,
        (true, true) => Verdict::AgreesNow,
    }
}

/// Sets what the model says of one run against another beside what is published; the measurements of both runs in the order
/// of their seeds. The sign holds when the mean has it and, with two seeds or more, the whole interval.
pub fn compare_ratio(ratio: &Ratio, from: &[&Measurement], to: &[&Measurement]) -> RatioRow {
    let change = |(from, to): (&&Measurement, &&Measurement)| {
        let (from, to) = (from.get(ratio.figure)?, to.get(ratio.figure)?);
        (from > 0.0).then(|| (to / from - 1.0) * 100.0)
    };
    let changes: Vec<f64> = from.iter().zip(to).filter_map(change).collect();
    let mean = (!changes.is_empty()).then(|| changes.iter().sum::<f64>() / changes.len() as f64);
    let interval = mean_interval(&changes).map(|interval| (interval.low, interval.high));
    let same_sign = |percent: f64| percent * ratio.least_percent > 0.0;
    let holds = mean.is_some_and(same_sign) && interval.is_none_or(|(low, high)| same_sign(low) && same_sign(high));
    let outside = |percent: f64| {
        let (low, high) = (ratio.least_percent.min(ratio.most_percent), ratio.least_percent.max(ratio.most_percent));
        (low - percent).max(percent - high).max(0.0)
    };
    let sized = ratio.within_points.is_none_or(|points| mean.is_some_and(|mean| outside(mean) <= points));
    let verdict = match (ratio.kind, ratio.known_difference.is_some(), holds && sized) {
        (Kind::NotValidated, ..) => Verdict::NotValidated,
        (_, false, true) => Verdict::Pass,
        (_, false, false) => Verdict::Fail,
        (_, true, false) => Verdict::KnownDifference,
        (_, true, true) => Verdict::AgreesNow,
    };
    RatioRow {
        source_id: ratio.source_id.clone(),
        from: ratio.from.clone(),
        to: ratio.to.clone(),
        figure: ratio.figure.id(),
        published: ratio.printed.clone(),
        least_percent: ratio.least_percent,
        most_percent: ratio.most_percent,
        model_percent: mean,
        interval_low: interval.map(|(low, _)| low),
        interval_high: interval.map(|(_, high)| high),
        kind: ratio.kind,
        within_points: ratio.within_points,
        verdict,
        source: ratio.source.clone(),
        label: ratio.figure.label(),
        note: ratio.known_difference.clone().or_else(|| ratio.note.clone()),
    }
}

/// Sets which of two runs has less of a figure beside what is published; the measurements of both runs in the order of their
/// seeds. The order holds when the means have it and, with two seeds or more, the whole interval of their difference seed by
/// seed; where the difference is said to be large, the intervals of the two may not overlap either.
pub fn compare_order(order: &Order, less: &[&Measurement], more: &[&Measurement]) -> OrderRow {
    let figure = order.figure;
    let pairs = less.iter().zip(more).filter_map(|(less, more)| Some((less.get(figure)?, more.get(figure)?)));
    let (lesses, mores): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let (less_model, more_model) = (mean_of(less, figure), mean_of(more, figure));
    let (less_interval, more_interval) = (interval_of(less, figure), interval_of(more, figure));
    // A run of which a seed has no such figure, because nothing completed, has no order to others.
    let complete = lesses.len() == less.len() && mores.len() == more.len();
    let means = less_model.zip(more_model).is_some_and(|(less, more)| less < more);
    let difference = difference_interval(&lesses, &mores).is_none_or(|interval| interval.low > 0.0);
    let apart = less_interval.zip(more_interval).is_none_or(|(less, more)| less.1 < more.0);
    let holds = complete && means && difference && (apart || !order.substantial);
    let verdict = match (order.kind, order.known_difference.is_some(), holds) {
        (Kind::NotValidated, ..) => Verdict::NotValidated,
        (_, false, true) => Verdict::Pass,
        (_, false, false) => Verdict::Fail,
        (_, true, false) => Verdict::KnownDifference,
        (_, true, true) => Verdict::AgreesNow,
    };
    let percent = |(less, more): (f64, f64)| (less > 0.0).then(|| (more / less - 1.0) * 100.0);
    OrderRow {
        source_id: order.source_id.clone(),
        figure: figure.id(),
        unit: figure.unit(),
        less: order.less.clone(),
        more: order.more.clone(),
        published: order.printed.clone(),
        substantial: order.substantial,
        less_model,
        less_interval,
        more_model,
        more_interval,
        more_percent: less_model.zip(more_model).and_then(percent),
        kind: order.kind,
        verdict,
        source: order.source.clone(),
        label: figure.label(),
        note: order.known_difference.clone().or_else(|| order.note.clone()),
    }
}

/// The mean of `figure` over the replications that have it.
fn mean_of(measurements: &[&Measurement], figure: Figure) -> Option<f64> {
    let values = values_of(measurements, figure);
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn interval_of(measurements: &[&Measurement], figure: Figure) -> Option<(f64, f64)> {
    mean_interval(&values_of(measurements, figure)).map(|interval| (interval.low, interval.high))
}

fn values_of(measurements: &[&Measurement], figure: Figure) -> Vec<f64> {
    measurements.iter().filter_map(|measurement| measurement.get(figure)).collect()
}
