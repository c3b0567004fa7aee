//! The plain fields of the form: lines, paragraphs, numbers, menus.

use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;
use zvmlab::Figure;
use zvmlab::measurement::FIGURES;
use zvmlab_lab::knob::groups::groups;
use zvmlab_lab::lesson::draft::{Act, number, unfinished};

use super::Form;
use crate::msg::Writing;
use crate::panels::chosen::Chosen;

/// The id of the control at a place.
pub fn id(place: &str) -> String {
    format!("author{}", place.replace(['/', '.', '[', ']'], "-"))
}

/// Puts a value at a place.
pub fn put(place: &str, value: Value) -> Writing {
    Writing::Did(Act::Put(place.into(), value))
}

/// A line of text.
pub fn line(form: Form, place: &str, label: Option<String>) -> Html {
    let at = place.to_string();
    let write = form.on(move |event: InputEvent| put(&at, typed(&event).into()));
    html! { <input type="text" id={id(place)} aria-label={label} autocomplete="off" value={form.props.draft.text_at(place)} oninput={write} /> }
}

/// What was typed into a line.
pub fn typed(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

/// Paragraphs.
pub fn text(form: Form, place: &str, rows: u32) -> Html {
    let at = place.to_string();
    let write = form.on(move |event: InputEvent| put(&at, area(&event).into()));
    html! { <textarea id={id(place)} rows={rows.to_string()} value={form.props.draft.text_at(place)} oninput={write} /> }
}

/// What was typed into paragraphs.
fn area(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlTextAreaElement>().map(|field| field.value()).unwrap_or_default()
}

/// A list of texts, one in each line. Without any text there is no list.
pub fn lines(form: Form, place: &str) -> Html {
    let items: Vec<&str> = form.props.draft.items(place).iter().filter_map(Value::as_str).collect();
    let at = place.to_string();
    let write = form.on(move |event: InputEvent| {
        let text = area(&event);
        if text.is_empty() { Writing::Did(Act::Remove(at.clone())) } else { put(&at, text.split('\n').collect()) }
    });
    html! { <textarea id={id(place)} rows="3" value={items.join("\n")} oninput={write} /> }
}

/// A number. Where it may be missing, an empty field removes it.
pub fn numeric(form: Form, place: &str, label: Option<String>, optional: bool) -> Html {
    let (at, then) = (place.to_string(), place.to_string());
    let give = move |at: &str, text: &str, value: Value| {
        if optional && text.is_empty() { Writing::Did(Act::Remove(at.into())) } else { put(at, value) }
    };
    // While it is written, it stays as it is: `0.` is on the way to `0.5`.
    let write = form.on(move |event: InputEvent| {
        let text = typed(&event);
        give(&at, &text, unfinished(&text))
    });
    let done = form.on(move |event: Event| {
        let field = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let text = field.map(|field| field.value()).unwrap_or_default();
        give(&then, &text, number(&text))
    });
    html! {
        <input type="text" class="author-number" id={id(place)} aria-label={label} inputmode="decimal" autocomplete="off"
            value={form.props.draft.text_at(place)} oninput={write} onchange={done} />
    }
}

/// A menu of values with their words. What is none of them stands there, too: nothing is corrected in silence.
pub fn menu(id: &str, label: Option<String>, value: &str, options: &[(String, String)], choose: Callback<Event>) -> Html {
    asking(id, "choose…", label, value, options, choose)
}

/// The same, with words for nothing.
pub fn asking(
    id: &str,
    nothing: &str,
    label: Option<String>,
    value: &str,
    options: &[(String, String)],
    choose: Callback<Event>,
) -> Html {
    let unknown = !options.iter().any(|(one, _)| one == value);
    html! {
        <>
            <select id={id.to_string()} aria-label={label} onchange={choose}>
                if unknown { <option value={value.to_string()} selected=true>{ if value.is_empty() { nothing } else { value } }</option> }
                { for options.iter().map(|(one, words)| html! { <option value={one.clone()} selected={one == value}>{ words }</option> }) }
            </select>
            <Chosen id={id.to_string()} value={value.to_string()} />
        </>
    }
}

/// What was chosen in a menu.
pub fn chosen(event: &Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|menu| menu.value()).unwrap_or_default()
}

/// What was chosen in a menu that adds something, and asks again.
pub fn added(event: &Event) -> String {
    let word = chosen(event);
    event.target_dyn_into::<HtmlSelectElement>().iter().for_each(|menu| menu.set_value(""));
    word
}

/// A menu that puts its value at a place.
pub fn menu_at(form: Form, place: &str, label: Option<String>, options: &[(String, String)]) -> Html {
    let at = place.to_string();
    let choose = form.on(move |event: Event| put(&at, chosen(&event).into()));
    menu(&id(place), label, &form.props.draft.text_at(place), options, choose)
}

/// The figures, each with its unit: those that have a value on the lesson's host, if that is known, and the one that is chosen.
pub fn figures(form: Form, chosen: &str) -> Vec<(String, String)> {
    let said = |unit: &str| if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    let has = |one: Figure| one.id() == chosen || form.props.now.as_ref().is_none_or(|now| now.get(one).is_some());
    let figures = FIGURES.iter().filter(|one| has(**one));
    figures.map(|one| (one.id().into(), format!("{}{}", one.label(), said(one.unit())))).collect()
}

/// A menu of the knobs of the host.
pub fn knobs(form: Form, id: &str, label: &str, value: &str, choose: Callback<Event>) -> Html {
    let mut groups = groups(form.host, &[]);
    groups.iter_mut().for_each(|group| group.knobs.retain(|knob| knob.exists(form.host) || knob.place() == value));
    groups.retain(|group| !group.knobs.is_empty());
    let unknown = !groups.iter().flat_map(|group| &group.knobs).any(|knob| knob.place() == value);
    html! {
        <>
            <select id={id.to_string()} aria-label={label.to_string()} onchange={choose}>
                if unknown { <option value={value.to_string()} selected=true>{ if value.is_empty() { label } else { value } }</option> }
                { for groups.iter().map(|group| html! {
                    <optgroup label={group.title.clone()}>
                        { for group.knobs.iter().map(|knob| html! {
                            <option value={knob.place()} selected={knob.place() == value}>{ knob.label(form.host) }</option>
                        }) }
                    </optgroup>
                }) }
            </select>
            <Chosen id={id.to_string()} value={value.to_string()} />
        </>
    }
}
