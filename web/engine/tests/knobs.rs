//! In node: the laboratory's main knobs change the figures that they should, by the engine as the page's workers call it.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;
use zvmlab::{Figure, Scenario};
use zvmlab_engine::work;
use zvmlab_lab::worker::wire::{Answer, Job, read, written};

const STORBUF: &str = include_str!("../../tests/hosts/storbuf.toml");
const SHARE: &str = include_str!("../../tests/hosts/share.toml");
const ZHPF: &str = include_str!("../../tests/hosts/zhpf.toml");
const MOVE: &str = include_str!("../../tests/hosts/move.toml");

/// A figure of the whole experiment on this host after `turn`.
fn figure(host: &str, turn: fn(&mut Scenario), figure: Figure) -> f64 {
    let mut scenario = Scenario::parse(host).expect("the host is valid");
    turn(&mut scenario);
    let job = Job::Figures { scenario, seed: 1 };
    let Ok(Answer::Figures { measurement, .. }) = read(&work(&written(&job), &js_sys::Function::new_no_args(""))) else {
        panic!("the answer holds figures")
    };
    measurement.get(figure).expect("the figure is known")
}

/// Asserts that a turn multiplies a figure at least by this factor.
fn raises(host: &str, turn: fn(&mut Scenario), of: Figure, times: f64) {
    let (before, after) = (figure(host, |_| {}, of), figure(host, turn, of));
    assert!(after > before * times, "{}: {before} to {after}", of.id());
}

#[wasm_bindgen_test]
fn storbuf_moves_throughput() {
    // Guests that do not fit wait in the eligible list instead of paging each other out.
    let lower = |host: &mut Scenario| {
        (host.scheduler.storbuf_1, host.scheduler.storbuf_2, host.scheduler.storbuf_3) = (140, 125, 110);
    };
    raises(STORBUF, lower, Figure::Etr, 1.3);
}

#[wasm_bindgen_test]
fn alias_shares_move_throughput_from_minidisks_to_paging() {
    let to_paging = |host: &mut Scenario| host.lcu.alias_share = zvmlab::scenario::AliasShare { mdisk: 1, paging: 3 };
    raises(SHARE, to_paging, Figure::Etr, 1.05);
    let (before, after) = (figure(SHARE, |_| {}, Figure::MdiskEtr), figure(SHARE, to_paging, Figure::MdiskEtr));
    assert!(after < before * 0.9, "{before} to {after}");
}

#[wasm_bindgen_test]
fn zhpf_moves_throughput() {
    raises(ZHPF, |host| host.paging.zhpf = true, Figure::Etr, 1.1);
}

#[wasm_bindgen_test]
fn a_further_chpid_moves_quiesce_time() {
    let more = |host: &mut Scenario| host.isfc.chpid2 = zvmlab::scenario::Chpid::Gb8;
    let (before, after) = (figure(MOVE, |_| {}, Figure::QuiesceTime), figure(MOVE, more, Figure::QuiesceTime));
    assert!(after < before * 0.6, "{before} s to {after} s");
}
