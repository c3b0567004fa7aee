//! The JSON Schema of a lesson, for editors that complete and check while a teacher writes. What hangs together across fields only
//! [`super::file::parse`] knows.

use serde_json::{Value, json};
use zvmlab::limit::ResourceKind;
use zvmlab::measurement::FIGURES;

use super::check::Change;
use super::file::{LINE, STEPS_MAX, TASKS, TEXT, TRIALS_MAX, VERSION};

/// The schema.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn json_schema() -> Value {
    let text = |most: usize, what: &str| json!({ "type": "string", "minLength": 1, "maxLength": most, "description": what });
    let texts =
        |what: &str| json!({ "type": "array", "items": { "type": "string", "maxLength": TEXT }, "description": what });
    let turns = |what: &str| json!({ "type": "object", "description": format!("{what}: fields of the scenario with their values, such as {{ \"lcu.aliases\" = 4 }}") });
    let number = |what: &str| json!({ "type": "number", "description": what });
    let figures: Vec<&str> = FIGURES.iter().map(|figure| figure.id()).collect();
    let figure = json!({ "type": "string", "enum": figures, "description": "The id of a figure" });
    let limits =
        json!({ "type": "string", "enum": ResourceKind::ALL.map(ResourceKind::word), "description": "What limits the run" });
    let knob = json!({ "type": "string", "description": "A field of the scenario: lcu.aliases, guests[0].count" });
    let conditions = |what: &str| {
        json!({
            "type": "array", "minItems": 1, "description": format!("{what}: all of these hold"),
            "items": { "type": "object", "additionalProperties": false, "properties": {
                "figure": figure, "knob": knob, "limit": limits,
                "at_least": number("The least, in the unit of the figure or the knob"),
                "at_most": number("The most"),
                "times_at_least": number("The least, as a multiple of the figure before"),
                "times_at_most": number("The most, as a multiple of the figure before"),
                "trials": { "type": "integer", "minimum": 2, "maximum": TRIALS_MAX, "description": "How many pairs of runs, the host before and the host now with the same seed" },
                "change": { "type": "string", "enum": Change::ALL.map(Change::word), "description": "What the trials show of the figure by Student's t, at 95 %" },
                "is": { "description": "The value of the knob" },
            } },
        })
    };
    let choice = json!({ "type": "object", "additionalProperties": false, "properties": {
        "text": text(300, "The answer in words"),
        "when": conditions("When it is right. Exactly one choice must be right, with any seed"),
    } });
    let curve = json!({ "type": "object", "additionalProperties": false, "properties": {
        "knob": knob,
        "values": { "type": "array", "minItems": 3, "maxItems": 8, "description": "Values of the knob, in order" },
        "most": number("The upper end of the drawing, in the unit of the figure"),
    } });
    let step = json!({ "type": "object", "additionalProperties": false, "properties": {
        "task": { "type": "string", "enum": TASKS, "description": "What the learner does" },
        "title": text(LINE, "The heading"),
        "text": text(TEXT, "What the learner reads; an empty line begins a paragraph"),
        "hints": texts("Hints, the vague first. They are offered one by one after two tries"),
        "set": turns("Settings from this step on, besides those of the ready host"),
        "figure": figure, "limit": limits,
        "turn": turns("The change that is predicted"),
        "choices": { "type": "array", "items": choice, "description": "A prediction by choosing" },
        "answer": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "number" }, "description": "A prediction by a range: the model's figure lies in this one" },
        "widest": number("How wide the learner's range may be at most, in the unit of the figure"),
        "curve": curve,
        "open": { "type": "array", "minItems": 1, "items": knob, "description": "The knobs that move in this step" },
        "until": conditions("What is to be reached"),
        "seeds": { "type": "integer", "minimum": 1, "maximum": 5, "description": "With how many seeds it must be reached" },
        "routes": { "type": "array", "minItems": 1, "items": { "anyOf": [turns("One way to reach it"),
            text(TEXT, "One way to reach it, as commands of the console, one on each line")] }, "description": "Ways to reach it. zvmlab lesson run tries each" },
    } });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A lesson of zvmlab", "type": "object", "additionalProperties": false,
        "properties": {
            "lesson": { "type": "integer", "minimum": VERSION, "maximum": VERSION, "description": "The version of this form" },
            "id": text(40, "Its name in addresses: small letters, digits, hyphens"),
            "title": text(LINE, "Its title"),
            "question": text(300, "Its one question"),
            "minutes": { "type": "integer", "minimum": 1, "maximum": 180, "description": "How long it takes" },
            "host": text(40, "The published run or the example with which it begins (zvmlab runs)"),
            "summary": text(TEXT, "What the learner knows at the end"),
            "model_limits": text(TEXT, "What the model leaves out here"),
            "teacher": { "type": "object", "additionalProperties": false, "properties": {
                "goal": text(TEXT, "What learners can do afterwards"),
                "misconceptions": texts("What learners often believe at first"),
                "notes": text(TEXT, "Anything else for the teacher"),
            } },
            "steps": { "type": "array", "minItems": 1, "maxItems": STEPS_MAX, "items": step, "description": "The steps, in order" },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::lesson::file::parse;
    use crate::lesson::list::text_of;

    /// The fields that the parser knows where a text has `colour`.
    fn known(text: &str) -> BTreeSet<String> {
        let problems = parse(text).expect_err("colour is no field");
        let told = problems.iter().find(|problem| problem.field.ends_with("colour")).expect("it is told");
        let (_, names) = told.message.split_once("allowed are ").expect("the fields are named");
        names.split(", ").map(str::to_string).collect()
    }

    fn of(schema: &Value) -> BTreeSet<String> {
        schema["properties"].as_object().expect("properties").keys().cloned().collect()
    }

    #[test]
    fn the_schema_has_the_fields_of_the_parser() {
        let text = text_of("aliases").expect("a lesson");
        let ranges = text_of("zhpf").expect("a lesson");
        let schema = json_schema();
        let with = |text: &str, after: &str| {
            assert!(text.contains(after), "{after}");
            text.replacen(
                after,
                &format!("{after}{}", if after.ends_with('{') { " colour = 1, " } else { "\ncolour = 1" }),
                1,
            )
        };
        assert_eq!(known(&with(text, "lesson = 1")), of(&schema));
        assert_eq!(known(&with(text, "[teacher]")), of(&schema["properties"]["teacher"]));
        let steps = &schema["properties"]["steps"]["items"];
        let mut of_steps = BTreeSet::new();
        for task in TASKS {
            let source = if text.contains(&format!("task = \"{task}\"")) { text } else { ranges };
            of_steps.extend(known(&with(source, &format!("task = \"{task}\""))));
        }
        assert_eq!(of_steps, of(steps));
        assert_eq!(known(&with(text, "curve = {")), of(&steps["properties"]["curve"]));
        assert_eq!(known(&with(text, "choices = [\n  {")), of(&steps["properties"]["choices"]["items"]));
        let condition = &steps["properties"]["until"]["items"];
        assert_eq!(known(&with(text, "until = [{")), of(condition));
        assert_eq!(schema["properties"]["steps"]["maxItems"], STEPS_MAX);
    }
}
