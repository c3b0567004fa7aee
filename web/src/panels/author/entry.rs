//! One entry of the form: its name, its control, what it is for, and what is wrong with it.

use serde_json::Value;
use yew::prelude::*;
use zvmlab::scenario::fields::Kind;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::lesson::draft::form::{Entry, Given};
use zvmlab_lab::lesson::draft::{Act, unfinished};
use zvmlab_lab::published::ready::scenario_of;

use super::conditions::{choices, conditions, limits, now};
use super::fields::{chosen, figures, id, knobs, line, lines, menu_at, numeric, put, text, typed};
use super::turns::{open, routes, set, turns};
use super::{Form, take};
use crate::msg::{Taken, Writing};
use crate::panels::chosen::Chosen;
use crate::panels::setup::ready_options;

/// An entry of the table at `base`.
pub fn entry(form: Form, base: &str, entry: &Entry) -> Html {
    let place = format!("{base}/{}", entry.key);
    let step = base.strip_prefix("/steps/").and_then(|at| at.parse().ok()).unwrap_or_default();
    let control = match entry.given {
        Given::Line => line(form, &place, None),
        Given::Text => text(form, &place, if base.starts_with("/steps/") { 6 } else { 3 }),
        Given::Lines => lines(form, &place),
        Given::Number => numeric(form, &place, None, entry.key == "seeds"),
        Given::Host => host(form, &place),
        Given::Figure => menu_at(form, &place, None, &figures(form, &form.props.draft.text_at(&place))),
        Given::Limit => menu_at(form, &place, None, &limits(form, &form.props.draft.text_at(&place))),
        Given::Knob => {
            let at = place.clone();
            let choose = form.on(move |event: Event| put(&at, chosen(&event).into()));
            knobs(form, &id(&place), entry.label, &form.props.draft.text_at(&place), choose)
        }
        Given::Knobs => open(form, &place),
        Given::Values => values(form, base, &place),
        Given::Turns => {
            html! { <>{ turns(form, &place) }{ take(form, "Take what is turned on the bench", Taken::Turn(step)) }</> }
        }
        Given::Set => set(form, step, &place),
        Given::Conditions => conditions(form, &place),
        Given::Choices => choices(form, &place),
        Given::Ends => {
            html! { <>{ ends(form, &place) }{ now(form, &form.props.draft.text_at(&format!("{base}/figure"))) }</> }
        }
        Given::Routes => routes(form, step, &place),
    };
    let is_plain = matches!(
        entry.given,
        Given::Line
            | Given::Text
            | Given::Lines
            | Given::Number
            | Given::Host
            | Given::Figure
            | Given::Limit
            | Given::Knob
            | Given::Values
    );
    html! {
        <div class="field" key={place.clone()} role={(!is_plain).then_some("group")} aria-label={(!is_plain).then_some(entry.label)}>
            if is_plain { <label for={id(&place)}>{ entry.label }</label> } else { <span class="label">{ entry.label }</span> }
            if !entry.help.is_empty() { <p class="help">{ entry.help }</p> }
            { control }
            { form.problems(&place) }
        </div>
    }
}

/// The published run or the example with which the lesson begins.
fn host(form: Form, place: &str) -> Html {
    let (at, id) = (place.to_string(), id(place));
    let choose = form.on(move |event: Event| put(&at, chosen(&event).into()));
    let current = form.props.draft.text_at(place);
    html! {
        <>
            <select id={id.clone()} onchange={choose}>
                if scenario_of(&current).is_none() { <option value={current.clone()} selected=true>{ &current }</option> }
                { ready_options(&form.props.published, Some(&current)) }
            </select>
            <Chosen {id} value={current} />
            <p class="lesson-ways">{ take(form, "Take the host of the bench", Taken::Host) }{ form.button("Show it on the bench", Writing::PutHost(0)) }</p>
        </>
    }
}

/// The values of the curve's knob. Each is of the kind that the knob has.
fn values(form: Form, base: &str, place: &str) -> Html {
    let knob = Knob::named_in_files(&form.props.draft.text_at(&format!("{base}/curve/knob")));
    let said = |value: &Value| value.as_str().map_or(value.to_string(), str::to_string);
    let text = form.props.draft.items(place).iter().map(said).collect::<Vec<_>>().join(", ");
    let at = place.to_string();
    let write = form.on(move |event: InputEvent| {
        let is_number = knob.is_none_or(|knob| matches!(knob.field.kind, Kind::Whole { .. } | Kind::Tenths { .. }));
        let one = |text: &str| if is_number { unfinished(text.trim_start()) } else { text.trim_start().into() };
        let text = typed(&event);
        if text.is_empty() { Writing::Did(Act::Remove(at.clone())) } else { put(&at, text.split(',').map(one).collect()) }
    });
    html! { <input type="text" id={id(place)} autocomplete="off" value={text} oninput={write} /> }
}

/// The two ends of the right range.
fn ends(form: Form, place: &str) -> Html {
    let end = |at: usize, name: &'static str| html! { <label>{ name }{ numeric(form, &format!("{place}/{at}"), None, false) }</label> };
    html! { <p class="author-row">{ end(0, "from ") }{ end(1, "to ") }</p> }
}
