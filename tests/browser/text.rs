//! The pane *As text*: the host in both directions, the editor's keys, and the plain field where the editor cannot be loaded.

use std::time::Duration;

use serde_json::{Value, json};

use crate::driver::Scheme;
use crate::page::{PAGING, Page};
use crate::{FAILING, barriers};

/// The editor's file.
const EDITOR: &str = "dist/static/editor.js";

/// The knob of the aliases.
const ALIASES: &str = "#knob-lcu-aliases-number";

/// A script's text of the pane, in the editor or in the plain field.
const TEXT: &str = "(document.querySelector('textarea#editor-text')?.value ??
    [...document.querySelectorAll('#editor .cm-line')].map((line) => line.textContent).join('\\n'))";

/// Whether the page was built with its editor. Without npm it has none, and CI=true makes that a failure of the build.
fn has_editor(page: &Page) -> bool {
    let is_there = zvmlab_tests::root().join(EDITOR).is_file();
    if !is_there {
        page.say("the page was built without its editor: only the plain field is tested");
    }
    is_there
}

/// The whole test.
pub async fn all(page: &Page) {
    page.say("a host as text");
    page.open(PAGING).await;
    page.fill(ALIASES, "6").await;
    page.click("#editor summary").await;
    if !has_editor(page) {
        both_ways_in_a_field(page).await;
        return;
    }
    page.until("the editor", "return document.querySelector('#editor .cm-content[aria-label]') !== null").await;
    page.until("its text", &has("aliases = 6")).await;
    change(page, "aliases = 6", "6", "999").await;
    page.until("what is wrong, at its line", &says("/Line \\d+ lcu.aliases: 999 given/")).await;
    let marked = "document.querySelector('#editor .cm-lintRange-error')?.textContent.includes('aliases = 999')";
    page.until("the line, marked", &format!("return {marked} === true")).await;
    assert_eq!(page.value(ALIASES).await, "6", "the bench stays");
    change(page, "aliases = 999", "999", "7 # mine").await;
    page.until("the knob", &stands_at("7")).await;
    page.fill(ALIASES, "8").await;
    page.until("the text of the knob, with the reader's comment", &has("aliases = 8 # mine")).await;
    undone_here_and_there(page).await;
    completed(page).await;
    page.strike("\u{e004}").await;
    let outside = "return document.querySelector('#editor .cm-editor')?.contains(document.activeElement) === false";
    page.until("Tab to leave the text", outside).await;
    // The pane opens where it was left.
    page.click("#editor summary").await;
    page.click("#editor summary").await;
    page.until("the same text", &has("zhpf = false")).await;
    page.at_rest().await;
    barriers::assert_none_in_this(page, "with the text open").await;
    page.assert_no_errors("after a host was written").await;
}

/// In the text, undo takes back the last change of the text; outside it, the last step of the bench.
async fn undone_here_and_there(page: &Page) {
    choose(page, "aliases = 8", "8").await;
    page.strike_with_ctrl('z').await;
    page.until("the text before the knob", &has("aliases = 7 # mine")).await;
    page.until("the knob before", &stands_at("7")).await;
    page.run("document.querySelector('#editor summary').focus()").await;
    page.strike_with_ctrl('z').await;
    page.until("the knob as it was", &stands_at("8")).await;
    page.until("its text", &has("aliases = 8 # mine")).await;
}

/// A name that is begun is completed, with words on it. Below the text stands what the line of the caret is about.
async fn completed(page: &Page) {
    choose(page, "[paging]", "]").await;
    page.strike("\u{e010}\u{e007}zh").await;
    let offered =
        "document.querySelector('#editor .cm-tooltip-autocomplete [aria-selected]')?.textContent.startsWith('zhpf')";
    page.until("a name", &format!("return {offered} === true")).await;
    let told = "return document.querySelector('#editor .cm-completionInfo')?.textContent.includes('zHPF') === true";
    page.until("words on it", told).await;
    barriers::assert_none(page, "with a name on offer").await;
    // An editor takes no key for a list that has just come.
    tokio::time::sleep(Duration::from_millis(300)).await;
    page.strike("\u{e007}").await;
    page.until("the whole line", &has("zhpf = false")).await;
    let about = "return document.querySelector('#editor .about strong')?.textContent.startsWith('zHPF for paging') === true";
    page.until("what the line is about", about).await;
}

/// The same in dark.
pub async fn in_dark(page: &Page) {
    page.say("a host as text, in dark");
    page.open(PAGING).await;
    page.assert_scheme(Scheme::Dark).await;
    page.click("#editor summary").await;
    if !has_editor(page) {
        return;
    }
    page.until("the text", &has("[paging]")).await;
    choose(page, "[paging]", "]").await;
    page.strike("\u{e010}\u{e007}zh").await;
    page.until("what is wrong", &says("/Line \\d+ the text is not TOML/")).await;
    barriers::assert_none(page, "with a wrong text, in dark").await;
    page.assert_no_errors("with a wrong text, in dark").await;
}

/// Where the editor cannot be loaded, a plain field does its work, and the page says so. What is written before the editor has come
/// stays.
pub async fn without_its_editor(page: &Page) {
    page.say("text without its editor");
    let open = async |fault: &str| {
        page.open_other(&format!("{FAILING}{fault}/static|editor.js/lab/{PAGING}")).await;
        page.until("the page", "return document.body?.dataset.ready === 'true'").await;
        page.fill(ALIASES, "6").await;
        page.click("#editor summary").await;
    };
    for fault in ["missing", "short", "offline"] {
        open(fault).await;
        let why = "return [...document.querySelectorAll('#editor .help')].some((one) => one.textContent.includes('cannot be loaded') && one.textContent.includes('nothing is lost'))";
        page.until(&format!("{fault}: that the editor is missing"), why).await;
    }
    both_ways_in_a_field(page).await;
    let errors = page.run("return window.zvmlabErrors").await;
    assert_eq!(errors, json!([]), "a page without its editor");
    if has_editor(page) {
        open("slow").await;
        page.until("a field meanwhile", "return document.querySelector('textarea#editor-text') !== null").await;
        write_in_field(page, "aliases = 6", "aliases = 5 # early").await;
        page.until("the editor", "return document.querySelector('#editor .cm-content') !== null").await;
        page.until("what was written before", &has("aliases = 5 # early")).await;
        page.until("the knob", &stands_at("5")).await;
    }
    // What the browser itself says of these files is expected.
    page.severe_log().await;
}

async fn both_ways_in_a_field(page: &Page) {
    page.until("the text", &has("aliases = 6")).await;
    write_in_field(page, "aliases = 6", "aliases = 999").await;
    page.until("what is wrong, at its line", &says("/Line \\d+ lcu.aliases: 999 given/")).await;
    write_in_field(page, "aliases = 999", "aliases = 7 # mine").await;
    page.until("the knob", &stands_at("7")).await;
    page.fill(ALIASES, "8").await;
    page.until("the text of the knob", &has("aliases = 8 # mine")).await;
}

async fn write_in_field(page: &Page, from: &str, to: &str) {
    page.run(&format!(
        "const text = document.querySelector('textarea#editor-text'); text.value = text.value.replace('{from}', '{to}'); text.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ))
    .await;
}

/// Writes `to` in the place of `from` in the line that has `what`, by keys.
async fn change(page: &Page, what: &str, from: &str, to: &str) {
    choose(page, what, from).await;
    page.strike(to).await;
}

/// Selects the last `part` in the line that has `what`, in the editor.
async fn choose(page: &Page, what: &str, part: &str) {
    let select =
        "const line = [...document.querySelectorAll('#editor .cm-line')].find((one) => one.textContent.includes(WHAT));
         if (!line) return false;
         const begin = line.textContent.lastIndexOf(PART);
         const place = (at) => {
           const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
           for (let text = texts.nextNode(); text; text = texts.nextNode()) {
             if (at <= text.data.length) return [text, at];
             at -= text.data.length;
           }
         };
         const content = document.querySelector('#editor .cm-content');
         content.scrollIntoView({ block: 'center' });
         content.focus();
         getSelection().setBaseAndExtent(...place(begin), ...place(begin + PART.length));
         return document.activeElement === content && getSelection().toString() === PART";
    let script = select.replace("WHAT", &Value::from(what).to_string()).replace("PART", &Value::from(part).to_string());
    page.until(&format!("{part:?} of {what:?}, selected"), &script).await;
    // The editor hears of it.
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// A script: whether the text has this.
fn has(what: &str) -> String {
    format!("return {TEXT}.includes({})", Value::from(what))
}

/// A script: whether the pane says what matches.
fn says(pattern: &str) -> String {
    format!("return {pattern}.test(document.querySelector('#editor-problems').innerText.replace(/\\s+/g, ' '))")
}

/// A script: whether the knob of the aliases stands there.
fn stands_at(number: &str) -> String {
    format!("return document.querySelector('{ALIASES}').value === '{number}'")
}
