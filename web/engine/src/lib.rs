//! The engine: the model, as a worker of the page runs it. It is a separate wasm file, so that the page is on the screen
//! before the model has loaded.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../src/panics.rs"]
mod panics;
#[path = "../../src/rest.rs"]
mod rest;

use std::sync::Once;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Begins a job of the page. Job, answer, and what `tell` is told meanwhile are the bytes of [`zvmlab_lab::worker::wire`]. No answer
/// means that a run goes on, and [`go_on`] is to be called.
#[wasm_bindgen]
pub fn begin(job: &[u8], tell: &Function) -> Option<Vec<u8>> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(panics::keep)));
    zvmlab_lab::worker::begin(job, &js_sys::Date::now, &mut |told| pass_on(tell, &told))
}

/// Goes on with the run for some milliseconds. The answer, if it is over.
#[wasm_bindgen]
pub fn go_on(tell: &Function) -> Option<Vec<u8>> {
    zvmlab_lab::worker::go_on(&js_sys::Date::now, &mut |told| pass_on(tell, &told))
}

/// A page that does not hear it loses nothing but that.
fn pass_on(tell: &Function, told: &[u8]) {
    let _ = tell.call1(&JsValue::NULL, &Uint8Array::from(told));
}
