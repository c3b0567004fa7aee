//! The hosts that a reader keeps on this device.

use crate::barriers;
use crate::page::{PAGING, Page};

/// The reader saves a host on this device, finds it after a reload, and loses nothing by a slip or where there is no room.
pub async fn hosts_are_kept(page: &Page) {
    page.say("hosts on this device");
    page.open(PAGING).await;
    let list = |what: &str| {
        format!("return [...document.querySelectorAll('#shelf .name')].map((one) => one.textContent).join() === '{what}'")
    };
    let press = |what: &str| format!("document.querySelector('#shelf [aria-label=\"{what}\"]').click()");
    let says = |what: &str| format!("return document.querySelector('#shelf [role=status]').textContent.includes('{what}')");
    page.run("document.getElementById('knobs').focus()").await;
    page.tab_to("the list of hosts", "it.id === 'shelf-head'").await;
    page.strike("\u{e007}").await;
    page.until("the list of hosts, open", "return document.querySelector('#shelf').open").await;
    page.tab_to("the name of the host", "it.id === 'shelf-name'").await;
    page.fill("#knob-lcu-aliases-number", "6").await;
    page.fill("#shelf-name", "Production").await;
    page.click(".shelf-save button").await;
    page.until("the saved host", &list("Production")).await;
    page.open(PAGING).await;
    page.until("the saved host after a reload", &list("Production")).await;
    page.run(&press("Duplicate Production")).await;
    page.until("a copy", &list("Production,Production 2")).await;
    page.click("#shelf summary").await;
    page.run(&press("Rename Production 2")).await;
    // By script: a driver empties a field first, which a page takes for the new name.
    let name = "const field = document.querySelector('#shelf li input'); field.value = 'Autumn'; field.dispatchEvent(new Event('change', { bubbles: true }))";
    let focused = |id: &str| format!("return document.activeElement?.id === '{id}'");
    page.until("the focus in the field for the name", &focused("shelf-new-name")).await;
    page.strike("\u{e00c}").await;
    page.until("the name as it was after Escape", &list("Production,Production 2")).await;
    page.until("the focus on the list", &focused("shelf-head")).await;
    page.run(&press("Rename Production 2")).await;
    page.until("a field for the name", "return document.querySelector('#shelf li input') !== null").await;
    page.run(name).await;
    page.until("the new name", &list("Autumn,Production")).await;
    page.until("the focus on the list again", &focused("shelf-head")).await;
    page.run(&press("Delete Production")).await;
    page.until("the other alone", &list("Autumn")).await;
    page.run("[...document.querySelectorAll('#shelf button')].find((one) => one.textContent === 'Undo').click()").await;
    page.until("both again", &list("Autumn,Production")).await;
    page.run(
        "[...document.querySelectorAll('.begin button')].find((one) => one.textContent === 'Small Linux host').click()",
    )
    .await;
    page.until("a host from a template", "return document.querySelector('#shelf-name').value === 'Small Linux host'").await;
    page.run("document.querySelector('.other-guests button').click()").await;
    page.until(
        "a guest that was measured",
        "return document.querySelectorAll('fieldset[id^=\"knobs-guests-\"]').length === 4",
    )
    .await;
    page.run(&press("Open Production")).await;
    page.until("its aliases", "return document.querySelector('#knob-lcu-aliases-number').value === '6'").await;
    page.run("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }").await;
    page.run(&press("Duplicate Production")).await;
    page.until("that there is no room", &says("no room")).await;
    page.until("what was there", &list("Autumn,Production")).await;
    // A result that is being replaced is grey.
    page.at_rest().await;
    barriers::assert_none(page, "with hosts on this device").await;
    page.run("localStorage.removeItem('zvmlab.hosts')").await;
    page.assert_no_errors("after hosts were kept").await;
}
