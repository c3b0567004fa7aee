//! One knob as the reader sees it.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::fields::Kind;

use crate::app::Msg;
use crate::format::storage_mb;
use crate::knob::{Given, Knob};

/// What a knob's control is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ControlProps {
    /// Which knob.
    pub knob: Knob,
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// A text in the number field that is no value.
    pub draft: Option<String>,
    /// What is wrong with its value.
    pub problems: Vec<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// A knob: label, control, number field, unit, explanation, problems.
#[component]
pub fn Control(props: &ControlProps) -> Html {
    let explained = use_state(|| false);
    let id = props.knob.id();
    let field = props.knob.field;
    let locked = props.knob.locked(&props.scenario);
    let toggle = {
        let explained = explained.clone();
        Callback::from(move |_| explained.set(!*explained))
    };
    let several = field.room() == "guests" && props.scenario.guests.len() > 1;
    let group = props.scenario.guests.get(props.knob.group).filter(|_| several);
    let label = group.map_or(field.label.to_string(), |group| format!("{} ({})", field.label, group.name));
    let control = match field.kind {
        Kind::Switch { get, .. } => switch(props, get(&props.scenario, props.knob.group), locked.is_some()),
        Kind::Whole { get, .. } => number(props, get(&props.scenario, props.knob.group), locked.is_some()),
        Kind::Choice { allowed, get, .. } => choice(props, allowed, get(&props.scenario, props.knob.group)),
        Kind::Share { get, .. } => text(props, 9, &get(&props.scenario, props.knob.group).to_string()),
        Kind::Text { max_chars, get, .. } => text(props, max_chars, get(&props.scenario, props.knob.group)),
    };
    let label_id = format!("{id}-label");
    let is_switch = matches!(field.kind, Kind::Switch { .. });
    let label = match field.kind {
        Kind::Choice { .. } => html! { <span id={label_id} class="label">{ label }</span> },
        _ => html! { <label id={label_id} for={id.clone()}>{ label }</label> },
    };
    html! {
        <div class={classes!("knob", locked.map(|_| "locked"), (!props.problems.is_empty()).then_some("wrong"))}>
            <div class="knob-head">
                { label }
                if is_switch { { control.clone() } }
                <button type="button" class="what" aria-label={format!("What is {}?", field.label)} aria-expanded={explained.to_string()}
                    aria-controls={format!("{id}-help")} onclick={toggle}>{ "?" }</button>
            </div>
            if !is_switch { { control } }
            <div class="help" hidden={!*explained}>
                <p id={format!("{id}-help")}>{ field.help }</p>
                <button type="button" class="plain" onclick={props.on.reform(|_| Msg::GoTo("model"))}>{ "How the model does it" }</button>
            </div>
            <div id={format!("{id}-problem")} class="problem" aria-live="polite">
                { for props.problems.iter().map(|problem| html! { <p>{ sentence(problem) }</p> }) }
            </div>
            if let Some(reason) = locked {
                <p id={format!("{id}-locked")} class="reason">{ reason }</p>
            }
        </div>
    }
}

/// A message of the scenario's check as a sentence about what is seen here: a switch is on or off.
fn sentence(message: &str) -> String {
    let message = message.replace("true given", "on is set").replace("false is allowed", "off is allowed");
    let mut chars = message.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

/// What describes the control: explanation, problems, and why it is locked.
fn described_by(id: &str, locked: bool) -> String {
    format!("{id}-help {id}-problem{}", if locked { format!(" {id}-locked") } else { String::new() })
}

/// Says that the knob was turned, with what `given` makes of the control.
fn turned<E: AsRef<web_sys::Event> + 'static>(
    props: &ControlProps,
    done: bool,
    given: impl Fn(&HtmlInputElement) -> Given + 'static,
) -> Callback<E> {
    use wasm_bindgen::JsCast;
    let (knob, on) = (props.knob, props.on.clone());
    Callback::from(move |event: E| {
        let input = event.as_ref().target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(input) = input {
            on.emit(Msg::TurnKnob { knob, given: given(&input), done });
        }
    })
}

fn switch(props: &ControlProps, value: bool, locked: bool) -> Html {
    let id = props.knob.id();
    html! {
        <span class="switch">
            <input id={id.clone()} type="checkbox" checked={value} disabled={locked} aria-describedby={described_by(&id, locked)}
                onchange={turned::<Event>(props, true, |input| Given::Switch(input.checked()))} />
            <span aria-hidden="true">{ if value { "on" } else { "off" } }</span>
        </span>
    }
}

fn number(props: &ControlProps, value: u64, locked: bool) -> Html {
    let (knob, id) = (props.knob, props.knob.id());
    let (Some((low, high, step)), Kind::Whole { min, max, .. }) = (knob.slider_range(&props.scenario), knob.field.kind)
    else {
        return Html::default();
    };
    let given = |input: &HtmlInputElement| Given::Number(input.value());
    let wrong = !props.problems.is_empty();
    let in_words =
        (knob.field.unit == "MB" && value >= 1_024).then(|| html! { <span>{ format!("= {}", storage_mb(value)) }</span> });
    let typed = props.draft.clone().unwrap_or_else(|| value.to_string());
    html! {
        <div class="knob-row">
            <input id={id.clone()} type="range" min={low.to_string()} max={high.to_string()} step={step.to_string()}
                value={value.to_string()} disabled={locked} aria-valuetext={knob.spoken(value)} aria-describedby={described_by(&id, locked)}
                oninput={turned::<InputEvent>(props, false, given)} onchange={turned::<Event>(props, true, given)} />
            <input id={format!("{id}-number")} type="number" min={min.to_string()} max={max.to_string()} step="1" inputmode="numeric"
                value={typed} disabled={locked} aria-label={format!("{}, number", knob.field.label)}
                aria-describedby={described_by(&id, locked)} aria-invalid={wrong.then_some("true")}
                oninput={turned::<InputEvent>(props, false, given)} onchange={turned::<Event>(props, true, given)} />
            <span class="unit"><span>{ knob.field.unit }</span>{ " " }{ in_words }</span>
        </div>
    }
}

fn choice(props: &ControlProps, allowed: &'static [&'static str], value: &'static str) -> Html {
    let id = props.knob.id();
    let radio = |word: &'static str| {
        html! {
            <label class="choice">
                <input type="radio" name={id.clone()} id={format!("{id}-{}", word.replace('.', "-"))} value={word} checked={word == value}
                    onchange={turned::<Event>(props, true, move |_| Given::Choice(word.into()))} />
                <span>{ word }</span>
            </label>
        }
    };
    html! {
        <div class="knob-row choices" id={id.clone()} role="radiogroup" aria-labelledby={format!("{id}-label")} aria-describedby={described_by(&id, false)}>
            { for allowed.iter().map(|word| radio(word)) }
        </div>
    }
}

fn text(props: &ControlProps, max_chars: usize, value: &str) -> Html {
    let id = props.knob.id();
    let given = |input: &HtmlInputElement| Given::Text(input.value());
    html! {
        <div class="knob-row">
            <input id={id.clone()} type="text" maxlength={max_chars.to_string()} autocomplete="off"
                value={props.draft.clone().unwrap_or_else(|| value.to_string())} aria-describedby={described_by(&id, false)}
                onchange={turned::<Event>(props, true, given)} />
        </div>
    }
}
