//! The fields of the partition, PR/SM, the scheduler and the dispatcher.

use super::{Effect, Field, Kind};
use crate::scenario::{Level, LimitHard, LimitType, Mechanism, Scenario, SpinLock, Tenths};

paths! {
    PROCESSORS_COUNT = "processors.count";
    PROCESSORS_SHARED = "processors.shared";
    PROCESSORS_CAPACITY_PERCENT = "processors.capacity_percent";
    PRSM_PHYSICAL = "prsm.physical";
    PRSM_WEIGHT = "prsm.weight";
    PRSM_PARTITIONS = "prsm.partitions";
    PRSM_OTHER_WEIGHT = "prsm.other_weight";
    PRSM_OTHER_LOGICAL = "prsm.other_logical";
    PRSM_OTHER_BUSY_PERCENT = "prsm.other_busy_percent";
    PRSM_SLICE_MS = "prsm.slice_ms";
    PRSM_CAPPED = "prsm.capped";
    PRSM_ABSOLUTE_CAP = "prsm.absolute_cap";
    SCHEDULER_STORBUF_1 = "scheduler.storbuf_1";
    SCHEDULER_STORBUF_2 = "scheduler.storbuf_2";
    SCHEDULER_STORBUF_3 = "scheduler.storbuf_3";
    SCHEDULER_ELAPSED_SLICE_MS = "scheduler.elapsed_slice_ms";
    SCHEDULER_LIMITHARD = "scheduler.limithard";
    SCHEDULER_EXCESS_FAULT = "scheduler.excess_fault";
    DISPATCHER_MINOR_SLICE_MS = "dispatcher.minor_slice_ms";
    DISPATCHER_VECTOR_ENTRIES = "dispatcher.vector_entries";
    DISPATCHER_RESHUFFLE_MS = "dispatcher.reshuffle_ms";
    DISPATCHER_PLDV_FIX = "dispatcher.pldv_fix";
    DISPATCHER_SPIN_LOCK = "dispatcher.spin_lock";
    DISPATCHER_GUEST_LOCK = "dispatcher.guest_lock";
    DISPATCHER_DIAG44_FAST_PATH = "dispatcher.diag44_fast_path";
    DISPATCHER_VARY_S = "dispatcher.vary_s";
    DISPATCHER_VARY_FIX = "dispatcher.vary_fix";
}

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    whole!(
        paths::PROCESSORS_COUNT,
        "Processors",
        "processors",
        "Logical processors of the partition. In the published runs they are IFL cores.",
        1..=64,
        32,
        1,
        processors.count
    ),
    switch!(
        paths::PROCESSORS_SHARED,
        "Shared processors",
        "Off: each logical processor has its own physical processor. On: PR/SM divides physical processors between this partition and others by weight.",
        processors.shared
    ),
    whole!(
        paths::PROCESSORS_CAPACITY_PERCENT,
        "Capacity",
        "%",
        "Percent of the nominal capacity that the processors deliver. It is below 100 in power saving or when the room is too warm (QUERY CAPABILITY). All processor work then takes longer.",
        10..=100,
        100,
        1,
        processors.capacity_percent
    ),
    whole!(
        paths::PRSM_PHYSICAL,
        "Physical processors",
        "processors",
        "Physical processors that the partitions share. It matters only with shared processors.",
        1..=64,
        32,
        1,
        prsm.physical,
        of_prsm
    ),
    whole!(
        paths::PRSM_WEIGHT,
        "Weight of this partition",
        "",
        "The partition is entitled to the shared processors times this weight, divided by the sum of all weights.",
        1..=999,
        999,
        1,
        prsm.weight,
        of_prsm
    ),
    whole!(
        paths::PRSM_PARTITIONS,
        "Other partitions",
        "partitions",
        "Partitions besides this one. All are alike.",
        0..=59,
        16,
        1,
        prsm.partitions,
        of_prsm
    ),
    whole!(
        paths::PRSM_OTHER_WEIGHT,
        "Weight of each other partition",
        "",
        "Weight of each of the other partitions.",
        1..=999,
        999,
        1,
        prsm.other_weight,
        of_other_partitions
    ),
    whole!(
        paths::PRSM_OTHER_LOGICAL,
        "Logical processors of each other partition",
        "processors",
        "Logical processors of each of the other partitions.",
        1..=64,
        32,
        1,
        prsm.other_logical,
        of_other_partitions
    ),
    whole!(
        paths::PRSM_OTHER_BUSY_PERCENT,
        "Demand of the other partitions",
        "%",
        "Percent of time that each logical processor of the other partitions would run if it never had to wait.",
        0..=100,
        100,
        1,
        prsm.other_busy_percent,
        of_other_partitions
    ),
    whole!(
        paths::PRSM_SLICE_MS,
        "PR/SM's slice",
        "ms",
        "How long a logical processor keeps a physical one that others wait for. An assumption of the model.",
        1..=100,
        50,
        1,
        prsm.slice_ms,
        of_prsm
    ),
    switch!(
        paths::PRSM_CAPPED,
        "Initial capping",
        "On: the partition gets no more than its weight entitles it to, even if other partitions leave processors idle.",
        prsm.capped,
        of_prsm
    ),
    Field {
        path: paths::PRSM_ABSOLUTE_CAP,
        label: "Absolute capping",
        unit: "processors",
        help: || "The most physical processors that the partition gets, whatever its weight and whatever others leave idle. 0: no such cap. With both kinds of capping the lower one holds.",
        effect: of_prsm,
        kind: Kind::Tenths {
            min: Tenths::ZERO,
            max: Tenths::whole(64),
            slider_max: Tenths::whole(16),
            get: |s, _| s.prsm.absolute_cap,
            set: |s, _, v| s.prsm.absolute_cap = v,
        },
    },
    whole!(
        paths::SCHEDULER_STORBUF_1,
        "STORBUF, first number",
        "%",
        "Percent of pageable storage that the working sets of Q1, Q2 and Q3 may claim together. A guest in E1, E2 or E3 enters the dispatch list only if its own working set still fits. From z/VM 6.3 on no guest waits in the eligible list.",
        0..=999,
        400,
        5,
        scheduler.storbuf_1,
        of_eligible_list
    ),
    whole!(
        paths::SCHEDULER_STORBUF_2,
        "STORBUF, second number",
        "%",
        "The same for Q2 and Q3 together. Guests in E2 and E3 must fit under this limit too.",
        0..=999,
        400,
        5,
        scheduler.storbuf_2,
        of_eligible_list
    ),
    whole!(
        paths::SCHEDULER_STORBUF_3,
        "STORBUF, third number",
        "%",
        "The same for Q3 alone. Guests in E3 must fit under this limit too.",
        0..=999,
        400,
        5,
        scheduler.storbuf_3,
        of_eligible_list
    ),
    whole!(
        paths::SCHEDULER_ELAPSED_SLICE_MS,
        "Elapsed slice of class 1",
        "ms",
        "How long a guest stays in Q1 before it goes back to the eligible list, to class 2. In Q2 it stays 6 times as long, in Q3 48 times. An assumption of the model.",
        10..=10_000,
        2_000,
        10,
        scheduler.elapsed_slice_ms
    ),
    Field {
        path: paths::SCHEDULER_LIMITHARD,
        label: "SET SRM LIMITHARD",
        unit: "",
        help: || "How CP detects that a guest is at its ABSOLUTE LIMITHARD maximum. DEADLINE: by its deadline, the only way before VM64721. CONSUMPTION: by the time it has used, the default from z/VM 6.2 on; here on 6.1 too.",
        effect: |s, _| {
            let limited = s.guests.iter().any(|group| group.limit_type == LimitType::LimitHard);
            Effect::none_if(!limited, "No guest has LIMITHARD.")
        },
        kind: Kind::Choice {
            allowed: &["DEADLINE", "CONSUMPTION"],
            get: |s, _| s.scheduler.limithard.as_str(),
            set: |s, _, v| {
                s.scheduler.limithard = if v == "DEADLINE" { LimitHard::Deadline } else { LimitHard::Consumption };
            },
        },
    },
    switch!(
        paths::SCHEDULER_EXCESS_FAULT,
        "Excess share goes to one guest",
        "On: the share that a guest does not use goes to one other guest, the fault that the 6.2 deck describes. Off: it goes to all guests that want it, in proportion to their shares.",
        scheduler.excess_fault,
        |s, _| Effect::none_if(s.guest_count() < 2, "There is only one guest.")
    ),
    whole!(
        paths::DISPATCHER_MINOR_SLICE_MS,
        "Minor slice (DSPSLICE)",
        "ms",
        "CP recomputes a virtual CPU's priority after this much processor time. That 5 ms is usual is an assumption.",
        1..=100,
        50,
        1,
        dispatcher.minor_slice_ms
    ),
    whole!(
        paths::DISPATCHER_VECTOR_ENTRIES,
        "Entries of a vector (PLDV)",
        "entries",
        "Ready virtual CPUs that one logical processor's vector holds. The others wait in the dispatch list. An assumption of the model.",
        1..=64,
        32,
        1,
        dispatcher.vector_entries
    ),
    whole!(
        paths::DISPATCHER_RESHUFFLE_MS,
        "Time between reshuffles",
        "ms",
        "How often CP redistributes the dispatch list to the vectors. An assumption of the model.",
        10..=10_000,
        2_000,
        10,
        dispatcher.reshuffle_ms
    ),
    switch!(
        paths::DISPATCHER_PLDV_FIX,
        "PLDV overflow is noted (VM64887)",
        "Off: a reshuffle does not note that vectors overflowed. A processor that has emptied its vector then ignores the dispatch list, and ready work is forgotten until the next reshuffle. z/VM 6.2 has the fix.",
        dispatcher.pldv_fix,
        |s, _| of_service(s, Mechanism::PldvFix)
    ),
    Field {
        path: paths::DISPATCHER_SPIN_LOCK,
        label: "CP's spin locks",
        unit: "",
        help: || "What a logical processor does while it waits for a CP lock. DIAG 44: it yields to PR/SM and names no processor. DIAG 9C (VM64927): it checks if the holder runs. If so it spins; if not, PR/SM runs the holder.",
        effect: |s, g| of_service(s, Mechanism::SpinLockDiag9c).and(|| of_cp_locks(s, g)),
        kind: Kind::Choice {
            allowed: &["DIAG 44", "DIAG 9C"],
            get: |s, _| s.dispatcher.spin_lock.as_str(),
            set: |s, _, v| s.dispatcher.spin_lock = if v == "DIAG 44" { SpinLock::Diag44 } else { SpinLock::Diag9c },
        },
    },
    Field {
        path: paths::DISPATCHER_GUEST_LOCK,
        label: "Guests' spin locks",
        unit: "",
        help: || "What a virtual CPU does while it waits for its guest's lock. DIAG 44: it yields and names no other virtual CPU. DIAG 9C: it names the holder. If the holder waits for a processor, it runs in its place; if not, the call returns at once.",
        effect: |s, _| of_guest_locks(s),
        kind: Kind::Choice {
            allowed: &["DIAG 44", "DIAG 9C"],
            get: |s, _| s.dispatcher.guest_lock.as_str(),
            set: |s, _, v| s.dispatcher.guest_lock = if v == "DIAG 44" { SpinLock::Diag44 } else { SpinLock::Diag9c },
        },
    },
    switch!(
        paths::DISPATCHER_DIAG44_FAST_PATH,
        "Diag X'44' fast path",
        "On, from z/VM 5.2: a guest's Diag X'44' returns at once if none of its other virtual CPUs waits to run. Off: only in guests with up to two virtual CPUs. In others CP takes the whole path each time.",
        dispatcher.diag44_fast_path,
        of_diag44_fast_path
    ),
    whole!(
        paths::DISPATCHER_VARY_S,
        "VARY PROCESSOR at",
        "s",
        "VARY PROCESSOR is entered at this second of the interval. 0: never. The model has only the command's lock, not what it varies.",
        0..=3_600,
        60,
        1,
        dispatcher.vary_s,
        of_cp_locks
    ),
    switch!(
        paths::DISPATCHER_VARY_FIX,
        "VARY gives its lock back (VM64767)",
        "Off: VARY PROCESSOR never completes and keeps its lock. Other work that needs the lock piles up behind it. z/VM 6.2 has the fix.",
        dispatcher.vary_fix,
        of_vary_fix
    ),
];

fn of_prsm(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(!scenario.processors.shared, "The processors are dedicated. No other partition uses them.")
}

fn of_other_partitions(scenario: &Scenario, index: usize) -> Effect {
    of_prsm(scenario, index).and(|| Effect::none_if(scenario.prsm.partitions == 0, "There are no other partitions."))
}

/// What holds guests in the eligible list.
pub(super) fn of_eligible_list(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(
        !scenario.has(Mechanism::EligibleList),
        match scenario.level {
            Level::Own => "This host has no eligible list: see the mechanisms of its level.",
            _ => "z/VM 6.3 and later keep no guest in the eligible list.",
        },
    )
}

/// What a service brought, where the level has it for good.
pub(super) fn of_service(scenario: &Scenario, mechanism: Mechanism) -> Effect {
    match scenario.level {
        level if level.always(mechanism) => Effect::none(format!("{} has {}.", level.name(), mechanism.service())),
        _ => Effect::Some,
    }
}

/// How CP handles its locks. CP takes them for services that programs ask for.
fn of_cp_locks(scenario: &Scenario, _: usize) -> Effect {
    let asked = scenario.guests.iter().any(|group| group.service_us > 0);
    Effect::none_if(!asked, "No guest asks CP for a service, so CP takes no lock.")
}

fn of_vary_fix(scenario: &Scenario, index: usize) -> Effect {
    of_service(scenario, Mechanism::VaryFix)
        .and(|| Effect::none_if(scenario.dispatcher.vary_s == 0, "VARY PROCESSOR is never entered."))
        .and(|| of_cp_locks(scenario, index))
}

fn of_guest_locks(scenario: &Scenario) -> Effect {
    let spins = scenario.guests.iter().any(|group| group.lock_us > 0 && group.virtual_cpus > 1);
    Effect::none_if(!spins, "No guest with several virtual CPUs has a lock.")
}

fn of_diag44_fast_path(scenario: &Scenario, _: usize) -> Effect {
    match scenario.level {
        level if level.lacks(Mechanism::Diag44FastPath) => Effect::none(format!(
            "{} has it only for guests with up to two virtual CPUs. z/VM 5.2 has it for all.",
            level.name()
        )),
        _ => of_guest_locks(scenario).and(|| {
            let by_9c = scenario.dispatcher.guest_lock == SpinLock::Diag9c;
            Effect::none_if(by_9c, "Guests give way by Diag X'9C', not by Diag X'44'.")
        }),
    }
}
