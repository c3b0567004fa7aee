//! Every lesson can be taught as it is written: each prediction has one right answer, each task can be reached and is not reached by
//! itself, and what limits is what the lesson says.

use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{LESSONS, text_of};
use zvmlab_lab::lesson::trial::play_at_once;

/// Seeds with which each lesson is played. `zvmlab lesson run` takes any.
const SEEDS: [u64; 2] = [1, 2];

#[test]
fn every_lesson_can_be_taught_as_it_is_written() {
    for plate in LESSONS {
        let lesson = parse(text_of(plate.id).expect("a text")).expect("a good text");
        let findings = play_at_once(&lesson, &SEEDS).expect("the hosts of a lesson pass the check");
        let faults: Vec<_> = findings.iter().filter(|finding| finding.is_fault).collect();
        assert!(!findings.is_empty() && faults.is_empty(), "{}: {faults:#?}", plate.id);
    }
}
