//! The views: each room of the laboratory as a component. Charts and words come from [`zvmlab_lab::rooms`].

mod cluster;
pub mod evacuation;
mod isfc;
mod locks;
mod logical;
mod member;
mod prsm;
mod relocation;
mod row;
mod scheduler;
pub mod study;
mod what_if;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::chart::Chart;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::room::Room;
use zvmlab_lab::rooms;
use zvmlab_lab::rooms::relocation::words::NOT_PUBLISHED;

use crate::chart::frame::ChartFrame;
use member::use_member;
use row::ChartRow;

use cluster::Cluster;
use isfc::IsfcLink;
use relocation::Relocation;
use scheduler::Scheduler;

pub use evacuation::Evacuation;
pub use member::{MemberChoice, MemberScope};
pub use scheduler::StorbufStrip;
pub use what_if::WhatIf;

/// The data of each view.
#[derive(Clone, PartialEq, Properties)]
pub struct ViewProps {
    /// The evidence to show.
    pub evidence: Evidence,
}

/// A room, and the evidence that it shows.
#[derive(Clone, PartialEq, Properties)]
pub struct ChartRoomProps {
    /// The room.
    pub room: Room,
    /// What is shown.
    pub evidence: Evidence,
}

/// The charts of a room.
#[component]
pub fn ChartRoom(props: &ChartRoomProps) -> Html {
    let of_member = use_member(&props.evidence);
    let evidence = if props.room.is_of_one_host() { &of_member } else { &props.evidence };
    charts(props.room, evidence)
}

/// What a room shows besides its charts. Nothing for a room of charts alone, or one that needs more than evidence: the page draws
/// what that one shows.
pub fn beside_charts(room: Room, props: ViewProps) -> Html {
    match room {
        Room::Relocation => html! { <Relocation ..props /> },
        Room::Isfc => html! { <IsfcLink ..props /> },
        Room::Cluster => html! { <Cluster ..props /> },
        Room::Scheduler => html! { <Scheduler ..props /> },
        Room::Processors => html! { <Processors ..props /> },
        Room::Prsm => html! { <Prsm ..props /> },
        Room::Locks => html! { <Locks ..props /> },
        _ => Html::default(),
    }
}

/// The whole host at a glance: throughput, and the published runs.
#[component]
pub fn Overview(props: &ViewProps) -> Html {
    let relocates = props.evidence.settled.as_ref().is_some_and(|settled| settled.scenario.relocates());
    html! {
        <>
            { charts(Room::Overview, &props.evidence) }
            if relocates { <p class="help not-published">{ NOT_PUBLISHED }</p> }
        </>
    }
}

/// The processors over their charts: what each does now.
#[component]
fn Processors(props: &ViewProps) -> Html {
    logical::now(&use_member(&props.evidence))
}

/// PR/SM over its charts: the partitions and each one's entitlement.
#[component]
fn Prsm(props: &ViewProps) -> Html {
    prsm::about(&use_member(&props.evidence))
}

/// Spin locks over their charts: the lock of VARY PROCESSOR.
#[component]
fn Locks(props: &ViewProps) -> Html {
    locks::vary(&use_member(&props.evidence))
}

/// The charts of a room in their frames, or the sentence that says why there are none.
fn charts(room: Room, evidence: &Evidence) -> Html {
    let Some((charts, why_none)) = rooms::charts(room, evidence) else { return Html::default() };
    if charts.is_empty() && why_none.is_empty() {
        return Html::default();
    }
    if charts.is_empty() {
        return html! { <p class="help room-nothing">{ why_none }</p> };
    }
    let frame = |chart: Chart| {
        let id = chart.id;
        html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
    };
    html! { <ChartRow charts={charts.into_iter().map(frame).collect::<Vec<_>>()} /> }
}
