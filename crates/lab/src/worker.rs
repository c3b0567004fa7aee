//! The worker's side: takes a job as bytes, gives the answer as bytes. Knows no page.

mod changes;
pub mod early;
mod experiment;
mod live;
mod moved;
pub mod step;
pub mod wire;

use std::cell::RefCell;

use crate::worker::wire::{Answer, Job, LiveJob, SoFar};
use experiment::Outside;
use live::LiveRun;

thread_local! {
    /// The live run of this worker, if it has one.
    static LIVE: RefCell<Option<LiveRun>> = const { RefCell::new(None) };

    /// The experiment that this worker has begun, and the wall time that it took so far in milliseconds.
    static EXPERIMENT: RefCell<Option<(experiment::Run, f64)>> = const { RefCell::new(None) };
}

/// Milliseconds of wall time for which an experiment goes on before the worker hears messages. Chosen: a reader who stops it sees that at
/// once, and thousands of looks at the clock cost nothing.
pub const PIECE_MS: f64 = 25.0;

/// Does a job of the page; `clock` tells wall time in milliseconds. Job, answer, and what `tell` is told meanwhile are the bytes of
/// [`crate::worker::wire`].
pub fn work(job: &[u8], clock: &dyn Fn() -> f64, tell: &mut dyn FnMut(Vec<u8>)) -> Vec<u8> {
    let mut done = begin(job, clock, tell);
    loop {
        match done {
            Some(answer) => return answer,
            None => done = go_on(clock, tell),
        }
    }
}

/// Begins a job of the page, as [`work`] does it. Returns the answer, or nothing while an experiment goes on: then [`go_on`] is to be
/// called.
pub fn begin(job: &[u8], clock: &dyn Fn() -> f64, tell: &mut dyn FnMut(Vec<u8>)) -> Option<Vec<u8>> {
    match wire::read(job) {
        Ok(Job::Experiment { scenario, seed }) => match experiment::Run::new(scenario, seed, clock()) {
            Ok(run) => {
                EXPERIMENT.set(Some((run, 0.0)));
                go_on(clock, tell)
            }
            Err(error) => Some(wire::written(&Answer::Refused(error.to_string()))),
        },
        Ok(job) => Some(wire::written(&answer(job, clock))),
        Err(error) => Some(wire::written(&unread(&error))),
    }
}

/// Goes on with the experiment that has begun, for [`PIECE_MS`]. Returns the answer when it is over.
pub fn go_on(clock: &dyn Fn() -> f64, tell: &mut dyn FnMut(Vec<u8>)) -> Option<Vec<u8>> {
    let mut tell = |so_far: SoFar| tell(wire::written(&Answer::SoFar(Box::new(so_far))));
    let answer = EXPERIMENT.with_borrow_mut(|experiment| {
        let Some((run, took_ms)) = experiment else {
            return Some(Answer::Refused("there is no experiment to go on with".into()));
        };
        let begin = clock();
        let settled = run.go_on(PIECE_MS, &mut Outside { clock, tell: &mut tell });
        *took_ms += clock() - begin;
        let settled = settled.map(|result| Answer::Settled { result: Box::new(result), wall_ms: *took_ms });
        if settled.is_some() {
            *experiment = None;
        }
        settled
    });
    answer.map(|answer| wire::written(&answer))
}

fn unread(error: &str) -> Answer {
    Answer::Refused(format!("the worker cannot read its job: {error}"))
}

/// Does a job; `clock` tells wall time in milliseconds.
pub fn answer(job: Job, clock: &dyn Fn() -> f64) -> Answer {
    match job {
        Job::Experiment { scenario, seed } => {
            let begin = clock();
            match experiment::Run::new(scenario, seed, begin) {
                Ok(mut run) => {
                    let result = Box::new(run.finish(&mut Outside { clock, tell: &mut |_| {} }));
                    Answer::Settled { result, wall_ms: clock() - begin }
                }
                Err(error) => Answer::Refused(error.to_string()),
            }
        }
        Job::Figures { scenario, seed } => {
            let begin = clock();
            match zvmlab::experiment::run(&scenario, seed) {
                Ok(outcome) => Answer::Figures {
                    measurement: Box::new(outcome.measurement),
                    filled: outcome.snapshot.filled,
                    wall_ms: clock() - begin,
                },
                Err(error) => Answer::Refused(error.to_string()),
            }
        }
        Job::Moves { scenario, seed } => {
            let begin = clock();
            match moved::run(&scenario, seed) {
                Ok(moved) => Answer::Moved { moved: Box::new(moved), wall_ms: clock() - begin },
                Err(error) => Answer::Refused(error.to_string()),
            }
        }
        Job::Live(job) => LIVE.with_borrow_mut(|live| answer_live(job, live, clock)),
    }
}

fn answer_live(job: LiveJob, live: &mut Option<LiveRun>, clock: &dyn Fn() -> f64) -> Answer {
    if let LiveJob::Create { scenario, seed } = job {
        // The old run goes first: two of them need not fit side by side.
        *live = None;
        return match LiveRun::new(*scenario, seed) {
            Ok(run) => Answer::Live(Box::new(live.insert(run).report(0, 0.0))),
            Err(error) => Answer::Refused(error.to_string()),
        };
    }
    let Some(run) = live else { return Answer::Refused("there is no live run to go on with".into()) };
    let (begin, events) = (clock(), run.events());
    match job {
        LiveJob::Fill { budget_ms } => run.fill(&|| clock() - begin < budget_ms),
        LiveJob::Advance { until_ns, every_ns, budget_ms } => {
            run.advance(until_ns, every_ns, &|| clock() - begin < budget_ms)
        }
        LiveJob::Step | LiveJob::Create { .. } => run.step(),
    }
    Answer::Live(Box::new(run.report(events, clock() - begin)))
}

#[cfg(test)]
mod tests {
    use zvmlab::Scenario;

    use super::*;

    #[test]
    fn figures_alone_are_those_of_the_whole_experiment() {
        let scenario = crate::studies::study::tests::hybrid();
        let ask = |job: Job| answer(job, &|| 0.0);
        let Answer::Settled { result, .. } = ask(Job::Experiment { scenario: scenario.clone(), seed: 3 }) else {
            panic!("it settles")
        };
        let Answer::Figures { measurement, filled, .. } = ask(Job::Figures { scenario: scenario.clone(), seed: 3 }) else {
            panic!("it settles")
        };
        assert_eq!((&*measurement, filled), (&result.measurement, result.snapshot.filled));
        let wrong = Scenario { guests: Vec::new(), ..scenario };
        assert!(matches!(ask(Job::Figures { scenario: wrong, seed: 3 }), Answer::Refused(_)));
    }
}
