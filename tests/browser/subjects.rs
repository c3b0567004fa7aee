//! The subjects besides paging: SET CU by keys and by mouse, each subject from its link, and advice that the reader follows.

use serde_json::{Value, json};

use crate::barriers;
use crate::page::{CONSTRAINED, PAGING, Page};
use crate::shelf::hosts_are_kept;

/// The slider of SET CU.
const SHARE: &str = "#knob-lcu-alias_share";

/// The arrow to the right, towards PAGING.
const RIGHT: &str = "\u{e014}";

/// The whole test.
pub async fn all(page: &Page) {
    what_changed_is_taken_back(page).await;
    hosts_are_kept(page).await;
    if !page.tells_all() {
        return;
    }
    next_steps_make_the_point(page).await;
    an_experiment_that_takes_long_can_be_stopped(page).await;
    the_rule_for_linux_is_a_click_away(page).await;
    set_cu(page).await;
    a_knob_stays_under_the_hand(page).await;
    guest_zhpf_and_the_minidisk_cache(page).await;
    kinds_of_device(page).await;
    advice_is_followed(page).await;
}

/// Opens a subject by the page's link to it.
pub async fn open(page: &Page, title: &str) {
    let find = format!(
        "return [...document.querySelectorAll('nav.subjects a')].find((one) => one.textContent === {})?.getAttribute('href')",
        json!(title)
    );
    let href = page.run(&find).await;
    let href = href.as_str().unwrap_or_else(|| panic!("there is no link to {title}"));
    page.open(href).await;
    let current = page.run("return document.querySelector('nav.subjects a[aria-current]')?.textContent").await;
    assert_eq!(current, Value::from(title), "the link of {title} opens another subject");
}

/// On Paging aliases are on offer, more of them, then zHPF. Then the paths limit: there is no step any more, but the point in a sentence, and a
/// way back.
async fn next_steps_make_the_point(page: &Page) {
    page.say("next steps until the point is made");
    page.open(PAGING).await;
    let offers =
        |label: &str| format!("return document.querySelector('[data-testid=next-step]')?.textContent === '{label}'");
    for label in ["Add 4 HyperPAV aliases", "Use 8 aliases", "Turn zHPF on, with 4 aliases"] {
        page.until(&format!("the step {label:?}"), &offers(label)).await;
        page.click("[data-testid=next-step]").await;
    }
    let made = "return (document.querySelector('[data-testid=point]')?.textContent ?? '').includes('limit now') &&
       !document.querySelector('[data-testid=next-step]')";
    page.until("the point that the paths limit", made).await;
    let since = page.text("[data-testid=limit-since]").await;
    assert!(since.starts_with("The limit moved here from page volumes (in A "), "{since}");
    page.until("the focus in place of the last step", "return document.activeElement?.id === 'point'").await;
    page.run("document.querySelector('[data-testid=curve]').click()").await;
    let drawn = "const text = document.querySelector('#swept-chart')?.textContent ?? '';
       return text.includes('ETR over HyperPAV aliases') && document.querySelector('.sweep [role=status]')?.textContent.includes(' done.')";
    page.until("the curve over aliases", drawn).await;
    page.run("document.querySelector('[data-testid=way-back]').click()").await;
    page.until("the first step again", &offers("Add 4 HyperPAV aliases")).await;
    page.assert_no_errors("after the next steps").await;
}

/// What differs from A is listed. Undo takes it back, a knob's own button too, and a search finds a knob that is not shown.
async fn what_changed_is_taken_back(page: &Page) {
    page.say("what changed, undo and redo");
    page.open(PAGING).await;
    let changed = |what: &str| {
        format!("return [...document.querySelectorAll('.changed li')].map((one) => one.textContent).join() === '{what}'")
    };
    let way = |name: &str| {
        format!("[...document.querySelectorAll('.changed button')].find((one) => one.textContent === '{name}').click()")
    };
    page.click("[data-testid=next-step]").await;
    page.until("the change", &changed("HyperPAV aliases 0 → 4")).await;
    page.run(&way("Undo")).await;
    page.until("nothing that differs", &changed("")).await;
    page.run(&way("Redo")).await;
    page.until("the change again", &changed("HyperPAV aliases 0 → 4")).await;
    assert_eq!(page.value("#knob-lcu-aliases-number").await, "4");
    // The browser's way back is the same step, and so is a link to another host. The address is written with the result.
    page.at_rest().await;
    page.run("history.back()").await;
    page.until("what the browser took back", &changed("")).await;
    let redo = "[...document.querySelectorAll('.changed button')].find((one) => one.textContent === 'Redo').title";
    assert_eq!(page.run(&format!("return {redo}")).await, Value::from("Redo: HyperPAV aliases 0 → 4"));
    page.run("history.forward()").await;
    page.until("the change once more", &changed("HyperPAV aliases 0 → 4")).await;
    page.run("[...document.querySelectorAll('nav.subjects a')].find((one) => one.textContent === 'STORBUF').click()").await;
    page.until("another host", "return document.querySelector('#knob-scheduler-storbuf_1-number') !== null").await;
    page.at_rest().await;
    page.run(&way("Undo")).await;
    page.until("the host before the link, with its change", &changed("HyperPAV aliases 0 → 4")).await;
    // In the picture there is one more of each part.
    page.run("[...document.querySelectorAll('.machine button')].find((one) => one.textContent === 'Build').click()").await;
    // On a busy machine the picture is drawn a moment after the list of what changed.
    let fewer = ".handle[aria-label='HyperPAV aliases 4 → 3']";
    page.element(fewer).await;
    page.run(&format!(
        "document.querySelector({}).dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))",
        json!(fewer)
    ))
    .await;
    page.until("one alias fewer", &changed("HyperPAV aliases 0 → 3")).await;
    barriers::assert_none(page, "while the picture is built on").await;
    page.run(&way("Undo")).await;
    page.until("four again", &changed("HyperPAV aliases 0 → 4")).await;
    page.click(".knob-head > .was").await;
    page.until("the value of A", &changed("")).await;
    // A size may have its unit, and one without it is asked about.
    let central = "#knob-storage-central_mb-number";
    page.fill(central, "256").await;
    page.click(".doubt button").await;
    page.until("256 GB instead of 256 MB", &changed("Central storage 128 GB → 256 GB")).await;
    page.fill(central, "131,072 mb").await;
    page.until("the size with its unit", &changed("")).await;
    let groups = "document.querySelectorAll('fieldset[id^=\"knobs-guests-\"]').length";
    page.click("[aria-label^=\"Add guests like these\"]").await;
    page.until("a second group", &format!("return {groups} === 2")).await;
    page.run(&way("Undo")).await;
    page.until("one group again", &format!("return {groups} === 1")).await;
    page.fill(".seek", "warm-up").await;
    page.until("the knob of the warm-up alone", "return [...document.querySelectorAll('.knob')].length === 1").await;
    page.fill(".seek", "no such knob").await;
    page.until("no knob", "return document.querySelector('.seek + .help')?.textContent.startsWith('No knob')").await;
    page.assert_no_errors("after changes were taken back").await;
}

/// As long as a large host runs, the page says how far it is and shows it. Who stops it can let it go on where it was.
async fn an_experiment_that_takes_long_can_be_stopped(page: &Page) {
    page.say("an experiment that is stopped");
    page.open(PAGING).await;
    // An interval of an hour takes longer than anybody's patience.
    page.fill(".seek", "interval").await;
    let before = page.run("return location.hash").await;
    page.fill("#knob-measure-interval_s-number", "3600").await;
    let said =
        |what: &str| format!("return (document.querySelector('.run-progress')?.textContent ?? '').startsWith('{what}')");
    page.until("how far it is", &said("Interval: ")).await;
    let part = page.run("return document.querySelector('.run-progress progress').value").await.as_f64().expect("a number");
    assert!((0.0..1.0).contains(&part), "{part}");
    // First figures come with their interval, and the address has the change although it has no result.
    let first = "return document.querySelector('[data-testid=early-etr] + .half')?.textContent.startsWith('±') === true";
    page.until("a first figure with its interval", first).await;
    assert_ne!(page.run("return location.hash").await, before, "the change is in the address");
    page.click(".run-progress button").await;
    page.until("that it was stopped", &said("Stopped.")).await;
    // Another number of runs does not end that.
    for count in ["5", "1"] {
        page.choose("#replications", count).await;
        page.until("that it still is", &said("Stopped.")).await;
    }
    page.click(".run-progress button").await;
    // The words stay. One that began anew would fill storage, and warm up, first.
    page.until("how far it is again", "return document.querySelector('.run-progress progress') !== null").await;
    assert_eq!(page.run(&said("Interval: ")).await, Value::Bool(true), "it goes on in its interval");
    let again = page.run("return document.querySelector('.run-progress progress').value").await;
    assert!(again.as_f64().is_some_and(|again| again >= part), "{again} after {part}");
    let further = format!("return document.querySelector('.run-progress progress').value > {again}");
    page.until("that it gets further", &further).await;
    assert_eq!(page.run(&said("Interval: ")).await, Value::Bool(true), "it goes on in its interval");
    page.click(".run-progress button").await;
    page.assert_no_errors("after a stopped experiment").await;
}

/// The host of STORBUF that is short of storage leads to the one that shows the rule for Linux. There the rule stands beside the
/// host before and after the step that keeps it.
async fn the_rule_for_linux_is_a_click_away(page: &Page) {
    page.say("the rule for Linux");
    page.open(CONSTRAINED).await;
    page.click("[data-testid=rule-host]").await;
    for said in ["Here STORBUF is 125 105 95", "This host keeps it."] {
        let told = format!("return (document.querySelector('[data-testid=rule]')?.textContent ?? '').includes('{said}')");
        page.until(said, &told).await;
        let offers = "return (document.querySelector('[data-testid=next-step]')?.textContent ?? '').includes('STORBUF')";
        page.until("the next numbers", offers).await;
        page.click("[data-testid=next-step]").await;
    }
    page.assert_no_errors("at the rule for Linux").await;
}

/// The subject's link opens `run`, with these figures; so does the link that the page then has.
pub async fn begins_at(page: &Page, title: &str, run: &str, figures: &[&str]) {
    open(page, title).await;
    assert_eq!(page.value("#experiment").await, run, "{title} begins at another run");
    let before = shown(page, figures).await;
    assert!(before.iter().all(|value| *value > 0.0), "{title}: {figures:?} are {before:?}");
    if page.tells_all() {
        opens_again(page).await;
        assert_eq!(shown(page, figures).await, before, "{title}: the link opens another result");
    }
    barriers::assert_none(page, &format!("in the subject {title}")).await;
    page.assert_no_errors(&format!("in the subject {title}")).await;
}

/// The settled values of main figures.
pub async fn shown(page: &Page, figures: &[&str]) -> Vec<f64> {
    let mut values = Vec::new();
    for figure in figures {
        values.push(page.figure(figure).await);
    }
    values
}

/// Opens the link that the page has now.
pub async fn opens_again(page: &Page) {
    let link = page.link().await;
    page.load(&link).await;
    page.until("the result of the link", "return document.body?.dataset.ready === 'true'").await;
}

/// The aliases that both claimants hold and the throughput that they achieve.
#[derive(Debug)]
struct Shares {
    share: String,
    mdisk: f64,
    paging: f64,
    mdisk_etr: f64,
    paging_etr: f64,
}

impl Shares {
    async fn shown(page: &Page) -> Shares {
        let share = page.run(&format!("return document.querySelector('{SHARE}-text').value")).await;
        Shares {
            share: share.as_str().unwrap_or_default().to_string(),
            mdisk: page.figure("mdisk_aliases").await,
            paging: page.figure("paging_aliases").await,
            mdisk_etr: page.figure("mdisk_etr").await,
            paging_etr: page.figure("etr").await,
        }
    }

    /// Asserts the effect of a turn towards paging; `self` is after the turn.
    fn is_further_towards_paging(&self, before: &Shares) {
        assert!(self.mdisk < before.mdisk && self.paging > before.paging, "aliases: {before:?}, then {self:?}");
        assert!(self.mdisk_etr < before.mdisk_etr && self.paging_etr > before.paging_etr, "ETR: {before:?}, then {self:?}");
        assert!((self.mdisk + self.paging - 16.0).abs() < 0.2, "sixteen aliases are shared out: {self:?}");
    }
}

/// Turns one control from the middle towards PAGING with keys and towards MDISK with the mouse; figures and curves follow.
async fn set_cu(page: &Page) {
    page.say("SET CU");
    begins_at(page, "SET CU", "QRBKW055", &["mdisk_etr", "etr", "mdisk_aliases", "paging_aliases"]).await;
    let middle = Shares::shown(page).await;
    assert_eq!(middle.share, "8:8");
    let curves = Curves::shown(page).await;
    curves.cross(16.0);

    page.say("SET CU by keys");
    page.keys(SHARE, &RIGHT.repeat(4)).await;
    page.until("the share to follow the keys", &format!("return document.querySelector('{SHARE}-text').value === '4:12'"))
        .await;
    page.settled_from("mdisk_aliases", middle.mdisk).await;
    let by_keys = Shares::shown(page).await;
    assert_eq!(by_keys.share, "4:12");
    by_keys.is_further_towards_paging(&middle);
    let spoken = page.run(&format!("return document.querySelector('{SHARE}').getAttribute('aria-valuetext')")).await;
    assert_eq!(spoken, Value::from("4 to 12, MDISK to PAGING"));
    page.until("the chart to mark where the bench stands", &readout_says("4:12")).await;

    page.say("SET CU by mouse");
    page.drag(SHARE, 0.1).await;
    page.settled_from("mdisk_aliases", by_keys.mdisk).await;
    let by_mouse = Shares::shown(page).await;
    let mdisk: u32 = by_mouse.share.split(':').next().and_then(|mdisk| mdisk.parse().ok()).expect("a share");
    assert!(mdisk >= 12, "the thumb was dragged close to the end of MDISK: {}", by_mouse.share);
    middle.is_further_towards_paging(&by_mouse);
    page.until("the chart to mark where the bench stands", &readout_says(&by_mouse.share)).await;
    assert_eq!(Curves::shown(page).await, curves, "the curves are those of all ratios, wherever the control stands");

    page.say("SET CU with half the aliases");
    page.fill("#knob-lcu-aliases-number", "8").await;
    page.settled_from("mdisk_aliases", by_mouse.mdisk).await;
    assert!(page.figure("mdisk_aliases").await + page.figure("paging_aliases").await < 8.2, "eight aliases are shared out");
    let fewer = Curves::shown(page).await;
    fewer.cross(8.0);
    let less = fewer.mdisk_etr.iter().zip(&curves.mdisk_etr).filter(|(fewer, curves)| fewer < curves).count();
    assert!(less > 10, "with half the aliases minidisk I/O achieves less: {curves:?}, then {fewer:?}");
    barriers::assert_none(page, "after SET CU").await;
    page.assert_no_errors("after SET CU").await;
}

/// Turns the guests' I/O off in the field of its records: field, focus and subject stay, and the reader can turn it on
/// again.
async fn a_knob_stays_under_the_hand(page: &Page) {
    page.say("a knob stays under the hand");
    open(page, "SET CU").await;
    const RECORDS: &str = "#knob-guests-io_records-number";
    let backspace = "\u{e003}";
    page.keys(RECORDS, &format!("{backspace}0")).await;
    page.until("a host without minidisk I/O", &format!("return {} === undefined", value_of("mdisk_etr"))).await;
    page.at_rest().await;
    let focused =
        page.run(&format!("return document.activeElement?.matches('{RECORDS}') && document.activeElement.value")).await;
    assert_eq!(focused, Value::from("0"), "the field lost the focus");
    let subject = page.run("return document.querySelector('nav.subjects a[aria-current]')?.textContent").await;
    assert_eq!(subject, Value::from("SET CU"), "the subject went with the I/O");
    page.keys(RECORDS, &format!("{backspace}3")).await;
    page.until("minidisk I/O again", &format!("return Number({}) > 0", value_of("mdisk_etr"))).await;
    page.at_rest().await;
    page.assert_no_errors("after I/O was turned off and on").await;
}

/// Whether the chart of aliases, once in sight, reads out the ratio of the bench.
fn readout_says(share: &str) -> String {
    format!(
        "const chart = document.querySelector('#chart-set-cu-aliases');
         chart.scrollIntoView({{ block: 'center' }});
         return chart.querySelector('.chart-readout')?.textContent.includes('{share}')"
    )
}

/// The curves of the model over all ratios, from 15:1 to 1:15.
#[derive(Debug, PartialEq)]
struct Curves {
    mdisk: Vec<f64>,
    paging: Vec<f64>,
    mdisk_etr: Vec<f64>,
    paging_etr: Vec<f64>,
}

impl Curves {
    /// Waits until they are the curves of the bench, and reads them from the tables under the charts.
    async fn shown(page: &Page) -> Curves {
        let study = "document.querySelector('section[data-study=\"set-cu\"]')";
        // Where a run takes more than two seconds, as in a browser that shares the machine, the page asks before it runs the rest.
        let consent = format!(
            "[...({study}?.querySelectorAll('button') ?? [])].find((one) => one.textContent === 'Run the rest')?.click()"
        );
        page.until("all ratios of SET CU", &format!("{consent}; return {study}?.dataset.fresh === 'true'")).await;
        let took = page.run(&format!("return {study}.dataset.tookMs ?? '0'")).await;
        page.say(&format!("SET CU, all ratios, in the page: {} ms", took.as_str().unwrap_or_default()));
        Curves {
            mdisk: column(page, "set-cu-aliases", "MDISK (aliases)").await,
            paging: column(page, "set-cu-aliases", "PAGING (aliases)").await,
            mdisk_etr: column(page, "set-cu-etr", "MDISK (tx/s)").await,
            paging_etr: column(page, "set-cu-etr", "PAGING (tx/s)").await,
        }
    }

    /// Asserts what must hold at every place: as MDISK's share falls, MDISK holds less and achieves less, and paging more;
    /// together they hold the pool.
    fn cross(&self, pool: f64) {
        for values in [&self.mdisk, &self.paging, &self.mdisk_etr, &self.paging_etr] {
            assert_eq!(values.len(), 15, "a curve has fifteen ratios: {self:?}");
        }
        let (first, last) = (0, 14);
        assert!(self.mdisk[first] > self.mdisk[last] && self.mdisk_etr[first] > self.mdisk_etr[last], "{self:?}");
        assert!(self.paging[first] < self.paging[last] && self.paging_etr[first] < self.paging_etr[last], "{self:?}");
        for (mdisk, paging) in self.mdisk.iter().zip(&self.paging) {
            assert!((mdisk + paging - pool).abs() < 0.2, "{pool} aliases are shared out: {self:?}");
        }
    }
}

/// The numbers of one column of the table under a chart.
async fn column(page: &Page, chart: &str, heading: &str) -> Vec<f64> {
    let table = format!("document.querySelector('#chart-{chart} table')");
    page.run(&format!("document.querySelector('#chart-{chart} details').open = true")).await;
    page.until(&format!("the table of {chart}"), &format!("return {table}?.tBodies[0]?.rows.length > 0")).await;
    let script = format!(
        "const at = [...{table}.tHead.rows[0].cells].findIndex((cell) => cell.textContent === {});
         return [...{table}.tBodies[0].rows].map((row) => Number(row.cells[at]?.textContent.replaceAll(',', '') || NaN))",
        json!(heading)
    );
    let numbers = page.run(&script).await;
    let numbers: Option<Vec<f64>> = numbers.as_array().and_then(|all| all.iter().map(Value::as_f64).collect());
    numbers.unwrap_or_else(|| panic!("{chart} has no full column {heading}"))
}

/// Turns zHPF on for a guest whose minidisk is in the cache: the service time falls, but every read now goes to the volume,
/// and the page says that the cache is off.
async fn guest_zhpf_and_the_minidisk_cache(page: &Page) {
    page.say("guest zHPF");
    begins_at(page, "Guest zHPF", "JB001238", &["mdisk_volume_rate", "mdisk_service_time", "mdisk_cp_time"]).await;
    let service = page.figure("mdisk_service_time").await;
    page.click("#knob-guests-io_zhpf").await;
    page.settled_from("mdisk_service_time", service).await;
    assert!(page.figure("mdisk_service_time").await < service, "transport mode serves an I/O sooner");

    page.say("guest zHPF switches the minidisk cache off");
    page.click("#knob-guests-io_zhpf").await;
    page.until("command mode", &format!("return Number({}) === {service}", value_of("mdisk_service_time"))).await;
    page.click("button.more").await;
    page.fill("#knob-guests-minidisk_mb-number", "100").await;
    page.fill("#knob-minidisks-mdc_mb-number", "2048").await;
    page.until("the minidisk cache", &format!("return Number({}) > 0", value_of("mdisk_etr"))).await;
    page.at_rest().await;
    let cached = page.figure("mdisk_etr").await;
    assert_eq!(page.run(MDC_IS_OFF).await, Value::Bool(false), "the cache is on in command mode");
    page.click("#knob-guests-io_zhpf").await;
    page.until("the word that the minidisk cache is off", MDC_IS_OFF).await;
    page.at_rest().await;
    let uncached = page.figure("mdisk_etr").await;
    assert!(uncached < cached, "what the cache would have had costs I/O: {cached}, then {uncached}");
    page.assert_no_errors("after guest zHPF").await;
}

/// Whether the page says that transport mode switched the cache off.
const MDC_IS_OFF: &str =
    "return /Disabled by Transport Mode I\\/O/.test(document.querySelector('[data-testid=\"mdc-off\"]')?.textContent ?? '')";

pub fn value_of(figure: &str) -> String {
    format!("document.querySelector('[data-testid=\"figure-{figure}\"]')?.dataset.value")
}

/// Puts page space on solid state disk; its service time falls.
async fn kinds_of_device(page: &Page) {
    page.say("kinds of device");
    begins_at(page, "Kinds of device", "LPAR1 w/o DS8870", &["paging_response", "service_time"]).await;
    let spinning = page.figure("service_time").await;
    page.choose("#knob-paging-kind", "ECKD SSD").await;
    page.settled_from("service_time", spinning).await;
    let ssd = page.figure("service_time").await;
    assert!(ssd < spinning, "service time goes from {spinning} to {ssd} ms");
    page.assert_no_errors("after another kind of device").await;
}

/// The published host has fewer page volumes than processors: the page says so, and what more volumes would do.
async fn advice_is_followed(page: &Page) {
    page.say("advice is followed");
    page.open(PAGING).await;
    let (before, slow) = page.etr().await;
    page.run("document.querySelector('#adviser').open = true").await;
    let broken = "[...document.querySelectorAll('#adviser .rule h3')].map((one) => one.textContent)";
    let rules = page.run(&format!("return {broken}")).await;
    let follow = "#adviser .rule .follow button";
    let first = rules[0].as_str().expect("V4DVY000 breaks a rule");
    barriers::assert_none(page, "with best practice open").await;
    page.click(follow).await;
    let (_, fast) = page.settled_after(&before).await;
    assert!(fast > slow, "following {rules} took ETR from {slow} to {fast}");
    // Another rule may be broken now: with more page volumes the channel paths limit.
    let kept = format!("return !{broken}.includes({})", json!(first));
    page.until("the rule to be kept", &kept).await;
    let pinned = page.run("return document.querySelector('.compared').textContent").await;
    assert!(pinned.as_str().is_some_and(|text| text.contains("pinned")), "the result before stays beside: {pinned}");
    page.assert_no_errors("after advice was followed").await;
}
