//! A plain field for the host as text: what the pane has until the editor is loaded, and where it cannot be.

use web_sys::HtmlTextAreaElement;
use yew::prelude::*;
use zvmlab_lab::editor::Wrong;

use super::code::{Caret, LABEL, PROBLEMS, Told};
use crate::page;

/// The field.
pub fn field(field: &NodeRef, text: &str, problems: &[Wrong], told: &Callback<Told>) -> Html {
    let write = told.reform(|event: InputEvent| {
        Told::Text(event.target_dyn_into::<HtmlTextAreaElement>().map_or(String::new(), |field| field.value()))
    });
    let look = {
        let field = field.clone();
        told.reform(move |()| Told::Line(caret_line(&field)))
    };
    html! {
        <textarea ref={field.clone()} id="editor-text" aria-label={LABEL} aria-describedby={PROBLEMS} rows="16" wrap="off"
            spellcheck="false" autocomplete="off" autocapitalize="off" aria-invalid={(!problems.is_empty()).then_some("true")}
            value={text.to_string()} oninput={write} onchange={told.reform(|_: Event| Told::Left)}
            onkeyup={look.reform(|_: KeyboardEvent| ())} onclick={look.reform(|_: MouseEvent| ())} />
    }
}

/// Where the reader stands in it: at its begin, unless the focus is there.
pub fn caret(field: &NodeRef) -> Caret {
    let Some(field) = field.cast::<HtmlTextAreaElement>() else { return Caret::default() };
    let focus = page::document().and_then(|document| document.active_element());
    if focus.is_none_or(|focus| focus != **field) {
        return Caret::default();
    }
    let at = |place: Result<Option<u32>, wasm_bindgen::JsValue>| place.ok().flatten().unwrap_or_default();
    Caret { anchor: at(field.selection_start()), head: at(field.selection_end()), has_focus: true }
}

/// The reader goes on to write.
pub fn focus(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlTextAreaElement>() {
        let _ = field.focus();
    }
}

/// The line of the caret, counted from 1.
fn caret_line(field: &NodeRef) -> usize {
    let Some(field) = field.cast::<HtmlTextAreaElement>() else { return 0 };
    let at = field.selection_start().ok().flatten().unwrap_or_default() as usize;
    // The browser counts in UTF-16.
    1 + field.value().encode_utf16().take(at).filter(|unit| *unit == u16::from(b'\n')).count()
}

/// Selects a line of the text, counted from 1, and brings it into sight.
pub fn select(field: &NodeRef, text: &str, number: usize) {
    let Some(field) = field.cast::<HtmlTextAreaElement>() else { return };
    // The browser counts in UTF-16.
    let length = |line: &str| line.encode_utf16().count() as u32;
    let begin: u32 = text.lines().take(number.saturating_sub(1)).map(|line| length(line) + 1).sum();
    let end = begin + text.lines().nth(number.saturating_sub(1)).map_or(0, length);
    let _ = field.focus();
    let _ = field.set_selection_range(begin, end);
    // A selection does not scroll in every browser. The line comes near the top, below two others.
    let above = number.saturating_sub(3) as i32;
    field.set_scroll_top(field.scroll_height() * above / text.lines().count().max(1) as i32);
}
