//! The physical processors that partitions share, and who has had them.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::is_default;

/// The physical processors that partitions share. All is 0 for a dedicated partition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PrsmSnapshot {
    /// Physical processors that are shared.
    pub physical: u32,
    /// The entitlement of this partition, in thousandths of a processor.
    pub entitled_thousandths: u64,
    /// The cap of this partition, in thousandths of a processor; 0 if it has none.
    #[serde(skip_serializing_if = "is_default")]
    pub capped_thousandths: u64,
    /// Logical processors of this partition that want to run but are held by the cap at this instant.
    #[serde(skip_serializing_if = "is_default")]
    pub own_held: u32,
    /// Time for which the cap has held logical processors, summed over them.
    #[serde(skip_serializing_if = "is_default")]
    pub own_held_ns: u64,
    /// Logical processors of all partitions.
    pub logical: u32,
    /// Physical processors that run a logical processor of this partition at this instant.
    pub own_running: u32,
    /// Physical processors that run one of another partition.
    pub other_running: u32,
    /// Logical processors of this partition that wait for a physical one.
    pub own_waiting: u32,
    /// Logical processors of other partitions that wait for one.
    pub other_waiting: u32,
    /// Physical processor time that this partition had.
    pub own_ns: u64,
    /// Physical processor time that the others had.
    pub other_ns: u64,
    /// PR/SM's time for this partition's logical processors.
    pub own_overhead_ns: u64,
    /// PR/SM's time for those of others.
    pub other_overhead_ns: u64,
    /// Times that PR/SM gave a physical processor to a logical one.
    pub dispatches: u64,
    /// The turns under way on physical processors, and the latest that are over: of each processor in order. A turn begins when PR/SM
    /// gives a logical processor the physical one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnSnapshot>,
    /// From this instant on, all turns are known.
    #[serde(skip_serializing_if = "is_default")]
    pub turns_from_ns: u64,
}

/// A turn of a logical processor on a physical one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct TurnSnapshot {
    /// The physical processor.
    pub physical: u32,
    /// The logical processor. Those of this partition come first, then those of each other partition.
    pub logical: u32,
    /// When it began.
    pub began_ns: u64,
    /// When it was over; none while it is under way.
    pub ended_ns: Option<u64>,
}
