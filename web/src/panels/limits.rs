//! What limits: a bar for each resource, and the sentence that names the limit.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::limit::Limits as Found;

use crate::msg::Msg;
use zvmlab_lab::room::{Anchor, Room};
use zvmlab_lab::rooms::limits::{LimitRow, rows};
use zvmlab_lab::words::limit::{legend, named, said, since};

/// What limits, and where the reader can go to see it.
#[derive(Clone, PartialEq, Properties)]
pub struct LimitsProps {
    /// What limited an interval.
    pub limits: Rc<Found>,
    /// What limited that of A, if A is another host.
    pub a: Option<Rc<Found>>,
    /// The rooms that the page has now.
    pub rooms: Vec<Room>,
    /// What the longest stop of a relocated guest was spent on.
    pub stop: Option<String>,
    /// What would shorten that stop.
    pub lever: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The bars, that of the limit first, and the sentence.
#[component]
pub fn Limits(props: &LimitsProps) -> Html {
    let explained = use_state(|| false);
    let rows = rows(&props.limits, props.a.as_deref(), &props.rooms);
    let toggle = {
        let explained = explained.clone();
        Callback::from(move |_: MouseEvent| explained.set(!*explained))
    };
    html! {
        <section class="limits" data-testid="limits" aria-label="What limits">
            <div class="knob-head">
                <h3>{ format!("What limits: {}", named(&props.limits)) }</h3>
                if !rows.is_empty() {
                    <button type="button" class="what" aria-label="Explain the bars" aria-expanded={explained.to_string()}
                        aria-controls="limits-help" onclick={toggle}>{ "?" }</button>
                }
            </div>
            <p id="limits-help" class="help" hidden={!*explained}>{ legend(props.limits.whose) }{ " A mark on a bar is that of A." }</p>
            <ul>
                <li class="heads" aria-hidden="true"><span class="row"><span class="n">{ "busy" }</span><span class="wait">{ "waiting" }</span></span></li>
                { for rows.iter().map(|row| bar(row, &props.on)) }
            </ul>
            <p data-testid="limit">{ said(&props.limits) }</p>
            if let Some(since) = props.a.as_ref().and_then(|a| since(a, &props.limits)) { <p data-testid="limit-since"><strong>{ since }</strong></p> }
            if let Some(stop) = &props.stop { <p data-testid="stop">{ stop }</p> }
            if let Some(lever) = &props.lever { <p data-testid="lever"><strong>{ lever }</strong></p> }
        </section>
    }
}

/// A row. Where the page has its room, it leads there.
fn bar(row: &LimitRow, on: &Callback<Msg>) -> Html {
    let waiting = row.waiting.as_deref().unwrap_or_default();
    // On one screen the word stands above all of them.
    let (percent, word) = waiting.split_at(waiting.rfind(' ').unwrap_or_default());
    let (percent, word) = (percent.to_string(), word.to_string());
    let inside = html! {
        <>
            <span class="name">{ row.label }</span>
            <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={format!("{:.1}", row.part * 100.0)} height="8" />
                if let Some(was) = row.was { <rect class="was" x={format!("{:.1}", was * 97.0)} width="3" height="8" /> }
            </svg>
            <span class="n">{ &row.busy }</span>
            <span class="wait">{ row.limits.then(|| html! { <strong>{ "limits " }</strong> }) }{ percent }<span>{ word }</span></span>
        </>
    };
    html! {
        <li key={row.label} class={row.limits.then_some("limiting")}>
            if let Some(room) = row.room {
                <button type="button" title={format!("Go to the room {}", room.name())} onclick={on.reform(move |_| Msg::GoTo(Anchor::Room(room)))}>
                    { inside }
                </button>
            } else {
                <span class="row">{ inside }</span>
            }
        </li>
    }
}
