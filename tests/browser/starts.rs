//! Starts that fail: the page says why, what to do, and nothing that is not so. Then workers: none is left over.

use std::time::Duration;

use serde_json::Value;
use xtask::engines::Engine;

use crate::page::{PAGING, Page};
use crate::{FAILING, OWN};

/// Hosts that fail with one file of a linked page, and what it says then.
const FAULTS: [(&str, &str, &[&str]); 6] = [
    ("missing", "static|boot.js", &["has not started yet", "the server may lack static/boot.js"]),
    ("type", "static|boot.js", &["has not started yet", "a type other than text/javascript"]),
    ("short", "pkg|zvmlab_web_bg.wasm", &["cannot start", "bytes came of", "copy the whole folder"]),
    ("short", "pkg|zvmlab_web_rest.wasm", &["cannot start", "bytes came of", "copy the whole folder"]),
    ("short", "pkg|zvmlab_engine_bg.wasm", &["The model cannot be loaded", "bytes came of", "copy the whole folder"]),
    ("narrow", "pkg|zvmlab_engine_bg.wasm", &["The browser has stopped the model", "MB of memory", "less virtual storage"]),
];

/// What the page says of trouble, of that which is seen.
const SAID: &str =
    "[...document.querySelectorAll('#stuck, .failure, [role=alert]')].filter((one) => one.getClientRects().length > 0 &&
    getComputedStyle(one).visibility !== 'hidden').map((one) => one.innerText).join(' ')";

/// Each start that fails, with the words of the page.
pub async fn that_fail(page: &Page) {
    page.say("starts that fail");
    for (fault, file, wanted) in FAULTS {
        page.open_other(&format!("{FAILING}{fault}/{file}/lab/{PAGING}")).await;
        says(page, &format!("{fault} {file}"), wanted).await;
    }
    // A first visit does without the rest until a function of it is called. It is the first if nothing is kept.
    page.run("localStorage.clear()").await;
    for fault in ["missing", "offline"] {
        page.open_other(&format!("{FAILING}{fault}/pkg|zvmlab_web_rest.wasm/lab/")).await;
        page.until("the first result", "return document.body?.dataset.ready === 'true'").await;
        page.run("document.querySelector('#knob-paging-zhpf').click()").await;
        says(
            page,
            &format!("{fault} rest"),
            &["The rest of the program cannot be loaded", "The address holds your settings"],
        )
        .await;
    }
    page.open_other(&format!("{OWN}sandbox.html")).await;
    page.enter_frame().await;
    says(page, "a frame with the attribute sandbox", &["has not started yet", "allow-scripts allow-same-origin"]).await;
    page.leave_frame().await;
    if page.tells_all() {
        let file = zvmlab_tests::root().join("dist/index.html");
        page.load(&format!("file://{}", file.display())).await;
        says(page, "a page opened as a file", &["has not started yet", "./run serve"]).await;
        // What the browser itself says of these is expected.
        page.severe_log().await;
    }
}

/// Waits until the page says all of this, and holds it against what it does not say.
async fn says(page: &Page, what: &str, wanted: &[&str]) {
    let all: Vec<String> = wanted.iter().map(|one| Value::from(*one).to_string()).collect();
    page.until(
        &format!("{what}: {wanted:?}"),
        &format!("const said = {SAID}; return [{}].every((one) => said.includes(one))", all.join(", ")),
    )
    .await;
    let said = page.run(&format!("return {SAID}")).await;
    let said = said.as_str().unwrap_or_default();
    let other = ["boot.js", "./run serve", "allow-same-origin", "came of", "MB of memory"];
    for other in other.into_iter().filter(|one| !wanted.iter().any(|wanted| wanted.contains(one) || said_with(wanted, one)))
    {
        assert!(!said.contains(other), "{what}: the page also says {other:?}: {said}");
    }
}

/// Whether a cause and its way out stand in one sentence of the page.
fn said_with(wanted: &str, other: &str) -> bool {
    (wanted.contains("text/javascript") && other == "boot.js")
        || (wanted.contains("allow-same-origin") && other == "allow-same-origin")
}

/// Another address ends the live run's worker: however often one comes, there are no more workers than before.
pub async fn leave_no_worker(page: &Page) {
    page.say("workers that end");
    if page.engine() == Engine::Chromium {
        // What it says of programs that were stopped before is expected.
        page.severe_log().await;
    }
    page.open(PAGING).await;
    page.stand_at("0.6").await;
    let count = "window.more = 0;
         const Real = Worker;
         window.Worker = class extends Real {
           constructor(...given) { super(...given); window.more += 1; this.isCounted = true; }
         };
         const end = Real.prototype.terminate;
         Real.prototype.terminate = function () { if (!this.isOver) { this.isOver = true; window.more -= 1; } end.call(this); };
         window.hadLive = document.querySelector('.live .clock .time') !== null";
    page.run(count).await;
    let links = page.run("return [location.hash, '']").await;
    for number in 0..4 {
        let link = links[number % 2].as_str().unwrap_or_default().to_string();
        page.run(&format!("location.hash = {}", Value::from(link))).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        page.at_rest().await;
        page.stand_at("0.6").await;
    }
    let more = page.run("return window.more").await;
    assert_eq!(more, Value::from(0), "workers more than before four other addresses");
    page.assert_no_errors("after other addresses").await;
}
