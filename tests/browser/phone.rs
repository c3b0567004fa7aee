//! The page on a phone of 390 by 844 pixels: the machine over the first screen, the outcome and the knobs as sheets, one room and
//! in it one chart at a time. In a frame, because browsers' windows do not get that narrow.

use serde_json::{Value, json};

use crate::page::Page;
use crate::{OWN, barriers, faults};

/// The width of the phone.
const WIDTH: u64 = 390;

/// The key Escape.
const ESCAPE: &str = "\u{e00c}";

/// The whole test.
pub async fn all(page: &Page) {
    open(page).await;
    the_machine_fills_the_first_screen(page).await;
    what_a_finger_touches_is_large(page, "at its beginning").await;
    the_strip_opens_the_outcome(page).await;
    the_knobs_come_from_below(page).await;
    one_room_and_one_chart_at_a_time(page).await;
    page.say("a phone, each chart");
    barriers::go_down(page).await;
    barriers::assert_fits_in(page, WIDTH, "after each chart").await;
    a_row_that_fills_up_begins_at_its_first_chart(page).await;
    page.assert_no_errors("on a phone").await;
}

/// The same sheets in the other colours, for a reader who asks for less motion.
pub async fn in_dark(page: &Page) {
    open(page).await;
    press(page, "#knobs-bar").await;
    page.until("the knobs", &is_open("#knobs-bar", "#knobs")).await;
    let moves = page
        .run(
            "return [getComputedStyle(document.querySelector('#knobs')).animationName,
               getComputedStyle(document.querySelector('.rooms .charts')).scrollBehavior]",
        )
        .await;
    assert_eq!(moves, json!(["none", "auto"]), "the sheet and the row move although less motion is asked for");
    barriers::assert_none(page, "with the knobs of a phone open, in dark").await;
    page.assert_no_errors("on a phone, in dark").await;
}

async fn open(page: &Page) {
    page.say("a phone");
    page.open_other(&format!("{OWN}phone.html")).await;
    page.enter_frame().await;
    page.until("the page on a phone", "return document.body?.dataset.ready === 'true'").await;
}

/// Presses a button, and gives it the focus as a browser does.
async fn press(page: &Page, selector: &str) {
    page.run(&format!("const one = document.querySelector('{selector}'); one.focus(); one.click()")).await;
}

/// A script: whether a button says that its sheet is open, the sheet is shown, and the focus is in it.
fn is_open(button: &str, sheet: &str) -> String {
    format!(
        "const sheet = document.querySelector('{sheet}');
         return document.querySelector('{button}').ariaExpanded === 'true' && sheet.offsetHeight > 0 &&
           sheet.contains(document.activeElement)"
    )
}

/// A script: whether the sheet is closed, and the focus is back at its button.
fn is_closed(button: &str, sheet: &str) -> String {
    format!(
        "const button = document.querySelector('{button}');
         return button.ariaExpanded === 'false' && document.querySelector('{sheet}').offsetHeight === 0 &&
           document.activeElement === button"
    )
}

/// Header in one line, strip, picture, transport, knobs and next step are in sight without scrolling, and none covers another.
async fn the_machine_fills_the_first_screen(page: &Page) {
    barriers::assert_fits_in(page, WIDTH, "at its beginning").await;
    page.run("scrollTo(0, 0)").await;
    let below_each_other = format!("return (() => {{ {} }})().length === 0", faults::OFF_PHONE);
    page.until("the machine on the first screen", &below_each_other).await;
    let links = page.run("return document.querySelector('.to-room').offsetHeight").await;
    assert_eq!(links, Value::from(0), "the links to rooms are still in the header");
    assert_eq!(page.text("[data-testid=dock-step]").await, "Add 4 HyperPAV aliases");
    let bar = page.text("#knobs-bar").await;
    assert!(bar.starts_with("Knobs: aliases 0 · zHPF off"), "the bar says {bar:?}");
    let strip = page.text(".strip").await;
    assert!(strip.contains("ETR") && strip.contains("page volumes"), "the strip says {strip:?}");
}

/// Each control that is in sight is at least 44 pixels high, and buttons are as wide.
async fn what_a_finger_touches_is_large(page: &Page, when: &str) {
    let small = faults::too_small_for_a_finger(page).await;
    assert!(small.is_empty(), "{}: {when}: {small:#?}", page.engine().name());
}

/// The strip opens the outcome, and Escape closes it.
async fn the_strip_opens_the_outcome(page: &Page) {
    page.say("a phone, its outcome");
    press(page, "#strip").await;
    page.until("the outcome", &is_open("#strip", "#outcome")).await;
    let seen = page
        .run("return ['.result .headline', '[data-testid=limits]', '.published'].every((one) => document.querySelector(one).offsetHeight > 0)")
        .await;
    assert_eq!(seen, Value::Bool(true), "result, what limits and IBM are in the outcome");
    barriers::assert_none(page, "with the outcome of a phone open").await;
    barriers::assert_fits_in(page, WIDTH, "with its outcome open").await;
    page.strike(ESCAPE).await;
    page.until("the outcome to close", &is_closed("#strip", "#outcome")).await;
}

/// The sheet of knobs leaves the machine in sight, and closes by Escape, by its button and by a swipe down. What is turned in it
/// shows in the bar and in the strip.
async fn the_knobs_come_from_below(page: &Page) {
    page.say("a phone, its knobs");
    let (opened, closed) = (is_open("#knobs-bar", "#knobs"), is_closed("#knobs-bar", "#knobs"));
    press(page, "#knobs-bar").await;
    page.until("the knobs", &opened).await;
    let low = "return document.querySelector('#knobs').getBoundingClientRect().top >= 0.45 * innerHeight - 1";
    page.until("the knobs in the lower part of the screen", low).await;
    let follows = "const [setup, knob] = ['#knobs .setup', '#knob-paging-zhpf'].map((one) => document.querySelector(one));
         return (setup.compareDocumentPosition(knob) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 &&
             setup.getBoundingClientRect().top > knob.getBoundingClientRect().top";
    assert_eq!(
        page.run(follows).await,
        Value::Bool(true),
        "the setup stands behind the knobs, for the eye and for the keyboard"
    );
    what_a_finger_touches_is_large(page, "in the knobs").await;
    barriers::assert_none(page, "with the knobs of a phone open").await;
    barriers::assert_fits_in(page, WIDTH, "with its knobs open").await;
    page.run("document.querySelector('#knob-paging-zhpf').click()").await;
    page.until("the bar to say it", "return document.querySelector('#knobs-bar').textContent.includes('zHPF on')").await;
    page.until(
        "the strip to say what it does",
        "return /\\+[0-9.]+[ \\u00a0]%/.test(document.querySelector('.strip').textContent)",
    )
    .await;
    page.strike(ESCAPE).await;
    page.until("the knobs to close by Escape", &closed).await;
    press(page, "#knobs-bar").await;
    page.until("the knobs again", &opened).await;
    press(page, "#knobs-head").await;
    page.until("the knobs to close by their button", &closed).await;
    press(page, "#knobs-bar").await;
    page.until("the knobs once more", &opened).await;
    let swipe = |to: u64| {
        format!(
            "const head = document.querySelector('#knobs-head');
             for (const [type, clientY] of [['pointerdown', 500], ['pointerup', {to}]])
               head.dispatchEvent(new PointerEvent(type, {{ clientY, pointerType: 'touch', bubbles: true }}))"
        )
    };
    page.run(&swipe(510)).await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(page.run(&opened).await, Value::Bool(true), "a tremble closes the knobs");
    page.run(&swipe(600)).await;
    page.until("the knobs to close by a swipe", &closed).await;
}

/// The first chart of this host comes in after others.
async fn a_row_that_fills_up_begins_at_its_first_chart(page: &Page) {
    page.say("a phone, a row that fills up");
    page.run("location.search = '?run=BELOW-2GB'").await;
    let filled = "return location.search.includes('BELOW') && document.body?.dataset.ready === 'true' &&
         document.querySelectorAll('.room.open .charts > *').length > 3";
    page.until("the charts of another host", filled).await;
    page.at_rest().await;
    let first = "return document.querySelector('.room.open .charts').scrollLeft < 2 &&
         document.querySelector('.room.open .swiper [role=status]').textContent.startsWith('Chart 1 of ')";
    page.until("its first chart", first).await;
}

/// The tabs show one room, the buttons of a row one chart.
async fn one_room_and_one_chart_at_a_time(page: &Page) {
    page.say("a phone, its rooms");
    let rooms = "return [...document.querySelectorAll('.rooms > .room')].filter((room) => room.offsetHeight > 0).map((room) => room.id).join()";
    assert_eq!(page.run(rooms).await, Value::from("overview-room"));
    page.run("[...document.querySelectorAll('.rooms-nav > button')].find((tab) => tab.textContent === 'Paging').click()")
        .await;
    page.until("the room of paging", &format!("{rooms} === 'paging-room'")).await;
    page.run("[...document.querySelectorAll('.rooms-nav > button')].at(-1).click()").await;
    let in_sight = "const { left, right } = document.querySelector('.rooms-nav > [aria-current]').getBoundingClientRect();
         return document.querySelector('.rooms-nav > button:last-of-type').ariaCurrent === 'true' && left >= 0 && right <= innerWidth + 1";
    page.until("the tab of the last room in sight", in_sight).await;
    page.run("[...document.querySelectorAll('.rooms-nav > button')].find((tab) => tab.textContent === 'Paging').click()")
        .await;
    page.until("the room of paging again", &format!("{rooms} === 'paging-room'")).await;
    let shown = |which: u64| {
        format!(
            "const room = document.querySelector('.room.open'), row = room.querySelector('.charts');
             const frame = row.getBoundingClientRect();
             const inside = [...row.children].map((chart) => chart.getBoundingClientRect())
               .map(({{ left, right }}) => left > frame.left - 2 && right < frame.right + 2);
             return inside.filter(Boolean).length === 1 && inside[{}] &&
               room.querySelector('.swiper [role=status]').textContent.startsWith('Chart {which} of ')",
            which - 1
        )
    };
    page.until("the first chart alone", &shown(1)).await;
    for which in [2, 3] {
        page.run("document.querySelector('.room.open .swiper button:last-child').click()").await;
        page.until(&format!("chart {which} alone"), &shown(which)).await;
    }
    page.run("document.querySelector('.room.open .swiper button:first-child').click()").await;
    page.until("the chart before", &shown(2)).await;
    // As a finger does it.
    page.run("const row = document.querySelector('.room.open .charts'); row.scrollTo({ left: 0, behavior: 'instant' })")
        .await;
    page.until("the first chart again", &shown(1)).await;
}
