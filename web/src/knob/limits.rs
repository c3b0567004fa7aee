//! What a knob cannot do in a host, with the reason; and what resolves a problem at it.

use zvmlab::Scenario;
use zvmlab::scenario::fields::Kind;
use zvmlab::scenario::workloads::OTHER;
use zvmlab::scenario::{Channel, DeviceKind, Level, Problem};

use super::{Given, Knob};

/// A way out of a problem, at the knob that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// What its button says.
    pub label: String,
    /// What the knob is turned to.
    pub given: Given,
}

/// The level in a sentence.
pub fn named(level: Level) -> &'static str {
    match level {
        Level::V5_1 => "z/VM 5.1",
        Level::V5_2 => "z/VM 5.2",
        Level::V6_1 => "z/VM 6.1",
        Level::V6_2 => "z/VM 6.2",
        Level::V6_2Vm65041 => "z/VM 6.2 with VM65041",
        Level::V6_3 => "z/VM 6.3",
        Level::V6_4 => "z/VM 6.4",
    }
}

impl Knob {
    /// Why the knob can do nothing in this scenario, if so. One that stands where it must not stays usable, to turn it back:
    /// it has a problem then.
    pub fn locked(&self, scenario: &Scenario, problems: &[Problem]) -> Option<String> {
        let wrong = problems.iter().filter_map(Knob::of_problem).any(|knob| knob == *self);
        self.idle(scenario).filter(|_| !wrong)
    }

    /// Why it can do nothing.
    fn idle(&self, scenario: &Scenario) -> Option<String> {
        let Scenario { level, paging, lcu, minidisks, .. } = scenario;
        let eckd_pages = paging.kind.is_eckd() || paging.other_volumes > 0 && paging.other_kind.is_eckd();
        let page_edevs = !paging.kind.is_eckd() || paging.other_volumes > 0 && !paging.other_kind.is_eckd();
        let io = scenario.does_io();
        let paging_aliases = || no_paging_aliases(*level, eckd_pages);
        let reason = match self.field.path {
            "paging.zhpf" if *level < Level::V6_4 => format!("{} has no zHPF for paging; z/VM 6.4 has.", named(*level)),
            "paging.zhpf" if lcu.channel < Channel::Express8S => "zHPF for paging needs FICON Express8S.".into(),
            "paging.zhpf" if !eckd_pages => {
                "Every page volume is an EDEV, which is reached by FCP: zHPF is of FICON.".into()
            }
            "paging.alias" if lcu.aliases == 0 => "There are no aliases.".into(),
            "paging.alias" => paging_aliases()?,
            "lcu.aliases" if !io => paging_aliases()?,
            "lcu.aliases" if !minidisks.kind.is_eckd() => paging_aliases()?,
            "lcu.alias_share" if !io => "No guest does I/O to a minidisk, so paging may have all the aliases.".into(),
            "lcu.alias_share" if lcu.aliases == 0 => "There are no aliases to share.".into(),
            "lcu.alias_share" if !paging.alias => "Paging uses no aliases, so minidisk I/O may have them all.".into(),
            "lcu.alias_share" => paging_aliases()?,
            "paging.queue_depth" if !page_edevs => "No page volume is an EDEV.".into(),
            "paging.other_kind" | "paging.other_slots" if paging.other_volumes == 0 => {
                "There are no other page volumes.".into()
            }
            path if path.starts_with("minidisks.") && !io => "No guest does I/O to a minidisk.".into(),
            "minidisks.queue_depth" if minidisks.kind.is_eckd() => "No minidisk volume is an EDEV.".into(),
            path => self.idle_for_guests(path, scenario)?,
        };
        Some(reason)
    }

    fn idle_for_guests(&self, path: &str, scenario: &Scenario) -> Option<String> {
        let group = scenario.guests.get(self.group)?;
        let reason = match path {
            "guests.io_read_percent" | "guests.io_zhpf" | "guests.minidisk_mb" if group.io_records == 0 => {
                "These guests do no I/O: their I/O has 0 records."
            }
            "guests.io_zhpf" if scenario.level < Level::V6_2Vm65041 => {
                "z/VM 6.2 has zHPF for guests only with the service VM65041."
            }
            "guests.io_zhpf" if scenario.minidisks.volumes > 0 && !scenario.minidisks.kind.is_eckd() => {
                "Minidisks are on EDEVs, which are reached by FCP: zHPF is of FICON."
            }
            "guests.cycle_pages" if group.io_records == 0 && group.think_ms == 0 => {
                "These guests neither do I/O nor pause, so their cycle has no end."
            }
            _ => return None,
        };
        Some(reason.into())
    }

    /// The words of a choice that this scenario cannot have, each with the reason; the one it has can always be left.
    pub fn unavailable(&self, scenario: &Scenario) -> Vec<(&'static str, &'static str)> {
        let Kind::Choice { allowed, get, set } = self.field.kind else { return Vec::new() };
        let now = get(scenario, self.group);
        let reason = |word: &'static str| match self.field.path {
            "paging.kind" | "paging.other_kind" | "minidisks.kind" => (word == DeviceKind::EdevDirect.as_str()
                && scenario.level < Level::V6_4)
                .then_some("EDEV flash direct needs z/VM 6.4: earlier levels need an SVC before a FlashSystem."),
            "guests.workload" => (word == OTHER).then_some(""),
            "level" => {
                let mut other = scenario.clone();
                set(&mut other, self.group, word);
                let refused = |problem: &Problem| problem.field == "level";
                let pages = other.check().err().is_some_and(|error| error.problems.iter().any(refused));
                pages.then_some("This host pages; how z/VM did before 6.3 is not modelled.")
            }
            _ => None,
        };
        let others = allowed.iter().filter(|word| **word != now);
        others.filter_map(|word| reason(word).map(|reason| (*word, reason))).collect()
    }

    /// What resolves the problems at this knob, if turning it alone does.
    pub fn remedy(&self, scenario: &Scenario) -> Option<Remedy> {
        let resolves = |given: &Given| {
            let mut other = scenario.clone();
            let turned = self.turn(&mut other, given).is_ok();
            let left = other.check().err().map(|error| error.problems).unwrap_or_default();
            turned && left.iter().all(|problem| problem.field != self.place())
        };
        self.ways_out().into_iter().find(|remedy| resolves(&remedy.given))
    }

    fn ways_out(&self) -> Vec<Remedy> {
        let way = |label: String, given: Given| Remedy { label, given };
        let choose = |word: &str| way(format!("Choose {word}"), Given::Choice(word.into()));
        match (self.field.kind, self.field.path) {
            (Kind::Switch { .. }, _) => vec![way("Turn off".into(), Given::Switch(false))],
            (_, "level") => vec![choose(Level::V6_3.as_str())],
            (_, "paging.kind" | "paging.other_kind" | "minidisks.kind") => vec![choose(DeviceKind::EdevSvc.as_str())],
            (_, "minidisks.volumes") => vec![way("Have one".into(), Given::Number("1".into()))],
            _ => Vec::new(),
        }
    }
}

/// What stands in the scenario that its level has not, and what turns each of them off.
pub fn lacking(scenario: &Scenario) -> Vec<(Knob, Given)> {
    let problems = |scenario: &Scenario| scenario.check().err().map(|error| error.problems).unwrap_or_default();
    let later = problems(&Scenario { level: Level::V6_4, ..scenario.clone() });
    let of_level = problems(scenario).into_iter().filter(|problem| !later.contains(problem));
    let knobs = of_level.filter_map(|problem| Knob::of_problem(&problem)).filter(|knob| knob.field.path != "level");
    knobs.filter_map(|knob| Some((knob, knob.remedy(scenario)?.given))).collect()
}

/// What the button says that turns all of them off.
pub fn without_lacking(scenario: &Scenario) -> String {
    format!("Turn off what {} has not", named(scenario.level))
}

/// Why paging has no use for aliases, if so.
fn no_paging_aliases(level: Level, eckd_pages: bool) -> Option<String> {
    match (level, eckd_pages) {
        (level, _) if level < Level::V6_4 => Some(format!("{} uses no aliases for paging; z/VM 6.4 does.", named(level))),
        (_, false) => Some("Every page volume is an EDEV: it has a queue in place of aliases.".into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::workloads::IO3390;

    use super::*;

    fn knob(path: &str) -> Knob {
        Knob::at(path, 0).expect("a field")
    }

    fn problems(scenario: &Scenario) -> Vec<Problem> {
        scenario.check().err().map(|error| error.problems).unwrap_or_default()
    }

    fn locked(path: &str, scenario: &Scenario) -> bool {
        knob(path).locked(scenario, &problems(scenario)).is_some()
    }

    /// A small host whose guest does I/O and which pages nothing.
    fn io(level: Level) -> Scenario {
        let mut scenario = Scenario { level, ..Scenario::default() };
        (scenario.guests[0].count, scenario.minidisks.volumes) = (1, 1);
        IO3390.apply(&mut scenario.guests[0]);
        scenario
    }

    #[test]
    fn what_a_level_lacks_is_locked_and_what_it_has_is_not() {
        let old = Scenario { level: Level::V6_3, ..Scenario::default() };
        for path in ["paging.zhpf", "lcu.aliases"] {
            assert!(locked(path, &old) && !locked(path, &Scenario::default()), "{path}");
        }
        assert!(!locked("paging.volumes", &old));
        assert!(!locked("lcu.aliases", &io(Level::V6_3)), "minidisk I/O had aliases before");
        assert!(locked("guests.io_zhpf", &io(Level::V6_2)) && !locked("guests.io_zhpf", &io(Level::V6_2Vm65041)));
        let mut slow = Scenario::default();
        slow.lcu.channel = Channel::Express8;
        assert!(locked("paging.zhpf", &slow));
    }

    #[test]
    fn what_a_host_has_no_use_for_is_locked() {
        let plain = Scenario::default();
        let idle = ["lcu.alias_share", "paging.alias", "paging.queue_depth", "paging.other_kind", "minidisks.kind"];
        let of_guests = ["guests.io_zhpf", "guests.io_read_percent", "guests.minidisk_mb", "guests.cycle_pages"];
        for path in idle.iter().chain(&of_guests) {
            assert!(locked(path, &plain), "{path}");
        }
        let mut busy = io(Level::V6_4);
        (busy.lcu.aliases, busy.paging.other_volumes, busy.paging.other_kind) = (8, 1, DeviceKind::EdevSvc);
        for path in idle.iter().chain(&of_guests) {
            assert!(!locked(path, &busy), "{path}");
        }
    }

    #[test]
    fn a_feature_that_the_level_has_not_is_turned_off_by_its_remedy() {
        let mut scenario = io(Level::V6_2);
        (scenario.paging.zhpf, scenario.lcu.aliases, scenario.guests[0].io_zhpf) = (true, 8, true);
        scenario.paging.kind = DeviceKind::EdevDirect;
        scenario.minidisks.volumes = 0;
        for problem in problems(&scenario) {
            let knob = Knob::of_problem(&problem).expect("each problem has its knob");
            assert_eq!(knob.locked(&scenario, &problems(&scenario)), None, "{}", problem.field);
            let remedy = knob.remedy(&scenario).expect("each can be resolved");
            knob.turn(&mut scenario, &remedy.given).expect("it is a value");
        }
        assert_eq!(problems(&scenario), Vec::new());
        let old = Scenario { level: Level::V6_2, ..Scenario::default() };
        assert_eq!(knob("level").remedy(&old).map(|remedy| remedy.label).as_deref(), Some("Choose 6.3"));
        assert_eq!(knob("guests.loop_mb").remedy(&old), None);
    }

    #[test]
    fn all_that_a_level_has_not_is_turned_off_at_once() {
        let mut scenario = crate::subject::SUBJECTS[1].base().expect("a published run");
        assert_eq!(lacking(&scenario), []);
        scenario.level = Level::V6_3;
        scenario.lcu.channel = Channel::Express8;
        let offered = lacking(&scenario);
        assert_eq!(offered.len(), 2, "{offered:?}");
        for (knob, given) in offered {
            knob.turn(&mut scenario, &given).expect("it is a value");
        }
        assert_eq!(problems(&scenario), Vec::new());
        assert_eq!(without_lacking(&scenario), "Turn off what z/VM 6.3 has not");
    }

    #[test]
    fn words_that_a_level_has_not_say_so() {
        let words = |path: &str, scenario: &Scenario| {
            knob(path).unavailable(scenario).into_iter().map(|(word, _)| word).collect::<Vec<_>>()
        };
        let mut old = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert_eq!(words("paging.kind", &old), ["EDEV flash direct"]);
        assert_eq!(words("paging.kind", &Scenario::default()), [""; 0]);
        assert_eq!(words("level", &old), ["6.2", "6.2 VM65041"], "the host pages");
        assert_eq!(words("level", &io(Level::V6_4)), [""; 0], "that one does not");
        assert_eq!(words("guests.workload", &old), ["other"]);
        old.guests[0].think_ms = 5;
        assert_eq!(words("guests.workload", &old), [""; 0], "what it is can stay");
        old.paging.kind = DeviceKind::EdevDirect;
        assert_eq!(words("paging.kind", &old), [""; 0], "what it is can be left");
    }
}
