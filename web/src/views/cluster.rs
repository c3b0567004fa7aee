//! The cluster: its members side by side, the guests at each, the room that each has, and the effect of guests that arrived.

mod figures;
mod members;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::snapshot::{ClusterSnapshot, RelocationSnapshot};
use zvmlab_lab::chart::Chart;
use zvmlab_lab::rooms::cluster::{MOVES_MAX, arrivals, bucket, charts};
use zvmlab_lab::rooms::compared::{NO_RESULT, newest};
use zvmlab_lab::words::relocations::member_at as member;
use zvmlab_lab::words::unit::short_seconds;

use super::ViewProps;
use super::row::ChartRow;
use crate::chart::frame::ChartFrame;

/// The room.
#[component]
pub fn Cluster(props: &ViewProps) -> Html {
    let evidence = &props.evidence;
    let Some(snapshot) = newest(evidence) else { return html! { <p class="help room-nothing">{ NO_RESULT }</p> } };
    let Some(cluster) = snapshot.cluster.as_deref() else {
        return html! { <p class="help room-nothing">{ "This host is not a member of a cluster. Give the cluster two or more members." }</p> };
    };
    let shown = charts::charts(evidence, snapshot, cluster).into_iter().chain(bucket::chart(evidence, snapshot, cluster));
    html! {
        <>
            { members::cards(snapshot, cluster) }
            { figures::card(evidence, snapshot, cluster) }
            <ChartRow charts={shown.map(framed).collect::<Vec<_>>()} />
            { moves(cluster) }
        </>
    }
}

/// A chart in its frame.
pub fn framed(chart: Chart) -> Html {
    let id = chart.id;
    html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
}

/// The moves in words, newest first.
fn moves(cluster: &ClusterSnapshot) -> Html {
    let arrivals = arrivals(cluster);
    let told = |(at, one): &(u64, &RelocationSnapshot)| {
        let still = one.quiesce_ns().map_or(String::new(), |ns| format!(", stopped for {}", short_seconds(ns)));
        let (name, from, to) = (&one.name, member(one.from), member(one.to));
        html! { <li key={format!("{name}{at}")}>{ format!("{:.3} s: {name} from {from} to {to}{still}", *at as f64 / 1e9) }</li> }
    };
    if arrivals.is_empty() {
        return Html::default();
    }
    html! {
        <section class="card cluster-moves" aria-labelledby="cluster-moves-title">
            <h3 id="cluster-moves-title">{ "Guests that went to another member, newest first" }</h3>
            <ol class="move-list">{ for arrivals.iter().rev().take(MOVES_MAX).map(told) }</ol>
            if arrivals.len() > MOVES_MAX {
                <p class="help">{ format!("{} in all; the last {MOVES_MAX} are listed.", arrivals.len()) }</p>
            }
        </section>
    }
}
