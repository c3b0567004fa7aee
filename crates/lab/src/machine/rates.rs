//! How busy the parts were in the time before a snapshot.

use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, ExpandedSnapshot, LinkSnapshot, RelocationSnapshot, RelocationStage};

/// Rates of the time between two snapshots. Each is a number from 0 to 1, except where it says otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Simulated nanoseconds between the snapshots; 0 where there is only one.
    pub over_ns: u64,
    /// How busy each channel path was.
    pub paths: Vec<f64>,
    /// I/Os in progress on each volume, on average: more than 1 where aliases help. Volumes with page space first.
    pub volumes: Vec<f64>,
    /// How busy each logical processor was.
    pub processors: Vec<f64>,
    /// How busy each chpid of each link of a cluster was.
    pub chpids: Vec<Vec<f64>>,
    /// Bytes that arrived over each of those links, each second.
    pub links: Vec<f64>,
    /// Processors of each member that were busy, on average.
    pub members: Vec<f64>,
    /// Pages moved to expanded storage, brought back, and migrated from there, each second.
    pub expanded: [f64; 3],
    /// The guests whose storage is being moved, with the pages that each touches a second.
    pub touches: Vec<(u32, f64)>,
}

impl Rates {
    /// The rates of the time between two snapshots of a run.
    pub fn between(before: &Snapshot, after: &Snapshot) -> Rates {
        let over_ns = after.now_ns.saturating_sub(before.now_ns);
        let part =
            |before: u64, after: u64| if over_ns == 0 { 0.0 } else { after.saturating_sub(before) as f64 / over_ns as f64 };
        let volumes = |of: &Snapshot| -> Vec<u64> {
            of.paging.volumes.iter().chain(&of.minidisks.volumes).map(|volume| volume.busy_ns).collect()
        };
        let processors = |of: &Snapshot| -> Vec<u64> { of.processors.logical.iter().map(|one| one.busy_ns).collect() };
        let each = |before: &[u64], after: &[u64]| before.iter().zip(after).map(|(&a, &b)| part(a, b)).collect();
        let clusters = before.cluster.as_deref().zip(after.cluster.as_deref());
        Rates {
            over_ns,
            chpids: clusters.map_or(Vec::new(), |(before, after)| {
                let busy = |link: &LinkSnapshot| -> Vec<u64> { link.chpids.iter().map(|chpid| chpid.busy_ns).collect() };
                before.links.iter().zip(&after.links).map(|(a, b)| each(&busy(a), &busy(b))).collect()
            }),
            links: clusters.map_or(Vec::new(), |(before, after)| {
                let bytes = |of: &ClusterSnapshot| -> Vec<u64> { of.links.iter().map(|link| link.bytes).collect() };
                each(&bytes(before), &bytes(after)).iter().map(|bytes| bytes * 1e9).collect()
            }),
            members: clusters.map_or(Vec::new(), |(of_before, of_after)| {
                let hosts = std::iter::once((before, after)).chain(of_before.others.iter().zip(&of_after.others));
                hosts.map(|(a, b)| each(&processors(a), &processors(b)).iter().sum()).collect()
            }),
            expanded: expanded(before, after).map(|grown| part(0, grown) * 1e9),
            touches: touches(before, after, over_ns),
            paths: each(&before.lcu.path_busy_ns, &after.lcu.path_busy_ns),
            volumes: each(&volumes(before), &volumes(after)),
            processors: each(&processors(before), &processors(after)),
        }
    }

    /// The rate at `index` of one of the lists, unless it is not known.
    pub(super) fn known(&self, list: &[f64], index: usize) -> Option<f64> {
        list.get(index).copied().filter(|_| self.over_ns > 0)
    }
}

/// Pages moved to expanded storage, brought back, and migrated from there.
fn expanded(before: &Snapshot, after: &Snapshot) -> [u64; 3] {
    let (Some(after), before) = (&after.storage.expanded, before.storage.expanded.clone().unwrap_or_default()) else {
        return [0; 3];
    };
    let of = |one: &ExpandedSnapshot| [one.moved_out, one.moved_in, one.migrated];
    let (before, after) = (of(&before), of(after));
    [0, 1, 2].map(|at| after[at].saturating_sub(before[at]))
}

/// How much storage each guest under relocation touches, in pages a second.
fn touches(before: &Snapshot, after: &Snapshot, over_ns: u64) -> Vec<(u32, f64)> {
    let clusters = before.cluster.as_deref().zip(after.cluster.as_deref());
    let Some((of_before, of_after)) = clusters.filter(|_| over_ns > 0) else { return Vec::new() };
    let touched = |whole: &Snapshot, cluster: &ClusterSnapshot, one: &RelocationSnapshot| {
        let host = match (one.from as usize).checked_sub(1) {
            None => Some(whole.guests.get(one.guest as usize)),
            Some(other) => cluster.others.get(other).map(|host| host.guests.get(one.guest as usize)),
        };
        host.flatten().map(|guest| guest.pages_touched)
    };
    let rate = |one: &RelocationSnapshot| {
        let (then, now) = (touched(before, of_before, one)?, touched(after, of_after, one)?);
        Some((one.guest, now.saturating_sub(then) as f64 * 1e9 / over_ns as f64))
    };
    of_after.relocations.iter().filter(|one| one.stage == RelocationStage::Moving).filter_map(rate).collect()
}
