//! Controls that stand beside each other, once for each guest group or chpid. They have no head of their own, and are explained once.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::scenario::fields::Kind;

use super::control::remedy;
use super::controls::{ControlProps, menu};
use super::number::number;
use super::{KnobsProps, draft, held, problems_of};
use zvmlab_lab::knob::Knob;

/// One control under a label, with what is wrong with it. A label that is not `seen` is for screen readers.
pub fn one(props: &KnobsProps, knob: Knob, label: &str, seen: bool) -> Html {
    let control = ControlProps {
        knob,
        scenario: Rc::clone(&props.scenario),
        a: Rc::clone(&props.a),
        draft: draft(props, knob),
        problems: problems_of(props, knob),
        locked: held(props, &knob),
        repeated: true,
        on: props.on.clone(),
    };
    let (id, group) = (knob.id(), knob.group);
    let input = match knob.field.kind {
        Kind::Choice { allowed, get, .. } => menu(&control, allowed, get(&props.scenario, group), &|_| false),
        Kind::Whole { get, .. } => number(&control, get(&props.scenario, group)),
        Kind::Tenths { get, .. } => number(&control, get(&props.scenario, group).0.into()),
        _ => Html::default(),
    };
    html! {
        <div class={classes!("share-part", (!control.problems.is_empty()).then_some("wrong"))} key={id.clone()}>
            <label id={format!("{id}-label")} for={id.clone()} class={(!seen).then_some("hidden")}>{ label }</label>
            { input }
            <p id={format!("{id}-help")} hidden=true>{ knob.field.help() }</p>
            <div id={format!("{id}-problem")} class="problem" aria-live="polite">
                { for control.problems.iter().map(|problem| html! { <p>{ problem }</p> }) }
                { remedy(&control) }
            </div>
        </div>
    }
}

/// What the controls mean: of the knobs those of the first group or chpid.
pub fn explained(knobs: &[Knob], is_first: impl Fn(&Knob) -> bool) -> Html {
    let first = knobs.iter().filter(|knob| is_first(knob));
    html! {
        <details class="help">
            <summary>{ "What these mean" }</summary>
            <dl>{ for first.map(|knob| html! { <><dt>{ knob.field.label }</dt><dd>{ knob.field.help() }</dd></> }) }</dl>
        </details>
    }
}
