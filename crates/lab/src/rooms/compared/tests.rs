//! Results for the tests of every view, and the laws that hold for all of them.

use std::rc::Rc;

use super::*;
use crate::chart::layout;
use crate::chart::table;
use crate::published::runs;
use crate::room::Room;
use crate::rooms::charts;
use crate::worker::wire::{Answer, Job};

/// A settled experiment of a host a hundredth of the published one, so that a test takes no time.
pub fn settled(change: impl Fn(&mut Scenario)) -> Rc<Settled> {
    let mut small = Scenario::default();
    small.storage.central_mb = 1_310;
    small.guests[0].virtual_mb = 180;
    small.guests[0].loop_mb = 164;
    small.measure.warmup_s = 1;
    small.measure.interval_s = 6;
    change(&mut small);
    let job = Job::Experiment { scenario: small, seed: 1 };
    let Answer::Settled { result, .. } = crate::worker::answer(job, &|| 0.0) else { panic!("the small host is valid") };
    // The charts are told that it is the published host: they compare by configuration.
    let mut scenario = Scenario::default();
    change(&mut scenario);
    Rc::new(Settled { scenario, ..*result })
}

/// A page with the settled result of V4DVY000.
pub fn settled_evidence() -> Evidence {
    let settled = settled(|_| {});
    Evidence {
        history: settled.series.clone(),
        settled: Some(settled),
        pinned: None,
        published: Rc::new(runs()),
        current_run: Some("V4DVY000".into()),
    }
}

/// A page with the settled result of `scenario`, as it is.
pub fn evidence_of(scenario: Scenario) -> Evidence {
    let job = Job::Experiment { scenario, seed: 1 };
    let Answer::Settled { result, .. } = crate::worker::answer(job, &|| 0.0) else { panic!("the scenario is valid") };
    let settled = Rc::new(*result);
    Evidence { history: settled.series.clone(), settled: Some(settled), current_run: None, ..settled_evidence() }
}

/// A page with the settled result of a host that does minidisk I/O and pages.
pub fn hybrid_evidence() -> Evidence {
    evidence_of(crate::studies::study::tests::hybrid())
}

/// Every chart of the rooms that are their charts.
fn all(evidence: &Evidence) -> Vec<Chart> {
    let rooms = Room::ALL.into_iter().filter_map(|room| charts(room, evidence));
    rooms.flat_map(|(charts, _)| charts).collect()
}

#[test]
fn an_empty_page_says_why_it_is_empty() {
    let empty =
        Evidence { history: Rc::default(), settled: None, pinned: None, published: Rc::default(), current_run: None };
    for chart in all(&empty) {
        assert!(!chart.summary.is_empty() && !chart.title.is_empty(), "{}", chart.id);
        match &chart.plot {
            Plot::Nothing(why) => assert!(why.ends_with('.'), "{}", chart.id),
            Plot::Dots(grid) => assert!(grid.rows.is_empty()),
            other => panic!("{}: {other:?}", chart.id),
        }
    }
}

#[test]
fn every_chart_has_numbers_words_and_an_id_of_its_own() {
    for evidence in [settled_evidence(), hybrid_evidence(), evidence_of(crate::studies::study::tests::exerciser())] {
        check_charts(&all(&evidence));
    }
}

fn check_charts(charts: &[Chart]) {
    let mut ids: Vec<&str> = charts.iter().map(|chart| chart.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), charts.len());
    for chart in charts {
        assert!(!table::shown(&chart.plot).rows.is_empty(), "{} has no numbers", chart.id);
        assert!(chart.summary.ends_with('.') && !chart.summary.contains("NaN"), "{}: {}", chart.id, chart.summary);
        let scene = layout::scene(chart, 320.0, &|text, size| text.chars().count() as f64 * size * 0.56);
        assert!(!scene.stops.is_empty(), "{} reads nothing out", chart.id);
        assert!(chart.provenance.contains("seed 1"), "{}", chart.provenance);
    }
}

#[test]
fn a_live_run_is_told_from_a_settled_one() {
    let mut evidence = settled_evidence();
    assert!(!is_live(&evidence));
    evidence.history = Rc::new(evidence.history.as_ref().clone());
    assert!(is_live(&evidence));
    let window = window(&evidence).expect("a window");
    assert!(window.from.is_some() && window.elapsed_ns() <= LOOK_BACK_NS as f64);
}

#[test]
fn what_is_pinned_is_shown_unless_it_is_the_same() {
    let mut evidence = settled_evidence();
    evidence.pinned = evidence.settled.clone();
    assert!(pinned(&evidence).is_none());
    evidence.pinned = Some(settled(|scenario| scenario.paging.zhpf = true));
    assert!(pinned(&evidence).is_some());
    let origin = provenance(&evidence);
    assert!(origin.contains("zHPF off") && origin.contains("; A is ") && origin.contains("zHPF on"), "{origin}");
}
