//! A lesson that a teacher writes in the page: from the bench into the form, tried, saved, played, and there again later.

use serde_json::{Value, json};
use zvmlab_lab::lesson::Task;
use zvmlab_lab::lesson::file::parse;

use crate::barriers;
use crate::page::{PAGING, Page};

/// Writes a lesson about what four aliases are worth.
pub async fn a_lesson_is_written(page: &Page) {
    page.say("a lesson is written");
    page.open(PAGING).await;
    page.fill("#knob-lcu-aliases-number", "4").await;
    page.at_rest().await;
    open_the_form(page).await;
    state_is(page, "12 things are missing or wrong.").await;
    barriers::assert_none(page, "in the form of a lesson").await;

    for (entry, text) in
        [("title", "Four aliases"), ("question", "What are four aliases worth?"), ("summary", "A third more.")]
    {
        page.fill(&format!("#author-{entry}"), text).await;
    }
    page.fill("#author-model_limits", "Pending time.").await;
    page.fill("#author-minutes", "ten").await;
    let told = "return document.querySelector('.author .problem')?.textContent.startsWith('\"ten\" given')";
    page.until("what is wrong with the minutes", told).await;
    page.fill("#author-minutes", "8").await;
    for step in 0..5 {
        open(page, step + 1).await;
        page.fill(&format!("#author-steps-{step}-text"), &format!("Text of step {}.", step + 1)).await;
    }
    // What was turned on the bench is what learners predict, and a way to the aim of the task.
    page.fill("#author-steps-4-until-0-at_least", "0.05").await;
    open(page, 2).await;
    assert_eq!(page.value("#author-steps-1-turn-lcu-aliases").await, "4");
    barriers::assert_none(page, "with a step of the form open").await;
    open(page, 6).await;
    page.fill("#author-teacher-goal", "Learners tell a queue from a path.").await;
    page.fill("#author-teacher-notes", "None.").await;
    state_is(page, "The lesson is complete.").await;

    press(page, "Try all its ways").await;
    let found =
        "return document.querySelector('[data-testid=author-findings]')?.textContent.includes('has one right answer')";
    page.until("what the trial found", found).await;
    page.run(
        "const make = URL.createObjectURL;
         URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text }); return make.call(URL, blob) }",
    )
    .await;
    press(page, "Save the file").await;
    page.until("the file", "return window.saved !== undefined").await;
    let text = page.run("return window.saved").await;
    let lesson = parse(text.as_str().expect("a text")).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    assert_eq!((lesson.title.as_str(), lesson.minutes, lesson.steps.len()), ("Four aliases", 8, 5));
    assert!(matches!(&lesson.steps[4].task, Task::Transfer(goal) if goal.routes.len() == 1));

    press(page, "Play it").await;
    page.until("the lesson", "return document.querySelector('[data-testid=lesson-place]')?.textContent === 'step 1 of 5'")
        .await;
    page.click(".lesson-head button").await;
    page.until("the form again", "return document.activeElement?.id === 'author'").await;

    // A step goes, comes back, and is there after the page is opened anew.
    open(page, 5).await;
    press(page, "Remove the step").await;
    let steps = |count: usize| format!("return document.querySelectorAll('.author-part').length === {count}");
    page.until("a step fewer", &steps(6)).await;
    press(page, "Undo").await;
    page.until("the step again", &steps(7)).await;
    page.open(PAGING).await;
    open_the_form(page).await;
    assert_eq!(page.value("#author-title").await, "Four aliases");
    page.choose("#author-copy", "storbuf").await;
    page.until("a copy", "return document.querySelector('#author-title')?.value.startsWith('STORBUF')").await;
    state_is(page, "The lesson is complete.").await;
    press(page, "Close").await;
    page.until("no form", "return document.querySelector('.author') === null").await;
    page.run("localStorage.removeItem('zvmlab.draft')").await;
    page.assert_no_errors("after a lesson was written").await;
}

async fn open_the_form(page: &Page) {
    page.run("document.querySelector('[data-testid=write-lesson]').click()").await;
    page.until("the form", "return document.activeElement?.id === 'author'").await;
}

/// Opens a part of the form by its place.
async fn open(page: &Page, part: usize) {
    page.run(&format!("document.querySelectorAll('.author-part-head')[{part}].click()")).await;
    let open = format!("return document.querySelectorAll('.author-part-head')[{part}].ariaExpanded === 'true'");
    page.until("an open part", &open).await;
}

async fn press(page: &Page, text: &str) {
    let button =
        format!("[...document.querySelectorAll('.author button')].find((one) => one.textContent === {})", json!(text));
    assert_ne!(page.run(&format!("return {button} ?? null")).await, Value::Null, "no button {text}");
    page.run(&format!("{button}.click()")).await;
}

async fn state_is(page: &Page, state: &str) {
    let script = format!("return document.querySelector('[data-testid=author-state]')?.textContent === {}", json!(state));
    page.until(state, &script).await;
}
