//! A reader's way through a lesson: where it stands, what was predicted, tried and reached. The bench holds the host; this says which.

pub mod outcome;
mod pointing;
pub mod statement;
mod trace;

use std::rc::Rc;

use zvmlab::limit::ResourceKind;
use zvmlab::{Measurement, Scenario};

use self::trace::{Answer, Kept, Trace};
use super::check::{Look, Pairs};
use super::{Form, Lesson, Prediction, Step, Task, turned};
use crate::batch::queue::{Key, key};
use crate::bench::Bench;
use crate::knob::{Given, Knob};
use crate::machine::Kind;
use crate::words::unit::with_unit;

/// Tries after which hints are offered.
const TRIES: u32 = 2;

/// The longest text that an end of a range may have, in characters. Chosen: no number needs more, and courses keep little.
const RANGE_CHARS: usize = 24;

/// What the learner did.
#[derive(Clone, Debug, PartialEq)]
pub enum Did {
    /// Chose an answer.
    Choose(usize),
    /// Wrote the lower end of a range.
    Least(String),
    /// Wrote the upper end.
    Most(String),
    /// Drew a value of a curve, in the figure's unit.
    Draw(usize, f64),
    /// Stands by the prediction.
    Lock,
    /// Pointed at a part of the machine.
    PointAt(Kind, String),
    /// Named what limits.
    Name(ResourceKind),
    /// Asked for a hint.
    AskHint,
    /// Went on.
    GoOn,
    /// Went back.
    GoBack,
    /// Wants the step's host as it was.
    Restart,
}

/// A reader's way through a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    lesson: Rc<Lesson>,
    at: usize,
    traces: Vec<Trace>,
    /// What the last answer brought, in a sentence.
    said: String,
    /// The hosts that were tried in this step.
    tried: Vec<Key>,
    /// The last answer to what limits, in words.
    named: String,
    /// The values that were tried last, in words.
    turned: String,
}

/// A condition as the learner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Its words.
    pub said: String,
    /// Whether it holds; none as long as that is not known.
    pub holds: Option<bool>,
}

impl Play {
    /// A lesson from its beginning.
    pub fn new(lesson: Rc<Lesson>) -> Play {
        let traces = vec![Trace::default(); lesson.steps.len()];
        Play { lesson, at: 0, traces, said: String::new(), tried: Vec::new(), named: String::new(), turned: String::new() }
    }

    /// A lesson where it was left, if `kept` is of a lesson of this form; else from its beginning.
    pub fn resumed(lesson: Rc<Lesson>, kept: &str) -> Play {
        let mut play = Play::new(lesson);
        if let Ok(Kept { at, traces }) = serde_json::from_str(kept)
            && traces.len() == play.traces.len()
            && at <= traces.len()
            && play.lesson.steps.iter().zip(&traces).all(|(step, trace)| trace.fits(&step.task))
        {
            (play.at, play.traces) = (at, traces);
        }
        play
    }

    /// The way as a text, to be resumed later.
    pub fn kept(&self) -> String {
        serde_json::to_string(&Kept { at: self.at, traces: self.traces.clone() }).unwrap_or_default()
    }

    /// The lesson.
    pub fn lesson(&self) -> &Rc<Lesson> {
        &self.lesson
    }

    /// The place of the step, from 0; the number of steps at the end.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The step; none at the end.
    pub fn step(&self) -> Option<&Step> {
        self.lesson.steps.get(self.at)
    }

    /// What the last answer brought, in a sentence; empty if nothing.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Goes to a step, as a link asks for it.
    pub fn jump(&mut self, to: usize) {
        self.go(to.min(self.lesson.steps.len()));
    }

    /// The host with which the step begins, and the one that it is compared with.
    pub fn hosts(&self) -> (Scenario, Scenario) {
        let at = self.at.min(self.lesson.steps.len().saturating_sub(1));
        (self.lesson.host(at), self.lesson.baseline(at))
    }

    /// Whether the step lets the learner turn this knob.
    pub fn opens(&self, knob: &Knob) -> bool {
        self.step().and_then(|step| step.task.goal()).is_some_and(|goal| goal.open.contains(knob))
    }

    /// Why the knobs that do not move stand still.
    pub fn why_locked(&self) -> &'static str {
        match self.step().map(|step| &step.task) {
            Some(Task::Act(_) | Task::Transfer(_)) => {
                "Only the knobs that the lesson names move, the first ones here. It keeps the others as they are."
            }
            Some(Task::Predict(_)) => "No knob moves while you predict. The lesson shows later what they do.",
            _ => "No knob moves in this step of the lesson.",
        }
    }

    /// Whether the page must not yet say what limits.
    pub fn asks_for_limit(&self) -> bool {
        let asks = self.step().is_some_and(|step| matches!(step.task, Task::Explain { .. }));
        asks && !self.trace().met
    }

    /// Whether the learner may go on.
    pub fn may_go_on(&self, bench: &Bench) -> bool {
        match self.step().map(|step| &step.task) {
            Some(Task::Watch) => true,
            Some(Task::Predict(_)) => self.trace().locked,
            Some(Task::Reveal) => self.revealed(bench).is_some(),
            // Whoever has read every hint may go on.
            Some(Task::Act(_) | Task::Transfer(_) | Task::Explain { .. }) => self.trace().met || self.is_at_wits_end(),
            None => false,
        }
    }

    /// Whether the page must not yet say what limits: an open question of the lesson, here or later, asks for it.
    pub fn hides_limit(&self) -> bool {
        let asked = self.lesson.steps.iter().zip(&self.traces).skip(self.at);
        asked.into_iter().any(|(step, trace)| matches!(step.task, Task::Explain { .. }) && !trace.met)
    }

    /// Whether nothing may be shown that gives a prediction away: measured hosts, rooms, what others did.
    pub fn is_asking(&self) -> bool {
        self.step().is_some_and(|step| matches!(step.task, Task::Predict(_)))
    }

    /// Whether what the step asks for was reached.
    pub fn is_met(&self) -> bool {
        self.trace().met
    }

    /// Whether all hints were read, after tries enough.
    fn is_at_wits_end(&self) -> bool {
        let hints = self.step().map_or(0, |step| step.hints.len()) as u32;
        self.trace().tries >= TRIES && self.trace().hints >= hints
    }

    /// Whether a hint is on offer.
    pub fn offers_hint(&self) -> bool {
        let hints = self.step().map_or(0, |step| step.hints.len()) as u32;
        let trace = self.trace();
        !trace.met && trace.tries >= TRIES && trace.hints < hints
    }

    /// The hints that were asked for.
    pub fn hints(&self) -> &[String] {
        let shown = self.trace().hints as usize;
        self.step().map_or(&[], |step| &step.hints[..shown.min(step.hints.len())])
    }

    /// The step that shows what comes of the prediction of this step, counted from 1.
    pub fn shown_in(&self) -> Option<usize> {
        let later = self.lesson.steps.iter().skip(self.at);
        later.clone().position(|step| step.task == Task::Reveal).map(|after| self.at + after + 1)
    }

    /// Whether the prediction of the step can no longer be changed.
    pub fn is_locked(&self) -> bool {
        self.trace().locked
    }

    /// The answer that is chosen.
    pub fn chosen(&self) -> Option<usize> {
        match self.trace().answer {
            Some(Answer::Choice(chosen)) => Some(chosen),
            _ => None,
        }
    }

    /// The range as it is written.
    pub fn range(&self) -> [String; 2] {
        match &self.trace().answer {
            Some(Answer::Range(range)) => range.clone(),
            _ => Default::default(),
        }
    }

    /// The curve as it is drawn; flat in the middle at first.
    pub fn curve(&self) -> Vec<f64> {
        match (&self.trace().answer, self.step().map(|step| &step.task)) {
            (Some(Answer::Curve(curve)), _) => curve.clone(),
            (_, Some(Task::Predict(Prediction { form: Form::Curve { values, most, .. }, .. }))) => {
                vec![most / 2.0; values.len()]
            }
            _ => Vec::new(),
        }
    }

    /// Why the prediction cannot be locked yet; none if it can.
    pub fn unfinished(&self) -> Option<String> {
        let Some(Task::Predict(prediction)) = self.step().map(|step| &step.task) else { return None };
        match (&prediction.form, &self.trace().answer) {
            (Form::Choice(_), None) => Some("Choose one.".into()),
            (Form::Range { widest, .. }, answer) => match answer {
                Some(Answer::Range([least, most])) => match (read(least), read(most)) {
                    (Some(least), Some(most)) if least > most => {
                        Some("The first number must not be above the second.".into())
                    }
                    (Some(least), Some(most)) if most - least > widest * (1.0 + 1e-9) => {
                        let most = with_unit(*widest, prediction.figure.unit());
                        Some(format!("Make the range at most {most} wide."))
                    }
                    (Some(_), Some(_)) => None,
                    _ => Some("Write two numbers.".into()),
                },
                _ => Some("Write two numbers.".into()),
            },
            (Form::Curve { .. }, None) => Some("Draw the curve: move each value.".into()),
            _ => None,
        }
    }

    /// The conditions of the step, as far as they are known for the host on the bench.
    pub fn wanted(&self, bench: &Bench) -> Vec<Wanted> {
        let Some(goal) = self.step().and_then(|step| step.task.goal()) else { return Vec::new() };
        let start = self.lesson.host(self.at);
        let pairs = pairs(bench, &start, &bench.scenario, goal.trials());
        let each = |condition: &super::check::Condition| {
            let (mut holds, mut now_said) = (Some(true), None);
            // Trials are judged together.
            let seeds = if condition.trials() > 1 { 1 } else { goal.seeds };
            for seed in (0..seeds).map(|more| bench.seed.wrapping_add(more)) {
                let now = known(bench, &bench.scenario, seed);
                let limit = whole_limit(bench, &bench.scenario, seed);
                let look = Look { scenario: &bench.scenario, before: known(bench, &start, seed), now, limit, pairs: &pairs };
                now_said = now_said.or_else(|| condition.now(&look));
                holds = match (holds, condition.holds(&look)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (_, None) => None,
                    (holds, Some(true)) => holds,
                };
            }
            let now = now_said.map_or(String::new(), |now| format!(" (now {now})"));
            let said = condition.said(&bench.scenario) + &now;
            Wanted { said, holds: holds.filter(|_| bench.problems.is_empty()) }
        };
        goal.until.iter().map(each).collect()
    }

    /// The runs that the step needs besides that of the bench and its baseline.
    pub fn runs(&self, bench: &Bench) -> Vec<(Scenario, u64)> {
        match self.step().map(|step| &step.task) {
            Some(Task::Act(goal) | Task::Transfer(goal)) => {
                let start = self.lesson.host(self.at);
                let first = known(bench, &bench.scenario, bench.seed).is_some();
                // The further seeds only once the first one is known: most tries end with it.
                let hosts = seeds(goal.trials(), bench).skip(1).filter(|_| first && bench.problems.is_empty());
                let hosts = hosts.flat_map(|seed| [(bench.scenario.clone(), seed), (start.clone(), seed)]);
                [(start.clone(), bench.seed)].into_iter().chain(hosts).collect()
            }
            Some(Task::Reveal) => {
                let asked = self.lesson.asked_since(self.at).into_iter();
                asked.flat_map(|(asked, prediction)| self.runs_of(asked, prediction, bench)).collect()
            }
            // The end shows all of them.
            None => {
                let asked = self.lesson.steps.iter().enumerate();
                let hosts = asked.filter_map(|(at, step)| match &step.task {
                    Task::Predict(prediction) => Some(self.runs_of(at, prediction, bench)),
                    _ => None,
                });
                hosts.flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The runs that judge the prediction at this place: first all hosts with one seed, then with the next.
    fn runs_of(&self, asked: usize, prediction: &Prediction, bench: &Bench) -> Vec<(Scenario, u64)> {
        let hosts = self.hosts_of(asked, prediction);
        seeds(prediction.trials(), bench).flat_map(|seed| hosts.iter().map(move |host| (host.clone(), seed))).collect()
    }

    /// The hosts of the prediction at this place.
    fn hosts_of(&self, asked: usize, prediction: &Prediction) -> Vec<Scenario> {
        let before = self.lesson.host(asked);
        match &prediction.form {
            Form::Curve { knob, values, .. } => values
                .iter()
                .map(|value| turned(&turned(&before, &prediction.turn), &vec![(*knob, value.clone())]))
                .collect(),
            _ => vec![before.clone(), turned(&before, &prediction.turn)],
        }
    }

    /// A run has ended, or the bench has changed: notes which predictions came true, and whether the step's conditions hold.
    /// Returns whether that is news.
    pub fn observe(&mut self, bench: &Bench) -> bool {
        let judged = self.judge(bench);
        self.look(bench) || judged
    }

    /// Notes which predictions of the steps before came true. A course keeps that, where the runs are not known any more.
    fn judge(&mut self, bench: &Bench) -> bool {
        let open =
            (0..self.at.min(self.traces.len())).filter(|at| self.traces[*at].locked && self.traces[*at].right.is_none());
        let seen: Vec<(usize, bool)> = open.filter_map(|at| Some((at, self.outcome(at, bench)?.is_right))).collect();
        for (at, is_right) in &seen {
            self.traces[*at].right = Some(*is_right);
        }
        !seen.is_empty()
    }

    fn look(&mut self, bench: &Bench) -> bool {
        if self.step().and_then(|step| step.task.goal()).is_none() || self.trace().met || !bench.is_settled() {
            return false;
        }
        let wanted = self.wanted(bench);
        let host = key(&bench.scenario, bench.seed);
        let is_start = bench.scenario == self.lesson.host(self.at);
        self.turned = self.tried_values(bench);
        if wanted.iter().all(|one| one.holds == Some(true)) {
            self.traces[self.at].met = true;
            self.said = String::new();
            return true;
        }
        if wanted.iter().any(|one| one.holds == Some(false)) && !is_start && !self.tried.contains(&host) {
            self.tried.push(host);
            self.traces[self.at].tries += 1;
            return true;
        }
        false
    }

    /// The open knobs that were turned in this step: `lcu.aliases = 8, paging.zhpf = on`.
    fn tried_values(&self, bench: &Bench) -> String {
        let open = self.step().and_then(|step| step.task.goal()).map(|goal| goal.open.as_slice()).unwrap_or_default();
        let start = self.lesson.host(self.at);
        let turned = open.iter().filter(|knob| knob.given(&bench.scenario) != knob.given(&start));
        let each = turned.filter_map(|knob| Some(format!("{} = {}", knob.place(), entry(&knob.given(&bench.scenario)?))));
        each.collect::<Vec<_>>().join(", ")
    }

    /// The learner did something. Returns whether another step began, or the same anew: the bench then takes its host.
    pub fn act(&mut self, did: Did, bench: &Bench) -> bool {
        match did {
            Did::GoOn if self.may_go_on(bench) => return self.go(self.at + 1),
            Did::GoBack if self.at > 0 => return self.go(self.at - 1),
            Did::Restart => return self.go(self.at),
            Did::AskHint if self.offers_hint() => self.traces[self.at].hints += 1,
            Did::PointAt(kind, state) if self.asks_for_limit() => self.point_at(kind, state),
            Did::Name(named) if self.asks_for_limit() => self.name(named, bench),
            Did::Lock if self.unfinished().is_none() => self.lock(),
            Did::Choose(_) | Did::Least(_) | Did::Most(_) | Did::Draw(..) if !self.trace().locked => self.answer(did),
            _ => {}
        }
        false
    }

    fn lock(&mut self) {
        if let Some(trace) = self.traces.get_mut(self.at) {
            trace.locked = true;
        }
    }

    fn answer(&mut self, did: Did) {
        let (mut range, mut curve) = (self.range(), self.curve());
        let Some(Task::Predict(prediction)) = self.lesson.steps.get(self.at).map(|step| &step.task) else { return };
        let answer = match (did, &prediction.form) {
            (Did::Choose(chosen), Form::Choice(choices)) if chosen < choices.len() => Answer::Choice(chosen),
            (Did::Least(text), Form::Range { .. }) => {
                range[0] = text.chars().take(RANGE_CHARS).collect();
                Answer::Range(range)
            }
            (Did::Most(text), Form::Range { .. }) => {
                range[1] = text.chars().take(RANGE_CHARS).collect();
                Answer::Range(range)
            }
            (Did::Draw(at, value), Form::Curve { most, .. }) if at < curve.len() && value.is_finite() => {
                curve[at] = value.clamp(0.0, *most);
                Answer::Curve(curve)
            }
            _ => return,
        };
        self.traces[self.at].answer = Some(answer);
    }

    fn go(&mut self, to: usize) -> bool {
        (self.at, self.said) = (to, String::new());
        self.tried.clear();
        true
    }

    fn trace(&self) -> &Trace {
        const NONE: &Trace = &Trace { answer: None, locked: false, right: None, met: false, tries: 0, hints: 0 };
        self.traces.get(self.at).unwrap_or(NONE)
    }
}

/// A number as a learner writes it: with a point or a comma.
fn read(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

/// So many seeds from that of the bench on.
fn seeds(count: u64, bench: &Bench) -> impl Iterator<Item = u64> + use<> {
    let seed = bench.seed;
    (0..count).map(move |more| seed.wrapping_add(more))
}

/// The pairs of runs that are known of two hosts, from the seed of the bench on.
fn pairs<'a>(bench: &'a Bench, before: &Scenario, now: &Scenario, most: u64) -> Pairs<'a> {
    seeds(most, bench).map_while(|seed| known(bench, before, seed).zip(known(bench, now, seed))).collect()
}

/// The figures of a host, if they are known.
fn known<'a>(bench: &'a Bench, host: &Scenario, seed: u64) -> Option<&'a Measurement> {
    bench.results.measurement(&key(host, seed))
}

/// What limits a host, if its whole result is known.
fn whole_limit(bench: &Bench, host: &Scenario, seed: u64) -> Option<Option<ResourceKind>> {
    bench.results.whole(&key(host, seed)).map(|settled| settled.limits.limit)
}

/// An entry in words.
fn entry(given: &Given) -> String {
    super::check::value(given)
}
