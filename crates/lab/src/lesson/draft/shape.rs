//! How learners answer a prediction, as a form offers it, and what a draft begins with for each.

use serde_json::{Map, Value};
use zvmlab::Figure;

use super::skeleton::table;

/// How learners answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// They choose one of several answers.
    Choices,
    /// They give a range.
    Range,
    /// They draw a curve.
    Curve,
}

impl Shape {
    /// Every one.
    pub const ALL: [Shape; 3] = [Shape::Choices, Shape::Range, Shape::Curve];

    /// In words.
    pub const fn said(self) -> &'static str {
        match self {
            Shape::Choices => "choose an answer",
            Shape::Range => "give a range",
            Shape::Curve => "draw a curve",
        }
    }

    /// The shape of the prediction in a step.
    pub fn of(step: &Value) -> Shape {
        match (step.get("curve"), step.get("answer")) {
            (Some(_), _) => Shape::Curve,
            (None, Some(_)) => Shape::Range,
            (None, None) => Shape::Choices,
        }
    }

    /// Gives a step this shape. What belongs to another goes.
    pub fn give(self, step: &mut Map<String, Value>, figure: Figure) {
        for key in ["choices", "answer", "widest", "curve"] {
            step.remove(key);
        }
        step.extend(table(self.begun(), figure));
    }

    /// What it begins with. A change below 5 % is about the same.
    const fn begun(self) -> &'static str {
        match self {
            Shape::Choices => {
                r#"
choices = [
  { text = "It falls.", when = [{ figure = "etr", times_at_most = 0.95 }] },
  { text = "It stays about the same.", when = [{ figure = "etr", times_at_least = 0.9501, times_at_most = 1.05 }] },
  { text = "It grows.", when = [{ figure = "etr", times_at_least = 1.0501 }] },
]"#
            }
            Shape::Range => "answer = [\"\", \"\"]\nwidest = \"\"",
            Shape::Curve => r#"curve = { knob = "", values = [], most = "" }"#,
        }
    }
}
