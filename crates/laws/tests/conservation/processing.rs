//! Generated processors, schedulers, dispatchers, machines around the partition, and what guests do with all that.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use zvmlab::scenario::{
    Dispatcher, GuestGroup, LimitHard, LimitType, Mechanism, Processors, Prsm, Scenario, Scheduler, ShareType, SpinLock,
    Tenths,
};

/// What a host has.
#[derive(Clone, Debug)]
pub struct OfHost {
    processors: Processors,
    prsm: Prsm,
    scheduler: Scheduler,
    dispatcher: Dispatcher,
}

impl OfHost {
    pub fn give(self, scenario: &mut Scenario) {
        let OfHost { processors, prsm, scheduler, dispatcher } = self;
        (scenario.processors, scenario.prsm) = (processors, prsm);
        (scenario.scheduler, scenario.dispatcher) = (scheduler, dispatcher);
        scenario.measure.warmup_s = 0;
    }
}

/// Processors of the partition, of which a third share a machine with others.
fn machines() -> impl Strategy<Value = (Processors, Prsm)> {
    let others = (0u32..4, 1u32..1000, 1u32..6, prop_oneof![Just(0u32), Just(100), 1u32..100]);
    let capacity = prop_oneof![3 => Just(100u32), 1 => 10u32..100];
    let caps = (prop::bool::weighted(0.3), prop_oneof![2 => Just(0), 1 => 1u32..80].prop_map(Tenths));
    (1u32..6, 0u32..4, 1u32..1000, others, (1u32..20, caps), capacity, prop::bool::weighted(0.35)).prop_map(
        |(
            count,
            more,
            weight,
            (partitions, other_weight, other_logical, busy),
            (slice_ms, caps),
            capacity_percent,
            shared,
        )| {
            let physical = count + more;
            let prsm = Prsm {
                physical,
                weight,
                partitions,
                other_weight,
                other_logical: other_logical.min(physical),
                other_busy_percent: busy,
                slice_ms,
                capped: caps.0,
                absolute_cap: caps.1,
            };
            (Processors { count, shared, capacity_percent }, prsm)
        },
    )
}

/// Barriers of all sizes: some let nobody in but the first.
fn schedulers() -> impl Strategy<Value = Scheduler> {
    let percent = || prop_oneof![2 => 0u32..120, 1 => 0u32..=999];
    ([percent(), percent(), percent()], 10u32..400, any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        |(mut storbuf, elapsed_slice_ms, deadline, excess_fault)| {
            storbuf.sort_unstable();
            let [storbuf_3, storbuf_2, storbuf_1] = storbuf;
            let limithard = if deadline { LimitHard::Deadline } else { LimitHard::Consumption };
            Scheduler { storbuf_1, storbuf_2, storbuf_3, elapsed_slice_ms, limithard, excess_fault }
        },
    )
}

fn dispatchers() -> impl Strategy<Value = Dispatcher> {
    let vectors = (1u32..8, 10u32..600, prop::bool::weighted(0.7));
    let way = |diag44: bool| if diag44 { SpinLock::Diag44 } else { SpinLock::Diag9c };
    (1u32..20, vectors, any::<[bool; 2]>(), any::<bool>(), 0u32..3, any::<bool>()).prop_map(
        move |(
            minor_slice_ms,
            (vector_entries, reshuffle_ms, pldv_fix),
            [cp, guests],
            diag44_fast_path,
            vary_s,
            vary_fix,
        )| {
            Dispatcher {
                minor_slice_ms,
                vector_entries,
                reshuffle_ms,
                pldv_fix,
                spin_lock: way(cp),
                guest_lock: way(guests),
                diag44_fast_path,
                vary_s,
                vary_fix,
            }
        },
    )
}

/// All that a host has.
pub fn of_hosts() -> impl Strategy<Value = OfHost> {
    (machines(), schedulers(), dispatchers()).prop_map(|((processors, prsm), scheduler, dispatcher)| OfHost {
        processors,
        prsm,
        scheduler,
        dispatcher,
    })
}

/// What the guests of a group have beside their storage and their I/O.
#[derive(Clone, Debug)]
pub struct OfGroup {
    virtual_cpus: u32,
    share: Result<u32, u32>,
    limit: Option<(bool, u32)>,
    quickdsp: bool,
    cpu_us: u32,
    service_us: u32,
    lock_us: u32,
    pace_ms: u32,
}

impl OfGroup {
    pub fn give(&self, group: &mut GuestGroup) {
        group.virtual_cpus = self.virtual_cpus.min(group.loop_mb as u32 * 4);
        match self.share {
            Ok(relative) => group.share_relative = relative,
            Err(tenths) => (group.share_type, group.share_absolute) = (ShareType::Absolute, Tenths(tenths)),
        }
        if let Some((soft, tenths)) = self.limit {
            group.limit_type = if soft { LimitType::LimitSoft } else { LimitType::LimitHard };
            let least = if self.share.is_err() { group.share_absolute } else { Tenths(1) };
            group.limit_absolute = Tenths(tenths).max(least);
        }
        group.quickdsp = self.quickdsp;
        (group.cpu_us, group.service_us, group.lock_us) = (self.cpu_us, self.service_us, self.lock_us);
        group.pace_ms = Tenths(self.pace_ms);
    }
}

/// What groups have beside storage and I/O.
pub fn of_groups() -> impl Strategy<Value = OfGroup> {
    let virtual_cpus = prop_oneof![2 => Just(1u32), 2 => 2u32..6, 1 => 6u32..17];
    let share = prop_oneof![2 => (1u32..=10_000).prop_map(Ok), 1 => (1u32..=1000).prop_map(Err)];
    let limit = option::weighted(0.4, (any::<bool>(), 1u32..=1000));
    let time = |most: u32| prop_oneof![2 => Just(0u32), 1 => 1..most];
    let work = (time(20_000), time(500), time(500), time(60));
    (virtual_cpus, share, limit, prop::bool::weighted(0.15), work).prop_map(
        |(virtual_cpus, share, limit, quickdsp, (cpu_us, service_us, lock_us, pace_ms))| OfGroup {
            virtual_cpus,
            share,
            limit,
            quickdsp,
            cpu_us,
            service_us,
            lock_us,
            pace_ms,
        },
    )
}

/// Takes away what the level has not got, and gives what it has for good.
pub fn fit(scenario: &mut Scenario) {
    let (level, dispatcher) = (scenario.level, &mut scenario.dispatcher);
    dispatcher.diag44_fast_path &= !level.lacks(Mechanism::Diag44FastPath);
    if level.always(Mechanism::PldvFix) {
        (dispatcher.pldv_fix, dispatcher.vary_fix, dispatcher.spin_lock) = (true, true, SpinLock::Diag9c);
    }
    for group in &mut scenario.guests {
        group.virtual_cpus = group.virtual_cpus.min(group.loop_mb as u32 * 4);
    }
}

/// Which numbers of a host are replaced, and by what.
pub fn spoilt() -> impl Strategy<Value = Vec<(u32, u32)>> {
    let value = prop_oneof![Just(0u32), Just(1), Just(64), Just(65), Just(u32::MAX), any::<u32>(), 0u32..20_000];
    vec((any::<u32>(), value), 1..4)
}

/// Replaces a number of a host, whether that makes sense or not.
pub fn spoil(scenario: &mut Scenario, which: u32, value: u32) {
    let Scenario { processors, prsm, scheduler, dispatcher, guests, .. } = scenario;
    let Some(group) = guests.first_mut() else { return };
    let fields = [
        &mut processors.count,
        &mut processors.capacity_percent,
        &mut prsm.physical,
        &mut prsm.weight,
        &mut prsm.partitions,
        &mut prsm.other_weight,
        &mut prsm.other_logical,
        &mut prsm.other_busy_percent,
        &mut prsm.slice_ms,
        &mut scheduler.storbuf_1,
        &mut scheduler.storbuf_2,
        &mut scheduler.storbuf_3,
        &mut scheduler.elapsed_slice_ms,
        &mut dispatcher.minor_slice_ms,
        &mut dispatcher.vector_entries,
        &mut dispatcher.reshuffle_ms,
        &mut dispatcher.vary_s,
        &mut group.virtual_cpus,
        &mut group.share_relative,
        &mut group.share_absolute.0,
        &mut group.limit_absolute.0,
        &mut group.cpu_us,
        &mut group.service_us,
        &mut group.lock_us,
        &mut group.think_ms.0,
        &mut group.pace_ms.0,
    ];
    let count = fields.len();
    if let Some(field) = fields.into_iter().nth(which as usize % count) {
        *field = value;
    }
}
