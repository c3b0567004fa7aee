//! In node: the live run goes event by event, its samples come as what changed, and a link that was cut off anywhere is recognised.

#![cfg(target_arch = "wasm32")]

mod common;

use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::Scenario;
use zvmlab_lab::address::{Experiment, Linked, View, fragment, parse};
use zvmlab_lab::worker::wire::{Answer, End, Job, LiveJob, LiveReport, read, written};

use common::work;

/// A host that is small enough for an unoptimised build, and pages.
fn small() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    scenario.guests[0].virtual_mb = 128;
    scenario.guests[0].loop_mb = 96;
    scenario
}

fn ask(job: LiveJob) -> LiveReport {
    let Ok(Answer::Live(report)) = read(&work(&written(&Job::Live(job)), &js_sys::Function::new_no_args(""))) else {
        panic!("the answer is of a live run")
    };
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
fn what_changed_makes_the_samples_of_a_live_run() {
    ask(LiveJob::Create { scenario: Box::new(small()), seed: 1 });
    let filled = ask(LiveJob::Fill { budget_ms: 1e9 });
    assert!(filled.filled);
    let (every_ns, begin_ns) = (1_000_000, filled.at.now_ns);
    let ran = ask(LiveJob::Advance { until_ns: begin_ns + 20 * every_ns, every_ns, budget_ms: 1e9 });
    let mut end = End::default();
    let samples: Vec<_> = ran.samples.iter().map(|sent| end.receive(sent).expect("the one before has come")).collect();
    let instants: Vec<u64> = samples.iter().map(|sample| sample.snapshot.now_ns).collect();
    assert_eq!(instants, (1..=20).map(|number| begin_ns + number * every_ns).collect::<Vec<_>>());
    let mut simulation = zvmlab::Simulation::new(&small(), 1).expect("the host is valid");
    let last = &samples[19].snapshot;
    while simulation.events() < last.events {
        simulation.step();
    }
    simulation.run_until(zvmlab::kernel::time::Instant(last.now_ns));
    assert_eq!(simulation.snapshot(), *last);
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
