//! A measurement: the figures of the time between two snapshots, under the names and units of the published tables.

mod better;
mod cluster;
mod figure;
mod group;
mod names;
pub(crate) mod settling;
mod transactions;
mod value;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::limit::ResourceKind;
use crate::snapshot::Snapshot;
pub use better::Better;
pub use figure::{FIGURES, Figure};
pub use group::OfGroup;
pub use settling::{Drift, Settling, Steadiness};
use value::value;

/// The figures of an interval. A figure that has no meaning in it is `None`: service time, for example, if no I/O ended. By default
/// none has a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Measurement {
    /// Simulated seconds since the start of the run at which the interval begins.
    pub from_s: f64,
    /// Simulated seconds since the start of the run at which the interval ends.
    pub to_s: f64,
    /// Whether the fill was over when the interval began. The figures of a host that is still filling are not steady.
    pub filled: bool,
    /// How the interval came about; `None` for any other time between two snapshots.
    pub settling: Option<Settling>,
    /// What limited the interval; none if nothing was near its limit, and of any other time between two snapshots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<ResourceKind>,
    /// What each group of guests did, where there is more than one group.
    pub groups: Vec<OfGroup>,
    values: Vec<Option<f64>>,
}

impl Measurement {
    /// The figures of the time from `earlier` to `later`, two snapshots of one run.
    pub fn between(earlier: &Snapshot, later: &Snapshot) -> Measurement {
        Measurement {
            from_s: earlier.now_ns as f64 / 1e9,
            to_s: later.now_ns as f64 / 1e9,
            filled: earlier.filled,
            settling: None,
            limit: None,
            groups: Some(group::groups(earlier, later)).filter(|groups| groups.len() > 1).unwrap_or_default(),
            values: FIGURES.iter().map(|&figure| value(figure, earlier, later).filter(|value| value.is_finite())).collect(),
        }
    }

    /// The value of `figure`, in its unit.
    pub fn get(&self, figure: Figure) -> Option<f64> {
        let index = FIGURES.iter().position(|&other| other == figure)?;
        self.values.get(index).copied().flatten()
    }

    /// Every figure with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Figure, Option<f64>)> + '_ {
        FIGURES.iter().copied().zip(self.values.iter().copied())
    }
}
