//! A lesson, by the keyboard alone: predict, see what came of it, say what limits, reach the task; and leave and come back.

use serde_json::{Value, json};

use crate::barriers;
use crate::page::Page;

/// Goes through the first lesson.
#[expect(clippy::too_many_lines, reason = "one lesson from its begin to its end")]
pub async fn a_lesson_by_keys(page: &Page) {
    page.say("a lesson by keys");
    page.open("?lesson=aliases&step=1").await;
    place_is(page, "step 1 of 7").await;
    go_on(page).await;

    place_is(page, "step 2 of 7").await;
    assert_eq!(
        page.run("return document.querySelector('.rooms .room')").await,
        Value::Null,
        "charts would give the answer away"
    );
    tab_to_text(page, "the way on", "Next").await;
    page.strike("\u{e007}").await;
    place_is(page, "step 2 of 7").await;
    choose(page, 1).await;
    tab_to_text(page, "the prediction", "I predict this").await;
    page.strike("\u{e007}").await;
    go_on(page).await;

    place_is(page, "step 3 of 7").await;
    let outcome = "return document.querySelector('[data-testid=lesson-outcome]')?.textContent.includes('IBM')";
    page.until("the outcome, with what IBM measured", outcome).await;
    let said = page.text("[data-testid=lesson-outcome]").await;
    assert!(said.contains("Your prediction came true") && said.contains("It grows by a tenth"), "{said}");
    barriers::assert_none_in_this(page, "in a lesson").await;
    go_on(page).await;

    place_is(page, "step 4 of 7").await;
    for (at, keys) in ["", "\u{e014}", "\u{e014}\u{e014}", "\u{e014}\u{e014}\u{e014}", "\u{e014}\u{e014}\u{e014}\u{e014}"]
        .iter()
        .enumerate()
    {
        page.tab_to(
            "a value of the curve",
            &format!(
                "it.closest('.draw-value') && [...document.querySelectorAll('.draw-value input')].indexOf(it) === {at}"
            ),
        )
        .await;
        page.strike(if keys.is_empty() { "\u{e012}" } else { keys }).await;
    }
    tab_to_text(page, "the prediction", "I predict this").await;
    page.strike("\u{e007}").await;
    go_on(page).await;
    place_is(page, "step 5 of 7").await;
    go_on(page).await;

    place_is(page, "step 6 of 7").await;
    tab_to_text(page, "a wrong answer", "Page volumes").await;
    page.strike("\u{e007}").await;
    page.until(
        "what the wrong part does",
        "return document.querySelector('[data-testid=lesson-said]')?.textContent.startsWith('Not this.')",
    )
    .await;
    assert_eq!(
        page.run("return document.querySelector('[data-testid=limits]')").await,
        Value::Null,
        "it would give the answer away"
    );
    tab_to_text(page, "the right answer", "Channel paths").await;
    page.strike("\u{e007}").await;
    go_on(page).await;

    place_is(page, "step 7 of 7").await;
    let locked = "return document.querySelector('#knob-storage-central_mb').matches(':disabled')";
    assert_eq!(page.run(locked).await, json!(true), "only the open knobs move");
    page.tab_to("zHPF", "it.id === 'knob-paging-zhpf'").await;
    page.strike(" ").await;
    page.until("the aim", "return document.querySelector('[data-testid=lesson-met]') !== null").await;
    go_on(page).await;
    place_is(page, "end").await;
    let score = page.text("[data-testid=lesson-score]").await;
    assert!(score.contains("of 4 points"), "{score}");
    page.assert_no_errors("after a lesson").await;

    page.say("the lesson is where it was left");
    page.open("?lesson=aliases").await;
    place_is(page, "end").await;
    page.click(".lesson-head button").await;
    page.until("no lesson", "return document.querySelector('[data-testid=lesson]') === null").await;
}

/// On a phone the question, the prediction and the machine are in sight together.
pub async fn in_sight_on_a_phone(page: &Page) {
    page.say("a lesson on a phone");
    page.resize(500, 844).await;
    page.open("?embed=1&lesson=aliases&step=2").await;
    place_is(page, "step 2 of 7").await;
    let seen = page
        .run(
            "const shown = (selector, part) => {
               const { top, height } = document.querySelector(selector).getBoundingClientRect();
               return top >= 0 && top + part * height <= innerHeight;
             };
             return [shown('.lesson h2', 1), shown('.prediction', 1), shown('#machine', 1),
               document.querySelector('#machine').clientHeight > 200]",
        )
        .await;
    assert_eq!(seen, json!([true, true, true, true]), "question, prediction, machine");
    page.assert_no_errors("in a lesson on a phone").await;
    page.resize(1200, 900).await;
}

/// Chooses an answer: Tab enters the group at its first or last one, arrows lead to the wanted one, space chooses it.
async fn choose(page: &Page, wanted: usize) {
    page.tab_to("the answers", "it.name === 'lesson-choice'").await;
    loop {
        let at = page
            .run(
                "const all = [...document.querySelectorAll('[name=lesson-choice]')], now = document.activeElement;
                 return [all.indexOf(now), now.checked]",
            )
            .await;
        match (at[0].as_u64().expect("an answer has the focus") as usize, at[1] == json!(true)) {
            (at, true) if at == wanted => return,
            (at, false) if at == wanted => page.strike(" ").await,
            (at, _) => page.strike(if at < wanted { "\u{e015}" } else { "\u{e013}" }).await,
        }
    }
}

/// Strikes Enter on the way on, as soon as that is open.
async fn go_on(page: &Page) {
    page.until("the way on", "return document.querySelector('[data-testid=lesson-next].primary') !== null").await;
    page.tab_to("the way on", "it.dataset.testid === 'lesson-next'").await;
    page.strike("\u{e007}").await;
}

async fn tab_to_text(page: &Page, what: &str, text: &str) {
    page.tab_to(what, &format!("it.matches('.lesson button') && it.textContent === {}", json!(text))).await;
}

async fn place_is(page: &Page, place: &str) {
    let script = format!("return document.querySelector('[data-testid=lesson-place]')?.textContent === {}", json!(place));
    page.until(place, &script).await;
}
