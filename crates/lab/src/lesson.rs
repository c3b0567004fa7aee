//! Lessons: a question about one host in steps that the reader takes: watch, predict, act, reveal, explain, transfer. A lesson is a
//! file ([`file`]); [`play`] takes a reader through it on the bench, [`trial`] plays it without one, [`draft`] is one that a teacher writes.

pub mod check;
pub mod draft;
pub mod file;
pub mod list;
pub mod play;
mod reader;
pub mod schema;
pub mod sheet;
#[cfg(test)]
mod tests;
pub mod trial;

use zvmlab::limit::ResourceKind;
use zvmlab::{Figure, Scenario};

use crate::bench::UNNAMED;
use crate::knob::{Given, Knob};
use crate::published::ready::{like, scenario_of};
use check::Condition;

/// A lesson.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Its name in addresses and files: small letters, digits, hyphens.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its one question, in the words of somebody who runs such a host.
    pub question: String,
    /// How long it takes, in minutes.
    pub minutes: u64,
    /// The ready host with which it begins.
    pub host: String,
    /// What the learner knows at its end, in sentences.
    pub summary: String,
    /// What of it the model does not show, or shows wrong.
    pub model_limits: String,
    /// For the teacher.
    pub teacher: Teacher,
    /// The steps.
    pub steps: Vec<Step>,
}

/// What a teacher is told, and the learner is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Teacher {
    /// What learners should be able to do afterwards.
    pub goal: String,
    /// What learners often believe at first.
    pub misconceptions: Vec<String>,
    /// Anything else.
    pub notes: String,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its heading.
    pub title: String,
    /// What the learner reads.
    pub text: String,
    /// Settings of the host from this step on, besides those of the ready host. None: as in the step before.
    pub set: Option<Turns>,
    /// Hints, the vague first. Shown one by one after two tries.
    pub hints: Vec<String>,
    /// What the learner does.
    pub task: Task,
}

/// Knobs with their values.
pub type Turns = Vec<(Knob, Given)>;

/// What the learner does in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Looks at the machine.
    Watch,
    /// Says what a change will do, before it can be seen.
    Predict(Prediction),
    /// Turns the open knobs until something holds.
    Act(Goal),
    /// The same, as a task of its own at the end: any way counts.
    Transfer(Goal),
    /// Sees the last prediction beside the model and what IBM measured.
    Reveal,
    /// Says what limits, by pointing at it.
    Explain {
        /// What limits.
        limit: ResourceKind,
    },
}

/// What is predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The figure.
    pub figure: Figure,
    /// The change that is predicted.
    pub turn: Turns,
    /// How the learner says it.
    pub form: Form,
}

/// How a learner says what will happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Chooses one of these.
    Choice(Vec<Choice>),
    /// Gives the least and the most that the figure will be.
    Range {
        /// The model's figure lies in this range, with any seed.
        answer: [f64; 2],
        /// The learner's range may be so wide at most, in the figure's unit.
        widest: f64,
    },
    /// Draws the figure over the values of a knob.
    Curve {
        /// The knob.
        knob: Knob,
        /// Its values, in order.
        values: Vec<Given>,
        /// The upper end of the drawing, in the figure's unit.
        most: f64,
    },
}

/// One of several answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its words.
    pub text: String,
    /// It is right where all of these hold.
    pub when: Vec<Condition>,
}

/// What is to be reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The knobs that move.
    pub open: Vec<Knob>,
    /// All of these hold when it is reached.
    pub until: Vec<Condition>,
    /// With how many seeds they must hold.
    pub seeds: u64,
    /// Ways that reach it, for the teacher and for `zvmlab lesson run`.
    pub routes: Vec<Turns>,
    /// Those of the routes that are written as commands of the console, one on each line.
    pub scripts: Vec<String>,
}

impl Goal {
    /// With how many seeds, one after the other, hosts must run before the goal can be judged.
    pub fn trials(&self) -> u64 {
        trials(&self.until).max(self.seeds)
    }
}

impl Prediction {
    /// With how many seeds, one after the other, its hosts must run before it can be judged.
    pub fn trials(&self) -> u64 {
        match &self.form {
            Form::Choice(choices) => choices.iter().map(|choice| trials(&choice.when)).max().unwrap_or(1),
            Form::Range { .. } | Form::Curve { .. } => 1,
        }
    }
}

fn trials(conditions: &[Condition]) -> u64 {
    conditions.iter().map(Condition::trials).max().unwrap_or(1)
}

impl Task {
    /// Its word in files.
    pub const fn word(&self) -> &'static str {
        match self {
            Task::Watch => "watch",
            Task::Predict(_) => "predict",
            Task::Act(_) => "act",
            Task::Transfer(_) => "transfer",
            Task::Reveal => "reveal",
            Task::Explain { .. } => "explain",
        }
    }

    /// What is to be reached, where something is.
    pub const fn goal(&self) -> Option<&Goal> {
        match self {
            Task::Act(goal) | Task::Transfer(goal) => Some(goal),
            _ => None,
        }
    }
}

impl Lesson {
    /// The host with which a step begins: the ready host with the settings in force. What a prediction was about is seen with its change.
    pub fn host(&self, step: usize) -> Scenario {
        let begun = scenario_of(&self.host).unwrap_or_default();
        let mut hosts: Vec<Scenario> = Vec::new();
        for (at, one) in self.steps.iter().enumerate().take(step + 1) {
            hosts.push(match (&one.set, &one.task, self.asked_before(at)) {
                (Some(set), ..) => turned(&begun, set),
                (None, Task::Reveal, Some((asked, prediction))) => match hosts.get(asked) {
                    Some(before) => turned(before, &prediction.turn),
                    None => begun.clone(),
                },
                _ => hosts.last().unwrap_or(&begun).clone(),
            });
        }
        let mut host = hosts.pop().unwrap_or(begun);
        host.name = like(&host).unwrap_or(UNNAMED.into());
        host
    }

    /// The host with which that of a step is compared: itself, unless the step shows what a change did.
    pub fn baseline(&self, step: usize) -> Scenario {
        let shows = self.steps.get(step).is_some_and(|step| step.task == Task::Reveal && step.set.is_none());
        let asked = self.asked_before(step).filter(|_| shows).map(|(asked, _)| asked);
        self.host(asked.unwrap_or(step))
    }

    /// The predictions that the step at this place shows the outcome of: those since the last time outcomes were shown, with their
    /// places.
    pub fn asked_since(&self, step: usize) -> Vec<(usize, &Prediction)> {
        let shown = self.steps.iter().take(step).rposition(|step| step.task == Task::Reveal).map_or(0, |at| at + 1);
        let asked = self.steps.iter().enumerate().take(step).skip(shown);
        asked
            .filter_map(|(at, step)| if let Task::Predict(prediction) = &step.task { Some((at, prediction)) } else { None })
            .collect()
    }

    /// The last prediction before the step at this place, with its place.
    pub fn asked_before(&self, step: usize) -> Option<(usize, &Prediction)> {
        self.steps.iter().enumerate().take(step).rev().find_map(|(at, step)| match &step.task {
            Task::Predict(prediction) => Some((at, prediction)),
            _ => None,
        })
    }
}

/// A host with these knobs turned. What cannot be turned stays; [`file::parse`] has told of it.
pub fn turned(host: &Scenario, turns: &Turns) -> Scenario {
    let mut host = host.clone();
    for (knob, given) in turns {
        let _ = knob.turn(&mut host, given);
    }
    host
}
