//! Hosts made by chance: a published host, an example or a template with some fields turned, most of them as far as they go.

use std::sync::OnceLock;

use zvmlab::Scenario;
use zvmlab::scenario::fields::path::room;
use zvmlab::scenario::fields::{FIELDS, Field, Kind, MAX_GROUPS, path};
use zvmlab::scenario::{AliasShare, Tenths};
use zvmlab_lab::published::{self, ready};
use zvmlab_lab::template;

use crate::dice::Dice;

/// Every host with which others begin.
pub fn begins() -> &'static [Scenario] {
    static BEGINS: OnceLock<Vec<Scenario>> = OnceLock::new();
    BEGINS.get_or_init(|| {
        let published = published::runs().into_iter().map(|run| run.scenario);
        let examples = ready::examples().iter().map(|ready| ready.scenario.clone());
        published.chain(examples).chain(template::HOSTS.iter().map(|host| host.scenario())).collect()
    })
}

/// A host, most of them allowed.
pub fn host(dice: &mut Dice) -> Scenario {
    let mut scenario = dice.one_of(begins()).clone();
    if dice.once_in(4) && scenario.guests.len() < MAX_GROUPS {
        let mut group = dice.one_of(&scenario.guests).clone();
        group.name = format!("G{}", scenario.guests.len());
        scenario.guests.push(group);
    }
    if dice.once_in(4) {
        let other = dice.one_of(begins());
        for _ in 0..dice.below(12) {
            let index = dice.below(scenario.guests.len());
            dice.one_of(FIELDS).copy(&mut scenario, index, other);
        }
    }
    for _ in 0..1 + dice.below(6) {
        turn(&mut scenario, dice);
    }
    scenario
}

/// A host small enough to be run: its budget is the least that a scenario can have, and its intervals are short.
pub fn to_run(dice: &mut Dice) -> Scenario {
    let mut scenario = host(dice);
    scenario.measure.events_m = 1;
    if dice.once_in(2) {
        scenario.measure.interval_s = scenario.measure.interval_s.min(10);
    }
    scenario
}

fn turn(scenario: &mut Scenario, dice: &mut Dice) {
    let field = dice.one_of(FIELDS);
    let groups = if field.room() == room::GUESTS { scenario.guests.len() } else { 1 };
    let before = scenario.clone();
    set(field, scenario, dice.below(groups), dice);
    // Of those that a host may not have, some are kept: they are to be refused in words.
    if scenario.check().is_err() && !dice.once_in(10) {
        *scenario = before;
    }
}

fn set(field: &Field, scenario: &mut Scenario, index: usize, dice: &mut Dice) {
    if field.path == path::MEASURE_EVENTS_M {
        return;
    }
    match field.kind {
        Kind::Whole { min, max, slider_max, set, .. } => {
            let most = if dice.once_in(4) { max } else { slider_max.clamp(min, max) };
            set(scenario, index, dice.number(min, most));
        }
        Kind::Tenths { min, max, set, .. } => {
            set(scenario, index, Tenths(dice.number(min.0.into(), max.0.into()) as u32));
        }
        Kind::Switch { get, set } => {
            let turned = !get(scenario, index);
            set(scenario, index, turned);
        }
        Kind::Choice { allowed, set, .. } => {
            let word = allowed[dice.below(allowed.len())];
            set(scenario, index, word);
        }
        Kind::Share { max, set, .. } => {
            let mut part = || dice.number(1, max.into()) as u32;
            let share = format!("{}:{}", part(), part());
            if let Ok(share) = share.parse::<AliasShare>() {
                set(scenario, index, share);
            }
        }
        Kind::Text { max_chars, set, .. } => {
            let text = ["A", "<b>&\"'", "\u{1b}[2J", "ü\u{202e}x", "\n", ""];
            set(scenario, index, dice.one_of(&text).chars().take(max_chars).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_hosts_are_allowed_and_few_are_alike() {
        let hosts: Vec<Scenario> = (0..300).map(|number| host(&mut Dice::new(7, "host", number))).collect();
        let allowed = hosts.iter().filter(|host| host.check().is_ok()).count();
        assert!((150..300).contains(&allowed), "{allowed} of 300");
        let mut names: Vec<String> = hosts.iter().map(Scenario::to_json).collect();
        names.sort();
        names.dedup();
        assert!(names.len() > 250, "{} differ", names.len());
    }

    #[test]
    fn the_same_seed_makes_the_same_hosts() {
        let make = || host(&mut Dice::new(3, "host", 5)).to_json();
        assert_eq!(make(), make());
    }
}
