//! One knob as the reader sees it: label, control, explanation, its problems and how to resolve them.

use yew::prelude::*;
use zvmlab::scenario::fields::{Kind, path};

use super::controls::{ControlProps, choice, members, share, switch, text};
use super::number::number;
use crate::msg::Msg;
use crate::page;
use crate::prose::Prose;
use zvmlab_lab::documents::Section;
use zvmlab_lab::knob::{Knob, limits};
use zvmlab_lab::room::Anchor;

/// Whether the knob chooses a member of the cluster: by its name, not by its number.
fn is_member(knob: &Knob) -> bool {
    matches!(knob.field.path, path::GUESTS_MEMBER | path::GUESTS_MOVE_TO)
}

/// A knob: label, control, number field, unit, explanation, problems.
#[component]
pub fn Control(props: &ControlProps) -> Html {
    let explained = use_state(|| false);
    let id = props.knob.id();
    let (field, name) = (props.knob.field, props.knob.label(&props.scenario));
    let toggle = {
        let explained = explained.clone();
        Callback::from(move |_| explained.set(!*explained))
    };
    let group = props.knob.group;
    let control = match field.kind {
        Kind::Switch { get, .. } => switch(props, get(&props.scenario, group)),
        Kind::Whole { get, .. } if is_member(&props.knob) => members(props, get(&props.scenario, group)),
        Kind::Whole { get, .. } => number(props, get(&props.scenario, group)),
        Kind::Tenths { get, .. } => number(props, get(&props.scenario, group).0.into()),
        Kind::Choice { allowed, get, .. } => choice(props, allowed, get(&props.scenario, group)),
        Kind::Share { get, total, .. } => share(props, total, get(&props.scenario, group)),
        Kind::Text { max_chars, get, .. } => text(props, max_chars, get(&props.scenario, group)),
    };
    let go = props.on.reform(move |_| {
        Msg::GoTo(Section::of_knob(field.path).map_or(Anchor::Model, |section| Anchor::Section(section.id)))
    });
    let help = props.knob.help(&props.scenario);
    let label_id = format!("{id}-label");
    let is_switch = matches!(field.kind, Kind::Switch { .. });
    let label = match field.kind {
        Kind::Choice { .. } => html! { <span id={label_id} class="label">{ name }</span> },
        _ if is_member(&props.knob) => html! { <span id={label_id} class="label">{ name }</span> },
        _ => html! { <label id={label_id} for={id.clone()}>{ name }</label> },
    };
    let classes = classes!("knob", props.locked.as_ref().map(|_| "locked"), (!props.problems.is_empty()).then_some("wrong"));
    html! {
        <div class={classes}>
            <div class="knob-head">
                { label }
                { back_to_a(props, name) }
                if is_switch { { control.clone() } }
                <button type="button" class="what" aria-label={format!("Explain {name}")} aria-expanded={explained.to_string()}
                    aria-controls={format!("{id}-help")} onclick={toggle}>{ "?" }</button>
            </div>
            if !is_switch { { control } }
            <div class="help" hidden={!*explained}>
                // Screen readers describe the knob by it while it is hidden too.
                <p id={format!("{id}-help")}>if *explained { <Prose text={help} on={props.on.clone()} /> } else { { help } }</p>
                <button type="button" class="plain" onclick={go}>{ "How the model does it" }</button>
            </div>
            <div id={format!("{id}-problem")} class="problem" aria-live="polite">
                { for props.problems.iter().map(|problem| html! { <p>{ problem }</p> }) }
            </div>
            { remedy(props) }
            { without_lacking(props) }
            if let Some(reason) = &props.locked {
                <p id={format!("{id}-locked")} class={classes!("reason", props.repeated.then_some("hidden"))}>{ reason }</p>
            }
        </div>
    }
}

/// The value of A, if it is another, as a button that brings it back.
fn back_to_a(props: &ControlProps, name: &str) -> Html {
    let (knob, Some((value, given))) = (props.knob, props.of_a()) else { return Html::default() };
    let turn = props.on.reform(move |_: MouseEvent| {
        // The pressed button no longer exists.
        page::focus(&knob.id());
        Msg::TurnKnob { knob, given: given.clone(), done: true }
    });
    html! {
        <button type="button" class="plain was" aria-label={format!("A {value}: back to it, {name}")} title={format!("Back to {value}, as in A")}
            onclick={turn}>{ format!("A {value}") }</button>
    }
}

/// A button that resolves the problems, if turning this knob can.
pub fn remedy(props: &ControlProps) -> Html {
    let remedy = Some(props.knob).filter(|_| !props.problems.is_empty()).and_then(|knob| knob.remedy(&props.scenario));
    let Some(remedy) = remedy else { return Html::default() };
    let (knob, given) = (props.knob, remedy.given);
    let turn = props.on.reform(move |_| Msg::TurnKnob { knob, given: given.clone(), done: true });
    html! {
        <button type="button" class="remedy" aria-label={format!("{}: {}", knob.label(&props.scenario), remedy.label)} onclick={turn}>{ &remedy.label }</button>
    }
}

/// At the level: a button that turns off several things at once that the level lacks.
fn without_lacking(props: &ControlProps) -> Html {
    if props.knob.field.path != path::LEVEL {
        return Html::default();
    }
    let lacking = limits::lacking(&props.scenario);
    if lacking.len() < 2 {
        return Html::default();
    }
    let what: Vec<&str> = lacking.iter().map(|(knob, _)| knob.field.label).collect();
    let turn = props.on.reform(move |_| Msg::FitLevel(lacking.clone()));
    html! {
        <p class="problem" role="status">
            { format!("{} does not allow: {}. ", props.scenario.level.name(), what.join(", ")) }
            <button type="button" class="remedy" onclick={turn}>{ limits::without_lacking(&props.scenario) }</button>
        </p>
    }
}
