//! The scenario on the bench in a sentence, if it is about storage and devices.

use zvmlab::scenario::{GuestGroup, Mechanism, Pattern, Scenario, Tenths};

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
        _ if scenario.level.lacks(Mechanism::PagingAliases) => "paging uses none before z/VM 6.4",
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
    let verb = touch(scenario.guests.iter(), guests);
    let how = format!("{} of storage{}", storage_mb(looped_mb(scenario)), pauses(scenario));
    let central = central(scenario);
    let expanded = scenario.storage.expanded_mb;
    let host = match looped_mb(scenario) {
        _ if !pages(scenario) => format!("that has {central}, so nothing needs to be paged"),
        _ if expanded > 0 => format!("that has {central}, and {} of expanded storage to page to", storage_mb(expanded)),
        looped if looped > scenario.storage.central_mb => format!("that has only {central}, so it pages and {they}"),
        _ => format!("that has {central} and keeps a little for itself, so it pages and {they}"),
    };
    format!("{guests} {who} {verb} {how}, on a z/VM host {host}")
}

/// How these guests go through their storage. Only what all of them do is said.
fn touch<'a>(mut groups: impl Iterator<Item = &'a GuestGroup> + Clone, guests: u64) -> &'static str {
    let at_random = |group: &GuestGroup| group.pattern == Pattern::Random;
    let by_files = |group: &GuestGroup| group.pattern == Pattern::Files;
    if groups.clone().all(by_files) {
        return if guests == 1 { "reads files at random from" } else { "read files at random from" };
    }
    match (groups.clone().all(at_random), groups.any(|group| group.pattern != Pattern::Sequential), guests) {
        (true, _, 1) => "touches pages at random in",
        (true, _, _) => "touch pages at random in",
        (_, true, _) => "touch",
        (_, _, 1) => "walks through",
        _ => "walk through",
    }
}

/// Which guests pause, and for how long: what follows the storage that they touch.
fn pauses(scenario: &Scenario) -> String {
    let pausing: Vec<&GuestGroup> = scenario.guests.iter().filter(|group| group.think_ms > Tenths::ZERO).collect();
    let times = || pausing.iter().map(|group| group.think_ms);
    let Some((least, most)) = times().min().zip(times().max()) else { return " again and again".into() };
    let time = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let count: u32 = pausing.iter().map(|group| group.count).sum();
    let pause = if count == 1 { "pauses" } else { "pause" };
    match pausing.len() == scenario.guests.len() {
        true => format!(" and {pause} for {time} ms between"),
        false => format!(" ({} {pause} for {time} ms between)", guests(&pausing)),
    }
}

/// So many guests of these groups, by name where they have one name.
fn guests(groups: &[&GuestGroup]) -> String {
    let count: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
    let name = groups.first().map(|group| format!(" {}", group.name)).filter(|_| groups.len() == 1).unwrap_or_default();
    format!("{count}{name} {}", if count == 1 { "guest" } else { "guests" })
}

/// How one I/O follows the other.
fn pace(groups: &[&GuestGroup]) -> &'static str {
    if groups.iter().any(|group| group.think_ms > Tenths::ZERO) { "" } else { " back to back" }
}

/// What guests do where some do I/O and the host pages.
fn both(scenario: &Scenario) -> String {
    let (io, others): (Vec<&GuestGroup>, Vec<&GuestGroup>) = scenario.guests.iter().partition(|group| group.io_records > 0);
    let does_io = format!("{} doing minidisk I/O{}", guests(&io), pace(&io));
    if others.is_empty() {
        return format!("{does_io} touch {}", storage_mb(looped_mb(scenario)));
    }
    let looped: u64 = others.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    let count = others.iter().map(|group| u64::from(group.count)).sum();
    let touch = touch(others.iter().copied(), count);
    format!("{does_io} share a z/VM host with {} that {touch} {} of storage", guests(&others), storage_mb(looped))
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
    // Where frames below 2 GB are short, such a host pages after all.
    let host = match scenario.has(Mechanism::IoBelow) {
        true => "whose I/O needs pages below 2 GB",
        false => "that pages nothing",
    };
    format!("{} {verb} I/O to {whose}{}{how}, on a z/VM host {host}", guests(&io), pace(&io))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    /// 64 guests were said to pause where 50 do.
    #[test]
    fn only_guests_that_pause_are_said_to_pause() {
        let mut scenario = scenario_of("CLASSES").expect("an example");
        let told = walks(&scenario);
        let pausing: u32 =
            scenario.guests.iter().filter(|group| group.think_ms > Tenths::ZERO).map(|group| group.count).sum();
        assert!(told.contains(&format!("({pausing} ")), "{told}");
        assert!(told.contains("pause for 50 to 2000 ms between)") && u64::from(pausing) < scenario.guest_count(), "{told}");
        scenario.guests.iter_mut().for_each(|group| group.think_ms = Tenths::whole(70));
        assert!(walks(&scenario).contains("storage and pause for 70 ms between, on"), "{}", walks(&scenario));
        scenario.guests[0].think_ms = Tenths::whole(20);
        assert!(walks(&scenario).contains("storage and pause for 20 to 70 ms between, on"), "{}", walks(&scenario));
    }

    #[test]
    fn guests_are_said_to_walk_only_if_all_do() {
        let mut scenario = scenario_of("CLASSES").expect("an example");
        scenario.guests.iter_mut().for_each(|group| group.pattern = Pattern::Random);
        assert!(walks(&scenario).contains("guests touch pages at random in"));
        let (last, others) = scenario.guests.split_last_mut().expect("some groups");
        others.iter_mut().for_each(|group| group.pattern = Pattern::Sequential);
        assert_eq!(last.pattern, Pattern::Random);
        assert!(walks(&scenario).contains(&format!("{} guests touch ", scenario.guest_count())), "{}", walks(&scenario));
    }
}
