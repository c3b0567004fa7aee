//! The cluster's charts: storage of each member, transactions over time, and the states of the members.

use crate::words::aging;
use crate::words::letters;
use std::rc::Rc;

use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, MemberState};

use super::super::compared::{chart, over_time};
use super::super::relocation::PAGES_PER_GB;
use super::{by_cycle, defined, etr, member_of, touched};
use crate::chart::time::SIMULATED_TIME;
use crate::chart::{Chart, Grid, Key, Lane, Plot, Point, Quantity, Row, Series, Span, Spans};
use crate::evidence::Evidence;
use crate::words::number::short;
use crate::words::state;

/// The states in their order, with their looks.
const STATES: [(MemberState, usize); 4] =
    [(MemberState::Joined, 2), (MemberState::Leaving, 4), (MemberState::Down, 6), (MemberState::Joining, 5)];
/// The look of each member's line.
const LOOKS: [usize; 4] = [0, 1, 2, 3];

/// The charts.
pub fn charts(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Vec<Chart> {
    let mut charts = vec![frames(evidence, snapshot, cluster), transactions(evidence, snapshot, cluster)];
    if cluster.members.iter().any(|member| member.changes > 0) {
        charts.push(states(evidence, cluster));
    }
    charts
}

/// Where the frames of each member are.
fn frames(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Chart {
    let keys = [
        ("valid", 0),
        (aging::name(&snapshot.storage), 5),
        ("CP and cache", 7),
        ("available", 6),
        ("beyond real storage, on DASD or in expanded storage", 1),
    ];
    let row = |(place, name): (usize, String)| {
        let member = member_of(snapshot, place)?;
        let (frames, paged) =
            (&member.storage, super::logged_on(member).map(|guest| guest.expanded_pages + guest.dasd_pages).sum::<u64>());
        let own = frames.cp_frames + frames.mdc_frames + frames.reading_frames;
        let values = [frames.valid_frames, frames.age_list_frames, own, frames.available_frames, paged];
        Some(Row { label: name, values: values.iter().map(|pages| Some(*pages as f64 / PAGES_PER_GB)).collect() })
    };
    let rows: Vec<Row> = cluster.members.iter().map(|member| member.name.clone()).enumerate().filter_map(row).collect();
    let grid = Grid {
        row_name: "Member".into(),
        value: Quantity::new("Storage", "GB"),
        keys: keys.iter().map(|(name, look)| Key::new(name, *look)).collect(),
        rows,
        levels: Vec::new(),
        at_least: 0.0,
    };
    let of = |place: usize| {
        let member = member_of(snapshot, place)?;
        let real = member.storage.installed_frames.max(1) as f64;
        Some(format!(
            "{} {} touched / real, {} virtual / real",
            cluster.members[place].name,
            short(touched(member) as f64 / real),
            short(defined(member) as f64 / real)
        ))
    };
    let told: Vec<String> = (0..cluster.members.len()).filter_map(of).collect();
    chart(
        evidence,
        "cluster-storage",
        "Storage of each member",
        format!("Overcommit: {}.", told.join("; ")),
        Plot::Stack(grid),
    )
}

/// Transactions a second of each member over time.
fn transactions(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Chart {
    let line = |(place, name): (usize, String)| {
        let point = |pair: &[Rc<crate::evidence::Sample>]| {
            Some(Point { x: pair[1].snapshot.now_ns as f64 / 1e9, y: etr(pair, place)?, label: None })
        };
        let points = evidence.history.windows(2).filter_map(point).collect();
        Series { key: Key::new(&name, LOOKS[place % LOOKS.len()]), joined: true, points }
    };
    let series: Vec<Series> = cluster.members.iter().map(|member| member.name.clone()).enumerate().map(line).collect();
    let (what, y) = match by_cycle(snapshot) {
        true => ("Cycles", Quantity::new("Cycles", "cycles/s")),
        false => ("Transactions", Quantity::new("ETR", "tx/s")),
    };
    let plot = over_time(y, series, Vec::new());
    let rest = match cluster.relocations.is_empty() {
        true => "they show whether the other members' transitions disturb the guests",
        false => "they move with a guest, and drop when work that stays is delayed",
    };
    let summary = format!("{what} of the guests at each member: {rest}.");
    chart(evidence, "cluster-etr", &format!("{what} of each member"), summary, plot)
}

/// The states of the members over time, if sampled.
fn states(evidence: &Evidence, cluster: &ClusterSnapshot) -> Chart {
    let seen =
        || evidence.history.iter().filter_map(|sample| Some((sample.snapshot.now_ns, sample.snapshot.cluster.as_deref()?)));
    // Of one sample alone, as after a jump in time, the time since the state began is known too.
    let first = seen().next().filter(|_| evidence.history.len() > 1).map_or(0, |(now, _)| now);
    let seconds = |ns: u64| ns as f64 / 1e9;
    let lane = |place: usize| {
        let mut spans: Vec<Span> = Vec::new();
        let mut since: Option<u64> = None;
        for (now, cluster) in seen() {
            let Some(member) = cluster.members.get(place) else { continue };
            if since != Some(member.since_ns) {
                let from = seconds(member.since_ns.max(first));
                if let Some(last) = spans.last_mut() {
                    last.to = from;
                }
                let key = STATES.iter().position(|(state, _)| *state == member.state).unwrap_or(0);
                spans.push(Span { key, from, to: seconds(now), note: String::new(), marked: false });
                since = Some(member.since_ns);
            }
            if let Some(last) = spans.last_mut() {
                last.to = seconds(now);
            }
        }
        Lane { label: cluster.members[place].name.clone(), spans }
    };
    let spans = Spans {
        row_name: "Member".into(),
        x: Quantity::new(SIMULATED_TIME, "s"),
        keys: STATES.iter().map(|(state, look)| Key::new(&letters::capitalised(state::member(*state)), *look)).collect(),
        lanes: (0..cluster.members.len()).map(lane).collect(),
        levels: Vec::new(),
    };
    let changes: u64 = cluster.members.iter().map(|member| member.changes).sum();
    let summary = format!("{changes} changes of state since the start of the run.");
    chart(evidence, "cluster-states", "States of the members", summary, Plot::Spans(spans))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::super::compared::newest;
    use super::super::super::relocation::fixture::{S, evidence};
    use super::*;

    #[test]
    fn every_frame_of_a_member_is_somewhere() {
        let evidence = evidence(3);
        let snapshot = newest(&evidence).expect("a result");
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let Plot::Stack(grid) = frames(&evidence, snapshot, cluster).plot else { panic!("bars") };
        for row in &grid.rows {
            let sum: f64 = row.values.iter().flatten().sum();
            assert!((sum - 128.0).abs() < 1e-6, "{}: {sum}", row.label);
        }
    }

    #[test]
    fn states_follow_each_other_without_a_gap() {
        let mut evidence = evidence(1);
        let mut history = (*evidence.history).clone();
        for sample in history.iter_mut().map(Rc::make_mut) {
            let now = sample.snapshot.now_ns;
            let member = &mut sample.snapshot.cluster.as_deref_mut().expect("a cluster").members[1];
            (member.state, member.since_ns, member.changes) =
                if now < 15 * S { (MemberState::Joined, 0, 0) } else { (MemberState::Leaving, 14 * S + S / 2, 1) };
        }
        evidence.history = Rc::new(history);
        let cluster = evidence.history.last().and_then(|sample| sample.snapshot.cluster.as_deref()).expect("a cluster");
        let Plot::Spans(spans) = states(&evidence, cluster).plot else { panic!("lanes") };
        let lane = &spans.lanes[1].spans;
        assert_eq!(lane.iter().map(|span| (span.key, span.from)).collect::<Vec<_>>(), [(0, 11.0), (1, 14.5)]);
        assert_eq!((lane[0].to, spans.lanes[0].spans.len()), (14.5, 1));
    }
}
