//! In a browser: the page appears, shows a result, and follows its knobs and its address. The experiments run in the page
//! itself, because this test has no worker's script; the end-to-end tests have one.

#![cfg(target_arch = "wasm32")]

use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, InputEvent};
use yew::platform::time::sleep;
use zvmlab::Scenario;
use zvmlab_lab::address::{Experiment, Linked, View, fragment};
use zvmlab_web::app::{App, AppProps};
use zvmlab_web::workers::Place;

/// The engine in the page itself.
fn work(job: &[u8]) -> Vec<u8> {
    zvmlab_lab::worker::work(job, &js_sys::Date::now, &mut |_| {})
}

wasm_bindgen_test_configure!(run_in_browser);

fn document() -> Document {
    web_sys::window().and_then(|window| window.document()).expect("a page")
}

fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).expect("a selector").and_then(|element| element.dyn_into().ok())
}

/// Waits until `found` returns a value.
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
    yew::Renderer::<App>::with_root_and_props(root, AppProps { place: Place::Page(work) }).render();

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

    location.set_hash("#v3/abc").expect("the address takes a fragment");
    let alert = until("the alert", || find("[role=alert]").and_then(|alert| alert.text_content())).await;
    assert!(alert.contains("link"), "{alert}");

    set_cu_is_opened_from_its_link_and_dragged().await;
    a_feature_that_the_level_has_not_is_turned_off().await;
}

/// The figure with this id, once no experiment is running.
fn figure(id: &str) -> Option<f64> {
    let idle = find("[data-testid=result][aria-busy=false]").is_some();
    find(&format!("[data-testid=figure-{id}]")).filter(|_| idle)?.get_attribute("data-value")?.parse().ok()
}

/// The share goes from equal to nearly all for paging; held aliases and throughput follow.
async fn set_cu_is_opened_from_its_link_and_dragged() {
    let links = document().query_selector_all(".subjects a").expect("a selector");
    let link =
        (0..links.length()).filter_map(|index| links.item(index)).find(|link| link.text_content() == Some("SET CU".into()));
    link.expect("a link").unchecked_into::<HtmlElement>().click();
    let both = || Some((figure("mdisk_etr")?, figure("etr")?, figure("mdisk_aliases")?));
    let (mdisk, paging, held) = until("the hybrid host", both).await;
    assert!((held - 8.0).abs() < 0.5, "of 16 aliases in equal shares MDISK holds {held}");
    let slider: HtmlInputElement = find("#knob-lcu-alias_share").expect("the share").unchecked_into();
    assert_eq!((slider.value().as_str(), slider.min().as_str(), slider.max().as_str()), ("8", "1", "15"));
    slider.set_value("14");
    slider.dispatch_event(&InputEvent::new("input").expect("an event")).expect("it is heard");
    slider.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    let after = until("both to answer", || both().filter(|(_, _, now)| *now < held - 2.0)).await;
    assert!(after.0 < mdisk && after.1 > paging, "MDISK {mdisk} to {}, paging {paging} to {}", after.0, after.1);
    assert_eq!(slider.get_attribute("aria-valuetext").as_deref(), Some("2 to 14, MDISK to PAGING"));
    let text: HtmlInputElement = find("#knob-lcu-alias_share-text").expect("the share as a text").unchecked_into();
    assert_eq!(text.value(), "2:14");
    text.set_value("100:50");
    text.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    until("the written share", || both().filter(|(_, _, held)| (held - 10.5).abs() < 0.8)).await;
}

/// zHPF is switched on, then the level goes back: the problem is shown at its knob, and one button at the level resolves it. That
/// paging uses aliases nobody chose: the level takes it away.
async fn a_feature_that_the_level_has_not_is_turned_off() {
    if find("#knob-paging-zhpf:checked").is_none() {
        find("#knob-paging-zhpf").expect("a knob").click();
    }
    until("zHPF", || find("#knob-paging-zhpf:checked")).await;
    let level: HtmlSelectElement = find("#knob-level").expect("the level").unchecked_into();
    level.set_value("6.3");
    level.dispatch_event(&Event::new("change").expect("an event")).expect("it is heard");
    let problems =
        || find(".knob.wrong .remedy").map(|_| document().query_selector_all(".knob.wrong").expect("a selector").length());
    assert_eq!(until("the problems", problems).await, 1, "zHPF");
    let aliases: HtmlInputElement = find("#knob-paging-alias").expect("a knob").unchecked_into();
    assert!(!aliases.checked() && aliases.disabled(), "the level has no aliases for paging");
    // It is at the level, and turns off everything that was chosen and the level lacks.
    find(".remedy").expect("a way out").click();
    until("no problem", || find(".knob.wrong").is_none().then_some(())).await;
    let zhpf: HtmlInputElement = find("#knob-paging-zhpf").expect("a knob").unchecked_into();
    assert!(!zhpf.checked() && zhpf.disabled(), "it is off, and the level has none");
}
