//! The first two sentences of the page: what is on the bench and what one does with it. Knows no browser.

mod processors;
mod relocation;

use zvmlab::scenario::{GuestGroup, Level, Pattern, Scenario};

use crate::host::{alias_users, has_eckd_pages, looped_mb, pages};
use crate::published::ready::example;
use crate::subjects::{Part, Subject};
use crate::words::number::storage_mb;
use processors::processors;
use relocation::relocation;

/// The first sentences of the page, on a host that is about `subject` and was begun as the ready experiment `run`.
pub fn introduction(scenario: &Scenario, subject: &Subject, run: Option<&str>) -> String {
    let what = match (scenario.does_io(), pages(scenario)) {
        _ if subject.is_of_relocation() => relocation(scenario, subject),
        (false, _) if subject.is_of_processors() => processors(scenario, subject),
        (false, _) => walks(scenario),
        (true, true) => format!("{} in {}, {}", both(scenario), central(scenario), aliases(scenario)),
        (true, false) => io_alone(scenario),
    };
    let beside = match is_chosen_by_hand(subject, run) {
        true => {
            "beside the result before. This host was chosen by hand and nothing on it was measured: trust directions, not amounts"
        }
        false => "beside the result before and what IBM measured",
    };
    format!("{what}. Turn a knob: the experiment runs again at once, {beside}.")
}

/// Whether nothing that was measured stands behind a host.
pub fn is_chosen_by_hand(subject: &Subject, run: Option<&str>) -> bool {
    subject.source.is_none() || run.is_some_and(|run| subject.has(run) && example(run).is_some())
}

/// What to find out with a host that was begun as the ready experiment `run`; where the subject's hosts say it by themselves, none.
pub fn question(subject: &Subject, run: Option<&str>) -> Option<&'static str> {
    let own = run.filter(|run| subject.has(run)).and_then(example).map(|ready| ready.example.question);
    own.or((subject.part != Part::Storage).then_some(subject.question))
}

fn central(scenario: &Scenario) -> String {
    storage_mb(scenario.storage.central_mb)
}

/// What both kinds of I/O contend for, or which of them has the aliases and why the other has not.
fn aliases(scenario: &Scenario) -> String {
    let aliases = match scenario.lcu.aliases {
        0 => return "so that there is paging I/O beside minidisk I/O, without aliases for either".into(),
        1 => "the one alias".into(),
        count => format!("the {count} aliases"),
    };
    let of_paging = || match scenario.paging.alias {
        _ if !has_eckd_pages(scenario) => "the page volumes are EDEVs, which have a queue in place of aliases",
        _ if scenario.level < Level::V6_4 => "paging uses none before z/VM 6.4",
        true => "paging wants none",
        false => "SET PAGING ALIAS is off",
    };
    match alias_users(scenario) {
        (true, true) => format!("so that both kinds of I/O want {aliases} of one control unit"),
        (true, false) => format!("so that it pages too, but minidisk I/O has {aliases} to itself: {}", of_paging()),
        (false, true) => format!("so that it pages too and paging has {aliases} to itself: minidisks lie on EDEVs"),
        (false, false) => format!("so that it pages too; neither kind of I/O has a use for {aliases}"),
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
        _ => format!("{looped} of storage over and over"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab::scenario::DeviceKind;

    use crate::subjects::next_step::NextStep;
    use crate::subjects::{GUEST_ZHPF, KINDS, PAGING, SET_CU, SUBJECTS};

    fn introduction(scenario: &Scenario) -> String {
        super::introduction(scenario, Subject::of(scenario, None), None)
    }

    #[test]
    fn the_introduction_tells_whether_there_is_paging() {
        let mut scenario = Scenario::default();
        assert!(introduction(&scenario).starts_with("8 guests walk through 128 GB of storage"));
        assert!(introduction(&scenario).contains("has 128 GB and keeps a little for itself, so it pages and they wait."));
        scenario.guests[0].count = 9;
        assert!(introduction(&scenario).contains("has only 128 GB, so it pages"));
        scenario.guests[0].count = 1;
        assert!(introduction(&scenario).starts_with("1 guest walks through 16 GB"));
        assert!(introduction(&scenario).contains("nothing needs to be paged"));
    }

    #[test]
    fn the_introduction_tells_of_both_kinds_of_io() {
        let of = |subject: &Subject| introduction(&subject.base().expect("a published run"));
        for wanted in ["32 IO3390 guests", "12 VIRSTOCX guests", "8 GB", "the 16 aliases of one control unit"] {
            assert!(of(SET_CU).contains(wanted), "{wanted}: {}", of(SET_CU));
        }
        let first = of(GUEST_ZHPF);
        assert!(
            first.starts_with("1 IO3390 guest does I/O to its minidisk") && first.contains("1 record of 4 KB"),
            "{first}"
        );
        let kinds = of(KINDS);
        assert!(kinds.contains("guests touch pages at random in") && kinds.contains("pause for 50 ms between"), "{kinds}");
        for subject in SUBJECTS {
            let sentences = if subject.source.is_some() { 2 } else { 3 };
            assert_eq!(of(subject).matches(". ").count(), sentences - 1, "{sentences} sentences: {}", of(subject));
        }
    }

    #[test]
    fn an_example_says_that_nothing_was_measured_and_what_to_find_out() {
        for subject in SUBJECTS {
            for setup in subject.setups {
                let scenario = crate::published::ready::scenario_of(setup.id).expect("a ready experiment");
                let told = super::introduction(&scenario, subject, Some(setup.id));
                let by_hand = example(setup.id).is_some();
                assert_eq!(told.contains("chosen by hand"), by_hand, "{}: {told}", setup.id);
                assert_eq!(told.contains("what IBM measured"), !by_hand, "{}: {told}", setup.id);
                assert_eq!(question(subject, Some(setup.id)).is_some(), subject.part != Part::Storage, "{}", setup.id);
            }
        }
    }

    #[test]
    fn aliases_that_only_one_kind_of_io_uses_are_not_said_to_be_shared() {
        let told = |change: fn(&mut Scenario)| {
            let mut scenario = SET_CU.base().expect("a published run");
            change(&mut scenario);
            let told = introduction(&scenario);
            assert!(!told.contains("both kinds"), "{told}");
            assert_eq!(told.matches(". ").count(), 1, "two sentences: {told}");
            (told, NextStep::after(&scenario, SET_CU, None))
        };
        let (edev, step) = told(|scenario| scenario.paging.kind = DeviceKind::EdevDirect);
        assert!(edev.contains("minidisk I/O has the 16 aliases to itself: the page volumes are EDEVs"), "{edev}");
        assert_eq!(step, NextStep::Base(SET_CU.start()));
        let (none, step) = told(|scenario| scenario.lcu.aliases = 0);
        assert!(none.contains("without aliases for either"), "{none}");
        assert_eq!(step, NextStep::Aliases);
        let (off, step) = told(|scenario| scenario.paging.alias = false);
        assert!(off.contains("SET PAGING ALIAS is off"), "{off}");
        assert_eq!(step, NextStep::Base(SET_CU.start()));
        let (minidisks, _) = told(|scenario| scenario.minidisks.kind = DeviceKind::EdevDirect);
        assert!(minidisks.contains("paging has the 16 aliases to itself"), "{minidisks}");
        let (old, step) = told(|scenario| {
            (scenario.level, scenario.paging.zhpf, scenario.paging.alias) = (Level::V6_3, false, false);
        });
        assert!(old.contains("paging uses none before z/VM 6.4"), "{old}");
        assert_eq!(step, NextStep::NewLevel);
        let mut paging = SUBJECTS[0].base().expect("a published run");
        paging.paging.kind = DeviceKind::EdevDirect;
        assert_eq!(NextStep::after(&paging, PAGING, None), NextStep::Base(PAGING.start()), "neither zHPF nor aliases");
    }
}
