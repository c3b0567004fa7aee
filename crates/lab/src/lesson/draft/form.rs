//! The form in which a teacher writes a lesson, as data: which entries it has, what each is called, how it is given.

use serde_json::{Map, Value};
use zvmlab::Figure;

use super::shape::Shape;
use super::skeleton::table;

/// How an entry is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A line of text.
    Line,
    /// Paragraphs.
    Text,
    /// A list of texts, one in each line.
    Lines,
    /// A number.
    Number,
    /// A published run or an example.
    Host,
    /// A figure.
    Figure,
    /// A resource that may limit.
    Limit,
    /// A knob.
    Knob,
    /// A list of knobs.
    Knobs,
    /// Values of a knob, with commas between them.
    Values,
    /// Knobs with values.
    Turns,
    /// The same, or nothing: then the host stays as it was.
    Set,
    /// Conditions that all hold.
    Conditions,
    /// Answers to choose from.
    Choices,
    /// Two numbers.
    Ends,
    /// Ways to reach an aim.
    Routes,
}

/// One entry of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands, below the table that it belongs to: `title`, `curve/most`.
    pub key: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// How it is given.
    pub given: Given,
}

const fn entry(key: &'static str, label: &'static str, given: Given, help: &'static str) -> Entry {
    Entry { key, label, help, given }
}

/// The entries of the lesson itself.
pub const HEAD: &[Entry] = &[
    entry("title", "Title", Given::Line, ""),
    entry("question", "Question", Given::Text, "One question, in the words of somebody who runs such a host."),
    entry("minutes", "Minutes", Given::Number, "How long a learner takes."),
    entry("host", "Host", Given::Host, "The published run or the example with which the lesson begins."),
    entry(
        "summary",
        "At the end",
        Given::Text,
        "What the learner knows then. It stands beside the learner’s own predictions.",
    ),
    entry("model_limits", "What the model leaves out", Given::Text, "What of this is simplified, or not shown at all."),
    entry("id", "Id", Given::Line, "The lesson’s name in files and links: small letters, digits, hyphens."),
];

/// The entries for the teacher.
pub const TEACHER: &[Entry] = &[
    entry("goal", "Goal", Given::Text, "What learners can do afterwards."),
    entry("misconceptions", "Misconceptions", Given::Lines, "What learners often believe at first. One in each line."),
    entry("notes", "Notes", Given::Text, "Anything else. Only teachers see this part."),
];

const ABOUT: [Entry; 2] = [
    entry("title", "Heading", Given::Line, ""),
    entry(
        "text",
        "Text",
        Given::Text,
        "What the learner reads. An empty line begins a paragraph. Terms of the glossary are explained in place.",
    ),
];
const SET: Entry =
    entry("set", "The host of this step", Given::Set, "Settings from this step on, besides those of the lesson’s host.");
const HINTS: Entry = entry(
    "hints",
    "Hints",
    Given::Lines,
    "One in each line, the vague first. After two tries the learner may ask for one after the other.",
);
const PREDICTED: [Entry; 2] = [
    entry("figure", "Figure", Given::Figure, "What is predicted."),
    entry("turn", "The change", Given::Turns, "What is turned. A step that compares shows learners what comes of it."),
];
const CHOICES: Entry = entry(
    "choices",
    "Answers",
    Given::Choices,
    "Exactly one must be right in the model, with any seed. Leave no gap between the ranges.",
);
const RANGE: [Entry; 2] = [
    entry("answer", "The right range", Given::Ends, "The model’s figure lies in it, with any seed."),
    entry(
        "widest",
        "Learner’s range at most",
        Given::Number,
        "The learner’s range may be so wide at most, in the figure’s unit. A wide range is right too easily.",
    ),
];
const CURVE: [Entry; 3] = [
    entry("curve/knob", "Over the knob", Given::Knob, ""),
    entry("curve/values", "Its values", Given::Values, "Three to eight, in order, with commas between them."),
    entry("curve/most", "Top of the drawing", Given::Number, "In the figure’s unit. Above everything that the model gives."),
];
const GOAL: [Entry; 4] = [
    entry("open", "Knobs that the learner may turn", Given::Knobs, ""),
    entry("until", "Aim", Given::Conditions, "Reached when all of these hold. Write ranges, never one number."),
    entry("seeds", "Seeds", Given::Number, "With how many seeds a learner’s host must reach the aim: 1 to 5. Empty: 1."),
    entry(
        "routes",
        "Ways to the aim",
        Given::Routes,
        "At least one that you know. The trial below checks it; learners do not see it.",
    ),
];
const LIMIT: Entry = entry("limit", "What limits", Given::Limit, "The learner points at it.");

/// The entries of a step.
pub fn of_step(step: &Value) -> Vec<Entry> {
    let mut entries = ABOUT.to_vec();
    match step.get("task").and_then(Value::as_str) {
        Some("predict") => {
            entries.extend(PREDICTED);
            match Shape::of(step) {
                Shape::Choices => entries.push(CHOICES),
                Shape::Range => entries.extend(RANGE),
                Shape::Curve => entries.extend(CURVE),
            }
        }
        Some("act" | "transfer") => entries.extend(GOAL),
        Some("explain") => entries.push(LIMIT),
        _ => {}
    }
    entries.push(SET);
    if matches!(step.get("task").and_then(Value::as_str), Some("act" | "transfer" | "explain")) {
        entries.push(HINTS);
    }
    entries
}

/// What the learner does in a task, in words.
pub fn said(task: &str) -> &'static str {
    match task {
        "watch" => "look at the machine",
        "predict" => "predict",
        "act" => "turn knobs until an aim is reached",
        "reveal" => "compare: prediction, model, IBM",
        "explain" => "say what limits",
        "transfer" => "a task at the end",
        _ => "unknown",
    }
}

/// What a step begins with, by its task: what a teacher writes is empty, and ETR stands for the figure of the lesson. A change below
/// 5 % is about the same.
const BEGUN: &[(&str, &str)] = &[
    ("watch", r#"title = "Look at the machine""#),
    ("predict", "title = \"What will happen?\"\nfigure = \"etr\"\nturn = {}"),
    ("act", AIM),
    ("reveal", r#"title = "What happened""#),
    ("explain", "title = \"What limits?\"\nlimit = \"\""),
    ("transfer", AIM),
];
const AIM: &str = "title = \"Your task\"\nopen = []\nroutes = []\n[[until]]\nfigure = \"etr\"\nat_least = \"\"";

/// The entries that belong to a task. Others stay when a step gets another one.
const OF_TASKS: [&str; 11] =
    ["figure", "turn", "choices", "answer", "widest", "curve", "open", "until", "seeds", "routes", "limit"];

/// A step of this task to begin with.
pub fn step(task: &str, figure: Figure) -> Value {
    let mut step = table("text = \"\"", figure);
    retask(&mut step, task, figure);
    step.into()
}

/// Gives a step another task. What the task has no use for goes; what it needs begins empty.
pub fn retask(step: &mut Map<String, Value>, task: &str, figure: Figure) {
    let was = step.insert("task".into(), task.into());
    let is_goal = |task: Option<&str>| matches!(task, Some("act" | "transfer"));
    let Some((_, text)) = BEGUN.iter().find(|(one, _)| *one == task) else { return };
    if is_goal(Some(task)) && is_goal(was.as_ref().and_then(Value::as_str)) {
        return;
    }
    step.retain(|key, _| !OF_TASKS.contains(&key.as_str()));
    // A heading that the teacher wrote stays.
    let is_own = step.get("title").and_then(Value::as_str).is_some_and(|title| {
        BEGUN.iter().all(|(_, text)| table(text, figure).get("title").and_then(Value::as_str) != Some(title))
    });
    for (key, value) in table(text, figure) {
        if key != "title" || !is_own {
            step.insert(key, value);
        }
    }
    if task == "predict" {
        Shape::Choices.give(step, figure);
    }
}
