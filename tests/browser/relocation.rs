//! Relocations: one followed from start to end by keys alone, one cancelled, and the rooms that show them.

use serde_json::{Value, json};
use zvmlab::{Scenario, experiment};

use crate::page::{PAGING, Page};
use crate::{EMBEDDERS, barriers, hosts, planner};

const ENTER: &str = "\u{e007}";
const BACKSPACE: &str = "\u{e003}";
const END: &str = "\u{e010}";
const RIGHT: &str = "\u{e014}";

/// Most stops of the chart of stages: six stages, the passes and the stopped time, and some more. Chosen.
const STOPS_MAX: usize = 60;

/// Pages in 256 MB.
const PAGES: u64 = 65_536;

/// The rooms of a cluster.
const ROOMS: [&str; 3] = ["relocation", "isfc", "cluster"];

/// The page's first words about its result.
const ANSWER: &str = "[data-testid=answer]";

/// The whole test.
pub async fn all(page: &Page) {
    a_guest_is_moved_by_keys_alone(page).await;
    an_embedded_relocation_is_that_of_the_command_line(page).await;
    if !page.tells_all() {
        return;
    }
    page.open(PAGING).await;
    planner::a_chpid_more(page).await;
    one_of_many_is_chosen_by_keys(page).await;
    a_guest_that_would_stand_still_too_long_stays(page).await;
    planner::an_evacuation(page).await;
    an_older_link_opens_unchanged(page).await;
}

/// Follows a relocation without a pointer, from the start of the page to the last pass: the subject, a knob, the answer,
/// which the page announces, the stages and the passes.
async fn a_guest_is_moved_by_keys_alone(page: &Page) {
    page.say("a guest moved by keys alone");
    page.open(PAGING).await;
    page.tab_to("the catalogue", "it.matches('.catalogue > summary')").await;
    page.strike(ENTER).await;
    page.tab_to("the subject Move a guest", "it.matches('nav.subjects a') && it.textContent === 'Move a guest'").await;
    page.strike(ENTER).await;
    let current = "document.querySelector('nav.subjects a[aria-current]')?.textContent";
    page.until("the subject Move a guest", &format!("return {current} === 'Move a guest'")).await;

    // The guest of 40 GB becomes one of 256 MB before its run has ended; nobody has to wait for that run.
    page.tab_to("the knob of touched storage", "it.id === 'knob-guests-loop_mb-number'").await;
    page.strike(&format!("{END}{}256", BACKSPACE.repeat(5))).await;
    page.until("the guest of 256 MB", "return document.querySelector('#knob-guests-loop_mb-number').value === '256'").await;
    page.until("its answer", &moved_to_member_2("256 MB")).await;
    page.at_rest().await;
    let answer = page.text(ANSWER).await;
    assert!(answer.contains("SERVER-1 moves to MEMBER2: stopped for"), "the answer: {answer}");
    is_spoken(page, &answer).await;

    page.tab_to("the room of relocation", "it.closest('#relocation-room')").await;
    stages_are_read_by_keys(page).await;
    page.tab_to("the passes in numbers", "it.matches('#relocation-room .chart-table.passes')").await;
    passes_add_up(page).await;
    page.assert_no_errors("after a relocation by keys").await;
}

/// Whether the page shows a relocation of a guest with that storage to the second member.
fn moved_to_member_2(touched: &str) -> String {
    format!(
        "return document.querySelector('{ANSWER}')?.textContent.includes('moves to MEMBER2') &&
           document.querySelector('.what-is-this').textContent.includes('has touched {touched}') &&
           document.querySelector('[data-testid=relocation]')?.dataset.end === '00'"
    )
}

/// Waits until some part of the page that screen readers announce says `text`.
async fn is_spoken(page: &Page, text: &str) {
    let spoken = format!(
        "return [...document.querySelectorAll('[role=status], [aria-live=polite]')]
           .some((one) => one.textContent.replaceAll('\\u00a0', ' ').includes({}))",
        json!(text)
    );
    page.until(&format!("{text} to be spoken"), &spoken).await;
}

/// The arrow keys lead along the stages, and the read-out says when the guest is stopped.
async fn stages_are_read_by_keys(page: &Page) {
    page.tab_to("the chart of stages", "it.matches('#chart-relocation-stages canvas')").await;
    let mut read = Vec::new();
    for _ in 0..STOPS_MAX {
        page.strike(RIGHT).await;
        let text = page.text("#chart-relocation-stages .chart-readout").await;
        if read.last() == Some(&text) {
            break;
        }
        read.push(text);
    }
    for stage in ["eligibility checks", "skeleton", "storage moved, guest runs", "last pass", "guest is stopped"] {
        assert!(read.iter().any(|text| text.contains(stage)), "the arrows do not lead to “{stage}”: {read:#?}");
    }
}

/// The first pass sends every page of the guest once; each later pass sends some again. The guest is stopped in the last
/// two.
async fn passes_add_up(page: &Page) {
    let rows = page
        .run(
            "return [...document.querySelectorAll('.chart-table.passes tbody tr:not(.stay)')].map((row) =>
               [row.classList.contains('stopped'), ...[2, 4].map((at) => Number(row.cells[at].textContent.replaceAll(',', '')))])",
        )
        .await;
    let rows = rows.as_array().expect("a list").clone();
    let [first, .., before, last] = &rows[..] else { panic!("fewer than three passes: {rows:?}") };
    assert_eq!(first, &json!([false, PAGES, 0]), "the first pass: {rows:?}");
    assert!(rows[1..].iter().all(|row| row[1] == row[2]), "later passes send pages again: {rows:?}");
    assert!(before[0] == true && last[0] == true, "the last two passes stop the guest: {rows:?}");
    let runs = rows.iter().filter(|row| row[0] == false).count();
    assert_eq!(runs, rows.len() - 2, "only the last two passes stop the guest: {rows:?}");
    assert_eq!(page.figure("memory_passes").await, rows.len() as f64, "the result counts other passes");
}

/// The reader chooses another of twenty-five relocations by keys: the page shows it, and the focus stays.
async fn one_of_many_is_chosen_by_keys(page: &Page) {
    page.say("one of twenty-five chosen by keys");
    hosts::open(page, &hosts::twenty_five(), "TWENTY-FIVE").await;
    let said = page.text("[data-testid=relocations-said]").await;
    assert!(said.starts_with("25 of 25 relocations have completed"), "all relocations: {said}");
    let first = page.text("#relocation-one-title").await;
    page.run("document.querySelector('.relocations-list .chart-table').focus()").await;
    let nth = |nth: usize| format!("it === document.querySelectorAll('.relocations button')[{nth}]");
    page.tab_to("the seventeenth relocation", &nth(16)).await;
    let name = page.run("return document.activeElement.textContent").await;
    let name = name.as_str().expect("a text").to_string();
    assert!(!first.starts_with(&format!("{name},")), "{name} is shown before it was chosen");
    page.strike(ENTER).await;
    let shown = format!("return document.querySelector('#relocation-one-title').textContent.startsWith('{name},')");
    page.until(&format!("{name} to be shown"), &shown).await;
    let focused = page.run("return document.activeElement.textContent + document.activeElement.ariaPressed").await;
    assert_eq!(focused, Value::from(format!("{name}true")), "what has the focus after {name} was chosen");
    assert_eq!(page.value("#relocation-choice").await, "16", "the menu says another");
    for chart in ["relocation-stages", "relocation-passes"] {
        let title = page.text(&format!("#chart-{chart} .chart-title")).await;
        assert!(title.contains(&name), "the chart shows another relocation: {title}");
    }
    barriers::assert_none(page, "with one of twenty-five relocations chosen").await;
    page.assert_no_errors("after one of twenty-five was chosen").await;
}

/// MAXQUIESCE of one second cancels a relocation that takes longer: code 05, and the guest runs on where it was. Without the
/// limit it moves.
async fn a_guest_that_would_stand_still_too_long_stays(page: &Page) {
    page.say("MAXQUIESCE too small");
    let mut host = hosts::one_guest(1);
    host["relocation"] = json!({ "maxquiesce": "seconds", "maxquiesce_s": 1 });
    hosts::open(page, &host, "MOVE").await;
    let answer = page.text(ANSWER).await;
    for part in ["SERVER-1 stays at MEMBER1", "MAXQUIESCE of 1 s", "(code 05)"] {
        assert!(answer.contains(part), "the answer lacks “{part}”: {answer}");
    }
    assert_eq!(page.run(ENDED).await, Value::from("05"));
    let said = page.text("[data-testid=relocation] .lead").await;
    for part in
        ["ended as MAXQUIESCE was exceeded", "end code 05", "SERVER-1 runs on at MEMBER1. None of its storage was lost."]
    {
        assert!(said.contains(part), "the room lacks “{part}”: {said}");
    }
    let spoken = page.text("[data-testid=relocation] [role=status]").await;
    assert!(spoken.contains("05") && spoken.contains("runs on at MEMBER1"), "what is spoken: {spoken}");
    let code = page.text(".codes tr.chosen").await;
    assert!(code.starts_with("05"), "the code that is marked: {code}");
    barriers::assert_none(page, "after a relocation that was cancelled").await;

    page.choose("#knob-relocation-maxquiesce", "NOLIMIT").await;
    page.until("the relocation without a limit", &format!("{ENDED} === '00'")).await;
    page.at_rest().await;
    let quiesce = page.figure("quiesce_time").await;
    assert!(quiesce > 1.0, "the stop would have been only {quiesce} s");
    let answer = page.text(ANSWER).await;
    assert!(answer.contains("SERVER-1 moves to MEMBER2"), "the answer without a limit: {answer}");
    page.assert_no_errors("after MAXQUIESCE").await;
}

/// The code with which the relocation shown ended.
const ENDED: &str = "return document.querySelector('[data-testid=relocation]')?.dataset.end";

/// A link from before there were clusters: it opens the same host with the same figures and the same address, and no rooms
/// of clusters.
async fn an_older_link_opens_unchanged(page: &Page) {
    page.say("a link from before clusters");
    // {"s":{"paging":{"volumes":8,"zhpf":true}},"n":7,"v":{},"m":""}
    let link = "#v3/eyJzIjp7InBhZ2luZyI6eyJ2b2x1bWVzIjo4LCJ6aHBmIjp0cnVlfX0sIm4iOjcsInYiOnt9LCJtIjoiIn0";
    page.open(link).await;
    let state = hosts::in_the_address(page).await;
    assert_eq!((&state["s"], &state["n"]), (&json!({ "paging": { "volumes": 8, "zhpf": true } }), &json!(7)));
    let scenario = Scenario::parse("paging = { volumes = 8, zhpf = true }").expect("a scenario");
    let known = experiment::run(&scenario, 7).expect("it can be run").measurement.get(zvmlab::Figure::Etr);
    let (_, etr) = page.etr().await;
    assert_eq!(Some(etr), known, "the older link has another result");
    let alert = page.text("[role=alert]").await;
    assert_eq!(alert, "", "the page comments on the older link");
    for room in ROOMS {
        let there = page.run(&format!("return document.querySelector('#{room}-room') !== null")).await;
        assert_eq!(there, Value::Bool(false), "a host without a cluster has the room {room}");
    }
    page.assert_no_errors("after the older link").await;
}

/// An element in another page runs the relocation, and has the same figures as the command line.
async fn an_embedded_relocation_is_that_of_the_command_line(page: &Page) {
    page.say("an embedded relocation");
    let host = hosts::one_guest(2).to_string();
    let outcome = experiment::run(&Scenario::parse(&host).expect("a scenario"), 1).expect("it can be run");
    page.open_other(&format!("{EMBEDDERS}example.html")).await;
    let result = page
        .run_async(&format!(
            "const done = arguments[arguments.length - 1];
             const lab = document.createElement('zvm-lab');
             lab.setAttribute('scenario', {});
             lab.setAttribute('view', 'relocation');
             document.body.append(lab);
             const texts = ({{ digest, figures }}) => [digest, String(figures.quiesce_time.value), String(figures.relocation_time.value)];
             customElements.whenDefined('zvm-lab').then(() => lab.getResult()).then(texts).then(done, (error) => done(String(error)))
               .finally(() => lab.remove())",
            json!(host)
        ))
        .await;
    let value = |figure| outcome.measurement.get(figure).expect("it was relocated").to_string();
    let wanted =
        [format!("{:016x}", outcome.digest), value(zvmlab::Figure::QuiesceTime), value(zvmlab::Figure::RelocationTime)];
    assert_eq!(result, json!(wanted), "digest, quiesce time and relocation time");
}

/// The same barriers, looked for in the other colours.
pub async fn in_dark(page: &Page) {
    page.say("relocations in dark");
    hosts::open(page, &hosts::twenty_five(), "TWENTY-FIVE").await;
    barriers::assert_none(page, "with relocations, in dark").await;
    page.assert_no_errors("with relocations, in dark").await;
}

/// In the narrow frame: the rooms of a cluster, with everything drawn in them, and the planner.
pub async fn in_a_narrow_page(page: &Page) {
    for (first, host, run) in [
        ("LINUX-1", hosts::twenty_five(), "TWENTY-FIVE"),
        ("SERVER-1", hosts::one_guest(2), "MOVE"),
        ("SMALL-1", hosts::evacuation(), "EVACUATION"),
    ] {
        let fragment = hosts::fragment(page, &host, run).await;
        page.run(&format!("location.hash = {}", json!(fragment))).await;
        let shown = format!("return document.querySelector('#relocation-one-title')?.textContent.startsWith('{first},')");
        page.until(&format!("the relocation of {first}"), &shown).await;
        page.at_rest().await;
        for room in ROOMS {
            page.until(room, &format!("return document.querySelector('#{room}-room') !== null")).await;
        }
        planner::has_answered(page).await;
        barriers::go_down(page).await;
        barriers::assert_fits(page, &format!("with the relocation of {first}")).await;
    }
}
