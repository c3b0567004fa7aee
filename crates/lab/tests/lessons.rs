//! Every lesson can be taught as it is written: each prediction has one right answer, each task can be reached and is not reached by
//! itself, and what limits is what the lesson says.

use std::sync::atomic::{AtomicUsize, Ordering};

use zvmlab::experiment;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{LESSONS, text_of};
use zvmlab_lab::lesson::trial::play;

/// Seeds with which each lesson is played. `zvmlab lesson run` takes any.
const SEEDS: [u64; 2] = [1, 2];

#[test]
fn every_lesson_can_be_taught_as_it_is_written() {
    // Two at a time, as there are processors; who is done takes the next.
    let next = AtomicUsize::new(0);
    let teach = || {
        while let Some(plate) = LESSONS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let lesson = parse(text_of(plate.id).expect("a text")).expect("a good text");
            let findings = play(&lesson, &SEEDS, &mut |host, seed| {
                let outcome = experiment::run(host, seed).expect("the hosts of a lesson pass the check");
                (outcome.measurement, outcome.limits.limit)
            });
            let faults: Vec<_> = findings.iter().filter(|finding| finding.is_fault).collect();
            assert!(!findings.is_empty() && faults.is_empty(), "{}: {faults:#?}", plate.id);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(teach);
        }
    });
}
