//! Errors in our own code: the message is kept for whoever tells the reader.

use std::panic::PanicHookInfo;

use wasm_bindgen::JsValue;

/// Keeps a panic's message in the global `zvmlabPanic`: the program ends at once and cannot tell it itself.
pub fn keep(info: &PanicHookInfo) {
    let text = JsValue::from_str(&info.to_string());
    // If the global takes nothing, the browser's own message must do.
    let _ = js_sys::Reflect::set(js_sys::global().as_ref(), &JsValue::from_str("zvmlabPanic"), &text);
}
