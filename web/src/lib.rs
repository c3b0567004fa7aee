//! The page of zvmlab: a bench with knobs, results and views, and the worker's side of it in the same wasm.
//!
//! A page calls [`mount`], a worker calls [`work::work`]. Start reading at [`app::Msg`], the list of everything that happens.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod address;
pub mod app;
mod bench;
pub mod chart;
mod comparison;
mod export;
mod format;
mod headline;
mod introduction;
mod knob;
mod live;
mod memo;
mod message;
mod next_step;
mod page;
mod panels;
mod panics;
pub mod published;
pub mod query;
mod queue;
mod ready;
mod results;
pub mod session;
mod step;
mod subject;
mod sweep;
pub mod views;
mod wire;
mod words;
pub mod work;
pub mod workers;

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the page in the element `root` of the document.
#[wasm_bindgen]
pub fn mount() {
    panics::tell();
    let root = page::document().and_then(|document| document.get_element_by_id("root"));
    if let Some(root) = root {
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
