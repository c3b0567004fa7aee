//! The worker's side as a script calls it.

use wasm_bindgen::prelude::wasm_bindgen;

/// Does a job of the page. Both job and answer are the JSON of [`zvmlab_lab::worker::wire`].
#[wasm_bindgen]
pub fn work(job: &str) -> String {
    crate::panics::tell();
    zvmlab_lab::worker::work(job, &js_sys::Date::now)
}
