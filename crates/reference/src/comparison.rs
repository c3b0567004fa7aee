//! The comparison: what was published beside what the model says, one row a figure, each with a verdict. It runs nothing.

use serde::{Deserialize, Serialize};
use zvmlab::kernel::statistics::mean_interval;
use zvmlab::measurement::{Figure, Measurement};

use crate::published::{Kind, PublishedFigure, Reference, Run};

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
    /// (model - published) / published, in percent.
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
    /// The published value as printed.
    #[serde(skip)]
    pub printed: String,
    /// How far the mean may be off, in percent.
    #[serde(skip)]
    pub tolerance_percent: Option<f64>,
    /// Why the figure is not judged, or why it is known to lie outside.
    #[serde(skip)]
    pub note: Option<String>,
}

/// Sets the measurements of any number of replications of `run` beside its published figures.
pub fn compare(reference: &Reference, run: &Run, measurements: &[&Measurement]) -> Vec<Row> {
    run.figures.iter().map(|published| row(reference, run, published, measurements)).collect()
}

fn row(reference: &Reference, run: &Run, published: &PublishedFigure, measurements: &[&Measurement]) -> Row {
    let model = mean_of(measurements, published.figure);
    let interval = interval_of(measurements, published.figure);
    let error_pct = model.map(|model| (model - published.value) / published.value * 100.0);
    Row {
        case: run.id.clone(),
        figure: published.figure.id(),
        unit: published.figure.unit(),
        published: published.value,
        model,
        interval_low: interval.map(|(low, _)| low),
        interval_high: interval.map(|(_, high)| high),
        error_pct,
        kind: published.kind,
        verdict: judge(published, error_pct),
        source: reference.source_of(run, published),
        label: published.figure.label(),
        printed: published.printed.clone(),
        tolerance_percent: published.tolerance_percent,
        note: published.known_difference.clone().or_else(|| published.reason.clone()),
    }
}

fn judge(published: &PublishedFigure, error_pct: Option<f64>) -> Verdict {
    let Some(tolerance) = published.tolerance_percent else { return Verdict::NotValidated };
    let inside = error_pct.is_some_and(|error| error.abs() <= tolerance);
    match (published.known_difference.is_some(), inside) {
        (false, true) => Verdict::Pass,
        (false, false) => Verdict::Fail,
        (true, false) => Verdict::KnownDifference,
        (true, true) => Verdict::AgreesNow,
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
