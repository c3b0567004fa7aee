//! In node: the live run goes event by event, and a link that was cut off anywhere is recognised.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_engine::work;
use zvmlab_lab::address::{Experiment, Linked, View, fragment, parse};
use zvmlab_lab::worker::wire::{Answer, Job, LiveJob, LiveReport, read, written};

/// A host that is small enough for an unoptimised build, and pages.
fn small() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    scenario.guests[0].virtual_mb = 128;
    scenario.guests[0].loop_mb = 96;
    scenario
}

fn ask(job: LiveJob) -> LiveReport {
    let Ok(Answer::Live(report)) = read(&work(&written(&Job::Live(job)))) else { panic!("the answer is of a live run") };
    *report
}

#[wasm_bindgen_test]
fn a_live_run_is_stepped_event_by_event() {
    ask(LiveJob::Create { scenario: Box::new(small()), seed: 1 });
    let one = ask(LiveJob::Step);
    let two = ask(LiveJob::Step);
    assert_eq!((one.events, two.at.events), (1, 2));
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
