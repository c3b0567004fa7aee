//! The three numbers of STORBUF above the lists: on a phone the knobs themselves are far away.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::Scenario;

use crate::msg::Msg;
use zvmlab_lab::knob::storbuf::{Numbers, command, knob, lacking, numbers, pushed, turns};

/// The data of the strip.
#[derive(Clone, PartialEq, Properties)]
pub struct StripProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The numbers, each with its slider; nothing if they hold no guest back.
#[component]
pub fn StorbufStrip(props: &StripProps) -> Html {
    // The numbers before the drag that is under way. Going back within the drag restores them.
    let held = use_mut_ref(|| None::<Numbers>);
    if lacking(&props.scenario).is_some() {
        return Html::default();
    }
    let now = numbers(&props.scenario);
    let slide = {
        let on = props.on.clone();
        Callback::from(move |(index, place, done): (usize, u64, bool)| {
            let start = *held.borrow_mut().get_or_insert(now);
            if done {
                *held.borrow_mut() = None;
            }
            on.emit(Msg::TurnTogether { turns: turns(pushed(start, index, place)), done });
        })
    };
    html! {
        <div class="storbuf-strip" role="group" aria-label="SET SRM STORBUF">
            <span class="command">{ command(now) }</span>
            { for (0..3).map(|index| row(props, index, now, &slide)) }
        </div>
    }
}

/// The lists that a number limits, in little room.
fn label(index: usize) -> &'static str {
    super::words::BARRIERS.get(index).copied().unwrap_or_default()
}

fn row(props: &StripProps, index: usize, now: Numbers, slide: &Callback<(usize, u64, bool)>) -> Html {
    let Some((low, high, step)) = knob(index).and_then(|knob| knob.slider_range(&props.scenario)) else {
        return Html::default();
    };
    let value = now.get(index).copied().unwrap_or(0);
    let slid = |done: bool| {
        let slide = slide.clone();
        move |input: Option<HtmlInputElement>| {
            if let Some(place) = input.and_then(|input| input.value().parse::<u64>().ok()) {
                slide.emit((index, place, done));
            }
        }
    };
    let (moved, let_go) = (slid(false), slid(true));
    let id = format!("strip-storbuf-{}", index + 1);
    html! {
        <>
            <label for={id.clone()}>{ label(index) }</label>
            <input {id} type="range" min={low.to_string()} max={high.to_string()} step={step.to_string()} value={value.to_string()}
                aria-valuetext={format!("{value} %")}
                oninput={move |event: InputEvent| moved(event.target_dyn_into())}
                onchange={move |event: Event| let_go(event.target_dyn_into())} />
            <output>{ value }</output>
        </>
    }
}
