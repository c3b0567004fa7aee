//! What a reader's way leaves at each step, and the text in which it is kept.

use serde::{Deserialize, Serialize};

use super::read;
use crate::lesson::{Form, Task};

/// What the learner answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Answer {
    Choice(usize),
    Range([String; 2]),
    Curve(Vec<f64>),
}

/// What has come of a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Trace {
    /// The prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// Whether it can no longer be changed.
    #[serde(skip_serializing_if = "is_nothing")]
    pub locked: bool,
    /// Whether the prediction came true, once a later step has seen it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<bool>,
    /// Whether what was asked for was reached.
    #[serde(skip_serializing_if = "is_nothing")]
    pub met: bool,
    /// Tries that did not reach it.
    #[serde(skip_serializing_if = "is_nothing")]
    pub tries: u32,
    /// Hints that were asked for.
    #[serde(skip_serializing_if = "is_nothing")]
    pub hints: u32,
}

/// Whether a value is what it is before anything was done. Such values are not kept, so that the text is short.
fn is_nothing<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Trace {
    /// Whether it can be of a step with this task. What comes from a link or a course may be anything.
    pub fn fits(&self, task: &Task) -> bool {
        let form = match task {
            Task::Predict(prediction) => Some(&prediction.form),
            _ => None,
        };
        match (&self.answer, form) {
            (None, _) => !self.locked,
            (Some(Answer::Choice(chosen)), Some(Form::Choice(choices))) => *chosen < choices.len(),
            (Some(Answer::Range([least, most])), Some(Form::Range { .. })) => {
                !self.locked || read(least).zip(read(most)).is_some_and(|(least, most)| least <= most)
            }
            (Some(Answer::Curve(curve)), Some(Form::Curve { values, .. })) => {
                curve.len() == values.len() && curve.iter().all(|value| value.is_finite())
            }
            _ => false,
        }
    }
}

/// The text in which a way is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub at: usize,
    pub traces: Vec<Trace>,
}
