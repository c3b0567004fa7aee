//! The sections below a run's figures: who moved, where the guests' time went, who waits, what the processors did. Plain labelled
//! fields, without imitating the layout of a CP response.

mod lists;
mod processors;
mod relocations;

use zvmlab::Measurement;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;
use zvmlab_lab::words::answer;
use zvmlab_lab::words::in_a_line::computes;

use crate::figures::limited;
use crate::output::plain;
use crate::watched::Watched;

/// The sections below the figures; none for a host about which they would say nothing.
pub fn sections(scenario: &Scenario, watched: &Watched, last: &Snapshot) -> String {
    let first = &watched.first;
    let looks: Vec<&Snapshot> = watched.looks.iter().collect();
    let answer = answer::of_run(scenario, last, &looks);
    let mut text = answer.map_or(String::new(), |answer| format!("\n{}\n", plain(&answer)));
    text += &relocations::sections(first, last);
    text += &processors::groups(scenario, &Measurement::between(first, last));
    if computes(scenario) || limited(scenario) {
        text += &processors::states(scenario, first, last);
        text += &processors::shares(scenario, &watched.shares_ppm, first, last);
        text += &processors::processors(first, last);
    }
    if scenario.processors.shared {
        text += &processors::prsm(first, last);
    }
    let waited = last.scheduler.eligible_ns > first.scheduler.eligible_ns;
    if computes(scenario) || limited(scenario) || waited {
        text += &lists::lists(first, last);
    }
    text
}
