//! Central storage, as a scenario describes it.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// Central storage.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Storage {
    /// Central storage in MB.
    pub central_mb: u64,
    /// Expanded storage in MB, besides central storage; 0 if there is none.
    pub expanded_mb: u64,
    /// Whether pages near the bottom of the age list are written ahead (on) or only when their frame is wanted (off).
    pub early_writes: bool,
    /// Whether CP takes a guest's page table lock exclusively while the guest releases pages.
    pub release_exclusive: bool,
    /// Requests of CP for contiguous frames, a second; 0: none.
    pub contiguous_rate: u32,
    /// Frames of such a request, 2 to 16.
    pub contiguous_frames: u32,
    /// Whether CP notices contiguous free frames as soon as they are free.
    pub coalescing: bool,
}

impl Default for Storage {
    fn default() -> Self {
        Storage {
            central_mb: 131_072, // 128 GB: 6.4 paging page, table 1.
            expanded_mb: 0,
            early_writes: true,
            release_exclusive: false,
            contiguous_rate: 0,
            contiguous_frames: 2,
            coalescing: true,
        }
    }
}
