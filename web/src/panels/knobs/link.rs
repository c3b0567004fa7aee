//! The ISFC logical link as one control: the published configurations, each chpid with its CTCs in a line, and best practice.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::scenario::Chpid;
use zvmlab::scenario::fields::{Kind, path};

use super::control::remedy;
use super::controls::{ControlProps, menu};
use super::number::number;
use super::{KnobsProps, control, draft, held, problems_of};
use crate::msg::Msg;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::knob::link::{
    BEST_PRACTICE, CHPID_PATHS, CHPIDS, CTC_PATHS, Configuration, PUBLISHED, chpid, differs, knobs as knobs_of,
};

/// The link, of which `knobs` are the knobs.
pub fn link(props: &KnobsProps, knobs: &[Knob], shown: &dyn Fn(&Knob) -> bool) -> Html {
    let others = knobs.iter().filter(|knob| !is_of_chpid(knob) && shown(knob));
    let chpids = knobs.iter().any(|knob| is_of_chpid(knob) && shown(knob));
    let one = |knob: &Knob| {
        let held = held(props, knob);
        let repeated = held.is_some();
        let locked = held.or_else(|| knob.locked(&props.scenario, &props.problems));
        html! { <key={knob.id()}>{ control(props, *knob, locked, repeated) }</> }
    };
    html! {
        <>
            if chpids {
                { published(props) }
                { for (0..CHPIDS).map(|index| line(props, index)) }
                <p class="help" id="link-capacity">
                    { format!("Capacity factor {}: the sum of the speeds in Gb/s. ", props.scenario.isfc.capacity_factor()) }
                    { BEST_PRACTICE }{ " " }<strong role="status" data-testid="link-differs">{ differs(&props.scenario.isfc) }</strong>
                </p>
                { explained(knobs) }
            }
            { for others.map(one) }
        </>
    }
}

fn is_of_chpid(knob: &Knob) -> bool {
    CHPID_PATHS.iter().chain(&CTC_PATHS).any(|path| *path == knob.field.path)
}

/// The configurations that were published, one press each.
fn published(props: &KnobsProps) -> Html {
    let is_held = (0..CHPIDS).filter_map(knobs_of).any(|(speed, ctcs)| held(props, &speed).or(held(props, &ctcs)).is_some());
    let button = |configuration: Configuration| {
        let set = props.on.reform(move |_: MouseEvent| Msg::TurnTogether { turns: configuration.turns(), done: true });
        let factor = configuration.capacity_factor;
        html! {
            <button type="button" key={factor} onclick={set} title={configuration.words()} data-testid={format!("link-{factor}")}
                disabled={is_held} aria-label={format!("Capacity factor {factor}: {}", configuration.words())}
                aria-pressed={configuration.is_of(&props.scenario.isfc).to_string()}>{ factor }</button>
        }
    };
    html! {
        <div class="knob" role="group" aria-labelledby="link-published">
            <span class="label" id="link-published">{ "Capacity factors of table 3 (6.2 deck)" }</span>
            <div class="presets">{ for PUBLISHED.into_iter().map(button) }</div>
        </div>
    }
}

/// One chpid: its speed and its CTCs.
fn line(props: &KnobsProps, index: usize) -> Html {
    let Some((speed, ctcs)) = knobs_of(index) else { return Html::default() };
    let there = chpid(&props.scenario, index) != Chpid::None;
    html! {
        <div class="share-line link-line" role="group" aria-label={speed.field.label} key={index}>
            { one(props, speed) }
            if there { { one(props, ctcs) } }
        </div>
    }
}

/// One control without its head, with what is wrong with it.
fn one(props: &KnobsProps, knob: Knob) -> Html {
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
    let id = knob.id();
    let is_chpid = CHPID_PATHS.contains(&knob.field.path);
    let input = match knob.field.kind {
        Kind::Choice { allowed, get, .. } => menu(&control, allowed, get(&props.scenario, 0), &|_| false),
        Kind::Whole { get, .. } => number(&control, get(&props.scenario, 0)),
        _ => Html::default(),
    };
    html! {
        <div class={classes!("share-part", (!control.problems.is_empty()).then_some("wrong"))} key={id.clone()}>
            <label id={format!("{id}-label")} for={id.clone()} class={(!is_chpid).then_some("hidden")}>{ knob.field.label }</label>
            { input }
            <p id={format!("{id}-help")} hidden=true>{ knob.field.help() }</p>
            <div id={format!("{id}-problem")} class="problem" aria-live="polite">
                { for control.problems.iter().map(|problem| html! { <p>{ problem }</p> }) }
                { remedy(&control) }
            </div>
        </div>
    }
}

/// What the controls mean, once for all chpids.
fn explained(knobs: &[Knob]) -> Html {
    let first = knobs.iter().filter(|knob| [path::ISFC_CHPID1, path::ISFC_CTCS1].contains(&knob.field.path));
    html! {
        <details class="help">
            <summary>{ "What these mean" }</summary>
            <dl>{ for first.map(|knob| html! { <><dt>{ knob.field.label }</dt><dd>{ knob.field.help() }</dd></> }) }</dl>
        </details>
    }
}
