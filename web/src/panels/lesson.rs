//! The lesson: its step with what the learner reads and does, and the way on.

mod end;
mod outcome;
mod predict;

use yew::prelude::*;
use zvmlab::limit::ResourceKind;
use zvmlab_lab::lesson::Task;
use zvmlab_lab::lesson::play::outcome::Outcome;
use zvmlab_lab::lesson::play::{Did, Play, Wanted};
use zvmlab_lab::words::limit::label;

use crate::msg::{Msg, Sheet};
use crate::prose::Prose;

/// The id of the heading of a step. It gets the focus when the step begins.
pub const HEADING: &str = "lesson-step";

/// The id of the way on. It gets the focus when an answer is given, because the control that gave it goes.
pub const WAY_ON: &str = "lesson-next";

/// The data of the lesson.
#[derive(Clone, PartialEq, Properties)]
pub struct LessonProps {
    /// The way through it.
    pub play: Play,
    /// Whether the learner may go on.
    pub may_go_on: bool,
    /// What the step wants reached.
    pub wanted: Vec<Wanted>,
    /// The outcomes that the step shows; none as long as a run is missing.
    pub revealed: Option<Vec<Outcome>>,
    /// All outcomes, at the end.
    pub outcomes: Vec<Outcome>,
    /// Points reached, and points that there are, at the end.
    pub score: (f64, f64),
    /// What may limit, where the step asks for it.
    pub resources: Vec<ResourceKind>,
    /// Whether a run is under way.
    pub busy: bool,
    /// The labels of the knobs that move.
    pub open: Vec<String>,
    /// Whether a page around this one, or a course, chose the lesson: then there is no way out of it to another.
    pub is_chosen: bool,
    /// Told what the learner does.
    pub on: Callback<Msg>,
}

/// The step that is open; after the last one, the end.
#[component]
pub fn Lesson(props: &LessonProps) -> Html {
    let (play, lesson) = (&props.play, props.play.lesson());
    let count = lesson.steps.len();
    let place = if play.at() < count { format!("step {} of {count}", play.at() + 1) } else { "end".into() };
    html! {
        <section class="lesson card" aria-label={format!("Lesson: {}", lesson.title)} data-testid="lesson">
            <p class="lesson-head">
                <span class="pieces"><b>{ "Lesson" }</b>{ " " }<span>{ &lesson.title }</span></span>
                <span class="unit" data-testid="lesson-place">{ place }</span>
                if !props.is_chosen {
                    <button type="button" class="plain" onclick={props.on.reform(|_| Msg::LeaveLesson)}
                        title="The host stays on the bench. The lesson remembers its step.">{ "Leave" }</button>
                }
            </p>
            <progress class="lesson-way" value={play.at().to_string()} max={count.to_string()} aria-label="Way through the lesson" />
            if play.step().is_some() { { step(props) } } else { { end::end(props) } }
        </section>
    }
}

fn step(props: &LessonProps) -> Html {
    let Some(step) = props.play.step() else { return Html::default() };
    html! {
        <div key={props.play.at()}>
            <h2 id={HEADING} tabindex="-1">{ &step.title }</h2>
            // What a step says of outcomes comes with them.
            if step.task != Task::Reveal || props.revealed.is_some() { { for paragraphs(&step.text, &props.on) } }
            { match &step.task {
                Task::Watch => Html::default(),
                Task::Predict(prediction) => predict::predict(props, prediction),
                Task::Act(_) | Task::Transfer(_) => aim(props),
                Task::Reveal => match &props.revealed {
                    Some(outcomes) => html! { <div data-testid="lesson-outcome">{ for outcomes.iter().map(outcome::shown) }</div> },
                    None => html! { <p role="status">{ "The runs for this step are under way…" }</p> },
                },
                Task::Explain { .. } => explain(props),
            } }
            if !props.play.said().is_empty() { <p class="lesson-said" role="status" data-testid="lesson-said">{ props.play.said() }</p> }
            { hints(props) }
            { ways(props) }
        </div>
    }
}

/// The paragraphs of a text, with its terms explained in place.
pub(super) fn paragraphs(text: &str, on: &Callback<Msg>) -> Vec<Html> {
    text.split("\n\n").map(|part| html! { <p><Prose text={part.trim().to_string()} on={on.clone()} /></p> }).collect()
}

/// What is to be reached, each with whether it holds.
fn aim(props: &LessonProps) -> Html {
    let one = |wanted: &Wanted| {
        let (mark, word) = match wanted.holds {
            Some(true) => ("✓", "holds"),
            Some(false) => ("✗", "does not hold yet"),
            None => ("…", "not known yet"),
        };
        let class = classes!("aim", (wanted.holds == Some(true)).then_some("met"));
        html! { <li {class}><span aria-hidden="true">{ mark }</span>{ " " }{ &wanted.said }<span class="hidden">{ format!(": {word}") }</span></li> }
    };
    let opens = props.on.reform(|_| Msg::ShowSheet(Some(Sheet::Knobs)));
    html! {
        <>
            <ul class="aims" data-testid="aims" aria-label="What is to be reached">{ for props.wanted.iter().map(one) }</ul>
            <p class="help">{ format!("You may turn: {}. All others stay.", props.open.join("; ")) }
                { " " }<button type="button" class="plain to-knobs" onclick={opens}>{ "Open the knobs" }</button></p>
            if props.play.is_met() { <p class="lesson-said" role="status" data-testid="lesson-met">{
                if props.wanted.iter().any(|wanted| wanted.holds == Some(false)) { "You have reached it before. The host as it stands does not." } else { "Reached." }
            }</p> }
        </>
    }
}

/// What may limit, one button each, beside the machine itself.
fn explain(props: &LessonProps) -> Html {
    if !props.play.asks_for_limit() {
        return Html::default();
    }
    let one = |kind: &ResourceKind| {
        let kind = *kind;
        html! { <button type="button" onclick={props.on.reform(move |_| Msg::Learn(Did::Name(kind)))}>{ label(kind) }</button> }
    };
    html! {
        <div role="group" aria-label="What limits" class="presets" data-testid="lesson-resources">
            { for props.resources.iter().map(one) }
        </div>
    }
}

/// The hints that were asked for, and the next one.
fn hints(props: &LessonProps) -> Html {
    html! {
        <>
            { for props.play.hints().iter().map(|hint| html! { <p class="hint"><b>{ "Hint: " }</b>{ hint }</p> }) }
            if props.play.offers_hint() {
                <p><button type="button" onclick={props.on.reform(|_| Msg::Learn(Did::AskHint))}>{ "Show a hint" }</button></p>
            }
        </>
    }
}

/// Back, again, and on.
fn ways(props: &LessonProps) -> Html {
    let did = |did: Did| props.on.reform(move |_: MouseEvent| Msg::Learn(did.clone()));
    let is_aim = props.play.step().is_some_and(|step| step.task.goal().is_some());
    let skips = props.may_go_on
        && props.play.step().is_some_and(|step| !matches!(step.task, Task::Watch | Task::Predict(_) | Task::Reveal))
        && !props.play.is_met();
    let on = if skips { "Go on without it" } else { "Next" };
    html! {
        <p class="lesson-ways">
            <button type="button" onclick={did(Did::GoBack)} disabled={props.play.at() == 0}>{ "Back" }</button>
            if is_aim { <button type="button" onclick={did(Did::Restart)} title="The host as it was at the start of this step (key 0)">{ "Start this step again" }</button> }
            <button type="button" id={WAY_ON} class={classes!(props.may_go_on.then_some("primary"))} data-testid="lesson-next"
                aria-disabled={(!props.may_go_on).then_some("true")} onclick={did(Did::GoOn)}>{ on }</button>
        </p>
    }
}
