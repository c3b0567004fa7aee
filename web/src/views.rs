//! The views: each room of the laboratory as a component. Charts and words come from [`zvmlab_lab::rooms`].

mod cluster;
pub mod evacuation;
mod isfc;
mod limit_hard;
mod locks;
mod logical;
mod member;
mod prsm;
mod relocation;
mod scheduler;
pub mod study;
mod table_6;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::chart::Chart;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms;

use crate::chart::frame::ChartFrame;
use member::use_member;

pub use cluster::Cluster;
pub use evacuation::Evacuation;
pub use isfc::IsfcLink;
pub use member::{MemberChoice, MemberScope};
pub use relocation::Relocation;
pub use scheduler::{Scheduler, SchedulerCharts, StorbufStrip};

/// What each view is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ViewProps {
    /// What is shown.
    pub evidence: Evidence,
}

/// Why the room of paging is empty.
const NOTHING_PAGED: &str = "Nothing is paged: all that the guests touch fits in central storage.";
/// Why the room of minidisks is empty.
const NO_MINIDISK_IO: &str = "No guest does I/O to a minidisk here. Guests do it where the records of an I/O are 1 or more; IO3390 is such a workload.";
/// Why the room of locks is empty.
const NO_LOCKS: &str =
    "Nobody takes a spin lock here. Guests do where their lock is held or CP's service is asked for in a cycle.";
/// Why the room of the control unit is empty.
const NO_IO: &str = "No I/O has ended: nothing is paged, and no guest does I/O to a minidisk.";

/// The whole host at a glance: throughput, and the published runs beside it.
#[component]
pub fn Overview(props: &ViewProps) -> Html {
    let relocates = props.evidence.settled.as_ref().is_some_and(|settled| settled.scenario.relocates());
    html! {
        <>
            { charts(rooms::overview::charts(&props.evidence), "") }
            if relocates { <p class="help not-published">{ rooms::relocation::words::NOT_PUBLISHED }</p> }
        </>
    }
}

/// The control unit: aliases and channel paths.
#[component]
pub fn ControlUnit(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    charts(rooms::control_unit::charts(evidence), NO_IO)
}

/// The processors: who uses them, what each does now, and ready work that waits or is forgotten.
#[component]
pub fn Processors(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    html! { <>{ logical::now(evidence) }{ charts(rooms::processors::charts(evidence), "") }</> }
}

/// PR/SM: the partitions, what each is entitled to, and what PR/SM costs.
#[component]
pub fn Prsm(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    html! { <>{ prsm::about(evidence) }{ charts(rooms::prsm::charts(evidence), "") }</> }
}

/// Spin locks: a guest's, CP's, and that of VARY PROCESSOR.
#[component]
pub fn Locks(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    html! { <>{ locks::vary(evidence) }{ charts(rooms::locks::charts(evidence), NO_LOCKS) }</> }
}

/// Central storage: where its frames are, and how the available list fares.
#[component]
pub fn Storage(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    charts(rooms::storage::charts(evidence), "")
}

/// The paging volumes: service time, queues and page space.
#[component]
pub fn Paging(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    charts(rooms::paging::charts(evidence), NOTHING_PAGED)
}

/// The minidisk volumes: service time, CP CPU, queues and the minidisk cache.
#[component]
pub fn Minidisks(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    charts(rooms::minidisks::charts(evidence), NO_MINIDISK_IO)
}

/// The charts in their frames, or the sentence that says why there are none.
fn charts(charts: Vec<Chart>, why_none: &str) -> Html {
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
    html! { <div class="charts">{ for charts.into_iter().map(frame) }</div> }
}
