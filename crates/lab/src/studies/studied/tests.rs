//! What the charts of a study show: the model's curves, entitlements, published figures, and the results from before a
//! change.

use std::rc::Rc;

use zvmlab::experiment;

use super::super::StudyKind;
use super::super::guest_zhpf::{self, GUEST_ZHPF};
use super::super::set_cu::{self, SET_CU};
use super::super::study::tests::{exerciser, hybrid};
use super::*;
use crate::batch::RunState;
use crate::batch::queue::Key;
use crate::chart::table;
use crate::published::runs;

/// A study whose experiments have all been run.
pub fn complete(kind: &'static StudyKind, base: Scenario) -> Study {
    let mut study = Study::begin(kind, base, 1, None, &|_| None);
    let due: Vec<(Key, Scenario)> =
        study.batch.runs.iter().map(|point| (point.key.clone(), (*point.scenario).clone())).collect();
    for (key, scenario) in due {
        let outcome = experiment::run(&scenario, 1).expect("the scenario is valid");
        study.put(&key, &RunState::Known(Rc::new(outcome.measurement)));
    }
    study
}

/// An example with a short interval.
pub fn short_example(id: &str, interval_s: u32) -> Scenario {
    let example = zvmlab::scenario::examples::example(id).expect("an example");
    let mut scenario = Scenario::parse(example.text).expect("valid");
    (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, interval_s);
    scenario
}

/// A study of a published run's scenario; nothing has run yet.
fn of_run(kind: &'static StudyKind, id: &str) -> Study {
    let base = runs().into_iter().find(|run| run.id == id).map(|run| run.scenario).expect("a published run");
    Study::begin(kind, base, 1, None, &|_| None)
}

/// What the charts of `study` need, with the study's own base on the bench.
pub fn studied<'a>(study: &'a Study, published: &'a [PublishedRun]) -> Studied<'a> {
    Studied { study, bench: &study.batch.base, is_of_bench: true, published, scaled: false }
}

fn lines(chart: &Chart) -> &Lines {
    let Plot::Lines(lines) = &chart.plot else { panic!("{}: {:?}", chart.id, chart.plot) };
    lines
}

fn series(chart: &Chart, name: &str) -> Vec<f64> {
    let found = lines(chart).series.iter().find(|series| series.key.name == name);
    found.map_or(Vec::new(), |series| series.points.iter().map(|point| point.y).collect::<Vec<f64>>())
}

#[test]
fn each_claimant_holds_what_it_is_entitled_to_or_what_the_other_leaves() {
    let study = complete(SET_CU, hybrid());
    let charts = set_cu::charts(&studied(&study, &[]), false);
    let [mdisk, paging] = ["MDISK", "PAGING"].map(|name| series(&charts[0], name));
    let [entitled, other] = ["MDISK entitled", "PAGING entitled"].map(|name| series(&charts[0], name));
    assert_eq!((mdisk.len(), paging.len()), (15, 15));
    assert_eq!((entitled[0], entitled[14], other[0], other[14]), (15.0, 1.0, 1.0, 15.0));
    for place in 0..15 {
        assert!(mdisk[place] + paging[place] <= 16.0 + 1e-9, "{place}: {} {}", mdisk[place], paging[place]);
    }
    assert!(mdisk[0] > 3.0 * mdisk[14] && paging[14] > paging[0], "{mdisk:?} {paging:?}");
    assert_eq!(lines(&charts[0]).marked.as_ref().map(|marked| marked.x), Some(7.0));
    assert_eq!(table::shown(&charts[0].plot).rows.len(), 15);
    assert!(charts.iter().all(|chart| chart.summary.ends_with('.') && chart.provenance.contains("seed 1")));
}

#[test]
fn a_pool_larger_than_both_want_is_said_to_be() {
    let mut base = hybrid();
    base.lcu.aliases = 64;
    let study = complete(SET_CU, base);
    let charts = set_cu::charts(&studied(&study, &[]), false);
    let said = &charts[0].summary;
    assert!(said.starts_with("The pool is larger than both want: of 64 aliases at most"), "{said}");
    assert!(said.ends_with("so the share changes nothing."), "{said}");
    assert!(charts[1].summary.starts_with("The share changes neither"), "{}", charts[1].summary);
    let study = complete(SET_CU, hybrid());
    let said = &set_cu::charts(&studied(&study, &[]), false)[0].summary;
    assert!(!said.contains("larger"), "sixteen are all held: {said}");
}

#[test]
fn relative_throughput_is_one_where_the_share_is_one() {
    let study = complete(SET_CU, hybrid());
    let charts = set_cu::charts(&studied(&study, &[]), true);
    let chart = charts.iter().find(|chart| chart.id == set_cu::ETR).expect("the chart of throughput");
    assert_eq!((series(chart, "MDISK")[14], series(chart, "PAGING")[0]), (1.0, 1.0));
    assert!(lines(chart).y.name.contains("1 of 16"), "{:?}", lines(chart).y);
    // Figure 1 of the source is made from table 6 in the same way.
    let (study, published) = (of_run(SET_CU, "QRBKW055"), runs());
    let charts = set_cu::charts(&studied(&study, &published), true);
    let all: Vec<f64> = lines(&charts[1]).series.iter().flat_map(|series| &series.points).map(|point| point.y).collect();
    assert_eq!(all.iter().filter(|&&y| y == 1.0).count(), 2, "{all:?}");
    assert!(all.iter().any(|y| (y - 35_904.0 / 8_448.0).abs() < 1e-9), "MDISK ETR at 15:1 over that at 1:15");
}

#[test]
fn every_published_run_stands_at_its_share_fitted_and_predicted_apart() {
    let (study, published) = (of_run(SET_CU, "QRBKW055"), runs());
    let charts = set_cu::charts(&studied(&study, &published), false);
    for chart in &charts[..2] {
        let points: Vec<(&Series, &Point)> =
            lines(chart).series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point))).collect();
        let published: Vec<_> = points.iter().filter(|(_, point)| point.label.is_some()).collect();
        assert_eq!(published.len(), 30, "{}", chart.id);
        let fitted = published.iter().filter(|(series, _)| series.key.shape == Shape::Square).count();
        let predicted = published.iter().filter(|(series, _)| series.key.shape == Shape::Diamond).count();
        assert!(fitted <= 6 && fitted + predicted == 30, "{fitted} fitted, {predicted} predicted");
        let at_1_15 = published.iter().filter(|(_, point)| point.x == 14.0);
        assert!(
            at_1_15.clone().count() == 2 && at_1_15.clone().all(|(_, point)| point.label.as_deref() == Some("QRBKW062"))
        );
        assert_eq!(chart.sources.len(), 15, "each run once");
    }
    assert!(charts[2].sources.is_empty(), "no queue is published");
    assert_eq!(about_published(&studied(&study, &published)), "The charts show the 15 published runs QRBKW048 to QRBKW062.");
}

#[test]
fn what_keeps_the_published_runs_off_is_said() {
    let (mut study, published) = (of_run(SET_CU, "QRBKW055"), runs());
    let mut base = study.batch.base.clone();
    base.lcu.aliases = 8;
    study = Study::begin(SET_CU, base, 1, Some(&study), &|_| None);
    let said = about_published(&studied(&study, &published));
    assert!(
        said.contains("the charts show none") && said.contains("What differs from QRBKW055: HyperPAV aliases 16 → 8"),
        "{said}"
    );
    let charts = set_cu::charts(&studied(&study, &published), false);
    assert!(charts[0].sources.is_empty() && series(&charts[0], "MDISK entitled")[0] == 7.5);
}

#[test]
fn curves_of_other_settings_are_told_from_those_of_the_bench() {
    let study = complete(SET_CU, hybrid());
    let mut bench = hybrid();
    bench.lcu.aliases = 4;
    let moved = Studied { bench: &bench, is_of_bench: false, ..studied(&study, &[]) };
    let charts = set_cu::charts(&moved, false);
    assert!(series(&charts[0], "MDISK").is_empty());
    assert_eq!(series(&charts[0], "MDISK, before the change").len(), 15);
    let of_bench = set_cu::charts(&studied(&study, &[]), false);
    assert!(series(&of_bench[0], "MDISK, before the change").is_empty());
    let (of_run, published) = (of_run(SET_CU, "QRBKW055"), runs());
    let moved = Studied { bench: &bench, is_of_bench: false, ..studied(&of_run, &published) };
    assert!(
        set_cu::charts(&moved, false).iter().all(|chart| chart.sources.is_empty()),
        "nothing is published for the bench"
    );
}

#[test]
fn both_modes_stand_over_the_records_with_what_is_published() {
    let study = complete(GUEST_ZHPF, exerciser());
    let charts = guest_zhpf::charts(&studied(&study, &[]));
    assert_eq!(charts.len(), 3);
    let [command, transport] = ["command mode", "transport mode"].map(|name| series(&charts[0], name));
    assert!(command.len() == 8 && command.windows(2).all(|pair| pair[0] < pair[1]), "{command:?}");
    assert!(command.iter().zip(&transport).all(|(command, transport)| transport < command), "{command:?} {transport:?}");
    let mut cached = exerciser();
    cached.minidisks.mdc_mb = 32;
    let with_cache = Study::begin(GUEST_ZHPF, cached, 1, None, &|_| None);
    assert_eq!(guest_zhpf::charts(&studied(&with_cache, &[])).len(), 4);
    let (of_run, published) = (of_run(GUEST_ZHPF, "JB001238"), runs());
    let charts = guest_zhpf::charts(&studied(&of_run, &published));
    let labels: Vec<(f64, &str)> = lines(&charts[0])
        .series
        .iter()
        .flat_map(|series| series.points.iter().filter_map(|point| Some((point.x, point.label.as_deref()?))))
        .collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    let rate = |study: &Study| guest_zhpf::charts(&studied(study, &[]))[2].summary.clone();
    assert!(rate(&with_cache).contains("Only I/Os that reach the volume count"), "{}", rate(&with_cache));
    assert!(!rate(&study).contains("Only I/Os"), "there is no cache: {}", rate(&study));
    assert!(labels.iter().all(|(x, _)| [1.0, 64.0].contains(x)), "1 and 64 records: {labels:?}");
}

#[test]
fn a_known_miss_is_told_on_its_chart() {
    let published = runs();
    let mut study = of_run(GUEST_ZHPF, "JB001238");
    let last = study
        .batch
        .runs
        .iter()
        .find(|point| point.at.line == 1 && point.at.place == 7)
        .expect("64 records in transport mode");
    let (key, scenario) = (last.key.clone(), (*last.scenario).clone());
    let run = published.iter().find(|run| last.at.published.as_ref() == Some(&run.id)).expect("it is published");
    let printed = run.value(Figure::MdiskCpTime).expect("its CP CPU");
    let outcome = experiment::run(&scenario, 1).expect("valid");
    study.put(&key, &RunState::Known(Rc::new(outcome.measurement)));
    let charts = guest_zhpf::charts(&studied(&study, &published));
    let said = &charts[1].summary;
    let wanted =
        format!("at 64 records in transport mode, published {}: a known miss.", crate::words::number::short(printed));
    assert!(said.contains("The model has ") && said.ends_with(&wanted), "{said}");
    assert!(!charts[0].summary.contains("miss"), "service time is met: {}", charts[0].summary);
}
