//! What a run says in sentences, for those who have no page before them.

use zvmlab::experiment::Outcome;
use zvmlab::{Measurement, Scenario, Snapshot};

use super::unit::plain;
use super::{answer, limit, settling, stop};

/// What the figures of these runs are good for.
pub fn good_for<'a>(scenario: &Scenario, runs: impl IntoIterator<Item = &'a Measurement>) -> Option<String> {
    settling::of_runs(scenario, runs).map(|said| plain(&said.words))
}

/// What one run says of its interval, which was looked at in steps: what limits, why a guest was stopped for as long, the answer to the
/// question that the host asks.
pub fn of_outcome(scenario: &Scenario, outcome: &Outcome, looks: &[&Snapshot]) -> Vec<String> {
    let limits = format!("What limits: {}", limit::said(&outcome.limits));
    let why = stop::why(&outcome.snapshot).map(|why| {
        let lever = stop::lever(scenario, &outcome.snapshot, &outcome.limits);
        format!("The stop: {why}{}", lever.map_or(String::new(), |lever| format!(" {lever}")))
    });
    let answer = answer::of_run(scenario, &outcome.snapshot, looks);
    [limits].into_iter().chain(why).chain(answer).map(|said| plain(&said)).collect()
}
