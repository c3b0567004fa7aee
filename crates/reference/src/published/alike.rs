//! Whether two scenarios are one configuration. Compares what is left of them without the fields that make no difference to
//! the host or are not published. Each field states itself where it has no effect.

use zvmlab::order;
use zvmlab::scenario::fields::path::room;
use zvmlab::scenario::fields::{Effect, FIELDS, Field, Kind};
use zvmlab::scenario::{AliasShare, GuestGroup, Measure, Relocation, Scenario};

/// The scenario without its names and the way of measuring, and with defaults in all fields that have no effect. Guests that
/// are alike become one group, and the order of groups does not count.
pub(super) fn configuration(scenario: &Scenario) -> Scenario {
    let mut bare = scenario.clone();
    forget_idle(&mut bare);
    forget_unpublished(&mut bare);
    for group in &mut bare.guests {
        // The active part is all of the loop.
        if group.active_mb == group.loop_mb {
            group.active_mb = 0;
        }
    }
    bare.lcu.alias_share = lowest_terms(bare.lcu.alias_share);
    bare.guests = merged(bare.guests);
    bare
}

/// Whether two scenarios may have one configuration: what every host has, and what always has an effect, is the same. A
/// look is much cheaper than two configurations.
pub(super) fn may_be_alike(one: &Scenario, other: &Scenario) -> bool {
    let of = |scenario: &Scenario| {
        let Scenario { level, processors, storage, cluster, .. } = scenario;
        (*level, processors.count, processors.capacity_percent, storage.central_mb, cluster.members, scenario.guest_count())
    };
    of(one) == of(other)
}

/// Sets fields that do nothing to their defaults, one after the other: each leaves a host that runs the same way, in which
/// another may have lost its effect. A switch stays on where the host lacks what it asks for: that host cannot run.
fn forget_idle(bare: &mut Scenario) {
    let plain = Scenario::default();
    let problems = bare.check().err().map(|error| error.problems).unwrap_or_default();
    let lacks = |field: &Field, bare: &Scenario, index: usize| {
        matches!(field.kind, Kind::Switch { get, .. } if get(bare, index))
            && problems.iter().any(|problem| problem.field == field.place(index))
    };
    loop {
        let before = bare.clone();
        for field in FIELDS {
            let groups = if field.room() == room::GUESTS { bare.guests.len() } else { 1 };
            for index in 0..groups {
                if (field.effect)(bare, index) != Effect::Some && !lacks(field, bare, index) {
                    field.copy(bare, index, &plain);
                }
            }
        }
        if *bare == before {
            return;
        }
    }
}

/// What a run is compared with or how it is measured decides nothing in it. The slots of a volume are not published, and
/// affect only slot utilisation.
fn forget_unpublished(bare: &mut Scenario) {
    let Relocation { window_s, after_s, .. } = Relocation::default();
    (bare.relocation.window_s, bare.relocation.after_s) = (window_s, after_s);
    bare.paging.volume_slots = Scenario::default().paging.volume_slots;
    bare.measure = Measure::default();
    bare.name.clear();
    for group in &mut bare.guests {
        group.tolerance_ms = GuestGroup::default().tolerance_ms;
        group.name.clear();
    }
}

/// Groups that are alike as one, in an order that is the same for the same groups.
fn merged(groups: Vec<GuestGroup>) -> Vec<GuestGroup> {
    let mut guests: Vec<GuestGroup> = Vec::new();
    for group in groups {
        match guests.iter_mut().find(|other| GuestGroup { count: group.count, ..(*other).clone() } == group) {
            Some(other) => other.count = other.count.saturating_add(group.count),
            None => guests.push(group),
        }
    }
    // Any order will do, if it is the same for both. The bytes that a worker gets are one.
    let mut with_bytes: Vec<_> =
        guests.into_iter().map(|group| (borsh::to_vec(&group).unwrap_or_default(), group)).collect();
    order::by(&mut with_bytes, |one, other| one.0.cmp(&other.0));
    with_bytes.into_iter().map(|(_, group)| group).collect()
}

/// Shares are relative: 14:2 is 7:1.
fn lowest_terms(AliasShare { mdisk, paging }: AliasShare) -> AliasShare {
    let divisor = greatest_common_divisor(mdisk, paging).max(1);
    AliasShare { mdisk: mdisk / divisor, paging: paging / divisor }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
