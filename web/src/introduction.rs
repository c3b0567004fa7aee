//! The first two sentences of the page: what is on the bench and what one does with it; and what is obvious to try next.
//! Knows no browser.

use zvmlab::scenario::{AliasShare, DeviceKind, GuestGroup, Level, Pattern, Scenario};

use crate::format::storage_mb;
use crate::subject::{SUBJECTS, Subject, alias_users, has_eckd_pages, looped_mb, pages};

/// The first two sentences of the page.
pub fn introduction(scenario: &Scenario) -> String {
    let what = match (scenario.does_io(), pages(scenario)) {
        (false, _) => walks(scenario),
        (true, true) => format!("{} in {}, {}", both(scenario), central(scenario), aliases(scenario)),
        (true, false) => io_alone(scenario),
    };
    format!("{what}. Turn a knob: the experiment runs again at once, beside the result before and what IBM measured.")
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

/// What is obvious to try next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Go to the level that has the new paging driver.
    NewLevel,
    /// Turn transport mode on for paging.
    Zhpf,
    /// Enable aliases.
    Aliases,
    /// Give paging all but one part of the aliases.
    ToPaging,
    /// Give minidisk I/O all but one part of the aliases.
    ToMdisk,
    /// Turn transport mode on for the guests.
    GuestZhpf,
    /// Move many records with each I/O.
    ManyRecords,
    /// Put the page volumes on solid state disk.
    Ssd,
    /// Go back to where the subject began.
    Base(&'static Subject),
}

/// The shares at the two ends of the published table.
const MOST_TO_PAGING: AliasShare = AliasShare { mdisk: 1, paging: 15 };
const MOST_TO_MDISK: AliasShare = AliasShare { mdisk: 15, paging: 1 };
/// Records of an I/O: the most that the exerciser does, and that are published.
const MANY: u32 = 64;

impl NextStep {
    /// What to try next on this scenario, which is about `subject`.
    pub fn after(scenario: &Scenario, subject: &'static Subject) -> NextStep {
        let [paging, set_cu, guest_zhpf, kinds] = &SUBJECTS;
        let steps = match subject {
            _ if subject == paging => NextStep::of_paging(scenario),
            _ if subject == set_cu => NextStep::of_set_cu(scenario),
            _ if subject == guest_zhpf => NextStep::of_guest_zhpf(scenario),
            _ if subject == kinds && scenario.paging.kind == DeviceKind::EckdSpinning => Some(NextStep::Ssd),
            _ => None,
        };
        // A step that the host's other settings forbid is none.
        let valid = |step: &NextStep| {
            let mut other = scenario.clone();
            step.take(&mut other);
            other.check().is_ok()
        };
        steps.filter(valid).unwrap_or(NextStep::Base(subject))
    }

    fn of_paging(scenario: &Scenario) -> Option<NextStep> {
        match scenario {
            // Where nothing is paged, no paging driver makes a difference.
            _ if !pages(scenario) => None,
            _ if scenario.level < Level::V6_4 => Some(NextStep::NewLevel),
            // EDEVs are reached by FCP: neither zHPF nor aliases are for them.
            _ if !has_eckd_pages(scenario) => None,
            _ if !scenario.paging.zhpf => Some(NextStep::Zhpf),
            _ if scenario.lcu.aliases == 0 && alias_users(scenario).1 => Some(NextStep::Aliases),
            _ => None,
        }
    }

    fn of_set_cu(scenario: &Scenario) -> Option<NextStep> {
        match (alias_users(scenario), scenario.lcu.alias_share) {
            _ if scenario.level < Level::V6_4 => Some(NextStep::NewLevel),
            ((false, false), _) => None,
            _ if scenario.lcu.aliases == 0 => Some(NextStep::Aliases),
            // Where one of the two uses none, their share says nothing.
            ((true, true), MOST_TO_PAGING) => Some(NextStep::ToMdisk),
            ((true, true), MOST_TO_MDISK) => None,
            ((true, true), _) => Some(NextStep::ToPaging),
            _ => None,
        }
    }

    fn of_guest_zhpf(scenario: &Scenario) -> Option<NextStep> {
        let mut io = scenario.guests.iter().filter(|group| group.io_records > 0);
        match io.next() {
            Some(group) if !group.io_zhpf => Some(NextStep::GuestZhpf),
            Some(group) if group.io_records < MANY => Some(NextStep::ManyRecords),
            _ => None,
        }
    }

    /// What its button says.
    pub fn label(self) -> &'static str {
        match self {
            NextStep::NewLevel => "Upgrade to z/VM 6.4",
            NextStep::Zhpf => "Turn zHPF on",
            NextStep::Aliases => "Add 4 HyperPAV aliases",
            NextStep::ToPaging => "Set the share to 1:15",
            NextStep::ToMdisk => "Set the share to 15:1",
            NextStep::GuestZhpf => "Turn zHPF on for the guest",
            NextStep::ManyRecords => "Move 64 records with each I/O",
            NextStep::Ssd => "Put the page volumes on SSD",
            NextStep::Base(_) => "Back to the first run",
        }
    }

    /// What it does, in a few words.
    pub fn hint(self) -> &'static str {
        match self {
            NextStep::NewLevel => "Larger blocks in one I/O.",
            NextStep::Zhpf | NextStep::GuestZhpf => "One exchange with the disk for a whole channel program.",
            NextStep::Aliases => "More I/Os to the same volumes at once.",
            NextStep::ToPaging => "Paging may have nearly all; what it does not want, minidisk I/O takes.",
            NextStep::ToMdisk => "Minidisk I/O may have nearly all.",
            NextStep::ManyRecords => "The longer the channel program, the more there is to save.",
            NextStep::Ssd => "No arm to wait for where the cache of the control unit misses.",
            NextStep::Base(subject) => match subject.kinds {
                true => "Page volumes on spinning disk.",
                false if subject.source == SUBJECTS[0].source => "z/VM 6.4, four volumes, neither zHPF nor aliases.",
                false if subject.source == SUBJECTS[1].source => "Equal shares, 8:8.",
                false => "Command mode, 1 record with each I/O.",
            },
        }
    }

    /// Takes it.
    pub fn take(self, scenario: &mut Scenario) {
        let io = |scenario: &mut Scenario, change: fn(&mut GuestGroup)| {
            scenario.guests.iter_mut().filter(|group| group.io_records > 0).for_each(change);
        };
        match self {
            NextStep::NewLevel => scenario.level = Level::V6_4,
            NextStep::Zhpf => scenario.paging.zhpf = true,
            NextStep::Aliases => scenario.lcu.aliases = 4,
            NextStep::ToPaging => scenario.lcu.alias_share = MOST_TO_PAGING,
            NextStep::ToMdisk => scenario.lcu.alias_share = MOST_TO_MDISK,
            NextStep::GuestZhpf => io(scenario, |group| group.io_zhpf = true),
            NextStep::ManyRecords => io(scenario, |group| group.io_records = MANY),
            NextStep::Ssd => {
                let paging = &mut scenario.paging;
                // What the control unit's cache serves comes with it: assumed for the published host with SSD.
                (paging.kind, paging.read_hit_percent, paging.write_hit_percent) = (DeviceKind::EckdSsd, 90, 100);
            }
            NextStep::Base(subject) => *scenario = subject.base().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::run_like;

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
            assert!(of(&SUBJECTS[1]).contains(wanted), "{wanted}: {}", of(&SUBJECTS[1]));
        }
        let first = of(&SUBJECTS[2]);
        assert!(
            first.starts_with("1 IO3390 guest does I/O to its minidisk") && first.contains("1 record of 4 KB"),
            "{first}"
        );
        let kinds = of(&SUBJECTS[3]);
        assert!(kinds.contains("guests touch pages at random in") && kinds.contains("pause for 50 ms between"), "{kinds}");
        for subject in &SUBJECTS {
            assert_eq!(of(subject).matches(". ").count(), 1, "two sentences: {}", of(subject));
        }
    }

    #[test]
    fn the_next_steps_lead_through_published_settings_and_back() {
        for (subject, labels) in SUBJECTS.iter().zip([
            &["Turn zHPF on", "Add 4 HyperPAV aliases", "Back to the first run"][..],
            &["Set the share to 1:15", "Set the share to 15:1", "Back to the first run"],
            &["Turn zHPF on for the guest", "Move 64 records with each I/O", "Back to the first run"],
            &["Put the page volumes on SSD", "Back to the first run"],
        ]) {
            let base = subject.base().expect("a published run");
            let mut scenario = base.clone();
            for label in labels {
                let step = NextStep::after(&scenario, subject);
                assert_eq!(step.label(), *label);
                step.take(&mut scenario);
                assert!(scenario.check().is_ok());
                assert!(run_like(&scenario).is_some(), "{label} leads to a published run");
            }
            assert_eq!(scenario, base);
        }
    }

    #[test]
    fn aliases_that_only_one_kind_of_io_uses_are_not_said_to_be_shared() {
        let set_cu = &SUBJECTS[1];
        let told = |change: fn(&mut Scenario)| {
            let mut scenario = set_cu.base().expect("a published run");
            change(&mut scenario);
            let told = introduction(&scenario);
            assert!(!told.contains("both kinds"), "{told}");
            assert_eq!(told.matches(". ").count(), 1, "two sentences: {told}");
            (told, NextStep::after(&scenario, set_cu))
        };
        let (edev, step) = told(|scenario| scenario.paging.kind = DeviceKind::EdevDirect);
        assert!(edev.contains("minidisk I/O has the 16 aliases to itself: the page volumes are EDEVs"), "{edev}");
        assert_eq!(step, NextStep::Base(set_cu));
        let (none, step) = told(|scenario| scenario.lcu.aliases = 0);
        assert!(none.contains("without aliases for either"), "{none}");
        assert_eq!(step, NextStep::Aliases);
        let (off, step) = told(|scenario| scenario.paging.alias = false);
        assert!(off.contains("SET PAGING ALIAS is off"), "{off}");
        assert_eq!(step, NextStep::Base(set_cu));
        let (minidisks, _) = told(|scenario| scenario.minidisks.kind = DeviceKind::EdevDirect);
        assert!(minidisks.contains("paging has the 16 aliases to itself"), "{minidisks}");
        let (old, step) = told(|scenario| {
            (scenario.level, scenario.paging.zhpf, scenario.paging.alias) = (Level::V6_3, false, false);
        });
        assert!(old.contains("paging uses none before z/VM 6.4"), "{old}");
        assert_eq!(step, NextStep::NewLevel);
        let mut paging = SUBJECTS[0].base().expect("a published run");
        paging.paging.kind = DeviceKind::EdevDirect;
        assert_eq!(NextStep::after(&paging, &SUBJECTS[0]), NextStep::Base(&SUBJECTS[0]), "neither zHPF nor aliases");
    }

    #[test]
    fn no_step_leads_to_a_host_that_cannot_be() {
        let mut scenario = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert_eq!(NextStep::after(&scenario, &SUBJECTS[0]), NextStep::NewLevel);
        scenario.storage.central_mb *= 2;
        let back = NextStep::Base(&SUBJECTS[0]);
        assert_eq!(NextStep::after(&scenario, &SUBJECTS[0]), back, "no driver helps where nothing is paged");
        let mut scenario = Scenario::default();
        scenario.lcu.channel = zvmlab::scenario::Channel::Express8;
        assert_eq!(NextStep::after(&scenario, &SUBJECTS[0]), back, "those channels have no zHPF for paging");
    }
}
