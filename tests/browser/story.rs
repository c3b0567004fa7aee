//! The story of a visitor: what the visitor does, and what must happen then.

use serde_json::Value;
use xtask::engines::Engine;

use crate::driver::Scheme;
use crate::page::{PAGING, Page};
use crate::{
    EMBEDDERS, OWN, authors, barriers, concurrent, console, courses, hostile, lessons, machine, phone, picture, pictures,
    processors, relocation, scheduler, shares, starts, subjects, text,
};

/// The switch of the published experiment.
const ZHPF: &str = "#knob-paging-zhpf";

/// A visit with all that moves.
pub async fn in_light(page: Page) {
    page.say("the first result");
    crate::asked();
    page.open("").await;
    page.assert_scheme(Scheme::Light).await;
    page.assert_no_errors("after the first result").await;
    a_first_visit_loads_no_more_than_it_needs(&page).await;
    the_whole_machine(&page).await;
    the_rest_has_come(&page).await;

    page.open(PAGING).await;
    let (first, slow) = page.etr().await;

    throughput_rises(&page, &first, slow).await;
    one_can_go_back(&page, &first).await;
    let link = page.link().await;
    link_opens_the_same(&page, &link).await;
    something_can_be_seen(&page, Scheme::Light).await;

    page.say("barriers, in light");
    barriers::assert_none_in_this(&page, "in light").await;
    page.assert_no_errors("after the story").await;

    a_chart_is_read_by_keys(&page).await;
    if page.tells_all() {
        aliases_by_number(&page).await;
        a_knob_is_swept(&page).await;
    }
    live_run(&page).await;
    machine::all(&page).await;
    if page.tells_all() {
        scheduler::all(&page).await;
        concurrent::all_at_once(&page).await;
    }
    embedding(&page).await;
    phone::all(&page).await;
}

/// What needs no motion, of the subjects.
pub async fn subjects_in_calm(page: Page) {
    subjects::all(&page).await;
    broken_links_are_named(&page).await;
    if page.tells_all() {
        processors::in_light(&page).await;
    }
}

/// The same of the scheduler. Nothing of it depends on the engine.
pub async fn scheduler_in_calm(page: Page) {
    // The links of the subjects are read from a page.
    page.open(PAGING).await;
    shares::all(&page).await;
    scheduler::in_calm(&page).await;
}

/// The same of relocation.
pub async fn relocation_in_calm(page: Page) {
    page.open(PAGING).await;
    relocation::all(&page).await;
}

/// The same of lessons, in the page and in courses.
pub async fn lessons_in_calm(page: Page) {
    page.open(PAGING).await;
    lessons::a_lesson_by_keys(&page).await;
    if page.tells_all() {
        authors::a_lesson_is_written(&page).await;
        lessons::in_sight_on_a_phone(&page).await;
    }
    courses::all(&page).await;
}

/// The same of the host as text.
pub async fn text_in_calm(page: Page) {
    text::all(&page).await;
    if page.tells_all() {
        text::without_its_editor(&page).await;
    }
}

/// The same of frames, faults and a narrow page.
pub async fn the_rest_in_calm(page: Page) {
    console::all(&page).await;
    the_element_keeps_its_promises(&page).await;
    if page.tells_all() {
        a_frame_says_what_to_trust(&page).await;
    }
    errors_would_be_seen(&page).await;
    a_stopped_program_starts_again(&page).await;
    page.say("320 px");
    barriers::assert_narrow(&page).await;
    if page.tells_all() {
        processors::in_a_narrow_page(&page).await;
        relocation::in_a_narrow_page(&page).await;
        starts::leave_no_worker(&page).await;
        starts::that_fail(&page).await;
        hostile::replay(&page).await;
    }
}

/// The parts that the colours change, and nothing else. The same browser asks for less motion.
pub async fn in_dark(page: Page) {
    page.say("barriers, in dark");
    page.open(PAGING).await;
    page.assert_scheme(Scheme::Dark).await;
    something_can_be_seen(&page, Scheme::Dark).await;
    barriers::assert_none_in_this(&page, "in dark").await;
    page.assert_no_errors("in dark").await;
    if page.tells_all() {
        processors::in_dark(&page).await;
        relocation::in_dark(&page).await;
        text::in_dark(&page).await;
    }
    phone::in_dark(&page).await;
}

/// The bare address opens the host on which every control acts. Its steps turn four of them, one after the other, and each moves
/// throughput or quiesce time. Engines that do not tell all take the first step only.
async fn the_whole_machine(page: &Page) {
    page.say("the whole machine");
    const STOP: &str = "quiesce_time";
    let steps = [
        ("Turn zHPF for paging on", "etr", 1.5),
        ("SET CU: share the aliases 1:15", "etr", 1.5),
        ("SET SRM STORBUF 150 140 130", "etr", 1.05),
        ("Add a second chpid", STOP, 0.5),
    ];
    let taken = if page.tells_all() { steps.len() } else { 1 };
    for (label, figure, way) in steps.into_iter().take(taken) {
        let offered = format!("return document.querySelector('[data-testid=next-step]')?.textContent === '{label}'");
        page.until(&format!("the step {label:?}"), &offered).await;
        let before = page.figure(figure).await;
        page.click("[data-testid=next-step]").await;
        page.settled_from(figure, before).await;
        let after = page.figure(figure).await;
        let moved = if way > 1.0 { after > before * way } else { after < before * way };
        assert!(moved, "{label}: {figure} goes from {before} to {after}");
    }
    if taken == steps.len() {
        let made = "return document.querySelector('[data-testid=point]')?.textContent.includes('limits')";
        page.until("what limits in the end", made).await;
    }
    // Where workers share what WebKit compiles, one that ends slows down the others (static/boot.js).
    let own = page.run("return window.zvmlabEngine.then((engine) => [engine].flat()[0] instanceof ArrayBuffer)").await;
    assert_eq!(own, Value::Bool(page.engine() == Engine::WebKit), "whether each worker compiles the engine by itself");
    page.assert_no_errors("after the whole machine").await;
}

/// The files that the budget of bytes leaves out of a first visit are not loaded in one, by the page or its workers.
async fn a_first_visit_loads_no_more_than_it_needs(page: &Page) {
    let budget =
        std::fs::read_to_string(zvmlab_tests::root().join("tests/size-budget.toml")).expect("the budget can be read");
    let line = budget.lines().find(|line| line.starts_with("loaded_on_demand")).expect("it says what is loaded on demand");
    let names: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    assert!(!names.is_empty(), "no file is loaded on demand: {line}");
    page.at_rest().await;
    let asked = crate::asked();
    assert!(asked.iter().any(|path| path.ends_with("zvmlab_engine_bg.wasm")), "the server was not asked: {asked:?}");
    for name in names {
        assert!(
            !asked.iter().any(|one| one.ends_with(name) || name.ends_with('/') && one.contains(name)),
            "a first visit loads {name}; if it must, ./run first-visit: {asked:?}"
        );
    }
}

/// Once a reader has done something, the page has all its functions, and has loaded them.
async fn the_rest_has_come(page: &Page) {
    let asked = crate::asked();
    let count = asked.iter().filter(|path| path.ends_with("zvmlab_web_rest.wasm")).count();
    // Twice where a click came as soon as the first move.
    assert!((1..=2).contains(&count), "the rest of the program was asked for {count} times: {asked:?}");
    assert_eq!(page.run("return 'zvmlabWhole' in window").await, Value::Bool(false), "the page still waits for the rest");

    // What is opened first, before the part itself is there, stays open. Where the pointer rests on the page, Firefox may tell of a move as the
    // page opens: the part is then there before the click.
    page.run("localStorage.clear()").await;
    page.open("").await;
    page.click("#shelf-stand-in > summary, #shelf > summary").await;
    page.until("my hosts, open", "return document.getElementById('shelf')?.open === true").await;
    page.assert_no_errors("after the first act").await;
}

/// Turns zHPF on; the throughput rises. Published: 88,925 to 175,753 pages a second (6.4 paging page, V4DVY000 and
/// V4DVYH04), at equal pages a transaction. So it must rise by more than half, whatever the model's error. The link holds
/// this state.
async fn throughput_rises(page: &Page, first: &str, slow: f64) {
    page.say("zHPF on, throughput up");
    assert!(!page.is_on(ZHPF).await, "zHPF is on before anybody turned it on");
    page.click(ZHPF).await;
    let (_, fast) = page.settled_after(first).await;
    assert!(page.is_on(ZHPF).await, "zHPF does not stay on");
    assert!(fast > 1.5 * slow, "ETR rose from {slow} to {fast} only");
    let compared = page.text("[data-testid=\"compared\"]").await;
    assert!(compared.starts_with("Compared with A, V4DVY000 as opened: zHPF for paging off → on"), "{compared}");
    let link = page.link().await;
    assert!(link.contains("#v5/"), "the link does not carry the state: {link}");
    assert!(link.len() <= 4096, "the link has {} characters", link.len());
}

/// Goes back from the change and forward to it again, as the browser's buttons do.
async fn one_can_go_back(page: &Page, first: &str) {
    page.say("back and forth");
    let changed = page.etr().await.0;
    let etr = "document.querySelector('[data-testid=\"figure-etr\"]')?.dataset.value";
    page.run("history.back()").await;
    page.until("the result before the change", &format!("return {etr} === {}", Value::from(first))).await;
    assert!(!page.is_on(ZHPF).await, "going back leaves zHPF on");
    page.run("history.forward()").await;
    page.until("the result of the change", &format!("return {etr} === {}", Value::from(changed.as_str()))).await;
    assert!(page.is_on(ZHPF).await, "going forth again leaves zHPF off");
}

/// Opens the copied link and finds the same state and the same result, to the last digit.
async fn link_opens_the_same(page: &Page, link: &str) {
    page.say("the link opens the same");
    let (before, _) = page.etr().await;
    page.load(link).await;
    page.until("the result of the link", "return document.body?.dataset.ready === 'true'").await;
    assert!(page.is_on(ZHPF).await, "the link forgot zHPF: {link}");
    assert_eq!(page.etr().await.0, before, "the link opens another result");
    page.assert_no_errors("after the link").await;
}

/// The page and each chart show something.
async fn something_can_be_seen(page: &Page, scheme: Scheme) {
    page.say("a picture that is not blank");
    page.run("scrollTo(0, 0)").await;
    let png = page.screenshot().await;
    let name = format!("{}-{scheme:?}.png", page.engine().name()).to_lowercase();
    std::fs::write(pictures().join(name), &png).expect("target/ can be written");
    picture::assert_not_blank(&png);
    let ground = picture::brightness(picture::colours(&png)[0].0);
    assert_eq!(ground < 128.0, scheme == Scheme::Dark, "the page's ground has brightness {ground} in {scheme:?}");
    every_chart_is_drawn(page).await;
}

/// Charts out of sight may not be drawn yet, so each is brought into sight. An undrawn canvas has one colour, transparent
/// black.
async fn every_chart_is_drawn(page: &Page) {
    let count = page.run("return document.querySelectorAll('canvas').length").await.as_u64().unwrap_or_default();
    assert!(count > 0, "there is no chart on the page");
    for index in 0..count {
        let drawn = format!(
            "const canvas = document.querySelectorAll('canvas')[{index}];
             canvas.scrollIntoView({{ block: 'center' }});
             if (!canvas.width || !canvas.height) return false;
             const {{ data }} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
             return new Set(new Uint32Array(data.buffer)).size > 2"
        );
        page.until(&format!("chart {} of {count} to be drawn", index + 1), &drawn).await;
    }
}

/// Moves along a chart with the arrow keys, as a reader without a pointer does.
async fn a_chart_is_read_by_keys(page: &Page) {
    page.say("a chart read by keys");
    let read_out = "document.querySelector('figure.chart:has(canvas) .chart-readout').textContent";
    let before = page.run(&format!("return {read_out}")).await;
    page.run("document.querySelector('figure.chart canvas').focus()").await;
    page.element("figure.chart canvas").await.send_keys("\u{e014}").await.expect("a chart takes keys");
    page.until("the chart's read-out", &format!("return {read_out} !== {before} && /[0-9]/.test({read_out})")).await;
}

/// Runs the experiment live, pauses it and takes single events; reads the clock, which also counts events.
async fn live_run(page: &Page) {
    page.say("the live run");
    let clock =
        "(document.querySelector('.live .clock')?.textContent.match(/event ([0-9,]+)/)?.[1] ?? '').replaceAll(',', '')";
    let press = |name: &str| {
        format!("[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === '{name}').click()")
    };
    page.end_live("1").await;
    page.run(&press("Run")).await;
    page.until("the live run to get under way", &format!("return Number({clock}) > 1000")).await;
    page.run(&press("Pause")).await;
    // Answers of the worker from before the pause may still arrive.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let paused = page.run(&format!("return Number({clock})")).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(page.run(&format!("return Number({clock})")).await, paused, "a paused run goes on");
    page.run(&press("Single step")).await;
    let next = paused.as_f64().expect("a count is a number") + 1.0;
    page.until("one event more", &format!("return Number({clock}) === {next}")).await;
    page.assert_no_errors("after the live run").await;
    page.run(&press("Reset run")).await;
}

/// Types a number of aliases; the throughput rises further.
async fn aliases_by_number(page: &Page) {
    page.say("aliases by their number field");
    let (before, slower) = page.etr().await;
    page.fill("#knob-lcu-aliases-number", "8").await;
    let (_, faster) = page.settled_after(&before).await;
    assert!(faster > slower, "eight aliases took ETR from {slower} to {faster}");
    let slider = page.run("return document.querySelector('#knob-lcu-aliases').value").await;
    assert_eq!(slider, Value::from("8"), "slider and number field differ");
}

/// Sweeps the default knob over three values, does not stop it, and finds the lines drawn and their numbers in the table.
async fn a_knob_is_swept(page: &Page) {
    page.say("a sweep");
    // By script: charts that come into sight take their height, and would move the card away under the pointer.
    let give = "for (const [id, text] of [['sweep-to', '8'], ['sweep-step', '4']]) {
            const field = document.getElementById(id);
            field.value = text;
            field.dispatchEvent(new Event('change', { bubbles: true }));
        }";
    page.run(give).await;
    page.until("the fields to be taken", "return document.querySelector('#sweep-step').value === '4'").await;
    page.run("document.querySelector('#sweep-start').click()").await;
    page.until(
        "the sweep to end",
        "return document.querySelector('#sweep [role=status]')?.textContent === '6 of 6 experiments done.'",
    )
    .await;
    let drawn = "const canvas = document.querySelector('#chart-sweep canvas');
        canvas.scrollIntoView({ block: 'center' });
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size > 2";
    page.until("the lines of the sweep", drawn).await;
    page.run("document.querySelector('#chart-sweep details').open = true").await;
    let rows = "[...document.querySelectorAll('#chart-sweep tbody tr')].map((row) => row.textContent)";
    // Three values without zHPF and with it, besides the published runs and the bench.
    let of_the_model = format!("return {rows}.filter((row) => /model, (command mode|zHPF)/.test(row)).length === 6");
    page.until("the rows of the model", &of_the_model).await;
    let published = page.run(&format!("return {rows}.filter((row) => /V4DVYH04|V4DVY000/.test(row)).length")).await;
    assert_eq!(published, Value::from(2), "the published runs that lie on the lines are not in the table");
    barriers::assert_none(page, "after a sweep").await;
    page.assert_no_errors("after the sweep").await;
}

/// For a link that was cut off, or that holds no valid state, the page says so and still works.
async fn broken_links_are_named(page: &Page) {
    page.say("broken links");
    let link = page.link().await;
    let (_, fragment) = link.split_once('#').expect("the link has a fragment");
    let cut = &fragment[..fragment.len() * 2 / 3];
    let all = [cut, "v2/", "v2/%%%", "v99/abc", "nonsense"];
    for broken in &all[..if page.tells_all() { all.len() } else { 1 }] {
        page.open_to_an_alert(&format!("#{broken}")).await;
        let text = page
            .run(
                "return [...document.querySelectorAll('[role=alert]')].filter((e) => e.checkVisibility ? e.checkVisibility() : true)
                   .map((e) => e.textContent.trim()).join(' ')",
            )
            .await;
        let text = text.as_str().unwrap_or_default();
        assert!(text.to_lowercase().contains("link"), "#{broken}: the alert does not speak of the link: {text:?}");
        assert!(text.len() > 30, "#{broken}: the alert does not say what is wrong: {text:?}");
        page.assert_no_errors("after a broken link").await;
    }
}

/// A page on another level of the site embeds the lab and gets its result.
async fn embedding(page: &Page) {
    page.say("embedded from another folder");
    page.open_other(&format!("{EMBEDDERS}example.html")).await;
    let etr = "Number(document.querySelector('#etr')?.textContent)";
    page.until("the embedded result", &format!("return {etr} > 0")).await;
    let slow = page.run(&format!("return {etr}")).await.as_f64().expect("it is a number");
    page.click("#zhpf").await;
    page.until("the embedder's own knob to work", &format!("return {etr} > 1.5 * {slow}")).await;
    let trouble = page.run("return document.querySelector('#trouble').textContent").await;
    assert_eq!(trouble, Value::from(""), "the embedding page received a message about trouble");
}

/// The checks of the embed element; which of them this engine makes, checks.js says.
async fn the_element_keeps_its_promises(page: &Page) {
    page.say("what the embed element promises");
    let which = if page.tells_all() { "" } else { "?of=element" };
    page.open_other(&format!("{EMBEDDERS}checks.html{which}")).await;
    page.until("the checks of the embed element", "return document.body?.dataset.failed !== undefined").await;
    assert_eq!(page.run("return document.body.dataset.failed").await, Value::from("[]"), "promises that were not kept");
    // One check asks for a missing file, and Chromium's log says so; the log must hold nothing else.
    if page.engine() == Engine::Chromium {
        let log = page.severe_log().await;
        let expected = |entry: &Value| entry["message"].as_str().unwrap_or_default().contains("nowhere.toml");
        assert!(log.iter().all(expected), "errors in Chromium's log while the checks ran: {log:#?}");
    }
}

/// A page in a frame shows the question, what stands behind the host and what IBM measured, and is not wider than its frame.
async fn a_frame_says_what_to_trust(page: &Page) {
    page.say("what a frame says");
    for (rest, question, standing, measured) in [
        ("?embed=1", "What larger blocks", "IBM measured this host.", "judged figures lie within"),
        ("?embed=1&run=STORBUF", "Which guests wait", "This host was chosen by hand", "Nothing: this host is an example"),
    ] {
        page.open(rest).await;
        for (part, wanted) in [(".question", question), ("[data-testid=\"standing\"]", standing), (".published", measured)] {
            let text = page.text(part).await;
            assert!(text.contains(wanted), "{rest}, {part}: {text}");
        }
        let wider = page.run("return document.documentElement.scrollWidth > innerWidth").await;
        assert_eq!(wider, Value::Bool(false), "{rest} is wider than its frame");
    }
    page.assert_no_errors("embedded").await;
}

/// The checks for errors count only if they find an error that is there.
async fn errors_would_be_seen(page: &Page) {
    page.say("errors would be seen");
    page.open(PAGING).await;
    page.assert_no_errors("before there are any").await;
    let added = "const script = document.createElement('script'); script.{} = {}; document.body.append(script)";
    let add = |what: &str, value: String| added.replacen("{}", what, 1).replacen("{}", &Value::from(value).to_string(), 1);
    page.run(&add("src", format!("{OWN}fails.js"))).await;
    page.run(&add("textContent", "window.ran = true".into())).await;
    let recorded = |what: &str| format!("return window.zvmlabErrors.some((one) => JSON.stringify(one).includes('{what}'))");
    page.until("the recorded error", &recorded("made by the test")).await;
    page.until("the recorded violation", &recorded("script-src")).await;
    assert_eq!(
        page.run("return window.ran === undefined").await,
        Value::Bool(true),
        "an inline script ran despite the policy"
    );
}

/// A program that the browser stops starts again once with the same settings; the next time the page says what happened.
async fn a_stopped_program_starts_again(page: &Page) {
    page.say("a stopped program");
    page.open(PAGING).await;
    page.click(ZHPF).await;
    page.at_rest().await;
    let (link, etr) = (page.run("return location.hash").await, page.etr().await);
    // A script of the page: an error that a driver's script makes is none of the page's in Firefox.
    let stop = format!(
        "document.body.dataset.stopped = true;
         const script = document.createElement('script'); script.type = 'module'; script.src = '{OWN}stops.js?' + Math.random();
         document.body.append(script)"
    );
    page.run("sessionStorage.clear()").await;
    page.run(&stop).await;
    let again = "return document.body?.dataset.ready === 'true' && document.body.dataset.stopped === undefined";
    page.until("the program to start again", again).await;
    assert_eq!((page.run("return location.hash").await, page.etr().await), (link, etr), "the settings are kept");
    page.run(&stop).await;
    let told = "return document.querySelector('#trouble').textContent.includes('has stopped the program: made by the test')";
    page.until("the page to say so the second time", told).await;
}
