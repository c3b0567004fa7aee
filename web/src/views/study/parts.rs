//! What stands around the charts of a study: why there is none, and the control that it is about.

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::scenario::fields::path;

use super::StudyProps;
use crate::msg;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::studies::{StudyKind, has_both, total};

/// Why there is no study, where its control is there and does something.
pub fn none(props: &StudyProps) -> Html {
    let scenario = &props.scenario;
    let what = match props.kind {
        StudyKind::SetCu if scenario.lcu.aliases > 0 || has_both(scenario) => "No curves over SET CU",
        StudyKind::GuestZhpf if scenario.does_io() => "No curves of command against transport mode",
        _ => return Html::default(),
    };
    let why = props.kind.lacking(scenario).unwrap_or("the settings cannot be run");
    html! { <p class="help no-study">{ format!("{what}: {why}.") }</p> }
}

/// The share once more, where its curves are: on a phone the knob itself is far away.
pub fn share(props: &StudyProps) -> Html {
    let Some(knob) = Knob::at(path::LCU_ALIAS_SHARE, 0) else { return Html::default() };
    let turned = |done: bool| {
        props.on.reform(move |input: HtmlInputElement| msg::Msg::TurnKnob {
            knob,
            given: Given::Number(input.value()),
            done,
        })
    };
    let (moved, let_go) = (turned(false), turned(true));
    let oninput = Callback::from(move |event: InputEvent| {
        event.target_dyn_into::<HtmlInputElement>().into_iter().for_each(|input| moved.emit(input));
    });
    let onchange = Callback::from(move |event: Event| {
        event.target_dyn_into::<HtmlInputElement>().into_iter().for_each(|input| let_go.emit(input));
    });
    let share = props.scenario.lcu.alias_share;
    html! {
        <div class="study-knob">
            <label for="study-share">{ "SET CU " }<b>{ share.to_string() }</b></label>
            <span class="ends">
            <span aria-hidden="true">{ "MDISK" }</span>
            <input id="study-share" type="range" min="1" max={(total() - 1).to_string()} step="1"
                value={knob.share_place(&props.scenario).unwrap_or(1).to_string()}
                aria-valuetext={format!("{} to {}, MDISK to PAGING", share.mdisk, share.paging)} {oninput} {onchange} />
            <span aria-hidden="true">{ "PAGING" }</span>
            </span>
        </div>
    }
}
