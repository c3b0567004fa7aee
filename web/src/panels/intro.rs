//! The first screen: what this is in two sentences, and one thing to do.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use crate::msg::Msg;
use crate::prose::Prose;
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::introduction::{introduction, question};
use zvmlab_lab::subjects::next_step::NextStep;

/// What the introduction is given.
#[derive(Clone, PartialEq, Properties)]
pub struct IntroProps {
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// What it is about.
    pub subject: &'static Subject,
    /// The ready experiment that it began as.
    pub run: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The introduction.
#[component]
pub fn Intro(props: &IntroProps) -> Html {
    let run = props.run.as_deref();
    let step = NextStep::after(&props.scenario, props.subject, run);
    html! {
        <div class="intro">
            if let Some(question) = question(props.subject, run) { <p class="question"><Prose text={question} on={props.on.clone()} /></p> }
            <p class="what-is-this"><Prose text={introduction(&props.scenario, props.subject, run)} on={props.on.clone()} /></p>
            <p class="next">
                <button type="button" class="primary" data-testid="next-step" onclick={props.on.reform(move |_| Msg::TakeStep(step))}>
                    { step.label() }
                </button>
                <span><Prose text={step.hint()} on={props.on.clone()} /></span>
            </p>
        </div>
    }
}
