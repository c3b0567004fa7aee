//! Runs, while Python goes on: its lock is free, it is told how far they are, and Ctrl-C ends them.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use serde_json::Value;
use zvmlab::experiment::Phase;
use zvmlab_lab::words::so_far;
use zvmlab_lab::words::unit::plain;
use zvmlab_reference::replication;

use crate::batch::Batch;
use crate::crew::{Crew, Done, Failed, Job};
use crate::host::Host;
use crate::kept::Kept;
use crate::problems;
use crate::result::Outcomes;

/// How often it is looked whether Ctrl-C was pressed. Chosen: a fifth of the time within which a run must stop.
const LOOK: Duration = Duration::from_millis(20);

/// How often Python is told how far the runs are. Chosen: as often as an eye sees a change.
const TELL: Duration = Duration::from_millis(100);

/// How many threads this machine runs at once.
#[pyfunction]
pub fn thread_count() -> usize {
    replication::thread_count()
}

/// Runs a host with the seeds from `seed` on. Of the first run everything is kept, with `steps` looks at its interval.
#[pyfunction]
pub fn run(
    py: Python<'_>,
    host: &Host,
    seed: u64,
    replications: u64,
    steps: u64,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Outcomes> {
    let job = |at: u64| host.job(seed.saturating_add(at), (at == 0).then_some(steps));
    let mut first = None;
    let mut kept = Vec::new();
    follow(py, (0..replications).map(job).collect(), threads, progress, &mut |index, done| {
        kept.push((index, Kept::of(&done)));
        if index == 0 {
            first = Some(done);
        }
    })?;
    kept.sort_by_key(|(index, _)| *index);
    let first = first.ok_or_else(|| problems::of_bug("a run without a first result"))?;
    let (scenario, constants) = (host.scenario.clone(), host.constants.clone());
    Ok(Outcomes { scenario, constants, runs: kept.into_iter().map(|(_, kept)| kept).collect(), first })
}

/// Runs each of these pairs of a host, by its number, and a seed.
#[pyfunction]
pub fn run_jobs(
    py: Python<'_>,
    hosts: Vec<PyRef<'_, Host>>,
    jobs: Vec<(usize, u64)>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Batch> {
    let job = |&(host, seed): &(usize, u64)| {
        let host = hosts.get(host).ok_or_else(|| problems::of_bug("a job of a host that is not there"))?;
        Ok(host.job(seed, None))
    };
    let all: Vec<Job> = jobs.iter().map(job).collect::<PyResult<_>>()?;
    let mut kept = Vec::new();
    follow(py, all, threads, progress, &mut |index, done| kept.push((index, Kept::of(&done))))?;
    kept.sort_by_key(|(index, _)| *index);
    Ok(Batch { runs: jobs.iter().zip(kept).map(|((host, _), (_, kept))| (*host as u32, kept)).collect() })
}

/// Runs the jobs on so many threads; `take` gets each result, in the order in which they end.
///
/// # Errors
/// Ctrl-C, what `progress` raises, the problems of a scenario, or a fault of ours. The threads then stop by themselves.
pub fn follow(
    py: Python<'_>,
    jobs: Vec<Job>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
    take: &mut dyn FnMut(usize, Done),
) -> PyResult<()> {
    let total = jobs.len();
    let crew = Crew::start(jobs, threads);
    let (mut ended, mut due) = (0, Instant::now() + TELL);
    while ended < total {
        let crew = &crew;
        let heard = py.detach(|| crew.wait(LOOK));
        py.check_signals()?;
        match heard {
            None => {}
            Some((index, Ok(done))) => {
                take(index, done);
                ended += 1;
            }
            Some((_, Err(Failed::Scenario(error)))) => return Err(problems::of_scenario(&error, &Value::Null)),
            Some((_, Err(Failed::Fault(what)))) => return Err(problems::of_bug(&what)),
        }
        if let Some(progress) = progress.as_ref().filter(|_| Instant::now() >= due || ended == total) {
            due = Instant::now() + TELL;
            tell(progress, (ended, total), crew)?;
        }
    }
    Ok(())
}

/// Calls Python's function with how far the runs are: runs that have ended, runs, phase, part of it, simulated seconds, words.
fn tell(progress: &Bound<'_, PyAny>, (ended, total): (usize, usize), crew: &Crew) -> PyResult<()> {
    let Some(latest) = crew.latest() else { return Ok(()) };
    let phase = match latest.phase {
        Phase::Fill => "fill",
        Phase::WarmUp => "warm_up",
        Phase::Interval => "interval",
        Phase::Relocations => "relocations",
    };
    let words = plain(&so_far::said(&latest, None));
    progress.call1((ended, total, phase, latest.part, latest.now_s, words)).map(drop)
}
