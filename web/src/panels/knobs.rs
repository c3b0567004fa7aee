//! The knobs: for each field of the scenario a native control with a number field, its unit, and a word on what it is.

mod control;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::Problem;
use zvmlab::scenario::fields::FIELDS;

use crate::app::Msg;
use crate::bench::Draft;
use crate::knob::{GROUPS, Knob};
use control::Control;

/// What the knobs are given.
#[derive(Clone, PartialEq, Properties)]
pub struct KnobsProps {
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// Texts that are no values.
    pub drafts: Vec<Draft>,
    /// What is wrong with the scenario.
    pub problems: Vec<Problem>,
    /// Whether the further knobs are shown.
    pub more: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// All knobs, in their groups.
#[component]
pub fn Knobs(props: &KnobsProps) -> Html {
    // A problem is shown next to its knob, so its knob must be seen.
    let hidden_problem = props.problems.iter().filter_map(Knob::of_problem).any(|knob| !knob.is_main());
    let more = props.more || hidden_problem;
    let toggle = props.on.reform(move |_| Msg::ShowMore(!more));
    html! {
        <>
            { for GROUPS.iter().map(|(id, title, paths)| group(props, id, title, paths, more)) }
            { general_problems(props) }
            <button type="button" class="more" aria-expanded={more.to_string()} onclick={toggle} disabled={hidden_problem}>
                { if more { "Fewer knobs" } else { "More knobs" } }
            </button>
        </>
    }
}

fn group(props: &KnobsProps, id: &str, title: &str, paths: &[&str], more: bool) -> Html {
    let fields = paths.iter().filter_map(|path| FIELDS.iter().find(|field| field.path == *path));
    let knobs: Vec<Knob> = fields
        .flat_map(|field| {
            let groups = if field.room() == "guests" { props.scenario.guests.len() } else { 1 };
            (0..groups).map(move |group| Knob { field, group })
        })
        .filter(|knob| more || knob.is_main())
        .collect();
    if knobs.is_empty() {
        return Html::default();
    }
    html! {
        <fieldset class="group" key={id.to_string()}>
            <legend>{ title.to_string() }</legend>
            { for knobs.into_iter().map(|knob| control(props, knob)) }
        </fieldset>
    }
}

fn control(props: &KnobsProps, knob: Knob) -> Html {
    let own = |problem: &&Problem| Knob::of_problem(problem).is_some_and(|of| of == knob);
    let problems: Vec<String> = props.problems.iter().filter(own).map(|problem| problem.message.clone()).collect();
    let draft = props.drafts.iter().find(|draft| draft.knob == knob).map(|draft| draft.text.clone());
    html! { <Control key={knob.id()} {knob} scenario={props.scenario.clone()} {draft} {problems} on={props.on.clone()} /> }
}

/// Problems that no single knob has: too many guests in all groups together.
fn general_problems(props: &KnobsProps) -> Html {
    let general = props.problems.iter().filter(|problem| Knob::of_problem(problem).is_none());
    html! {
        <div class="problem" aria-live="polite">
            { for general.map(|problem| html! { <p>{ format!("{}: {}.", problem.field, problem.message) }</p> }) }
        </div>
    }
}
