//! The schema that `zvmlab schema` prints says the same as the parser, as far as a schema can: it knows each field's range,
//! not how fields hang together.

use std::process::Command;

use serde_json::{Value, json};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::EXAMPLES;
use zvmlab::scenario::fields::{FIELDS, Field, Kind};

fn printed_schema() -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_zvmlab")).arg("schema").output().expect("the program starts");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("the schema is JSON")
}

/// Whether `value` meets `schema`, by JSON Schema draft 2020-12. Only the keywords that the schema uses are known, and any
/// other is a failure. The ready-made validator takes two minutes of processor time to build, more than all other tests.
fn accepts(schema: &Value, value: &Value) -> bool {
    let rules = schema.as_object().expect("a schema is an object");
    rules.iter().all(|(keyword, rule)| match (keyword.as_str(), value) {
        ("$id", _) => rule == &format!("urn:zvmlab:scenario:{}", zvmlab::scenario::SCHEMA_VERSION),
        ("$schema", _) => rule == "https://json-schema.org/draft/2020-12/schema",
        ("title" | "description" | "default", _) => true,
        ("anyOf", _) => rule.as_array().expect("a list").iter().any(|one| accepts(one, value)),
        ("type", _) => has_type(rule.as_str().expect("a type's name"), value),
        ("enum", _) => rule.as_array().expect("a list").contains(value),
        ("minimum", Value::Number(number)) => number.as_f64() >= rule.as_f64(),
        ("maximum", Value::Number(number)) => number.as_f64() <= rule.as_f64(),
        // Ten times a number with one decimal is a whole one, but for what a float cannot hold.
        ("multipleOf", Value::Number(number)) => {
            assert_eq!(rule.as_f64(), Some(0.1));
            number.as_f64().is_some_and(|number| (number * 10.0).round() / 10.0 == number)
        }
        ("minLength", Value::String(text)) => text.chars().count() as u64 >= size(rule),
        ("maxLength", Value::String(text)) => text.chars().count() as u64 <= size(rule),
        ("pattern", Value::String(text)) => matches(rule.as_str().expect("a pattern"), text),
        ("minItems", Value::Array(items)) => items.len() as u64 >= size(rule),
        ("maxItems", Value::Array(items)) => items.len() as u64 <= size(rule),
        ("items", Value::Array(items)) => items.iter().all(|item| accepts(rule, item)),
        ("properties", Value::Object(entries)) => {
            entries.iter().all(|(key, value)| rule.get(key).is_none_or(|schema| accepts(schema, value)))
        }
        ("additionalProperties", Value::Object(entries)) => {
            assert_eq!(rule, false);
            entries.keys().all(|key| schema["properties"].get(key).is_some())
        }
        ("minimum" | "maximum" | "multipleOf" | "minLength" | "maxLength" | "pattern", _) => true,
        ("minItems" | "maxItems" | "items" | "properties" | "additionalProperties", _) => true,
        (other, _) => panic!("the schema uses a keyword that this test does not know: {other}"),
    })
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        // A number with nothing behind its point is an integer.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("the schema uses a type that this test does not know: {other}"),
    }
}

/// Whether `text` matches a pattern that the schema uses: the one of shares, which is told here in another way, or one of numbers
/// with a unit.
fn matches(pattern: &str, text: &str) -> bool {
    if let Some(units) = pattern.strip_prefix("^[0-9][0-9,]*(\\.[0-9]+)? ?(").and_then(|rest| rest.strip_suffix(")$")) {
        let unit = units.split('|').filter_map(|unit| text.strip_suffix(unit)).find(|number| {
            let number = number.strip_suffix(' ').unwrap_or(number);
            number.starts_with(|c: char| c.is_ascii_digit()) && number.parse::<f64>().is_ok()
        });
        return unit.is_some();
    }
    assert_eq!(pattern, "^([1-9][0-9]{0,2}|1000):([1-9][0-9]{0,2}|1000)$");
    let part = |part: &str| (1..=1000).any(|number: u32| number.to_string() == part);
    text.split_once(':').is_some_and(|(mdisk, paging)| part(mdisk) && part(paging))
}

fn size(rule: &Value) -> u64 {
    rule.as_u64().expect("a size")
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
            values.extend([json!(format!("{min} {}", field.unit)), json!(format!("{min}{}", field.unit))]);
            values.extend(["8 parsecs", "GB", "MB", "s", "-1 MB", "1 e3 ms"].map(|text| json!(text)));
        }
        Kind::Tenths { min, max, .. } => {
            let numbers = [min.0, max.0, max.0 + 1, 125].into_iter().chain(min.0.checked_sub(1));
            values.extend(numbers.map(|tenths| json!(f64::from(tenths) / 10.0)));
            values.extend([json!(12.25), json!(0.15), json!(max.as_f64() as u64)]);
        }
        Kind::Text { max_chars, .. } => values.extend([json!("é".repeat(max_chars)), json!("é".repeat(max_chars + 1))]),
        Kind::Choice { allowed, .. } => values.extend(allowed.iter().map(|word| json!(word))),
        Kind::Share { max, .. } => {
            values.extend([json!("1:15"), json!(format!("{max}:1")), json!(format!("{}:1", max + 1))]);
            values.extend(["0:1", "1:0", "1", "1:2:3", "-1:2", "1.5:2", " 1:2", "1:x"].map(|text| json!(text)));
        }
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
    let check = |text: Value| assert_eq!(accepts(&schema, &text), parser_accepts(&text), "{text}");
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
fn the_schema_accepts_every_published_run_and_every_example() {
    let schema = printed_schema();
    let published = zvmlab_reference::runs().map(|run| run.scenario.clone());
    let examples = EXAMPLES.iter().map(|example| Scenario::parse(example.text).expect("a scenario"));
    for scenario in published.chain(examples) {
        let text: Value = serde_json::from_str(&scenario.to_json()).expect("JSON");
        assert!(accepts(&schema, &text), "{}", scenario.name);
    }
}
