//! What is wrong with an input, as an exception of Python: all problems at once, each with field, value and what is allowed.

use pyo3::prelude::*;
use serde_json::Value;
use zvmlab::scenario::ScenarioError;
use zvmlab_lab::words::problem::{self, Told};

/// A problem for Python: the field, the value given as JSON where there is one, what is allowed where that is known, and the sentence.
type ForPython = (String, Option<String>, Option<String>, String);

/// The exception of a scenario with these problems. `given` is the scenario as it was given.
pub fn of_scenario(error: &ScenarioError, given: &Value) -> PyErr {
    of_scenario_and(error, given, Vec::new())
}

/// The same with further problems, which come first.
pub fn of_scenario_and(error: &ScenarioError, given: &Value, mut problems: Vec<Told>) -> PyErr {
    problems.extend(problem::of_scenario(error, given));
    of_problems(problems)
}

/// The exception of a text that cannot be read as a scenario at all.
pub fn of_text(message: String) -> PyErr {
    of_problems(vec![problem::of_text(message)])
}

/// The exception of a scenario with these problems.
pub fn of_problems(problems: Vec<Told>) -> PyErr {
    let for_python = |told: Told| (told.field, told.given.map(|given| given.to_string()), told.allowed, told.message);
    let problems: Vec<ForPython> = problems.into_iter().map(for_python).collect();
    Python::attach(|py| {
        let made = py
            .import("zvmlab._errors")
            .and_then(|module| module.getattr("ScenarioError"))
            .and_then(|class| class.call_method1("_of_native", (problems,)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// A fault of ours, not of the input.
pub fn of_bug(message: &str) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(format!("a fault of zvmlab, not of the input: {message}"))
}
