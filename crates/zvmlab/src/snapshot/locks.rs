//! Locks in a snapshot.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// Spin locks: CP's, and those inside guests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct LocksSnapshot {
    /// Times that a lock of CP was taken.
    pub cp_taken: u64,
    /// How many of those times it was taken after a wait.
    pub cp_contended: u64,
    /// Processor time spent spinning for a lock of CP.
    pub cp_spin_ns: u64,
    /// Diag X'44' that CP issued to PR/SM.
    pub cp_diag44: u64,
    /// Diag X'9C' that CP issued to PR/SM.
    pub cp_diag9c: u64,
    /// Processor time that guests' virtual CPUs spent spinning for their guest's lock.
    pub guest_spin_ns: u64,
    /// Diag X'44' of guests that took the whole path through CP.
    pub diag44_normal: u64,
    /// Diag X'44' of guests that the fast path returned at once.
    pub diag44_fast: u64,
    /// Diag X'9C' of guests that ran the holder of the lock.
    pub guest_diag9c: u64,
    /// Whether VARY PROCESSOR holds its lock.
    pub vary_held: bool,
    /// Virtual CPUs that wait for that lock.
    pub vary_waiting: u32,
}

/// The page table invalidation lock (PTIL) of a guest that releases pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct PtilSnapshot {
    /// Pages that the guest has released.
    pub pages_released: u64,
    /// For how long the lock was held exclusively.
    pub held_ns: u64,
    /// For how long it was held exclusively or others stood in line, so that nobody who came could have it.
    pub closed_ns: u64,
    /// How much of that was CP's work; for the rest its holder waited for a processor.
    pub work_ns: u64,
    /// For how long its virtual CPUs have waited for it, all together; part of their simulation wait.
    pub wait_ns: u64,
    /// Which of its virtual CPUs holds the lock exclusively at this instant, from 0.
    pub holder: Option<u32>,
    /// Those that share it.
    pub sharing: Vec<u32>,
    /// Those that stand in line for it, the next first.
    pub line: Vec<u32>,
}
