//! The planner of relocations: what one more chpid would gain, and which order empties a member. Both answers are links.

use serde_json::{Value, json};

use crate::page::{PAGING, Page};
use crate::{barriers, hosts};

/// The study of what would change a relocation, and the plan of an evacuation.
const MOVING: &str = "section[data-study=chpids]";
const EVACUATION: &str = "section[data-study=evacuation]";

/// Where a run takes long, as in a browser that shares the machine, the page asks before it runs the rest.
const CONSENT: &str =
    "[...document.querySelectorAll('section.study button')].find((one) => one.textContent === 'Run the rest')?.click();";

/// Waits until a study has made all its runs.
async fn is_complete(page: &Page, study: &str) {
    page.until(
        &format!("all runs of {study}"),
        &format!("{CONSENT} return document.querySelector('{study}')?.dataset.fresh === 'true'"),
    )
    .await;
}

/// Waits until every study on the page is complete.
pub async fn has_answered(page: &Page) {
    let all =
        "return [...document.querySelectorAll('section.study[data-fresh]')].every((one) => one.dataset.fresh === 'true')";
    page.until("all studies", &format!("{CONSENT} {all}")).await;
}

/// The rows of a study's table, each as the texts of its cells.
async fn rows(page: &Page, study: &str) -> Vec<Vec<String>> {
    let rows = page
        .run(&format!(
            "return [...[...document.querySelectorAll('{study} .trial-table')].at(-1).querySelectorAll('tbody tr')]
               .map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll('\\u00a0', ' ')))"
        ))
        .await;
    serde_json::from_value(rows).expect("a table has rows of texts")
}

/// Goes from the subject to the planner. The page shows what a third chpid gains in sentences and a table, the address holds
/// the question, and the link opens the same answer.
pub async fn a_chpid_more(page: &Page) {
    page.say("what a third chpid would buy");
    hosts::open(page, &hosts::one_guest(2), "MOVE").await;
    let subject = page.text("nav.subjects a[aria-current]").await;
    assert_eq!(subject, "Move a guest", "the subject of the small host");
    let go = "[...document.querySelectorAll('nav[aria-label=Rooms] button')].find((one) => one.textContent === 'What if').click()";
    page.run(go).await;
    page.until("the planner to be gone to", "return document.activeElement.id === 'what-if'").await;
    is_complete(page, MOVING).await;
    let said = page.text(&format!("{MOVING} .study-answer")).await;
    for part in
        ["As it is, with 2 chpids of 1 Gb: stopped for", "A third chpid of 1 Gb: stopped for", "A fourth chpid of 1 Gb"]
    {
        assert!(said.contains(part), "the answer lacks “{part}”: {said}");
    }
    let table = rows(page, MOVING).await;
    let quiesce: Vec<f64> = table.iter().filter_map(|row| row[1].parse().ok()).collect();
    assert_eq!(quiesce.len(), 3, "two, three and four chpids: {table:?}");
    assert!(quiesce[1] < quiesce[0], "a third chpid does not shorten the stop: {table:?}");
    assert!(table[0][0].contains("on the bench"), "the first row is the present link: {table:?}");
    let present = page.figure("quiesce_time").await;
    assert!(
        (quiesce[0] - present).abs() <= 0.01 * present,
        "the table has {} s for what the result has {present} s",
        quiesce[0]
    );

    let copy = format!(
        "[...document.querySelectorAll('{MOVING} button')].find((one) => /^Copy link/.test(one.textContent)).click()"
    );
    let address = page.run("return location.hash").await;
    page.run(&copy).await;
    page.until("the address of the answer", &format!("return location.hash !== {address}")).await;
    assert_eq!(hosts::in_the_address(page).await["v"]["study"], Value::from("chpids"), "the address holds another study");
    barriers::assert_none(page, "with what a third chpid would buy").await;
    page.assert_no_errors("after what a third chpid would buy").await;

    let link = page.link().await;
    page.load(&link).await;
    page.until("the result of the link", "return document.body?.dataset.ready === 'true'").await;
    is_complete(page, MOVING).await;
    assert_eq!(page.text(&format!("{MOVING} .study-answer")).await, said, "the link has another answer");
    assert_eq!(rows(page, MOVING).await, table, "the link has another table");
    page.until("the answer to be gone to", "return document.activeElement.id === 'what-if'").await;
    page.assert_no_errors("after the link to an answer").await;
}

/// Plans an evacuation. Stopped halfway, it keeps its results; then it runs to its end. The plan that the reader adopts goes
/// to the bench.
pub async fn an_evacuation(page: &Page) {
    page.say("an evacuation, stopped");
    let host = hosts::evacuation();
    stopped_in_the_midst(page, &host).await;
    let known = known(&rows(page, EVACUATION).await);
    let state = page.text(&format!("{EVACUATION} .study-state")).await;
    let all = rows(page, EVACUATION).await.len();
    assert!(known > 0 && known < all, "{known} of {all} plans are known after the stop: {state}");
    assert!(state.contains(&format!("Stopped after {known} of {all} runs")), "{known} of {all}, and it says: {state}");

    page.say("an evacuation, planned");
    page.run(&format!("document.querySelector('{EVACUATION} .run-trials').click()")).await;
    is_complete(page, EVACUATION).await;
    let table = rows(page, EVACUATION).await;
    assert!(table.len() > 3, "the plans: {table:?}");
    assert!(table[0][0].starts_with("your plan"), "the user's own plan stands first: {table:?}");
    for part in ["largest first", "all at once (ASYNCH)", "spread by white space", "all to MEMBER3"] {
        assert!(table.iter().any(|row| row[0].starts_with(part)), "no plan “{part}”: {table:?}");
    }
    assert!(!page.text(&format!("{EVACUATION} .study-answer[role=status]")).await.is_empty(), "the page names no best plan");
    barriers::assert_none(page, "with plans of an evacuation").await;

    page.say("an evacuation, taken over");
    let take = format!(
        "[...document.querySelectorAll('{EVACUATION} .take-over')]
           .find((one) => one.textContent === 'Take over all at once (ASYNCH)').click()"
    );
    page.run(&take).await;
    page.until(
        "the plan on the bench",
        "return document.querySelector('#knob-relocation-mode input:checked')?.value === 'ASYNCH'",
    )
    .await;
    page.at_rest().await;
    let mut wanted = host["relocation"].clone();
    wanted["mode"] = "ASYNCH".into();
    assert_eq!(hosts::in_the_address(page).await["s"]["relocation"], wanted, "the address has another plan");
    is_complete(page, EVACUATION).await;
    let others = rows(page, EVACUATION).await;
    assert!(
        others.iter().any(|row| row[0].starts_with("one after the other (SYNCH)")),
        "the plan before is no other: {others:?}"
    );
    page.assert_no_errors("after a plan was taken over").await;
}

/// Opens the host and stops the study as soon as one plan is known. A script in the page does it, because a test would be
/// too late.
async fn stopped_in_the_midst(page: &Page, host: &Value) {
    let fragment = hosts::fragment(page, host, "EVACUATION").await;
    page.open(PAGING).await;
    let stop = format!(
        "new MutationObserver((_, watcher) => {{
           const progress = document.querySelector('{EVACUATION} .study-state progress');
           if (!progress || Number(progress.value) === 0) return;
           watcher.disconnect();
           document.querySelector('{EVACUATION} .stop-trials').click();
         }}).observe(document.querySelector('main'), {{ subtree: true, childList: true, attributes: true }});
         location.hash = {}",
        json!(fragment)
    );
    page.run(&stop).await;
    page.until("the study to be stopped", &format!("return document.querySelector('{EVACUATION} .run-trials') !== null"))
        .await;
    page.at_rest().await;
}

/// How many plans have a longest quiesce time.
fn known(rows: &[Vec<String>]) -> usize {
    rows.iter().filter(|row| row.iter().all(|cell| cell != "…") && row.len() > 2 && !row[2].is_empty()).count()
}
