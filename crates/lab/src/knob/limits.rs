//! What a knob cannot do in a host, with the reason that its field states; and how to resolve its problems.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{Effect, FIELDS, Field, Kind, path};
use zvmlab::scenario::workloads::OTHER;
use zvmlab::scenario::{DeviceKind, Level, LimitHard, LimitType, Mechanism, Own, Problem, SpinLock};
use zvmlab::scheduler::normalised_shares;

use super::{Given, Knob, relocation};

/// A way out of a problem, at the knob that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The words on its button.
    pub label: String,
    /// The new value of the knob.
    pub given: Given,
}

/// What changes with a knob. A limit begins at least at what the guest's share comes to, rounded up. Level "own" begins with the
/// mechanisms of the level before, and its switches go with it: on another level they mean nothing.
pub fn together(knob: Knob, given: Given, scenario: &Scenario) -> Vec<(Knob, Given)> {
    let along = relocation::together(knob, &given, scenario);
    let mut turns = vec![(knob, given)];
    turns.extend(along);
    if knob.field.path == path::LEVEL {
        match turns[0].1 == Given::Choice(Level::Own.as_str().into()) {
            true => turns.extend(Own::of(scenario.level).map(|own| switches(&own)).unwrap_or_default()),
            false if scenario.level == Level::Own => turns.extend(switches(&Own::default())),
            false => {}
        }
    }
    let (Some(group), path::GUESTS_LIMIT_TYPE) = (scenario.guests.get(knob.group), knob.field.path) else { return turns };
    let comes_to = normalised_shares(scenario).get(knob.group).copied().unwrap_or_default().ceil().clamp(0.0, 100.0);
    let begins = group.limit_type == LimitType::NoLimit && group.limit_absolute.as_f64() < comes_to;
    if let Some(maximum) = Knob::at(path::GUESTS_LIMIT_ABSOLUTE, knob.group).filter(|_| begins) {
        turns.push((maximum, Given::Number(comes_to.to_string())));
    }
    turns
}

/// After some knobs were turned and `before` became `after`: what nobody chose, and is another now, because the level or what is left to
/// it has changed.
pub fn left_to_level(before: &Scenario, after: &Scenario, turned: &[Knob]) -> Vec<(Knob, Given)> {
    let there = after.left_as(before, |path| turned.iter().any(|knob| knob.field.path == path));
    let knobs = FIELDS.iter().filter_map(|field| Knob::at(field.path, 0));
    knobs
        .filter_map(|knob| Some((knob, knob.given(&there).filter(|given| knob.given(after).as_ref() != Some(given))?)))
        .collect()
}

/// The switches of level "own", set like this.
fn switches(own: &Own) -> Vec<(Knob, Given)> {
    let there = Scenario { own: *own, ..Scenario::default() };
    let turn = |field: &Field| match field.kind {
        Kind::Switch { get, .. } => Some((Knob::at(field.path, 0)?, Given::Switch(get(&there, 0)))),
        _ => None,
    };
    FIELDS.iter().filter(|field| field.room() == path::room::OWN).filter_map(turn).collect()
}

impl Knob {
    /// Why the knob can do nothing in this scenario, if so. A knob with a forbidden value stays usable, so that it can be
    /// turned back. It then has a problem.
    pub fn locked(&self, scenario: &Scenario, problems: &[Problem]) -> Option<String> {
        let wrong = problems.iter().filter_map(Knob::of_problem).any(|knob| knob == *self);
        self.idle(scenario).filter(|_| !wrong)
    }

    /// Why it can do nothing.
    fn idle(&self, scenario: &Scenario) -> Option<String> {
        match (self.field.effect)(scenario, self.group) {
            Effect::None(why) => Some(why.into_owned()),
            Effect::Some | Effect::Absent => None,
        }
    }

    /// Whether the host has the part that the knob describes. A host alone has no link, and its guests cannot move.
    pub fn exists(&self, scenario: &Scenario) -> bool {
        (self.field.effect)(scenario, self.group) != Effect::Absent
    }

    /// The words of a choice that this scenario cannot have, each with the reason. The present word can always be left.
    pub fn unavailable(&self, scenario: &Scenario) -> Vec<(&'static str, &'static str)> {
        let Kind::Choice { allowed, get, .. } = self.field.kind else { return Vec::new() };
        let now = get(scenario, self.group);
        let reason = |word: &'static str| match self.field.path {
            path::PAGING_KIND | path::PAGING_OTHER_KIND | path::MINIDISKS_KIND => (word == DeviceKind::EdevDirect.as_str()
                && scenario.level.lacks(Mechanism::EdevDirect))
            .then_some("EDEV flash direct needs z/VM 6.4: earlier levels need an SVC before a FlashSystem."),
            path::GUESTS_WORKLOAD => (word == OTHER).then_some(""),
            _ => None,
        };
        let others = allowed.iter().filter(|word| **word != now);
        others.filter_map(|word| reason(word).map(|reason| (*word, reason))).collect()
    }

    /// The values that resolve the problems of this knob, if this knob alone can.
    pub fn remedy(&self, scenario: &Scenario) -> Option<Remedy> {
        // Without a problem there is nothing to resolve.
        scenario.check().err().filter(|error| error.problems.iter().any(|problem| problem.field == self.place()))?;
        let resolves = |given: &Given| {
            let mut other = scenario.clone();
            let turned = self.turn(&mut other, given).is_ok();
            let left = other.check().err().map(|error| error.problems).unwrap_or_default();
            turned && left.iter().all(|problem| problem.field != self.place())
        };
        self.ways_out(scenario).into_iter().find(|remedy| resolves(&remedy.given))
    }

    fn ways_out(&self, scenario: &Scenario) -> Vec<Remedy> {
        let way = |label: String, given: Given| Remedy { label, given };
        let choose = |word: &str| way(format!("Choose {word}"), Given::Choice(word.into()));
        let number = |label: &str, number: String| way(format!("{label} {number}"), Given::Number(number));
        match (self.field.kind, self.field.path) {
            (Kind::Switch { .. }, _) => {
                vec![way("Turn off".into(), Given::Switch(false)), way("Turn on".into(), Given::Switch(true))]
            }
            (_, path::PAGING_KIND | path::PAGING_OTHER_KIND | path::MINIDISKS_KIND) => {
                vec![choose(DeviceKind::EdevSvc.as_str())]
            }
            (_, path::STORAGE_EXPANDED_MB) => vec![way("Use none".into(), Given::Number("0".into()))],
            (_, path::MINIDISKS_MDC_EXPANDED_MB) => vec![number("Lower to", scenario.storage.expanded_mb.to_string())],
            (_, path::MINIDISKS_VOLUMES) => vec![way("Use one".into(), Given::Number("1".into()))],
            (_, path::DISPATCHER_SPIN_LOCK) => [SpinLock::Diag9c, SpinLock::Diag44].map(|way| choose(way.as_str())).into(),
            (_, path::SCHEDULER_LIMITHARD) => vec![choose(LimitHard::Deadline.as_str())],
            (_, path::PROCESSORS_COUNT | path::PRSM_OTHER_LOGICAL) => {
                vec![number("Use", scenario.prsm.physical.to_string())]
            }
            (_, path::GUESTS_LIMIT_ABSOLUTE) => scenario
                .guests
                .get(self.group)
                .map(|group| number("Raise to", group.share_absolute.to_string()))
                .into_iter()
                .collect(),
            _ => {
                let ways = relocation::ways_out(self, scenario);
                ways.into_iter().map(|(label, given)| Remedy { label, given }).collect()
            }
        }
    }
}

/// Settings that the level does not allow but another level does, each with the value that fits.
pub fn lacking(scenario: &Scenario) -> Vec<(Knob, Given)> {
    let problems = |scenario: &Scenario| scenario.check().err().map(|error| error.problems).unwrap_or_default();
    // A problem of the level names the level.
    let of_level = |problem: &Problem| problem.message.contains("z/VM");
    let knobs = problems(scenario).into_iter().filter(of_level).filter_map(|problem| Knob::of_problem(&problem));
    knobs.filter_map(|knob| Some((knob, knob.remedy(scenario)?.given))).collect()
}

/// The words on the button that makes all of them fit.
pub fn without_lacking(scenario: &Scenario) -> String {
    match lacking(scenario).iter().all(|(_, given)| *given == Given::Switch(false)) {
        true => format!("Turn off what {} lacks", scenario.level.name()),
        false => format!("Make all of it fit {}", scenario.level.name()),
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::Channel;
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
    fn a_limit_that_is_chosen_is_not_below_the_share() {
        let mut scenario = crate::published::ready::scenario_of("Excess share, cured").expect("a ready experiment");
        let chosen = Given::Choice(LimitType::LimitHard.as_str().into());
        let kind = Knob::at("guests.limit_type", 3).expect("a field");
        for (knob, given) in together(kind, chosen.clone(), &scenario) {
            knob.turn(&mut scenario, &given).expect("it is a value");
        }
        let limited = &scenario.guests[3];
        assert_eq!((limited.limit_type, limited.limit_absolute.as_f64()), (LimitType::LimitHard, 34.0));
        assert_eq!(together(kind, chosen, &scenario).len(), 1, "an existing limit stays as it was set");
    }

    #[test]
    fn another_level_has_its_own_of_what_nobody_chose() {
        let turned = |scenario: &Scenario, word: &str| {
            let (before, level) = (scenario, knob(path::LEVEL));
            let mut scenario = before.clone();
            for (knob, given) in together(level, Given::Choice(word.into()), before) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            for (knob, given) in left_to_level(before, &scenario, &[level]) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            scenario
        };
        let mut new = Scenario::default();
        (new.guests[0].limit_type, new.guests[0].limit_absolute) =
            (LimitType::LimitHard, zvmlab::scenario::Tenths::whole(20));
        let old = turned(&new, "5.1");
        assert_eq!((old.check(), old.scheduler.limithard), (Ok(()), LimitHard::Deadline));
        assert!(!old.dispatcher.diag44_fast_path);
        assert_eq!(turned(&old, "6.4"), new, "and back");
        new.scheduler.limithard = LimitHard::Deadline;
        assert_eq!(turned(&turned(&new, "5.2"), "6.4").scheduler.limithard, LimitHard::Consumption, "5.2 left no choice");
        let before = turned(&new, "6.1").scheduler;
        assert_eq!(before.limithard, LimitHard::Deadline, "what was chosen stays");
        assert_eq!([before.storbuf_1, before.storbuf_2, before.storbuf_3], Level::V6_1.storbuf_initial());
        new.scheduler.storbuf_3 = 99;
        assert_eq!(turned(&new, "6.1").scheduler.storbuf_3, 99, "and so do numbers that were given");
    }

    #[test]
    fn what_nobody_chose_is_not_kept_by_way_of_level_own() {
        let turned = |before: &Scenario, knob: Knob, given: Given| {
            let mut scenario = before.clone();
            let turns = together(knob, given, before);
            let asked: Vec<Knob> = turns.iter().map(|(knob, _)| *knob).collect();
            for (knob, given) in turns {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            for (knob, given) in left_to_level(before, &scenario, &asked) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            scenario
        };
        let level = |before: &Scenario, word: &str| turned(before, knob(path::LEVEL), Given::Choice(word.into()));
        let own = level(&Scenario::plain(Level::V5_1), "own");
        assert_eq!((own.scheduler.storbuf_1, own.dispatcher.diag44_fast_path), (125, false), "own begins as 5.1");
        assert_eq!(level(&own, "6.4"), Scenario::plain(Level::V6_4));
        // Mechanisms of no level: what stands there was somebody's choice.
        let switched = turned(&own, knob("own.large_blocks"), Given::Switch(true));
        assert_eq!(level(&switched, "6.4").scheduler.storbuf_1, 125);
        let chosen = turned(&own, knob(path::SCHEDULER_STORBUF_1), Given::Number("150".into()));
        assert_eq!(level(&chosen, "6.4").scheduler.storbuf_1, 150);
    }

    #[test]
    fn what_nobody_chose_follows_a_knob_that_makes_the_level_matter() {
        let turned = |level: Level, path: &str, given: Given| {
            let before = Scenario::plain(level);
            let (mut after, knob) = (before.clone(), Knob::at(path, 0).expect("a field"));
            knob.turn(&mut after, &given).expect("it is a value");
            for (knob, given) in left_to_level(&before, &after, &[knob]) {
                knob.turn(&mut after, &given).expect("it is a value");
            }
            assert_eq!(after.check(), Ok(()), "{path} on {}", level.name());
            after
        };
        let aliases = |level| turned(level, "lcu.aliases", Given::Number("4".into())).paging.alias;
        assert_eq!((aliases(Level::V6_3), aliases(Level::V6_4)), (false, true));
        let spins = |level| turned(level, "processors.shared", Given::Switch(true)).dispatcher.spin_lock;
        assert_eq!((spins(Level::V5_2), spins(Level::V6_4)), (SpinLock::Diag44, SpinLock::Diag9c));
    }

    #[test]
    fn level_own_begins_with_the_mechanisms_of_the_level_before() {
        let level = knob(path::LEVEL);
        let own = || Given::Choice("own".into());
        for before in Level::ALL {
            let mut scenario = Scenario { level: before, ..Scenario::default() };
            scenario.own =
                zvmlab::scenario::Own { eligible_list: true, scan_by_lists: false, large_blocks: false, io_below: false };
            for (knob, given) in together(level, own(), &scenario) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            assert_eq!((scenario.level, Some(scenario.own)), (Level::Own, zvmlab::scenario::Own::of(before)));
            // The default host has the fast path of Diag X'44', which 5.1 lacks.
            let alike = scenario.levels_alike().contains(&before);
            assert_eq!(alike, before > Level::V5_1, "{}", before.name());
            assert_eq!(together(level, own(), &scenario).len(), 1, "what was chosen stays");
            for (knob, given) in together(level, Given::Choice(before.as_str().into()), &scenario) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            assert_eq!(scenario.own, zvmlab::scenario::Own::default(), "another level needs none of them, nor does a link");
        }
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
    fn what_takes_storage_or_no_lock_says_so() {
        let plain = ready("PRSM", |scenario| scenario.guests.iter_mut().for_each(|group| group.service_us = 0));
        assert!(!locked("minidisks.mdc_mb", &Scenario::default()), "the cache takes its storage without I/O, too");
        for path in ["dispatcher.spin_lock", "dispatcher.vary_s"] {
            assert!(locked(path, &plain) && !locked(path, &ready("VARY", |_| ())), "{path}");
        }
        assert!(!locked("lcu.aliases", &{
            let mut on_page_volumes = io(Level::V6_3);
            (on_page_volumes.minidisks.volumes, on_page_volumes.minidisks.on_page_volumes) = (0, true);
            on_page_volumes.minidisks.kind = DeviceKind::EdevSvc;
            on_page_volumes
        }));
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
        assert_eq!(knob("paging.zhpf").remedy(&scenario), None, "all is well");
    }

    #[test]
    fn all_that_a_level_has_not_is_turned_off_at_once() {
        let mut scenario = crate::published::ready::scenario_of("QRBKW055").expect("a published run");
        assert_eq!(lacking(&scenario), []);
        scenario.level = Level::V6_3;
        scenario.lcu.channel = Channel::Express8;
        let offered = lacking(&scenario);
        assert_eq!(offered.len(), 2, "{offered:?}");
        for (knob, given) in offered {
            knob.turn(&mut scenario, &given).expect("it is a value");
        }
        assert_eq!(problems(&scenario), Vec::new());
        assert_eq!(without_lacking(&scenario), "Turn off what z/VM 6.3 lacks");
    }

    #[test]
    fn words_that_a_level_has_not_say_so() {
        let words = |path: &str, scenario: &Scenario| {
            knob(path).unavailable(scenario).into_iter().map(|(word, _)| word).collect::<Vec<_>>()
        };
        let mut old = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert_eq!(words("paging.kind", &old), ["EDEV flash direct"]);
        assert_eq!(words("paging.kind", &Scenario::default()), [""; 0]);
        assert_eq!(words("guests.workload", &old), ["other"]);
        old.guests[0].think_ms = zvmlab::scenario::Tenths::whole(5);
        assert_eq!(words("guests.workload", &old), [""; 0], "the present word can stay");
        old.paging.kind = DeviceKind::EdevDirect;
        assert_eq!(words("paging.kind", &old), [""; 0], "the present word can stay");
    }

    fn ready(id: &str, change: fn(&mut Scenario)) -> Scenario {
        let mut scenario = crate::published::ready::scenario_of(id).expect("a ready experiment");
        change(&mut scenario);
        scenario
    }

    #[test]
    fn what_the_level_has_for_good_is_locked_with_its_service() {
        let reason = |path: &str, scenario: &Scenario| knob(path).locked(scenario, &problems(scenario)).unwrap_or_default();
        let recent = ready("STORBUF", |scenario| scenario.level = Level::V6_3);
        assert!(!locked("scheduler.storbuf_1", &ready("STORBUF", |_| ())));
        assert_eq!(reason("scheduler.storbuf_2", &recent), "z/VM 6.3 and later keep no guest in the eligible list.");
        assert!(locked("guests.quickdsp", &recent));
        for (path, service) in
            [("dispatcher.pldv_fix", "VM64887"), ("dispatcher.spin_lock", "VM64927"), ("dispatcher.vary_fix", "VM64767")]
        {
            assert!(reason(path, &recent).contains(service), "{path}: {}", reason(path, &recent));
        }
        assert!(
            !locked("dispatcher.pldv_fix", &ready("PLDV", |_| ())) && !locked("dispatcher.vary_fix", &ready("VARY", |_| ()))
        );
        assert!(locked("dispatcher.vary_fix", &ready("PLDV", |_| ())), "there is no VARY PROCESSOR");
        assert!(reason("dispatcher.diag44_fast_path", &ready("APS9220", |_| ())).contains("z/VM 5.1"));
        assert!(!locked("dispatcher.diag44_fast_path", &ready("APT9280", |_| ())));
    }

    #[test]
    fn of_two_ways_to_give_a_share_the_other_is_locked() {
        let linux = ready("Excess share, cured", |_| ());
        assert!(locked("guests.share_absolute", &linux) && locked("guests.limit_absolute", &linux));
        assert!(!locked("guests.share_relative", &linux) && locked("scheduler.limithard", &linux));
        let limited = ready("LIMIT-SUM", |_| ());
        assert!(locked("guests.share_relative", &limited) && !locked("guests.limit_absolute", &limited));
        assert!(!locked("scheduler.limithard", &limited));
        assert!(locked("prsm.weight", &linux) && !locked("prsm.weight", &ready("PRSM", |_| ())));
        assert!(locked("prsm.other_logical", &ready("PRSM", |scenario| scenario.prsm.partitions = 0)));
    }

    #[test]
    fn a_level_that_has_the_service_turns_its_switch_on() {
        let scenario = ready("VARY", |scenario| {
            scenario.level = Level::V6_2;
            (scenario.dispatcher.pldv_fix, scenario.dispatcher.spin_lock) = (false, SpinLock::Diag44);
        });
        assert_eq!(without_lacking(&scenario), "Make all of it fit z/VM 6.2");
        for (id, path, label) in
            [("LIMIT-SUM", "scheduler.limithard", "Choose DEADLINE"), ("PRSM", "dispatcher.spin_lock", "Choose DIAG 44")]
        {
            let old = ready(id, |scenario| {
                scenario.level = Level::V5_2;
                scenario.dispatcher.spin_lock = SpinLock::Diag9c;
            });
            assert_eq!(knob(path).remedy(&old).map(|remedy| remedy.label).as_deref(), Some(label), "{id}");
        }
        let mut fits = scenario.clone();
        for (knob, given) in lacking(&scenario) {
            knob.turn(&mut fits, &given).expect("it is a value");
        }
        assert_eq!(problems(&fits), Vec::new());
        let mut wide = ready("PRSM", |scenario| scenario.processors.count = 12);
        let remedy = knob("processors.count").remedy(&wide).expect("fewer");
        assert_eq!(remedy.label, "Use 8");
        knob("processors.count").turn(&mut wide, &remedy.given).expect("it is a value");
        assert_eq!(problems(&wide), Vec::new());
        let low = ready("LIMIT-SUM", |scenario| scenario.guests[0].limit_absolute = zvmlab::scenario::Tenths(5));
        assert_eq!(knob("guests.limit_absolute").remedy(&low).map(|remedy| remedy.label).as_deref(), Some("Raise to 40"));
    }
}
