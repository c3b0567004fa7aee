//! What came of a prediction: what the learner said, what the model says, what IBM measured.

use zvmlab::Figure;

use super::{Answer, Play, entry, known, pairs, read, whole_limit};
use crate::bench::Bench;
use crate::lesson::check::{Look, Pairs, differences, shown_by};
use crate::lesson::{Choice, Form, Prediction, Task, turned};
use crate::published::{figure_of, run_like};
use crate::words::number::{difference, half_width, signed_pct};
use crate::words::unit::with_unit;

/// How far a drawn curve may be from the model's, each from 0 at its lowest to 1 at its highest, mean over its points. Chosen: a rise that
/// flattens is told from one that gets steeper.
const NEAR: f64 = 0.2;
/// The same of each of its points. Chosen: a cliff that was not drawn is told.
const NEAR_EACH: f64 = 0.35;
/// A curve that varies by less than this part of its highest value is flat. Chosen.
const FLAT: f64 = 0.1;

/// A prediction with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The figure that was predicted.
    pub figure: Figure,
    /// What the learner said; none if nothing.
    pub predicted: Option<String>,
    /// What the model says.
    pub model: String,
    /// What IBM measured, where it is published.
    pub published: Option<String>,
    /// Whether the learner was right.
    pub is_right: bool,
    /// Where the prediction went wrong, in a sentence; empty if it came true.
    pub why: String,
    /// The points of a curve.
    pub points: Vec<Point>,
    /// Where trials were asked for: what they show.
    pub trials: Option<Trials>,
}

/// What trials show, in percent of the mean before.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// The difference in each.
    pub differences: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Half of its 95 % interval.
    pub half: f64,
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value of the knob.
    pub value: String,
    /// As the learner drew it.
    pub drawn: Option<f64>,
    /// In the model.
    pub model: f64,
    /// As IBM measured it.
    pub published: Option<f64>,
}

impl Play {
    /// The outcomes that the step shows; none as long as a run is missing.
    pub fn revealed(&self, bench: &Bench) -> Option<Vec<Outcome>> {
        self.lesson.asked_since(self.at).into_iter().map(|(asked, _)| self.outcome(asked, bench)).collect()
    }

    /// The outcome of the prediction at this place; none as long as a run is missing.
    pub(super) fn outcome(&self, asked: usize, bench: &Bench) -> Option<Outcome> {
        let Task::Predict(prediction) = &self.lesson.steps.get(asked)?.task else { return None };
        let answer = self.traces.get(asked).filter(|trace| trace.locked).and_then(|trace| trace.answer.as_ref());
        match &prediction.form {
            Form::Curve { .. } => self.of_curve(asked, prediction, answer, bench),
            _ => self.of_change(asked, prediction, answer, bench),
        }
    }

    /// The outcomes of all predictions of the lesson that are known.
    pub fn outcomes(&self, bench: &Bench) -> Vec<Outcome> {
        let asked = (0..self.lesson.steps.len()).filter(|at| matches!(self.lesson.steps[*at].task, Task::Predict(_)));
        asked.filter_map(|at| self.outcome(at, bench)).collect()
    }

    /// Points that were reached, and points that there are: one for each prediction that came true, and for each step whose aim was
    /// reached. Half a point where hints helped.
    pub fn score(&self, bench: &Bench) -> (f64, f64) {
        let (mut got, mut of) = (0.0, 0.0);
        for (at, step) in self.lesson.steps.iter().enumerate() {
            let trace = &self.traces[at];
            match step.task {
                Task::Predict(_) => {
                    of += 1.0;
                    let seen = || self.outcome(at, bench).is_some_and(|outcome| outcome.is_right);
                    got += f64::from(u8::from(trace.right.unwrap_or_else(seen)));
                }
                Task::Act(_) | Task::Transfer(_) | Task::Explain { .. } => {
                    of += 1.0;
                    got += match (trace.met, trace.hints) {
                        (true, 0) => 1.0,
                        (true, _) => 0.5,
                        (false, _) => 0.0,
                    };
                }
                Task::Watch | Task::Reveal => {}
            }
        }
        (got, of)
    }

    fn of_change(&self, asked: usize, prediction: &Prediction, answer: Option<&Answer>, bench: &Bench) -> Option<Outcome> {
        let before = self.lesson.host(asked);
        let after = turned(&before, &prediction.turn);
        let figure = prediction.figure;
        let (was, is) = (known(bench, &before, bench.seed)?, known(bench, &after, bench.seed)?);
        let (first, last) = (was.get(figure), is.get(figure));
        let said = |value: Option<f64>| value.map_or("–".into(), |value| with_unit(value, figure.unit()));
        let change = first.zip(last).and_then(|(first, last)| difference(first, last));
        let change = change.map_or(String::new(), |change| format!(" ({change})"));
        let limit = whole_limit(bench, &after, bench.seed);
        let pairs = pairs(bench, &before, &after, prediction.trials());
        if (pairs.len() as u64) < prediction.trials() {
            return None;
        }
        let look = Look { scenario: &after, before: Some(was), now: Some(is), limit, pairs: &pairs };
        let (predicted, is_right, why) = match (&prediction.form, answer) {
            (Form::Choice(choices), Some(Answer::Choice(chosen))) => {
                let is_right = |choice: &&Choice| choice.when.iter().all(|condition| condition.holds(&look) == Some(true));
                let choice = choices.get(*chosen)?;
                let why =
                    choices.iter().find(is_right).map(|right| format!("In the model this came true: “{}”", right.text));
                (Some(choice.text.clone()), is_right(&choice), why)
            }
            (Form::Range { .. }, Some(Answer::Range([least, most]))) => {
                let (least, most) = (read(least)?, read(most)?);
                let right = last.is_some_and(|last| (least..=most).contains(&last));
                let place = |last: f64| if last < least { "below" } else { "above" };
                let why =
                    last.map(|last| format!("The model’s figure, {}, lies {} your range.", said(Some(last)), place(last)));
                (Some(format!("{} to {}", said(Some(least)), said(Some(most)))), right, why)
            }
            _ => (None, false, None),
        };
        let published = || {
            let [first, last] = [&before, &after].map(|host| figure_of(&run_like(host)?, figure));
            let (first, last) = (first?.value, last?.value);
            let change = difference(first, last).map_or(String::new(), |change| format!(" ({change})"));
            Some(format!("{} → {}{change}", said(Some(first)), said(Some(last))))
        };
        Some(Outcome {
            figure,
            predicted,
            model: format!("{} → {}{change}{}", said(first), said(last), over_trials(figure, &pairs)),
            published: published(),
            is_right,
            why: why.filter(|_| !is_right).unwrap_or_default(),
            points: Vec::new(),
            trials: shown_by(figure, &pairs).map(|(mean, half, _)| Trials {
                differences: differences(figure, &pairs),
                mean,
                half,
            }),
        })
    }

    fn of_curve(&self, asked: usize, prediction: &Prediction, answer: Option<&Answer>, bench: &Bench) -> Option<Outcome> {
        let Form::Curve { values, .. } = &prediction.form else { return None };
        let drawn = match answer {
            Some(Answer::Curve(drawn)) if drawn.len() == values.len() => Some(drawn),
            _ => None,
        };
        let figure = prediction.figure;
        let mut points = Vec::new();
        for (at, (host, value)) in self.hosts_of(asked, prediction).iter().zip(values).enumerate() {
            let model = known(bench, host, bench.seed)?.get(figure).unwrap_or(0.0);
            let published = run_like(host).and_then(|id| figure_of(&id, figure)).map(|published| published.value);
            points.push(Point { value: entry(value), drawn: drawn.map(|drawn| drawn[at]), model, published });
        }
        let listed = |of: fn(&Point) -> Option<f64>| -> Option<String> {
            let said: Vec<String> = points
                .iter()
                .filter_map(|point| Some(format!("{}: {}", point.value, with_unit(of(point)?, figure.unit()))))
                .collect();
            (!said.is_empty()).then(|| said.join("; "))
        };
        let (predicted, model, published) =
            (listed(|point| point.drawn), listed(|point| Some(point.model)), listed(|point| point.published));
        let modelled: Vec<f64> = points.iter().map(|point| point.model).collect();
        let is_right = drawn.is_some_and(|drawn| is_near(drawn, &modelled));
        let places: Vec<&str> = points.iter().map(|point| point.value.as_str()).collect();
        let why = drawn.filter(|_| !is_right).and_then(|drawn| parting(drawn, &modelled, &places)).unwrap_or_default();
        Some(Outcome { figure, predicted, model: model.unwrap_or_default(), published, is_right, why, points, trials: None })
    }
}

/// What trials show, behind the first of them: ` in one trial; over 10 trials −0.9 % ± 2.6 %: cannot be told from chance`.
fn over_trials(figure: Figure, pairs: &Pairs) -> String {
    let Some((mean, half, change)) = shown_by(figure, pairs) else { return String::new() };
    format!(" in one trial; over {} trials {} ± {} %: {}", pairs.len(), signed_pct(mean), half_width(half), change.said())
}

/// Whether two curves have nearly the same shape.
fn is_near(drawn: &[f64], model: &[f64]) -> bool {
    match (shape(drawn), shape(model)) {
        (Some(drawn), Some(model)) => {
            let apart: Vec<f64> = drawn.iter().zip(&model).map(|(drawn, model)| (drawn - model).abs()).collect();
            apart.iter().sum::<f64>() / drawn.len().max(1) as f64 <= NEAR && apart.iter().all(|apart| *apart <= NEAR_EACH)
        }
        (drawn, model) => drawn.is_none() && model.is_none(),
    }
}

/// Where a drawn curve parts most from the model's, in a sentence: the two neighbouring values between which one climbs or falls and
/// the other does not so.
fn parting(drawn: &[f64], model: &[f64], places: &[&str]) -> Option<String> {
    let (Some(of_drawn), Some(of_model)) = (shape(drawn), shape(model)) else {
        let flat = if shape(model).is_none() {
            "The model’s curve hardly changes."
        } else {
            "Your curve hardly changes, the model’s does."
        };
        return Some(flat.into());
    };
    let steps = |curve: &[f64]| curve.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let (drawn, model) = (steps(&of_drawn), steps(&of_model));
    let at = (0..drawn.len()).max_by(|a, b| (drawn[*a] - model[*a]).abs().total_cmp(&(drawn[*b] - model[*b]).abs()))?;
    let way = |step: f64| match (step * 100.0).round() {
        0.0 => "hardly changes".to_string(),
        percent if percent > 0.0 => format!("rises by {percent} % of its height"),
        percent => format!("falls by {} % of its height", -percent),
    };
    Some(format!(
        "You part most from {} to {}: there your curve {}, the model’s {}.",
        places.get(at)?,
        places.get(at + 1)?,
        way(drawn[at]),
        way(model[at])
    ))
}

/// A curve from 0 at its lowest to 1 at its highest; none if it is flat.
fn shape(curve: &[f64]) -> Option<Vec<f64>> {
    let (lowest, highest) =
        curve.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(*value), high.max(*value)));
    let range = highest - lowest;
    (range > FLAT * highest).then(|| curve.iter().map(|value| (value - lowest) / range).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_judged_by_its_shape() {
        let model = [0.04, 0.08, 0.1, 0.11, 0.11];
        assert!(is_near(&[0.2, 0.4, 0.5, 0.55, 0.55], &model), "the same at another scale");
        assert!(!is_near(&[0.02, 0.04, 0.06, 0.08, 0.4], &model), "a rise that gets steeper");
        assert!(!is_near(&[0.1, 0.08, 0.05, 0.03, 0.01], &model), "a fall");
        assert!(!is_near(&[0.05; 5], &model), "no change");
        assert!(!is_near(&[0.05, 0.05, 0.05, 0.05, 0.1], &model), "only the last one helps");
        assert!(is_near(&[0.5; 5], &[0.1, 0.101, 0.1, 0.1, 0.1]), "both are flat");
        assert!(!is_near(&[300.0, 500.0, 620.0, 720.0], &[329.0, 692.0, 704.0, 725.0]), "no cliff was drawn");
    }

    #[test]
    fn where_a_curve_parts_is_said() {
        let said = parting(&[0.0, 0.4, 0.8, 1.2], &[0.0, 0.8, 1.0, 1.0], &["0", "2", "4", "8"]);
        assert_eq!(
            said.as_deref(),
            Some(
                "You part most from 0 to 2: there your curve rises by 33 % of its height, the model’s rises by 80 % of its height."
            )
        );
        assert!(parting(&[0.5; 3], &[0.1, 0.2, 0.3], &["0", "2", "4"]).is_some_and(|said| said.contains("hardly changes")));
    }
}
