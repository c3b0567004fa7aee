//! The answer of a run in a few sentences, if the host is a cluster.

use zvmlab::{Scenario, Snapshot};

use super::{relocations, staying};

/// Whether the scenario asks about work that stays. Bouncing guests, and members that come and go, are there to show what it loses.
pub fn asks_for_work_that_stays(scenario: &Scenario) -> bool {
    scenario.cluster.members > 1 && (scenario.relocation.bounce || !scenario.relocates())
}

/// The answer of a run that ended at `last`; `looks` are the states of its interval, in their order. If the scenario asks about
/// work that stays, that comes first.
pub fn of_run(scenario: &Scenario, last: &Snapshot, looks: &[&Snapshot]) -> Option<String> {
    let answer = relocations::answer(scenario, last)?;
    let stays = asks_for_work_that_stays(scenario).then(|| staying::said(scenario, looks)).flatten();
    Some(stays.map_or(answer.clone(), |stays| format!("{stays} {answer}")))
}
