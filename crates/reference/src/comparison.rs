//! The comparison of published figures with the model's: a row for each figure, with a verdict. It runs nothing.

use serde::{Deserialize, Serialize};
use zvmlab::kernel::statistics::{difference_interval, mean_interval};
use zvmlab::measurement::{Figure, Measurement};

use crate::published::{Kind, Order, PublishedFigure, Ratio, Run, Tolerance};

/// The verdict on one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The model's mean lies within the tolerance.
    Pass,
    /// It lies outside, or the model yields no such figure.
    Fail,
    /// It lies outside; the data says that this is known, and why.
    KnownDifference,
    /// The data says that it is known to lie outside, but it lies inside: remove the note.
    AgreesNow,
    /// The figure is not judged.
    NotValidated,
}

impl Verdict {
    /// The verdict as a word: `pass`, `fail`, `known_difference`, `agrees_now`, `not_validated`.
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

/// One figure of one run, published and modelled. Serialised, it is a row of `zvmlab validate --json`.
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
    /// How many of the replications had not settled when they were measured.
    pub unsettled: usize,
    /// How the figure may be used.
    pub kind: Kind,
    /// The verdict.
    pub verdict: Verdict,
    /// Title, table and run id; the arithmetic where the figure is derived.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// The published value as printed, in the figure's unit.
    #[serde(skip)]
    pub printed: String,
    /// How far the mean may be from the published value.
    #[serde(skip)]
    pub tolerance: Option<Tolerance>,
    /// Why the figure is not judged, or why it is known to lie outside.
    #[serde(skip)]
    pub note: Option<String>,
}

/// The change of a figure from one run to another, published and modelled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatioRow {
    /// The id of the source.
    pub source_id: String,
    /// The id of the run from which the change is counted.
    pub from: String,
    /// The id of the run to which it is counted.
    pub to: String,
    /// The figure's id.
    pub figure: &'static str,
    /// The change as printed.
    pub published: String,
    /// The published change in percent; of a range, the end that is nearer to no change.
    pub least_percent: f64,
    /// The other end of the range; the same where a single number is published.
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
    /// The verdict: whether the model has the sign and, where the data give a tolerance, the size.
    pub verdict: Verdict,
    /// Title and table.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// A note for the reader.
    #[serde(skip)]
    pub note: Option<String>,
}

/// Which of two runs has less of a figure: the source's claim, and the model's means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderRow {
    /// The id of the source.
    pub source_id: String,
    /// The figure's id.
    pub figure: &'static str,
    /// The figure's unit.
    pub unit: &'static str,
    /// The id of the run that has less, says the source.
    pub less: String,
    /// The id of the run that has more, says the source.
    pub more: String,
    /// The claim, in the source's words.
    pub published: String,
    /// Whether the source calls the difference a large one.
    pub substantial: bool,
    /// By how many percent the second must have more, at least.
    pub more_by: Option<f64>,
    /// Where the source claims that neither has less: by how many percent the means may differ.
    pub same_within: Option<f64>,
    /// The model's mean of the run with less.
    pub less_model: Option<f64>,
    /// The 95 % confidence interval of that mean; absent with fewer than two seeds.
    pub less_interval: Option<(f64, f64)>,
    /// The model's mean of the run with more.
    pub more_model: Option<f64>,
    /// The interval of that mean.
    pub more_interval: Option<(f64, f64)>,
    /// How much more the second run has than the first, in percent of the first.
    pub more_percent: Option<f64>,
    /// How it may be used.
    pub kind: Kind,
    /// The verdict: whether the model has the order and, where the source calls the difference large, intervals that do not
    /// overlap.
    pub verdict: Verdict,
    /// Title and table.
    pub source: String,
    /// The figure's label.
    #[serde(skip)]
    pub label: &'static str,
    /// A note for the reader.
    #[serde(skip)]
    pub note: Option<String>,
}

/// An object of `zvmlab validate --json`. Figures come first; then changes, which have a `from`; then orders, which have a
/// `less`.
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

/// Compares the measurements of `run`, any number of replications, with its published figures.
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
        unsettled: measurements.iter().filter(|measurement| measurement.is_unsettled()).count(),
        kind: published.kind,
        verdict: judge(published, model),
        source: published.source.clone(),
        label: label(run, published.figure),
        printed: published.shown.clone(),
        tolerance: published.tolerance,
        note: published.known_difference.clone().or_else(|| published.reason.clone()),
    }
}

/// The figure's name in a run. If the run also has the ETR of minidisk I/O, the other ETR is called that of paging.
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

/// Compares the model's change from one run to another with the published one. The measurements of both runs are in the
/// order of their seeds. The sign holds when the mean has it and, with two seeds or more, the whole interval has it too.
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

/// Compares the model with a source's claim that one of two runs has less of a figure. The measurements of both runs are in
/// the order of their seeds. The order holds when the means have it and, with two seeds or more, the whole interval of the
/// difference seed by seed has it too. If the source calls the difference large, the intervals of the two runs must not
/// overlap either. If the source claims that neither has less, the means must not differ by more than the data allow.
pub fn compare_order(order: &Order, less: &[&Measurement], more: &[&Measurement]) -> OrderRow {
    let figure = order.figure;
    let pairs = less.iter().zip(more).filter_map(|(less, more)| Some((less.get(figure)?, more.get(figure)?)));
    let (lesses, mores): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let (less_model, more_model) = (mean_of(less, figure), mean_of(more, figure));
    let (less_interval, more_interval) = (interval_of(less, figure), interval_of(more, figure));
    // If a seed of a run lacks the figure because nothing completed, the run has no order to others.
    let complete = lesses.len() == less.len() && mores.len() == more.len();
    let means = less_model.zip(more_model).is_some_and(|(less, more)| less < more);
    let difference = difference_interval(&lesses, &mores).is_none_or(|interval| interval.low > 0.0);
    let apart = less_interval.zip(more_interval).is_none_or(|(less, more)| less.1 < more.0);
    let both = less_model.zip(more_model);
    let alike = |percent: f64| both.is_some_and(|(less, more)| (more - less).abs() <= less * percent / 100.0);
    let by = |percent: f64| both.is_some_and(|(less, more)| more - less >= less * percent / 100.0);
    let ordered = means && difference && (apart || !order.substantial) && order.more_by.is_none_or(by);
    let holds = complete && order.same_within.map_or(ordered, alike);
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
        more_by: order.more_by,
        same_within: order.same_within,
        less_model,
        less_interval,
        more_model,
        more_interval,
        more_percent: both.and_then(percent),
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
