//! The tree of a draft as TOML, laid out as people write lessons: what a lesson is first, then the teacher's part, then the steps.

use std::fmt::Write;

use serde_json::{Map, Value};

/// The order of entries, wherever they stand. Others come behind these, by their names.
const ORDER: &[&str] = &[
    "lesson",
    "id",
    "task",
    "title",
    "question",
    "minutes",
    "host",
    "text",
    "summary",
    "model_limits",
    "goal",
    "misconceptions",
    "notes",
    "set",
    "figure",
    "knob",
    "turn",
    "choices",
    "answer",
    "widest",
    "curve",
    "values",
    "most",
    "open",
    "until",
    "when",
    "limit",
    "at_least",
    "at_most",
    "times_at_least",
    "times_at_most",
    "is",
    "trials",
    "change",
    "seeds",
    "routes",
    "hints",
];

/// The text of a tree, which is a table. Entries without a value are left out.
pub fn toml(tree: &Value) -> String {
    let mut text = String::new();
    let Value::Object(entries) = tree else { return text };
    let is_table = |value: &Value| value.is_object();
    let is_tables = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_table));
    // The top level ends where the first table begins.
    for (key, value) in ordered(entries).filter(|(_, value)| !is_table(value) && !is_tables(value)) {
        line(&mut text, key, value);
    }
    for (key, value) in ordered(entries) {
        let key = bare(key);
        if let Value::Object(own) = value {
            let _ = write!(text, "\n[{key}]\n");
            ordered(own).for_each(|(key, value)| line(&mut text, key, value));
        } else if is_tables(value) {
            for own in value.as_array().into_iter().flatten().filter_map(Value::as_object) {
                let _ = write!(text, "\n[[{key}]]\n");
                ordered(own).for_each(|(key, value)| line(&mut text, key, value));
            }
        }
    }
    text
}

fn ordered(entries: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let place = |key: &str| ORDER.iter().position(|other| *other == key).unwrap_or(ORDER.len());
    let mut entries: Vec<(&String, &Value)> = entries.iter().filter(|(_, value)| !value.is_null()).collect();
    entries.sort_by_key(|(key, _)| (place(key), *key));
    entries.into_iter()
}

/// An entry in lines of its own.
fn line(text: &mut String, key: &str, value: &Value) {
    let key = bare(key);
    let _ = match value {
        Value::String(own) if own.contains('\n') => writeln!(text, "{key} = \"\"\"\n{}\"\"\"", lines(own)),
        Value::Array(items) if items.len() > 1 && items.iter().all(|item| item.is_object() || item.is_string()) => {
            let items: String = items.iter().map(|item| format!("  {},\n", inline(item))).collect();
            writeln!(text, "{key} = [\n{items}]")
        }
        value => writeln!(text, "{key} = {}", inline(value)),
    };
}

/// A value in one line. JSON has the same texts, numbers and switches, but for one letter.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter(|item| !item.is_null()).map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entries: Vec<String> =
                ordered(entries).map(|(key, value)| format!("{} = {}", bare(key), inline(value))).collect();
            if entries.is_empty() { "{}".into() } else { format!("{{ {} }}", entries.join(", ")) }
        }
        value => value.to_string().replace('\u{7f}', "\\u007F"),
    }
}

/// A key, in quotes where it needs them.
fn bare(key: &str) -> String {
    let is_bare = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { key.into() } else { inline(&key.into()) }
}

/// A text of several lines as it stands between three quotes.
fn lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let quoted = inline(&line.into());
        let own = quoted.get(1..quoted.len() - 1).unwrap_or_default();
        // Quotes may stand as they are, unless three follow each other or they are the last.
        if own.contains("\\\"\\\"") || own.ends_with('"') { own.into() } else { own.replace("\\\"", "\"") }
    });
    lines.collect::<Vec<String>>().join("\n")
}
