//! The cluster: its members side by side, who is logged on where, the room that each has, and what guests that came did to it.

mod bucket;
mod charts;
mod figures;
mod members;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};

use super::compared::{NO_RESULT, Window, is_live, newest, window};
use super::relocation::{member, short_seconds};
use crate::chart::Chart;
use crate::chart::frame::ChartFrame;
use crate::session::{Sample, ViewProps};

/// Most moves that are listed. Chosen: all of them are seen at once.
const MOVES_MAX: usize = 12;

/// The room.
#[component]
pub fn Cluster(props: &ViewProps) -> Html {
    let Some(snapshot) = newest(props) else { return html! { <p class="help room-nothing">{ NO_RESULT }</p> } };
    let Some(cluster) = snapshot.cluster.as_deref() else {
        return html! { <p class="help room-nothing">{ "This host is no member of a cluster. Give the cluster two members or more." }</p> };
    };
    html! {
        <>
            { members::cards(snapshot, cluster) }
            { figures::card(props, snapshot, cluster) }
            <div class="charts">
                { for charts::charts(props, snapshot, cluster).into_iter().map(framed) }
                { for bucket::chart(props, snapshot, cluster).map(framed) }
            </div>
            { moves(cluster) }
        </>
    }
}

/// A chart in its frame.
pub fn framed(chart: Chart) -> Html {
    let id = chart.id;
    html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
}

/// What is seen of the member at `place`.
pub fn member_of(snapshot: &Snapshot, place: usize) -> Option<&Snapshot> {
    match place {
        0 => Some(snapshot),
        _ => snapshot.cluster.as_ref()?.others.get(place - 1),
    }
}

/// The time in which relocations went on, as far as it was sampled: of a live run, its last seconds.
pub fn relocating(props: &ViewProps) -> Option<Window<'_>> {
    let whole = window(props)?;
    let Some(cluster) = whole.to.cluster.as_deref().filter(|_| !is_live(props)) else { return Some(whole) };
    let Some(began) = cluster.began_ns else { return Some(whole) };
    let seen = || props.history.iter().map(|sample| &sample.snapshot);
    let from = seen().rfind(|snapshot| snapshot.now_ns <= began).or(whole.from);
    let ended = cluster.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended);
    let to = ended.and_then(|ended| seen().find(|snapshot| snapshot.now_ns >= ended)).unwrap_or(whole.to);
    Some(Window { from, to })
}

/// Whether guests of `member` are logged on there.
pub fn logged_on(member: &Snapshot) -> impl Iterator<Item = &zvmlab::snapshot::GuestSnapshot> {
    member.guests.iter().filter(|guest| !guest.away)
}

/// Pages that the guests of a member have touched: in frames, being read, or on DASD.
pub fn touched(member: &Snapshot) -> u64 {
    logged_on(member).map(|guest| guest.valid_pages + guest.age_list_pages + guest.reading_pages + guest.dasd_pages).sum()
}

/// Pages that the guests of a member have defined.
pub fn defined(member: &Snapshot) -> u64 {
    logged_on(member).map(|guest| guest.virtual_pages).sum()
}

/// Whether all guests work in cycles of which a transaction is very many: then the cycles are counted, as they are seen to go.
fn by_cycle(snapshot: &Snapshot) -> bool {
    snapshot.guests.iter().all(|guest| guest.in_cycles && guest.transaction > 1)
}

/// Transactions a second of a member between two samples that follow each other; cycles, where those are counted.
fn etr(pair: &[Rc<Sample>], place: usize) -> Option<f64> {
    let (a, b) = (member_of(&pair[0].snapshot, place)?, member_of(&pair[1].snapshot, place)?);
    let elapsed = b.now_ns.checked_sub(a.now_ns).filter(|elapsed| *elapsed > 0)?;
    let guests = a.guests.iter().zip(&b.guests);
    let done: f64 = guests.map(|(a, b)| b.work().saturating_sub(a.work()) as f64 / b.transaction.max(1) as f64).sum();
    Some(done / elapsed as f64 * 1e9)
}

/// The relocations that have moved a guest, oldest first.
fn arrivals(cluster: &ClusterSnapshot) -> Vec<(u64, &RelocationSnapshot)> {
    let completed = cluster.relocations.iter().filter(|one| one.end == Some(EndCode::Completed));
    let mut arrivals: Vec<(u64, &RelocationSnapshot)> = completed.filter_map(|one| Some((one.ended_ns?, one))).collect();
    arrivals.sort_by_key(|arrival| arrival.0);
    arrivals
}

/// The moves in words, newest first.
fn moves(cluster: &ClusterSnapshot) -> Html {
    let arrivals = arrivals(cluster);
    let told = |(at, one): &(u64, &RelocationSnapshot)| {
        let still = one.quiesce_ns().map_or(String::new(), |ns| format!(", stood still for {}", short_seconds(ns)));
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

/// Every chart of the room, for the laws that hold for all.
#[cfg(test)]
pub fn every_chart(props: &ViewProps) -> Vec<Chart> {
    let snapshot = newest(props).expect("a result");
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    charts::charts(props, snapshot, cluster).into_iter().chain(bucket::chart(props, snapshot, cluster)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::relocation::fixture::{S, props, snapshot};
    use super::*;

    #[test]
    fn the_time_of_relocations_is_from_the_first_command_to_the_last_end() {
        let props = props(2);
        let window = relocating(&props).expect("a window");
        assert_eq!((window.from.map(|from| from.now_ns), window.to.now_ns), (Some(12 * S), 31 * S));
    }

    #[test]
    fn what_guests_touched_counts_where_they_are() {
        let snapshot = snapshot(3, 25 * S);
        let at = |place| member_of(&snapshot, place).map(|member| (touched(member), logged_on(member).count()));
        assert_eq!([at(0), at(1), at(2)], [Some((2 * 1_048_576, 2)), Some((1_048_576, 1)), None]);
    }

    #[test]
    fn transactions_are_counted_at_each_member() {
        let props = props(1);
        let pair = |at: usize| &props.history[at..at + 2];
        let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 1.0);
        assert!(near(etr(pair(0), 0), 100.0) && near(etr(pair(0), 1), 0.0));
        let last = props.history.len() - 2;
        assert!(near(etr(pair(last), 0), 0.0) && near(etr(pair(last), 1), 100.0));
    }
}
