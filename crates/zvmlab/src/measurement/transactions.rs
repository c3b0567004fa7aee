//! Transactions between two snapshots.

use crate::snapshot::Snapshot;

/// Transactions between two snapshots, of all guests.
pub(super) fn etr_of(a: &Snapshot, b: &Snapshot) -> Option<f64> {
    let pairs = a.guests.iter().zip(&b.guests);
    let done: f64 = pairs.map(|(a, b)| (b.work() - a.work()) as f64 / b.transaction as f64).sum();
    (done > 0.0).then_some(done)
}
