//! The native controls of a knob: switch, share with slider, choice, text.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::AliasShare;
use zvmlab::scenario::fields::path::room;

use crate::msg::Msg;
use crate::panels::chosen::Chosen;
use zvmlab_lab::knob::changes::{self, word as said};
use zvmlab_lab::knob::{Given, Knob};

/// Up to this many words stand as radio buttons. More stand in a menu.
const RADIOS_MAX: usize = 4;

/// The data of a knob's control.
#[derive(Clone, PartialEq, Properties)]
pub struct ControlProps {
    /// Which knob.
    pub knob: Knob,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// The scenario of A.
    pub a: Rc<Scenario>,
    /// A text in the number field that is no value.
    pub draft: Option<String>,
    /// What is wrong with its value, in sentences.
    pub problems: Vec<String>,
    /// Why it has no effect, if so.
    pub locked: Option<String>,
    /// Whether a knob above gives the reason.
    pub repeated: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

impl ControlProps {
    /// The value of A in words and as an entry, if it is another. Groups of guests are compared where A has them too.
    pub fn of_a(&self) -> Option<(String, Given)> {
        let (knob, a) = (self.knob, &*self.a);
        let has_it = knob.field.room() != room::GUESTS || a.guests.len() == self.scenario.guests.len();
        let value = |scenario: &Scenario| changes::value(knob.field, scenario, knob.group);
        let given = knob.given(a).filter(|_| has_it)?;
        (value(a) != value(&self.scenario)).then(|| (value(a), given))
    }

    /// The ids of the texts that describe the control: explanation, problems, and why it is locked.
    pub fn described_by(&self) -> String {
        let id = self.knob.id();
        let locked = if self.locked.is_some() { format!(" {id}-locked") } else { String::new() };
        format!("{id}-help {id}-problem{locked}")
    }
}

/// Tells that the knob was turned; `given` makes the value from the control.
pub(super) fn turned<E: AsRef<web_sys::Event> + 'static>(
    props: &ControlProps,
    done: bool,
    given: impl Fn(&HtmlInputElement) -> Given + 'static,
) -> Callback<E> {
    let (knob, on) = (props.knob, props.on.clone());
    Callback::from(move |event: E| {
        let input = event.as_ref().target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(input) = input {
            on.emit(Msg::TurnKnob { knob, given: given(&input), done });
        }
    })
}

/// On or off.
pub fn switch(props: &ControlProps, value: bool) -> Html {
    html! {
        <span class="switch">
            <input id={props.knob.id()} type="checkbox" checked={value} disabled={props.locked.is_some()} aria-describedby={props.described_by()}
                onchange={turned::<Event>(props, true, |input| Given::Switch(input.checked()))} />
            <span aria-hidden="true">{ if value { "on" } else { "off" } }</span>
        </span>
    }
}

/// One slider from all but one for MDISK to all but one for PAGING, and a field for any other share.
pub fn share(props: &ControlProps, total: u32, value: AliasShare) -> Html {
    let (knob, id) = (props.knob, props.knob.id());
    let place = |input: &HtmlInputElement| Given::Number(input.value());
    let written = |input: &HtmlInputElement| Given::Text(input.value());
    let (wrong, locked) = (!props.problems.is_empty(), props.locked.is_some());
    let spoken = format!("{} to {}, MDISK to PAGING", value.mdisk, value.paging);
    html! {
        <div class="knob-row share">
            <div class="ends">
                <input id={id.clone()} type="range" min="1" max={(total.max(2) - 1).to_string()} step="1"
                    value={knob.share_place(&props.scenario).unwrap_or(1).to_string()} disabled={locked} aria-valuetext={spoken}
                    aria-describedby={props.described_by()}
                    oninput={turned::<InputEvent>(props, false, place)} onchange={turned::<Event>(props, true, place)} />
                <span class="unit" aria-hidden="true"><span>{ "← MDISK" }</span><span>{ "PAGING →" }</span></span>
            </div>
            <input id={format!("{id}-text")} type="text" maxlength="9" autocomplete="off" spellcheck="false" title="Any two numbers: 100:50"
                value={props.draft.clone().unwrap_or_else(|| value.to_string())} disabled={locked}
                aria-label={format!("{}, two numbers with a colon", knob.field.label)}
                aria-describedby={props.described_by()} aria-invalid={wrong.then_some("true")}
                onchange={turned::<Event>(props, true, written)} />
        </div>
    }
}

/// One of a few words. Words that are not allowed here have the reason.
pub fn choice(props: &ControlProps, allowed: &'static [&'static str], value: &'static str) -> Html {
    let unavailable = props.knob.unavailable(&props.scenario);
    let out = |word: &str| props.locked.is_some() || unavailable.iter().any(|(other, _)| *other == word);
    let mut reasons: Vec<&str> = unavailable.iter().map(|(_, reason)| *reason).filter(|reason| !reason.is_empty()).collect();
    reasons.dedup();
    let reasons = if props.locked.is_some() { Vec::new() } else { reasons };
    html! {
        <>
            if allowed.len() > RADIOS_MAX { { menu(props, allowed, value, &out) } } else { { radios(props, allowed, value, &out) } }
            <p id={format!("{}-options", props.knob.id())} class="reason">
                { reasons.join(" ") }
                if let Some(hint) = props.knob.hint(&props.scenario).filter(|_| props.locked.is_none()) { { " " }{ hint } }
            </p>
        </>
    }
}

fn radios(props: &ControlProps, allowed: &[&'static str], value: &str, out: &dyn Fn(&str) -> bool) -> Html {
    let id = props.knob.id();
    let radio = |word: &'static str| {
        html! {
            <label class={classes!("choice", out(word).then_some("out"))}>
                <input type="radio" name={id.clone()} id={format!("{id}-{}", word.replace(['.', ' '], "-"))} value={word} checked={word == value}
                    disabled={out(word)} onchange={turned::<Event>(props, true, move |_| Given::Choice(word.into()))} />
                <span>{ said(word) }</span>
            </label>
        }
    };
    let described = format!("{} {id}-options", props.described_by());
    // Long words stand two by two.
    let long = allowed.iter().any(|word| word.len() > 10);
    html! {
        <div class={classes!("knob-row", "choices", long.then_some("long"))} id={id.clone()} role="radiogroup"
            aria-labelledby={format!("{id}-label")} aria-describedby={described}>
            { for allowed.iter().map(|word| radio(word)) }
        </div>
    }
}

/// One of the members of the cluster, by its name.
pub fn members(props: &ControlProps, value: u64) -> Html {
    let id = props.knob.id();
    let radio = |(member, words): (u32, String)| {
        html! {
            <label class={classes!("choice", props.locked.is_some().then_some("out"))} key={member}>
                <input type="radio" name={id.clone()} id={format!("{id}-{member}")} value={member.to_string()} checked={u64::from(member) == value}
                    disabled={props.locked.is_some()} onchange={turned::<Event>(props, true, move |_| Given::Number(member.to_string()))} />
                <span>{ words }</span>
            </label>
        }
    };
    let members = zvmlab_lab::knob::relocation::members(&props.knob, &props.scenario).unwrap_or_default();
    html! {
        <div class="knob-row choices" id={id.clone()} role="radiogroup" aria-labelledby={format!("{id}-label")} aria-describedby={props.described_by()}>
            { for members.into_iter().map(radio) }
        </div>
    }
}

/// A menu of words.
pub fn menu(props: &ControlProps, allowed: &[&'static str], value: &str, out: &dyn Fn(&str) -> bool) -> Html {
    let (knob, id) = (props.knob, props.knob.id());
    let choose = props.on.reform(move |event: Event| {
        let word = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        Msg::TurnKnob { knob, given: Given::Choice(word.unwrap_or_default()), done: true }
    });
    let described = format!("{} {id}-options", props.described_by());
    html! {
        <div class="knob-row">
            <select id={id.clone()} onchange={choose} disabled={props.locked.is_some()} aria-labelledby={format!("{id}-label")} aria-describedby={described}>
                { for allowed.iter().map(|word| html! {
                    <option value={*word} selected={*word == value} disabled={out(word)}>{ said(word) }</option>
                }) }
            </select>
            <Chosen {id} value={value.to_string()} />
        </div>
    }
}

/// A text.
pub fn text(props: &ControlProps, max_chars: usize, value: &str) -> Html {
    let given = |input: &HtmlInputElement| Given::Text(input.value());
    html! {
        <div class="knob-row">
            <input id={props.knob.id()} type="text" maxlength={max_chars.to_string()} autocomplete="off"
                value={props.draft.clone().unwrap_or_else(|| value.to_string())} aria-describedby={props.described_by()}
                onchange={turned::<Event>(props, true, given)} />
        </div>
    }
}
