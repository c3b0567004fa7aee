//! The views: what each room of the model shows. A view turns samples and results into charts, and draws nothing itself.

mod compared;
mod guests;
mod overview;
mod paging;
mod processors;
mod storage;
pub mod sweep;

use std::rc::Rc;

use yew::prelude::*;

use crate::chart::Chart;
use crate::chart::frame::ChartFrame;
use crate::session::ViewProps;

pub use compared::setting;

/// The whole host at a glance: throughput, and the published runs beside it.
#[component]
pub fn Overview(props: &ViewProps) -> Html {
    charts(overview::charts(props))
}

/// The processors: who uses them, and what guests wait for.
#[component]
pub fn Processors(props: &ViewProps) -> Html {
    charts(processors::charts(props))
}

/// Central storage: where its frames are, and how the available list fares.
#[component]
pub fn Storage(props: &ViewProps) -> Html {
    charts(storage::charts(props))
}

/// The paging volumes: service time, queues, aliases and paths.
#[component]
pub fn Paging(props: &ViewProps) -> Html {
    charts(paging::charts(props))
}

fn charts(charts: Vec<Chart>) -> Html {
    let frame = |chart: Chart| {
        let id = chart.id;
        html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
    };
    html! { <div class="charts">{ for charts.into_iter().map(frame) }</div> }
}
