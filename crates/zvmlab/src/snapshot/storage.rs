//! Central storage in a snapshot.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::is_default;

/// Central storage: where the frames are, and the counters of storage management.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct StorageSnapshot {
    /// Frames of central storage.
    pub installed_frames: u64,
    /// Frames that CP keeps for itself.
    pub cp_frames: u64,
    /// Frames that the minidisk cache has.
    pub mdc_frames: u64,
    /// Frames on the available list.
    pub available_frames: u64,
    /// Frames reserved for pages that are being read.
    pub reading_frames: u64,
    /// Frames on the age list: invalid but resident.
    pub age_list_frames: u64,
    /// Frames whose page is valid, on the guests' frame-owned lists.
    pub valid_frames: u64,
    /// Below this number of available frames CP replenishes the available list.
    pub available_low: u64,
    /// Up to this number CP replenishes the available list.
    pub available_high: u64,
    /// Pages touched by the guests.
    pub pages_touched: u64,
    /// Pages touched for the first time: a zeroed frame, no I/O.
    pub pages_first_touched: u64,
    /// Touches that found the page invalid but resident, and made it valid again.
    pub pages_revalidated: u64,
    /// Pages that demand scan looked at.
    pub pages_scanned: u64,
    /// Those of them on which CP has spent its time, or begun to, without those of searches below 2 GB.
    pub looks_paid: u64,
    /// Pages that demand scan took, without those that such searches found.
    pub pages_taken: u64,
    /// CP time for that.
    pub scan_ns: u64,
    /// Pages that demand scan put on the age list.
    pub pages_invalidated: u64,
    /// Frames reclaimed from the age list.
    pub frames_reclaimed: u64,
    /// Visits of demand scan to a guest.
    pub scan_visits: u64,
    /// The passes of demand scan, on levels that make any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<PassesSnapshot>,
    /// Frames below 2 GB, where the host tells them from those above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<SidesSnapshot>,
    /// Expanded storage, where the host has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<ExpandedSnapshot>,
    /// Contiguous frames, where CP asks for some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contiguous: Option<ContiguousSnapshot>,
}

/// Contiguous frames: what CP asks for, and what there is of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ContiguousSnapshot {
    /// Frames of a block, which is what a request wants.
    pub frames: u32,
    /// Free blocks that CP knows of.
    pub blocks: u64,
    /// Free frames that are in none of them.
    pub singles: u64,
    /// Blocks that requests have got and not given back.
    pub held: u64,
    /// The longest run of free frames.
    pub longest_run: u64,
    /// Requests so far.
    pub requests: u64,
    /// How many of those found no block.
    pub failed: u64,
    /// Blocks that were broken up because a page wanted a frame.
    pub broken_up: u64,
    /// Frames that CP has looked at to find blocks among them.
    pub looked_at: u64,
    /// CP time for that.
    pub coalesce_ns: u64,
}

/// The three passes of demand scan, on levels before z/VM 6.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PassesSnapshot {
    /// Pages that each pass put on the age list.
    pub taken: [u64; 3],
}

/// Expanded storage, on levels before z/VM 6.3.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ExpandedSnapshot {
    /// Pages that it has room for, without those of the minidisk cache.
    pub pages: u64,
    /// Pages that the minidisk cache has of it.
    #[serde(skip_serializing_if = "is_default")]
    pub cache_pages: u64,
    /// How many of them are in use, with those that migrate.
    pub used: u64,
    /// Pages on their way to page space.
    pub migrating: u64,
    /// Pages that CP moved from frames to expanded storage.
    pub moved_out: u64,
    /// Pages that CP moved from expanded storage to frames.
    pub moved_in: u64,
    /// Pages that have migrated to page space.
    pub migrated: u64,
}

/// Frames below 2 GB and above, where CP tells them apart: before z/VM 6.2, or where it takes some below without need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct SidesSnapshot {
    /// Frames below 2 GB.
    pub frames_below: u64,
    /// How many of them CP keeps for itself.
    pub cp_below: u64,
    /// How many of them are available.
    pub available_below: u64,
    /// How many of them hold pages of guests.
    pub resident_below: u64,
    /// Pages that CP moved below 2 GB for I/O or for a service.
    pub moved: u64,
    /// Frames that searches for one side looked at.
    pub looked_at: u64,
    /// How many of those were what they sought.
    pub found: u64,
    /// CP time for that.
    pub search_ns: u64,
    /// What the latest search saw, in its order: its first 240 frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub last_search: Vec<LookRun>,
    /// Whether that was demand scan, which wanted frames above. Other searches want some below.
    #[serde(skip_serializing_if = "is_default")]
    pub last_for_above: bool,
}

/// What a search finds of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// It stands on the side of 2 GB that is not wanted.
    OtherSide,
    /// Its page was touched lately, is being written, or was found before.
    InUse,
    /// It is one that the search takes.
    Found,
}

/// Frames one after the other of which a search finds the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct LookRun {
    /// What it finds.
    pub look: Look,
    /// Of how many frames.
    pub frames: u32,
}
