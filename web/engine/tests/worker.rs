//! The worker's side of the page, in wasm: jobs and answers are bytes, and digests equal the native goldens.
#![cfg(target_arch = "wasm32")]

mod common;

use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_lab::address;
use zvmlab_lab::worker::wire::{Answer, Job, LiveJob, read, written};

use common::work;

const SCENARIO: &str = include_str!("../../../tests/golden/small-command/scenario.toml");
const EXPECTED: &str = include_str!("../../../tests/golden/small-command/expected.txt");

fn answer(job: &[u8]) -> Answer {
    read(&work(job, &js_sys::Function::new_no_args(""))).expect("an answer can be read")
}

#[wasm_bindgen_test]
fn a_whole_experiment_ends_as_it_does_natively() {
    let scenario = Scenario::parse(SCENARIO).expect("a golden scenario is valid");
    let job = Job::Experiment { scenario, seed: 1 };
    let Answer::Settled { result, .. } = answer(&written(&job)) else { panic!("it settles") };
    let digest = result.digest;
    assert!(EXPECTED.ends_with(&format!("digest {digest:016x}\n")), "{digest:016x}");
    assert!(!result.series.is_empty());
}

#[wasm_bindgen_test]
fn what_cannot_be_run_is_refused_in_words() {
    let mut scenario = Scenario::default();
    scenario.paging.volumes = 0;
    let whole = written(&Job::Experiment { scenario, seed: 1 });
    let Answer::Refused(why) = answer(&whole) else { panic!("it is refused") };
    assert!(why.contains("paging.volumes"), "{why}");
    let cut = &whole[..whole.len() / 2];
    for job in [&written(&Job::Live(LiveJob::Step)), cut, &[], &[255; 9]] {
        assert!(matches!(answer(job), Answer::Refused(why) if why.len() > 10), "{job:?}");
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
