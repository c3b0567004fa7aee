//! When two scenarios are one configuration: what is left of a scenario when all is taken away that makes no difference to
//! the host or is not published.

use zvmlab::scenario::{
    AliasShare, Dispatcher, GuestGroup, Lcu, LimitType, Minidisks, Paging, Prsm, Scenario, Scheduler, ShareType,
};

/// The scenario without its names and the way of measuring, with fields that have no effect at their defaults. Guests that
/// are alike are one group.
pub(super) fn configuration(scenario: &Scenario) -> Scenario {
    let mut guests: Vec<GuestGroup> = Vec::new();
    for group in scenario.guests.iter().map(guest) {
        match guests.iter_mut().find(|other| GuestGroup { count: group.count, ..(*other).clone() } == group) {
            Some(other) => other.count = other.count.saturating_add(group.count),
            None => guests.push(group),
        }
    }
    // Any order will do that is the same for both.
    guests.sort_by_cached_key(|group| format!("{group:?}"));
    Scenario {
        name: String::new(),
        guests,
        prsm: if scenario.processors.shared { scenario.prsm.clone() } else { Prsm::default() },
        scheduler: scheduler(scenario),
        dispatcher: dispatcher(scenario),
        lcu: lcu(scenario),
        paging: paging(scenario),
        minidisks: minidisks(scenario),
        measure: Scenario::default().measure,
        ..scenario.clone()
    }
}

fn guest(group: &GuestGroup) -> GuestGroup {
    let plain = GuestGroup::default();
    let mut bare = GuestGroup { name: String::new(), ..group.clone() };
    if group.io_records == 0 {
        (bare.io_read_percent, bare.io_zhpf, bare.minidisk_mb) = (plain.io_read_percent, plain.io_zhpf, plain.minidisk_mb);
    }
    match group.share_type {
        ShareType::Relative => bare.share_absolute = plain.share_absolute,
        ShareType::Absolute => bare.share_relative = plain.share_relative,
    }
    if group.limit_type == LimitType::NoLimit {
        bare.limit_absolute = plain.limit_absolute;
    }
    bare
}

fn scheduler(scenario: &Scenario) -> Scheduler {
    let plain = Scheduler::default();
    let mut bare = scenario.scheduler.clone();
    if !scenario.level.keeps_eligible() {
        (bare.storbuf_1, bare.storbuf_2, bare.storbuf_3) = (plain.storbuf_1, plain.storbuf_2, plain.storbuf_3);
    }
    if scenario.guests.iter().all(|group| group.limit_type == LimitType::NoLimit) {
        bare.limithard = plain.limithard;
    }
    bare
}

fn dispatcher(scenario: &Scenario) -> Dispatcher {
    let plain = Dispatcher::default();
    let mut bare = scenario.dispatcher.clone();
    // Locks of CP are taken for what programs ask it for.
    if scenario.guests.iter().all(|group| group.service_us == 0) {
        (bare.spin_lock, bare.vary_s) = (plain.spin_lock, plain.vary_s);
    }
    if bare.vary_s == 0 {
        bare.vary_fix = plain.vary_fix;
    }
    // Nobody spins for a lock that his program does not take.
    if scenario.guests.iter().all(|group| group.lock_us == 0) {
        bare.diag44_fast_path = plain.diag44_fast_path;
    }
    bare
}

fn lcu(scenario: &Scenario) -> Lcu {
    let lcu = &scenario.lcu;
    let contended = lcu.aliases > 0 && scenario.paging.alias && scenario.does_io();
    // Shares are relative: 14:2 is 7:1.
    let AliasShare { mdisk, paging } = if contended { lcu.alias_share } else { Lcu::default().alias_share };
    let divisor = greatest_common_divisor(mdisk, paging).max(1);
    Lcu { alias_share: AliasShare { mdisk: mdisk / divisor, paging: paging / divisor }, ..lcu.clone() }
}

fn paging(scenario: &Scenario) -> Paging {
    let (paging, plain) = (&scenario.paging, Paging::default());
    let mut bare = paging.clone();
    // Not published, and no figure but slot utilisation moves with it.
    bare.volume_slots = plain.volume_slots;
    if scenario.lcu.aliases == 0 {
        bare.alias = plain.alias;
    }
    if paging.other_volumes == 0 {
        (bare.other_kind, bare.other_slots) = (plain.other_kind, plain.other_slots);
    }
    if paging.kind.is_eckd() && bare.other_kind.is_eckd() {
        bare.queue_depth = plain.queue_depth;
    }
    bare
}

fn minidisks(scenario: &Scenario) -> Minidisks {
    let (minidisks, plain) = (&scenario.minidisks, Minidisks::default());
    if !scenario.does_io() {
        // The minidisk cache takes its storage all the same.
        return Minidisks { mdc_mb: minidisks.mdc_mb, ..plain };
    }
    let mut bare = minidisks.clone();
    if minidisks.kind.is_eckd() {
        bare.queue_depth = plain.queue_depth;
    }
    bare
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
