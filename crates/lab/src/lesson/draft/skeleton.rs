//! Tables that a draft begins with, written as TOML.

use serde_json::{Map, Value};
use zvmlab::Figure;

use crate::lesson::reader::tree;

/// The table that a TOML text is, with a figure in place of ETR.
pub fn table(text: &str, figure: Figure) -> Map<String, Value> {
    match tree(&text.replace("\"etr\"", &format!("\"{}\"", figure.id()))) {
        Ok(Value::Object(entries)) => entries,
        _ => Map::new(),
    }
}
