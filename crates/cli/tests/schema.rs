//! The schema that `zvmlab schema` prints says the same as the parser, as far as a schema can: it knows each field's range,
//! not how fields hang together.

use std::process::Command;

use serde_json::{Value, json};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::{FIELDS, Field, Kind};

fn printed_schema() -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_zvmlab")).arg("schema").output().expect("the program starts");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("the schema is JSON")
}

/// A scenario's text form with one field given.
fn with(field: &Field, value: Value) -> Value {
    match field.room() {
        "" => json!({ field.key(): value }),
        "guests" => json!({ "guests": [{ field.key(): value }] }),
        room => json!({ room: { field.key(): value } }),
    }
}

/// Values at and beyond the edges of a field, and of every other type.
fn values(field: &Field) -> Vec<Value> {
    let mut values =
        vec![json!(null), json!(true), json!(1), json!(-1), json!(0.5), json!(8.0), json!(1e300), json!([]), json!({})];
    values.extend(["", "x", "6.3", "6.4", "true"].map(|text| json!(text)));
    match field.kind {
        Kind::Whole { min, max, .. } => {
            values.extend([json!(min), json!(max), json!(max + 1), json!(max as f64), json!(u64::MAX)]);
            values.extend(min.checked_sub(1).map(|below| json!(below)));
        }
        Kind::Text { max_chars, .. } => values.extend([json!("é".repeat(max_chars)), json!("é".repeat(max_chars + 1))]),
        Kind::Choice { allowed, .. } => values.extend(allowed.iter().map(|word| json!(word))),
        Kind::Switch { .. } => {}
    }
    values
}

/// Whether the parser finds nothing wrong with the text, but perhaps with how its fields hang together.
fn parser_accepts(text: &Value) -> bool {
    match Scenario::parse(&text.to_string()) {
        Ok(_) => true,
        Err(error) => error.problems.iter().all(|problem| {
            let own = FIELDS.iter().any(|field| problem.message.contains(&field.allowed()));
            let shape = ["no such field", "is wanted", "groups given"].iter().any(|words| problem.message.contains(words));
            !own && !shape
        }),
    }
}

#[test]
fn the_schema_and_the_parser_agree() {
    let schema = printed_schema();
    assert!(jsonschema::meta::is_valid(&schema), "the schema is one");
    let validator = jsonschema::validator_for(&schema).expect("the schema can be used");
    let check = |text: Value| assert_eq!(validator.is_valid(&text), parser_accepts(&text), "{text}");
    for field in FIELDS {
        for value in values(field) {
            check(with(field, value));
        }
    }
    for text in [
        json!({}),
        json!({ "speed": 1 }),
        json!({ "paging": 4 }),
        json!({ "paging": { "volume": 4 } }),
        json!({ "guests": [] }),
        json!({ "guests": {} }),
        json!({ "guests": [8] }),
        json!({ "guests": [{ "size": 1 }] }),
        json!({ "guests": vec![json!({ "virtual_mb": 1, "loop_mb": 1 }); 16] }),
        json!({ "guests": vec![json!({ "virtual_mb": 1, "loop_mb": 1 }); 17] }),
    ] {
        check(text);
    }
}

#[test]
fn the_schema_accepts_every_published_run() {
    let validator = jsonschema::validator_for(&printed_schema()).expect("the schema can be used");
    for run in &zvmlab_reference::reference().runs {
        let text: Value = serde_json::from_str(&run.scenario.to_json()).expect("JSON");
        assert!(validator.is_valid(&text), "{}", run.id);
    }
}
