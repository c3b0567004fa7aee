//! The first screen: the page in two or three sentences, and one thing to do.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use crate::msg::Msg;
use crate::prose::Prose;
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::introduction::{Standing, introduction, question};
use zvmlab_lab::subjects::next_step::NextStep;

/// The data of the introduction.
#[derive(Clone, PartialEq, Properties)]
pub struct IntroProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// The ready experiment with which it began.
    pub run: Option<String>,
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
    if props.embedded {
        let question = question(props.subject, run).unwrap_or(props.subject.question);
        let standing = Standing::of(&props.scenario).sentence();
        return html! {
            <div class="intro">
                <p class="question">{ question }</p>
                <p class="what-is-this" data-testid="standing">{ standing }</p>
            </div>
        };
    }
    let step = NextStep::after(&props.scenario, props.subject, run);
    let take = {
        let step = step.clone();
        props.on.reform(move |_| Msg::TakeStep(step.clone()))
    };
    html! {
        <div class="intro">
            if let Some(question) = question(props.subject, run) { <p class="question"><Prose text={question} on={props.on.clone()} /></p> }
            <p class="what-is-this"><Prose text={introduction(&props.scenario, props.subject)} on={props.on.clone()} /></p>
            <p class="next">
                <button type="button" class="primary" data-testid="next-step" onclick={take}>
                    { step.label().to_string() }
                </button>
                <span><Prose text={step.hint()} on={props.on.clone()} /></span>
            </p>
        </div>
    }
}
