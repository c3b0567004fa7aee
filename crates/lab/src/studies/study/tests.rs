//! Which studies a scenario has, which runs they make, and which results stay while a study runs again.

use std::rc::Rc;

use zvmlab::Snapshot;
use zvmlab::scenario::workloads::{IO3390, VIRSTOCX};
use zvmlab::scenario::{AliasShare, DeviceKind, Level, LimitHard, SpinLock};

use super::super::STUDIES;
use super::super::guest_zhpf::GUEST_ZHPF;
use super::super::limit_hard::LIMIT_HARD;
use super::super::pldv::PLDV;
use super::super::prsm_overhead::PRSM_OVERHEAD;
use super::super::set_cu::SET_CU;
use super::super::spin_lock::SPIN_LOCK;
use super::super::storbuf::{STORBUF, STORBUFS};
use super::*;

/// A host like the one of the alias sharing measurements, some hundred times smaller: both kinds of I/O on one control unit.
pub fn hybrid() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.processors.count = 4;
    scenario.storage.central_mb = 256;
    scenario.lcu.aliases = 16;
    scenario.paging.volumes = 2;
    scenario.minidisks.volumes = 4;
    let mut thrasher = scenario.guests.remove(0);
    VIRSTOCX.apply(&mut thrasher);
    (thrasher.name, thrasher.count, thrasher.virtual_mb, thrasher.loop_mb) = ("VIRSTOCX".into(), 12, 64, 32);
    let mut exerciser = thrasher.clone();
    IO3390.apply(&mut exerciser);
    (exerciser.name, exerciser.count, exerciser.loop_mb) = ("IO3390".into(), 32, 1);
    scenario.guests = vec![exerciser, thrasher];
    scenario.measure.warmup_s = 1;
    scenario.measure.interval_s = 1;
    scenario
}

/// The exerciser alone.
pub fn exerciser() -> Scenario {
    let mut scenario = hybrid();
    scenario.guests.truncate(1);
    scenario
}

fn stands(kind: &'static StudyKind, scenario: &Scenario) -> (f64, String) {
    kind.stands(scenario).expect("it is of the bench")
}

/// A host to begin with.
fn example(id: &str) -> Scenario {
    let example = zvmlab::scenario::examples::example(id).expect("an example");
    Scenario::parse(example.text).expect("valid")
}

fn begin(kind: &'static StudyKind, base: Scenario, earlier: Option<&Study>) -> Study {
    Study::begin(kind, base, 1, earlier, &|_| None)
}

fn figures() -> RunState<Measurement> {
    RunState::Known(Rc::new(Measurement::between(&Snapshot::default(), &Snapshot { now_ns: 1, ..Snapshot::default() })))
}

/// Lets every experiment settle.
fn finish(study: &mut Study) {
    while let Some(key) = study.next(&|_| false).map(|point| point.key.clone()) {
        study.put(&key, &figures());
    }
}

#[test]
fn a_scenario_has_a_study_or_a_reason_for_none() {
    let with = |change: &dyn Fn(&mut Scenario)| {
        let mut scenario = hybrid();
        change(&mut scenario);
        SET_CU.lacking(&scenario).unwrap_or_default()
    };
    assert_eq!(with(&|_| {}), "");
    assert!(with(&|scenario| scenario.lcu.aliases = 0).contains("no aliases"));
    assert!(with(&|scenario| scenario.paging.alias = false).contains("paging I/O uses no aliases"));
    assert!(with(&|scenario| scenario.guests.truncate(1)).contains("nothing is paged"));
    assert!(with(&|scenario| drop(scenario.guests.remove(0))).contains("no guest does minidisk I/O"));
    assert!(with(&|scenario| scenario.minidisks.kind = DeviceKind::EdevSvc).contains("EDEV"));
    assert_eq!(GUEST_ZHPF.lacking(&exerciser()), None);
    assert!(GUEST_ZHPF.lacking(&hybrid()).is_some_and(|why| why.contains("other guests")));
    assert!(GUEST_ZHPF.lacking(&Scenario::default()).is_some());
}

#[test]
fn fifteen_ratios_go_from_minidisks_to_paging() {
    let mut study = begin(SET_CU, hybrid(), None);
    let places = study.places();
    assert_eq!((places.len(), places[0].as_str(), places[14].as_str()), (15, "15:1", "1:15"));
    assert_eq!(study.batch.runs[3].scenario.lcu.alias_share, AliasShare { mdisk: 12, paging: 4 });
    assert_eq!(study.batch.progress(), (0, 15));
    let mut order = Vec::new();
    while let Some((place, key)) = study.next(&|_| false).map(|point| (point.at.place, point.key.clone())) {
        order.push(place);
        study.put(&key, &figures());
    }
    assert_eq!(order, [0, 14, 7, 3, 11, 1, 5, 9, 13, 2, 4, 6, 8, 10, 12]);
    assert_eq!((study.batch.is_complete(), study.batch.progress()), (true, (15, 15)));
}

#[test]
fn what_runs_is_not_run_twice() {
    let study = begin(SET_CU, hybrid(), None);
    let first = study.next(&|_| false).map(|point| point.key.clone()).expect("a point");
    let second = study.next(&|key| *key == first).map(|point| point.at.place);
    assert_eq!(second, Some(14));
}

#[test]
fn moving_along_the_study_is_no_other_study() {
    let study = begin(SET_CU, hybrid(), None);
    let mut moved = hybrid();
    moved.lcu.alias_share = AliasShare { mdisk: 3, paging: 13 };
    assert!(study.is_of(&moved, 1) && !study.is_of(&moved, 2));
    assert_eq!(stands(SET_CU, &moved), (12.0, "3:13".into()));
    moved.lcu.alias_share = AliasShare { mdisk: 100, paging: 100 };
    assert_eq!(stands(SET_CU, &moved), (7.0, "100:100 = 8:8".into()));
    for (share, x, name) in [
        ("3:5", 9.0, "3:5 = 6:10"),
        ("2:1", 13.0 / 3.0, "2:1, between 11:5 and 10:6"),
        ("100:1", -85.0 / 101.0, "100:1, beyond 15:1"),
        ("1:100", 14.0 + 85.0 / 101.0, "1:100, beyond 1:15"),
    ] {
        moved.lcu.alias_share = share.parse().expect("a share");
        let (at, said) = stands(SET_CU, &moved);
        assert!((at - x).abs() < 1e-9 && said == name, "{share}: {at} {said}");
    }
    moved.lcu.aliases = 8;
    assert!(!study.is_of(&moved, 1));
}

#[test]
fn curves_stay_until_the_new_ones_are_complete() {
    let mut old = begin(SET_CU, hybrid(), None);
    finish(&mut old);
    let mut base = hybrid();
    base.lcu.aliases = 8;
    let mut study = begin(SET_CU, base.clone(), Some(&old));
    assert_eq!((study.before(0).count(), study.line(0).count()), (15, 0));
    let key = study.batch.runs[0].key.clone();
    study.put(&key, &figures());
    assert_eq!((study.before(0).count(), study.line(0).count()), (15, 1));
    // Another change before the study is complete: the charts keep what they show.
    base.lcu.aliases = 4;
    let mut study = begin(SET_CU, base, Some(&study));
    assert_eq!((study.before(0).count(), study.line(0).count()), (15, 0));
    finish(&mut study);
    assert_eq!((study.before(0).count(), study.line(0).count()), (0, 15));
}

#[test]
fn both_modes_are_run_for_each_number_of_records() {
    let study = begin(GUEST_ZHPF, exerciser(), None);
    assert_eq!(study.batch.runs.len(), 16);
    let last = &study.batch.runs[15].scenario.guests[0];
    assert_eq!((last.io_records, last.io_zhpf), (64, true));
    let mut moved = exerciser();
    moved.guests[0].io_records = 24;
    assert!(study.is_of(&moved, 1));
    assert_eq!(stands(GUEST_ZHPF, &moved), (4.5, "24 records, command".into()));
    moved.guests[0].io_records = 1;
    assert_eq!(stands(GUEST_ZHPF, &moved).0, 0.0);
}

#[test]
fn a_mode_that_the_level_lacks_is_left_out_with_its_reason() {
    let mut old = Scenario { level: Level::V6_2, ..exerciser() };
    old.paging.alias = false;
    let study = begin(GUEST_ZHPF, old, None);
    assert_eq!(study.batch.progress(), (0, 8));
    assert_eq!(study.left_out().len(), 1, "{:?}", study.left_out());
    assert!(study.left_out()[0].contains("6.2"), "{:?}", study.left_out());
}

#[test]
fn each_example_has_the_study_of_its_subject_and_no_bad_point() {
    for (id, kind, points) in [
        ("STORBUF", STORBUF, 9),
        ("LIMIT-SUM", LIMIT_HARD, 6),
        ("PRSM", PRSM_OVERHEAD, 6),
        ("SPIN-LOCK", SPIN_LOCK, 12),
        ("PLDV", PLDV, 18),
    ] {
        let base = example(id);
        assert_eq!(kind.lacking(&base), None, "{id}");
        let study = begin(kind, base, None);
        assert_eq!((study.batch.runs.len(), study.left_out().len()), (points, 0), "{id}: {:?}", study.left_out());
        assert!(STUDIES.iter().all(|kind| kind.lacking(&Scenario::default()).is_some()));
    }
}

#[test]
fn storbuf_goes_through_what_initial_sets() {
    let mut bench = example("STORBUF");
    let study = begin(STORBUF, bench.clone(), None);
    let places = study.places();
    for level in [Level::V6_1, Level::V6_2] {
        let initial = level.storbuf_initial();
        assert!(STORBUFS.contains(&initial) && places.contains(&initial[2].to_string()));
    }
    assert!(STORBUFS.windows(2).all(|pair| pair[0][2] < pair[1][2]));
    // If some points are known, they tell both which numbers are too small and which too large.
    let mut begun = study.clone();
    let mut order = Vec::new();
    while let Some((place, key)) = begun.next(&|_| false).map(|point| (point.at.place, point.key.clone())) {
        order.push(places[place].clone());
        begun.put(&key, &figures());
    }
    assert_eq!(order[..6], ["95", "130", "200", "110", "20", "300"], "{order:?}");
    assert_eq!(study.shorter_interval(), None, "as long as the bench's");
    (bench.scheduler.storbuf_2, bench.scheduler.storbuf_3) = (180, 180);
    assert!(study.is_of(&bench, 1), "the study is not about the numbers");
    assert_eq!(stands(STORBUF, &bench), (6.6, "300 180 180".into()));
    bench.level = Level::V6_3;
    assert!(STORBUF.lacking(&bench).is_some_and(|why| why.contains("level")));
}

#[test]
fn limithard_is_studied_in_the_configurations_of_the_deck() {
    let study = begin(LIMIT_HARD, example("LIMIT-NOT-BUSY"), None);
    let ways: Vec<LimitHard> = study.batch.runs.iter().map(|point| point.scenario.scheduler.limithard).collect();
    assert_eq!((&ways[..3], &ways[3..]), (&[LimitHard::Deadline; 3][..], &[LimitHard::Consumption; 3][..]));
    assert_eq!(study.batch.runs[1].scenario.name, "LIMIT-LOW-MIN");
    let mut changed = example("LIMIT-SUM");
    changed.guests[0].limit_absolute = zvmlab::scenario::Tenths(500);
    assert!(study.is_of(&changed, 1) && LIMIT_HARD.stands(&changed).is_none());
}

#[test]
fn both_ways_to_wait_for_a_lock_are_run() {
    let study = begin(SPIN_LOCK, example("SPIN-LOCK"), None);
    assert_eq!(study.batch.runs[0].scenario.dispatcher.spin_lock, SpinLock::Diag44);
    assert_eq!(study.batch.runs[11].scenario.dispatcher.spin_lock, SpinLock::Diag9c);
    assert_eq!(stands(SPIN_LOCK, &study.batch.base), (3.0, "60 %, DIAG 44".into()));
}
