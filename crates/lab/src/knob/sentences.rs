//! The sentences at a knob: its problems as the reader sees them, and why its value has no effect.

use crate::words::letters::capitalised;
use zvmlab::Scenario;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{DeviceKind, Mechanism, Pattern, Problem};

use super::{Knob, relocation};
use crate::host::overfills;

/// A problem as a sentence or two. The check speaks of a file, in which a switch is true or false.
pub fn sentence(problem: &Problem, scenario: &Scenario) -> String {
    let of_page = Knob::of_problem(problem).and_then(|knob| said(&knob, problem, scenario));
    of_page.unwrap_or_else(|| capitalised(&problem.message) + ".")
}

/// The page's own words for a value that is not allowed.
fn said(knob: &Knob, problem: &Problem, scenario: &Scenario) -> Option<String> {
    // A text that is no value of its field says which values are allowed, and maybe the units.
    if problem.message.contains(&format!("{} is allowed", knob.field.allowed())) {
        return None;
    }
    let level = scenario.level.name();
    let of_level = problem.message.contains("z/VM");
    let said = match knob.field.path {
        path::PAGING_ZHPF if of_level => format!("{level} has no zHPF for paging. Turn it off, or choose z/VM 6.4."),
        path::PAGING_ZHPF => "zHPF for paging needs FICON Express8S. Turn it off, or choose that channel.".into(),
        path::PAGING_ALIAS => {
            let aliases = match scenario.lcu.aliases {
                1 => "there is one".into(),
                count => format!("there are {count}"),
            };
            format!("{level} uses no aliases for paging, but {aliases}. Turn this off, have no aliases, or choose z/VM 6.4.")
        }
        path::GUESTS_IO_ZHPF if of_level => {
            format!("{level} has no zHPF for guests without the service VM65041. Turn it off, or choose a later level.")
        }
        path::GUESTS_IO_ZHPF => {
            "Minidisks lie on EDEVs, which use FCP. zHPF needs FICON. Turn it off, or choose ECKD volumes.".into()
        }
        path::PAGING_KIND | path::PAGING_OTHER_KIND | path::MINIDISKS_KIND => {
            let svc = DeviceKind::EdevSvc.as_str();
            format!("{level} needs an SVC before a FlashSystem. Choose {svc}, or z/VM 6.4.")
        }
        path => {
            let of_relocation = || relocation::said(path, knob.group, scenario);
            return said_of_processors(path, knob.group, scenario).or_else(of_relocation);
        }
    };
    Some(said)
}

/// The same of scheduler, dispatcher and PR/SM.
fn said_of_processors(path: &str, group: usize, scenario: &Scenario) -> Option<String> {
    let level = scenario.level.name();
    let (scheduler, prsm) = (&scenario.scheduler, &scenario.prsm);
    let after = |given: u32, above: u32| {
        format!("{given} after {above}: no number of STORBUF may be larger than the one before it.")
    };
    let too_many = |given: u32| {
        format!(
            "{given} logical processors, but the partitions share {} physical ones. A partition can have no more than that.",
            prsm.physical
        )
    };
    let said = match path {
        path::DISPATCHER_PLDV_FIX => format!("{level} has VM64887. Turn it on, or choose z/VM 6.1."),
        path::DISPATCHER_VARY_FIX => format!("{level} has VM64767. Turn it on, or choose z/VM 6.1."),
        path::DISPATCHER_SPIN_LOCK if scenario.level.lacks(Mechanism::SpinLockDiag9c) => {
            format!("{level} is older than VM64927. Choose DIAG 44, or z/VM 6.1.")
        }
        path::DISPATCHER_SPIN_LOCK => format!("{level} has VM64927. Choose DIAG 9C, or z/VM 6.1."),
        path::SCHEDULER_LIMITHARD => format!("{level} is older than VM64721. Choose DEADLINE, or z/VM 6.1."),
        path::DISPATCHER_DIAG44_FAST_PATH => {
            format!("{level} has it only for guests with up to two virtual CPUs. Turn it off, or choose z/VM 5.2.")
        }
        path::SCHEDULER_STORBUF_2 => after(scheduler.storbuf_2, scheduler.storbuf_1),
        path::SCHEDULER_STORBUF_3 => after(scheduler.storbuf_3, scheduler.storbuf_2),
        path::PROCESSORS_COUNT => too_many(scenario.processors.count),
        path::PRSM_OTHER_LOGICAL => too_many(prsm.other_logical),
        path::GUESTS_LIMIT_ABSOLUTE => {
            let group = scenario.guests.get(group)?;
            format!("A maximum of {} % is less than the share, {} %.", group.limit_absolute, group.share_absolute)
        }
        _ => return None,
    };
    Some(said)
}

/// Most characters of an entry that are said again. Chosen: the longest word of a field has fewer.
const SAID_CHARS: usize = 40;

/// The entry, to stand before `given`. Texts have quotation marks; of a long one the beginning is said.
pub fn given(text: &str) -> String {
    match text.trim() {
        "" => "nothing".into(),
        number if number.parse::<f64>().is_ok() => number.into(),
        text if text.chars().count() > SAID_CHARS => {
            format!("“{}…”", text.chars().take(SAID_CHARS).collect::<String>())
        }
        text => format!("“{text}”"),
    }
}

impl Knob {
    /// Why another choice would change nothing, and how to make it matter.
    pub fn hint(&self, scenario: &Scenario) -> Option<&'static str> {
        let (paging, minidisks) = (&scenario.paging, &scenario.minidisks);
        let all = |percents: [u32; 2]| percents == [100, 100];
        let walks = |scenario: &Scenario| scenario.guests.iter().all(|group| group.pattern == Pattern::Sequential);
        match self.field.path {
            path::STORAGE_CENTRAL_MB if overfills(scenario) && !scenario.does_io() && walks(scenario) => Some(
                "These guests walk through their pages in order, so each page has gone before they come back to it. Storage changes nothing until all of it fits. What it gains programs with hot pages shows the subject Overcommit.",
            ),
            path::PAGING_KIND if paging.kind.is_eckd() && all([paging.read_hit_percent, paging.write_hit_percent]) => Some(
                "Every page I/O hits the control unit's cache here, so the speed of the disks does not matter. To see it, lower the hits.",
            ),
            path::MINIDISKS_KIND
                if scenario.does_io()
                    && minidisks.kind.is_eckd()
                    && all([minidisks.read_hit_percent, minidisks.write_hit_percent]) =>
            {
                Some(
                    "Every minidisk I/O hits the control unit's cache here, so the speed of the disks does not matter. To see it, lower the hits.",
                )
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::Level;

    use super::*;
    use crate::knob::Given;
    use crate::published::ready::scenario_of;

    #[test]
    fn a_text_that_is_no_value_is_not_taken_for_another_fault() {
        let scenario = scenario_of("MOVE").expect("an example");
        let knob = Knob::at(path::GUESTS_TOUCH_MB_S, 0).expect("a knob");
        for text in ["abc", "1 GB", "-5"] {
            let problem = knob.turn(&mut scenario.clone(), &Given::Number(text.into())).expect_err("it is no value");
            let said = sentence(&problem, &scenario);
            assert!(said.contains("is allowed") && !said.contains("cycle"), "{text}: {said}");
        }
    }

    #[test]
    fn what_a_level_has_not_is_said_of_what_is_seen() {
        let mut scenario = scenario_of("QRBKW055").expect("a published run");
        scenario.level = Level::V6_3;
        let problems = scenario.check().expect_err("6.3 has neither").problems;
        let said: Vec<String> = problems.iter().map(|problem| sentence(problem, &scenario)).collect();
        assert_eq!(
            said,
            [
                "z/VM 6.3 has no zHPF for paging. Turn it off, or choose z/VM 6.4.",
                "z/VM 6.3 uses no aliases for paging, but there are 16. Turn this off, have no aliases, or choose z/VM 6.4.",
            ]
        );
        let other = Problem { field: "guests".into(), message: "600 guests in all groups together".into() };
        assert_eq!(sentence(&other, &scenario), "600 guests in all groups together.");
    }

    #[test]
    fn what_was_given_is_quoted_as_it_is() {
        assert_eq!(["a", " ", "", " 7 ", "8:"].map(given), ["“a”", "nothing", "nothing", "7", "“8:”"]);
        let problem = Problem { field: "paging.volumes".into(), message: format!("{} given", given("")) };
        assert_eq!(sentence(&problem, &Scenario::default()), "Nothing given.");
    }

    #[test]
    fn disks_behind_a_cache_that_always_hits_are_said_to_be_alike() {
        let kind = Knob::at("paging.kind", 0).expect("a field");
        let mut scenario = Scenario::default();
        assert!(kind.hint(&scenario).is_some_and(|hint| hint.contains("lower the hits")));
        scenario.paging.read_hit_percent = 99;
        assert_eq!(kind.hint(&scenario), None);
        (scenario.paging.read_hit_percent, scenario.paging.kind) = (100, DeviceKind::EdevDirect);
        assert_eq!(kind.hint(&scenario), None, "flash by FCP is another matter");
    }

    #[test]
    fn what_processors_cannot_be_is_said_of_what_is_seen() {
        let said = |id: &str, change: fn(&mut Scenario)| {
            let mut scenario = crate::published::ready::scenario_of(id).expect("a ready experiment");
            change(&mut scenario);
            let problems = scenario.check().expect_err("it cannot be").problems;
            problems.iter().map(|problem| sentence(problem, &scenario)).collect::<Vec<_>>()
        };
        assert_eq!(said("PLDV", |s| s.level = Level::V6_2), ["z/VM 6.2 has VM64887. Turn it on, or choose z/VM 6.1."]);
        assert_eq!(said("SPIN-LOCK", |s| s.level = Level::V6_4), ["z/VM 6.4 has VM64927. Choose DIAG 9C, or z/VM 6.1."]);
        assert_eq!(
            said("STORBUF", |s| s.scheduler.storbuf_1 = 100),
            ["250 after 100: no number of STORBUF may be larger than the one before it."]
        );
        assert!(said("PRSM", |s| s.processors.count = 9)[0].starts_with("9 logical processors, but"));
        let draft = Problem {
            field: "processors.count".into(),
            message: "99 given, a whole number from 1 to 64 processors is allowed".into(),
        };
        assert!(sentence(&draft, &Scenario::default()).starts_with("99 given, a whole number"));
    }
}
