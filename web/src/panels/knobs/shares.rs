//! SET SHARE of every group of guests, each in a few lines. The reader compares them, so they stand on one screen.

use yew::prelude::*;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{LimitType, ShareType};

use super::KnobsProps;
use super::beside::{explained, one};
use zvmlab::scheduler::normalised_shares;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::knob::groups::guests_title;
use zvmlab_lab::words::number::trimmed;

/// The shares of all groups, of which `knobs` are the knobs.
pub fn shares(props: &KnobsProps, knobs: &[Knob], shown: &dyn Fn(&Knob) -> bool) -> Html {
    let normalised = normalised_shares(&props.scenario);
    let of = |index: usize| {
        let own: Vec<Knob> = knobs.iter().filter(|knob| knob.group == index && shown(knob)).copied().collect();
        if own.is_empty() { Html::default() } else { share(props, index, &own, normalised.get(index).copied()) }
    };
    html! {
        <>
            { for (0..props.scenario.guests.len()).map(of) }
            { explained(knobs, |knob| knob.group == 0) }
        </>
    }
}

/// The share of the guests of one group.
fn share(props: &KnobsProps, index: usize, knobs: &[Knob], normalised: Option<f64>) -> Html {
    let Some(group) = props.scenario.guests.get(index) else { return Html::default() };
    let (share, limit) = match (group.share_type, group.limit_type) {
        (ShareType::Relative, limit) => (path::GUESTS_SHARE_RELATIVE, limit),
        (ShareType::Absolute, limit) => (path::GUESTS_SHARE_ABSOLUTE, limit),
    };
    let line = |kind: &str, value: Option<&str>| {
        let find = |path: &str| knobs.iter().find(|knob| knob.field.path == path).copied();
        let (kind, value) = (find(kind), value.and_then(find));
        let one = |knob: Knob| one(props, knob, &format!("{}, {}", knob.field.label, group.name), false);
        html! {
            <div class="share-line">
                { kind.map(one).unwrap_or_default() }
                { value.map(one).unwrap_or_default() }
            </div>
        }
    };
    let id = format!("share-{}", index + 1);
    let comes_to = normalised.map(|percent| format!("comes to {} %", trimmed(percent)));
    let each = if group.count > 1 { " each" } else { "" };
    html! {
        <div class="share-of" role="group" aria-labelledby={id.clone()} key={index}>
            <p class="share-name"><span {id}>{ guests_title(&props.scenario, index) }</span>{ " " }
                <span class="unit" title="While every guest wants to run">{ comes_to }{ each }</span></p>
            { line(path::GUESTS_SHARE_TYPE, Some(share)) }
            { line(path::GUESTS_LIMIT_TYPE, (limit != LimitType::NoLimit).then_some(path::GUESTS_LIMIT_ABSOLUTE)) }
            if limit == LimitType::LimitSoft {
                <p class="reason">{ format!("{} %, more if no other guest wants it.", group.limit_absolute) }</p>
            }
        </div>
    }
}
