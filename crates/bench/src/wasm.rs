//! The benchmarks in wasm: JavaScript gives the clock and prints.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the start of the process.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;

    /// Prints a line.
    #[wasm_bindgen(js_namespace = console)]
    fn log(line: &str);
}

/// Runs everything and prints one line for each result.
#[wasm_bindgen]
pub fn run() {
    crate::suite(&|| now() / 1e3, &mut |item| log(&item.to_line()));
}
