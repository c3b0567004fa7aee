//! What the page listens to: keys, the address, and the parent page if it is embedded.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Element, KeyboardEvent, MessageEvent};
use yew::Callback;

use crate::msg::Msg;
use crate::page;
use crate::panels::setup::open;

/// All listeners of the page, for as long as they live.
pub fn listeners(on: &Callback<Msg>, embedded: bool) -> Vec<EventListener> {
    let Some(window) = page::window() else { return Vec::new() };
    let (keys, address, parent, drop) = (on.clone(), on.clone(), on.clone(), on.clone());
    let mut listeners = vec![
        EventListener::new_with_options(&window, "keydown", EventListenerOptions::enable_prevent_default(), move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|event| is_shortcut(event)) {
                keys.emit(Msg::PressKey(event.key()));
            } else if let Some(way) = event.dyn_ref::<KeyboardEvent>().and_then(undoes) {
                // Chromium would also undo what was written in a field that has the focus no longer.
                event.prevent_default();
                keys.emit(way);
            }
        }),
        // Without this, the browser would leave the page for the file.
        EventListener::new_with_options(&window, "dragover", EventListenerOptions::enable_prevent_default(), |event| {
            event.prevent_default();
        }),
        EventListener::new_with_options(&window, "drop", EventListenerOptions::enable_prevent_default(), move |event| {
            event.prevent_default();
            let dropped = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
            if let Some(file) = dropped.and_then(|dropped| dropped.files()).and_then(|files| files.get(0)) {
                open(file, drop.clone());
            }
        }),
        EventListener::new(&window, "hashchange", move |_| address.emit(Msg::ChangeAddress)),
    ];
    if embedded {
        listeners.push(EventListener::new(&window, "message", move |event| {
            if let Some(event) = event.dyn_ref::<MessageEvent>() {
                parent.emit(Msg::HearParent(event.clone()));
            }
        }));
    }
    listeners
}

/// Whether a key is meant for the page: not for a field, and not for the browser.
fn is_shortcut(event: &KeyboardEvent) -> bool {
    event.key().chars().count() == 1 && !(event.ctrl_key() || event.alt_key() || event.meta_key()) && !is_in_field(event)
}

/// Whether a key goes to a field, which has a use for it.
fn is_in_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let fields = "input:not([type=range]):not([type=checkbox]), select, textarea, [contenteditable], canvas";
    target.is_some_and(|target| target.matches(fields).unwrap_or(false))
}

/// Undo and redo by the keys of every program: Ctrl or Command with Z, with Shift and Z, or with Y.
fn undoes(event: &KeyboardEvent) -> Option<Msg> {
    if !(event.ctrl_key() || event.meta_key()) || event.alt_key() || is_in_field(event) {
        return None;
    }
    match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
        ("z", false) => Some(Msg::Undo),
        ("z", true) | ("y", false) => Some(Msg::Redo),
        _ => None,
    }
}
