//! What is kept of each of many runs.

use borsh::{BorshDeserialize, BorshSerialize};
use zvmlab::Measurement;
use zvmlab::limit::Limits;
use zvmlab::snapshot::RelocationSnapshot;

use crate::crew::Done;

/// What is kept of a run.
#[derive(Clone, BorshSerialize, BorshDeserialize)]
pub struct Kept {
    /// Its seed.
    pub seed: u64,
    /// The digest of its end.
    pub digest: u64,
    /// Its figures.
    pub measurement: Measurement,
    /// What limited it.
    pub limits: Limits,
    /// Its relocations, without the pieces of their guests' storage.
    pub relocations: Vec<RelocationSnapshot>,
}

impl Kept {
    /// What is kept of a run that has ended.
    pub fn of(done: &Done) -> Kept {
        let outcome = &done.outcome;
        let mut relocations = outcome.snapshot.cluster.as_ref().map(|all| all.relocations.clone()).unwrap_or_default();
        relocations.iter_mut().for_each(|one| one.pieces = Vec::new());
        Kept {
            seed: outcome.seed,
            digest: outcome.digest,
            measurement: outcome.measurement.clone(),
            limits: outcome.limits.clone(),
            relocations,
        }
    }
}
