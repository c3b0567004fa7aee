//! Generated hosts: small enough to look at every page, of every level, with every kind of volume, workload and share.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use zvmlab::scenario::Tenths;
use zvmlab::scenario::{
    AliasShare, Channel, DeviceKind, GuestGroup, Lcu, Level, Mechanism, Minidisks, Own, Paging, Pattern, Role, Scenario,
};

use super::processing;

fn levels() -> impl Strategy<Value = Level> {
    // The latest one most often, as its devices have the most that can go wrong; those before 6.3 nearly as often, as they keep
    // guests in the eligible list.
    prop_oneof![
        4 => prop::sample::select(&Level::ALL[..5]),
        1 => Just(Level::V6_3),
        5 => Just(Level::V6_4),
        2 => Just(Level::Own),
    ]
}

fn owns() -> impl Strategy<Value = Own> {
    any::<[bool; 4]>().prop_map(|[eligible_list, scan_by_lists, large_blocks, io_below]| Own {
        eligible_list,
        scan_by_lists,
        large_blocks,
        io_below,
    })
}

fn kinds() -> impl Strategy<Value = DeviceKind> {
    prop_oneof![
        3 => Just(DeviceKind::EckdSpinning),
        2 => Just(DeviceKind::EckdSsd),
        1 => Just(DeviceKind::EdevSpinning),
        1 => Just(DeviceKind::EdevSsd),
        1 => Just(DeviceKind::EdevSvc),
        1 => Just(DeviceKind::EdevDirect),
    ]
}

/// Hits of a hundred: all, none, or something between.
fn hits() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(100), 1 => Just(0), 2 => 1u32..100]
}

fn shares() -> impl Strategy<Value = AliasShare> {
    prop_oneof![
        3 => (1u32..=16, 1u32..=16).prop_map(|(mdisk, paging)| AliasShare { mdisk, paging }),
        1 => (1u32..=1000, 1u32..=1000).prop_map(|(mdisk, paging)| AliasShare { mdisk, paging }),
    ]
}

fn lcus() -> impl Strategy<Value = Lcu> {
    (any::<bool>(), 1u32..5, 0u32..8, shares()).prop_map(|(newer, paths, aliases, alias_share)| Lcu {
        channel: if newer { Channel::Express8S } else { Channel::Express8 },
        paths,
        aliases,
        alias_share,
    })
}

fn pagings() -> impl Strategy<Value = Paging> {
    let of_both = (any::<bool>(), any::<bool>(), 1u32..9, any::<bool>());
    let others = prop_oneof![2 => Just(0u32), 1 => 1u32..4];
    (1u32..6, kinds(), others, kinds(), of_both, hits(), hits()).prop_map(
        |(
            volumes,
            kind,
            other_volumes,
            other_kind,
            (alias, zhpf, queue_depth, tight),
            read_hit_percent,
            write_hit_percent,
        )| {
            // Page space that is nearly full makes reads give their slots back and splits blocks.
            let slots = if tight { 190_000 } else { 300_000 } / u64::from(volumes + other_volumes);
            Paging {
                volumes,
                alias,
                zhpf,
                kind,
                queue_depth,
                volume_slots: slots,
                other_volumes,
                other_kind,
                other_slots: slots / 2 * 3,
                read_hit_percent,
                write_hit_percent,
            }
        },
    )
}

fn minidisks() -> impl Strategy<Value = Minidisks> {
    let mdc_mb = prop_oneof![1 => Just(0u64), 1 => 1u64..4, 1 => 4u64..100];
    (0u32..4, kinds(), 1u32..9, hits(), hits(), any::<bool>(), mdc_mb).prop_map(
        |(volumes, kind, queue_depth, read_hit_percent, write_hit_percent, on_page_volumes, mdc_mb)| Minidisks {
            volumes,
            kind,
            queue_depth,
            read_hit_percent,
            write_hit_percent,
            on_page_volumes,
            mdc_mb,
            mdc_arbiter: mdc_mb % 2 == 1,
            mdc_expanded_mb: 0,
        },
    )
}

fn patterns() -> impl Strategy<Value = Pattern> {
    prop::sample::select(vec![Pattern::Sequential, Pattern::Sequential, Pattern::Random, Pattern::Random, Pattern::Files])
}

/// A guest group. Most of it is what the guests do between touches: nothing, I/O, thought, or both.
fn groups() -> impl Strategy<Value = GuestGroup> {
    let storage = (1u32..4, 1u64..150, 0u64..40, option::of(0u64..=100));
    let walk = (patterns(), prop_oneof![Just(1u32), 2u32..600], 0u32..=100, prop_oneof![Just(1u32), 2u32..300]);
    let io = option::weighted(0.7, (1u32..=64, 0u32..=100, any::<bool>(), 1u64..60));
    // The longest are long enough for a guest to become dormant.
    let think_ms = prop_oneof![6 => Just(0u32), 3 => 1u32..30, 1 => 300u32..900];
    let groups = (storage, walk, io, think_ms).prop_map(|((count, loop_mb, more_mb, reserved_part), walk, io, think_ms)| {
        let (pattern, references, change_percent, cycle_pages) = walk;
        let (io_records, io_read_percent, io_zhpf, minidisk_mb) = io.unwrap_or((0, 0, false, 1));
        let virtual_mb = loop_mb + more_mb;
        GuestGroup {
            name: "GUEST".into(),
            count,
            virtual_mb,
            loop_mb,
            reserved_mb: reserved_part.map_or(0, |part| virtual_mb * part / 100),
            reorder: loop_mb % 3 > 0,
            pattern,
            references,
            change_percent,
            cycle_pages,
            release_percent: if loop_mb % 5 == 1 { change_percent } else { 0 },
            io_records,
            io_read_percent,
            io_zhpf,
            minidisk_mb,
            mdc: loop_mb % 7 > 0,
            flashcopy_s: if loop_mb % 2 > 0 { io_records / 8 } else { 0 },
            think_ms: Tenths::whole(think_ms),
            transaction: 1,
            cpu_us: 0,
            ..GuestGroup::default()
        }
    });
    (groups, processing::of_groups()).prop_map(|(mut group, more)| {
        more.give(&mut group);
        group
    })
}

/// Hosts that can run: what a level or a device has not got is left out, and what still contradicts itself is not taken.
pub fn hosts() -> impl Strategy<Value = Scenario> {
    let expanded = prop_oneof![1 => Just(0u64), 1 => 1u64..40, 2 => 40u64..400];
    let host = ((levels(), owns()), processing::of_hosts(), (256u64..360, expanded), any::<bool>());
    let crowded = option::weighted(0.7, 90u64..170);
    let asks = option::weighted(0.3, 1u32..6);
    (host, lcus(), pagings(), minidisks(), vec(groups(), 1..5), (crowded, asks))
        .prop_map(
            |(
                ((level, own), processing, (central_mb, expanded_mb), early_writes),
                lcu,
                paging,
                minidisks,
                guests,
                (crowded, asks),
            )| {
                let mut scenario = Scenario { level, own, lcu, paging, minidisks, guests, ..Scenario::default() };
                processing.give(&mut scenario);
                (scenario.storage.central_mb, scenario.storage.expanded_mb) = (central_mb, expanded_mb);
                scenario.storage.early_writes = early_writes;
                scenario.storage.below_percent = if early_writes { 15 * (central_mb % 5) as u32 } else { 0 };
                scenario.storage.contiguous_rate = if central_mb % 3 == 0 { 50 * (1 + central_mb % 4) as u32 } else { 0 };
                scenario.storage.contiguous_frames = [2, 3, 8, 16][(central_mb / 3 % 4) as usize];
                scenario.storage.coalescing = level.always(Mechanism::Coalescing) || central_mb % 2 == 1;
                scenario.storage.release_exclusive = !level.lacks(Mechanism::ReleaseExclusive) && central_mb % 2 == 0;
                fit(&mut scenario);
                if let Some(percent) = crowded {
                    crowd(&mut scenario, percent);
                }
                processing::fit(&mut scenario);
                if let Some(connections) = asks {
                    ask(&mut scenario, connections);
                }
                scenario
            },
        )
        .prop_filter("the scenario is valid", |scenario| scenario.check().is_ok())
}

/// Makes the first group clients of the last, if there are two.
fn ask(scenario: &mut Scenario, connections: u32) {
    let [client, .., server] = &mut scenario.guests[..] else { return };
    (client.role, client.connections, server.role) = (Role::Client, connections, Role::Server);
    server.think_ms = Tenths::ZERO;
    for group in [client, server] {
        (group.pace_ms, group.touch_mb_s) = (Tenths::ZERO, 0);
    }
}

/// Makes the loops of all guests together about `percent` of central storage without the minidisk cache.
fn crowd(scenario: &mut Scenario, percent: u64) {
    let room_mb = scenario.storage.central_mb.saturating_sub(scenario.minidisks.mdc_mb) * percent / 100;
    let loops_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    for group in &mut scenario.guests {
        let more_mb = group.virtual_mb - group.loop_mb;
        group.loop_mb = (group.loop_mb * room_mb / loops_mb).max(1);
        group.virtual_mb = group.loop_mb + more_mb;
        group.reserved_mb = group.reserved_mb.min(group.virtual_mb);
    }
}

/// Turns off what the level, the channel or the volumes have not got, so that few hosts are thrown away.
fn fit(scenario: &mut Scenario) {
    if scenario.level.lacks(Mechanism::ExpandedStorage) {
        scenario.storage.expanded_mb = 0;
    }
    if !scenario.minidisks.mdc_mb.is_multiple_of(3) {
        scenario.minidisks.mdc_expanded_mb = scenario.storage.expanded_mb * (scenario.minidisks.mdc_mb % 3) / 2;
    }
    let paging = &mut scenario.paging;
    if scenario.level < Level::V6_4 {
        paging.alias = false;
        for kind in [&mut paging.kind, &mut paging.other_kind, &mut scenario.minidisks.kind] {
            if *kind == DeviceKind::EdevDirect {
                *kind = DeviceKind::EdevSvc;
            }
        }
    }
    paging.zhpf &= !scenario.level.lacks(Mechanism::PagingZhpf) && scenario.lcu.channel == Channel::Express8S;
    let minidisks = &mut scenario.minidisks;
    if minidisks.volumes == 0 {
        minidisks.on_page_volumes = true;
    }
    let on_eckd = (minidisks.volumes == 0 || minidisks.kind.is_eckd())
        && (!minidisks.on_page_volumes
            || paging.kind.is_eckd() && (paging.other_volumes == 0 || paging.other_kind.is_eckd()));
    for group in &mut scenario.guests {
        group.io_zhpf &= on_eckd && !scenario.level.lacks(Mechanism::GuestZhpf);
    }
}
