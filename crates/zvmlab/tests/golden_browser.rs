//! The golden runs once more, in a browser.
#![cfg(target_arch = "wasm32")]

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[path = "golden.rs"]
mod golden;
