//! The JSON Schema of the scenario's text form, made from the table of fields.

use serde_json::{Map, Value, json};

use super::fields::{FIELDS, Field, Kind, MAX_GROUPS};
use super::{Scenario, TABLES, Tenths, quantity};

/// The version of the form of scenarios. It rises when a text that was valid is refused or means another host; it stays when fields
/// come, or take more than before. `tests/versions` holds it.
pub const VERSION: u32 = 1;

/// The schema (JSON Schema, draft 2020-12).
pub(super) fn json_schema() -> Value {
    let defaults = Scenario::default();
    let mut top = properties("", &defaults);
    for (room, text) in TABLES {
        top.insert(room.into(), table(text, properties(room, &defaults)));
    }
    top.insert(
        "guests".into(),
        json!({
            "type": "array",
            "description": "The guests, in groups of equal ones.",
            "minItems": 1,
            "maxItems": MAX_GROUPS,
            "items": table("Guests that are alike.", properties("guests", &defaults)),
        }),
    );
    let mut schema = table("A host, its guests and how to measure it, for the zvmlab model.", top);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["$id"] = json!(format!("urn:zvmlab:scenario:{VERSION}"));
    schema["title"] = json!("zvmlab scenario");
    schema
}

fn table(description: &str, properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "description": description, "additionalProperties": false, "properties": properties })
}

fn properties(room: &str, defaults: &Scenario) -> Map<String, Value> {
    FIELDS
        .iter()
        .filter(|field| field.room() == room)
        .map(|field| (field.key().to_string(), property(field, defaults)))
        .collect()
}

fn property(field: &Field, defaults: &Scenario) -> Value {
    let mut value = match field.kind {
        Kind::Whole { min, max, get, .. } => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "default": get(defaults, 0) })
        }
        Kind::Tenths { min, max, get, .. } => {
            let number = |tenths: Tenths| serde_json::to_value(tenths).unwrap_or_default();
            json!({
                "type": "number",
                "minimum": number(min),
                "maximum": number(max),
                "multipleOf": 0.1,
                "default": number(get(defaults, 0))
            })
        }
        Kind::Switch { get, .. } => json!({ "type": "boolean", "default": get(defaults, 0) }),
        Kind::Choice { allowed, get, .. } => json!({ "type": "string", "enum": allowed, "default": get(defaults, 0) }),
        Kind::Share { get, .. } => {
            json!({ "type": "string", "pattern": "^([1-9][0-9]{0,2}|1000):([1-9][0-9]{0,2}|1000)$", "default": get(defaults, 0).to_string() })
        }
        Kind::Text { max_chars, get, .. } => {
            json!({ "type": "string", "minLength": 1, "maxLength": max_chars, "default": get(defaults, 0) })
        }
    };
    let unit = if field.unit.is_empty() { String::new() } else { format!(" Unit: {}.", field.unit) };
    // With a unit a number is a text.
    let units = quantity::names(field.unit);
    if !units.is_empty() {
        let default = value["default"].take();
        let pattern = format!("^[0-9][0-9,]*(\\.[0-9]+)? ?({})$", units.join("|"));
        value = json!({ "anyOf": [value, { "type": "string", "pattern": pattern }], "default": default });
    }
    value["title"] = json!(field.label);
    value["description"] = json!(format!("{}{unit}", field.help()));
    value
}
