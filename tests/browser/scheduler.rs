//! STORBUF: the reader moves one number, and a guest waits, with the reason in words. Keys follow guests while the lists
//! change.

use std::time::Duration;

use serde_json::{Value, json};
use zvmlab::scenario::examples::EXAMPLES;
use zvmlab::{Scenario, experiment};

use crate::page::{CONSTRAINED, Page};
use crate::subjects::value_of;
use crate::{EMBEDDERS, barriers};

/// The number fields of SET SRM STORBUF.
const NUMBERS: [&str; 3] =
    ["#knob-scheduler-storbuf_1-number", "#knob-scheduler-storbuf_2-number", "#knob-scheduler-storbuf_3-number"];

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";

/// The example runs for many simulated seconds; the test needs only this many moves of chips. Chosen: several guests change
/// lists.
const MOVES_WANTED: u32 = 8;

/// What moves, and what leads there.
pub async fn all(page: &Page) {
    let number = one_number_makes_somebody_wait(page).await;
    let guest = a_guest_is_followed_by_keys(page).await;
    it_says_why_it_waits(page, &guest, number).await;
    barriers::assert_none(page, "with a guest followed").await;
    the_lists_move(page, &guest).await;
}

/// What needs no motion.
pub async fn in_calm(page: &Page) {
    page.open(CONSTRAINED).await;
    chips_glide(page, false).await;
    settings_set_all_three(page).await;
    a_recent_level_locks_them(page).await;
    figures_are_those_of_the_command_line(page).await;
}

/// Types one number: the result changes, and a guest is in the eligible list. Then moves the number by a key of its slider.
/// Each time prints how long the page took from the last key to the result. Returns the number.
async fn one_number_makes_somebody_wait(page: &Page) -> f64 {
    page.say("STORBUF, one number");
    page.open(CONSTRAINED).await;
    assert_eq!(numbers(page).await, ["300", "250", "200"]);
    let before = page.figure("eligible_guests").await;
    let watch = format!(
        "const value = () => {};
         let last = value();
         document.addEventListener('keydown', ({{ key }}) => {{
           if (key !== 'Tab') window.zvmlabPressed = performance.now();
         }}, true);
         new MutationObserver(() => {{
           if (value() === last) return;
           last = value();
           window.zvmlabSeen = performance.now();
         }}).observe(document.querySelector('main'), {{ subtree: true, childList: true, attributes: true, attributeFilter: ['data-value'] }})",
        value_of("etr"),
    );
    page.run(&watch).await;
    page.fill(NUMBERS[2], "40").await;
    page.settled_from("eligible_guests", before).await;
    say_how_long(page, "40 typed").await;

    assert_eq!(numbers(page).await, ["300", "250", "40"], "one number was moved");
    let now = page.figure("eligible_guests").await;
    assert!(now > before + 1.0, "guests in the eligible list: {before}, then {now}");
    let waiting = page.run("return Number(document.querySelector('.scheduler').dataset.waiting)").await;
    let waiting = waiting.as_f64().expect("it is a number");
    assert!(waiting > 0.0, "no guest waits at the end of the interval, but {now} waited on average");
    let said = page.text(".who-waits").await;
    assert!(said.contains(&waiting.to_string()) && said.contains("LINUX-"), "who waits: {said}");
    page.assert_no_errors("after one number was moved").await;

    let etr = page.figure("etr").await;
    page.keys("#knob-scheduler-storbuf_3", LEFT).await;
    page.settled_from("etr", etr).await;
    say_how_long(page, "a key of the slider").await;
    let number = page.value(NUMBERS[2]).await.parse().expect("it is a number");
    assert!(number < 40.0, "the key took the number from 40 to {number}");
    number
}

async fn say_how_long(page: &Page, what: &str) {
    let took = page.run("return window.zvmlabSeen - window.zvmlabPressed").await;
    page.say(&format!("STORBUF, {what}: {:.0} ms from the key to the result", took.as_f64().unwrap_or(f64::NAN)));
}

/// The values of the three fields.
async fn numbers(page: &Page) -> Vec<String> {
    let mut numbers = Vec::new();
    for field in NUMBERS {
        numbers.push(page.value(field).await);
    }
    numbers
}

/// Goes to the guests with Tab, to a waiting one with the arrows, and follows it with Enter. Returns its name.
async fn a_guest_is_followed_by_keys(page: &Page) -> String {
    page.say("a guest followed by keys");
    page.keys("#follow-guest", TAB).await;
    let focused = "document.activeElement?.matches('.chip') && document.activeElement.dataset";
    let is_chip = page.run(&format!("return Boolean({focused})")).await;
    assert_eq!(is_chip, Value::Bool(true), "Tab skips the guests");
    let chips = page.run("return document.querySelectorAll('.chip').length").await.as_u64().unwrap_or_default();
    for _ in 0..chips {
        if page.run(&format!("return ({focused}).list.startsWith('E')")).await == Value::Bool(true) {
            break;
        }
        page.press(RIGHT).await;
    }
    let guest = page.run(&format!("return ({focused}).list.startsWith('E') && ({focused}).guest")).await;
    let guest = guest.as_str().expect("the arrows lead to a guest that waits").to_string();
    page.press(ENTER).await;
    let followed = format!("return document.querySelector('{}').getAttribute('aria-pressed') === 'true'", chip(&guest));
    page.until("the guest to be followed", &followed).await;
    page.until("its panel", &format!("return document.querySelector('#followed-title').textContent === '{guest}'")).await;
    let stays = page.run(&format!("return ({focused}).guest")).await;
    assert_eq!(stays, Value::from(guest.as_str()), "following a guest loses the focus");
    guest
}

fn chip(guest: &str) -> String {
    format!(".chip[data-guest=\"{guest}\"]")
}

/// The page gives the reason in the numbers of the barrier rule: working set plus claimed storage is more than the barrier,
/// and the barrier is `number` percent of pageable storage. The page also announces it.
async fn it_says_why_it_waits(page: &Page, guest: &str, number: f64) {
    let why = page.text(".followed .why").await;
    let [working_set, claimed, barrier, pageable] = megabytes(&why)[..] else {
        panic!("why {guest} waits has other numbers than working set, claimed, barrier, pageable: {why}");
    };
    // Each number is rounded.
    assert!(working_set + claimed + 2.0 > barrier, "{guest} would fit: {why}");
    assert!((barrier - number / 100.0 * pageable).abs() < 2.0, "the barrier is not {number} % of pageable storage: {why}");
    assert!(why.contains(&format!("{number} %")), "the number of STORBUF is not named: {why}");
    let spoken = "document.querySelector('#scheduler-spoken')";
    page.until("why it waits to be spoken", &format!("return {spoken}.textContent.includes('{guest}')")).await;
    let polite = page.run(&format!("return {spoken}.getAttribute('aria-live')")).await;
    assert_eq!(polite, Value::from("polite"));
    let spoken = page.text("#scheduler-spoken").await;
    assert_eq!(megabytes(&spoken), megabytes(&why), "what is spoken: {spoken}");
}

/// The numbers before `MB`, in their order.
fn megabytes(text: &str) -> Vec<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let of = |pair: &[&str]| pair[1].starts_with("MB").then(|| pair[0].replace(',', "").parse().ok()).flatten();
    words.windows(2).filter_map(of).collect()
}

/// Presses a button of the live run.
async fn press(page: &Page, name: &str) {
    let press = "[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === ";
    page.run(&format!("{press}{}).click()", json!(name))).await;
}

/// A live run: chips move to other lanes, and the reader can see it; the list names each move; a move of the followed guest
/// is announced. When the run is paused, all of these agree.
async fn the_lists_move(page: &Page, guest: &str) {
    page.say("the lists move");
    chips_glide(page, true).await;
    let before = page.text("#scheduler-spoken").await;
    page.click(".moves .only input").await;
    page.end_live("1").await;
    press(page, "Run").await;
    page.until("the live run to get under way", "return document.querySelector('.live .clock .time') !== null").await;
    let watch = "window.zvmlabMoved = 0;
        new MutationObserver((all) => { window.zvmlabMoved += all.filter((one) => one.target.dataset.list !== one.oldValue).length })
          .observe(document.querySelector('#scheduler-room'),
            { subtree: true, attributes: true, attributeFilter: ['data-list'], attributeOldValue: true })";
    page.run(watch).await;
    page.until("chips to change lane", &format!("return window.zvmlabMoved >= {MOVES_WANTED}")).await;

    let spoken = "(document.querySelector('#scheduler-spoken').textContent.replaceAll('\\u00a0', ' '))";
    let announced =
        format!("return {spoken} !== {} && /^{guest} (moved from \\S+ to|is back in) \\w+: /.test({spoken})", json!(before));
    page.until("a move of the followed guest to be announced", &announced).await;
    let guests = "new Set([...document.querySelectorAll('.move-list li')].map((line) => line.textContent.split(' ')[0]))";
    page.until("the moves of several guests", &format!("return {guests}.size > 1")).await;
    press(page, "Pause").await;
    // Answers of the worker from before the pause may still arrive, and chips may still be moving.
    tokio::time::sleep(Duration::from_secs(1)).await;
    chips_stand_in_their_lanes(page).await;
    moves_are_text(page, guest).await;
    page.assert_no_errors("after the lists moved").await;
    press(page, "Reset run").await;
}

/// Most seconds for which chips may still be moving after a pause. Chosen.
const GLIDES_MAX: u32 = 15;

/// Each chip is drawn in the lane of its list, and each lane counts its guests.
async fn chips_stand_in_their_lanes(page: &Page) {
    let look =
        "const lanes = Object.fromEntries([...document.querySelectorAll('.lane')].map((lane) => [lane.dataset.list, lane]));
             return [...document.querySelectorAll('.chip')].filter((chip) => {
               const { top, height } = chip.getBoundingClientRect();
               const lane = lanes[chip.dataset.list].getBoundingClientRect();
               return top + height / 2 < lane.top || top + height / 2 > lane.bottom;
             }).map((chip) => chip.title)";
    // On a busy machine they glide for longer.
    for _ in 0..GLIDES_MAX {
        if page.run(look).await == json!([]) {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(page.run(look).await, json!([]), "chips that are in the wrong lane");
    let miscounted = page
        .run(
            "return [...document.querySelectorAll('.lane')].filter((lane) =>
               Number(lane.querySelector('.lane-count').textContent) !==
               document.querySelectorAll(`.chip[data-list=\"${lane.dataset.list}\"]`).length).map((lane) => lane.textContent)",
        )
        .await;
    assert_eq!(miscounted, json!([]), "lanes whose count differs from their chips");
}

/// The newest line about each guest names the list that holds its chip.
async fn moves_are_text(page: &Page, guest: &str) {
    let moves = page
        .run(
            "const newest = new Map();
             for (const line of document.querySelectorAll('.move-list li')) {
               const [, guest, to] = line.textContent.match(/^(\\S+) (?:moved from \\S+ to|is back in) (\\w+)/) ?? [];
               if (!newest.has(guest)) newest.set(guest, to);
             }
             return [...newest].map(([guest, to]) => [guest, to, document.querySelector(`.chip[data-guest=\"${guest}\"]`)?.dataset.list])",
        )
        .await;
    let moves = moves.as_array().expect("it is a list");
    assert!(!moves.is_empty(), "no moves are listed");
    for one in moves {
        assert_eq!(one[1], one[2], "the last line of {} and its chip disagree", one[0]);
    }
    page.click(".moves .only input").await;
    let only = format!(
        "const lines = [...document.querySelectorAll('.move-list li')];
         return lines.length > 0 && lines.every((line) => line.textContent.startsWith('{guest} '))"
    );
    page.until("the moves of the followed guest only", &only).await;
}

/// Checks that chips glide from lane to lane exactly if the browser does not ask for less motion.
async fn chips_glide(page: &Page, wanted: bool) {
    let less = page.run("return matchMedia('(prefers-reduced-motion: reduce)').matches").await;
    assert_eq!(less, Value::Bool(!wanted), "whether the browser asks for less motion");
    let glides = page.run("return getComputedStyle(document.querySelector('.chip')).transitionDuration !== '0s'").await;
    assert_eq!(glides, Value::Bool(wanted), "whether chips glide");
}

/// Each button of well-known settings sets all three numbers; one says that INITIAL sets the same on this level.
async fn settings_set_all_three(page: &Page) {
    page.say("STORBUF settings");
    let button = |index: usize| format!(".storbuf .presets button:nth-of-type({index})");
    for (level, index, expected) in [
        ("6.2", 1, ["125", "105", "95"]),
        ("6.2", 3, ["40", "35", "30"]),
        ("6.2", 2, ["300", "250", "200"]),
        ("6.1", 2, ["300", "250", "200"]),
        ("6.1", 1, ["125", "105", "95"]),
    ] {
        if page.value("#knob-level").await != level {
            page.choose("#knob-level", level).await;
            page.until("the level", &format!("return document.querySelector('#knob-level').value === '{level}'")).await;
        }
        page.click(&button(index)).await;
        let third = format!("return document.querySelector('{}').value === '{}'", NUMBERS[2], expected[2]);
        page.until("the third number", &third).await;
        assert_eq!(numbers(page).await, expected, "z/VM {level}, {}", page.text(&button(index)).await);
        let name = if [("6.1", 1), ("6.2", 2)].contains(&(level, index)) { "INITIAL: " } else { "" };
        assert_eq!(page.text(&button(index)).await, format!("{name}{}", expected.join(" ")));
        page.at_rest().await;
    }
}

/// From z/VM 6.3 on no guest waits in the eligible list: the numbers are locked, the page says why, and indeed no guest
/// waits.
async fn a_recent_level_locks_them(page: &Page) {
    page.say("STORBUF locked");
    for level in ["6.3", "6.4"] {
        page.choose("#knob-level", level).await;
        page.until("the lock", "return document.querySelector('#storbuf-locked') !== null").await;
        page.at_rest().await;
        let open = page
            .run(
                "return [...document.querySelectorAll('.storbuf input, .storbuf .presets button')]
                   .filter((one) => !one.disabled || one.matches('input') && !one.getAttribute('aria-describedby').includes('storbuf-locked'))
                   .map((one) => one.id || one.textContent)",
            )
            .await;
        assert_eq!(open, json!([]), "z/VM {level}: controls that are open, or do not say why they are locked");
        let reason = page.text("#storbuf-locked").await;
        assert!(reason.contains("eligible"), "z/VM {level}: why they are locked: {reason}");
        let waiting = page.run("return document.querySelector('.scheduler').dataset.waiting").await;
        assert_eq!(waiting, Value::from("0"), "z/VM {level} keeps guests waiting");
    }
    barriers::assert_none(page, "with STORBUF locked").await;
    page.assert_no_errors("after STORBUF was locked").await;
}

/// The example as the page runs it, embedded here to have every figure, and as `zvmlab run STORBUF` runs it, by the same
/// call: digest and figures are equal to the last digit.
async fn figures_are_those_of_the_command_line(page: &Page) {
    page.say("STORBUF as at the command line");
    let example = EXAMPLES.iter().find(|example| example.id == "STORBUF").expect("it is an example");
    let scenario = Scenario::parse(example.text).expect("an example is a scenario");
    page.open_other(&format!("{EMBEDDERS}example.html")).await;
    for seed in [1, 7] {
        let outcome = experiment::run(&scenario, seed).expect("an example can be run");
        // Numbers go as texts, because a driver may change a number's last digit.
        let result = page
            .run_async(&format!(
                "const done = arguments[arguments.length - 1];
                 const lab = document.createElement('zvm-lab');
                 lab.setAttribute('scenario', 'STORBUF');
                 lab.setAttribute('seed', '{seed}');
                 document.body.append(lab);
                 const texts = ({{ digest, figures }}) => ({{ digest,
                   figures: Object.fromEntries(Object.entries(figures).map(([id, {{ value }}]) => [id, value === null ? null : String(value)])) }});
                 customElements.whenDefined('zvm-lab').then(() => lab.getResult()).then(texts).then(done, (error) => done(String(error)))
                   .finally(() => lab.remove())"
            ))
            .await;
        assert_eq!(result["digest"], Value::from(format!("{:016x}", outcome.digest)), "seed {seed}: {result}");
        let mut known = 0;
        for (figure, value) in outcome.measurement.iter() {
            let shown = result["figures"][figure.id()].as_str().and_then(|text| text.parse::<f64>().ok());
            assert_eq!(shown, value, "seed {seed}: {}", figure.id());
            known += usize::from(value.is_some());
        }
        assert!(known > 20, "{known} figures were compared");
    }
}
