//! Conditions in the form, and answers with their conditions.

use serde_json::{Value, json};
use yew::prelude::*;
use zvmlab::Figure;
use zvmlab::limit::ResourceKind;
use zvmlab_lab::lesson::check::Change;
use zvmlab_lab::lesson::draft::Act;
use zvmlab_lab::lesson::draft::conditions::{Form as Kind, value_of};
use zvmlab_lab::words::limit::label;
use zvmlab_lab::words::unit::with_unit;

use super::Form;
use super::fields::{chosen, figures, id, knobs, line, menu, menu_at, numeric, put};
use super::turns::value;
use crate::msg::Writing;

/// The conditions of a list, and another one.
pub fn conditions(form: Form, place: &str) -> Html {
    let items = form.props.draft.items(place);
    let more = Kind::Figure.begun(items.last().unwrap_or(&Value::Null), form.host);
    html! {
        <>
            <ul class="author-list">{ for items.iter().enumerate().map(|(at, value)| condition(form, &format!("{place}/{at}"), value, at)) }</ul>
            { form.button("Add a condition", Writing::Did(Act::Add(place.into(), more))) }
        </>
    }
}

/// One condition.
fn condition(form: Form, place: &str, condition: &Value, at: usize) -> Html {
    let kind = Kind::of(condition);
    let kinds: Vec<(String, String)> = Kind::ALL.iter().map(|one| (format!("{one:?}"), one.said().into())).collect();
    let (own, before, host) = (place.to_string(), condition.clone(), form.host.clone());
    let change = form.on(move |event: Event| {
        let word = chosen(&event);
        let kind = Kind::ALL.into_iter().find(|one| format!("{one:?}") == word).unwrap_or(Kind::Figure);
        put(&own, kind.begun(&before, &host))
    });
    let of = |key: &str| format!("{place}/{key}");
    let knob = |is: bool| {
        let (own, host) = (place.to_string(), form.host.clone());
        let choose = form.on(move |event: Event| {
            let name = chosen(&event);
            let value = value_of(&name, &host);
            put(&own, if is { json!({ "knob": name, "is": value }) } else { json!({ "knob": name, "at_least": value }) })
        });
        knobs(form, &id(&of("knob")), "Which knob…", &form.props.draft.text_at(&of("knob")), choose)
    };
    let chosen_figure = form.props.draft.text_at(&of("figure"));
    let figure = || html! { <>{ menu_at(form, &of("figure"), Some("Figure".into()), &figures(form, &chosen_figure)) }{ now(form, &chosen_figure) }</> };
    let ends = kind.ends().map(|[least, most]| {
        // One end may be open.
        let has = |key: &str| condition.get(key).is_some_and(|value| *value != json!(""));
        html! {
            <p class="author-row"><label>{ "at least " }{ numeric(form, &of(least), None, has(most)) }</label>
                <label>{ "at most " }{ numeric(form, &of(most), None, has(least) || condition.get(least).is_some()) }</label></p>
        }
    });
    html! {
        <li class="author-item" key={at}>
            <p>{ menu(&id(&of("kind")), Some("Kind of condition".into()), &format!("{kind:?}"), &kinds, change) }
                { form.small("×", "Remove the condition".into(), Writing::Did(Act::Remove(place.into()))) }</p>
            { match kind {
                Kind::Figure | Kind::Times => figure(),
                Kind::Trials => html! { <>{ figure() }{ trials(form, place) }</> },
                Kind::Knob => knob(false),
                Kind::Is => html! { <>{ knob(true) }{ value(form, &of("is"), &form.props.draft.text_at(&of("knob")), "the knob") }</> },
                Kind::Limit => menu_at(form, &of("limit"), Some("What limits".into()), &limits(form, &form.props.draft.text_at(&of("limit")))),
            } }
            { for ends }
        </li>
    }
}

/// What a figure is on the bench now.
pub fn now(form: Form, figure: &str) -> Html {
    let value = Figure::from_id(figure).and_then(|figure| Some((figure, form.props.now.as_ref()?.get(figure)?)));
    match value {
        Some((figure, value)) => {
            html! { <span class="help">{ format!(" On the bench now: {}.", with_unit(value, figure.unit())) }</span> }
        }
        None => Html::default(),
    }
}

fn trials(form: Form, place: &str) -> Html {
    let changes: Vec<(String, String)> = Change::ALL.iter().map(|one| (one.word().into(), one.said().into())).collect();
    html! {
        <p class="author-row"><label>{ "trials " }{ numeric(form, &format!("{place}/trials"), None, false) }</label>
            { menu_at(form, &format!("{place}/change"), Some("What they show".into()), &changes) }</p>
    }
}

/// What may limit: what the lesson's host uses, if that is known, and what is chosen.
pub fn limits(form: Form, chosen: &str) -> Vec<(String, String)> {
    let resources = &form.props.resources;
    let has = |kind: &&ResourceKind| resources.is_empty() || resources.contains(kind) || kind.word() == chosen;
    ResourceKind::ALL.iter().filter(has).map(|kind| (kind.word().into(), label(*kind).into())).collect()
}

/// The answers to choose from.
pub fn choices(form: Form, place: &str) -> Html {
    let one = |at: usize| {
        let own = format!("{place}/{at}");
        html! {
            <li class="author-item" key={at}>
                <p>{ line(form, &format!("{own}/text"), Some(format!("Answer {}", at + 1))) }
                    { form.small("×", format!("Remove answer {}", at + 1), Writing::Did(Act::Remove(own.clone()))) }</p>
                <p class="help">{ "Right where all of these hold:" }</p>
                { conditions(form, &format!("{own}/when")) }
            </li>
        }
    };
    let figure = form.props.draft.text_at(&place.replace("/choices", "/figure"));
    let more = json!({ "text": "", "when": [{ "figure": figure, "times_at_least": 1.0 }] });
    html! {
        <>
            <ol class="author-list">{ for (0..form.props.draft.items(place).len()).map(one) }</ol>
            { form.button("Add an answer", Writing::Did(Act::Add(place.into(), more))) }
        </>
    }
}
