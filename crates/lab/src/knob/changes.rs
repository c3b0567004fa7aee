//! The values in a scenario, what changed in it, and which published run is nearest, in words. Knows no browser.

use zvmlab::scenario::fields::{
    FIELDS, Field, Kind,
    path::{self, room},
};
use zvmlab::scenario::workloads::OTHER;
use zvmlab::scenario::{Level, MaxQuiesce, Scenario};

use crate::knob::Knob;
use crate::knob::link;
use crate::knob::storbuf::{self, numbers, written};
use crate::published::PublishedRun;
use crate::words::number::{storage_mb, whole};

/// A word of a choice, as people write it. Files and links write the level 6.2 with VM65041 without `with`.
pub fn word(word: &'static str) -> &'static str {
    if word == Level::V6_2Vm65041.as_str() { "6.2 with VM65041" } else { word }
}

/// Units of whole numbers that a label leaves open. The others count what the label names.
const SAID: [&str; 5] = ["%", "s", "ms", "MB/s", "a second"];

/// The value of a field, as people write it.
pub fn value(field: &Field, scenario: &Scenario, group: usize) -> String {
    match field.kind {
        Kind::Whole { get, .. } if field.unit == "MB" => storage_mb(get(scenario, group)),
        Kind::Whole { get, .. } if SAID.contains(&field.unit) => {
            format!("{} {}", whole(get(scenario, group)), field.unit)
        }
        Kind::Whole { get, .. } => whole(get(scenario, group)),
        Kind::Tenths { get, .. } => format!("{} {}", get(scenario, group), field.unit).trim_end().into(),
        Kind::Switch { get, .. } => if get(scenario, group) { "on" } else { "off" }.into(),
        // The word only says that the limit is given in seconds.
        Kind::Choice { .. } if field.path == path::RELOCATION_MAXQUIESCE && in_seconds(scenario) => {
            format!("{} s", scenario.relocation.maxquiesce_s)
        }
        Kind::Choice { get, .. } => word(get(scenario, group)).into(),
        Kind::Share { get, .. } => get(scenario, group).to_string(),
        Kind::Text { get, .. } => format!("“{}”", get(scenario, group)),
    }
}

/// Whether a field has the same value in both scenarios, so that its words are the same.
pub fn same(field: &Field, before: &Scenario, now: &Scenario, group: usize) -> bool {
    match field.kind {
        Kind::Whole { get, .. } => get(before, group) == get(now, group),
        Kind::Tenths { get, .. } => get(before, group) == get(now, group),
        Kind::Switch { get, .. } => get(before, group) == get(now, group),
        // The seconds of a limit stand in another field.
        Kind::Choice { get, .. } => get(before, group) == get(now, group) && field.path != path::RELOCATION_MAXQUIESCE,
        Kind::Share { get, .. } => get(before, group) == get(now, group),
        Kind::Text { get, .. } => get(before, group) == get(now, group),
    }
}

fn in_seconds(scenario: &Scenario) -> bool {
    scenario.relocation.maxquiesce == MaxQuiesce::Seconds
}

/// The differences from `before` to `now`: `zHPF for paging off → on`. Names do not count.
pub fn changes(before: &Scenario, now: &Scenario) -> Vec<String> {
    let (mut changes, mut nameless) = (Vec::new(), Vec::new());
    let (count_before, count_now) = (before.guests.len(), now.guests.len());
    // Groups of guests are compared one by one; where one has more of them, those that have one name.
    let paired = (count_before != count_now).then(|| paired(before, now));
    let (before, now) = paired.as_ref().map_or((before, now), |(before, now)| (before, now));
    // The three numbers of STORBUF are one command.
    let (from, to) = (numbers(before), numbers(now));
    if from != to {
        changes.push(format!("STORBUF {} → {}", written(from), written(to)));
    }
    // So are the chpids of the link, each with its CTCs, one value.
    let (from, to) = (link::words(&before.isfc), link::words(&now.isfc));
    if from != to {
        let factors = [before, now].map(|scenario| scenario.isfc.capacity_factor().to_string()).join(" → ");
        changes.push(format!("ISFC link {from} → {to} (capacity factor {factors})"));
    }
    let one_thing = |field: &Field| {
        [&storbuf::PATHS[..], &link::CHPID_PATHS, &link::CTC_PATHS].iter().any(|paths| paths.contains(&field.path))
    };
    let said_already =
        |field: &Field| field.path == path::RELOCATION_MAXQUIESCE_S && (in_seconds(before) || in_seconds(now));
    let is_text = |field: &Field| matches!(field.kind, Kind::Text { .. });
    let fields = FIELDS.iter().filter(|field| !is_text(field) && !one_thing(field) && !said_already(field));
    for field in fields {
        let groups = match field.room() {
            room::GUESTS => now.guests.len(),
            _ => 1,
        };
        // Values are compared before they are put into words: there are many fields, and the page compares many hosts.
        for group in (0..groups).filter(|group| !same(field, before, now, *group)) {
            let (from, to) = (value(field, before, group), value(field, now, group));
            if from != to {
                let of = if field.room() == room::GUESTS && count_now > 1 {
                    format!(" ({})", now.guests[group].name)
                } else {
                    String::new()
                };
                let change = format!("{}{of} {from} → {to}", Knob { field, group }.label(now));
                match field.path {
                    // It brings others along, which without it would be nobody's.
                    path::LEVEL => changes.insert(0, change),
                    // A workload loses its name by what its guests do differently.
                    path::GUESTS_WORKLOAD if to == OTHER => nameless.push(change),
                    _ => changes.push(change),
                }
            }
        }
    }
    changes.append(&mut nameless);
    if count_before != count_now {
        changes.push(format!("guest groups {count_before} → {count_now}"));
    }
    changes
}

/// Both scenarios with those groups of guests that have a counterpart of the same name in the other.
fn paired(before: &Scenario, now: &Scenario) -> (Scenario, Scenario) {
    let mut left = before.guests.clone();
    let pairs = now.guests.iter().filter_map(|group| {
        let at = left.iter().position(|other| other.name == group.name)?;
        Some((left.remove(at), group.clone()))
    });
    let (of_before, of_now) = pairs.unzip();
    (Scenario { guests: of_before, ..before.clone() }, Scenario { guests: of_now, ..now.clone() })
}

/// The published run that differs from `scenario` in the fewest settings, and those differences. For a host that relocates guests only
/// runs that do so count, and for any other only those that do not.
pub fn nearest<'a>(scenario: &Scenario, published: &'a [PublishedRun]) -> Option<(&'a PublishedRun, Vec<String>)> {
    let differing = |run: &'a PublishedRun| {
        // The way of measuring a run, and the unpublished size of its volumes, are no part of its configuration.
        let mut alike = run.scenario.clone();
        alike.measure = scenario.measure.clone();
        alike.paging.volume_slots = scenario.paging.volume_slots;
        (run, changes(&alike, scenario))
    };
    let of_its_kind = |run: &&PublishedRun| run.scenario.relocates() == scenario.relocates();
    published
        .iter()
        .filter(of_its_kind)
        .map(differing)
        .min_by_key(|(run, changes)| (changes.len(), apart(scenario, &run.scenario)))
}

/// The distance of two hosts that differ in equally many knobs: in exposures, in records of an I/O, in parts of a thousand of the
/// aliases.
pub fn apart(here: &Scenario, there: &Scenario) -> u32 {
    let share = |scenario: &Scenario| {
        let share = scenario.lcu.alias_share;
        share.paging * 1_000 / (share.mdisk + share.paging).max(1)
    };
    let records = |scenario: &Scenario| scenario.guests.iter().map(|group| group.io_records).max().unwrap_or(0);
    here.paging.volumes.abs_diff(there.paging.volumes)
        + here.lcu.aliases.abs_diff(there.lcu.aliases)
        + records(here).abs_diff(records(there))
        + share(here).abs_diff(share(there))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::runs;

    #[test]
    fn changes_are_named_with_both_values() {
        let mut now = Scenario::default();
        now.paging.zhpf = true;
        now.storage.central_mb = 65_536;
        now.name = "x".into();
        now.level = Level::V6_2Vm65041;
        assert_eq!(changes(&Scenario::default(), &now)[0], "z/VM level 6.4 → 6.2 with VM65041");
        now.level = Level::V6_4;
        now.scheduler.storbuf_3 = 95;
        assert_eq!(changes(&Scenario::default(), &now)[0], "STORBUF 300 250 200 → 300 250 95");
        now.scheduler.storbuf_3 = 200;
        (now.isfc.chpid2, now.isfc.ctcs4) = (zvmlab::scenario::Chpid::Gb2, 1);
        assert_eq!(
            changes(&Scenario::default(), &now)[0],
            "ISFC link 8 Gb → 8 Gb + 2 Gb (capacity factor 8 → 10)",
            "CTCs of no chpid are no change"
        );
        let mut limited = Scenario::default();
        (limited.relocation.maxquiesce, limited.relocation.maxquiesce_s) = (MaxQuiesce::Seconds, 7);
        assert_eq!(changes(&Scenario::default(), &limited), ["MAXQUIESCE default → 7 s"]);
        now.isfc.chpid2 = zvmlab::scenario::Chpid::None;
        let mut longer = Scenario::default();
        let was = std::mem::replace(&mut longer.dispatcher.minor_slice_ms, 1_000);
        assert_eq!(changes(&Scenario::default(), &longer), [format!("Minor slice (DSPSLICE) {was} ms → 1,000 ms")]);
        assert_eq!(changes(&Scenario::default(), &now), ["zHPF for paging off → on", "Central storage 128 GB → 64 GB"]);
    }

    #[test]
    fn the_nearest_run_differs_least() {
        let mut scenario = Scenario::default();
        scenario.paging.zhpf = true;
        scenario.paging.volumes = 5;
        let published = runs();
        let (run, differs) = nearest(&scenario, &published).expect("there are runs");
        assert_eq!((run.id.as_str(), differs), ("V4DVYH04", vec!["Paging volumes 4 → 5".to_string()]));
        let moves = crate::published::ready::scenario_of("MOVE").expect("an example");
        assert!(
            nearest(&moves, &published).is_none_or(|(run, _)| run.scenario.relocates()),
            "no run without a relocation is near"
        );
    }

    #[test]
    fn of_runs_that_differ_in_one_knob_the_one_next_to_it_is_nearest() {
        let published = runs();
        let near = |id: &str, change: fn(&mut Scenario)| {
            let mut scenario = published.iter().find(|run| run.id == id).expect("a run").scenario.clone();
            change(&mut scenario);
            nearest(&scenario, &published).expect("there are runs").0.id.clone()
        };
        let share = |scenario: &mut Scenario| {
            scenario.lcu.alias_share = zvmlab::scenario::AliasShare { mdisk: 27, paging: 6 };
        };
        assert_eq!(near("QRBKW055", share), "QRBKW050", "13:3 is next to 27:6");
        assert_eq!(near("JB001239", |scenario| scenario.guests[0].io_records = 50), "JB001247");
        assert_eq!(near("V4DVY000", |scenario| scenario.paging.volumes = 7), "V8DVY000");
    }
}
