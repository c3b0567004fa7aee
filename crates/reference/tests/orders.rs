//! The orders of the relocation source: which of its runs has less of a figure.
//!
//! `./run test` runs this file twice. With debug assertions, which check the contents of all pages, one seed of each run moves all
//! its guests. Optimised, the orders hold over ten seeds.

use zvmlab::measurement::{Figure, Measurement};
use zvmlab_reference::replication::{Job, run_jobs, thread_count};
use zvmlab_reference::{Verdict, compare_order, run, source};

const OPTIONS: [&str; 4] = ["LGR25-SERIAL", "LGR25-SERIAL-IMM", "LGR25-CONC", "LGR25-CONC-IMM"];

/// Each run with this many seeds: the measurements, run by run. All twenty-five guests are moved.
fn measured(seeds: usize) -> Vec<Vec<Measurement>> {
    let runs = OPTIONS.map(|id| run(id).unwrap_or_else(|| panic!("{id}: the run is built in")));
    let jobs: Vec<Job> =
        runs.iter().flat_map(|run| (1..=seeds as u64).map(|seed| Job { scenario: &run.scenario, seed })).collect();
    let outcomes = run_jobs(&jobs, thread_count()).expect("the scenarios are good ones");
    let measurements: Vec<Measurement> = outcomes.into_iter().map(|outcome| outcome.measurement).collect();
    let measured: Vec<Vec<Measurement>> = measurements.chunks(seeds).map(<[Measurement]>::to_vec).collect();
    for (id, of_run) in OPTIONS.iter().zip(&measured) {
        let completed = of_run.iter().all(|one| one.get(Figure::RelocationsCompleted) == Some(25.0));
        assert!(completed, "{id}: all twenty-five are moved");
    }
    measured
}

/// There are ten seeds, because an order claims that seeds do not change it.
#[test]
fn every_order_holds_over_ten_seeds() {
    let measured = measured(10);
    let of_run = |id: &str| {
        let at = OPTIONS.iter().position(|option| *option == id).expect("an order is one of these runs");
        measured[at].iter().collect::<Vec<_>>()
    };
    for order in &source("relocation-6.2").expect("the source is built in").orders {
        let row = compare_order(order, &of_run(&order.less), &of_run(&order.more));
        assert_eq!(row.verdict, Verdict::Pass, "{row:#?}");
    }
}
