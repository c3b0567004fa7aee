//! The figures of a cluster: relocations, the link, the members together.

use super::Figure;
use super::transactions::etr_of;
use crate::snapshot::{ClusterSnapshot, LinkSnapshot, RelocationTotals, Snapshot};

/// Bytes of a page.
const PAGE_BYTES: f64 = 4096.0;

/// The value of a cluster's figure in the time from `a` to `b`.
pub(super) fn value(figure: Figure, a: &Snapshot, b: &Snapshot, elapsed_ns: f64) -> Option<f64> {
    let cluster = b.cluster.as_deref()?;
    let (before, totals) = (&a.cluster.as_deref()?.totals, &cluster.totals);
    let delta = |of: fn(&RelocationTotals) -> u64| (of(totals) - of(before)) as f64;
    let asked_for = cluster.began_ns.map(|_| ());
    let throttled = |at: usize| asked_for.map(|()| seconds(totals.throttled_ns[at] - before.throttled_ns[at]));
    Some(match figure {
        Figure::QuiesceTime => delta(|totals| totals.quiesce_ns) / 1e9 / delta(|totals| totals.completed),
        Figure::QuiesceTimeWorst if totals.quiesce_worst_ns == 0 => return None,
        Figure::QuiesceTimeWorst => seconds(totals.quiesce_worst_ns),
        Figure::RelocationTime => delta(|totals| totals.relocation_ns) / 1e9 / delta(|totals| totals.completed),
        Figure::RelocationTotal => seconds(last_end(cluster)?.saturating_sub(cluster.began_ns?)),
        Figure::RelocationsCompleted => asked_for.map(|()| delta(|totals| totals.completed))?,
        Figure::RelocationsEnded => asked_for.map(|()| delta(|totals| totals.not_completed))?,
        Figure::MemoryPasses => delta(|totals| totals.passes) / delta(|totals| totals.completed),
        Figure::MemoryMoved => {
            delta(|totals| totals.pages) * PAGE_BYTES / f64::from(1 << 30) / delta(|totals| totals.completed)
        }
        Figure::FirstPass => {
            delta(|totals| totals.first_pass_pages) * PAGE_BYTES / f64::from(1 << 20) / delta(|totals| totals.first_passes)
        }
        Figure::LinkBusy => {
            let share = |link: &LinkSnapshot| link.relocating_busy_ns as f64 / link.chpids.len() as f64;
            busiest(a.cluster.as_deref()?, cluster, share)? * 100.0
        }
        Figure::LinkRate => busiest(a.cluster.as_deref()?, cluster, |link| link.relocating_bytes as f64)? * 1e3,
        Figure::ThrottledPaging => throttled(0)?,
        Figure::ThrottledMemory => throttled(1)?,
        Figure::ThrottledLink => throttled(2)?,
        Figure::ClusterEtr => (etr_of(a, b).unwrap_or(0.0) + others(a, cluster)) / elapsed_ns * 1e9,
        Figure::OtherMembersEtr => others(a, cluster) / elapsed_ns * 1e9,
        _ => return None,
    })
}

/// When the last relocation ended, if all have.
fn last_end(cluster: &ClusterSnapshot) -> Option<u64> {
    if !cluster.ended {
        return None;
    }
    cluster.relocations.iter().filter_map(|relocation| relocation.ended_ns).max()
}

/// How much `of` grew for each ns in which relocations were under way, on the link that carried most for relocations.
fn busiest(a: &ClusterSnapshot, b: &ClusterSnapshot, of: impl Fn(&LinkSnapshot) -> f64) -> Option<f64> {
    let time = (b.relocating_ns - a.relocating_ns) as f64;
    let carried = |(a, b): &(&LinkSnapshot, &LinkSnapshot)| (b.bytes - b.other_bytes) - (a.bytes - a.other_bytes);
    let (a, b) = a.links.iter().zip(&b.links).max_by_key(carried).filter(|pair| carried(pair) > 0)?;
    Some((of(b) - of(a)) / time)
}

/// Transactions at all members except the first.
fn others(a: &Snapshot, cluster: &ClusterSnapshot) -> f64 {
    let before = a.cluster.iter().flat_map(|cluster| &cluster.others);
    before.zip(&cluster.others).filter_map(|(a, b)| etr_of(a, b)).fold(0.0, |sum, done| sum + done)
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
