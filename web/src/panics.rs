//! Errors in our own code: the message is kept for whoever tells the reader.

use std::sync::Once;

use wasm_bindgen::JsValue;

/// From here on, the global `zvmlabPanic` holds a panic's message. The program ends at once and cannot tell it itself.
pub fn tell() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let global = js_sys::global();
            let text = JsValue::from_str(&info.to_string());
            // If the global takes nothing, the browser's own message must do.
            let _ = js_sys::Reflect::set(global.as_ref(), &JsValue::from_str("zvmlabPanic"), &text);
            before(info);
        }));
    });
}
