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
    for _ in 0..1_500 {
        if let Some(found) = found() {
            return found;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("waited 30 s for {what}");
}

/// A figure of the result, once no experiment is running.
fn shown(figure: Figure) -> Option<f64> {
    let idle = find("[data-testid=result][aria-busy=false]").is_some();
    find(&format!("[data-testid=figure-{}]", figure.id())).filter(|_| idle)?.get_attribute("data-value")?.parse().ok()
}

/// Opens a host by its link; returns the value of `figure` there.
async fn open(host: &str, figure: Figure) -> f64 {
    let scenario = Scenario::parse(host).expect("the host is valid");
    let name = scenario.name.clone();
    let linked = Linked {
        now: Experiment { scenario, seed: 1 },
        pinned: None,
        view: View { more: true, ..View::default() },
        model: "0.1.0".into(),
    };
    let location = web_sys::window().expect("a page").location();
    location.set_hash(&fragment(&linked)).expect("the address takes a fragment");
    let here = || {
        let named: HtmlInputElement = find("#knob-name")?.unchecked_into();
        shown(figure).filter(|_| named.value() == name)
    };
    until("the host's result", here).await
}

fn give(selector: &str, value: &str) {
    let input: HtmlInputElement = find(selector).expect("a field").unchecked_into();
    input.set_value(value);
    input.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
}

#[wasm_bindgen_test]
async fn the_knobs_move_throughput_and_quiesce_time() {
    let root = document().create_element("div").expect("an element");
    document().body().expect("a body").append_child(&root).expect("the body takes it");
    web_sys::window().expect("a page").location().set_hash("").expect("the address takes a fragment");
    yew::Renderer::<App>::with_root_and_props(root, AppProps { place: Place::Page(work) }).render();

    let before = open(include_str!("hosts/zhpf.toml"), Figure::Etr).await;
    find("#knob-paging-zhpf").expect("zHPF").click();
    until("more throughput by zHPF", || shown(Figure::Etr).filter(|now| *now > before * 1.1)).await;

    let before = open(include_str!("hosts/share.toml"), Figure::Etr).await;
    give("#knob-lcu-alias_share-text", "1:3");
    until("more paging by its share of the aliases", || shown(Figure::Etr).filter(|now| *now > before * 1.05)).await;

    let before = open(include_str!("hosts/storbuf.toml"), Figure::Etr).await;
    for (knob, percent) in [("1", "140"), ("2", "125"), ("3", "110")] {
        give(&format!("#knob-scheduler-storbuf_{knob}-number"), percent);
    }
    until("more throughput by STORBUF", || shown(Figure::Etr).filter(|now| *now > before * 1.3)).await;

    let before = open(include_str!("hosts/move.toml"), Figure::QuiesceTime).await;
    let chpid: HtmlSelectElement = find("#knob-isfc-chpid2").expect("the second chpid").unchecked_into();
    chpid.set_value("8 Gb");
    chpid.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    until("a shorter stop by a chpid", || shown(Figure::QuiesceTime).filter(|now| *now < before * 0.6)).await;
}
