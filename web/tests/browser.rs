//! Checks that need a browser: charts draw pixels, and the page appears even without its worker, and says so.
#![cfg(target_arch = "wasm32")]

use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, HtmlCanvasElement, window};
use yew::platform::time::sleep;
use zvmlab_lab::chart::{Chart, Key, Lines, Plot, Point, Quantity, Series, layout};
use zvmlab_web::chart::browser::{draw, text_width};

wasm_bindgen_test_configure!(run_in_browser);

fn document() -> Document {
    window().and_then(|window| window.document()).expect("a browser has a document")
}

fn chart(plot: Plot) -> Chart {
    Chart { id: "test", title: "Test".into(), summary: "A test.".into(), plot, sources: vec![], provenance: String::new() }
}

/// The picture of a chart, as a data URL.
fn picture(chart: &Chart) -> String {
    let canvas = document().create_element("canvas").expect("a canvas can be made");
    let canvas: HtmlCanvasElement = canvas.unchecked_into();
    document().body().expect("a page has a body").append_child(&canvas).expect("a canvas can be shown");
    let scene = layout::scene(chart, 400.0, &text_width);
    draw(&canvas, &scene, &[]);
    let drawn = canvas.to_data_url().expect("our own pixels can be read");
    canvas.remove();
    drawn
}

#[wasm_bindgen_test]
fn a_chart_leaves_pixels_that_depend_on_its_numbers() {
    let line = |top: f64| {
        let points = [(0.0, 1.0), (1.0, top), (2.0, 2.0)].map(|(x, y)| Point { x, y, label: None });
        let series = Series { key: Key::new("ETR", 0), joined: true, points: points.to_vec() };
        chart(Plot::Lines(Lines {
            x: Quantity::new("Time", "s"),
            y: Quantity::new("ETR", "tx/s"),
            series: vec![series],
            x_from_zero: true,
            ..Lines::default()
        }))
    };
    let (low, high) = (picture(&line(2.0)), picture(&line(4.0)));
    assert_ne!(low, high);
    assert_eq!(low, picture(&line(2.0)));
    assert_ne!(low, picture(&chart(Plot::Nothing("nothing yet".into()))));
}

#[wasm_bindgen_test]
fn longer_texts_are_wider() {
    assert!(text_width("pages", 12.0) > 0.0);
    assert!(text_width("pages and pages", 12.0) > 2.0 * text_width("pages", 12.0));
}

/// The test runner's server has no static/worker.js. The page must appear anyway, and say what is missing.
#[wasm_bindgen_test]
async fn a_page_without_its_worker_shows_its_knobs_and_tells() {
    let root = document().create_element("div").expect("an element can be made");
    root.set_id("root");
    document().body().expect("a page has a body").append_child(&root).expect("an element can be shown");
    // The runner's own page has a fragment, which is not a link of ours.
    window().expect("a page").location().set_hash("").expect("the address takes a fragment");
    zvmlab_web::mount();
    let find = |selector: &str| document().query_selector(selector).expect("the selector is one");
    for _ in 0..200 {
        if find("[role=alert]").is_some() {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    let alert = find("[role=alert]").and_then(|alert| alert.text_content()).unwrap_or_default();
    assert!(alert.contains("worker"), "the alert does not name the worker: {alert:?}");
    for knob in ["#knob-paging-zhpf", "#knob-lcu-alias_share", "#knob-scheduler-storbuf_1-number", "#knob-isfc-chpid1"] {
        assert!(find(knob).is_some(), "{knob} is not on the page");
    }
    assert_ne!(document().body().and_then(|body| body.get_attribute("data-ready")).as_deref(), Some("true"));
}
