//! In a browser: a reader turns the laboratory's main knobs, and the page shows the effect. The experiments run in the page
//! itself, because this test has no worker's script; the end-to-end tests have one.

#![cfg(target_arch = "wasm32")]

use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Event, HtmlElement, HtmlInputElement, HtmlSelectElement};
use yew::platform::time::sleep;
use zvmlab::{Figure, Scenario};
use zvmlab_lab::address::{Experiment, Linked, View, fragment};
use zvmlab_web::app::{App, AppProps};
use zvmlab_web::workers::Place;

wasm_bindgen_test_configure!(run_in_browser);

/// The engine in the page itself.
fn work(job: &[u8]) -> Vec<u8> {
    zvmlab_lab::worker::work(job, &js_sys::Date::now, &mut |_| {})
}

fn document() -> Document {
    web_sys::window().and_then(|window| window.document()).expect("a page")
}

fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).expect("a selector").and_then(|element| element.dyn_into().ok())
}

/// Waits until `found` returns a value.
async fn until<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    for _ in 0..6_000 {
        if let Some(found) = found() {
            return found;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("waited two minutes for {what}");
}

/// A figure of the result, once no experiment is running.
fn shown(figure: Figure) -> Option<f64> {
    let idle = find("[data-testid=result][aria-busy=false]").is_some();
    find(&format!("[data-testid=figure-{}]", figure.id())).filter(|_| idle)?.get_attribute("data-value")?.parse().ok()
}

fn give(selector: &str, value: &str) {
    let input: HtmlInputElement = find(selector).expect("a field").unchecked_into();
    input.set_value(value);
    input.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
}

/// Both outcomes of the host: the throughput of its servers, and how long the guest that moves is stopped, in s.
fn outcomes() -> Option<[f64; 2]> {
    Some([shown(Figure::Etr)?, shown(Figure::QuiesceTime)?])
}

/// The whole machine, measured for a third of the time: everything here runs in the page's only thread.
fn whole_machine() -> Scenario {
    let mut scenario = zvmlab_lab::published::ready::scenario_of("WHOLE").expect("it is an example");
    (scenario.measure.warmup_s, scenario.measure.interval_s) = (5, 10);
    scenario
}

/// Each of the four controls of the whole machine moves throughput or quiesce time.
#[wasm_bindgen_test]
async fn the_four_controls_of_the_whole_machine_move_throughput_and_quiesce_time() {
    let root = document().create_element("div").expect("an element");
    document().body().expect("a body").append_child(&root).expect("the body takes it");
    let now = Experiment { scenario: whole_machine(), seed: 1 };
    let linked = Linked { now, pinned: None, view: View::default(), model: "0.1.0".into() };
    let location = web_sys::window().expect("a page").location();
    location.set_hash(&fragment(&linked)).expect("the address takes a fragment");
    yew::Renderer::<App>::with_root_and_props(root, AppProps { place: Place::Page(work) }).render();
    let [etr, stop] = until("the first result", outcomes).await;
    assert!(etr > 0.0 && stop > 0.5, "{etr} transactions a second, stopped for {stop} s");

    find("#knob-paging-zhpf").expect("zHPF").click();
    let more = |etr: f64, times: f64| move || outcomes().filter(|now| now[0] > etr * times);
    let [etr, same] = until("more throughput by zHPF", more(etr, 1.5)).await;
    assert!((same / stop - 1.0).abs() < 0.1, "zHPF for paging is not for the link: {stop} s to {same} s");

    give("#knob-lcu-alias_share-text", "1:15");
    let [etr, stop] = until("more throughput by the share of the aliases", more(etr, 1.5)).await;

    for (knob, percent) in [("3", "130"), ("2", "140"), ("1", "150")] {
        give(&format!("#knob-scheduler-storbuf_{knob}-number"), percent);
    }
    until("more throughput by STORBUF", more(etr, 1.05)).await;

    let chpid: HtmlSelectElement = find("#knob-isfc-chpid2").expect("the second chpid").unchecked_into();
    chpid.set_value("1 Gb");
    chpid.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    until("a shorter stop by a chpid", || outcomes().filter(|now| now[1] < stop * 0.6)).await;
}
