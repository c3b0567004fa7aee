//! The views: what each room of the model shows. A view turns samples and results into charts, and draws nothing itself.

mod compared;
mod control_unit;
mod guest_zhpf;
mod guests;
mod minidisks;
mod overview;
mod paging;
mod processors;
mod set_cu;
mod storage;
mod studied;
pub mod study;
pub mod sweep;
mod table_6;

use std::rc::Rc;

use yew::prelude::*;

use crate::chart::Chart;
use crate::chart::frame::ChartFrame;
use crate::session::ViewProps;

pub use compared::setting;

/// Why the room of paging is empty.
const NOTHING_PAGED: &str = "Nothing is paged: all that the guests touch fits in central storage.";
/// Why the room of minidisks is empty.
const NO_MINIDISK_IO: &str = "No guest does I/O to a minidisk here. Guests do it where the records of an I/O are 1 or more; IO3390 is such a workload.";
/// Why the room of the control unit is empty.
const NO_IO: &str = "No I/O has ended: nothing is paged, and no guest does I/O to a minidisk.";

/// The whole host at a glance: throughput, and the published runs beside it.
#[component]
pub fn Overview(props: &ViewProps) -> Html {
    charts(overview::charts(props), "")
}

/// The control unit: aliases and channel paths.
#[component]
pub fn ControlUnit(props: &ViewProps) -> Html {
    charts(control_unit::charts(props), NO_IO)
}

/// The processors: who uses them, and what guests wait for.
#[component]
pub fn Processors(props: &ViewProps) -> Html {
    charts(processors::charts(props), "")
}

/// Central storage: where its frames are, and how the available list fares.
#[component]
pub fn Storage(props: &ViewProps) -> Html {
    charts(storage::charts(props), "")
}

/// The paging volumes: service time, queues and page space.
#[component]
pub fn Paging(props: &ViewProps) -> Html {
    charts(paging::charts(props), NOTHING_PAGED)
}

/// The minidisk volumes: service time, CP CPU, queues and the minidisk cache.
#[component]
pub fn Minidisks(props: &ViewProps) -> Html {
    charts(minidisks::charts(props), NO_MINIDISK_IO)
}

/// The charts in their frames, or the sentence that says why there are none.
fn charts(charts: Vec<Chart>, why_none: &str) -> Html {
    if charts.is_empty() {
        return html! { <p class="help room-nothing">{ why_none }</p> };
    }
    let frame = |chart: Chart| {
        let id = chart.id;
        html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
    };
    html! { <div class="charts">{ for charts.into_iter().map(frame) }</div> }
}
