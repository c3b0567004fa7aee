//! Every figure has a value on some host: one that was forgotten in `measurement/value.rs` has none anywhere.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::Path;

use zvmlab::measurement::{FIGURES, Figure};
use zvmlab::{Scenario, experiment};

#[test]
fn every_figure_has_a_value_on_the_host_of_some_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut missing: Vec<Figure> = FIGURES.to_vec();
    let hosts = fs::read_dir(folder).expect("the goldens stand there").map(|entry| entry.expect("it can be read").path());
    // The published host is the largest, and has no figure of its own.
    let mut hosts: Vec<_> = hosts.filter(|host| !host.ends_with("published-V4DYA001")).collect();
    hosts.sort();
    for host in hosts {
        if missing.is_empty() {
            break;
        }
        let text = fs::read_to_string(host.join("scenario.toml")).expect("a golden has a scenario");
        let scenario = Scenario::parse(&text).expect("a golden scenario is valid");
        let outcome = experiment::run(&scenario, 1).expect("a golden scenario is valid");
        missing.retain(|figure| outcome.measurement.get(*figure).is_none());
    }
    assert_eq!(missing.iter().map(|figure| figure.id()).collect::<Vec<_>>(), [""; 0], "figures without a value anywhere");
}

#[test]
fn a_figure_has_one_id_wherever_it_is_written() {
    for figure in FIGURES {
        assert_eq!(serde_json::to_value(figure).expect("a figure is a word"), figure.id());
    }
}
