//! The end of a lesson: the learner's own predictions beside what came of them, and where to go from here.

use yew::prelude::*;
use zvmlab_lab::lesson::list::after;
use zvmlab_lab::lesson::play::Did;
use zvmlab_lab::lesson::play::outcome::Outcome;
use zvmlab_lab::words::number::trimmed;

use super::{HEADING, LessonProps, paragraphs};
use crate::msg::Msg;
use crate::panels::subjects::lesson_address;

/// The end.
pub fn end(props: &LessonProps) -> Html {
    let lesson = props.play.lesson();
    let (got, of) = props.score;
    let one = |outcome: &Outcome| {
        let said = outcome.predicted.clone().unwrap_or("nothing".into());
        let mark = if outcome.is_right { "✓" } else { "✗" };
        html! {
            <li>{ mark }{ " " }{ outcome.figure.label() }{ ": you said “" }{ said }{ "”. Model: " }{ &outcome.model }{ "." }
                if let Some(published) = &outcome.published { { " IBM: " }{ published }{ "." } }</li>
        }
    };
    html! {
        <div key="end">
            <h2 id={HEADING} tabindex="-1">{ "What you have seen" }</h2>
            { for paragraphs(&lesson.summary, &props.on) }
            if !props.outcomes.is_empty() { <ul class="aims" data-testid="lesson-outcomes">{ for props.outcomes.iter().map(one) }</ul> }
            <p data-testid="lesson-score">{ format!("{} of {} points: one for each prediction that came true, each limit that was found and each aim that was reached, half a point where a hint helped.", trimmed(got), trimmed(of)) }</p>
            <details class="help"><summary>{ "What the model leaves out here" }</summary>{ for paragraphs(&lesson.model_limits, &props.on) }</details>
            <p class="lesson-ways">
                <button type="button" onclick={props.on.reform(|_| Msg::Learn(Did::GoBack))}>{ "Back" }</button>
                if let Some(next) = after(&lesson.id).filter(|_| !props.is_chosen) { <a class="button primary" href={lesson_address(next)}>{ format!("Next lesson: {}", next.title) }</a> }
                if !props.is_chosen { <button type="button" onclick={props.on.reform(|_| Msg::LeaveLesson)}>{ "Leave the lesson" }</button> }
            </p>
        </div>
    }
}
