//! The published runs, as the page shows them. The only place of the page that knows the crate of reference measurements.

use zvmlab::{Figure, Scenario};

/// A run that IBM published, with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRun {
    /// The run id of the source: `V4DVY000`.
    pub id: String,
    /// What was special about it, in a few words.
    pub title: String,
    /// The scenario that stands for it.
    pub scenario: Scenario,
    /// Its figures.
    pub figures: Vec<PublishedFigure>,
}

/// One published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedFigure {
    /// Which figure.
    pub figure: Figure,
    /// Its value as printed, in the unit of the figure.
    pub value: f64,
    /// How it was used.
    pub kind: Kind,
    /// Error in percent up to which the model passes.
    pub tolerance_pct: f64,
    /// Title and table of the source.
    pub source: String,
    /// Where the source stands, if it is on the web.
    pub url: Option<String>,
    /// Why the model is known to differ, where it is.
    pub note: Option<String>,
}

/// How a published figure was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A constant of the model was chosen with it in view.
    Fitted,
    /// Nothing was tuned on it.
    Predicted,
    /// Shown, and not judged.
    NotValidated,
}

impl PublishedRun {
    /// The value of `figure`, where the run has it.
    pub fn value(&self, figure: Figure) -> Option<f64> {
        self.figures.iter().find(|published| published.figure == figure).map(|published| published.value)
    }
}
