//! The snapshot of the scheduler's lists: who is where, what each claims, and who moved why.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// The scheduler's lists and barriers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct SchedulerSnapshot {
    /// Whether the level keeps guests in the eligible list.
    pub keeps_eligible: bool,
    /// Frames that can hold guests' pages. STORBUF's percentages are of these.
    pub pageable_frames: u64,
    /// The barriers in pages: for Q1+Q2+Q3, for Q2+Q3, for Q3.
    pub barriers: [u64; 3],
    /// Working sets in pages that the guests claim: those of Q1+Q2+Q3, of Q2+Q3, of Q3.
    pub claimed: [u64; 3],
    /// Times that a guest entered the dispatch list from the eligible list.
    pub admissions: u64,
    /// How many of those times it had to wait first.
    pub admissions_waited: u64,
    /// Integral over time of guests in the eligible list.
    pub eligible_ns: u64,
    /// Integral over time of guests in the dispatch list.
    pub dispatch_ns: u64,
    /// Integral over time of claimed pages of Q1+Q2+Q3, in pages x µs.
    pub claimed_page_us: u64,
    /// Moves from list to list since the start of the run.
    pub moves_total: u64,
    /// The latest of those moves, the newest last.
    pub moves: Vec<MoveSnapshot>,
}

/// A move of a guest from one list to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct MoveSnapshot {
    /// When.
    pub at_ns: u64,
    /// Which guest: its place among the guests.
    pub guest: u32,
    /// Where it was.
    pub from: List,
    /// Where it went.
    pub to: List,
    /// Why.
    pub why: Why,
}

/// A list of the scheduler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum List {
    /// The dormant list: the guest wants nothing.
    #[default]
    #[serde(rename = "dormant")]
    Dormant,
    /// The eligible list, QUICKDSP.
    E0,
    /// The eligible list, class 1.
    E1,
    /// The eligible list, class 2.
    E2,
    /// The eligible list, class 3.
    E3,
    /// The dispatch list, QUICKDSP.
    Q0,
    /// The dispatch list, class 1.
    Q1,
    /// The dispatch list, class 2.
    Q2,
    /// The dispatch list, class 3.
    Q3,
    /// The limit list: in the dispatch list, but past its maximum share.
    #[serde(rename = "limit")]
    Limit,
}

impl List {
    /// Every list.
    pub const ALL: [List; 10] =
        [List::Dormant, List::E0, List::E1, List::E2, List::E3, List::Q0, List::Q1, List::Q2, List::Q3, List::Limit];

    /// The list as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            List::Dormant => "dormant",
            List::E0 => "E0",
            List::E1 => "E1",
            List::E2 => "E2",
            List::E3 => "E3",
            List::Q0 => "Q0",
            List::Q1 => "Q1",
            List::Q2 => "Q2",
            List::Q3 => "Q3",
            List::Limit => "limit",
        }
    }

    /// Whether it is part of the eligible list.
    pub fn is_eligible(self) -> bool {
        matches!(self, List::E0 | List::E1 | List::E2 | List::E3)
    }
}

/// Why a guest moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It wants to run: a new transaction.
    #[default]
    Wakes,
    /// It fits under the barriers, or the level has none.
    Fits,
    /// It has been idle for so long that its transaction counts as over.
    Idle,
    /// It is stopped for the end of its relocation, or has left.
    Stopped,
    /// Its elapsed slice is over.
    SliceOver,
    /// It has had its maximum share.
    OverLimit,
    /// It is below its maximum share again.
    UnderLimit,
}

impl Why {
    /// The reason in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Wakes => "wants to run",
            Why::Fits => "fits under the barriers",
            Why::Idle => "has nothing to do",
            Why::Stopped => "stopped for its relocation",
            Why::SliceOver => "elapsed slice over",
            Why::OverLimit => "at its maximum share",
            Why::UnderLimit => "below its maximum share again",
        }
    }
}
