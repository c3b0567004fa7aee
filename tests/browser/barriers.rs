//! Barriers: what keeps people out of the page. axe-core finds them; so does a narrow frame.

use serde_json::{Value, json};

use crate::page::Page;
use crate::{OWN, faults};

/// axe-core as npm installs it from tests/package-lock.json.
const AXE: &str = "tests/node_modules/axe-core/axe.min.js";

/// Checks that axe-core finds no serious or critical violation in what the page shows now. It reads the tree and the computed
/// styles, which are the same in each engine, so one engine looks at every state of the page.
pub async fn assert_none(page: &Page, when: &str) {
    if page.tells_all() {
        assert_none_in_this(page, when).await;
    }
}

/// The same in whatever engine shows the page.
pub async fn assert_none_in_this(page: &Page, when: &str) {
    let file = zvmlab_tests::root().join(AXE);
    let Ok(axe) = std::fs::read_to_string(&file) else {
        let required = std::env::var("CI").is_ok_and(|value| value == "true" || value == "1");
        assert!(!required, "{AXE} is missing: npm ci --prefix tests");
        page.say(&format!("axe-core skipped {when}: {AXE} is missing (npm ci --prefix tests)"));
        return;
    };
    page.run(&axe).await;
    let violations = page
        .run_async(
            "const done = arguments[arguments.length - 1];
             axe.run(document, { resultTypes: ['violations'] }).then(
               ({ violations, passes }) => done({ passes: passes.length, violations: violations.map(({ id, impact, help, nodes }) =>
                 ({ id, impact, help, nodes: nodes.map((node) => node.html.slice(0, 200) + ' | ' + node.failureSummary) })) }),
               (error) => done({ failed: String(error) }))",
        )
        .await;
    assert!(violations["passes"].as_u64().is_some_and(|passes| passes > 0), "axe-core checked nothing: {violations}");
    let found = violations["violations"].as_array().cloned().unwrap_or_default();
    let grave: Vec<&Value> = found.iter().filter(|one| one["impact"] == "serious" || one["impact"] == "critical").collect();
    for lesser in found.iter().filter(|one| !grave.contains(one)) {
        page.say(&format!("axe-core, {}: {} {when}", lesser["impact"], lesser["help"]));
    }
    assert!(grave.is_empty(), "{}: axe-core {when}: {:#}", page.engine().name(), json!(grave));
}

/// Checks that nothing reaches beyond the right edge in a frame of 320 px, the width that WCAG asks for. A frame, because
/// browsers' windows do not get that narrow.
pub async fn assert_narrow(page: &Page) {
    page.open_other(&format!("{OWN}narrow.html")).await;
    page.enter_frame().await;
    page.until("the narrow page", "return document.body?.dataset.ready === 'true'").await;
    assert_fits(page, "at its beginning").await;
}

/// Checks that the page fits into the frame of 320 px in which the session is.
pub async fn assert_fits(page: &Page, when: &str) {
    assert_fits_in(page, 320, when).await;
}

/// Checks that the page fits into the frame in which the session is, and which is so many pixels wide.
pub async fn assert_fits_in(page: &Page, width: u64, when: &str) {
    let inner = page.run("return innerWidth").await;
    assert_eq!(inner, json!(width), "the frame is not {width} px wide {when}");
    let wide = faults::beyond_the_edge(page).await;
    assert!(wide.is_empty(), "{}: too wide {when}: {wide:#?}", page.engine().name());
}

/// Goes down the page from chart to chart, so that all of them are drawn. Where one room is shown at a time, it goes through
/// the rooms by their tabs. Checks that it met every chart of the page, and that each is painted.
pub async fn go_down(page: &Page) {
    let met = page
        .run_async(
            "const done = arguments[arguments.length - 1];
         const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
         const isPainted = (chart) => [...chart.querySelectorAll('canvas')].every((canvas) => canvas.hasAttribute('width'));
         const met = new Set(), blank = [];
         const meet = async (charts) => {
           for (const chart of charts) {
             for (let tries = 0; tries < 150; tries += 1) {
               chart.scrollIntoView({ block: 'center', inline: 'start', behavior: 'instant' });
               await frame();
               if (isPainted(chart)) break;
             }
             met.add(chart.id);
             if (!isPainted(chart)) blank.push(chart.id);
           }
         };
         const tabs = [...document.querySelectorAll('.rooms-nav > button')].filter((tab) => tab.offsetHeight > 0);
         const go = async () => {
           if (tabs.length === 0) await meet(document.querySelectorAll('figure.chart'));
           for (const tab of tabs) {
             tab.click();
             while (!tab.hasAttribute('aria-current')) await frame();
             await meet(document.querySelectorAll('.room.open figure.chart'));
           }
           const missed = [...document.querySelectorAll('figure.chart')].map((chart) => chart.id).filter((id) => !met.has(id));
           return { count: met.size, blank, missed };
         };
         go().then(done, (error) => done({ failed: String(error) }))",
        )
        .await;
    assert!(met["count"].as_u64().is_some_and(|count| count > 0), "no chart was met: {met}");
    for what in ["blank", "missed"] {
        assert_eq!(met[what], json!([]), "{}: charts {what} on the way down", page.engine().name());
    }
}
