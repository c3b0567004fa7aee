//! A lesson played without a reader: every prediction has an answer that the model gives, every task can be reached and is not reached
//! by itself, and what limits is what the lesson says.

use std::rc::Rc;

use zvmlab::limit::ResourceKind;
use zvmlab::scenario::ScenarioError;
use zvmlab::{Figure, Measurement, Scenario, experiment};
use zvmlab_reference::replication::{Job, run_each, thread_count};

use super::check::{Look, Pairs, shown_by, value};
use super::{Form, Goal, Lesson, Prediction, Step, Task, Turns, turned};
use crate::words::limit::label;
use crate::words::number::{half_width, signed_pct};
use crate::words::unit::with_unit;

/// Findings without their seeds, each once: what was found with several seeds, in the order in which it was found first, with how
/// many of `seeds` found it.
pub fn gathered(findings: &[Finding]) -> Vec<(Finding, usize)> {
    let mut gathered: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let said = match finding.said.strip_prefix("seed ").and_then(|rest| rest.split_once(": ")) {
            Some((_, said)) => said.to_string(),
            None => finding.said.clone(),
        };
        let one = Finding { said, ..finding.clone() };
        match gathered.iter_mut().find(|(other, _)| *other == one) {
            Some((_, count)) => *count += 1,
            None => gathered.push((one, 1)),
        }
    }
    gathered
}

/// What was found out about a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The step, from 1.
    pub step: usize,
    /// The word of its task.
    pub task: &'static str,
    /// The finding, in words.
    pub said: String,
    /// Whether the lesson is wrong there.
    pub is_fault: bool,
}

/// A run: its figures and what limited it.
pub type Ran = (Measurement, Option<ResourceKind>);

/// The seeds with which a lesson is tried.
pub const SEEDS: [u64; 3] = [1, 2, 3];

/// A lesson being tried where runs come one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    lesson: Rc<Lesson>,
    seeds: Vec<u64>,
    known: Vec<((Scenario, u64), Ran)>,
    missing: Vec<(Scenario, u64)>,
}

impl Trial {
    /// Nothing has run yet.
    pub fn new(lesson: Rc<Lesson>) -> Trial {
        Trial::with_seeds(lesson, &SEEDS)
    }

    /// The same, with other seeds.
    pub fn with_seeds(lesson: Rc<Lesson>, seeds: &[u64]) -> Trial {
        let missing = runs(&lesson, seeds);
        Trial { lesson, seeds: seeds.to_vec(), known: Vec::new(), missing }
    }

    /// The hosts that are still to be run, each with its seed.
    pub fn missing(&self) -> &[(Scenario, u64)] {
        &self.missing
    }

    /// How many runs are known, and how many there are in all.
    pub fn way(&self) -> (usize, usize) {
        (self.known.len(), self.known.len() + self.missing.len())
    }

    /// Takes what is known of the runs that are missing. Returns whether something was.
    pub fn hear(&mut self, run: impl Fn(&Scenario, u64) -> Option<Ran>) -> bool {
        let before = self.known.len();
        let known = &mut self.known;
        self.missing.retain(|(host, seed)| match run(host, *seed) {
            Some(ran) => {
                known.push(((host.clone(), *seed), ran));
                false
            }
            None => true,
        });
        self.known.len() > before
    }

    /// What was found out; none as long as a run is missing.
    pub fn findings(&self) -> Option<Vec<Finding>> {
        let mut run = |host: &Scenario, seed: u64| {
            let found = self.known.iter().find(|((other, one), _)| *one == seed && other == host);
            debug_assert!(found.is_some(), "a run that nobody asked for");
            found.map(|(_, ran)| ran.clone()).unwrap_or_default()
        };
        self.missing.is_empty().then(|| play(&self.lesson, &self.seeds, &mut run))
    }
}

/// Plays all routes of a lesson with each of `seeds`, with as many runs at once as the machine has processors. Not for the page, which has
/// no threads.
///
/// # Errors
/// Every problem of the first host that cannot run.
pub fn play_at_once(lesson: &Lesson, seeds: &[u64]) -> Result<Vec<Finding>, ScenarioError> {
    let mut trial = Trial::with_seeds(Rc::new(lesson.clone()), seeds);
    let missing = trial.missing().to_vec();
    let jobs: Vec<Job> = missing.iter().map(|(scenario, seed)| Job { scenario, seed: *seed }).collect();
    let run = |job: &Job| experiment::run(job.scenario, job.seed).map(|one| (one.measurement, one.limits.limit));
    let ran = run_each(&jobs, thread_count(), &run)?;
    trial.hear(|host, seed| {
        let at = missing.iter().position(|(other, one)| *one == seed && other == host)?;
        ran.get(at).cloned()
    });
    Ok(trial.findings().unwrap_or_default())
}

/// Every run that [`play`] asks for, once.
pub fn runs(lesson: &Lesson, seeds: &[u64]) -> Vec<(Scenario, u64)> {
    let mut runs: Vec<(Scenario, u64)> = Vec::new();
    let mut add = |host: &Scenario, trials: u64| {
        for seed in seeds.iter().flat_map(|seed| (0..trials).map(move |more| seed + more)) {
            if !runs.iter().any(|(other, one)| *one == seed && other == host) {
                runs.push((host.clone(), seed));
            }
        }
    };
    for (at, step) in lesson.steps.iter().enumerate() {
        let host = lesson.host(at);
        match &step.task {
            Task::Watch | Task::Reveal => {}
            Task::Explain { .. } => add(&host, 1),
            Task::Predict(prediction) => {
                let after = turned(&host, &prediction.turn);
                match &prediction.form {
                    Form::Curve { knob, values, .. } => {
                        values.iter().for_each(|given| add(&turned(&after, &vec![(*knob, given.clone())]), 1));
                    }
                    _ => [&host, &after].into_iter().for_each(|host| add(host, prediction.trials())),
                }
            }
            Task::Act(goal) | Task::Transfer(goal) => {
                let ways = goal.routes.iter().map(|route| turned(&host, route)).filter(|tried| tried.check().is_ok());
                [host.clone()].into_iter().chain(ways).for_each(|host| add(&host, goal.trials()));
            }
        }
    }
    runs
}

/// Plays all routes of a lesson with each of `seeds`. `run` runs a host.
pub fn play(lesson: &Lesson, seeds: &[u64], run: &mut dyn FnMut(&Scenario, u64) -> Ran) -> Vec<Finding> {
    let mut known: Vec<((Scenario, u64), Ran)> = Vec::new();
    let mut ran = |host: &Scenario, seed: u64| -> Ran {
        if let Some((_, ran)) = known.iter().find(|((other, one), _)| *one == seed && other == host) {
            return ran.clone();
        }
        let ran = run(host, seed);
        known.push(((host.clone(), seed), ran.clone()));
        ran
    };
    let mut findings = Vec::new();
    for (at, step) in lesson.steps.iter().enumerate() {
        let mut note = |said: String, is_fault: bool| {
            findings.push(Finding { step: at + 1, task: step.task.word(), said, is_fault });
        };
        let host = lesson.host(at);
        match &step.task {
            Task::Watch | Task::Reveal => {}
            Task::Predict(prediction) => predict(prediction, &host, seeds, &mut ran, &mut note),
            Task::Act(goal) | Task::Transfer(goal) => reach(step, goal, &host, seeds, &mut ran, &mut note),
            Task::Explain { limit } => {
                for &seed in seeds {
                    let found = ran(&host, seed).1;
                    let said = found.map_or("nothing", label);
                    let instead = if found == Some(*limit) { String::new() } else { format!(", not {}", label(*limit)) };
                    note(format!("seed {seed}: what limits is {said}{instead}"), found != Some(*limit));
                }
            }
        }
    }
    findings
}

fn predict(
    prediction: &Prediction,
    host: &Scenario,
    seeds: &[u64],
    ran: &mut dyn FnMut(&Scenario, u64) -> Ran,
    note: &mut dyn FnMut(String, bool),
) {
    let after = turned(host, &prediction.turn);
    for &seed in seeds {
        match &prediction.form {
            Form::Choice(choices) => {
                let (before, (now, limit)) = (ran(host, seed).0, ran(&after, seed));
                let runs = trials(prediction.trials(), seed, host, &after, ran);
                let pairs: Pairs = runs.iter().map(|(before, now)| (before, now)).collect();
                let look =
                    Look { scenario: &after, before: Some(&before), now: Some(&now), limit: Some(limit), pairs: &pairs };
                let is_right = |when: &[super::check::Condition]| when.iter().all(|one| one.holds(&look) == Some(true));
                let right: Vec<&str> =
                    choices.iter().filter(|choice| is_right(&choice.when)).map(|choice| choice.text.as_str()).collect();
                let went = match shown_by(prediction.figure, &pairs) {
                    None => went(prediction.figure, &before, &now),
                    Some((mean, half, change)) => format!(
                        "{}; {} trials: {} ± {} %, {}",
                        went(prediction.figure, &before, &now),
                        pairs.len(),
                        signed_pct(mean),
                        half_width(half),
                        change.said()
                    ),
                };
                match right[..] {
                    [one] => note(format!("seed {seed}: {went}; right is “{one}”"), false),
                    [] => note(format!("seed {seed}: {went}; no choice is right"), true),
                    _ => note(format!("seed {seed}: {went}; {} choices are right", right.len()), true),
                }
            }
            Form::Range { answer: [least, most], .. } => {
                let (before, now) = (ran(host, seed).0, ran(&after, seed).0);
                let inside = now.get(prediction.figure).is_some_and(|value| (*least..=*most).contains(&value));
                note(
                    format!("seed {seed}: {}; the answer is {least} to {most}", went(prediction.figure, &before, &now)),
                    !inside,
                );
            }
            Form::Curve { knob, values, most } => {
                let mut said = Vec::new();
                let mut fits = true;
                for given in values {
                    let figure = ran(&turned(&after, &vec![(*knob, given.clone())]), seed).0.get(prediction.figure);
                    fits &= figure.is_some_and(|figure| figure <= *most);
                    said.push(format!("{}: {}", value(given), shown(prediction.figure, figure)));
                }
                let fault = if fits { "" } else { "; a value is missing or above the drawing" };
                note(format!("seed {seed}: {}{fault}", said.join(", ")), !fits);
            }
        }
    }
}

fn reach(
    step: &Step,
    goal: &Goal,
    host: &Scenario,
    seeds: &[u64],
    ran: &mut dyn FnMut(&Scenario, u64) -> Ran,
    note: &mut dyn FnMut(String, bool),
) {
    let mut holds = |tried: &Scenario, seed: u64| {
        let (before, (now, limit)) = (ran(host, seed).0, ran(tried, seed));
        let runs = trials(goal.trials(), seed, host, tried, ran);
        let pairs: Pairs = runs.iter().map(|(before, now)| (before, now)).collect();
        let look = Look { scenario: tried, before: Some(&before), now: Some(&now), limit: Some(limit), pairs: &pairs };
        let missed: Vec<String> = goal
            .until
            .iter()
            .filter(|condition| condition.holds(&look) != Some(true))
            .map(|condition| {
                let now = condition.now(&look).map_or(String::new(), |now| format!(" (it is {now})"));
                format!("{}{now}", condition.said(tried))
            })
            .collect();
        missed
    };
    for &seed in seeds {
        if holds(host, seed).is_empty() {
            note(format!("seed {seed}: “{}” is reached without doing anything", step.title), true);
        }
        for route in &goal.routes {
            let tried = turned(host, route);
            if let Err(error) = tried.check() {
                note(format!("{}: {error}", said(route, host)), true);
                continue;
            }
            let missed = holds(&tried, seed);
            match missed.is_empty() {
                true => note(format!("seed {seed}: {} reaches it", said(route, host)), false),
                false => note(format!("seed {seed}: {} does not reach {}", said(route, host), missed.join("; ")), true),
            }
        }
    }
}

/// Pairs of runs of two hosts, from a seed on.
fn trials(
    count: u64,
    seed: u64,
    before: &Scenario,
    now: &Scenario,
    ran: &mut dyn FnMut(&Scenario, u64) -> Ran,
) -> Vec<(Measurement, Measurement)> {
    (0..count).map(|more| (ran(before, seed + more).0, ran(now, seed + more).0)).collect()
}

/// A route in words.
fn said(route: &Turns, host: &Scenario) -> String {
    route.iter().map(|(knob, given)| format!("{} = {}", knob.named(host), value(given))).collect::<Vec<_>>().join(", ")
}

fn went(figure: Figure, before: &Measurement, now: &Measurement) -> String {
    format!("{} {} → {}", figure.label(), shown(figure, before.get(figure)), shown(figure, now.get(figure)))
}

fn shown(figure: Figure, value: Option<f64>) -> String {
    value.map_or("–".into(), |value| with_unit(value, figure.unit()))
}
