//! The host on the bench as text: what changes here changes there, and the other way round.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlDetailsElement, HtmlTextAreaElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::editor::{About, Described, Wrong, about, followed, text, with_line, wrong};

use crate::msg::Msg;

/// How long the reader must pause before the text is read, in ms. Chosen: between two words, hardly between two letters.
const PAUSE_MS: u32 = 400;

/// The data of the editor.
#[derive(Clone, PartialEq, Properties)]
pub struct EditorProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// A text that the reader has changed.
#[derive(Clone, Debug, PartialEq)]
struct Draft {
    text: String,
    read: Reading,
}

/// What came of reading a text.
#[derive(Clone, Debug, PartialEq)]
enum Reading {
    /// The reader still writes.
    Awaited,
    /// It is this host.
    Read(Rc<Scenario>),
    /// It is none.
    Wrong(Vec<Wrong>),
}

/// The editor, folded until the reader opens it.
#[component]
pub fn Editor(props: &EditorProps) -> Html {
    let (open, draft) = (use_state_eq(|| false), use_state_eq(|| None::<Draft>));
    let (timer, field) = (use_mut_ref(|| None::<Timeout>), use_node_ref());
    let line_of_caret = use_state_eq(|| 0);
    // The text of the bench, unless the reader's own says the same or is not read yet: then that stays as it is written.
    let own = draft.as_ref().filter(|draft| match &draft.read {
        Reading::Read(scenario) => *scenario == props.scenario,
        Reading::Awaited | Reading::Wrong(_) => true,
    });
    // Where a knob was turned since, the reader's text follows it and keeps its comments.
    let follows = || match draft.as_ref().map(|draft| (&draft.text, &draft.read)) {
        Some((text, Reading::Read(was))) => followed(text, was, &props.scenario),
        _ => None,
    };
    let written = || follows().unwrap_or_else(|| text(&props.scenario));
    let shown = own.map(|draft| draft.text.clone()).or_else(|| open.then(written)).unwrap_or_default();
    let toggle = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            open.set(event.target_dyn_into::<HtmlDetailsElement>().is_some_and(|details| details.open()));
        })
    };
    let read: Callback<String> = {
        let (draft, on) = (draft.setter(), props.on.clone());
        Callback::from(move |text: String| {
            let read = match Scenario::parse(&text) {
                Ok(scenario) => {
                    on.emit(Msg::PutScenario(Box::new(scenario.clone())));
                    Reading::Read(Rc::new(scenario))
                }
                Err(error) => Reading::Wrong(wrong(&text, &error)),
            };
            draft.set(Some(Draft { text, read }));
        })
    };
    let put: Callback<String> = {
        let (draft, read, timer) = (draft.setter(), read.clone(), timer.clone());
        Callback::from(move |text: String| {
            draft.set(Some(Draft { text: text.clone(), read: Reading::Awaited }));
            let read = read.clone();
            // The one before is given up.
            *timer.borrow_mut() = Some(Timeout::new(PAUSE_MS, move || read.emit(text)));
        })
    };
    // Who leaves the text is done with it: what the reader does next comes after it.
    let leave = Callback::from(move |event: Event| {
        if let Some(field) = timer.borrow_mut().take().and_then(|_| event.target_dyn_into::<HtmlTextAreaElement>()) {
            read.emit(field.value());
        }
    });
    let write = {
        let put = put.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(field) = event.target_dyn_into::<HtmlTextAreaElement>() {
                put.emit(field.value());
            }
        })
    };
    let look = {
        let (line, field) = (line_of_caret.setter(), field.clone());
        Callback::from(move |()| line.set(caret_line(&field)))
    };
    let proposal = |one: &Described| {
        let (put, text, line) = (put.clone(), with_line(&shown, *line_of_caret, &one.line), one.line.clone());
        let field = field.clone();
        let take = Callback::from(move |_: MouseEvent| {
            put.emit(text.clone());
            // The reader goes on to write.
            if let Some(field) = field.cast::<HtmlTextAreaElement>() {
                let _ = field.focus();
            }
        });
        html! { <li><button type="button" class="plain" onclick={take}>{ line }</button>{ " " }{ &one.said }</li> }
    };
    let explained = match about(&shown, *line_of_caret) {
        About::Field(field) => html! { <p class="help"><strong>{ field.said }</strong>{ ". " }{ field.help }</p> },
        About::Begun(fields) => html! { <ul class="help">{ for fields.iter().map(proposal) }</ul> },
        About::Nothing => Html::default(),
    };
    let discard = {
        let draft = draft.setter();
        Callback::from(move |_: MouseEvent| draft.set(None))
    };
    let problems = own.map_or(&[][..], |draft| match &draft.read {
        Reading::Wrong(problems) => problems,
        _ => &[],
    });
    let line = |problem: &Wrong| {
        let Some(number) = problem.line else { return html! { <li>{ &problem.said }</li> } };
        let (field, text) = (field.clone(), shown.clone());
        let show = Callback::from(move |_: MouseEvent| select_line(&field, &text, number));
        html! { <li><button type="button" class="plain" onclick={show}>{ format!("Line {number}") }</button>{ " " }{ &problem.said }</li> }
    };
    html! {
        <details class="editor" id="editor" ontoggle={toggle}>
            <summary>{ "As text" }</summary>
            <textarea ref={field.clone()} id="editor-text" aria-label="The host as TOML" aria-describedby="editor-problems" rows="16" wrap="off"
                spellcheck="false" autocomplete="off" autocapitalize="off" aria-invalid={(!problems.is_empty()).then_some("true")}
                value={shown.clone()} oninput={write} onchange={leave} onkeyup={look.reform(|_: KeyboardEvent| ())} onclick={look.reform(|_: MouseEvent| ())} />
            <div class="about" aria-live="polite">{ explained }</div>
            <div id="editor-problems" role="status">
                if problems.is_empty() {
                    <p class="help">{ "TOML, as the command line reads it. What you change here acts on the bench at once." }</p>
                } else {
                    <ul class="problem">{ for problems.iter().map(line) }</ul>
                    <p class="help">
                        { "The bench stays as it was until the text is right. " }
                        <button type="button" class="plain" onclick={discard}>{ "Back to the bench’s text" }</button>
                    </p>
                }
            </div>
        </details>
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
fn select_line(field: &NodeRef, text: &str, number: usize) {
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
