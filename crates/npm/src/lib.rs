//! The model as JavaScript's workers call it: texts go in, JSON and bytes come out. `js/` is what users call.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;
mod lists;
#[path = "../../../web/src/panics.rs"]
mod panics;
mod running;
pub mod types;

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Keeps the message of a fault of ours where the worker finds it.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(panics::keep));
}

/// What JavaScript is told, as JSON.
fn json(told: &impl serde::Serialize) -> Result<String, JsError> {
    serde_json::to_string(told).map_err(JsError::from)
}
