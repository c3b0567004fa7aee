//! The first screen: the page in two or three sentences, and one thing to do.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::limit::Limits;

use crate::msg::{Msg, Sweeping};
use crate::page::is_low;
use crate::prose::Prose;
use zvmlab_lab::batch::sweep::form::Form;
use zvmlab_lab::published::ready::like;
use zvmlab_lab::room::Room;
use zvmlab_lab::subjects::introduction::{Standing, introduction, question};
use zvmlab_lab::subjects::next_step::{Next, NextStep};
use zvmlab_lab::subjects::{Rule, Setup, Subject};
use zvmlab_lab::words::letters::within;

/// The id of the sentence at the end of a chain.
pub const POINT: &str = "point";

/// The data of the introduction.
#[derive(Clone, PartialEq, Properties)]
pub struct IntroProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// The ready experiment with which it began.
    pub run: Option<String>,
    /// What limits it; none as long as there is no result.
    #[prop_or_default]
    pub limits: Option<Rc<Limits>>,
    /// Whether the page is embedded. There is little room then, and the page around it has its own words.
    #[prop_or_default]
    pub embedded: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The introduction.
#[component]
pub fn Intro(props: &IntroProps) -> Html {
    let run = props.run.as_deref();
    let rule = (props.subject.particulars.rule)(&props.scenario);
    if props.embedded {
        let question = question(props.subject, run).unwrap_or(props.subject.question);
        let standing = Standing::of(&props.scenario).sentence();
        return html! {
            <div class="intro">
                <p class="question">{ question }</p>
                <p class="what-is-this" data-testid="standing">{ standing }</p>
                if let Some(rule) = rule.filter(|rule| rule.shown_by.is_none()) { <p class="rule-here" data-testid="rule">{ rule.said }</p> }
            </div>
        };
    }
    let question = question(props.subject, run);
    // Who turned a knob knows the host. On a low screen a question says enough.
    let fresh = like(&props.scenario).as_deref() == Some(run.unwrap_or(props.subject.start()));
    let open = fresh && (question.is_none() || !is_low());
    let next = Next::of(&props.scenario, props.subject, run, props.limits.as_deref());
    html! {
        <div class="intro">
            if let Some(question) = question { <p class="question"><Prose text={question} on={props.on.clone()} /></p> }
            <details class="what-is-this" {open}>
                <summary data-testid="standing">{ Standing::of(&props.scenario).sentence() }</summary>
                <Prose text={introduction(&props.scenario, props.subject)} on={props.on.clone()} />
            </details>
            { rule.map(|rule| of_rule(rule, props)).unwrap_or_default() }
            { offered(next, props) }
        </div>
    }
}

/// A published rule, with the way to the host that shows it.
fn of_rule(rule: Rule, props: &IntroProps) -> Html {
    let open = |setup: &'static Setup| props.on.reform(move |_| Msg::ChooseRun(setup.id.into()));
    html! {
        <p class="rule-here" data-testid="rule">
            { rule.said }
            if let Some(setup) = rule.shown_by {
                { " " }<button type="button" class="plain" data-testid="rule-host" title={setup.shows()} onclick={open(setup)}>{ setup.title }</button>
            }
        </p>
    }
}

/// The step on offer with its reason. At the end the point that was made, and where to go from there.
fn offered(next: Next, props: &IntroProps) -> Html {
    let take = |step: &NextStep| {
        let step = step.clone();
        props.on.reform(move |_| Msg::TakeStep(step.clone()))
    };
    match next {
        Next::Step(step) => html! {
            <p class="next" key="step">
                <button type="button" class="primary" data-testid="next-step" onclick={take(&step)}>
                    { step.label().to_string() }
                </button>
                <span><Prose text={step.hint().to_string()} on={props.on.clone()} /></span>
            </p>
        },
        Next::Made { said, back } => {
            let other = props.subject.following();
            let open = props.on.reform(move |_| Msg::ChooseRun(other.start().into()));
            html! {
                <p class="next" key="made">
                    <span data-testid="point" id={POINT} tabindex="-1"><Prose text={said.into_owned()} on={props.on.clone()} /></span>
                    if let Some(knob) = curve_over(props) {
                        <button type="button" data-testid="curve" title="One run for each value of the knob, drawn as a line"
                            onclick={props.on.reform(|_| Msg::Sweep(Sweeping::Draw))}>{ format!("Draw ETR over {}", within(knob)) }</button>
                    }
                    if let Some(back) = back {
                        <button type="button" data-testid="way-back" title={back.hint().to_string()} onclick={take(&back)}>
                            { back.label().to_string() }
                        </button>
                    }
                    <button type="button" data-testid="next-subject" title={other.question} onclick={open}>
                        { format!("Next: {}", other.title) }
                    </button>
                </p>
            }
        }
    }
}

/// The knob that the subject turns, where the overview sweeps it.
fn curve_over(props: &IntroProps) -> Option<&'static str> {
    let is_swept = props.subject.room == Room::Overview && !props.scenario.relocates() && props.limits.is_some();
    let knob = is_swept.then(|| Form::default().knob(props.subject, &props.scenario)).flatten()?;
    Some(knob.field.label)
}
