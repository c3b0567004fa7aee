//! What does not run: schema, figures, ready experiments, the version.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use zvmlab::measurement::FIGURES;
use zvmlab::report::MODEL_VERSION;
use zvmlab::scenario::Scenario;
use zvmlab_lab::lesson::schema as of_lesson;
use zvmlab_lab::published::ready;

use crate::json;
use crate::types::{Experiment, FigureName};

/// The JSON Schema of a scenario or of a lesson, as `zvmlab schema` prints it.
#[wasm_bindgen]
pub fn schema(lesson: bool) -> String {
    let schema = if lesson { of_lesson::json_schema() } else { Scenario::json_schema() };
    format!("{schema:#}\n")
}

/// Every figure of the model, as JSON.
#[wasm_bindgen]
pub fn figures() -> Result<String, JsError> {
    let name = |figure: &zvmlab::Figure| FigureName { figure: figure.id(), unit: figure.unit(), label: figure.label() };
    json(&FIGURES.iter().map(name).collect::<Vec<_>>())
}

/// The published runs and the examples, as JSON.
#[wasm_bindgen]
pub fn experiments() -> Result<String, JsError> {
    let published = zvmlab_lab::published::runs().into_iter();
    let published = published.map(|run| Experiment { id: run.id, title: run.title, kind: "published" });
    let example = |one: &ready::ReadyExample| Experiment {
        id: one.example.id.into(),
        title: one.example.title.into(),
        kind: "example",
    };
    json(&published.chain(ready::examples().iter().map(example)).collect::<Vec<_>>())
}

/// The version of the model.
#[wasm_bindgen]
pub fn version() -> String {
    MODEL_VERSION.into()
}
