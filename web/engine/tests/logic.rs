//! In node: the live run goes event by event, and a link that was cut anywhere says so.

#![cfg(target_arch = "wasm32")]

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_engine::work;
use zvmlab_lab::address::{Experiment, Linked, View, fragment, parse};

/// A host that is small enough for an unoptimised build, and pages.
fn small() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    scenario.guests[0].virtual_mb = 128;
    scenario.guests[0].loop_mb = 96;
    scenario
}

fn ask(job: Value) -> Value {
    serde_json::from_str(&work(&job.to_string())).expect("the answer is JSON")
}

#[wasm_bindgen_test]
fn a_live_run_is_stepped_event_by_event() {
    ask(json!({ "live": { "create": { "scenario": small(), "seed": 1 } } }));
    let one = ask(json!({ "live": "step" }));
    let two = ask(json!({ "live": "step" }));
    assert_eq!(one["live"]["events"], json!(1));
    assert_eq!(two["live"]["at"]["events"], json!(2));
}

#[wasm_bindgen_test]
fn a_link_that_was_cut_anywhere_says_so() {
    let linked = Linked {
        now: Experiment { scenario: small(), seed: 7 },
        pinned: None,
        view: View::default(),
        model: "0.1.0".into(),
    };
    let link = fragment(&linked);
    assert!(parse(&link).is_ok());
    for length in 2..link.len() {
        assert!(parse(&link[..length]).is_err(), "{length}");
    }
}
