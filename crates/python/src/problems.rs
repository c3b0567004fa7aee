//! What is wrong with an input, as an exception of Python: all problems at once, each with field, value and what is allowed.

use pyo3::prelude::*;
use serde_json::Value;
use zvmlab::scenario::fields::{field, path::room::GUESTS};
use zvmlab::scenario::{Problem, ScenarioError};

/// A problem for Python: the field, the value given as JSON where there is one, what is allowed where that is known, and the sentence.
pub type Told = (String, Option<String>, Option<String>, String);

/// The exception of a scenario with these problems. `given` is the scenario as it was given.
pub fn of_scenario(error: &ScenarioError, given: &Value) -> PyErr {
    of_scenario_and(error, given, Vec::new())
}

/// The same with further problems, which come first.
pub fn of_scenario_and(error: &ScenarioError, given: &Value, mut problems: Vec<Told>) -> PyErr {
    problems.extend(error.problems.iter().map(|problem| told(problem, given)));
    of_problems(problems)
}

/// The exception of a text that cannot be read as a scenario at all.
pub fn of_text(message: String) -> PyErr {
    of_problems(vec![(String::new(), None, None, message)])
}

fn told(problem: &Problem, given: &Value) -> Told {
    let value = find(given, &problem.field).map(Value::to_string);
    let allowed = field(&bare(&problem.field)).map(|field| field.allowed());
    (problem.field.clone(), value, allowed, problem.message.clone())
}

/// The exception of a scenario with these problems.
pub fn of_problems(problems: Vec<Told>) -> PyErr {
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

/// The path of a field without the number of its group: `guests.count` of `guests[2].count`.
pub fn bare(place: &str) -> String {
    match place.strip_prefix(GUESTS).and_then(|rest| rest.strip_prefix('[')).and_then(|rest| rest.split_once(']')) {
        Some((_, key)) => format!("{GUESTS}{key}"),
        None => place.into(),
    }
}

/// What was given at a place: `paging.volumes`, `guests[2].count`.
fn find<'a>(given: &'a Value, place: &str) -> Option<&'a Value> {
    let pointer: String =
        place.split(['.', '[', ']']).filter(|part| !part.is_empty()).map(|part| format!("/{part}")).collect();
    given.pointer(&pointer).filter(|_| !place.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_leads_to_what_was_given_there() {
        let given = serde_json::json!({"paging": {"volumes": 0}, "guests": [{}, {"count": -1}]});
        assert_eq!(find(&given, "paging.volumes"), Some(&Value::from(0)));
        assert_eq!(find(&given, "guests[1].count"), Some(&Value::from(-1)));
        assert_eq!(find(&given, "guests[2].count"), None);
        assert_eq!(find(&given, ""), None);
        assert_eq!(bare("guests[12].count"), "guests.count");
        assert_eq!(bare("paging.volumes"), "paging.volumes");
    }
}
