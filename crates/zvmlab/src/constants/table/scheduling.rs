//! The constants that decide who runs: scheduler, locks, PR/SM.

use super::Constant;

/// The constants of the scheduler, of locks and of PR/SM.
pub(super) const SCHEDULING: &[Constant] = &[
    number!(
        test_idle_ns,
        "ns",
        "Time that an idle guest stays in the dispatch list.",
        "Assumed: 300 ms. No source gives it."
    ),
    whole!(
        class_2_slices,
        u64,
        "slices of class 1",
        "Elapsed slice of class 2.",
        "Assumed: about 1 : 6 : 48 for the three classes."
    ),
    whole!(
        class_3_slices,
        u64,
        "slices of class 1",
        "Elapsed slice of class 3, and of class 0, which never waits in the eligible list.",
        "Assumed: about 1 : 6 : 48 for the three classes."
    ),
    whole!(
        bias_slices,
        u8,
        "slices",
        "Minor slices after a guest wakes for which CP brings its deadlines nearer.",
        "SET SRM IABIAS: 90 percent for 2 slices by default."
    ),
    number!(
        bias_keeps,
        "part of the offset",
        "Part of its offset that a deadline keeps when CP brings it nearer.",
        "SET SRM IABIAS: 90 percent for 2 slices by default."
    ),
    whole!(
        catch_up_slices,
        u64,
        "slices",
        "Most minor slices that a virtual CPU can catch up after it waited for something other than a processor.",
        "Assumed; not published."
    ),
    number!(
        limit_part,
        "of a minor slice",
        "Part of a minor slice that a guest past its maximum share must have again before it leaves the limit list.",
        "Assumed; how CP ends the wait is not published."
    ),
    number!(
        relative_least,
        "part of the partition",
        "Part of the partition that relative shares together keep, however large the absolute shares are.",
        "Assumed: our sources do not say what happens to relative shares when absolute shares add up to 100 % or more."
    ),
    number!(
        guest_spin_ns,
        "ns",
        "Time that a virtual CPU spins for its guest's lock before it issues Diag X'44'.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(
        diag44_fast_ns,
        "ns",
        "Guest time of a Diag X'44' that returns by the fast path.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(
        diag44_ns,
        "ns",
        "CP time of a Diag X'44' that takes the whole path.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(
        identity_part,
        "part of the time",
        "Part of its time for a service that CP takes where its virtual storage is mapped directly to real storage, as before 5.2.",
        "Fitted: the 5.2 report's CP time per transaction of PACE, +12 % from 5.1: 1 / 1.12. CMS1's is +16 %."
    ),
    number!(cp_spin_ns, "ns", "Time that CP spins for a lock before it turns to PR/SM.", "Chosen; not published."),
    number!(
        cp_lock_part,
        "part of the service",
        "Part of a CP service during which CP holds its lock.",
        "Chosen; not published."
    ),
    number!(vary_ns, "ns", "Time that VARY PROCESSOR holds its lock.", "Chosen; not published."),
    whole!(
        vary_services,
        u64,
        "services",
        "One in this many CP services needs the lock of VARY PROCESSOR.",
        "Chosen; not published."
    ),
    number!(
        prsm_dispatch_ns,
        "ns",
        "Time that PR/SM takes to give a physical processor to a logical one.",
        "Chosen; not published."
    ),
    number!(
        prsm_yield_ns,
        "ns",
        "Time that PR/SM takes for a Diag X'44' or X'9C' from a logical processor.",
        "Chosen; not published. If another logical processor runs then, the time to dispatch it is added."
    ),
    number!(
        prsm_piece_ns,
        "ns",
        "Mean processor time of a piece of work of the other partitions.",
        "Chosen; not published. It only says how often their logical processors come and go."
    ),
];
