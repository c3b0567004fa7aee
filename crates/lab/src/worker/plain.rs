//! A run in a worker of which the page keeps little: its figures, or what became of the guests that were relocated. A study has many.

use zvmlab::experiment::{Course, Listeners, Look, Outcome};
use zvmlab::scenario::ScenarioError;
use zvmlab::{Scenario, Simulation, Snapshot};

use crate::batch::moved::Moved;
use crate::worker::wire::Answer;

/// What is kept of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The figures of its interval.
    Figures,
    /// What became of each guest that was relocated.
    Moves,
}

/// A run that can be left and gone on with.
pub struct Run {
    scenario: Scenario,
    kept: Kept,
    simulation: Simulation,
    course: Course,
    /// The state at the begin of the interval.
    before: Option<Snapshot>,
}

impl Run {
    /// A run of `scenario` with `seed`, from its begin.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: Scenario, seed: u64, kept: Kept) -> Result<Run, ScenarioError> {
        let simulation = Simulation::new(&scenario, seed)?;
        let course = Course::new(&scenario, seed, 1);
        Ok(Run { scenario, kept, simulation, course, before: None })
    }

    /// Goes on for so many milliseconds of wall time. Returns the result when the run is over.
    pub fn go_on(&mut self, budget_ms: f64, clock: &dyn Fn() -> f64) -> Option<Made> {
        let begin_ms = clock();
        loop {
            if let Some(outcome) = self.piece() {
                return Some(self.made(outcome));
            }
            if clock() - begin_ms >= budget_ms {
                return None;
            }
        }
    }

    fn piece(&mut self) -> Option<Outcome> {
        let Run { scenario, kept, simulation, course, before } = self;
        let watch = &mut |look: Look| {
            if let (Kept::Moves, Look::Begins(snapshot)) = (*kept, look) {
                *before = Some(snapshot.clone());
            }
        };
        course.go_on(simulation, scenario, &mut Listeners { watch, tell: &mut |_, _| {} })
    }

    fn made(&mut self, outcome: Outcome) -> Made {
        match self.kept {
            Kept::Figures => Made::Figures(Box::new(outcome)),
            Kept::Moves => {
                let before = self.before.take().unwrap_or_else(|| outcome.snapshot.clone());
                Made::Moved(Box::new(Moved::between(outcome.measurement, &before, &outcome.snapshot)))
            }
        }
    }
}

/// The result of a run.
pub enum Made {
    /// Of [`Kept::Figures`].
    Figures(Box<Outcome>),
    /// Of [`Kept::Moves`].
    Moved(Box<Moved>),
}

impl Made {
    /// The answer to the page, of a run that took so long.
    pub fn answer(self, wall_ms: f64) -> Answer {
        match self {
            Made::Figures(outcome) => {
                Answer::Figures { measurement: Box::new(outcome.measurement), filled: outcome.snapshot.filled, wall_ms }
            }
            Made::Moved(moved) => Answer::Moved { moved, wall_ms },
        }
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::experiment;

    use super::*;

    /// Runs to the end, and counts how often it was left.
    fn left_again_and_again(scenario: &Scenario, kept: Kept) -> (Made, u32) {
        let mut run = Run::new(scenario.clone(), 3, kept).expect("valid");
        let mut left = 0;
        loop {
            // The clock stands, and no time is no budget: each turn does one piece.
            if let Some(made) = run.go_on(0.0, &|| 0.0) {
                return (made, left);
            }
            left += 1;
        }
    }

    #[test]
    fn a_run_that_is_left_again_and_again_has_the_figures_of_the_experiment() {
        let scenario = crate::studies::study::tests::hybrid();
        let (made, left) = left_again_and_again(&scenario, Kept::Figures);
        let Made::Figures(outcome) = made else { panic!("figures are kept") };
        assert_eq!(*outcome, experiment::run(&scenario, 3).expect("valid"));
        assert!(left > 2, "{left}");
    }

    /// A small guest that is relocated while it changes its storage.
    fn moving() -> Scenario {
        let example = zvmlab::scenario::examples::example("MOVE").expect("an example");
        let mut scenario = Scenario::parse(example.text).expect("valid");
        (scenario.storage.central_mb, scenario.member2.central_mb) = (1_024, 1_024);
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, 3);
        (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb, scenario.guests[0].active_mb) = (384, 320, 16);
        scenario
    }

    /// Who holds such a run, or ends it, waits for the piece that it is at.
    #[test]
    fn a_relocation_is_left_again_and_again_too() {
        let mut scenario = moving();
        (scenario.guests[0].active_mb, scenario.guests[0].touch_mb_s) = (320, 400);
        let mut run = Run::new(scenario, 3, Kept::Moves).expect("valid");
        let (mut longest, mut before) = (0, 0);
        while run.go_on(0.0, &|| 0.0).is_none() {
            longest = longest.max(run.simulation.work() - before);
            before = run.simulation.work();
        }
        let last = run.simulation.work() - before;
        assert!(run.simulation.relocations_ended() && before > 100_000, "{before}");
        assert!(longest.max(last) < 20_000, "{longest}, {last}");
    }

    #[test]
    fn what_is_moved_counts_from_the_begin_of_the_interval() {
        let scenario = moving();
        let (made, _) = left_again_and_again(&scenario, Kept::Moves);
        let Made::Moved(moved) = made else { panic!("what is moved is kept") };
        assert_eq!(moved.measurement, experiment::run(&scenario, 3).expect("valid").measurement);
        let Answer::Moved { moved: told, wall_ms: 7.0 } = Made::Moved(moved.clone()).answer(7.0) else { panic!("of moves") };
        assert_eq!(told, moved);
    }
}
