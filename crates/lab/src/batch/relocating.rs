//! What is to be relocated in a host, and the hosts that are tried around it: what questions and plans have in common.

use zvmlab::Scenario;
use zvmlab::scenario::GuestGroup;

use super::trials::NewTrial;
use crate::host::moves;
use crate::knob::changes::changes;
use crate::words::number::storage_mb;

/// Central storage in percent of the storage that the guests touch there, from ample to short.
const STORAGE_PERCENT: [u64; 7] = [125, 110, 100, 90, 75, 60, 45];
/// Least MB of a guest or a member. Chosen.
pub const LEAST_MB: u64 = 256;

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

/// Central storage of member `number` from ample to short.
pub fn storages(base: &Scenario, number: u32) -> Vec<NewTrial> {
    let needed = needed_mb(base, number);
    let with = |percent: u64| {
        let mb = (needed * percent / 100).max(LEAST_MB);
        let mut scenario = base.clone();
        match number {
            2 => scenario.member2.central_mb = mb,
            3 => scenario.member3.central_mb = mb,
            4 => scenario.member4.central_mb = mb,
            _ => scenario.storage.central_mb = mb,
        }
        NewTrial { name: storage_mb(mb), x: mb as f64 / 1_024.0, scenario }
    };
    let mut made: Vec<NewTrial> = STORAGE_PERCENT.into_iter().rev().map(with).collect();
    made.dedup_by(|a, b| a.x == b.x);
    made
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
