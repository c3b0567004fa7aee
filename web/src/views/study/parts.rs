//! The controls around the charts of a study: the knob that it turns, and the choice of a scale.

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::fields::Kind;

use crate::msg;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::studies::{Scale, Slider};

/// The knob again, next to its curves: on a phone the knob itself is far away.
pub fn slider(of: &Slider, scenario: &Scenario, on: &Callback<msg::Msg>) -> Html {
    let Some(knob) = Knob::at(of.path, 0) else { return Html::default() };
    let Kind::Share { total, .. } = knob.field.kind else { return Html::default() };
    let turned = |done: bool| {
        on.reform(move |input: HtmlInputElement| msg::Msg::TurnKnob { knob, given: Given::Number(input.value()), done })
    };
    let (moved, let_go) = (turned(false), turned(true));
    let oninput = Callback::from(move |event: InputEvent| {
        event.target_dyn_into::<HtmlInputElement>().into_iter().for_each(|input| moved.emit(input));
    });
    let onchange = Callback::from(move |event: Event| {
        event.target_dyn_into::<HtmlInputElement>().into_iter().for_each(|input| let_go.emit(input));
    });
    let ([first, last], (value, spoken)) = (of.ends, (of.value)(scenario));
    html! {
        <div class="study-knob">
            <label for="study-share">{ of.command }<b>{ value }</b></label>
            <span class="ends">
            <span aria-hidden="true">{ first }</span>
            <input id="study-share" type="range" min="1" max={(total - 1).to_string()} step="1"
                value={knob.share_place(scenario).unwrap_or(1).to_string()} aria-valuetext={spoken} {oninput} {onchange} />
            <span aria-hidden="true">{ last }</span>
            </span>
        </div>
    }
}

/// The choice between figures as they are and multiples.
pub fn scale(of: &Scale, study: &'static str, scaled: bool, on: &Callback<bool>) -> Html {
    let choice = |wanted: bool, label: &'static str| {
        html! {
            <label>
                <input type="radio" name={format!("{study}-scale")} checked={scaled == wanted} onchange={on.reform(move |_: Event| wanted)} />
                { label }
            </label>
        }
    };
    let [absolute, multiples] = of.choices;
    html! {
        <fieldset class="scale">
            <legend class="visually-hidden">{ of.legend }</legend>
            { choice(false, absolute) }
            { choice(true, multiples) }
        </fieldset>
    }
}
