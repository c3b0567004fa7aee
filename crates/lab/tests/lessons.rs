//! Every lesson can be taught as it is written: each prediction has one right answer, each task can be reached and is not reached by
//! itself, and what limits is what the lesson says.

use std::rc::Rc;

use zvmlab::experiment;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{LESSONS, text_of};
use zvmlab_lab::lesson::trial::Trial;
use zvmlab_reference::replication::{Job, run_each, thread_count};

/// Seeds with which each lesson is played. `zvmlab lesson run` takes any.
const SEEDS: [u64; 2] = [1, 2];

#[test]
fn every_lesson_can_be_taught_as_it_is_written() {
    for plate in LESSONS {
        let lesson = parse(text_of(plate.id).expect("a text")).expect("a good text");
        let mut trial = Trial::with_seeds(Rc::new(lesson), &SEEDS);
        let missing = trial.missing().to_vec();
        let jobs: Vec<Job> = missing.iter().map(|(scenario, seed)| Job { scenario, seed: *seed }).collect();
        let run = |job: &Job| experiment::run(job.scenario, job.seed).map(|one| (one.measurement, one.limits.limit));
        let ran = run_each(&jobs, thread_count(), &run).expect("the hosts of a lesson pass the check");
        trial.hear(|host, seed| {
            let at = missing.iter().position(|(other, one)| *one == seed && other == host)?;
            ran.get(at).cloned()
        });
        let findings = trial.findings().expect("all runs are known");
        let faults: Vec<_> = findings.iter().filter(|finding| finding.is_fault).collect();
        assert!(!findings.is_empty() && faults.is_empty(), "{}: {faults:#?}", plate.id);
    }
}
