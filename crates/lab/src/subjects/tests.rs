//! Subjects: every source, example and host has one, and a changed host keeps it.

mod knobs;

use zvmlab::scenario::Level;

use super::cluster::CLUSTER;
use super::constrained::CONSTRAINED;
use super::guest_zhpf::GUEST_ZHPF;
use super::kinds::KINDS;
use super::link::LINK;
use super::moving::MOVE;
use super::set_cu::SET_CU;
use super::*;
use crate::host::moving;
use crate::published::ready::examples;
use crate::published::{runs, sources};

#[test]
fn every_source_and_every_example_has_its_subject() {
    for source in sources() {
        assert!(SUBJECTS.iter().any(|subject| subject.sources.contains(&source.id)), "{}", source.id);
    }
    for run in runs() {
        let titles: Vec<_> = SUBJECTS.iter().filter(|subject| subject.has(&run.id)).map(|subject| subject.title).collect();
        assert!(
            titles.len() == 1,
            "{} belongs to {titles:?}, not to one subject: name it in the setups of one, or give one its source",
            run.id
        );
        assert!(Subject::of(&run.scenario, None).sources.contains(&run.source_id.as_str()), "{}", run.id);
    }
    for ready in examples() {
        let subjects: Vec<_> = SUBJECTS.iter().copied().filter(|subject| subject.has(ready.example.id)).collect();
        assert_eq!(
            subjects,
            [Subject::of(&ready.scenario, None)],
            "name the example {} in the setups of one subject",
            ready.example.id
        );
    }
}

#[test]
fn every_setup_is_a_host_of_its_subject() {
    for &subject in SUBJECTS {
        for setup in subject.setups {
            let scenario = scenario_of(setup.id).unwrap_or_else(|| panic!("{} is no ready experiment", setup.id));
            assert!(scenario.check().is_ok(), "{}", setup.id);
            assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
        }
        assert!(!subject.setups.is_empty(), "{}", subject.title);
    }
}

#[test]
fn a_changed_host_stays_with_its_subject_while_it_does_the_same_kinds_of_io() {
    for &subject in SUBJECTS {
        for setup in subject.setups {
            let mut scenario = scenario_of(setup.id).expect("a ready experiment");
            scenario.lcu.paths = 7;
            assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
            scenario.guests[0].count += 1;
            scenario.level = Level::V6_3;
            scenario.processors.capacity_percent = 50;
            assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
        }
    }
    let mut scenario = KINDS.base().expect("a published run");
    scenario.lcu.paths = 7;
    assert_eq!(Subject::of(&scenario, None), PAGING, "its origin is unknown");
    let mut scenario = SET_CU.base().expect("a published run");
    scenario.guests.truncate(1);
    assert_eq!(Subject::of(&scenario, Some(SET_CU.start())), GUEST_ZHPF, "it pages no more");
    let mut scenario = SET_CU.base().expect("a published run");
    scenario.guests[0].io_records = 0;
    assert_eq!(Subject::of(&scenario, Some(SET_CU.start())), SET_CU, "the way back is that of SET CU");
}

#[test]
fn a_host_that_nobody_knows_is_a_matter_of_what_it_has() {
    // What is special about the link's host is what is asked of it: else it is a guest that moves.
    for &subject in SUBJECTS.iter().filter(|subject| subject.part != Part::Storage && **subject != LINK) {
        let mut scenario = subject.base().expect("a ready experiment");
        scenario.lcu.paths = 7;
        assert_eq!(Subject::of(&scenario, None), subject, "{}", subject.title);
    }
}

#[test]
fn a_host_that_becomes_a_cluster_is_a_matter_of_one_and_a_cluster_stays_one() {
    let mut scenario = PAGING.base().expect("a published run");
    scenario.cluster.members = 2;
    assert_eq!(Subject::of(&scenario, Some(PAGING.start())), CLUSTER);
    scenario.guests.truncate(1);
    (scenario.guests[0].count, scenario.guests[0].move_to) = (1, 2);
    assert_eq!(Subject::of(&scenario, Some(PAGING.start())), MOVE);
    scenario.member2.central_mb = 1_024;
    assert_eq!(Subject::of(&scenario, None), CONSTRAINED);
    let mut link = LINK.base().expect("an example");
    link.guests[0].count = 3;
    assert_eq!(Subject::of(&link, Some(LINK.start())), LINK);
    link.guests[0].move_to = 1;
    assert_eq!((moving(&link), Subject::of(&link, None)), (0, CLUSTER), "who goes nowhere stays");
    link.cluster.members = 1;
    assert!(!Subject::of(&link, Some(LINK.start())).is_of_relocation());
}

#[test]
fn each_part_has_its_subjects_one_after_the_other() {
    assert!(SUBJECTS.is_sorted_by_key(|subject| subject.part as u8));
    for part in Part::ALL {
        assert!(SUBJECTS.iter().any(|subject| subject.part == part), "{}", part.title());
    }
}

#[test]
fn no_two_subjects_have_one_title_and_no_two_signs_of_clusters_or_of_others_one_place() {
    for (index, subject) in SUBJECTS.iter().enumerate() {
        for other in &SUBJECTS[index + 1..] {
            assert_ne!(subject.title, other.title);
            let [one, two] = [subject, other].map(|of| of.sign.as_ref().map(|sign| (of.is_of_relocation(), sign.order)));
            assert!(one.is_none() || one != two, "{} and {}", subject.title, other.title);
        }
    }
}
