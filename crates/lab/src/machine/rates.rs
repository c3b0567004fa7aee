//! How busy the parts were in the time before a snapshot.

use zvmlab::Snapshot;

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
        Rates {
            over_ns,
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
