//! Transactions between two snapshots.

use crate::snapshot::Snapshot;

/// Transactions between two snapshots, of all guests but servers: what a server does is part of its clients' transactions.
pub(super) fn etr_of(a: &Snapshot, b: &Snapshot) -> Option<f64> {
    let pairs = a.guests.iter().zip(&b.guests).filter(|(_, guest)| !guest.serves);
    let done: f64 = pairs.map(|(a, b)| (b.work() - a.work()) as f64 / b.transaction as f64).sum();
    (done > 0.0).then_some(done)
}
