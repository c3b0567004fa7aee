//! The cluster: its members side by side, the guests at each, the room that each has, and the effect of guests that arrived.

use std::rc::Rc;
use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};

use super::compared::{Window, is_live, window};
use crate::evidence::{Evidence, Sample};
use zvmlab::order;

/// Most moves that are listed. Chosen: all of them are seen at once.
pub const MOVES_MAX: usize = 12;

/// The snapshot of the member at `place`.
pub fn member_of(snapshot: &Snapshot, place: usize) -> Option<&Snapshot> {
    match place {
        0 => Some(snapshot),
        _ => snapshot.cluster.as_ref()?.others.get(place - 1),
    }
}

/// The time in which relocations went on, if it was sampled. A live run has samples only of its last seconds.
pub fn relocating(evidence: &Evidence) -> Option<Window<'_>> {
    let whole = window(evidence)?;
    let Some(cluster) = whole.to.cluster.as_deref().filter(|_| !is_live(evidence)) else { return Some(whole) };
    let Some(began) = cluster.began_ns else { return Some(whole) };
    let seen = || evidence.history.iter().map(|sample| &sample.snapshot);
    let from = seen().rfind(|snapshot| snapshot.now_ns <= began).or(whole.from);
    let ended = cluster.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended);
    let to = ended.and_then(|ended| seen().find(|snapshot| snapshot.now_ns >= ended)).unwrap_or(whole.to);
    Some(Window { from, to })
}

/// Whether guests of `member` are logged on there.
pub fn logged_on(member: &Snapshot) -> impl Iterator<Item = &zvmlab::snapshot::GuestSnapshot> {
    member.guests.iter().filter(|guest| !guest.away)
}

/// Pages that the guests of a member have touched: in frames, being read, in expanded storage, or on DASD.
pub fn touched(member: &Snapshot) -> u64 {
    logged_on(member).map(zvmlab::snapshot::GuestSnapshot::touched_pages).sum()
}

/// Pages that the guests of a member have defined.
pub fn defined(member: &Snapshot) -> u64 {
    logged_on(member).map(|guest| guest.virtual_pages).sum()
}

/// Whether the room counts cycles instead of transactions: all guests work in cycles, and a transaction is many of them.
pub fn by_cycle(snapshot: &Snapshot) -> bool {
    snapshot.guests.iter().all(|guest| guest.in_cycles && guest.transaction > 1)
}

/// Transactions a second of a member between two samples in a row; cycles a second if those are counted.
pub fn etr(pair: &[Rc<Sample>], place: usize) -> Option<f64> {
    let (a, b) = (member_of(&pair[0].snapshot, place)?, member_of(&pair[1].snapshot, place)?);
    let elapsed = b.now_ns.checked_sub(a.now_ns).filter(|elapsed| *elapsed > 0)?;
    let guests = a.guests.iter().zip(&b.guests);
    let done: f64 = guests.map(|(a, b)| b.work().saturating_sub(a.work()) as f64 / b.transaction.max(1) as f64).sum();
    Some(done / elapsed as f64 * 1e9)
}

/// The relocations that have moved a guest, oldest first.
pub fn arrivals(cluster: &ClusterSnapshot) -> Vec<(u64, &RelocationSnapshot)> {
    let completed = cluster.relocations.iter().filter(|one| one.end == Some(EndCode::Completed));
    let mut arrivals: Vec<(u64, &RelocationSnapshot)> = completed.filter_map(|one| Some((one.ended_ns?, one))).collect();
    order::by_key(&mut arrivals, |arrival| arrival.0);
    arrivals
}

/// Every chart of the room, for the tests that hold for all charts.
#[cfg(test)]
pub fn every_chart(evidence: &Evidence) -> Vec<crate::chart::Chart> {
    let snapshot = super::compared::newest(evidence).expect("a result");
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    charts::charts(evidence, snapshot, cluster).into_iter().chain(bucket::chart(evidence, snapshot, cluster)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::relocation::fixture::{S, evidence, snapshot};
    use super::*;

    #[test]
    fn the_time_of_relocations_is_from_the_first_command_to_the_last_end() {
        let evidence = evidence(2);
        let window = relocating(&evidence).expect("a window");
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
        let evidence = evidence(1);
        let pair = |at: usize| &evidence.history[at..at + 2];
        let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 1.0);
        assert!(near(etr(pair(0), 0), 100.0) && near(etr(pair(0), 1), 0.0));
        let last = evidence.history.len() - 2;
        assert!(near(etr(pair(last), 0), 0.0) && near(etr(pair(last), 1), 100.0));
    }
}

pub mod bucket;
pub mod charts;
pub mod figures;
pub mod members;
