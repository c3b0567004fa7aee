//! A run with looks at its interval: for what shares come to, and for the answer.

use zvmlab::experiment::{self, Look, Outcome};
use zvmlab::scenario::{Scenario, ScenarioError};
use zvmlab::simulation::Simulation;
use zvmlab::snapshot::Snapshot;
use zvmlab_lab::evidence::STEPS;
use zvmlab_lab::words::answer::asks_for_work_that_stays;

use crate::progress::Line;

/// How often shares are looked at in the interval. Chosen: what they come to changes with the guests that want to run.
const SHARE_LOOKS: u64 = 100;

/// The looks at a run's interval, beside its outcome.
#[derive(Clone)]
pub struct Watched {
    /// The state at the start of the interval.
    pub first: Snapshot,
    /// What each group's shares came to, in millionths of the partition, mean over the looks.
    pub shares_ppm: Vec<u64>,
    /// The states of the interval for the answer. They are those that the page uses, so that both say the same.
    pub looks: Vec<Snapshot>,
}

/// Runs `scenario` as [`experiment::run`] does, with the same outcome.
///
/// # Errors
/// Every problem of the scenario.
pub fn run_watched(scenario: &Scenario, seed: u64) -> Result<(Outcome, Watched), ScenarioError> {
    let mut simulation = Simulation::new(scenario, seed)?;
    // The steps are short enough for the looks at shares and for the looks for the answer.
    let answered = asks_for_work_that_stays(scenario);
    let each = if answered { STEPS } else { 1 };
    let none = Watched { first: Snapshot::default(), shares_ppm: vec![0; scenario.guests.len()], looks: Vec::new() };
    let mut watched = none.clone();
    let (mut steps, mut looks) = (0, 0);
    let mut watch = |look: Look| {
        let snapshot = look.snapshot();
        if let Look::Begins(first) = look {
            // What was seen of an interval that came too early is of the warm-up.
            (watched, steps, looks) = (Watched { first: first.clone(), ..none.clone() }, 0, 0);
        } else if answered && steps % SHARE_LOOKS == 0 {
            watched.looks.push(snapshot.clone());
        }
        if steps % each == 0 {
            looks += 1;
            for guest in &snapshot.guests {
                watched.shares_ppm[guest.group as usize] += guest.share_ppm;
            }
        }
        steps += 1;
    };
    let mut line = Line::new();
    let mut tell = |_: &Simulation, progress: experiment::Progress| line.tell(scenario, progress);
    let outcome = experiment::finish_told(&mut simulation, scenario, seed, SHARE_LOOKS * each, &mut watch, &mut tell);
    watched.shares_ppm.iter_mut().for_each(|sum| *sum /= looks.max(1));
    Ok((outcome, watched))
}
