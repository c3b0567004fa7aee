//! The bucket gets heavier: the storage touched at a member, as a part of its real storage, after each arrival and departure.

use zvmlab::Snapshot;
use zvmlab::snapshot::ClusterSnapshot;

use super::super::compared::chart as framed;
use super::{arrivals, member_of, touched};
use crate::chart::{Chart, Key, Level, Lines, Plot, Point, Quantity, Series};
use crate::evidence::Evidence;
use crate::words::relocations::member_at as member;
use crate::words::unit::percent;

/// The chart. None if no guest has arrived anywhere.
pub fn chart(evidence: &Evidence, snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Option<Chart> {
    if arrivals(cluster).is_empty() {
        return None;
    }
    let destinations: Vec<usize> = (0..cluster.members.len())
        .filter(|place| arrivals(cluster).iter().any(|(_, one)| one.to as usize == *place))
        .collect();
    let series: Vec<Series> = destinations.iter().filter_map(|place| line(snapshot, cluster, *place)).collect();
    let summary = said(&series);
    let lines = Lines {
        x: Quantity::new("Since the first VMRELOCATE", "s"),
        y: Quantity::new("Touched / real storage", "%"),
        series,
        levels: vec![Level { name: "all of real storage".into(), value: 100.0, look: 1 }],
        x_from_zero: true,
        by_point: true,
        ..Lines::default()
    };
    Some(framed(evidence, "cluster-bucket", "The bucket gets heavier", summary, Plot::Lines(lines)))
}

/// The storage that guests had touched at a member after each arrival and each departure, calculated back from the present.
fn line(snapshot: &Snapshot, cluster: &ClusterSnapshot, place: usize) -> Option<Series> {
    let at = member_of(snapshot, place)?;
    let real = at.storage.installed_frames.max(1) as f64;
    let moves: Vec<(u64, f64, String)> = arrivals(cluster)
        .into_iter()
        .filter_map(|(ended, one)| {
            let pages = one.touched_pages as f64;
            match place {
                _ if one.to as usize == place => Some((ended, pages, one.name.clone())),
                _ if one.from as usize == place => Some((ended, -pages, format!("{} leaves", one.name))),
                _ => None,
            }
        })
        .collect();
    let mut sum = touched(at) as f64 - moves.iter().map(|(_, pages, _)| pages).sum::<f64>();
    let point = |ns: u64, sum: f64, label: Option<String>| Point {
        x: ns.saturating_sub(cluster.began_ns.unwrap_or(0)) as f64 / 1e9,
        y: sum.max(0.0) / real * 100.0,
        label,
    };
    let mut points = vec![point(0, sum, None)];
    for (ended, pages, name) in moves {
        // A step: nothing of the guest is there before it arrives.
        points.push(point(ended, sum, None));
        sum += pages;
        points.push(point(ended, sum, Some(name)));
    }
    let key = Key::new(&member(place as u32), [0, 2, 3, 4][place % 4]);
    Some(Series { key, joined: true, points })
}

fn said(series: &[Series]) -> String {
    let of = |series: &Series| {
        let (first, last) = (series.points.first()?, series.points.last()?);
        let highest = series.points.iter().map(|point| point.y).fold(0.0, f64::max);
        let beyond = if highest > 100.0 { ", more than it has, so it pages the rest" } else { "" };
        Some(format!("{} from {} to {}{beyond}", series.key.name, percent(first.y), percent(last.y)))
    };
    let told: Vec<String> = series.iter().filter_map(of).collect();
    format!("Storage that guests have touched, as a part of real storage (touched / real): {}.", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::super::compared::newest;
    use super::super::super::relocation::fixture::evidence;
    use super::*;

    #[test]
    fn each_guest_that_comes_makes_it_heavier() {
        let evidence = evidence(3);
        let snapshot = newest(&evidence).expect("a result");
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let chart = chart(&evidence, snapshot, cluster).expect("guests came");
        let Plot::Lines(lines) = &chart.plot else { panic!("lines") };
        let heights: Vec<f64> = lines.series[0].points.iter().map(|point| (point.y * 1e3).round() / 1e3).collect();
        assert_eq!((lines.series.len(), heights), (1, vec![0.0, 0.0, 3.125, 3.125, 6.25, 6.25, 9.375]));
        assert_eq!(lines.series[0].points[2].label.as_deref(), Some("LINUX-0"));
    }
}
