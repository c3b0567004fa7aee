//! What is to be relocated in a host, and the hosts that are tried around it: what questions and plans have in common.

use zvmlab::Scenario;
use zvmlab::order;
use zvmlab::scenario::GuestGroup;

use super::trials::NewTrial;
use crate::host::moves;
use crate::knob::changes::changes;
use crate::words::number::storage_mb;

/// Central storage in percent of the storage that the guests touch there, from short to ample.
const STORAGE_PERCENT: [u64; 7] = [45, 60, 75, 90, 100, 110, 125];
/// Sizes that differ by no more than this part of what a member has are not tried beside it, in percent. Chosen.
const NEAR_PERCENT: u64 = 5;
/// Least MB of a guest. Chosen: less holds no system.
pub const LEAST_GUEST_MB: u64 = 16;
/// Least MB of a member: a scenario allows no less.
const LEAST_MEMBER_MB: u64 = 256;

/// `base` with an interval that ends with the last relocation.
pub fn until_the_end(base: &Scenario) -> Scenario {
    let mut scenario = base.clone();
    scenario.measure.interval_s = scenario.measure.interval_s.min(scenario.relocation.after_s.max(1));
    scenario
}

/// The group of guests that is to be relocated. Of several groups it is the one with the largest loop.
pub fn mover(base: &Scenario) -> Option<usize> {
    let moves = base.guests.iter().enumerate().filter(|(_, group)| moves(group));
    // Of equal ones the first.
    moves.rev().max_by_key(|(_, group)| group.loop_mb).map(|(at, _)| at)
}

/// Storage that the guests of a member touch before or after all relocations, whichever is more, in MB.
pub fn needed_mb(base: &Scenario, number: u32) -> u64 {
    let here = |group: &&GuestGroup| group.member == number || moves(group) && group.move_to == number;
    base.guests.iter().filter(here).map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// The part of its loop that a guest keeps touching.
pub fn active_mb(group: &GuestGroup) -> u64 {
    if group.active_mb == 0 { group.loop_mb } else { group.active_mb }
}

/// Central storage of member `number` from short to ample. What it has is one of them, unless it has more than enough and there are
/// others to compare.
pub fn storages(base: &Scenario, number: u32) -> Vec<NewTrial> {
    let needed = needed_mb(base, number);
    let own = base.of_member(number).storage.central_mb;
    let with = |mb: u64| {
        let mut scenario = base.clone();
        match number {
            2 => scenario.member2.central_mb = mb,
            3 => scenario.member3.central_mb = mb,
            4 => scenario.member4.central_mb = mb,
            _ => scenario.storage.central_mb = mb,
        }
        NewTrial { name: storage_mb(mb), x: mb as f64 / 1_024.0, scenario }
    };
    let mut sizes: Vec<u64> = STORAGE_PERCENT.map(|percent| (needed * percent / 100).max(LEAST_MEMBER_MB)).into();
    sizes.dedup();
    if sizes.len() < 2 || sizes.last().is_some_and(|most| own < *most) {
        // Its own result stands for one that it hardly differs from.
        sizes.retain(|size| size.abs_diff(own) * 100 > own * NEAR_PERCENT);
        sizes.push(own);
    }
    order::naturally(&mut sizes);
    sizes.into_iter().map(with).collect()
}

/// Ascending values, each once.
pub fn steps(values: &[u64]) -> impl Iterator<Item = u64> {
    let mut values = values.to_vec();
    values.dedup();
    values.into_iter()
}

/// MB as the axes of curves count them: in GB.
pub fn gb(mb: u64) -> f64 {
    mb as f64 / 1_024.0
}

/// What a trial changes in its base scenario, in words.
pub fn changed(base: &Scenario, scenario: &Scenario) -> Vec<String> {
    changes(&until_the_end(base), scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn what_a_member_has_is_among_what_is_tried_unless_it_has_more_than_enough() {
        let mut host = scenario_of("CONSTRAINED").expect("an example");
        let names = |host: &Scenario| storages(host, 2).into_iter().map(|trial| trial.name).collect::<Vec<String>>();
        let tried = ["10.8 GB", "14.4 GB", "18 GB", "20 GB", "21.6 GB", "24 GB", "26.4 GB", "30 GB"];
        assert_eq!(names(&host), tried);
        host.member2.central_mb = 22_000;
        assert_eq!(names(&host)[3..5], ["21.48 GB", "24 GB"], "21.6 GB is nearly the same");
        host.member2.central_mb = 1 << 16;
        assert_eq!(names(&host), tried.into_iter().filter(|size| *size != "20 GB").collect::<Vec<&str>>());
        let own = scenario_of("WHOLE").expect("an example").storage.central_mb;
        let sizes: Vec<String> =
            storages(&scenario_of("WHOLE").expect("an example"), 1).into_iter().map(|trial| trial.name).collect();
        assert!(sizes.contains(&storage_mb(own)), "{sizes:?}");
    }
}
