//! The ISFC logical link as one control: the published configurations, each chpid with its CTCs in a line, and best practice.

use yew::prelude::*;
use zvmlab::scenario::Chpid;
use zvmlab::scenario::fields::path;

use super::beside::{explained, one};
use super::{KnobsProps, control, held};
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
                { explained(knobs, |knob| [path::ISFC_CHPID1, path::ISFC_CTCS1].contains(&knob.field.path)) }
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
            { one(props, speed, speed.field.label, true) }
            if there { { one(props, ctcs, ctcs.field.label, false) } }
        </div>
    }
}
