//! What is obvious to try next on the bench: one step at a time through the settings that show most, and back. Knows no browser.

mod relocation;

use zvmlab::adviser::{entitled, fewer_logical};
use zvmlab::scenario::{AliasShare, DeviceKind, GuestGroup, Level, LimitHard, LimitType, Scenario, SpinLock};

use crate::host::{alias_users, has_eckd_pages, pages};
use crate::knob::storbuf::{KNOWN, Numbers, command, numbers};
use crate::published::is_run;
use crate::published::ready::scenario_of;
use crate::subjects::{GUEST_ZHPF, KINDS, LOCKS, PAGING, PLDV, PRSM, SET_CU, SHARES, STORBUF, Subject};
use crate::words::number::storage_mb;

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
    /// Set the barriers of the eligible list.
    Storbuf(Numbers),
    /// Let the excess share go to one guest.
    ExcessFault,
    /// Find out by its deadline that a guest is at its limit.
    Deadline,
    /// Go to the level that has the fast path of Diag X'44'.
    FastPath,
    /// Wait for CP's locks with the spin lock manager of VM64927.
    Diag9c,
    /// Have as many logical processors as the adviser says.
    Logical(u32),
    /// Apply VM64887.
    PldvFix,
    /// Apply VM64767.
    VaryFix,
    /// Add a chpid like the first to the link, which makes so many.
    Chpids(usize),
    /// Have the published link of this capacity factor.
    Link(u32),
    /// Relocate all guests at once.
    Asynch,
    /// One early pass, then straight to quiesce.
    Immediate,
    /// Give the destination of the guest that moves so much storage in MB.
    Room(u64),
    /// Relocate the largest guest first.
    LargestFirst,
    /// Let every member stay joined.
    StayJoined,
    /// Go back to where the subject was begun, the ready experiment of this id.
    Base(&'static str),
}

/// The shares at the two ends of the published table.
const MOST_TO_PAGING: AliasShare = AliasShare { mdisk: 1, paging: 15 };
const MOST_TO_MDISK: AliasShare = AliasShare { mdisk: 15, paging: 1 };
/// Records of an I/O: the most that the exerciser does, and that are published.
const MANY: u32 = 64;
/// Barriers so low that ready guests wait while storage is free. Chosen.
const TOO_LITTLE: Numbers = [40, 35, 30];

impl NextStep {
    /// What to try next on this scenario, which is about `subject` and was begun as the ready experiment `run`.
    pub fn after(scenario: &Scenario, subject: &'static Subject, run: Option<&str>) -> NextStep {
        let begun = subject.setups.iter().find(|setup| run == Some(setup.id)).map_or(subject.start(), |setup| setup.id);
        let step = match subject {
            _ if subject == PAGING => NextStep::of_paging(scenario),
            _ if subject == SET_CU => NextStep::of_set_cu(scenario),
            _ if subject == GUEST_ZHPF => NextStep::of_guest_zhpf(scenario),
            _ if subject == KINDS && scenario.paging.kind == DeviceKind::EckdSpinning => Some(NextStep::Ssd),
            _ if subject == STORBUF => NextStep::of_storbuf(scenario, begun),
            _ if subject == SHARES => NextStep::of_shares(scenario),
            _ if subject == LOCKS => NextStep::of_locks(scenario),
            _ if subject == PRSM => NextStep::of_prsm(scenario),
            _ if subject == PLDV && !scenario.dispatcher.pldv_fix => Some(NextStep::PldvFix),
            _ if subject == PLDV && scenario.dispatcher.vary_s > 0 && !scenario.dispatcher.vary_fix => {
                Some(NextStep::VaryFix)
            }
            _ if subject.is_of_relocation() => relocation::after(scenario, subject),
            _ => None,
        };
        // A step that the host's other settings forbid is none.
        let valid = |step: &NextStep| {
            let mut other = scenario.clone();
            step.take(&mut other);
            other.check().is_ok()
        };
        step.filter(valid).unwrap_or(NextStep::Base(begun))
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

    /// From the setting that the host was begun with through the others, one after the other.
    fn of_storbuf(scenario: &Scenario, begun: &str) -> Option<NextStep> {
        let [less, more] = KNOWN;
        let base = numbers(&scenario_of(begun)?);
        let others = [more, less, TOO_LITTLE].into_iter().filter(|other| *other != base);
        let mut settings = std::iter::once(base).chain(others).filter(|_| scenario.level.keeps_eligible());
        settings.find(|setting| *setting == numbers(scenario))?;
        settings.next().map(NextStep::Storbuf)
    }

    fn of_shares(scenario: &Scenario) -> Option<NextStep> {
        let limited = scenario.guests.iter().any(|group| group.limit_type == LimitType::LimitHard);
        // Where all want all that they can get, there is no excess.
        let excess = scenario.guests.iter().any(|group| group.pace_ms > 0 || group.think_ms > 0);
        match scenario.scheduler.limithard {
            LimitHard::Consumption if limited => Some(NextStep::Deadline),
            _ if !limited && excess && !scenario.scheduler.excess_fault => Some(NextStep::ExcessFault),
            _ => None,
        }
    }

    fn of_locks(scenario: &Scenario) -> Option<NextStep> {
        let any = |of: fn(&GuestGroup) -> u32| scenario.guests.iter().any(|group| of(group) > 0);
        match scenario.dispatcher.spin_lock {
            _ if any(|group| group.lock_us) && !scenario.dispatcher.diag44_fast_path => Some(NextStep::FastPath),
            SpinLock::Diag44 if any(|group| group.service_us) => Some(NextStep::Diag9c),
            _ => None,
        }
    }

    fn of_prsm(scenario: &Scenario) -> Option<NextStep> {
        let (entitled, fewer) = (entitled(scenario)?, fewer_logical(scenario));
        (f64::from(fewer) > entitled && fewer < scenario.processors.count).then_some(NextStep::Logical(fewer))
    }

    /// What its button says.
    pub fn label(self) -> String {
        match self {
            NextStep::NewLevel => "Upgrade to z/VM 6.4".into(),
            NextStep::Zhpf => "Turn zHPF on".into(),
            NextStep::Aliases => "Add 4 HyperPAV aliases".into(),
            NextStep::ToPaging => "Set the share to 1:15".into(),
            NextStep::ToMdisk => "Set the share to 15:1".into(),
            NextStep::GuestZhpf => "Turn zHPF on for the guest".into(),
            NextStep::ManyRecords => "Move 64 records with each I/O".into(),
            NextStep::Ssd => "Put the page volumes on SSD".into(),
            NextStep::Storbuf(numbers) => command(numbers),
            NextStep::ExcessFault => "Turn the fault on".into(),
            NextStep::Deadline => "SET SRM LIMITHARD DEADLINE".into(),
            NextStep::FastPath => "Upgrade to z/VM 5.2".into(),
            NextStep::Diag9c => "Apply VM64927".into(),
            NextStep::Logical(1) => "Have 1 logical processor".into(),
            NextStep::Logical(count) => format!("Have {count} logical processors"),
            NextStep::PldvFix => "Apply VM64887".into(),
            NextStep::VaryFix => "Apply VM64767".into(),
            NextStep::Chpids(count) => {
                format!("Add a {} chpid", ["first", "second", "third", "fourth"][count.clamp(1, 4) - 1])
            }
            NextStep::Link(factor) => format!("Have the link of capacity factor {factor}"),
            NextStep::Asynch => "Relocate all at once (ASYNCH)".into(),
            NextStep::Immediate => "VMRELOCATE IMMEDIATE".into(),
            NextStep::Room(mb) => format!("Give the destination {}", storage_mb(mb)),
            NextStep::LargestFirst => "Relocate the largest first".into(),
            NextStep::StayJoined => "Let all members stay joined".into(),
            NextStep::Base(id) if is_run(id) => "Back to the first run".into(),
            NextStep::Base(_) => "Back to the example".into(),
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
            NextStep::Storbuf(TOO_LITTLE) => "So low that ready guests wait while storage is free.",
            NextStep::Storbuf(numbers) if numbers == KNOWN[1] => {
                "The defaults from z/VM 6.2 on: nearly everybody may run at once."
            }
            NextStep::Storbuf(_) => "The defaults before z/VM 6.2: fewer guests at once, each with more of its pages.",
            NextStep::ExcessFault => "What one guest does not take goes to one other, and not to all.",
            NextStep::Deadline => "The old way to find out that a guest is at its limit.",
            NextStep::FastPath => "Diag X'44' returns at once where nobody waits to run, in a guest of any size.",
            NextStep::Diag9c => "Who waits for a lock has PR/SM run its holder, and spins if that runs.",
            NextStep::Logical(_) => "As many as the partition is entitled to run, and one more for what others leave.",
            NextStep::PldvFix => "A reshuffle notes that vectors overflowed.",
            NextStep::VaryFix => "VARY PROCESSOR gives its lock back.",
            NextStep::Chpids(_) => "As fast as the first, with four CTCs: does the time stopped shrink as the link grows?",
            NextStep::Link(_) => "The next larger of the five links that IBM evaluated (6.2 deck, table 3).",
            NextStep::Asynch => "They share the link and the members: best practice is one at a time.",
            NextStep::Immediate => {
                "One early pass, then the guest is stopped: less in all, but what did it change meanwhile?"
            }
            NextStep::Room(_) => "As much as the guest has touched, and some more: nothing needs to be paged there.",
            NextStep::LargestFirst => "“Get the big rocks in first” (6.2 deck): the bucket gets heavier as you add water.",
            NextStep::StayJoined => "The same work, without anybody leaving or joining.",
            NextStep::Base(id) => match id {
                "MOVE" => "Two chpids of 8 Gb.",
                "ISFC" => "Chpids of 2 Gb and 4 Gb.",
                "TWENTY-FIVE" => "One after the other (SYNCH).",
                "V4DVY000" => "z/VM 6.4, four volumes, neither zHPF nor aliases.",
                "QRBKW055" => "Equal shares, 8:8.",
                "JB001238" => "Command mode, 1 record with each I/O.",
                "LPAR1 w/o DS8870" => "Page volumes on spinning disk.",
                "STORBUF" => "SET SRM STORBUF 300 250 200.",
                "STORBUF-FITS" => "SET SRM STORBUF 125 105 95.",
                "CLASSES" => "SET SRM STORBUF 125 105 95.",
                "Excess share, cured" => "The excess goes to all in proportion.",
                "APS9220" => "z/VM 5.1, without the fast path.",
                _ => "As it was chosen.",
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
            NextStep::Storbuf(numbers) => {
                let scheduler = &mut scenario.scheduler;
                [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = numbers.map(|number| number as u32);
            }
            NextStep::ExcessFault => scenario.scheduler.excess_fault = true,
            NextStep::Deadline => scenario.scheduler.limithard = LimitHard::Deadline,
            NextStep::FastPath => {
                scenario.level = scenario.level.max(Level::V5_2);
                scenario.dispatcher.diag44_fast_path = true;
            }
            NextStep::Diag9c => scenario.dispatcher.spin_lock = SpinLock::Diag9c,
            NextStep::Logical(count) => scenario.processors.count = count,
            NextStep::PldvFix => scenario.dispatcher.pldv_fix = true,
            NextStep::VaryFix => scenario.dispatcher.vary_fix = true,
            NextStep::Base(id) => *scenario = scenario_of(id).unwrap_or_default(),
            step => relocation::take(step, scenario),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::like;

    fn base(subject: &Subject) -> Scenario {
        subject.base().expect("a ready experiment")
    }

    fn after(scenario: &Scenario, subject: &'static Subject) -> NextStep {
        NextStep::after(scenario, subject, None)
    }

    #[test]
    fn the_next_steps_lead_through_ready_settings_and_back() {
        for (subject, labels) in [
            (PAGING, &["Turn zHPF on", "Add 4 HyperPAV aliases", "Back to the first run"][..]),
            (SET_CU, &["Set the share to 1:15", "Set the share to 15:1", "Back to the first run"]),
            (GUEST_ZHPF, &["Turn zHPF on for the guest", "Move 64 records with each I/O", "Back to the first run"]),
            (KINDS, &["Put the page volumes on SSD", "Back to the first run"]),
            (SHARES, &["Turn the fault on", "Back to the first run"]),
            (LOCKS, &["Upgrade to z/VM 5.2", "Back to the first run"]),
        ] {
            let mut scenario = base(subject);
            for label in labels {
                let step = after(&scenario, subject);
                assert_eq!(step.label(), *label);
                step.take(&mut scenario);
                assert!(scenario.check().is_ok());
                assert!(like(&scenario).is_some(), "{label} leads to a published run");
            }
            assert_eq!(scenario, base(subject));
        }
    }

    #[test]
    fn the_next_steps_lead_from_an_example_and_back_to_it() {
        for (id, labels) in [
            ("STORBUF", &["SET SRM STORBUF 125 105 95", "SET SRM STORBUF 40 35 30", "Back to the example"][..]),
            ("STORBUF-FITS", &["SET SRM STORBUF 300 250 200", "SET SRM STORBUF 40 35 30", "Back to the example"]),
            ("CLASSES", &["SET SRM STORBUF 300 250 200", "SET SRM STORBUF 40 35 30", "Back to the example"]),
            ("LIMIT-SUM", &["SET SRM LIMITHARD DEADLINE", "Back to the example"]),
            ("LIMIT-NOT-BUSY", &["SET SRM LIMITHARD DEADLINE", "Back to the example"]),
            ("SPIN-LOCK", &["Apply VM64927", "Back to the example"]),
            ("PRSM", &["Have 3 logical processors", "Back to the example"]),
            ("PLDV", &["Apply VM64887", "Back to the example"]),
            ("VARY", &["Apply VM64767", "Back to the example"]),
            ("MOVE", &["Add a third chpid", "VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("ISFC", &["Have the link of capacity factor 10", "Have the link of capacity factor 18", "Back to the example"]),
            ("TWENTY-FIVE", &["Relocate all at once (ASYNCH)", "VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("CONSTRAINED", &["Give the destination 128 GB", "Back to the example"]),
            ("BOUNCE", &["VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("EVACUATION", &["Relocate the largest first", "Relocate all at once (ASYNCH)", "Back to the example"]),
            ("CLUSTER", &["Let all members stay joined", "Back to the example"]),
        ] {
            let begun = scenario_of(id).expect("an example");
            let mut scenario = begun.clone();
            for label in labels {
                let step = NextStep::after(&scenario, Subject::of(&scenario, Some(id)), Some(id));
                assert_eq!(step.label(), *label, "{id}");
                step.take(&mut scenario);
                assert!(scenario.check().is_ok(), "{id}: {label}");
            }
            assert_eq!(scenario, begun);
        }
    }

    #[test]
    fn no_step_leads_to_a_host_that_cannot_be() {
        let mut scenario = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert_eq!(after(&scenario, PAGING), NextStep::NewLevel);
        scenario.storage.central_mb *= 2;
        let back = NextStep::Base(PAGING.start());
        assert_eq!(after(&scenario, PAGING), back, "no driver helps where nothing is paged");
        let mut scenario = Scenario::default();
        scenario.lcu.channel = zvmlab::scenario::Channel::Express8;
        assert_eq!(after(&scenario, PAGING), back, "those channels have no zHPF for paging");
    }
}
