//! Ready experiments: the published runs, and examples for subjects of which nothing is published. Knows no browser.

use std::sync::OnceLock;

use zvmlab::Scenario;
use zvmlab::scenario::Measure;
use zvmlab::scenario::examples::{self, Example};

use crate::published;
use crate::published::memo::Memo;
use crate::words::meant;

/// An example with its scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadyExample {
    /// Its name, title and question.
    pub example: &'static Example,
    /// The scenario of the example.
    pub scenario: Scenario,
}

/// Every example, in the order in which people should meet them.
pub fn examples() -> &'static [ReadyExample] {
    static READY: OnceLock<Vec<ReadyExample>> = OnceLock::new();
    READY.get_or_init(|| {
        let ready = |example: &'static Example| {
            Scenario::parse(example.text).ok().map(|scenario| ReadyExample { example, scenario })
        };
        examples::EXAMPLES.iter().filter_map(ready).collect()
    })
}

/// The example with this id.
pub fn example(id: &str) -> Option<&'static ReadyExample> {
    examples().iter().find(|ready| ready.example.id == id)
}

/// The example that has the configuration of `scenario`, if any. Names and the way of measuring do not count.
pub fn example_like(scenario: &Scenario) -> Option<&'static ReadyExample> {
    let bare = |scenario: &Scenario| {
        let mut bare = Scenario { name: String::new(), measure: Measure::default(), ..scenario.clone() };
        bare.guests.iter_mut().for_each(|group| group.name.clear());
        bare
    };
    let wanted = bare(scenario);
    examples().iter().find(|ready| bare(&ready.scenario) == wanted)
}

/// The scenario of the ready experiment `id`.
pub fn scenario_of(id: &str) -> Option<Scenario> {
    stated(id).cloned()
}

/// The same, to look at.
pub fn stated(id: &str) -> Option<&'static Scenario> {
    example(id).map(|ready| &ready.scenario).or_else(|| published::stated(id))
}

/// The id of the ready experiment that has the configuration of `scenario`, if any. A published run goes before an example.
pub fn like(scenario: &Scenario) -> Option<String> {
    thread_local! {
        static LIKE: Memo<Scenario, Option<String>> = const { Memo::new() };
    }
    let find = |scenario: &Scenario| example_like(scenario).map(|ready| ready.example.id.into());
    LIKE.with(|memo| memo.get(scenario, |scenario| published::run_like(scenario).or_else(|| find(scenario))))
}

/// Whether there is a ready experiment with this id.
pub fn is_ready(id: &str) -> bool {
    example(id).is_some() || published::is_run(id)
}

/// Asks which published run is meant, where `id` is none but like one: ` (is V4DVY000 meant?)`.
pub fn run_meant(id: &str) -> String {
    let runs: Vec<&str> = zvmlab_reference::runs().map(|run| run.id.as_str()).collect();
    meant::asked(id, &runs)
}

/// The same for published runs and examples.
pub fn ready_meant(id: &str) -> String {
    let examples = examples::EXAMPLES.iter().map(|example| example.id);
    let ready: Vec<&str> = zvmlab_reference::runs().map(|run| run.id.as_str()).chain(examples).collect();
    meant::asked(id, &ready)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_ready_is_found_again_and_is_no_published_run() {
        assert_eq!(examples().len(), examples::EXAMPLES.len());
        for ready in examples() {
            let id = ready.example.id;
            assert!(zvmlab_reference::run(id).is_none() && zvmlab_reference::run_like(&ready.scenario).is_none(), "{id}");
            let mut renamed = ready.scenario.clone();
            (renamed.name, renamed.measure.interval_s) = ("mine".into(), 7);
            assert_eq!(like(&renamed).as_deref(), Some(id));
            assert_eq!(scenario_of(id).as_ref(), Some(&ready.scenario));
            renamed.storage.central_mb += 1;
            assert_eq!(like(&renamed), None, "{id}");
        }
        assert!(is_ready("V4DVY000") && !is_ready("V9"));
    }
}
