//! What a learner did, as statements of the Experience API (xAPI 1.0.3): verb, object and result. Who keeps them adds the actor, an
//! id and the time. A lesson is `urn:zvmlab:lesson:ID`, a step of it `urn:zvmlab:lesson:ID:step:N`, counted from 1.

use serde_json::{Value, json};

use super::trace::Answer;
use super::{Play, entry};
use crate::bench::Bench;
use crate::lesson::{Form, Step, Task};
use crate::words::unit::with_unit;

/// The verbs of ADL's vocabulary.
const VERBS: &str = "http://adlnet.gov/expapi/verbs/";

/// The type of an activity that asks something.
const INTERACTION: &str = "http://adlnet.gov/expapi/activities/cmi.interaction";

/// The type of a lesson.
const LESSON: &str = "http://adlnet.gov/expapi/activities/lesson";

/// The key of the part of a lesson that is behind the learner, in percent: cmi5, section 9.5.5.
const PROGRESS: &str = "https://w3id.org/xapi/cmi5/result/extensions/progress";

/// The first statement of a lesson, or its last one.
pub fn bound(play: &Play, verb: &'static str) -> Value {
    said(verb, lesson(play), None)
}

/// What was done between two moments of a way through one lesson, in the order of its steps.
pub fn between(before: &Play, now: &Play, bench: &Bench) -> Vec<Value> {
    let mut all = Vec::new();
    for (at, step) in now.lesson.steps.iter().enumerate() {
        let (old, new) = (&before.traces[at], &now.traces[at]);
        match &step.task {
            Task::Predict(prediction) if new.locked && !old.locked => {
                let response = new.answer.as_ref().map(|answer| worded(answer, &prediction.form)).unwrap_or_default();
                all.push(said("answered", question(now, at, step), Some(json!({ "response": response }))));
            }
            Task::Explain { .. } if new.met != old.met || new.tries != old.tries => {
                let result = json!({ "response": now.named, "success": new.met });
                all.push(said("answered", question(now, at, step), Some(result)));
            }
            Task::Act(_) | Task::Transfer(_) if new.met != old.met || new.tries != old.tries => {
                let result = json!({ "response": now.turned, "success": new.met });
                all.push(said("interacted", question(now, at, step), Some(result)));
            }
            _ => {}
        }
    }
    let steps = now.lesson.steps.len();
    if now.at > before.at {
        let percent = now.at * 100 / steps.max(1);
        all.push(said("progressed", lesson(now), Some(json!({ "extensions": { (PROGRESS): percent } }))));
    }
    if now.at >= steps && before.at < steps {
        all.push(said("completed", lesson(now), Some(json!({ "completion": true, "score": score(now, bench) }))));
    }
    all
}

/// The score: points, and as a part of all points.
fn score(play: &Play, bench: &Bench) -> Value {
    let (got, of) = play.score(bench);
    json!({ "raw": got, "min": 0, "max": of, "scaled": if of > 0.0 { got / of } else { 0.0 } })
}

fn said(verb: &'static str, object: Value, result: Option<Value>) -> Value {
    let mut statement = json!({ "verb": { "id": format!("{VERBS}{verb}"), "display": { "en": verb } }, "object": object });
    if let Some(result) = result {
        statement["result"] = result;
    }
    statement
}

fn id(play: &Play) -> String {
    format!("urn:zvmlab:lesson:{}", play.lesson.id)
}

fn lesson(play: &Play) -> Value {
    let definition =
        json!({ "type": LESSON, "name": { "en": play.lesson.title }, "description": { "en": play.lesson.question } });
    json!({ "objectType": "Activity", "id": id(play), "definition": definition })
}

/// A step that asks for something.
fn question(play: &Play, at: usize, step: &Step) -> Value {
    let mut definition = json!({ "type": INTERACTION, "interactionType": "other", "name": { "en": step.title }, "description": { "en": step.text.trim() } });
    if let Task::Predict(prediction) = &step.task
        && let Form::Choice(choices) = &prediction.form
    {
        let one = |(at, choice): (usize, &crate::lesson::Choice)| json!({ "id": number(at), "description": { "en": choice.text } });
        definition["interactionType"] = json!("choice");
        definition["choices"] = choices.iter().enumerate().map(one).collect();
    }
    json!({ "objectType": "Activity", "id": format!("{}:step:{}", id(play), at + 1), "definition": definition })
}

/// The id of a choice: its number, from 1.
fn number(choice: usize) -> String {
    (choice + 1).to_string()
}

/// An answer as a response: the number of a choice, `least[:]most` of a range, `value=figure` of each point of a curve.
fn worded(answer: &Answer, form: &Form) -> String {
    match (answer, form) {
        (Answer::Choice(chosen), _) => number(*chosen),
        (Answer::Range([least, most]), _) => format!("{least}[:]{most}"),
        (Answer::Curve(curve), Form::Curve { values, .. }) => {
            let points =
                values.iter().zip(curve).map(|(value, drawn)| format!("{}={}", entry(value), with_unit(*drawn, "")));
            points.collect::<Vec<_>>().join("[,]")
        }
        (Answer::Curve(_), _) => String::new(),
    }
}
