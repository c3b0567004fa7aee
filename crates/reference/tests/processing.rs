//! The sources of scheduler and dispatcher: excess shares and DIAG 44.

use zvmlab::measurement::Figure;
use zvmlab::scenario::{Level, Scenario};
use zvmlab_reference::{Kind, Run, Tolerance, run, source};

const GROUPS: [Figure; 4] = [Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu, Figure::Group4Cpu];

/// Each column of the deck, with the figures that the arithmetic of shares gives instead of the printed ones.
const COLUMNS: [(&str, [f64; 4]); 3] = [
    ("All four compute-bound", [100.0 / 6.0, 100.0 / 6.0, 200.0 / 6.0, 200.0 / 6.0]),
    ("Excess share, cured", [24.25, 24.25, 48.5, 3.0]),
    ("Excess share, fault", [100.0 / 6.0, 100.0 / 6.0, 97.0 - 200.0 / 6.0, 3.0]),
];

fn of(id: &str) -> &'static Run {
    run(id).unwrap_or_else(|| panic!("{id}: the run is built in"))
}

fn value(run: &Run, figure: Figure) -> f64 {
    run.figure(figure).unwrap_or_else(|| panic!("{} has no {}", run.id, figure.id())).value
}

#[test]
fn the_columns_are_shares_of_one_processor() {
    for (id, arithmetic) in COLUMNS {
        let run = of(id);
        let printed: f64 = GROUPS.iter().map(|&group| value(run, group)).sum();
        assert!((printed - 100.0).abs() < 1e-9, "{id}: {printed}");
        assert!((arithmetic.iter().sum::<f64>() - 100.0).abs() < 1e-9, "{id}");
        for (figure, exact) in run.figures.iter().zip(arithmetic) {
            assert_eq!(figure.kind, Kind::Predicted, "{id}");
            let Some(Tolerance::Absolute(within)) = figure.tolerance else { panic!("{id}: a tolerance in points") };
            // Printed figures are off by up to two thirds of a point; the rest of the tolerance is 0.1 point.
            let off = (figure.value - exact).abs();
            assert!((within - off - 0.1).abs() < 0.005, "{id}, {}: {within} for {off}", figure.figure.id());
        }
    }
}

/// 24.25 does not round to 24.5: the tolerance of 0.1 point is counted from the arithmetic.
#[test]
fn the_model_has_the_arithmetic_to_a_tenth_of_a_point() {
    for (id, arithmetic) in COLUMNS {
        let measurement = zvmlab::experiment::run(&of(id).scenario, 1).expect("a published run can run").measurement;
        for (group, exact) in GROUPS.into_iter().zip(arithmetic) {
            let model = measurement.get(group).unwrap_or_else(|| panic!("{id} has no {}", group.id()));
            assert!((model - exact).abs() <= 0.1, "{id}, {}: {model}, by arithmetic {exact}", group.id());
        }
    }
}

#[test]
fn the_fault_alone_sets_two_columns_apart() {
    let scenario = |id: &str| Scenario { name: String::new(), ..of(id).scenario.clone() };
    let (mut cured, fault) = (scenario("Excess share, cured"), scenario("Excess share, fault"));
    cured.scheduler.excess_fault = true;
    assert_eq!(cured, fault);
    assert_eq!((fault.processors.count, fault.guest_count()), (1, 4));
    let shares: Vec<u32> = fault.guests.iter().map(|group| group.share_relative).collect();
    assert_eq!(shares, [100, 100, 200, 200]);
}

/// The two rates sum to the total, and the two times to theirs.
#[test]
fn diag_44_agrees_with_itself() {
    for id in ["APS9220", "APT9280"] {
        let of = |figure| value(of(id), figure);
        assert_eq!(of(Figure::Diag44Normal) + of(Figure::Diag44Fast), of(Figure::Diag44Total), "{id}");
        let times = of(Figure::CpTimePerTransaction) + of(Figure::GuestTimePerTransaction);
        assert!((times - of(Figure::TotalTimePerTransaction)).abs() < 1.5, "{id}: {times}");
        // Rate x time is a little more than the printed utilization.
        let used = of(Figure::Etr) * of(Figure::TotalTimePerTransaction) / 1e6 / 4.0 * 100.0;
        assert!((used - of(Figure::Utilization) - 1.6).abs() < 0.1, "{id}: {used}");
    }
}

#[test]
fn level_and_fast_path_alone_set_the_two_runs_apart() {
    let (before, after) = (&of("APS9220").scenario, &of("APT9280").scenario);
    assert_eq!((before.level, before.dispatcher.diag44_fast_path), (Level::V5_1, false));
    assert_eq!((after.level, after.dispatcher.diag44_fast_path), (Level::V5_2, true));
    let mut same = before.clone();
    (same.name, same.level, same.dispatcher) = (after.name.clone(), after.level, after.dispatcher.clone());
    assert_eq!(same, *after);
    let [first, second, third] = after.level.storbuf_initial();
    assert_eq!((after.scheduler.storbuf_1, after.scheduler.storbuf_2, after.scheduler.storbuf_3), (first, second, third));
    assert_eq!((after.processors.count, after.storage.central_mb), (4, 5 * 1024));
    let judged =
        source("diag44-5.2").expect("it is built in").ratios.iter().filter(|ratio| ratio.kind != Kind::NotValidated);
    assert_eq!(judged.map(|ratio| ratio.least_percent).collect::<Vec<_>>(), [-85.0, 87.0, -1.3, 1.7, -0.3]);
}
