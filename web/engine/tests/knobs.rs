//! In node: the laboratory's main knobs change the figures that they should, by the engine as the page's workers call it.

#![cfg(target_arch = "wasm32")]

mod common;

use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::scenario::AliasShare;
use zvmlab::scenario::examples::example;
use zvmlab::{Figure, Scenario};
use zvmlab_lab::worker::wire::{Answer, Job, read, written};

use common::work;

/// The outcomes of the whole machine after some turns: the throughput of its servers, how long the guest that moves is stopped, in
/// s, and the throughput of its backup.
fn outcomes(turns: &[fn(&mut Scenario)]) -> [f64; 3] {
    let mut scenario = Scenario::parse(example("WHOLE").expect("it is an example").text).expect("it is valid");
    turns.iter().for_each(|turn| turn(&mut scenario));
    let job = Job::Figures { scenario, seed: 1 };
    let Ok(Answer::Figures { measurement, .. }) = read(&work(&written(&job), &js_sys::Function::new_no_args(""))) else {
        panic!("the answer holds figures")
    };
    [Figure::Etr, Figure::QuiesceTime, Figure::MdiskEtr].map(|figure| measurement.get(figure).expect("the figure is known"))
}

fn zhpf(host: &mut Scenario) {
    host.paging.zhpf = true;
}

fn share(host: &mut Scenario) {
    host.lcu.alias_share = AliasShare { mdisk: 1, paging: 15 };
}

fn storbuf(host: &mut Scenario) {
    (host.scheduler.storbuf_1, host.scheduler.storbuf_2, host.scheduler.storbuf_3) = (150, 140, 130);
}

fn chpid(host: &mut Scenario) {
    host.isfc.chpid2 = host.isfc.chpid1;
}

#[wasm_bindgen_test]
fn each_of_four_controls_moves_throughput_or_quiesce_time() {
    let [etr, stop, backup] = outcomes(&[]);
    for (turn, times) in [(zhpf as fn(&mut Scenario), 1.5), (share, 1.3), (storbuf, 2.0)] {
        let [after, ..] = outcomes(&[turn]);
        assert!(after > etr * times, "{etr} to {after} transactions a second");
    }
    // Guests that wait in the eligible list leave the volumes to the relocation too.
    for (turn, most) in [(storbuf as fn(&mut Scenario), 0.8), (chpid, 0.6)] {
        let [_, after, _] = outcomes(&[turn]);
        assert!(after < stop * most, "{stop} s to {after} s");
    }
    // What the share gives to paging, it takes from minidisk I/O.
    let [.., after] = outcomes(&[share]);
    assert!(after < backup * 0.9, "{backup} to {after} transactions a second of the backup");
}
