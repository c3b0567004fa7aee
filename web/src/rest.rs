//! What loads the functions that a first visit does without: the part that each program imports from its script.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Loads these functions, and returns when they are there: static/boot.js for the page, static/worker.js for the engine. The build
    /// has the program call it where it needs one of them.
    #[wasm_bindgen(js_name = zvmlabRest)]
    fn load_rest();
}

/// Loads these functions in case they have not come. No caller needs it: it is here so that the program imports what loads them.
#[wasm_bindgen]
pub fn complete() {
    load_rest();
}
