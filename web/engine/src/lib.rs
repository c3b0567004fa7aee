//! The engine: the model, as a worker of the page runs it. It is a separate wasm file, so that the page is on the screen
//! before the model has loaded.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../src/panics.rs"]
mod panics;

use std::sync::Once;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Does a job of the page. Job, answer, and what `tell` is told meanwhile are the bytes of [`zvmlab_lab::worker::wire`].
#[wasm_bindgen]
pub fn work(job: &[u8], tell: &Function) -> Vec<u8> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(panics::keep)));
    zvmlab_lab::worker::work(job, &js_sys::Date::now, &mut |told| {
        // A page that does not hear it loses nothing but that.
        let _ = tell.call1(&JsValue::NULL, &Uint8Array::from(&told[..]));
    })
}
