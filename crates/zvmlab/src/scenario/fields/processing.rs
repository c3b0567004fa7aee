//! The fields of the partition, PR/SM, the scheduler and the dispatcher.

use super::{Field, Kind, path};
use crate::scenario::{LimitHard, SpinLock};

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    whole!(
        path::PROCESSORS_COUNT,
        "Processors",
        "processors",
        "Logical processors of the partition. In the published runs they are IFL cores.",
        1..=64,
        32,
        1,
        processors.count
    ),
    switch!(
        path::PROCESSORS_SHARED,
        "Shared processors",
        "Off: each logical processor has its own physical processor. On: PR/SM divides physical processors between this partition and others by weight.",
        processors.shared
    ),
    whole!(
        path::PROCESSORS_CAPACITY_PERCENT,
        "Capacity",
        "%",
        "Percent of the nominal capacity that the processors deliver. It is below 100 in power saving or when the room is too warm (QUERY CAPABILITY). All processor work then takes longer.",
        10..=100,
        100,
        1,
        processors.capacity_percent
    ),
    whole!(
        path::PRSM_PHYSICAL,
        "Physical processors",
        "processors",
        "Physical processors that the partitions share. It matters only with shared processors.",
        1..=64,
        32,
        1,
        prsm.physical
    ),
    whole!(
        path::PRSM_WEIGHT,
        "Weight of this partition",
        "",
        "The partition is entitled to the shared processors times this weight, divided by the sum of all weights.",
        1..=999,
        999,
        1,
        prsm.weight
    ),
    whole!(
        path::PRSM_PARTITIONS,
        "Other partitions",
        "partitions",
        "Partitions besides this one. All are alike.",
        0..=59,
        16,
        1,
        prsm.partitions
    ),
    whole!(
        path::PRSM_OTHER_WEIGHT,
        "Weight of each other partition",
        "",
        "Weight of each of the other partitions.",
        1..=999,
        999,
        1,
        prsm.other_weight
    ),
    whole!(
        path::PRSM_OTHER_LOGICAL,
        "Logical processors of each other partition",
        "processors",
        "Logical processors of each of the other partitions.",
        1..=64,
        32,
        1,
        prsm.other_logical
    ),
    whole!(
        path::PRSM_OTHER_BUSY_PERCENT,
        "Demand of the other partitions",
        "%",
        "Percent of time that each logical processor of the other partitions would run if it never had to wait.",
        0..=100,
        100,
        1,
        prsm.other_busy_percent
    ),
    whole!(
        path::PRSM_SLICE_MS,
        "PR/SM's slice",
        "ms",
        "How long a logical processor keeps a physical one that others wait for. An assumption of the model.",
        1..=100,
        50,
        1,
        prsm.slice_ms
    ),
    whole!(
        path::SCHEDULER_STORBUF_1,
        "STORBUF, first number",
        "%",
        "Percent of pageable storage that the working sets of Q1, Q2 and Q3 may claim together. A guest in E1, E2 or E3 enters the dispatch list only if its own working set still fits. From z/VM 6.3 on no guest waits in the eligible list.",
        0..=999,
        400,
        5,
        scheduler.storbuf_1
    ),
    whole!(
        path::SCHEDULER_STORBUF_2,
        "STORBUF, second number",
        "%",
        "The same for Q2 and Q3 together. Guests in E2 and E3 must fit under this limit too.",
        0..=999,
        400,
        5,
        scheduler.storbuf_2
    ),
    whole!(
        path::SCHEDULER_STORBUF_3,
        "STORBUF, third number",
        "%",
        "The same for Q3 alone. Guests in E3 must fit under this limit too.",
        0..=999,
        400,
        5,
        scheduler.storbuf_3
    ),
    whole!(
        path::SCHEDULER_ELAPSED_SLICE_MS,
        "Elapsed slice of class 1",
        "ms",
        "How long a guest stays in Q1 before it goes back to the eligible list, to class 2. In Q2 it stays 6 times as long, in Q3 48 times. An assumption of the model.",
        10..=10_000,
        2_000,
        10,
        scheduler.elapsed_slice_ms
    ),
    Field {
        path: path::SCHEDULER_LIMITHARD,
        label: "SET SRM LIMITHARD",
        unit: "",
        help: "How CP detects that a guest is at its ABSOLUTE LIMITHARD maximum. DEADLINE: by its deadline, the only way before VM64721. CONSUMPTION: by the time it has used, the default from z/VM 6.2 on.",
        kind: Kind::Choice {
            allowed: &["DEADLINE", "CONSUMPTION"],
            get: |s, _| s.scheduler.limithard.as_str(),
            set: |s, _, v| {
                s.scheduler.limithard = if v == "DEADLINE" { LimitHard::Deadline } else { LimitHard::Consumption };
            },
        },
    },
    switch!(
        path::SCHEDULER_EXCESS_FAULT,
        "Excess share goes to one guest",
        "On: the share that a guest does not use goes to one other guest, the fault that the 6.2 deck describes. Off: it goes to all guests that want it, in proportion to their shares.",
        scheduler.excess_fault
    ),
    whole!(
        path::DISPATCHER_MINOR_SLICE_MS,
        "Minor slice (DSPSLICE)",
        "ms",
        "CP recomputes a virtual CPU's priority after this much processor time. That 5 ms is usual is an assumption.",
        1..=100,
        50,
        1,
        dispatcher.minor_slice_ms
    ),
    whole!(
        path::DISPATCHER_VECTOR_ENTRIES,
        "Entries of a vector (PLDV)",
        "entries",
        "Ready virtual CPUs that one logical processor's vector holds. The others wait in the dispatch list. An assumption of the model.",
        1..=64,
        32,
        1,
        dispatcher.vector_entries
    ),
    whole!(
        path::DISPATCHER_RESHUFFLE_MS,
        "Time between reshuffles",
        "ms",
        "How often CP redistributes the dispatch list to the vectors. An assumption of the model.",
        10..=10_000,
        2_000,
        10,
        dispatcher.reshuffle_ms
    ),
    switch!(
        path::DISPATCHER_PLDV_FIX,
        "PLDV overflow is noted (VM64887)",
        "Off: a reshuffle does not note that vectors overflowed. A processor that has emptied its vector then ignores the dispatch list, and ready work is forgotten until the next reshuffle. z/VM 6.2 has the fix.",
        dispatcher.pldv_fix
    ),
    Field {
        path: path::DISPATCHER_SPIN_LOCK,
        label: "CP's spin locks",
        unit: "",
        help: "What a logical processor does while it waits for a CP lock. DIAG 44: it yields to PR/SM and names no processor. DIAG 9C (VM64927): it checks if the holder runs. If so it spins; if not, PR/SM runs the holder.",
        kind: Kind::Choice {
            allowed: &["DIAG 44", "DIAG 9C"],
            get: |s, _| s.dispatcher.spin_lock.as_str(),
            set: |s, _, v| s.dispatcher.spin_lock = if v == "DIAG 44" { SpinLock::Diag44 } else { SpinLock::Diag9c },
        },
    },
    switch!(
        path::DISPATCHER_DIAG44_FAST_PATH,
        "Diag X'44' fast path",
        "On, from z/VM 5.2: a guest's Diag X'44' returns at once if none of its other virtual CPUs waits to run. Off: only in guests with up to two virtual CPUs. In others CP takes the whole path each time.",
        dispatcher.diag44_fast_path
    ),
    whole!(
        path::DISPATCHER_VARY_S,
        "VARY PROCESSOR at",
        "s",
        "VARY PROCESSOR is entered at this second of the interval. 0: never. The model has only the command's lock, not what it varies.",
        0..=3_600,
        60,
        1,
        dispatcher.vary_s
    ),
    switch!(
        path::DISPATCHER_VARY_FIX,
        "VARY gives its lock back (VM64767)",
        "Off: VARY PROCESSOR never completes and keeps its lock. Other work that needs the lock piles up behind it. z/VM 6.2 has the fix.",
        dispatcher.vary_fix
    ),
];
