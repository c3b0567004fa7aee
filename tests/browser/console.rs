//! The console: commands turn knobs, knobs echo commands, keys bring commands back, and a lesson holds what it holds.

use serde_json::json;

use crate::barriers;
use crate::page::{PAGING, Page};

/// The text of the console.
const LOG: &str = "document.querySelector('[data-testid=console-log]')?.textContent ?? ''";

/// All of it.
pub async fn all(page: &Page) {
    page.say("the console");
    page.open(PAGING).await;
    page.at_rest().await;
    page.run("document.querySelector('#console').open = true").await;
    page.until("the line", "return document.querySelector('#console-line') !== null").await;
    page.run("document.querySelector('#console-line').focus()").await;

    page.strike("q srm\u{e007}").await;
    said(page, "STORBUF 300 250 200").await;
    page.strike("set paging hpf on\u{e007}").await;
    said(page, "Paging: HPF ON").await;
    page.until("the knob", "return document.querySelector('#knob-paging-zhpf').checked").await;
    let told = page.run(&format!("return {LOG}")).await;
    assert!(told.as_str().is_some_and(|told| !told.contains("by the knob")), "what was entered is echoed: {told}");
    // The answer waits for the run.
    page.strike("ind load\u{e007}").await;
    said(page, "AVGPROC").await;
    said(page, "What limits:").await;

    page.run("document.querySelector('#knob-paging-zhpf').click()").await;
    said(page, "SET PAGING HPF OFF by the knob").await;
    page.strike("\u{e013}").await;
    assert_eq!(page.value("#console-line").await, "ind load", "up brings the last command back");
    page.strike("\u{e015}ind us\u{e014}").await;
    assert_eq!(page.value("#console-line").await, "INDICATE USER ", "right completes");
    page.strike("x\u{e007}").await;
    said(page, "x is not logged on").await;
    barriers::assert_none(page, "with the console open").await;
    page.assert_no_errors("after commands").await;

    page.say("the console in a lesson");
    page.open("?lesson=aliases&step=1").await;
    page.at_rest().await;
    page.run("document.querySelector('#console').open = true").await;
    page.until("the line", "return document.querySelector('#console-line') !== null").await;
    page.run("document.querySelector('#console-line').focus()").await;
    page.strike("set paging hpf on\u{e007}").await;
    said(page, "No knob moves in this step").await;
    page.strike("ind load\u{e007}").await;
    said(page, "AVGPROC").await;
    let told = page.run(&format!("return {LOG}")).await;
    assert!(told.as_str().is_some_and(|told| !told.contains("What limits")), "it would give an answer away: {told}");
}

async fn said(page: &Page, wanted: &str) {
    page.until(wanted, &format!("return ({LOG}).includes({})", json!(wanted))).await;
}
