//! The worker's side as the page calls it, in wasm: jobs and answers as texts, digests equal to the native goldens.
#![cfg(target_arch = "wasm32")]

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_engine::work;
use zvmlab_lab::address;

const SCENARIO: &str = include_str!("../../../tests/golden/small-command/scenario.toml");
const EXPECTED: &str = include_str!("../../../tests/golden/small-command/expected.txt");

fn answer(job: &Value) -> Value {
    serde_json::from_str(&work(&job.to_string())).expect("an answer is JSON")
}

#[wasm_bindgen_test]
fn a_whole_experiment_ends_as_it_does_natively() {
    let scenario = Scenario::parse(SCENARIO).expect("a golden scenario is valid");
    let settled = &answer(&json!({ "experiment": { "scenario": scenario, "seed": 1 } }))["settled"]["result"];
    let digest = settled["digest"].as_u64().expect("a digest is a number");
    assert!(EXPECTED.ends_with(&format!("digest {digest:016x}\n")), "{digest:016x}");
    assert!(settled["series"].as_array().is_some_and(|series| !series.is_empty()));
}

#[wasm_bindgen_test]
fn what_cannot_be_run_is_refused_in_words() {
    let mut scenario = Scenario::default();
    scenario.paging.volumes = 0;
    let refused = &answer(&json!({ "experiment": { "scenario": scenario, "seed": 1 } }))["refused"];
    assert!(refused.as_str().is_some_and(|why| why.contains("paging.volumes")), "{refused}");
    for job in [json!({ "live": "step" }), json!({}), json!([1, 2]), json!("nothing")] {
        assert!(answer(&job)["refused"].as_str().is_some_and(|why| why.len() > 10), "{job}");
    }
}

#[wasm_bindgen_test]
fn a_link_opens_the_same_in_wasm() {
    let mut scenario = Scenario::default();
    scenario.paging.zhpf = true;
    scenario.measure.interval_s = 7;
    let linked = address::Linked {
        now: address::Experiment { scenario, seed: u64::MAX },
        pinned: None,
        view: address::View::default(),
        model: env!("CARGO_PKG_VERSION").into(),
    };
    let read = address::parse(&address::fragment(&linked)).expect("it was just written").expect("it is not empty");
    assert_eq!(read.now, linked.now);
}
