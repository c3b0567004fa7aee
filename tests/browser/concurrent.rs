//! Twenty-five relocations at once in a live run: the page shows their progress, and still answers its reader.

use serde_json::Value;

use crate::hosts;
use crate::page::Page;

/// Counts during the live run: the updates shown, and the tasks that kept the main thread busy for more than 50 ms.
const WATCH: &str = "
    window.zvmlabLong = [];
    window.zvmlabUpdates = 0;
    if (PerformanceObserver.supportedEntryTypes?.includes('longtask')) {
      new PerformanceObserver((list) => window.zvmlabLong.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ entryTypes: ['longtask'] });
    }
    let clock = '';
    new MutationObserver(() => {
      const now = document.querySelector('.live .clock .time')?.textContent ?? '';
      if (now !== clock) window.zvmlabUpdates += 1;
      clock = now;
    }).observe(document.querySelector('.live'), { subtree: true, childList: true, characterData: true });";

/// How many relocations are under way, as the page says.
const UNDER_WAY: &str = "Number(document.querySelector('[data-testid=relocations-said]')?.textContent.match(/([0-9]+) are under way/)?.[1] ?? 0)";

/// Presses a button of the live run.
async fn press(page: &Page, name: &str) {
    let button =
        format!("[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === '{name}')");
    page.run(&format!("{button}.click()")).await;
}

/// The whole test.
pub async fn all_at_once(page: &Page) {
    page.say("twenty-five relocations live");
    hosts::open(page, &hosts::twenty_five(), "TWENTY-FIVE").await;
    page.run("document.querySelector('#chart-relocation-lanes')?.scrollIntoView({ block: 'center' })").await;
    // The speed is in simulated seconds for each second: the relocations end soon, and all of them change with each update.
    page.end_live("3").await;
    page.run(WATCH).await;
    press(page, "Run").await;
    page.until("twenty-five relocations under way", &format!("return {UNDER_WAY} === 25")).await;

    // The reader chooses another relocation while all are under way: the page has time for its reader.
    page.run("document.querySelectorAll('.relocations button')[9].click()").await;
    page.until("the tenth to be shown", "return document.querySelector('#relocation-choice').value === '9'").await;
    let all_ended = "const said = document.querySelector('[data-testid=relocations-said]').textContent;
        return said.startsWith('25 of 25 relocations have completed')";
    page.until("all relocations to end", all_ended).await;
    press(page, "Pause").await;

    let seen = page.run("return [window.zvmlabUpdates, window.zvmlabLong.length, Math.max(0, ...window.zvmlabLong)]").await;
    let seen: Vec<f64> = seen.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    let [updates, long, longest] = seen[..] else { panic!("three numbers were wanted: {seen:?}") };
    // Only told: on a busy machine any task may take long. `./run bench page` times the frames of this picture.
    page.say(&format!("{updates} updates of 25 relocations; {long} tasks of more than 50 ms, the longest {longest:.0} ms"));
    assert!(updates > 10.0, "the page showed the run {updates} times only");
    let said = page.text("[data-testid=relocation]").await;
    assert!(said.contains("runs on at MEMBER2"), "the tenth relocation: {said}");
    page.assert_no_errors("after twenty-five relocations").await;
    press(page, "Reset run").await;
}
