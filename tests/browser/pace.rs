//! Measures how soon the page shows its figures, and how evenly its picture moves. `./run bench page` prints the table.

use std::time::Duration;

use serde_json::Value;
use xtask::engines::Engine;
use xtask::pace::{Paced, RESULTS};
use zvmlab_lab::address::{Experiment, Linked, MODEL, View, fragment};
use zvmlab_lab::published::ready::scenario_of;
use zvmlab_lab::subjects::SUBJECTS;

use crate::driver::{Browser, Scheme};
use crate::page::Page;

/// How often each subject is opened. The table has the medians.
const ROUNDS: usize = 3;

/// How many replications the reader asks for: the settled figure is that of all of them.
const REPLICATIONS: u32 = 5;

/// The seed of the first replication.
const SEED: u64 = 1;

/// The hosts whose picture moves: the published paging host, twenty-five relocations, thirty-two guests.
const MOVING: [(&str, &str); 3] = [("V4DVY000", "paging"), ("TWENTY-FIVE", "25 relocations"), ("STORBUF", "32 guests")];

/// The part of the experiment from which on a picture moves: after the fill of each of these hosts.
const PART: &str = "0.5";

/// How long the frames of a moving picture are timed, in milliseconds.
const WATCHED_MS: f64 = 5_000.0;

/// Notes the time of the first figure, and the time from which on nothing is to come. It looks whenever the page has changed.
const STOPWATCH: &str = "
    const noted = window.zvmlabNoted = {};
    const look = () => {
      const figure = document.querySelector('[data-testid^=figure-][data-value], [data-testid^=early-]');
      if (!figure) return;
      noted.first ??= performance.now();
      const result = document.querySelector('[data-testid=result]');
      const isDue = result.getAttribute('aria-busy') === 'true' || result.querySelector('.progress').textContent.endsWith('…');
      if (isDue) delete noted.settled;
      else noted.settled ??= performance.now();
    };
    const watch = new MutationObserver(look);
    noted.stop = () => watch.disconnect();
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });";

/// Turns the first knob by a step, and tells after how many milliseconds the first figure of the new run was there, and how long the
/// longest task of the page took until the run had settled; zero if none took 50 ms.
const TURN: &str = "
    const done = arguments[arguments.length - 1];
    const knob = [...document.querySelectorAll('.knobs input[type=range]')].find((one) => one.offsetParent && !one.disabled);
    if (!knob) return done('no knob to turn');
    const result = document.querySelector('[data-testid=result]'), before = result.textContent;
    const noted = { longest: 0 };
    const tasks = new PerformanceObserver((list) => {
      for (const task of list.getEntries()) noted.longest = Math.max(noted.longest, task.duration);
    });
    tasks.observe({ type: 'longtask' });
    const look = () => {
      const isBusy = result.getAttribute('aria-busy') === 'true';
      // A run may be over before the page has drawn that it is under way.
      noted.ran ||= isBusy || result.textContent !== before;
      if (!noted.ran) return;
      if (!isBusy || document.querySelector('[data-testid^=early-]')) noted.first ??= performance.now() - noted.begin;
      if (isBusy) return;
      watch.disconnect();
      setTimeout(() => { tasks.disconnect(); done([noted.first, noted.longest]); }, 500);
    };
    const watch = new MutationObserver(look);
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const [value, step] = [Number(knob.value), Number(knob.step)];
    knob.value = String(value + step <= Number(knob.max) ? value + step : value - step);
    noted.begin = performance.now();
    for (const told of ['input', 'change']) knob.dispatchEvent(new Event(told, { bubbles: true }));";

/// Opens every subject on each page in turn, then lets pictures move. Each page has a name, and its place on the site at `base`.
pub async fn measure(base: &str, pages: &[(&str, &str)]) {
    let browser = Browser::start(Engine::Chromium, Scheme::Light).await;
    browser.run_first(STOPWATCH).await;
    let page = browser.page(base);
    page.resize(1280, 720).await;
    let mut results = Vec::new();
    for subject in SUBJECTS {
        let link = link(subject.setups[0].id);
        for _ in 0..ROUNDS {
            for (name, place) in pages {
                let [first, settled] = figures(&page, &format!("{base}{place}{link}")).await;
                results.push(result(name, format!("{}: first figure", subject.title), "ms", first));
                results.push(result(name, format!("{}: settled figure", subject.title), "ms", settled));
                let [first, longest] = turned(&page, subject.title).await;
                results.push(result(name, format!("{}: first figure after a turn", subject.title), "ms", first));
                results.push(result(name, format!("{}: longest task after a turn", subject.title), "ms", longest));
            }
        }
        page.say(&format!("{}, {ROUNDS} times", subject.title));
        keep(&results);
    }
    for (run, words) in MOVING {
        for _ in 0..ROUNDS {
            for (name, place) in pages {
                let frames = frames(&page, &format!("{base}{place}?run={run}")).await;
                for (what, unit, value) in told(&frames) {
                    results.push(result(name, format!("{run}, {words}: {what}"), unit, value));
                }
            }
        }
        page.say(&format!("the picture of {run}, {ROUNDS} times"));
        keep(&results);
    }
    browser.close().await;
}

/// Writes the results so far: what comes later may fail.
fn keep(results: &[Paced]) {
    let file = zvmlab_tests::root().join(RESULTS);
    let lines: String = results.iter().map(Paced::line).collect();
    std::fs::write(&file, lines).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

fn result(page: &str, name: String, unit: &str, value: f64) -> Paced {
    Paced { page: page.into(), name, unit: unit.into(), value }
}

/// The fragment that opens a host and asks for replications.
fn link(run: &str) -> String {
    let scenario = scenario_of(run).unwrap_or_else(|| panic!("there is no host {run}"));
    let view = View { run: Some(run.into()), replications: REPLICATIONS, ..View::default() };
    fragment(&Linked { now: Experiment { scenario, seed: SEED }, pinned: None, view, model: MODEL.into() })
}

/// Milliseconds from the navigation to the first figure, and to that of all replications.
async fn figures(page: &Page, address: &str) -> [f64; 2] {
    page.load(address).await;
    let settled = "const settled = window.zvmlabNoted?.settled;
         return settled !== undefined && performance.now() > settled + 1000";
    page.until("the settled figure", settled).await;
    let noted = page.run("zvmlabNoted.stop(); return [zvmlabNoted.first, zvmlabNoted.settled]").await;
    [0, 1].map(|at| noted[at].as_f64().unwrap_or_else(|| panic!("a time was not noted: {noted}")))
}

/// What [`TURN`] tells of the page as it is.
async fn turned(page: &Page, subject: &str) -> [f64; 2] {
    let noted = page.run_async(TURN).await;
    [0, 1].map(|at| noted[at].as_f64().unwrap_or_else(|| panic!("{subject}: a knob was to be turned: {noted}")))
}

/// The times of the frames of a picture that moves, in milliseconds; none if the page has no such picture.
async fn frames(page: &Page, address: &str) -> Vec<f64> {
    page.load(address).await;
    page.until("the first settled result", "return document.body?.dataset.ready === 'true'").await;
    page.at_rest().await;
    let has_picture = "return document.querySelector('.picture') !== null && document.querySelector('#time') !== null";
    page.run("zvmlabNoted.stop()").await;
    if page.run(has_picture).await != Value::Bool(true) {
        return Vec::new();
    }
    page.stand_at(PART).await;
    page.run("[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === 'Run').click()").await;
    let runs = "return !document.querySelector('.machine .unit').textContent.includes('paused')";
    page.until("the picture to move", runs).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let watch = format!(
        "const done = arguments[arguments.length - 1], times = [];
         const next = (now) => {{
           times.push(now);
           if (now - times[0] < {WATCHED_MS}) requestAnimationFrame(next);
           else done(times);
         }};
         requestAnimationFrame(next)"
    );
    let times = page.run_async(&watch).await;
    assert_eq!(page.run(runs).await, Value::Bool(true), "{address}: the picture stood still");
    let times: Option<Vec<f64>> = times.as_array().and_then(|all| all.iter().map(Value::as_f64).collect());
    times.unwrap_or_else(|| panic!("{address}: the times of frames are numbers"))
}

/// What the times of frames tell.
fn told(times: &[f64]) -> Vec<(&'static str, &'static str, f64)> {
    let mut spans: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spans.sort_by(f64::total_cmp);
    let (Some(first), Some(last), count) = (times.first(), times.last(), spans.len() as f64) else { return Vec::new() };
    let within = spans[(spans.len() * 95 / 100).min(spans.len() - 1)];
    vec![
        ("mean frame", "ms", (last - first) / count),
        ("95 % of frames within", "ms", within),
        ("frames", "/s", 1e3 * count / (last - first)),
    ]
}
