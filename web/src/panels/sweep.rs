//! The card of the sweep: which knob, from which value to which; its progress; and its chart.

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;
use zvmlab::scenario::fields::path::room;
use zvmlab::scenario::quantity;
use zvmlab::{Figure, Measurement, Scenario};

use crate::chart::frame::ChartFrame;
use crate::msg::{Msg, Sweeping};
use zvmlab_lab::batch::sweep::form::{Bound, Form, knobs};
use zvmlab_lab::batch::sweep::{Sweep, figures};
use zvmlab_lab::knob::Knob;
use zvmlab_lab::published::PublishedRun;
use zvmlab_lab::rooms;
use zvmlab_lab::subjects::Subject;

/// The id of its chart.
pub const SWEPT: &str = "swept-chart";

/// The data of the card.
#[derive(Clone, PartialEq, Properties)]
pub struct SweepProps {
    /// What the reader has asked for.
    pub form: Form,
    /// The last sweep.
    pub sweep: Option<Rc<Sweep>>,
    /// The figure that is shown.
    pub figure: Figure,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// The seed on the bench.
    pub seed: u64,
    /// How many runs are wanted of a host.
    pub replications: u32,
    /// The host on the bench, and the figures of its runs that have settled.
    pub now: Option<Rc<(Scenario, Vec<Measurement>)>>,
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The card.
#[component]
pub fn SweepCard(props: &SweepProps) -> Html {
    let chart = use_memo(
        (props.sweep.clone(), props.figure, props.now.clone(), props.published.clone()),
        |(sweep, figure, now, published)| {
            let now = now.as_ref().map(|now| (&now.0, &now.1[..]));
            sweep.as_ref().map(|sweep| Rc::new(rooms::sweep::chart(sweep, *figure, published, now)))
        },
    );
    html! {
        <section class="card sweep" id="sweep" aria-labelledby="sweep-title">
            <h3 id="sweep-title">{ "Sweep a knob" }</h3>
            <p class="help">{ "Runs as many experiments as " }<i>{ "Replications" }</i>{ " says for each value of a knob, with all else as it is on the bench, and draws the line of their means." }</p>
            { form(props) }
            if let Some(sweep) = &props.sweep { { progress(sweep) } { stale(props, sweep) } }
            if let Some(chart) = &*chart {
                { figure(props) }
                <div class="swept-chart" id={SWEPT} tabindex="-1"><ChartFrame chart={chart.clone()} /></div>
            }
            if let Some(sweep) = &props.sweep {
                { for sweep.left_out().into_iter().map(|sentence| html! { <p class="help left-out">{ sentence }</p> }) }
                if let Some(said) = sweep.batch.unsettled() { <p class="help left-out">{ said + "." }</p> }
            }
        </section>
    }
}

fn form(props: &SweepProps) -> Html {
    let running = props.sweep.as_ref().is_some_and(|sweep| sweep.running);
    let problem = props.form.range(props.subject, &props.scenario).err();
    let refused = problem.is_some();
    let wrong = |bound: Bound| problem.as_ref().is_some_and(|problem| problem.bounds.contains(&bound));
    let start = {
        let on = props.on.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if !running && !refused {
                on.emit(Msg::Sweep(Sweeping::Start));
            }
        })
    };
    let texts = props.form.shown(props.subject, &props.scenario);
    let shares = props.form.takes_shares(props.subject, &props.scenario);
    let unit = props.form.knob(props.subject, &props.scenario).map_or("", |knob| knob.field.unit);
    let takes_units = !quantity::names(unit).is_empty();
    let field = |bound: Bound| {
        // A share has a colon, and a size may have its unit behind it.
        let is_text = takes_units || shares && bound != Bound::Step;
        let (kind, inputmode) = if is_text { ("text", "text") } else { ("number", "numeric") };
        let (id, text) = (bound.id(), texts[bound as usize].clone());
        let give = props.on.reform(move |event: Event| {
            let text = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value());
            Msg::Sweep(Sweeping::Give(bound, text.unwrap_or_default()))
        });
        html! {
            <div class="field">
                <label for={id}>{ bound.label() }if unit == "MB" { <span class="unit">{ " MB" }</span> }</label>
                <input {id} type={kind} min="0" step="1" {inputmode} value={text} onchange={give} aria-describedby="sweep-problem" aria-invalid={wrong(bound).then_some("true")} />
            </div>
        }
    };
    html! {
        <form class="sweep-form" aria-label="Sweep" onsubmit={start} novalidate=true>
            { knob_field(props) }
            { for Bound::ALL.map(field) }
            if running {
                <button key="stop" id="sweep-stop" type="button" onclick={props.on.reform(|_| Msg::Sweep(Sweeping::Stop))}>{ "Stop" }</button>
            } else {
                <button key="start" id="sweep-start" type="submit" disabled={refused}>
                    { if props.sweep.is_some() { "Sweep again" } else { "Sweep" } }
                </button>
            }
            <p id="sweep-problem" class="problem" aria-live="polite">{ problem.as_ref().map(|problem| problem.why.clone()) }</p>
        </form>
    }
}

fn knob_field(props: &SweepProps) -> Html {
    let chosen = props.form.knob(props.subject, &props.scenario);
    let choose = props.on.reform(|event: Event| {
        let place = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        Msg::Sweep(Sweeping::Choose(place.unwrap_or_default()))
    });
    let several = props.scenario.guests.len() > 1;
    let option = |knob: Knob| {
        let group = props.scenario.guests.get(knob.group).filter(|_| several && knob.field.room() == room::GUESTS);
        let of = group.map_or(String::new(), |group| format!(" ({})", group.name));
        html! {
            <option key={knob.place()} value={knob.place()} selected={chosen == Some(knob)}>{ format!("{}{of}", knob.field.label) }</option>
        }
    };
    html! {
        <div class="field">
            <label for="sweep-knob">{ "Knob" }</label>
            <select id="sweep-knob" onchange={choose}>{ for knobs(&props.scenario).into_iter().map(option) }</select>
        </div>
    }
}

/// The sweep's progress. Screen readers hear only its end: each point would be too much.
fn progress(sweep: &Sweep) -> Html {
    let (done, all) = sweep.batch.progress();
    let over = match (sweep.running, done == all) {
        (true, _) => String::new(),
        (false, true) => format!("{all} of {all} experiments done."),
        (false, false) => format!("Stopped after {done} of {all} experiments."),
    };
    html! {
        <p class="progress">
            if sweep.running {
                <label class="swept">{ format!("{done} of {all} ") }<progress max={all.to_string()} value={done.to_string()} /></label>
            }
            <span role="status">{ over }</span>
        </p>
    }
}

/// The settings of the sweep, if they are others now.
fn stale(props: &SweepProps, sweep: &Sweep) -> Html {
    let changed = sweep.changed_since(&props.scenario, props.seed, props.replications);
    if changed.is_empty() {
        return Html::default();
    }
    html! {
        <p class="reason stale-sweep">
            { format!("Made with {}; {}. Changed since then: {}. Sweep again to follow.", rooms::compared::setting(&sweep.batch.base), sweep.seeds(), changed.join(", ")) }
        </p>
    }
}

fn figure(props: &SweepProps) -> Html {
    let base = props.sweep.as_ref().map_or(&*props.scenario, |sweep| &sweep.batch.base);
    let show = props.on.reform(|event: Event| {
        let id = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        Msg::Sweep(Sweeping::Show(Figure::from_id(&id).unwrap_or(Figure::Etr)))
    });
    let option = |figure: &Figure| {
        html! { <option value={figure.id()} selected={*figure == props.figure}>{ figure.label() }</option> }
    };
    html! {
        <p class="swept-figure">
            <label for="sweep-figure">{ "Figure " }</label>
            <select id="sweep-figure" onchange={show}>{ for figures(base).iter().map(option) }</select>
        </p>
    }
}
