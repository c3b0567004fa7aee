//! Replications: the whole experiment with several seeds, on as many threads as there are processors. The page has no
//! threads and does not use this: its worker runs one experiment after the other.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use zvmlab::experiment::{self, Outcome};
use zvmlab::order;
use zvmlab::scenario::{Scenario, ScenarioError};

/// One experiment to run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What to run.
    pub scenario: &'a Scenario,
    /// The seed.
    pub seed: u64,
}

/// How many threads the machine runs at once.
pub fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs every job. The outcomes are in the order of the jobs, whatever the number of threads.
///
/// # Errors
/// Every problem of the first scenario that has one.
pub fn run_jobs(jobs: &[Job], thread_count: usize) -> Result<Vec<Outcome>, ScenarioError> {
    run_each(jobs, thread_count, &|job| experiment::run(job.scenario, job.seed))
}

/// The same, with another function that runs a job.
///
/// # Errors
/// Every problem of the first scenario that has one.
pub fn run_each<T: Send>(
    jobs: &[Job],
    thread_count: usize,
    run: &(dyn Fn(&Job) -> Result<T, ScenarioError> + Sync),
) -> Result<Vec<T>, ScenarioError> {
    let next = AtomicUsize::new(0);
    // Each thread takes the next job when it has finished one, because experiments differ in length by a factor.
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { return done };
            done.push((index, run(job)));
        }
    };
    let mut results = thread::scope(|scope| {
        let threads: Vec<_> = (0..thread_count.clamp(1, jobs.len().max(1))).map(|_| scope.spawn(work)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    order::by_key(&mut results, |(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
