//! A lesson that a teacher writes in a form: its tree, what the form does to it, and its text. A draft may be wrong in every place;
//! nothing of it is lost by that.

pub mod conditions;
pub mod form;
pub mod shape;
mod skeleton;
mod written;

use serde_json::{Map, Number, Value, json};
use zvmlab::scenario::Problem;
use zvmlab::scenario::fields::FIELDS;
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::{Figure, Scenario};

use super::Lesson;
use super::file::{BYTES_MAX, read};
use super::reader::{Reader, tree};
use crate::knob::{Given, Knob};

/// A lesson that is being written. Places in it are JSON pointers: `/steps/2/title`.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    tree: Value,
}

/// What a form does to a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Gives the entry at a place a value.
    Put(String, Value),
    /// Removes an entry of a table, or an item of a list.
    Remove(String),
    /// Adds an item to the end of the list at a place, which begins with it where there is none.
    Add(String, Value),
    /// Adds a step with this task behind the step at this place, counted from 0.
    AddStep(usize, &'static str),
    /// Adds a step like the one at this place, behind it.
    Duplicate(usize),
    /// Lets the step at this place and the one after it change places.
    Swap(usize),
    /// Another task for the step at this place. What the task has no use for goes.
    Task(usize, &'static str),
    /// Another form of the prediction in the step at this place.
    Predict(usize, shape::Shape),
}

/// What a lesson begins with.
const BEGUN: &str = r#"lesson = 1
id = "my-lesson"
title = ""
question = ""
minutes = 10
summary = ""
model_limits = ""
steps = []
teacher = { goal = "", misconceptions = [], notes = "" }"#;

impl Draft {
    /// A lesson about this ready host: look, predict what these turns do to a figure, see it, say what limits, and a task.
    pub fn begun(host: &str, turns: &[(Knob, Given)], figure: Figure, limit: &str) -> Draft {
        let mut draft = Draft { tree: skeleton::table(BEGUN, figure).into() };
        draft.put("/host", host.into());
        for (at, task) in ["watch", "predict", "reveal", "explain", "transfer"].into_iter().enumerate() {
            draft.act(&Act::Add("/steps".into(), form::step(task, figure)));
            let place = format!("/steps/{at}");
            match task {
                "predict" => draft.put(&format!("{place}/turn"), table_of(turns)),
                "explain" => draft.put(&format!("{place}/limit"), limit.into()),
                "transfer" => {
                    // Behind a step that compares the change is on the bench; the task begins without it.
                    draft.put(&format!("{place}/set"), Map::new().into());
                    if !turns.is_empty() {
                        draft.take_way(at, turns);
                    }
                }
                _ => {}
            }
        }
        draft
    }

    /// The draft of a text, however much is wrong with it.
    ///
    /// # Errors
    /// Where it is neither TOML nor JSON, or no table.
    pub fn read(text: &str) -> Result<Draft, Problem> {
        let tree = tree(text.strip_prefix('\u{feff}').unwrap_or(text))?;
        let mut reader = Reader::default();
        match reader.table(String::new(), &tree) {
            Some(_) => Ok(Draft { tree }),
            None => Err(reader.told().remove(0)),
        }
    }

    /// The draft of a file that somebody opens.
    ///
    /// # Errors
    /// As [`Draft::read`]; and where the text is too long, or is not meant as a lesson, however much may be wrong with one.
    pub fn opened(text: &str) -> Result<Draft, Problem> {
        let wrong = |message: String| Problem { field: "lesson".into(), message };
        if text.len() > BYTES_MAX {
            return Err(wrong(format!("a text of {} bytes given, at most {BYTES_MAX} are read", text.len())));
        }
        let draft = Draft::read(text)?;
        match draft.at("/lesson") {
            Some(_) => Ok(draft),
            None => Err(wrong("this is no lesson: a lesson says lesson = 1".into())),
        }
    }

    /// Its text, TOML. A number that is too large for TOML is read as a text again.
    pub fn text(&self) -> String {
        written::toml(&self.tree)
    }

    /// The lesson as far as it can be read, and everything that is wrong with it.
    pub fn lesson(&self) -> (Lesson, Vec<Problem>) {
        read(&self.tree)
    }

    /// What stands at a place.
    pub fn at(&self, place: &str) -> Option<&Value> {
        self.tree.pointer(place)
    }

    /// The text at a place; a number as its digits. Empty where there is nothing.
    pub fn text_at(&self, place: &str) -> String {
        match self.at(place) {
            Some(Value::String(text)) => text.clone(),
            Some(number @ Value::Number(_)) => number.to_string(),
            _ => String::new(),
        }
    }

    /// The items of the list at a place.
    pub fn items(&self, place: &str) -> &[Value] {
        self.at(place).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.items("/steps").len()
    }

    /// A copy of it as a lesson of its own, with another id and another title.
    pub fn copied(mut self) -> Draft {
        let (id, title) = (format!("{}-copy", self.id()), format!("{} (copy)", self.text_at("/title")));
        self.put("/id", id.into());
        self.put("/title", title.into());
        self
    }

    /// Its id, where that is one; else `my-lesson`. Files are named by it.
    pub fn id(&self) -> String {
        Some(self.text_at("/id")).filter(|id| crate::address::query::is_lesson_id(id)).unwrap_or("my-lesson".into())
    }

    /// Does what the form asks for. What does not exist stays so.
    pub fn act(&mut self, act: &Act) {
        match act {
            Act::Put(place, value) => self.put(place, value.clone()),
            Act::Remove(place) => self.remove(place),
            Act::Add(place, value) => match self.tree.pointer_mut(place) {
                Some(Value::Array(items)) => items.push(value.clone()),
                _ => self.put(place, json!([value])),
            },
            Act::AddStep(after, task) => {
                let step = form::step(task, self.figure(*after));
                if let Some(Value::Array(steps)) = self.tree.pointer_mut("/steps") {
                    steps.insert((after + 1).min(steps.len()), step);
                } else {
                    self.put("/steps", json!([step]));
                }
            }
            Act::Duplicate(at) => {
                if let Some(Value::Array(steps)) = self.tree.pointer_mut("/steps")
                    && let Some(step) = steps.get(*at).cloned()
                {
                    steps.insert(at + 1, step);
                }
            }
            Act::Swap(at) => {
                if let Some(Value::Array(steps)) = self.tree.pointer_mut("/steps")
                    && at + 1 < steps.len()
                {
                    steps.swap(*at, at + 1);
                }
            }
            Act::Task(at, task) => {
                let figure = self.figure(*at);
                if let Some(Value::Object(step)) = self.tree.pointer_mut(&format!("/steps/{at}")) {
                    form::retask(step, task, figure);
                }
            }
            Act::Predict(at, shape) => {
                let figure = self.figure(*at);
                if let Some(Value::Object(step)) = self.tree.pointer_mut(&format!("/steps/{at}")) {
                    shape.give(step, figure);
                }
            }
        }
    }

    /// The figure of the last prediction up to a step: most steps are about the same one.
    fn figure(&self, step: usize) -> Figure {
        let named = (0..=step).rev().find_map(|at| Figure::from_id(&self.text_at(&format!("/steps/{at}/figure"))));
        named.unwrap_or(Figure::Etr)
    }

    /// The turns that lead from the host of a step to this one are a way to reach the step's aim: they are added to its routes, and
    /// their knobs to those that are open.
    pub fn take_way(&mut self, step: usize, turns: &[(Knob, Given)]) {
        let (routes, open) = (format!("/steps/{step}/routes"), format!("/steps/{step}/open"));
        self.act(&Act::Add(routes, table_of(turns)));
        for (knob, _) in turns {
            let name = Value::from(knob.place());
            if !self.items(&open).contains(&name) {
                self.act(&Act::Add(open.clone(), name));
            }
        }
    }

    fn put(&mut self, place: &str, value: Value) {
        let Some((parent, key)) = place.rsplit_once('/') else { return };
        if !parent.is_empty() && self.tree.pointer(parent).is_none() {
            self.put(parent, Value::Object(Map::new()));
        }
        match self.tree.pointer_mut(parent) {
            Some(Value::Array(items)) => {
                if let Some(item) = key.parse().ok().and_then(|at: usize| items.get_mut(at)) {
                    *item = value;
                }
            }
            Some(Value::Object(entries)) => {
                entries.insert(key.into(), value);
            }
            // What stands there is no table: it is replaced by one.
            Some(other) => *other = json!({ key: value }),
            None => {}
        }
    }

    fn remove(&mut self, place: &str) {
        let Some((parent, key)) = place.rsplit_once('/') else { return };
        match self.tree.pointer_mut(parent) {
            Some(Value::Array(items)) => {
                if let Some(at) = key.parse().ok().filter(|at: &usize| *at < items.len()) {
                    items.remove(at);
                }
            }
            Some(Value::Object(entries)) => {
                entries.remove(key);
            }
            _ => {}
        }
    }
}

/// What a reader wrote as a number; any other text stays one, and is told as wrong.
pub fn number(text: &str) -> Value {
    let text = text.trim().replace(',', ".");
    let whole = text.parse::<i64>().ok().map(Value::from);
    let number = || text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number);
    whole.or_else(number).unwrap_or(Value::String(text))
}

/// The same while it is being written: what is on the way to a number, such as `0.`, stays a text.
pub fn unfinished(text: &str) -> Value {
    let value = number(text);
    let digits = value.to_string();
    if digits == text { value } else { text.into() }
}

/// The value of a knob as a file has it.
pub fn literal(given: &Given) -> Value {
    match given {
        Given::Number(text) => number(text),
        Given::Switch(on) => (*on).into(),
        Given::Choice(word) | Given::Text(word) => word.as_str().into(),
    }
}

/// Turns as a table of a file.
pub fn table_of(turns: &[(Knob, Given)]) -> Value {
    turns.iter().map(|(knob, given)| (knob.place(), literal(given))).collect::<Map<String, Value>>().into()
}

/// The turns that make the host `now` of the host `from`. Names do not count.
///
/// # Errors
/// Where turning knobs is not enough.
pub fn turns_between(from: &Scenario, now: &Scenario) -> Result<Vec<(Knob, Given)>, String> {
    let (had, has) = (from.guests.len(), now.guests.len());
    if had != has {
        let groups = |count: usize| if count == 1 { "1 group".into() } else { format!("{count} groups") };
        return Err(format!(
            "The bench has {} of guests, the lesson’s host {}. A lesson turns knobs of its host; it cannot add or remove groups of guests. Choose a host with as many groups.",
            groups(has),
            groups(had)
        ));
    }
    let fields = FIELDS.iter().filter(|field| !field.is_derived() && field.path != path::NAME);
    let knobs = fields.flat_map(|field| {
        let groups = if field.room() == room::GUESTS { has } else { 1 };
        (0..groups).map(move |group| Knob { field, group })
    });
    let given = knobs.filter_map(|knob| Some((knob, knob.given(now)?)));
    Ok(given.filter(|(knob, given)| knob.given(from).as_ref() != Some(given)).collect())
}

/// The place in a draft that a problem is about: `/steps/2/until/0` for `steps[2].until[0]`.
pub fn place_of(problem: &Problem) -> String {
    let field = problem.field.split(", ").next().unwrap_or_default();
    format!("/{}", field.replace(']', "").replace(['.', '['], "/"))
}

/// A problem as the form says it, below its field: what was given, and what is needed.
pub fn said(problem: &Problem) -> String {
    let about = problem.field.split_once(", ").map_or(String::new(), |(_, knob)| format!("{knob}: "));
    // An example as a file has it says nothing to somebody who fills in a form.
    let message = problem.message.split_once(", such as ").map_or(problem.message.as_str(), |(before, _)| before);
    let message = match message.strip_prefix("nothing given, ") {
        Some(needed) => format!("Still needed: {}.", needed.replacen(" is needed", "", 1).replacen(" are needed", "", 1)),
        None => format!("{}.", message.trim_end_matches('.')),
    };
    let mut letters = message.chars();
    let message: String = letters.next().into_iter().map(|letter| letter.to_ascii_uppercase()).chain(letters).collect();
    about + &message
}

#[cfg(test)]
mod tests;
