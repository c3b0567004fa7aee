//! Conditions on a host and its run: ranges, ratios and what limits, never one number.

use zvmlab::kernel::statistics::mean_interval;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::fields::Kind;
use zvmlab::{Figure, Measurement, Scenario};

use crate::knob::{Given, Knob};
use crate::words::letters::within;
use crate::words::limit::label;
use crate::words::number::{half_width, rounded, signed_pct};
use crate::words::unit::{NO_BREAK, with_unit};

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
    /// What trials show of a figure: so many pairs of runs, the host before and the host now with the same seed.
    Trials(Figure, u64, Change),
}

/// What trials show of a change: the 95 % interval of the mean difference by Student's t (paired, Law, Simulation Modeling and
/// Analysis, 10.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The figure is higher: the interval lies above 0.
    More,
    /// It is lower: the interval lies below 0.
    Less,
    /// No difference can be told from chance: the interval contains 0.
    None,
}

impl Change {
    /// Every one.
    pub const ALL: [Change; 3] = [Change::More, Change::Less, Change::None];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        match self {
            Change::More => "more",
            Change::Less => "less",
            Change::None => "none",
        }
    }

    /// In words, behind the number of trials.
    pub const fn said(self) -> &'static str {
        match self {
            Change::More => "more, beyond chance",
            Change::Less => "less, beyond chance",
            Change::None => "cannot be told from chance",
        }
    }
}

/// Pairs of runs with the same seed: the host before, and the host now.
pub type Pairs<'a> = Vec<(&'a Measurement, &'a Measurement)>;

/// The mean difference of a figure over pairs with its 95 % interval, both in percent of the mean before, and what it shows; none
/// for fewer than two pairs or where the figure has no value.
pub fn shown_by(figure: Figure, pairs: &[(&Measurement, &Measurement)]) -> Option<(f64, f64, Change)> {
    judged(&values(figure, pairs)?)
}

/// A figure before and now, of each pair; none where a pair has no value.
fn values(figure: Figure, pairs: &[(&Measurement, &Measurement)]) -> Option<Vec<[f64; 2]>> {
    pairs.iter().map(|(before, now)| Some([before.get(figure)?, now.get(figure)?])).collect()
}

/// The mean before.
fn mean_before(values: &[[f64; 2]]) -> f64 {
    values.iter().map(|[before, _]| before).sum::<f64>() / values.len().max(1) as f64
}

/// The difference of a figure in each pair, in percent of the mean before; empty where the figure has no value.
pub fn differences(figure: Figure, pairs: &[(&Measurement, &Measurement)]) -> Vec<f64> {
    let values = values(figure, pairs).unwrap_or_default();
    let mean = mean_before(&values);
    values.iter().filter(|_| mean != 0.0).map(|[before, now]| (now - before) / mean * 100.0).collect()
}

/// The same of the values before and now.
fn judged(values: &[[f64; 2]]) -> Option<(f64, f64, Change)> {
    let mean = mean_before(values);
    let interval = mean_interval(&values.iter().map(|[before, now]| now - before).collect::<Vec<_>>())?;
    let change = match (interval.low > 0.0, interval.high < 0.0) {
        (true, _) => Change::More,
        (_, true) => Change::Less,
        _ => Change::None,
    };
    let percent = |value: f64| value / mean * 100.0;
    (mean != 0.0).then(|| (percent(interval.mean), percent((interval.high - interval.low) / 2.0), change))
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
    /// The pairs of runs that are known, this one first.
    pub pairs: &'a [(&'a Measurement, &'a Measurement)],
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
            Condition::Is(knob, given) => knob.given(look.scenario).as_ref() == Some(given),
            Condition::Limit(kind) => look.limit? == Some(*kind),
            Condition::Trials(figure, trials, change) => {
                let pairs = look.pairs.get(..*trials as usize)?;
                shown_by(*figure, pairs).is_some_and(|(.., shown)| shown == *change)
            }
        })
    }

    /// Where what it looks at stands now, in words; none where that is not known, or stands beside it anyway.
    pub fn now(&self, look: &Look) -> Option<String> {
        match self {
            Condition::Figure(figure, _) => look.now?.get(*figure).map(|now| with_unit(now, figure.unit())),
            Condition::Times(figure, _) => {
                let (before, now) = (look.before?.get(*figure)?, look.now?.get(*figure)?);
                (before > 0.0).then(|| format!("{} times", rounded(now / before, 3, 3)))
            }
            Condition::Trials(figure, trials, _) => {
                let (mean, half, change) = shown_by(*figure, look.pairs.get(..*trials as usize)?)?;
                Some(format!("{} ± {} %: {}", signed_pct(mean), half_width(half), change.said()))
            }
            Condition::Knob(..) | Condition::Is(..) | Condition::Limit(_) => None,
        }
    }

    /// With how many seeds, one after the other, both hosts must run before it can be judged.
    pub fn trials(&self) -> u64 {
        if let Condition::Trials(_, trials, _) = self { *trials } else { 1 }
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
            Condition::Trials(figure, trials, change) => {
                format!("{} over {trials} trials: {}", figure.label(), change.said())
            }
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
    if !knob.is_in(scenario) {
        return None;
    }
    match knob.field.kind {
        Kind::Whole { get, .. } => Some(get(scenario, knob.group) as f64),
        Kind::Tenths { get, .. } => Some(f64::from(get(scenario, knob.group).0) / 10.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_tell_a_difference_from_chance() {
        let shown = |before: [f64; 4], now: [f64; 4]| {
            let values: Vec<[f64; 2]> = before.into_iter().zip(now).map(|(before, now)| [before, now]).collect();
            judged(&values).expect("there are four pairs")
        };
        // The same mean, +4 %: sure where the differences are alike, not where one trial makes it.
        let (mean, half, change) = shown([100.0; 4], [103.0, 104.0, 105.0, 104.0]);
        assert!((mean - 4.0).abs() < 1e-9 && change == Change::More);
        // Student's t for three degrees of freedom is 3.182; the standard error is the root of 2/3 ÷ 4.
        assert!((half - 3.182_446 * (2.0_f64 / 12.0).sqrt()).abs() < 1e-3, "{half}");
        assert_eq!(shown([100.0; 4], [118.0, 99.0, 100.0, 99.0]).2, Change::None);
        assert_eq!(shown([100.0, 110.0, 90.0, 105.0], [96.0, 106.0, 86.0, 101.5]).2, Change::Less, "pairs are compared");
        assert_eq!(judged(&[[100.0, 104.0]]), None, "one trial shows nothing");
        let condition = Condition::Trials(Figure::Etr, 4, Change::More);
        let look = Look { scenario: &Scenario::default(), before: None, now: None, limit: None, pairs: &[] };
        assert_eq!((condition.holds(&look), condition.trials()), (None, 4), "trials are missing");
    }
}
