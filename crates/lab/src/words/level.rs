//! The mechanisms of the levels of z/VM in words: which level has which, and which level has the set of a host.

use zvmlab::Scenario;
use zvmlab::scenario::{Level, Mechanism, Presence};

use super::letters::listed;

/// Which levels have `mechanism`: `always on before z/VM 6.3`, `a choice from z/VM 6.1 on, always on from z/VM 6.2 on`.
pub fn levels_with(mechanism: Mechanism) -> String {
    match (mechanism.since(), mechanism.until(), mechanism.fixed()) {
        (Some(since), Some(until), None) => format!("a choice from {} to before {}", since.name(), until.name()),
        (None, Some(until), None) => format!("a choice before {}", until.name()),
        (_, Some(until), Some(_)) => format!("always on before {}", until.name()),
        (None, None, None) => "a choice on every level".into(),
        (None, None, Some(fixed)) => format!("a choice before {}, then always on", fixed.name()),
        (Some(since), None, None) => format!("a choice from {} on", since.name()),
        (Some(since), None, Some(fixed)) if since == fixed => format!("always on from {} on", fixed.name()),
        (Some(since), None, Some(fixed)) => {
            format!("a choice from {} on, always on from {} on", since.name(), fixed.name())
        }
    }
}

/// Which real levels have the set of mechanisms of a host on level "own", in a sentence; why none has, if none.
pub fn verdict(scenario: &Scenario) -> String {
    let alike: Vec<&str> = scenario.levels_alike().into_iter().map(Level::name).collect();
    if !alike.is_empty() {
        return format!("This set of mechanisms is that of {}.", listed(&alike));
    }
    let says = |level: Level| scenario.unlike(level).map(|mechanism| of_level(level, mechanism));
    let newest = Level::ALL.last().copied().unwrap_or_default();
    let why = says(newest).unwrap_or_default();
    let other = Level::ALL.into_iter().rev().find(|level| scenario.unlike(*level) != scenario.unlike(newest));
    match other.and_then(says) {
        Some(other) => format!("No real level has this set of mechanisms: {other}, and {why}."),
        None => format!("No real level has this set of mechanisms: {why}."),
    }
}

/// What a level has of a mechanism, where the host has the opposite.
fn of_level(level: Level, mechanism: Mechanism) -> String {
    let has = match level.presence(mechanism) {
        Presence::Always => "always has",
        Presence::Lacks | Presence::Choice => "lacks",
    };
    format!("{} {has} “{}”", level.name(), mechanism.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::{examples, scenario_of};
    use crate::published::runs;

    #[test]
    fn each_mechanism_says_which_levels_have_it() {
        let said = |mechanism| levels_with(mechanism);
        assert_eq!(said(Mechanism::EligibleList), "always on before z/VM 6.3");
        assert_eq!(said(Mechanism::PldvFix), "a choice before z/VM 6.2, then always on");
        assert_eq!(said(Mechanism::SpinLockDiag9c), "a choice from z/VM 6.1 on, always on from z/VM 6.2 on");
        assert_eq!(said(Mechanism::LargeBlocks), "always on from z/VM 6.4 on");
        assert_eq!(said(Mechanism::Reserved), "a choice on every level");
        assert_eq!(said(Mechanism::ReleaseExclusive), "a choice from z/VM 5.2 to before z/VM 6.2");
    }

    #[test]
    fn a_host_of_its_own_level_names_the_levels_that_have_its_set_or_why_none_has() {
        let whole = scenario_of("WHOLE").expect("an example");
        let verdict_with = |change: fn(&mut Scenario)| {
            let mut host = whole.clone();
            change(&mut host);
            verdict(&host)
        };
        assert_eq!(
            verdict_with(|_| ()),
            "No real level has this set of mechanisms: z/VM 6.2 with VM65041 always has “Demand scan by lists”, and z/VM 6.4 lacks “Eligible list, held by STORBUF”."
        );
        let older = verdict_with(|host| {
            (host.own.scan_by_lists, host.own.large_blocks, host.paging.alias) = (true, false, false);
        });
        assert_eq!(older, "This set of mechanisms is that of z/VM 6.2 and z/VM 6.2 with VM65041.");
        let mut searches = scenario_of("SEARCHES").expect("an example");
        (searches.own, searches.level) = (zvmlab::scenario::Own::of(Level::V6_1).unwrap_or_default(), Level::Own);
        assert_eq!(verdict(&searches), "This set of mechanisms is that of z/VM 5.2 and z/VM 6.1.");
        searches.storage.central_mb = 8_192;
        assert!(verdict(&searches).contains("z/VM 6.2"), "the rule goes by the host");
    }

    /// What the check says of a level, and what the table of mechanisms says, agree on every ready host.
    #[test]
    fn the_check_refuses_a_level_exactly_where_the_table_says_so() {
        let hosts = runs().into_iter().map(|run| run.scenario).chain(examples().iter().map(|ready| ready.scenario.clone()));
        for host in hosts {
            for level in Level::ALL {
                let there = Scenario { level, ..host.clone() };
                let refused = there.check().is_err();
                let own = zvmlab::scenario::Own::of(level).unwrap_or_default();
                let mut asked = Scenario { level: Level::Own, own, ..host.clone() };
                // A level may do nothing with this field, by the size of the host; the check never refuses it.
                asked.storage.below_percent = 0;
                assert_eq!(refused, asked.unlike(level).is_some(), "{} at {}", host.name, level.name());
            }
        }
    }
}
