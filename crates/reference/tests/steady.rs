//! A run is the same at any hour: what a host does in its interval, it does after many of them.

use zvmlab::measurement::{Figure, Measurement};
use zvmlab::scenario::Scenario;
use zvmlab_reference::replication::{Job, run_jobs, thread_count};
use zvmlab_reference::{Kind, runs};

/// The host of V4DVY000 at a sixteenth of its size: eight guests that walk through a little more than fits.
const SMALL: &str = r#"
name = "small"
level = "6.4"
measure = { interval_s = 60 }
storage = { central_mb = 8192 }
processors = { count = 8 }
paging = { volumes = 4 }
guests = [{ name = "VIRSTOEX", count = 8, virtual_mb = 1152, loop_mb = 1024, workload = "VIRSTOEX" }]
"#;

/// The figures of these hosts, each with these seeds.
fn measured(scenarios: &[Scenario], seeds: u64) -> Vec<Measurement> {
    let of = |scenario| (1..=seeds).map(move |seed| Job { scenario, seed });
    let jobs: Vec<Job> = scenarios.iter().flat_map(of).collect();
    let outcomes = run_jobs(&jobs, thread_count()).expect("the scenarios are good ones");
    outcomes.into_iter().map(|outcome| outcome.measurement).collect()
}

/// Which part two figures differ by.
fn difference(early: f64, late: f64) -> f64 {
    if early == late { 0.0 } else { (late / early - 1.0).abs() }
}

/// When demand scan took the same number of pages from each guest, one guest after the other had all of its loop resident within
/// five minutes, and the throughput was 9 to 60 times that of the beginning.
#[test]
fn guests_that_are_alike_stay_alike() {
    let after = |warmup_s: u32| {
        let mut scenario = Scenario::parse(SMALL).expect("a good scenario");
        scenario.measure.warmup_s = warmup_s;
        scenario
    };
    let etr: Vec<f64> = measured(&[after(5), after(300)], 3).iter().filter_map(|one| one.get(Figure::Etr)).collect();
    assert_eq!(etr.len(), 6);
    for (early, late) in etr[..3].iter().zip(&etr[3..]) {
        assert!(difference(*early, *late) < 0.02, "{early} in the first minute, {late} after five: {etr:?}");
    }
}

/// Every host with published figures that is not about relocations, which happen once.
#[test]
fn published_hosts_do_the_same_after_ten_intervals() {
    let hosts: Vec<_> = runs().filter(|run| !run.scenario.relocates() && !run.figures.is_empty()).collect();
    assert!(hosts.len() > 30, "{} hosts", hosts.len());
    let early: Vec<Scenario> = hosts.iter().map(|run| run.scenario.clone()).collect();
    let late = early.iter().cloned().map(|mut scenario| {
        scenario.measure.warmup_s += 9 * scenario.measure.interval_s;
        scenario
    });
    let late = measured(&late.collect::<Vec<_>>(), 1);
    for ((run, early), late) in hosts.iter().zip(measured(&early, 1)).zip(late) {
        let judged = run.figures.iter().filter(|figure| figure.kind != Kind::NotValidated).map(|figure| figure.figure);
        let differ = |figure: &Figure| {
            let both = early.get(*figure).zip(late.get(*figure));
            both.is_some_and(|(early, late)| difference(early, late) > 0.05)
        };
        let moved: Vec<&str> = judged.filter(differ).map(Figure::id).collect();
        assert!(moved.is_empty(), "{}: {moved:?}", run.id);
    }
}
