//! The worker's side: takes a job as bytes, gives the answer as bytes. Knows no page.

mod changes;
pub mod early;
mod experiment;
mod live;
mod plain;
pub mod step;
pub mod wire;

use std::cell::RefCell;

use crate::evidence::Settled;
use crate::worker::wire::{Answer, Job, LiveJob, SoFar};
use experiment::Outside;
use live::LiveRun;
use plain::Kept;

thread_local! {
    /// The live run of this worker, if it has one.
    static LIVE: RefCell<Option<LiveRun>> = const { RefCell::new(None) };

    /// The run that this worker has begun, and the wall time that it took so far in milliseconds.
    static RUN: RefCell<Option<(Run, f64)>> = const { RefCell::new(None) };
}

/// Milliseconds of wall time for which a run goes on before the worker hears messages, or that its page has ended it: WebKit ends no
/// worker inside a program. Chosen: a reader who stops it sees that at once, and thousands of looks at the clock cost nothing.
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

/// Begins a job of the page, as [`work`] does it. Returns the answer, or nothing while a run goes on: then [`go_on`] is to be
/// called.
pub fn begin(job: &[u8], clock: &dyn Fn() -> f64, tell: &mut dyn FnMut(Vec<u8>)) -> Option<Vec<u8>> {
    match wire::read(job).map(|job| start(job, clock)) {
        Ok(Begun::Run(run)) => {
            RUN.set(Some((run, 0.0)));
            go_on(clock, tell)
        }
        Ok(Begun::Answered(answer)) => Some(wire::written(&answer)),
        Err(error) => Some(wire::written(&unread(&error))),
    }
}

/// Goes on with the run that has begun, for [`PIECE_MS`]. Returns the answer when it is over.
pub fn go_on(clock: &dyn Fn() -> f64, tell: &mut dyn FnMut(Vec<u8>)) -> Option<Vec<u8>> {
    let mut tell = |so_far: SoFar| tell(wire::written(&Answer::SoFar(Box::new(so_far))));
    let answer = RUN.with_borrow_mut(|run| {
        let Some((under_way, took_ms)) = run else {
            return Some(Answer::Refused("there is no run to go on with".into()));
        };
        let begin = clock();
        let made = under_way.go_on(PIECE_MS, &mut Outside { clock, tell: &mut tell });
        *took_ms += clock() - begin;
        let answer = made.map(|made| made.answer(*took_ms));
        if answer.is_some() {
            *run = None;
        }
        answer
    });
    answer.map(|answer| wire::written(&answer))
}

/// A run under way.
enum Run {
    /// Its interval is seen in steps, and the page hears how far it is.
    Watched(Box<experiment::Run>),
    /// The page hears its end.
    Plain(Box<plain::Run>),
}

/// The result of a run.
enum Made {
    Watched(Box<Settled>),
    Plain(plain::Made),
}

impl Run {
    fn go_on(&mut self, budget_ms: f64, outside: &mut Outside) -> Option<Made> {
        match self {
            Run::Watched(run) => run.go_on(budget_ms, outside).map(|settled| Made::Watched(Box::new(settled))),
            Run::Plain(run) => run.go_on(budget_ms, outside.clock).map(Made::Plain),
        }
    }
}

impl Made {
    /// The answer to the page, of a run that took so long.
    fn answer(self, wall_ms: f64) -> Answer {
        match self {
            Made::Watched(result) => Answer::Settled { result, wall_ms },
            Made::Plain(made) => made.answer(wall_ms),
        }
    }
}

/// What becomes of a job at first.
enum Begun {
    Run(Run),
    Answered(Answer),
}

fn start(job: Job, clock: &dyn Fn() -> f64) -> Begun {
    let plain = |scenario, seed, kept| plain::Run::new(scenario, seed, kept).map(|run| Run::Plain(Box::new(run)));
    let run = match job {
        Job::Experiment { scenario, seed } => {
            experiment::Run::new(scenario, seed, clock()).map(|run| Run::Watched(Box::new(run)))
        }
        Job::Figures { scenario, seed } => plain(scenario, seed, Kept::Figures),
        Job::Moves { scenario, seed } => plain(scenario, seed, Kept::Moves),
        Job::Live(job) => return Begun::Answered(LIVE.with_borrow_mut(|live| answer_live(job, live, clock))),
    };
    run.map_or_else(|error| Begun::Answered(Answer::Refused(error.to_string())), Begun::Run)
}

fn unread(error: &str) -> Answer {
    Answer::Refused(format!("the worker cannot read its job: {error}"))
}

/// Does a job to its end; `clock` tells wall time in milliseconds.
pub fn answer(job: Job, clock: &dyn Fn() -> f64) -> Answer {
    let begin = clock();
    match start(job, clock) {
        Begun::Answered(answer) => answer,
        Begun::Run(mut run) => loop {
            if let Some(made) = run.go_on(f64::INFINITY, &mut Outside { clock, tell: &mut |_| {} }) {
                return made.answer(clock() - begin);
            }
        },
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
        LiveJob::Look => run.look(),
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
