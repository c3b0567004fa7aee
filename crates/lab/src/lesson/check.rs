//! Conditions on a host and its run: ranges, ratios and what limits, never one number.

use zvmlab::limit::ResourceKind;
use zvmlab::scenario::fields::Kind;
use zvmlab::{Figure, Measurement, Scenario};

use crate::knob::{Given, Knob};
use crate::words::letters::within;
use crate::words::limit::label;
use crate::words::number::rounded;
use crate::words::unit::NO_BREAK;

/// Something that holds of a run, or not.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A figure is in a range, in its unit.
    Figure(Figure, Range),
    /// A figure is so many times what it was before.
    Times(Figure, Range),
    /// A knob that has numbers stands in a range.
    Knob(Knob, Range),
    /// A knob has this value.
    Is(Knob, Given),
    /// This limits.
    Limit(ResourceKind),
}

/// From at least to at most; an end may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The least.
    pub least: Option<f64>,
    /// The most.
    pub most: Option<f64>,
}

impl Range {
    fn has(self, value: f64) -> bool {
        self.least.is_none_or(|least| value >= least) && self.most.is_none_or(|most| value <= most)
    }

    /// In words, given how a number is said.
    fn said(self, say: impl Fn(f64) -> String) -> String {
        match (self.least, self.most) {
            (Some(least), Some(most)) => format!("from {} to {}", say(least), say(most)),
            (Some(least), None) => format!("at least {}", say(least)),
            (None, Some(most)) => format!("at most {}", say(most)),
            (None, None) => "anything".into(),
        }
    }
}

/// What a condition looks at. What is not known yet is none.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The host.
    pub scenario: &'a Scenario,
    /// The figures of the host before.
    pub before: Option<&'a Measurement>,
    /// The figures of its run.
    pub now: Option<&'a Measurement>,
    /// What limits the run, once it has ended; inside, none if nothing does.
    pub limit: Option<Option<ResourceKind>>,
}

impl Condition {
    /// Whether it holds; none as long as that is not known.
    pub fn holds(&self, look: &Look) -> Option<bool> {
        Some(match self {
            // A figure without a value, such as a stop of a guest that never stopped, is in no range.
            Condition::Figure(figure, range) => look.now?.get(*figure).is_some_and(|value| range.has(value)),
            Condition::Times(figure, range) => {
                let (before, now) = (look.before?.get(*figure), look.now?.get(*figure));
                before.zip(now).is_some_and(|(before, now)| before > 0.0 && range.has(now / before))
            }
            Condition::Knob(knob, range) => place(knob, look.scenario).is_some_and(|value| range.has(value)),
            Condition::Is(knob, given) => knob.given(look.scenario) == *given,
            Condition::Limit(kind) => look.limit? == Some(*kind),
        })
    }

    /// The condition in words: `ETR at least 0.1 1/s`.
    pub fn said(&self, scenario: &Scenario) -> String {
        match self {
            Condition::Figure(figure, range) => {
                format!("{}: {}", figure.label(), range.said(|value| in_unit(value, figure.unit())))
            }
            Condition::Times(figure, range) => {
                format!("{}: {} times what it was", figure.label(), range.said(|value| in_unit(value, "")))
            }
            Condition::Knob(knob, range) => {
                format!("{}: {}", knob.label(scenario), range.said(|value| in_unit(value, knob.field.unit)))
            }
            Condition::Is(knob, given) => format!("{}: {}", knob.label(scenario), value(given)),
            Condition::Limit(kind) => format!("What limits: {}", within(label(*kind))),
        }
    }
}

/// A number as its author wrote it, at most six digits, with its unit.
fn in_unit(value: f64, unit: &str) -> String {
    let value = rounded(value, 6, 6);
    if unit.is_empty() { value } else { format!("{value}{NO_BREAK}{unit}") }
}

/// A value of a knob in words.
pub fn value(given: &Given) -> String {
    match given {
        Given::Number(text) | Given::Choice(text) | Given::Text(text) => text.clone(),
        Given::Switch(true) => "on".into(),
        Given::Switch(false) => "off".into(),
    }
}

/// The number at which a knob stands; none if it has no numbers.
pub fn place(knob: &Knob, scenario: &Scenario) -> Option<f64> {
    match knob.field.kind {
        Kind::Whole { get, .. } => Some(get(scenario, knob.group) as f64),
        Kind::Tenths { get, .. } => Some(f64::from(get(scenario, knob.group).0) / 10.0),
        _ => None,
    }
}
