//! A number's control: a field, with a slider if there is room.

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::scenario::fields::Kind;
use zvmlab::scenario::quantity;

use super::controls::{ControlProps, turned};
use crate::msg::Msg;
use crate::page;
use zvmlab_lab::knob::{Given, relocation};
use zvmlab_lab::words::number::in_larger_unit;

/// What the reader types into a field. While it is being typed, it stays as it is: `256 G` is a value before `256 GB` is.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    /// The text that was typed last.
    text: String,
    /// Whether it is being typed.
    is_open: bool,
}

/// The data of a number's control.
#[derive(Clone, PartialEq, Properties)]
struct NumberProps {
    /// Those of the knob.
    control: ControlProps,
    /// Its value; one with a decimal is in tenths.
    value: u64,
}

/// A field for any number, and a slider if there is room. A value with a decimal is in tenths.
pub fn number(props: &ControlProps, value: u64) -> Html {
    html! { <Number control={props.clone()} {value} /> }
}

#[component]
fn Number(props: &NumberProps) -> Html {
    let entry = use_state(Entry::default);
    let (props, value) = (&props.control, props.value);
    let (knob, id) = (props.knob, props.knob.id());
    let (min, max, inputmode, parts) = match knob.field.kind {
        Kind::Whole { min, max, .. } => (min, max, "numeric", 1.0),
        Kind::Tenths { min, max, .. } => (min.0.into(), max.0.into(), "decimal", 10.0),
        _ => return Html::default(),
    };
    // Where a unit may stand behind the number, the field takes letters.
    let units = quantity::names(knob.field.unit);
    let takes_units = !units.is_empty();
    let (kind, inputmode) = if takes_units { ("text", "text") } else { ("number", inputmode) };
    let hint = takes_units.then(|| format!("With or without a unit: {}", units.join(", ")));
    let written = |place: u64| knob.written(place);
    let given = |input: &HtmlInputElement| Given::Number(input.value());
    let (wrong, locked) = (!props.problems.is_empty(), props.locked.is_some());
    let in_words = in_larger_unit(value as f64 / parts, knob.field.unit);
    let in_words = in_words.map(|words| html! { <span>{ format!("= {words}") }</span> });
    let meant = relocation::zero(knob.field.path).filter(|_| value == 0).map(|meant| html! { <span>{ meant }</span> });
    let in_words = in_words.or(meant);
    let open = Some(entry.text.clone()).filter(|_| entry.is_open && takes_units);
    let typed = open.or_else(|| props.draft.clone()).unwrap_or_else(|| written(value));
    let enter = |done: bool| {
        let (entry, on) = (entry.setter(), props.on.clone());
        Callback::from(move |event: web_sys::Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            entry.set(Entry { text: input.value(), is_open: !done });
            on.emit(Msg::TurnKnob { knob, given: Given::Number(input.value()), done });
        })
    };
    let type_in = enter(false).reform(|event: InputEvent| event.into());
    let slider = knob.slider_range(&props.scenario).map(|(low, high, step)| {
        let mark = mark_of_a(props, low, high);
        html! {
            <span key="slider" class="slider"><input id={id.clone()} type="range" min={written(low)} max={written(high)} step={written(step)}
                value={written(value)} disabled={locked} aria-valuetext={knob.spoken(value)} aria-describedby={props.described_by()}
                oninput={turned::<InputEvent>(props, false, given)} onchange={turned::<Event>(props, true, given)} />{ mark }</span>
        }
    });
    // The label belongs to the slider. Without a slider it belongs to the field.
    let (number_id, number_label) = match slider {
        Some(_) => (format!("{id}-number"), Some(format!("{}, number", knob.label(&props.scenario)))),
        None => (id.clone(), None),
    };
    html! {
        <>
        <div class="knob-row">
            { slider }
            <input key="number" id={number_id} class="number" type={kind} min={written(min)} max={written(max)} step={written(1)} {inputmode}
                autocomplete="off" spellcheck="false" title={hint} value={typed} disabled={locked} aria-label={number_label}
                aria-describedby={props.described_by()} aria-invalid={wrong.then_some("true")} oninput={type_in} onchange={enter(true)} />
            <span key="unit" class="unit"><span>{ knob.field.unit }</span>{ " " }{ in_words }</span>
        </div>
        { doubt(props, &entry) }
        </>
    }
}

/// A mark on the slider at the value of A, if that is another.
fn mark_of_a(props: &ControlProps, low: u64, high: u64) -> Html {
    let of_a = props.of_a().and_then(|(_, given)| match given {
        Given::Number(text) => text.parse::<f64>().ok(),
        _ => None,
    });
    let tenths = if matches!(props.knob.field.kind, Kind::Tenths { .. }) { 10.0 } else { 1.0 };
    let at = of_a.map(|value| (value * tenths - low as f64) / (high.max(low + 1) - low) as f64);
    let Some(at) = at.filter(|at| (0.0..=1.0).contains(at)) else { return Html::default() };
    let x = format!("{:.1}%", at * 100.0);
    html! { <svg class="of-a" aria-hidden="true"><line x1={x.clone()} x2={x} y1="0" y2="100%" /></svg> }
}

/// What may be meant instead by a number that was typed without a unit, and a button that gives it.
fn doubt(props: &ControlProps, entry: &Entry) -> Html {
    let doubt =
        Some(&entry.text).filter(|_| !entry.is_open).and_then(|text| props.knob.doubt(&props.scenario, &props.a, text));
    let Some(doubt) = doubt else { return Html::default() };
    let (knob, given) = (props.knob, doubt.given);
    let turn = props.on.reform(move |_: MouseEvent| {
        // The pressed button no longer exists.
        page::focus(&knob.id());
        Msg::TurnKnob { knob, given: given.clone(), done: true }
    });
    html! {
        <p class="doubt" role="status">
            { doubt.asked }{ " " }<button type="button" class="remedy" onclick={turn}>{ format!("Use {}", doubt.meant) }</button>
        </p>
    }
}
