//! The figures of a cluster: relocations, the link, the members together.

use super::Figure;
use super::value::etr_of;
use crate::snapshot::{ClusterSnapshot, EndCode, LinkSnapshot, RelocationSnapshot, Snapshot};

/// Bytes of a page.
const PAGE_BYTES: f64 = 4096.0;

/// The value of a cluster's figure in the time from `a` to `b`. Relocations begin in that time.
pub(super) fn value(figure: Figure, a: &Snapshot, b: &Snapshot, elapsed_ns: f64) -> Option<f64> {
    let cluster = b.cluster.as_deref()?;
    let all = &cluster.relocations;
    let completed = |relocation: &&RelocationSnapshot| relocation.end == Some(EndCode::Completed);
    let failed = |relocation: &&RelocationSnapshot| relocation.end.is_some() && !completed(relocation);
    let quiesce = |relocation: &RelocationSnapshot| relocation.quiesce_ns().map(seconds);
    let throttled =
        |at: usize| cluster.began_ns.map(|_| seconds(all.iter().map(|relocation| relocation.throttled_ns[at]).sum()));
    let of_completed = |of: fn(&RelocationSnapshot) -> f64| mean(all.iter().filter(completed).map(of));
    match figure {
        Figure::QuiesceTime => mean(all.iter().filter_map(quiesce)),
        Figure::QuiesceTimeWorst => all.iter().filter_map(quiesce).reduce(f64::max),
        Figure::RelocationTime => of_completed(|relocation| relocation.relocation_ns().map_or(0.0, seconds)),
        Figure::RelocationTotal => Some(seconds(last_end(cluster)?.saturating_sub(cluster.began_ns?))),
        Figure::RelocationsCompleted => cluster.began_ns.map(|_| all.iter().filter(completed).count() as f64),
        Figure::RelocationsEnded => cluster.began_ns.map(|_| all.iter().filter(failed).count() as f64),
        Figure::MemoryPasses => of_completed(|relocation| relocation.passes.len() as f64),
        Figure::MemoryMoved => of_completed(|relocation| relocation.pages() as f64 * PAGE_BYTES / f64::from(1 << 30)),
        Figure::FirstPass => {
            let over = all.iter().filter_map(|relocation| relocation.passes.first().filter(|pass| pass.ended_ns.is_some()));
            mean(over.map(|pass| pass.pages as f64 * PAGE_BYTES / f64::from(1 << 20)))
        }
        Figure::LinkBusy => busiest(a, cluster, |link| {
            link.chpids.iter().map(|chpid| chpid.busy_ns).sum::<u64>() as f64 / link.chpids.len() as f64
        })
        .map(|busy| busy * 100.0),
        Figure::LinkRate => busiest(a, cluster, |link| link.bytes as f64).map(|rate| rate * 1e3),
        Figure::ThrottledPaging => throttled(0),
        Figure::ThrottledMemory => throttled(1),
        Figure::ThrottledLink => throttled(2),
        Figure::ClusterEtr => Some((etr_of(a, b).unwrap_or(0.0) + others(a, cluster)) / elapsed_ns * 1e9),
        Figure::OtherMembersEtr => Some(others(a, cluster) / elapsed_ns * 1e9),
        _ => None,
    }
}

/// When the last relocation ended, if all have.
fn last_end(cluster: &ClusterSnapshot) -> Option<u64> {
    if !cluster.ended {
        return None;
    }
    cluster.relocations.iter().filter_map(|relocation| relocation.ended_ns).max()
}

/// The largest growth of `of` for each ns while relocations went on, of all links that are used for one. Between two relocations
/// the link rests, and that counts.
fn busiest(a: &Snapshot, cluster: &ClusterSnapshot, of: impl Fn(&LinkSnapshot) -> f64) -> Option<f64> {
    let ended = cluster.relocations.iter().filter_map(|relocation| relocation.ended_ns).max();
    let time = ended?.checked_sub(cluster.began_ns?).filter(|&time| time > 0)? as f64;
    let before = |at: usize| a.cluster.as_ref().and_then(|cluster| cluster.links.get(at)).map_or(0.0, &of);
    let grown = cluster.links.iter().enumerate().map(|(at, link)| (of(link) - before(at)) / time);
    grown.reduce(f64::max)
}

/// Transactions at the members but the first.
fn others(a: &Snapshot, cluster: &ClusterSnapshot) -> f64 {
    let before = a.cluster.iter().flat_map(|cluster| &cluster.others);
    before.zip(&cluster.others).filter_map(|(a, b)| etr_of(a, b)).sum()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
