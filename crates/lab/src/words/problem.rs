//! What is wrong with a scenario, as programs are told it: each problem with its field, what was given there, what is allowed, and why.

use serde::Serialize;
use serde_json::Value;
use zvmlab::scenario::fields::{field, path::room::GUESTS};
use zvmlab::scenario::{Problem, ScenarioError};

/// A problem of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// The field: `paging.volumes`, `guests[2].count`; empty where the text as a whole cannot be read.
    pub field: String,
    /// What was given there; none where nothing was.
    pub given: Option<Value>,
    /// What is allowed there, in words; none where there is no such field.
    pub allowed: Option<String>,
    /// What was given, what is allowed, and why, in a sentence.
    pub message: String,
}

/// The problems of a scenario that was given as this tree.
pub fn of_scenario(error: &ScenarioError, given: &Value) -> Vec<Told> {
    error.problems.iter().map(|problem| told(problem, given)).collect()
}

/// A text that cannot be read as a scenario at all.
pub fn of_text(message: String) -> Told {
    Told { field: String::new(), given: None, allowed: None, message }
}

fn told(problem: &Problem, given: &Value) -> Told {
    Told {
        field: problem.field.clone(),
        given: find(given, &problem.field).cloned(),
        allowed: field(&bare(&problem.field)).map(|field| field.allowed()),
        message: problem.message.clone(),
    }
}

/// The path of a field without the number of its group: `guests.count` of `guests[2].count`.
pub fn bare(place: &str) -> String {
    match place.strip_prefix(GUESTS).and_then(|rest| rest.strip_prefix('[')).and_then(|rest| rest.split_once(']')) {
        Some((_, key)) => format!("{GUESTS}{key}"),
        None => place.into(),
    }
}

/// A text, TOML or JSON, as a tree; nothing where it is none.
pub fn tree(text: &str) -> Value {
    let read = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).ok(),
        false => toml::from_str(text).ok(),
    };
    read.unwrap_or(Value::Null)
}

/// What was given at a place: `paging.volumes`, `guests[2].count`.
fn find<'a>(given: &'a Value, place: &str) -> Option<&'a Value> {
    // A pointer into JSON separates by `/`, and writes `~` and `/` of a key as `~0` and `~1`.
    let step = |part: &str| format!("/{}", part.replace('~', "~0").replace('/', "~1"));
    let pointer: String = place.split(['.', '[', ']']).filter(|part| !part.is_empty()).map(step).collect();
    given.pointer(&pointer).filter(|_| !place.is_empty())
}

#[cfg(test)]
mod tests {
    use zvmlab::Scenario;

    use super::*;

    #[test]
    fn a_place_leads_to_what_was_given_there() {
        let given = serde_json::json!({"paging": {"volumes": 0}, "guests": [{}, {"count": -1}]});
        assert_eq!(find(&given, "paging.volumes"), Some(&Value::from(0)));
        assert_eq!(find(&given, "guests[1].count"), Some(&Value::from(-1)));
        assert_eq!(find(&given, "guests[2].count"), None);
        assert_eq!(find(&given, ""), None);
        let odd = serde_json::json!({"a/b": {"c~1d": 5}, "a": {"b": 6}});
        assert_eq!(find(&odd, "a/b.c~1d"), Some(&Value::from(5)));
        assert_eq!(find(&odd, "a/b"), Some(&odd["a/b"]));
        assert_eq!(bare("guests[12].count"), "guests.count");
        assert_eq!(bare("paging.volumes"), "paging.volumes");
    }

    #[test]
    fn all_problems_are_told_in_both_forms_of_a_text() {
        for text in ["[paging]\nvolumes = 0\nspeed = 1\n", r#"{"paging": {"volumes": 0, "speed": 1}}"#] {
            let error = Scenario::parse(text).expect_err("two fields are wrong");
            let told = of_scenario(&error, &tree(text));
            let of = |name: &str| told.iter().find(|one| one.field == name).expect("it is told");
            assert_eq!(of("paging.volumes").given, Some(Value::from(0)), "{text}");
            assert!(of("paging.volumes").allowed.as_ref().is_some_and(|allowed| allowed.contains('1')), "{told:?}");
            assert_eq!((&of("paging.speed").given, &of("paging.speed").allowed), (&Some(Value::from(1)), &None));
        }
        assert_eq!(tree("[paging"), Value::Null);
    }
}
