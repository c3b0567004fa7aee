//! The scenario on the bench in a sentence, if it is about storage and devices.

use zvmlab::scenario::{GuestGroup, Level, Pattern, Scenario};

use crate::host::{alias_users, looped_mb, pages};
use crate::words::number::storage_mb;

/// The scenario in one sentence, without an end.
pub fn introduction(scenario: &Scenario) -> String {
    match (scenario.does_io(), pages(scenario)) {
        (false, _) => walks(scenario),
        (true, true) => format!("{} in {}, {}", both(scenario), central(scenario), aliases(scenario)),
        (true, false) => io_alone(scenario),
    }
}

fn central(scenario: &Scenario) -> String {
    storage_mb(scenario.storage.central_mb)
}

/// The aliases for which both kinds of I/O compete, or which kind has them and why the other has not.
fn aliases(scenario: &Scenario) -> String {
    let aliases = match scenario.lcu.aliases {
        0 => return "so it does paging I/O as well as minidisk I/O, without aliases for either".into(),
        1 => "the one alias".into(),
        count => format!("the {count} aliases"),
    };
    let of_paging = || match scenario.paging.alias {
        _ if !scenario.paging.has_eckd() => "the page volumes are EDEVs, which have a queue instead of aliases",
        _ if scenario.level < Level::V6_4 => "paging uses none before z/VM 6.4",
        true => "paging wants none",
        false => "SET PAGING ALIAS is off",
    };
    match alias_users(scenario) {
        (true, true) => format!("so both kinds of I/O want {aliases} of one control unit"),
        (true, false) => format!("so it pages too, but minidisk I/O has {aliases} to itself: {}", of_paging()),
        (false, true) => format!("so it pages too and paging has {aliases} to itself: minidisks lie on EDEVs"),
        (false, false) => format!("so it pages too, but neither kind of I/O can use {aliases}"),
    }
}

/// What guests do that only touch storage.
fn walks(scenario: &Scenario) -> String {
    let guests = scenario.guest_count();
    let (who, they) = if guests == 1 { ("guest", "it waits") } else { ("guests", "they wait") };
    let at_random = scenario.guests.iter().all(|group| group.pattern == Pattern::Random);
    let verb = match (at_random, guests) {
        (true, 1) => "touches pages at random in",
        (true, _) => "touch pages at random in",
        (false, 1) => "walks through",
        (false, _) => "walk through",
    };
    let looped = storage_mb(looped_mb(scenario));
    let pause = if guests == 1 { "pauses" } else { "pause" };
    let how = match scenario.guests.iter().map(|group| group.think_ms).max() {
        Some(think_ms) if think_ms > 0 => format!("{looped} of storage and {pause} for {think_ms} ms between"),
        _ => format!("{looped} of storage again and again"),
    };
    let central = central(scenario);
    let host = match looped_mb(scenario) {
        _ if !pages(scenario) => format!("that has {central}, so nothing needs to be paged"),
        looped if looped > scenario.storage.central_mb => format!("that has only {central}, so it pages and {they}"),
        _ => format!("that has {central} and keeps a little for itself, so it pages and {they}"),
    };
    format!("{guests} {who} {verb} {how}, on a z/VM host {host}")
}

/// So many guests of these groups, by name where they have one name.
fn guests(groups: &[&GuestGroup]) -> String {
    let count: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
    let name = groups.first().map(|group| format!(" {}", group.name)).filter(|_| groups.len() == 1).unwrap_or_default();
    format!("{count}{name} {}", if count == 1 { "guest" } else { "guests" })
}

/// How one I/O follows the other.
fn pace(groups: &[&GuestGroup]) -> &'static str {
    if groups.iter().any(|group| group.think_ms > 0) { "" } else { " back to back" }
}

/// What guests do where some do I/O and the host pages.
fn both(scenario: &Scenario) -> String {
    let (io, others): (Vec<&GuestGroup>, Vec<&GuestGroup>) = scenario.guests.iter().partition(|group| group.io_records > 0);
    let does_io = format!("{} doing minidisk I/O{}", guests(&io), pace(&io));
    if others.is_empty() {
        return format!("{does_io} touch {}", storage_mb(looped_mb(scenario)));
    }
    let looped: u64 = others.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    format!("{does_io} share a z/VM host with {} that walk through {} of storage", guests(&others), storage_mb(looped))
}

/// What guests do that do I/O on a host that does not page.
fn io_alone(scenario: &Scenario) -> String {
    let io: Vec<&GuestGroup> = scenario.guests.iter().filter(|group| group.io_records > 0).collect();
    let count: u64 = io.iter().map(|group| u64::from(group.count)).sum();
    let (verb, whose) = if count == 1 { ("does", "its minidisk") } else { ("do", "their minidisks") };
    let how = match io.as_slice() {
        [one] => {
            let records = if one.io_records == 1 { "1 record".into() } else { format!("{} records", one.io_records) };
            let mode = if one.io_zhpf { "transport mode (zHPF)" } else { "command mode" };
            format!(", {records} of 4 KB each, in {mode}")
        }
        _ => String::new(),
    };
    format!("{} {verb} I/O to {whose}{}{how}, on a z/VM host that pages nothing", guests(&io), pace(&io))
}
