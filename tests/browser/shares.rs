//! Shares: a changed host opens again from its link; the page refuses an invalid share in words, and loses nothing.

use serde_json::{Value, json};

use crate::page::Page;
use crate::subjects::{opens_again, shown};

/// The field of the first group's absolute share.
const SHARE: &str = "#knob-guests-share_absolute-number";

/// The figures of what each of the three groups gets.
const FIGURES: &[&str] = &["group_1_cpu", "group_2_cpu", "group_3_cpu"];

/// The whole test.
pub async fn all(page: &Page) {
    a_changed_share_is_in_the_link(page).await;
    a_share_that_is_none_is_refused(page).await;
    a_link_with_a_share_that_is_none_is_named(page).await;
}

/// A published host whose limit goes by the deadlines of shares, with a changed share: its link opens the same host with the same figures.
async fn a_changed_share_is_in_the_link(page: &Page) {
    page.say("a changed share");
    page.open("?run=SUM-DEADLINE").await;
    let before = shown(page, FIGURES).await;
    page.fill(SHARE, "12.5").await;
    page.settled_from("group_1_cpu", before[0]).await;
    let changed = shown(page, FIGURES).await;
    assert!(changed[0] < before[0], "a smaller share takes the CPU of the group from {before:?} to {changed:?}");
    opens_again(page).await;
    assert_eq!(page.value(SHARE).await, "12.5", "the link forgot the share");
    assert_eq!(shown(page, FIGURES).await, changed, "the link opens another result");
    let subject = page.text("nav.subjects a[aria-current]").await;
    assert!(subject.starts_with("Shares"), "the link opens another subject: {subject}");
    page.assert_no_errors("after a share was changed").await;
}

/// The field keeps an invalid share, with the allowed values beside it. Result and other knobs stay, and so does the way
/// back.
async fn a_share_that_is_none_is_refused(page: &Page) {
    page.say("shares that are none");
    let before = shown(page, FIGURES).await;
    let address = page.link().await;
    let others = "[...document.querySelectorAll('form.knobs input, form.knobs select')]
        .filter((one) => !one.id.startsWith('knob-guests-share_absolute') || /-[23]/.test(one.id)).map((one) => one.value)";
    let others_before = page.run(&format!("return {others}")).await;
    let problem = SHARE.replace("-number", "-problem");
    for given in ["0", "101", "12.345", "abc"] {
        page.fill(SHARE, given).await;
        let said = format!("return document.querySelector('{problem}').textContent !== ''");
        page.until(&format!("a word on the share {given}"), &said).await;
        let said = page.text(&problem).await;
        // A browser may refuse letters in a field for numbers; the field is then empty.
        let kept = page.value(SHARE).await;
        assert!(kept == given || kept.is_empty() && given == "abc", "{given}: the field holds {kept:?}");
        assert!(said.contains(given) || kept.is_empty() && said.contains("othing"), "what was given, {given}: {said}");
        assert!(said.contains("0.1") && said.contains("100"), "what is allowed, at {given}: {said}");
        let invalid = page.run(&format!("return document.querySelector('{SHARE}').getAttribute('aria-invalid')")).await;
        assert_eq!(invalid, Value::from("true"), "{given}: the field is not marked");
        let named = page
            .run(&format!(
                "const field = document.querySelector('{SHARE}');
                 return /share/i.test(field.getAttribute('aria-label')) && field.getAttribute('aria-describedby').includes('{}')",
                problem.trim_start_matches('#')
            ))
            .await;
        assert_eq!(named, Value::Bool(true), "{given}: the message is not that of a named field");
        assert_eq!(shown(page, FIGURES).await, before, "{given}: the last result is gone");
        assert_eq!(page.run(&format!("return {others}")).await, others_before, "{given}: other knobs changed");
    }
    page.fill(SHARE, "12.5").await;
    let gone = format!("return document.querySelector('{problem}').textContent === ''");
    page.until("the problem to be gone", &gone).await;
    page.at_rest().await;
    assert_eq!(shown(page, FIGURES).await, before, "the way back leads elsewhere");
    assert_eq!(page.link().await, address, "the address is another");
    page.assert_no_errors("after texts that are not shares").await;
}

/// A link with an invalid share: the page names the field, the given value and the allowed ones, and keeps the link.
async fn a_link_with_a_share_that_is_none_is_named(page: &Page) {
    page.say("a link with a share that is none");
    let link = page.link().await;
    for wrong in ["0", "101", "12.345", "\"abc\""] {
        let script = format!(
            "const text = {}.split('#')[1].split('/')[1].split('.')[0];
             const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
             const wrong = plain.replace(/(\"share_absolute\":)12\\.5/, (all, name) => name + {});
             if (wrong === plain) return '';
             // Links of version 3 had no checksum: somebody may have written one by hand.
             return 'v3/' + btoa(wrong).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')",
            json!(link),
            json!(wrong)
        );
        let fragment = page.run(&script).await;
        let fragment = fragment.as_str().filter(|text| !text.is_empty()).expect("the link has the share");
        page.open_to_an_alert(&format!("#{fragment}")).await;
        let said = page.text("[role=alert]").await;
        let given = wrong.trim_matches('"');
        assert!(said.contains("share_absolute"), "the field, at {given}: {said}");
        assert!(said.contains(given), "what was given, {given}: {said}");
        assert!(said.contains("0.1") && said.contains("100"), "what is allowed, at {given}: {said}");
        assert!(page.link().await.ends_with(fragment), "{given}: the link is gone from the address");
        page.assert_no_errors("after a link whose share is not a share").await;
    }
}
