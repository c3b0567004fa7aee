//! A scenario as JavaScript gives it: TOML, JSON, or the id of a published run or an example.

use serde_json::Value;
use wasm_bindgen::JsValue;
use zvmlab::Scenario;
use zvmlab_lab::published::ready::{ready_meant, scenario_of};
use zvmlab_lab::words::problem::{self, Told};

use crate::types::Problem;

/// Longest text that is taken for an id. Chosen: twice as long as any.
const ID_CHARS_MAX: usize = 40;

/// The scenario, or its problems as JSON, which JavaScript catches as a text.
pub fn read(text: &str) -> Result<Scenario, JsValue> {
    let refused = |problems: Vec<Told>| {
        let problems: Vec<Problem> = problems.into_iter().map(Problem::from).collect();
        JsValue::from(serde_json::to_string(&problems).unwrap_or_default())
    };
    if let Some(scenario) = scenario_of(text.trim()) {
        return Ok(scenario);
    }
    // An empty text is TOML that sets nothing; but who hands one over has more likely read the wrong file.
    let is_empty = text.trim().is_empty();
    if is_empty || looks_like_an_id(text) {
        let given = if is_empty { "an empty text".into() } else { format!("\"{}\"", text.trim()) };
        let more = if is_empty { ", and {} is the host of all defaults" } else { "" };
        let message = format!(
            "{given} given; a scenario in TOML or JSON, or the id of a published run or an example is allowed{}{more}; experiments() lists the ids",
            ready_meant(text.trim())
        );
        return Err(refused(vec![Told { given: Some(Value::from(text)), ..problem::of_text(message) }]));
    }
    Scenario::parse(text).map_err(|error| refused(problem::of_scenario(&error, &problem::tree(text))))
}

/// Whether somebody who wrote this meant an id: it is short, on one line, and sets nothing.
fn looks_like_an_id(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() <= ID_CHARS_MAX && !text.contains(['\n', '=', '{', '[', '#'])
}
