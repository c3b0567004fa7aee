//! Errors in our own code: keeps the message, so that static/boot.js can show it to the reader.

use std::panic::PanicHookInfo;

use wasm_bindgen::JsValue;

/// Keeps a panic's message in the global `zvmlabPanic`, because the program ends at once and cannot show it.
pub fn keep(info: &PanicHookInfo) {
    let text = JsValue::from_str(&info.to_string());
    // If the global cannot be set, only the browser's own message is left.
    let _ = js_sys::Reflect::set(js_sys::global().as_ref(), &JsValue::from_str("zvmlabPanic"), &text);
}
