//! Whether two scenarios are one configuration. Compares what is left of them without the fields that make no difference to
//! the host or are not published.

use zvmlab::scenario::{
    AliasShare, Chpid, Cluster, Dispatcher, GuestGroup, Interruption, Isfc, Lcu, LimitType, MaxQuiesce, Minidisks,
    OtherMember, Paging, Prsm, Relocate, Relocation, Scenario, Scheduler, ShareType,
};

/// The scenario without its names and the way of measuring, and with defaults in all fields that have no effect. Guests that
/// are alike become one group, and the order of groups does not count.
pub(super) fn configuration(scenario: &Scenario) -> Scenario {
    let mut guests: Vec<GuestGroup> = Vec::new();
    for group in scenario.guests.iter().map(|group| guest(group, scenario.relocates())) {
        match guests.iter_mut().find(|other| GuestGroup { count: group.count, ..(*other).clone() } == group) {
            Some(other) => other.count = other.count.saturating_add(group.count),
            None => guests.push(group),
        }
    }
    // Any order will do, if it is the same for both.
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
        cluster: cluster(scenario),
        member2: member(scenario, 2, &scenario.member2),
        member3: member(scenario, 3, &scenario.member3),
        member4: member(scenario, 4, &scenario.member4),
        isfc: isfc(scenario),
        relocation: relocation(scenario),
        measure: Scenario::default().measure,
        ..scenario.clone()
    }
}

fn guest(group: &GuestGroup, relocates: bool) -> GuestGroup {
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
    // The stop that a guest tolerates decides nothing; nor do devices of guests that do not move.
    bare.tolerance_ms = plain.tolerance_ms;
    if !relocates || group.move_to == 0 {
        bare.devices = plain.devices;
    }
    if group.active_mb == group.loop_mb {
        bare.active_mb = 0;
    }
    if group.touch_mb_s > 0 {
        (bare.cycle_pages, bare.pace_ms) = (plain.cycle_pages, plain.pace_ms);
    }
    bare
}

fn cluster(scenario: &Scenario) -> Cluster {
    let (members, plain) = (scenario.cluster.members, Cluster::default());
    let others = [&scenario.member2, &scenario.member3, &scenario.member4];
    let comes_and_goes = others.into_iter().take(members.saturating_sub(1) as usize).any(|member| member.transitions);
    if comes_and_goes { scenario.cluster.clone() } else { Cluster { members, ..plain } }
}

/// Settings of members that do not exist have no effect.
fn member(scenario: &Scenario, number: u32, member: &OtherMember) -> OtherMember {
    if number <= scenario.cluster.members { member.clone() } else { OtherMember::default() }
}

fn isfc(scenario: &Scenario) -> Isfc {
    let plain = Isfc::default();
    if scenario.cluster.members == 1 {
        return plain;
    }
    let mut bare = scenario.isfc.clone();
    for (chpid, ctcs) in [
        (bare.chpid1, &mut bare.ctcs1),
        (bare.chpid2, &mut bare.ctcs2),
        (bare.chpid3, &mut bare.ctcs3),
        (bare.chpid4, &mut bare.ctcs4),
    ] {
        if chpid == Chpid::None {
            *ctcs = plain.ctcs1;
        }
    }
    bare
}

fn relocation(scenario: &Scenario) -> Relocation {
    let plain = Relocation::default();
    if !scenario.relocates() {
        return plain;
    }
    // The window decides nothing, and when the first command is issued is a way of measuring.
    let mut bare = Relocation { window_s: plain.window_s, after_s: plain.after_s, ..scenario.relocation.clone() };
    if bare.maxquiesce != MaxQuiesce::Seconds {
        bare.maxquiesce_s = plain.maxquiesce_s;
    }
    if bare.interruption == Interruption::None {
        bare.interruption_ms = plain.interruption_ms;
    }
    if !bare.bounce {
        bare.stay_s = plain.stay_s;
    }
    let moving = scenario.guests.iter().filter(|group| group.move_to > 0);
    // One guest has no order to others, nor has one group.
    if moving.clone().map(|group| group.count).sum::<u32>() == 1 {
        bare.mode = Relocate::default();
    }
    if moving.count() == 1 {
        bare.order = plain.order;
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
    // CP takes its locks for services that programs ask for.
    if scenario.guests.iter().all(|group| group.service_us == 0) {
        (bare.spin_lock, bare.vary_s) = (plain.spin_lock, plain.vary_s);
    }
    if bare.vary_s == 0 {
        bare.vary_fix = plain.vary_fix;
    }
    // Without programs that take a lock, no virtual CPU spins.
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
    // The slots of a volume are not published, and affect only slot utilisation.
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
        // The minidisk cache takes its storage even without guest I/O.
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
