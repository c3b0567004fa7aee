//! What a visitor does, and what must happen then.

use serde_json::Value;

use crate::driver::Scheme;
use crate::page::Page;
use crate::{EMBEDDERS, OWN, barriers, picture, pictures};

/// The switch of the published experiment.
const ZHPF: &str = "#knob-paging-zhpf";

/// The whole story.
pub async fn in_light(page: Page) {
    page.say("the first result");
    page.open("").await;
    page.assert_scheme(Scheme::Light).await;
    let (first, slow) = page.etr().await;
    page.assert_no_errors("after the first result").await;

    let link = throughput_rises(&page, &first, slow).await;
    link_opens_the_same(&page, &link).await;
    something_can_be_seen(&page, Scheme::Light).await;

    page.say("barriers, in light");
    barriers::assert_none(&page, "in light").await;
    page.assert_no_errors("after the story").await;

    aliases_by_number(&page).await;
    broken_links_are_named(&page, &link).await;
    embedding(&page).await;

    page.say("320 px");
    barriers::assert_narrow(&page).await;
    errors_would_be_seen(&page).await;
}

/// What the colours change: nothing but colours.
pub async fn in_dark(page: Page) {
    page.say("barriers, in dark");
    page.open("").await;
    page.assert_scheme(Scheme::Dark).await;
    something_can_be_seen(&page, Scheme::Dark).await;
    barriers::assert_none(&page, "in dark").await;
    page.assert_no_errors("in dark").await;
}

/// Turns zHPF on and sees the throughput rise. Published: 88,925 to 175,753 pages a second (6.4 paging page, V4DVY000 and
/// V4DVYH04), at equal pages a transaction; so by more than half, whatever the model's error. Gives the link to this state.
async fn throughput_rises(page: &Page, first: &str, slow: f64) -> String {
    page.say("zHPF on, throughput up");
    assert!(!page.is_on(ZHPF).await, "zHPF is on before anybody turned it on");
    page.click(ZHPF).await;
    let (_, fast) = page.settled_after(first).await;
    assert!(page.is_on(ZHPF).await, "zHPF does not stay on");
    assert!(fast > 1.5 * slow, "ETR rose from {slow} to {fast} only");
    let link = page.link().await;
    assert!(link.contains("#v1/"), "the link does not carry the state: {link}");
    assert!(link.len() <= 4096, "the link has {} characters", link.len());
    link
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

/// Something is drawn: on the page and on each chart.
async fn something_can_be_seen(page: &Page, scheme: Scheme) {
    page.say("a picture that is not blank");
    page.run("scrollTo(0, 0)").await;
    let png = page.screenshot().await;
    let name = format!("{}-{scheme:?}.png", page.engine().name()).to_lowercase();
    std::fs::write(pictures().join(name), &png).expect("target/ can be written");
    picture::assert_not_blank(&png);
    let ground = picture::brightness(picture::colours(&png)[0].0);
    assert_eq!(ground < 128.0, scheme == Scheme::Dark, "the page's ground has brightness {ground} in {scheme:?}");
    // A canvas that nobody drew on has one colour, transparent black.
    let drawn = "return [...document.querySelectorAll('canvas')].filter((canvas) => canvas.width && canvas.offsetParent)
        .map((canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        })";
    let colours = page.run(drawn).await;
    let colours = colours.as_array().expect("a list of counts");
    assert!(!colours.is_empty(), "there is no chart on the page");
    assert!(colours.iter().all(|count| count.as_u64() > Some(2)), "colours of each chart: {colours:?}");
}

/// Types a number of aliases and sees the throughput rise further.
async fn aliases_by_number(page: &Page) {
    page.say("aliases by their number field");
    let (before, slower) = page.etr().await;
    page.fill("#knob-paging-aliases-number", "8").await;
    let (_, faster) = page.settled_after(&before).await;
    assert!(faster > slower, "eight aliases took ETR from {slower} to {faster}");
    let slider = page.run("return document.querySelector('#knob-paging-aliases').value").await;
    assert_eq!(slider, Value::from("8"), "slider and number field differ");
}

/// A link that was cut off, or whose state is not one, says so and still shows a page.
async fn broken_links_are_named(page: &Page, link: &str) {
    page.say("broken links");
    let (_, fragment) = link.split_once('#').expect("the link has a fragment");
    let cut = &fragment[..fragment.len() * 2 / 3];
    for broken in [cut, "v1/", "v1/%%%", "v99/abc", "nonsense"] {
        page.open(&format!("#{broken}")).await;
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
    page.until("the embedded result", "return Number(document.querySelector('#etr')?.textContent) > 0").await;
}

/// The checks for errors are worth something only if an error would be seen.
async fn errors_would_be_seen(page: &Page) {
    page.say("errors would be seen");
    page.open("").await;
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
