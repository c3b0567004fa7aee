//! What limits: a bar for each resource, and the sentence that names the limit.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::limit::Limits as Found;

use crate::msg::Msg;
use zvmlab_lab::room::{Anchor, Room};
use zvmlab_lab::rooms::limits::{LimitRow, rows};
use zvmlab_lab::words::limit::{legend, said};

/// What limits, and where the reader can go to see it.
#[derive(Clone, PartialEq, Properties)]
pub struct LimitsProps {
    /// What limited an interval.
    pub limits: Rc<Found>,
    /// The rooms that the page has now.
    pub rooms: Vec<Room>,
    /// What the longest stop of a relocated guest was spent on.
    pub stop: Option<String>,
    /// What would shorten that stop.
    pub lever: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The bars, the resource that is waited for longest first, and the sentence.
#[component]
pub fn Limits(props: &LimitsProps) -> Html {
    let rows = rows(&props.limits, &props.rooms);
    html! {
        <section class="limits" data-testid="limits" aria-label="What limits">
            <h3>{ "What limits" }</h3>
            <p data-testid="limit">{ said(&props.limits) }</p>
            if let Some(stop) = &props.stop { <p data-testid="stop">{ stop }</p> }
            if let Some(lever) = &props.lever { <p data-testid="lever"><strong>{ lever }</strong></p> }
            <ul>{ for rows.iter().map(|row| bar(row, &props.on)) }</ul>
            if !rows.is_empty() { <p class="help">{ legend(props.limits.whose) }</p> }
        </section>
    }
}

/// A row. Where the page has its room, it leads there.
fn bar(row: &LimitRow, on: &Callback<Msg>) -> Html {
    let inside = html! {
        <>
            <span class="name">{ row.label }</span>
            <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={format!("{:.1}", row.part * 100.0)} height="8" />
            </svg>
            <span class="n">{ &row.busy }</span>
            <span class="wait">{ row.limits.then(|| html! { <strong>{ "limits " }</strong> }) }{ row.waiting.clone() }</span>
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
