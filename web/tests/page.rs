//! In a browser: the page is mounted, shows a result, and follows its knobs and its address. The experiments run in the page
//! itself, because the test has no worker's script beside it; the end-to-end tests have.

#![cfg(target_arch = "wasm32")]

use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Event, HtmlElement, HtmlInputElement};
use yew::platform::time::sleep;
use zvmlab::Scenario;
use zvmlab_web::address::{Experiment, Linked, View, fragment};
use zvmlab_web::app::{App, AppProps};
use zvmlab_web::workers::Place;

wasm_bindgen_test_configure!(run_in_browser);

fn document() -> Document {
    web_sys::window().and_then(|window| window.document()).expect("a page")
}

fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).expect("a selector").and_then(|element| element.dyn_into().ok())
}

/// Waits until `found` finds something.
async fn until<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    for _ in 0..1_000 {
        if let Some(found) = found() {
            return found;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("waited 20 s for {what}");
}

fn etr() -> Option<f64> {
    let idle = find("[data-testid=result][aria-busy=false]").is_some();
    find("[data-testid=figure-etr]").filter(|_| idle)?.get_attribute("data-value")?.parse().ok()
}

/// A host that is small enough for an unoptimised build, and pages.
fn small() -> Scenario {
    let mut scenario = Scenario { name: "small".into(), ..Scenario::default() };
    scenario.storage.central_mb = 512;
    scenario.guests[0].virtual_mb = 128;
    scenario.guests[0].loop_mb = 96;
    scenario
}

#[wasm_bindgen_test]
async fn the_page_shows_a_result_and_follows_knobs_and_address() {
    let linked = Linked {
        now: Experiment { scenario: small(), seed: 7 },
        pinned: None,
        view: View::default(),
        model: "0.1.0".into(),
    };
    let location = web_sys::window().expect("a page").location();
    location.set_hash(&fragment(&linked)).expect("the address takes a fragment");
    let root = document().create_element("div").expect("an element");
    document().body().expect("a body").append_child(&root).expect("the body takes it");
    yew::Renderer::<App>::with_root_and_props(root, AppProps { place: Place::Page }).render();

    let slow = until("the first result", etr).await;
    until("the page to say that it is ready", || find("body[data-ready=true]")).await;
    assert!(find("[role=alert]").is_none(), "the link was good");

    let zhpf: HtmlInputElement = find("#knob-paging-zhpf").expect("a knob").unchecked_into();
    zhpf.click();
    let fast = until("another result", || etr().filter(|&etr| etr != slow)).await;
    assert!(fast > slow, "zHPF took ETR from {slow} to {fast}");
    assert_ne!(location.hash().expect("a fragment"), fragment(&linked), "the address follows");

    let number: HtmlInputElement = find("#knob-paging-volumes-number").expect("a number field").unchecked_into();
    number.set_value("0");
    number.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    let problem = until("the problem at its knob", || {
        find("#knob-paging-volumes-problem").and_then(|problem| problem.text_content()).filter(|text| !text.is_empty())
    });
    assert!(problem.await.contains("1 to 64"));
    assert_eq!(etr(), Some(fast), "the last result stays");

    location.set_hash("#v2/abc").expect("the address takes a fragment");
    let alert = until("the alert", || find("[role=alert]").and_then(|alert| alert.text_content())).await;
    assert!(alert.contains("link"), "{alert}");
}
