//! The page of zvmlab: messages, components, painting and workers. What it shows and says comes from [`zvmlab_lab`].
//!
//! A page calls [`prepare`] and [`mount`]; workers run the engine, a wasm of its own. Start reading at [`msg::Msg`], the list of everything that happens.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod app;
pub mod chart;
mod feed;
#[cfg(feature = "first-screen")]
pub mod first_screen;
mod machine;
pub mod msg;
mod page;
mod panels;
mod panics;
mod prose;
mod rest;
mod runner;
mod views;
pub mod workers;

use wasm_bindgen::prelude::wasm_bindgen;

/// Reads the examples, and the published runs unless they wait for a reader, so that [`mount`] has less to do in its task. Nothing goes
/// wrong without it.
#[wasm_bindgen]
pub fn prepare() {
    keep_panics();
    if page::reader().is_none() {
        zvmlab_lab::published::sources();
    }
    zvmlab_lab::published::ready::examples();
}

fn keep_panics() {
    // Set through Yew, because Yew would replace any other hook by its own.
    yew::set_custom_panic_hook(Box::new(panics::keep));
}

/// Shows the page in the element `root` of the document.
#[wasm_bindgen]
pub fn mount() {
    keep_panics();
    let root = page::document().and_then(|document| document.get_element_by_id("root"));
    if let Some(root) = root {
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
