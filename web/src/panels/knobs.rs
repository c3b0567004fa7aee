//! The knobs: for each field of the scenario a native control with a number field, its unit, and a word on what it is.

mod control;
mod controls;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::Problem;

use crate::app::Msg;
use crate::bench::Draft;
use crate::knob::Knob;
use crate::knob::groups::{Group, groups, is_main};
use crate::knob::sentences::sentence;
use crate::subject::Subject;
use control::Control;

/// What the knobs are given.
#[derive(Clone, PartialEq, Properties)]
pub struct KnobsProps {
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// What it is about.
    pub subject: &'static Subject,
    /// Texts that are no values.
    pub drafts: Vec<Draft>,
    /// Knobs that were turned: they stay.
    pub turned: Vec<Knob>,
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
    let more = props.more;
    html! {
        <>
            { for groups(&props.scenario).into_iter().map(|knobs| group(props, knobs)) }
            { general_problems(props) }
            <button type="button" class="more" aria-expanded={more.to_string()} onclick={props.on.reform(move |_| Msg::ShowMore(!more))}>
                { if more { "Fewer knobs" } else { "More knobs" } }
            </button>
        </>
    }
}

/// A group with those of its knobs that are shown: a problem stands next to its knob, so that one is shown too, and so is one that
/// was turned. The others keep their place in the list: were the list another, the browser would move a knob and take the focus
/// from it.
fn group(props: &KnobsProps, group: Group) -> Html {
    let wrong = |knob: &Knob| props.problems.iter().filter_map(Knob::of_problem).any(|of| of == *knob);
    let shown = |knob: &Knob| {
        props.more || is_main(knob, &props.scenario, props.subject) || props.turned.contains(knob) || wrong(knob)
    };
    let mut reasons: Vec<String> = Vec::new();
    let mut any = false;
    let knobs: Vec<Html> = group
        .knobs
        .iter()
        .map(|knob| {
            let inside = shown(knob).then(|| {
                any = true;
                let locked = knob.locked(&props.scenario, &props.problems);
                // A reason that several knobs share is read once, at the first of them.
                let repeated = locked.as_ref().is_some_and(|reason| reasons.contains(reason));
                reasons.extend(locked.clone());
                control(props, *knob, locked, repeated)
            });
            html! { <key={knob.id()}>{ inside.unwrap_or_default() }</> }
        })
        .collect();
    html! {
        <key={group.id.clone()}>
            if any {
                <fieldset class="group" id={format!("knobs-{}", group.id)}>
                    <legend>{ &group.title }</legend>
                    { for knobs }
                </fieldset>
            }
        </>
    }
}

fn control(props: &KnobsProps, knob: Knob, locked: Option<String>, repeated: bool) -> Html {
    let own = |problem: &&Problem| Knob::of_problem(problem).is_some_and(|of| of == knob);
    let problems: Vec<String> =
        props.problems.iter().filter(own).map(|problem| sentence(problem, &props.scenario)).collect();
    let draft = props.drafts.iter().find(|draft| draft.knob == knob).map(|draft| draft.text.clone());
    html! {
        <Control {knob} scenario={props.scenario.clone()} {draft} {problems} {locked} {repeated} on={props.on.clone()} />
    }
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
