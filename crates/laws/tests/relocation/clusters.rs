//! Generated clusters: two to four members small enough to look at every page, links of every shape, guests of every kind that
//! are relocated with every option.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use zvmlab::scenario::{
    Chpid, Cluster, GuestGroup, Isfc, Level, LimitType, MaxQuiesce, Mechanism, Minidisks, Order, OtherMember, Own, Paging,
    Pattern, Relocate, Relocation, Scenario, Tenths,
};

fn levels() -> impl Strategy<Value = Level> {
    prop::sample::select(vec![
        Level::V6_2,
        Level::V6_2,
        Level::V6_2Vm65041,
        Level::V6_3,
        Level::V6_4,
        Level::V6_4,
        Level::Own,
    ])
}

/// Zero as often as a number below `most`.
fn or_none(most: u32) -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0u32), 1 => 1..most]
}

/// Central storage of a member in MB: often little.
fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![3 => 256u64..300, 1 => 300u64..1024]
}

fn members() -> impl Strategy<Value = OtherMember> {
    (sizes(), 1u32..4, 1u32..4, prop::bool::weighted(0.3)).prop_map(|(central_mb, processors, volumes, transitions)| {
        OtherMember { central_mb, processors, volumes, transitions }
    })
}

/// Links: chpids of one speed or of several, four CTCs on each or any number, many buffers or few, other traffic or none.
fn links() -> impl Strategy<Value = Isfc> {
    let chpid = || prop::sample::select(Chpid::ALL.to_vec());
    // One alone as often as several.
    let more = || prop_oneof![1 => Just(Chpid::None), 1 => chpid()];
    let first = prop::sample::select(Chpid::ALL[1..].to_vec());
    let ctcs = || prop_oneof![2 => Just(4u32), 1 => 1u32..5];
    let buffers = prop_oneof![2 => Just(64u32), 1 => 1u32..4, 1 => 4u32..64];
    let other = prop_oneof![2 => Just(0u32), 1 => 1u32..300, 1 => 300u32..2_000];
    (first, [more(), more(), more()], [ctcs(), ctcs(), ctcs(), ctcs()], buffers, other).prop_map(
        |(chpid1, [chpid2, chpid3, chpid4], [ctcs1, ctcs2, ctcs3, ctcs4], buffers, other_mb_s)| Isfc {
            chpid1,
            chpid2,
            chpid3,
            chpid4,
            ctcs1,
            ctcs2,
            ctcs3,
            ctcs4,
            buffers,
            other_mb_s,
        },
    )
}

/// Options and what decides. Nothing interrupts.
fn relocations() -> impl Strategy<Value = Relocation> {
    let options = (any::<bool>(), any::<bool>(), any::<bool>(), prop::sample::select(Order::ALL.to_vec()));
    let quiesce = (prop::sample::select(MaxQuiesce::ALL.to_vec()), 1u32..3, prop_oneof![3 => Just(0u32), 1 => 1u32..4]);
    let rules = (3u32..10, prop_oneof![1u32..20, 20u32..1_000], or_none(6), 1u32..6);
    let times = (0u32..2, prop::bool::weighted(0.2), 0u32..3);
    (options, quiesce, rules, times).prop_map(
        |(
            (asynch, immediate, force_storage, order),
            (maxquiesce, maxquiesce_s, maxtotal_s),
            (passes_max, goal_ms, throttle_paging, throttle_endpoint),
            (after_s, bounce, stay_s),
        )| Relocation {
            mode: if asynch { Relocate::Asynch } else { Relocate::Synch },
            immediate,
            maxquiesce,
            maxquiesce_s,
            maxtotal_s,
            force_storage,
            order,
            after_s,
            bounce,
            stay_s,
            passes_max,
            goal_ms,
            throttle_paging,
            throttle_endpoint,
            ..Relocation::default()
        },
    )
}

/// What a guest does between touches, and what holds it up.
fn doings() -> impl Strategy<Value = GuestGroup> {
    let pattern = prop::sample::select(vec![Pattern::Sequential, Pattern::Random, Pattern::Files]);
    let walk = (pattern, 0u32..=100, prop_oneof![1 => Just(1u32), 3 => 2u32..400], or_none(5_000));
    let pauses =
        (prop_oneof![3 => Just(0u32), 2 => 1u32..30, 1 => 300u32..900], prop_oneof![3 => Just(0u32), 1 => 1u32..40]);
    let waits = (or_none(300), or_none(300), prop::bool::weighted(0.2), option::weighted(0.2, 50u32..1_000));
    let io = option::weighted(0.4, (1u32..65, 0u32..=100));
    (walk, pauses, waits, io).prop_map(
        |(
            (pattern, change_percent, cycle_pages, cpu_us),
            (think_ms, pace_ms),
            (service_us, lock_us, quickdsp, limit),
            io,
        )| {
            let (io_records, io_read_percent) = io.unwrap_or((0, 0));
            GuestGroup {
                pattern,
                references: 1,
                change_percent,
                cycle_pages,
                cpu_us,
                think_ms: Tenths::whole(think_ms),
                pace_ms: Tenths::whole(pace_ms),
                service_us,
                lock_us,
                quickdsp,
                limit_type: if limit.is_some() { LimitType::LimitHard } else { LimitType::NoLimit },
                limit_absolute: Tenths(limit.unwrap_or(1_000)),
                io_records,
                io_read_percent,
                minidisk_mb: 8,
                transaction: 1,
                ..GuestGroup::default()
            }
        },
    )
}

/// A group of guests, with its place and where it is relocated to, both to be taken into the cluster.
fn groups() -> impl Strategy<Value = GuestGroup> {
    let loops = prop_oneof![2 => 1u64..8, 3 => 8u64..64, 2 => 64u64..200];
    let storage = (1u32..4, loops, 0u64..40, option::of(1u64..=100), 1u32..4);
    let places =
        (0u32..16, 0u32..16, prop_oneof![2 => Just(0u32), 1 => 1u32..400], prop_oneof![1 => or_none(40), 1 => 0u32..512]);
    (storage, places, doings()).prop_map(
        |((count, loop_mb, more_mb, active_part, virtual_cpus), (member, move_to, touch_mb_s, devices), doing)| {
            let active_mb = active_part.map_or(0, |part| (loop_mb * part / 100).max(1));
            GuestGroup {
                name: "GUEST".into(),
                count: if loop_mb > 64 { 1 } else { count },
                virtual_cpus,
                virtual_mb: loop_mb + more_mb,
                loop_mb,
                active_mb,
                touch_mb_s,
                pace_ms: if touch_mb_s > 0 { Tenths::ZERO } else { doing.pace_ms },
                devices,
                member,
                move_to,
                ..doing
            }
        },
    )
}

/// Clusters that can run; one guest at least is relocated, and nothing interrupts it.
pub fn clusters() -> impl Strategy<Value = Scenario> {
    let expanded = prop_oneof![1 => Just(0u64), 2 => 1u64..200];
    let host = (levels(), (sizes(), expanded), 1u32..4, 1u32..4, 2u32..5);
    let others = ([members(), members(), members()], 1u32..4, 1u32..3);
    (host, others, links(), relocations(), vec(groups(), 1..5))
        .prop_map(|(host, ([member2, member3, member4], state_s, transition_s), isfc, relocation, guests)| {
            let (level, (central_mb, expanded_mb), processors, volumes, members) = host;
            // Level "own" has what is least alike here: the eligible list beside all that 6.4 brought.
            let own = Own { eligible_list: true, ..Own::default() };
            let mut scenario = Scenario { level, own, isfc, relocation, guests, ..Scenario::default() };
            (scenario.member2, scenario.member3, scenario.member4) = (member2, member3, member4);
            scenario.storage.central_mb = central_mb;
            scenario.storage.expanded_mb = if level.lacks(Mechanism::ExpandedStorage) { 0 } else { expanded_mb };
            scenario.processors.count = processors;
            scenario.cluster = Cluster { members, state_s, transition_s };
            scenario.paging = Paging {
                volumes,
                volume_slots: 300_000,
                alias: !level.lacks(Mechanism::PagingAliases),
                ..Paging::default()
            };
            scenario.minidisks = Minidisks { volumes: 2, ..Minidisks::default() };
            scenario.measure.warmup_s = 0;
            give_places(&mut scenario);
            scenario
        })
        .prop_filter("the scenario is valid", |scenario| scenario.check().is_ok())
}

/// Takes places into the cluster, the last member where it comes and goes left out; the first group is relocated.
fn give_places(scenario: &mut Scenario) {
    let members = scenario.cluster.members;
    let mut others = [&mut scenario.member2, &mut scenario.member3, &mut scenario.member4];
    let last = members as usize - 2;
    others[..last].iter_mut().for_each(|member| member.transitions = false);
    // With two members the second one is needed.
    others[last].transitions &= members > 2;
    let places = if others[last].transitions { members - 1 } else { members };
    for (index, group) in scenario.guests.iter_mut().enumerate() {
        group.member = group.member % places + 1;
        let to = group.move_to % places + 1;
        group.move_to = match to == group.member {
            true if index == 0 => group.member % places + 1,
            true => 0,
            false => to,
        };
    }
}
