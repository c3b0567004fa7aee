//! Knobs with values in the form: what is set, what is turned, the ways to an aim, the knobs that are open.

use serde_json::{Map, Value, json};
use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::scenario::fields::Kind;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::knob::changes::word;
use zvmlab_lab::lesson::draft::Act;
use zvmlab_lab::lesson::draft::conditions::value_of;

use super::fields::{added, id, knobs, line, menu_at, numeric, put, text};
use super::{Form, take};
use crate::msg::{Taken, Writing};

/// The knobs of a table with their values, and another one.
pub fn turns(form: Form, place: &str) -> Html {
    let empty = Map::new();
    let table = form.props.draft.at(place).and_then(Value::as_object).unwrap_or(&empty);
    let row = |name: &String| {
        let (own, label) = (format!("{place}/{name}"), named(form, name));
        html! {
            <li key={name.clone()}>
                <span class="author-knob">{ label.clone() }</span>
                { value(form, &own, name, &label) }
                <span class="unit">{ Knob::named_in_files(name).map_or("", |knob| knob.field.unit) }</span>
                { form.small("×", format!("Remove {label}"), Writing::Did(Act::Remove(own))) }
            </li>
        }
    };
    let (at, host) = (place.to_string(), form.host.clone());
    let add = form.on(move |event: Event| {
        let name = added(&event);
        put(&format!("{at}/{name}"), value_of(&name, &host))
    });
    html! {
        <>
            <ul class="author-turns">{ for table.keys().map(row) }</ul>
            { knobs(form, &format!("{}-add", id(place)), "Add a knob…", "", add) }
        </>
    }
}

/// The name of a knob on the page.
fn named(form: Form, name: &str) -> String {
    let knob = Knob::named_in_files(name).filter(|knob| knob.group < form.host.guests.len());
    knob.map_or(name.into(), |knob| knob.named(form.host))
}

/// The value of a knob.
pub fn value(form: Form, place: &str, name: &str, label: &str) -> Html {
    let kind = Knob::named_in_files(name).map(|knob| knob.field.kind);
    let label = Some(format!("Value of {label}"));
    match kind {
        Some(Kind::Switch { .. }) => {
            let on = form.props.draft.at(place).and_then(Value::as_bool).unwrap_or_default();
            let at = place.to_string();
            let turn = form.on(move |event: Event| {
                put(&at, event.target_dyn_into::<HtmlInputElement>().is_some_and(|switch| switch.checked()).into())
            });
            html! {
                <span class="switch"><input type="checkbox" id={id(place)} aria-label={label} checked={on} onchange={turn} />
                    <span aria-hidden="true">{ if on { "on" } else { "off" } }</span></span>
            }
        }
        Some(Kind::Choice { allowed, .. }) => {
            let options: Vec<(String, String)> = allowed.iter().map(|one| ((*one).into(), word(one).into())).collect();
            menu_at(form, place, label, &options)
        }
        Some(Kind::Share { .. } | Kind::Text { .. }) => line(form, place, label),
        _ => numeric(form, place, label, false),
    }
}

/// The settings of a step: as before, or its own.
pub fn set(form: Form, step: usize, place: &str) -> Html {
    let own = form.props.draft.at(place).is_some();
    let (with, without) = (put(place, json!({})), Writing::Did(Act::Remove(place.into())));
    let radio = |name: &'static str, on: bool, does: Writing| {
        html! {
            <label class="choice"><input type="radio" name={id(place)} checked={on} onchange={form.on(move |_: Event| does.clone())} /><span>{ name }</span></label>
        }
    };
    html! {
        <>
            <div role="radiogroup" aria-label="The host of this step">
                { radio("as it was in the step before", !own, without) }
                { radio("the lesson’s host, with these settings", own, with) }
            </div>
            if own { { turns(form, place) } }
            { take(form, "Take the settings of the bench", Taken::Set(step)) }
        </>
    }
}

/// The ways to an aim.
pub fn routes(form: Form, step: usize, place: &str) -> Html {
    let one = |(at, value): (usize, &Value)| {
        let own = format!("{place}/{at}");
        html! {
            <li class="author-item" key={at}>
                <p>{ format!("Way {}", at + 1) }{ form.small("×", format!("Remove way {}", at + 1), Writing::Did(Act::Remove(own.clone()))) }</p>
                if value.is_string() { <p class="help">{ "Commands as in the console, one on each line: SET PAGING HPF ON" }</p>{ text(form, &own, 2) } } else { { turns(form, &own) } }
            </li>
        }
    };
    html! {
        <>
            <ol class="author-list">{ for form.props.draft.items(place).iter().enumerate().map(one) }</ol>
            { take(form, "Take what is turned on the bench", Taken::Way(step)) }
            { form.button("Add one by hand", Writing::Did(Act::Add(place.into(), json!({})))) }
            { form.button("Add commands of CP", Writing::Did(Act::Add(place.into(), json!("")))) }
        </>
    }
}

/// The knobs that are open.
pub fn open(form: Form, place: &str) -> Html {
    let one = |(at, value): (usize, &Value)| {
        let label = named(form, value.as_str().unwrap_or_default());
        html! { <li key={at}><span>{ label.clone() }</span>{ form.small("×", format!("Close {label}"), Writing::Did(Act::Remove(format!("{place}/{at}")))) }</li> }
    };
    let at = place.to_string();
    let add = form.on(move |event: Event| Writing::Did(Act::Add(at.clone(), added(&event).into())));
    html! {
        <>
            <ul class="author-turns">{ for form.props.draft.items(place).iter().enumerate().map(one) }</ul>
            { knobs(form, &format!("{}-add", id(place)), "Open a knob…", "", add) }
        </>
    }
}
