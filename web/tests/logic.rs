//! In node: the worker's side and the links do in wasm what they do natively.

#![cfg(target_arch = "wasm32")]

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_web::address::{Experiment, Linked, View, fragment, parse};
use zvmlab_web::work::work;

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
fn an_experiment_has_the_digest_of_the_model_itself() {
    let scenario = small();
    let answer = ask(json!({ "experiment": { "scenario": scenario, "seed": 18_446_744_073_709_551_615u64 } }));
    let outcome = zvmlab::experiment::run(&scenario, u64::MAX).expect("valid");
    assert_eq!(answer["settled"]["result"]["digest"], json!(outcome.digest));
    assert!(outcome.snapshot.paging.pages_read > 0, "it pages");
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
fn what_is_no_job_is_refused_in_words() {
    for job in ["", "{", "{\"experiment\":{}}", "[]"] {
        let answer: Value = serde_json::from_str(&work(job)).expect("the answer is JSON");
        assert!(answer["refused"].as_str().is_some_and(|reason| reason.len() > 20), "{job}: {answer}");
    }
    let mut scenario = small();
    scenario.paging.volumes = 0;
    let answer = ask(json!({ "experiment": { "scenario": scenario, "seed": 1 } }));
    assert!(answer["refused"].as_str().is_some_and(|reason| reason.contains("paging.volumes")), "{answer}");
}

#[wasm_bindgen_test]
fn a_link_opens_what_it_was_made_from_and_says_when_it_was_cut() {
    let linked =
        Linked { now: Experiment { scenario: small(), seed: 7 }, pinned: None, view: View::default(), model: "0.1.0".into() };
    let link = fragment(&linked);
    assert_eq!(parse(&link), Ok(Some(linked)));
    for length in 2..link.len() {
        assert!(parse(&link[..length]).is_err(), "{length}");
    }
}
