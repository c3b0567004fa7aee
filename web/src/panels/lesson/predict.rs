//! A prediction: one of several answers, a range, or a curve that is drawn.

use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;
use zvmlab_lab::lesson::check::value;
use zvmlab_lab::lesson::play::Did;
use zvmlab_lab::lesson::{Choice, Form, Prediction};
use zvmlab_lab::words::unit::with_unit;

use super::LessonProps;
use super::outcome::{HEIGHT, WIDTH, axes, place, polyline};
use crate::msg::Msg;

/// Steps of the slider of a drawn value, from nothing to the upper end of the drawing. Chosen.
const STEPS: f64 = 50.0;

/// The prediction of the step, open or locked.
pub fn predict(props: &LessonProps, prediction: &Prediction) -> Html {
    let locked = props.play.is_locked();
    let lock = props.on.reform(|_: MouseEvent| Msg::Learn(Did::Lock));
    let unfinished = props.play.unfinished();
    html! {
        <fieldset class="prediction" disabled={locked}>
            <legend>{ format!("Your prediction: {}", prediction.figure.label()) }</legend>
            { match &prediction.form {
                Form::Choice(choices) => self::choices(props, choices),
                Form::Range { .. } => range(props, prediction),
                Form::Curve { .. } => curve(props, prediction),
            } }
            if let Form::Range { widest, .. } = &prediction.form {
                <p class="help">{ format!("The lowest and the highest value that you would believe, at most {} apart.", with_unit(*widest, prediction.figure.unit())) }</p>
            }
            if let Form::Curve { .. } = &prediction.form { <p class="help">{ "The shape is judged, not the height." }</p> }
            if locked {
                <p class="help">{ "Your prediction stands." }if let Some(step) = props.play.shown_in() { { format!(" Step {step} shows what comes of it.") } }</p>
            } else {
                <p>
                    <button type="button" class={classes!(unfinished.is_none().then_some("primary"))} data-testid="lesson-lock"
                        aria-disabled={unfinished.is_some().then_some("true")} onclick={lock}>{ "I predict this" }</button>
                    <span class="help">{ " " }{ unfinished.unwrap_or("It cannot be changed afterwards.".into()) }</span>
                </p>
            }
        </fieldset>
    }
}

fn choices(props: &LessonProps, choices: &[Choice]) -> Html {
    let one = |(at, choice): (usize, &Choice)| {
        let choose = props.on.reform(move |_: Event| Msg::Learn(Did::Choose(at)));
        html! {
            <label class="choice"><input type="radio" name="lesson-choice" checked={props.play.chosen() == Some(at)} onchange={choose} />
                <span>{ &choice.text }</span></label>
        }
    };
    html! { <div role="radiogroup" aria-label="Answers">{ for choices.iter().enumerate().map(one) }</div> }
}

fn range(props: &LessonProps, prediction: &Prediction) -> Html {
    let [least, most] = props.play.range();
    let field = |name: &'static str, text: String, did: fn(String) -> Did| {
        let write = props.on.reform(move |event: InputEvent| {
            let text = event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
            Msg::Learn(did(text))
        });
        html! {
            <label>{ name }{ " " }<input type="text" inputmode="decimal" size="8" value={text} oninput={write} />{ " " }
                <span class="unit">{ prediction.figure.unit() }</span></label>
        }
    };
    html! { <p class="range">{ field("at least", least, Did::Least) }{ " " }{ field("at most", most, Did::Most) }</p> }
}

/// A drawing that follows the pointer, and a slider for each value.
fn curve(props: &LessonProps, prediction: &Prediction) -> Html {
    let Form::Curve { knob, values, most } = &prediction.form else { return Html::default() };
    let (most, count) = (*most, values.len());
    let drawn = props.play.curve();
    let draw = {
        let on = props.on.clone();
        move |event: &PointerEvent| {
            let inside = event.target_dyn_into::<Element>();
            let Some(area) = inside.and_then(|inside| inside.closest(".drawing").ok().flatten()) else { return };
            let area = area.get_bounding_client_rect();
            if area.width() <= 0.0 || area.height() <= 0.0 {
                return;
            }
            let across = (f64::from(event.client_x()) - area.left()) / area.width();
            let up = 1.0 - (f64::from(event.client_y()) - area.top()) / area.height();
            let at = (across * count as f64).clamp(0.0, count as f64 - 1.0) as usize;
            on.emit(Msg::Learn(Did::Draw(at, up.clamp(0.0, 1.0) * most)));
        }
    };
    let onpointerdown = {
        let draw = draw.clone();
        Callback::from(move |event: PointerEvent| draw(&event))
    };
    let onpointermove = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1 {
            draw(&event);
        }
    });
    let slider = |(at, given): (usize, &zvmlab_lab::knob::Given)| {
        let now = drawn.get(at).copied().unwrap_or_default();
        let said = with_unit((now * 1e4).round() / 1e4, prediction.figure.unit());
        let slide = props.on.reform(move |event: InputEvent| {
            let place = event.target_dyn_into::<HtmlInputElement>().and_then(|field| field.value().parse::<f64>().ok());
            Msg::Learn(Did::Draw(at, place.unwrap_or_default() / STEPS * most))
        });
        html! {
            <label class="draw-value" key={at}><span>{ value(given) }</span>
                <input type="range" min="0" max={STEPS.to_string()} value={(now / most * STEPS).round().to_string()} oninput={slide}
                    aria-valuetext={said.clone()} aria-label={format!("{} at {} {}", prediction.figure.label(), knob.field.label, value(given))} />
                <output>{ said }</output></label>
        }
    };
    let points: Vec<(f64, f64)> = drawn.iter().enumerate().map(|(at, value)| place(at, count, value / most)).collect();
    html! {
        <>
            <svg class="drawing" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} {onpointerdown} {onpointermove} aria-hidden="true">
                <rect width={WIDTH.to_string()} height={HEIGHT.to_string()} />
                { polyline("drawn", &points) }
                { axes(&values.iter().map(value).collect::<Vec<_>>(), &with_unit(most, prediction.figure.unit())) }
            </svg>
            <p class="help">{ format!("Draw in the picture, or move each slider: {} over {}.", prediction.figure.label(), knob.field.label) }</p>
            <div class="draw-values">{ for values.iter().enumerate().map(slider) }</div>
        </>
    }
}
