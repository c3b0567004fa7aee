//! The picture of the machine: it moves by itself, stands still when it is paused, is walked through by keys, and one screen
//! holds it beside knobs and outcome.

use serde_json::Value;

use crate::faults;
use crate::page::{PAGING, Page};

/// Desktop sizes at which the bench is one screen: width and height.
const SCREENS: [(u64, u64); 2] = [(1280, 720), (1920, 1080)];

/// The focused part of the picture.
const FOCUSED: &str = "document.activeElement?.closest('.picture') ? document.activeElement.id : ''";

/// The whole test.
pub async fn all(page: &Page) {
    it_moves_and_stands(page).await;
    keys_walk_along_the_flow(page).await;
    one_can_go_back_in_time(page).await;
    one_screen_holds_the_bench(page).await;
}

/// The picture as pixels.
async fn pixels(page: &Page) -> Vec<u8> {
    page.screenshot_of(".picture").await
}

/// Presses a button of the transport.
async fn press(page: &Page, name: &str) {
    let button = "[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === ";
    page.run(&format!("{button}'{name}').click()")).await;
}

/// Pixels change while it runs, unasked, and not when it is paused.
async fn it_moves_and_stands(page: &Page) {
    page.say("the machine moves");
    page.open(PAGING).await;
    page.until("the machine to run by itself", "return document.querySelector('.live .clock .time') !== null").await;
    page.until("I/Os on their way", "return document.querySelectorAll('.picture .dot').length > 4").await;
    let glows = page.run("return document.querySelectorAll('.picture .limits').length").await.as_u64();
    assert_eq!(glows, Some(4), "the four volumes limit, and so they glow");
    let before = pixels(page).await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    assert_ne!(pixels(page).await, before, "nothing moves");
    press(page, "Pause").await;
    page.until("a pause", "return document.querySelector('.machine .unit').textContent.includes('paused')").await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let before = pixels(page).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(pixels(page).await, before, "a paused machine moves");
    page.assert_no_errors("after the machine moved").await;
}

/// Arrow keys lead from part to part; each has a name and its state in words; Enter opens its room.
async fn keys_walk_along_the_flow(page: &Page) {
    page.say("the machine walked through by keys");
    page.run("document.querySelector('.picture .part[tabindex=\"0\"]').focus()").await;
    assert_eq!(page.run(&format!("return {FOCUSED}")).await, Value::from("machine-guest-0"));
    for (key, wanted) in
        [("\u{e015}", "machine-guest-1"), ("\u{e014}", "machine-processor-"), ("\u{e014}", "machine-frames-0")]
    {
        page.strike(key).await;
        page.until(wanted, &format!("return ({FOCUSED}).startsWith('{wanted}')")).await;
    }
    let label = page.run("return document.activeElement.getAttribute('aria-label')").await;
    let label = label.as_str().unwrap_or_default();
    assert!(label.starts_with("Frames of central storage, 128") && label.contains("valid 9"), "the frames say {label:?}");
    page.strike("\u{e007}").await;
    page.until("the room of storage", "return document.activeElement.id === 'storage'").await;
    let shown = |ids: [&str; 2]| ids.map(|id| format!("(document.querySelector('#{id}') !== null)")).join(" + ':' + ");
    let knobs = shown(["knob-storage-early_writes", "knob-paging-zhpf"]);
    page.until("the knobs of storage alone", &format!("return {knobs} === 'true:false'")).await;
    page.run("document.querySelector('[data-testid=only] button').click()").await;
    page.until("all knobs again", &format!("return {knobs} === 'false:true'")).await;
}

/// Goes to the end of the interval and back to its begin.
async fn one_can_go_back_in_time(page: &Page) {
    page.say("back in time");
    let go = |part: &str| {
        format!(
            "const time = document.querySelector('#time');
             time.value = String(Number(time.max) * {part});
             time.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )
    };
    let there = |part: &str| {
        format!(
            "const shown = Number(document.querySelector('.live .clock .time')?.textContent.replace(' s', ''));
             return Math.abs(shown - Number(document.querySelector('#time').max) * {part}) < 0.01"
        )
    };
    for part in ["1", "0.6"] {
        page.run(&go(part)).await;
        page.until(&format!("the instant at {part} of the experiment"), &there(part)).await;
    }
    page.assert_no_errors("after time went back").await;
}

/// Keys move the bar between machine and room, and fold the knobs; both come back.
async fn bars_resize_panes(page: &Page) {
    let high = "document.querySelector('.bench > .machine').getBoundingClientRect().height";
    // A window that is not the active one tells of no focus, and the bar was last measured at another size.
    let key = "document.querySelector('.machine-splitter').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))";
    page.run(&format!("window.high = {high}; {key}")).await;
    page.until("a higher machine, without the focus", &format!("return {high} > window.high + 5")).await;
    page.run(&format!("window.high = {high}; document.querySelector('.machine-splitter').focus()")).await;
    page.until("the focus on the bar", "return document.activeElement.matches('.machine-splitter')").await;
    page.strike("\u{e015}").await;
    page.until("a higher machine", &format!("return {high} > window.high + 5")).await;
    page.strike("\u{e013}").await;
    page.until("the machine as it was", &format!("return {high} < window.high + 12")).await;
    page.run("document.querySelector('.knobs-splitter').focus()").await;
    for (shown, what) in [("0", "folded knobs"), ("1", "the knobs again")] {
        page.strike("\u{e007}").await;
        page.until(what, &format!("return (document.querySelector('#knobs').offsetWidth > 0) === ({shown} === 1)")).await;
    }
    page.run("localStorage.removeItem('zvmlab.pane.machine')").await;
}

/// At a desktop's size the bench does not scroll as a whole: picture, main figure and next step are above the fold.
async fn one_screen_holds_the_bench(page: &Page) {
    page.say("one screen");
    for (width, height) in SCREENS {
        page.resize(width, height).await;
        page.run("scrollTo(0, 0)").await;
        let seen = format!(
            "return (() => {{ {} }})().length === 0 && document.documentElement.scrollWidth <= innerWidth &&
               document.querySelector('[data-testid=next-step]') !== null",
            faults::OFF_SCREEN
        );
        page.until(&format!("the bench on one screen of {width} by {height}"), &seen).await;
        let rooms = page
            .run("return [...document.querySelectorAll('.rooms > .room')].filter((room) => room.offsetHeight > 0).length")
            .await;
        assert_eq!(rooms, Value::from(1), "one room at a time at {width} by {height}");
        page.run("document.activeElement.blur()").await;
        page.run("[...document.querySelectorAll('.rooms-nav button')].find((tab) => tab.textContent === 'Paging').click()")
            .await;
        let whole = "const pane = document.querySelector('.rooms').getBoundingClientRect();
             const charts = [...document.querySelectorAll('.room.open .chart')].map((chart) => chart.getBoundingClientRect());
             return scrollY === 0 && charts.filter((one) => one.top >= pane.top && one.bottom <= pane.bottom + 1).length >= 3";
        page.until(&format!("a whole row of charts at {width} by {height}"), whole).await;
        page.until("the focus on the room", "return document.activeElement.id === 'paging'").await;
    }
    bars_resize_panes(page).await;
    page.resize(1200, 900).await;
}
