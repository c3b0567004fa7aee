//! The three numbers of SET SRM STORBUF as one control: sliders that move their neighbours if they must, fields, and the
//! settings that people know.

use std::rc::Rc;
use zvmlab::scenario::fields::path;

use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::Problem;

use crate::msg::Msg;
use zvmlab_lab::bench::Draft;
use zvmlab_lab::documents::Section;
use zvmlab_lab::knob::storbuf::{KNOWN, LOW, Numbers, fits, moved, numbers, pushed, turns};
use zvmlab_lab::knob::{Given, storbuf};
use zvmlab_lab::room::Anchor;

/// The data of the control.
#[derive(Clone, PartialEq, Properties)]
pub struct StorbufProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Texts that are no values.
    pub drafts: Vec<Draft>,
    /// What is wrong with the scenario.
    pub problems: Vec<Problem>,
    /// Why a lesson keeps them as they are, if it does.
    pub held: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The three numbers.
#[component]
pub fn Storbuf(props: &StorbufProps) -> Html {
    let explained = use_state(|| false);
    // The numbers before the drag that is under way. Going back within the drag restores them.
    let held = use_mut_ref(|| None::<Numbers>);
    let along = use_state(|| None::<String>);
    let now = numbers(&props.scenario);
    let locked = || storbuf::knob(0).and_then(|knob| knob.locked(&props.scenario, &props.problems));
    let locked = props.held.clone().or_else(locked);
    let slide = {
        let (on, held, along) = (props.on.clone(), held.clone(), along.clone());
        Callback::from(move |(index, place, done): (usize, u64, bool)| {
            let start = *held.borrow_mut().get_or_insert(now);
            let wanted = pushed(start, index, place);
            if done {
                *held.borrow_mut() = None;
            }
            along.set(moved(start, wanted, index));
            on.emit(Msg::TurnTogether { turns: turns(wanted), done });
        })
    };
    let initial = props.scenario.level.storbuf_initial().map(u64::from);
    let set = |wanted: Numbers| {
        let label = format!("{}{}", if wanted == initial { "INITIAL: " } else { "" }, storbuf::written(wanted));
        let (on, along) = (props.on.clone(), along.clone());
        let press = move |_: MouseEvent| {
            along.set(None);
            on.emit(Msg::TurnTogether { turns: turns(wanted), done: true });
        };
        html! { <button type="button" key={storbuf::written(wanted)} onclick={press} disabled={locked.is_some()} title={storbuf::command(wanted)}
        aria-pressed={(now == wanted).to_string()}>{ label }</button> }
    };
    let toggle = {
        let explained = explained.clone();
        Callback::from(move |_: MouseEvent| explained.set(!*explained))
    };
    html! {
        <div class={classes!("storbuf", locked.as_ref().map(|_| "locked"))}>
            <div class="knob-head">
                <output class="command">{ storbuf::command(now) }</output>
                <button type="button" class="what" aria-label="Explain STORBUF" aria-expanded={explained.to_string()}
                    aria-controls="storbuf-help" onclick={toggle}>{ "?" }</button>
            </div>
            <div id="storbuf-help" class="help" hidden={!*explained}>
                { for (0..3).filter_map(storbuf::knob).map(|knob| html! { <p>{ knob.field.help() }</p> }) }
                <button type="button" class="plain" onclick={props.on.reform(|_| Msg::GoTo(Section::of_knob(path::SCHEDULER_STORBUF_1).map_or(Anchor::Model, |section| Anchor::Section(section.id))))}>{ "How the model does it" }</button>
            </div>
            { for (0..3).map(|index| row(props, index, locked.is_some(), &slide)) }
            <p class="reason" role="status">{ (*along).clone() }</p>
            { problems(props, now) }
            <div class="presets">
                { for KNOWN.into_iter().chain([LOW]).map(set) }
            </div>
            // A lesson says above all knobs why it keeps them.
            if let Some(reason) = locked.as_ref().filter(|_| props.held.is_none()) {
                <p id="storbuf-locked" class="reason">{ reason }</p>
            }
        </div>
    }
}

/// One number: what it limits, slider and field.
fn row(props: &StorbufProps, index: usize, locked: bool, slide: &Callback<(usize, u64, bool)>) -> Html {
    let Some(knob) = storbuf::knob(index) else { return Html::default() };
    let (id, value) = (knob.id(), numbers(&props.scenario)[index]);
    let Some((low, high, step)) = knob.slider_range(&props.scenario) else { return Html::default() };
    let slid = |done: bool| {
        let slide = slide.clone();
        move |event: &web_sys::Event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(place) = input.and_then(|input| input.value().parse::<u64>().ok()) {
                slide.emit((index, place, done));
            }
        }
    };
    let (while_dragged, let_go) = (slid(false), slid(true));
    let typed = |done: bool| {
        let on = props.on.clone();
        move |event: &web_sys::Event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(input) = input {
                on.emit(Msg::TurnKnob { knob, given: Given::Number(input.value()), done });
            }
        }
    };
    let (while_typed, entered) = (typed(false), typed(true));
    let draft = props.drafts.iter().find(|draft| draft.knob == knob).map(|draft| draft.text.clone());
    let wrong = storbuf::wrong(&props.problems)[index];
    let described = if locked { "storbuf-help storbuf-problem storbuf-locked" } else { "storbuf-help storbuf-problem" };
    html! {
        <div class="knob" key={id.clone()}>
            <label id={format!("{id}-label")} for={id.clone()}>{ storbuf::label(index) }</label>
            <div class="knob-row">
                <input id={id.clone()} type="range" min={low.to_string()} max={high.to_string()} step={step.to_string()} value={value.to_string()}
                    disabled={locked} aria-valuetext={format!("{value} %")} aria-describedby={described}
                    oninput={move |event: InputEvent| while_dragged(&event)} onchange={move |event: Event| let_go(&event)} />
                <input id={format!("{id}-number")} type="number" min="0" max="999" step="1" inputmode="numeric" disabled={locked}
                    value={draft.unwrap_or_else(|| value.to_string())} aria-label={format!("{}, number", knob.field.label)}
                    aria-describedby={described} aria-invalid={wrong.then_some("true")}
                    oninput={move |event: InputEvent| while_typed(&event)} onchange={move |event: Event| entered(&event)} />
                <span class="unit"><span>{ knob.field.unit }</span></span>
            </div>
        </div>
    }
}

/// What is wrong with the numbers, and how to make them fit.
fn problems(props: &StorbufProps, now: Numbers) -> Html {
    let said = storbuf::problems(&props.scenario, &props.problems);
    // An unreadable number must be entered anew. No order of the numbers helps then.
    let unreadable = props.drafts.iter().any(|draft| (0..3).filter_map(storbuf::knob).any(|knob| knob == draft.knob));
    let ways = if said.is_empty() || unreadable { Vec::new() } else { fits(now) };
    let way = |wanted: Numbers| {
        let set = props.on.reform(move |_: MouseEvent| Msg::TurnTogether { turns: turns(wanted), done: true });
        html! { <button type="button" class="remedy" onclick={set}>{ storbuf::command(wanted) }</button> }
    };
    html! {
        <div id="storbuf-problem" class="problem" aria-live="polite">
            { for said.iter().map(|said| html! { <p>{ said }</p> }) }
            { for ways.into_iter().map(way) }
        </div>
    }
}
