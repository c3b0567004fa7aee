//! The views: what each room of the model shows. A view turns samples and results into charts, and draws nothing itself.

mod cluster;
mod compared;
mod control_unit;
mod curves;
mod evacuation;
mod guest_zhpf;
mod guests;
mod isfc;
mod limit_hard;
mod locks;
mod logical;
mod member;
mod minidisks;
mod overview;
mod paging;
mod processors;
mod prsm;
mod relocation;
mod response;
mod scheduler;
mod set_cu;
mod shares;
mod states;
mod storage;
mod studied;
pub mod study;
pub mod sweep;
mod table_6;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use crate::chart::Chart;
use crate::chart::frame::ChartFrame;
use crate::session::ViewProps;
use member::use_member;

pub use cluster::Cluster;
pub use compared::setting;
pub use evacuation::{Evacuation, ID as EVACUATION};
pub use isfc::IsfcLink;
pub use member::{MemberChoice, MemberScope};
pub use relocation::Relocation;
pub use scheduler::{Scheduler, SchedulerCharts, StorbufStrip, who_waits};
pub use shares::normalised;

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
    let relocates = props.settled.as_ref().is_some_and(|settled| settled.scenario.relocates());
    html! {
        <>
            { charts(overview::charts(props), "") }
            if relocates { <p class="help not-published">{ relocation::NOT_PUBLISHED }</p> }
        </>
    }
}

/// The control unit: aliases and channel paths.
#[component]
pub fn ControlUnit(props: &ViewProps) -> Html {
    let props = &use_member(props);
    charts(control_unit::charts(props), NO_IO)
}

/// The processors: who uses them, what each does now, and ready work that waits or is forgotten.
#[component]
pub fn Processors(props: &ViewProps) -> Html {
    let props = &use_member(props);
    html! { <>{ logical::now(props) }{ charts(processors::charts(props), "") }</> }
}

/// PR/SM: the partitions, what each is entitled to, and what PR/SM costs.
#[component]
pub fn Prsm(props: &ViewProps) -> Html {
    let props = &use_member(props);
    html! { <>{ prsm::about(props) }{ charts(prsm::charts(props), "") }</> }
}

/// Spin locks: a guest's, CP's, and that of VARY PROCESSOR.
#[component]
pub fn Locks(props: &ViewProps) -> Html {
    let props = &use_member(props);
    html! { <>{ locks::vary(props) }{ charts(locks::charts(props), NO_LOCKS) }</> }
}

/// Whether the room `id` matters to `scenario`. Those of storage and of processors matter to every host.
pub fn matters(id: &str, scenario: &Scenario) -> bool {
    match id {
        "prsm" => scenario.processors.shared || scenario.processors.capacity_percent < 100,
        "locks" => locks::matter(scenario),
        "what-if" => crate::sweep::question::transits(scenario) || scenario.relocates() && !scenario.relocation.bounce,
        "evacuation" => crate::sweep::evacuation::lacking(scenario).is_none(),
        "relocation" => scenario.relocates(),
        "isfc" | "cluster" => scenario.cluster.members > 1,
        _ => true,
    }
}

/// Central storage: where its frames are, and how the available list fares.
#[component]
pub fn Storage(props: &ViewProps) -> Html {
    let props = &use_member(props);
    charts(storage::charts(props), "")
}

/// The paging volumes: service time, queues and page space.
#[component]
pub fn Paging(props: &ViewProps) -> Html {
    let props = &use_member(props);
    charts(paging::charts(props), NOTHING_PAGED)
}

/// The minidisk volumes: service time, CP CPU, queues and the minidisk cache.
#[component]
pub fn Minidisks(props: &ViewProps) -> Html {
    let props = &use_member(props);
    charts(minidisks::charts(props), NO_MINIDISK_IO)
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
