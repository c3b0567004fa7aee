//! The views with relocations that really ran: a small guest between two small members, watched as the page watches it.

use zvmlab::Scenario;
use zvmlab::scenario::examples::example;

use super::super::cluster::{member_of, relocating};
use super::super::compared::newest;
use super::super::compared::tests::evidence_of;
use super::super::member::tests::of_member;
use super::charts;
use crate::chart::{Plot, layout};
use crate::evidence::Evidence;

/// MOVE, a hundredth of it.
fn small(change: impl Fn(&mut Scenario)) -> Evidence {
    let mut scenario = example("MOVE").map(|example| Scenario::parse(example.text).expect("valid")).expect("an example");
    scenario.storage.central_mb = 1_024;
    scenario.member2.central_mb = 1_024;
    scenario.measure.warmup_s = 1;
    scenario.measure.interval_s = 8;
    let group = &mut scenario.guests[0];
    (group.virtual_mb, group.loop_mb, group.active_mb, group.touch_mb_s) = (384, 320, 64, 200);
    change(&mut scenario);
    evidence_of(scenario)
}

#[test]
fn the_rooms_follow_a_relocation_from_start_to_end() {
    let evidence = small(|_| {});
    let snapshot = newest(&evidence).expect("a result");
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    let one = &cluster.relocations[0];
    let text = super::words::said(one, snapshot.now_ns);
    assert!(text.contains("was relocated to MEMBER2") && text.contains("runs on at MEMBER2"), "{text}");
    let Plot::Lines(lines) = charts::throughput(&evidence, cluster, one, snapshot.now_ns).plot else { panic!("lines") };
    let points = &lines.series[0].points;
    let (stopped, started) = (one.stopped_ns.expect("it was") as f64 / 1e9, one.started_ns.expect("it was") as f64 / 1e9);
    let still = points.iter().filter(|point| point.x > stopped + 1e-5 && point.x < started - 1e-5);
    assert!(still.clone().all(|point| point.y == 0.0), "the guest does nothing while it is stopped");
    let after: Vec<f64> = points.iter().filter(|point| point.x > started + 0.01).map(|point| point.y).collect();
    let before: Vec<f64> = points.iter().filter(|point| point.x < stopped).map(|point| point.y).collect();
    assert!(before[0] > 0.0 && after.last().is_some_and(|rate| *rate > before[0] * 0.5), "{before:?} then {after:?}");
}

#[test]
fn every_chart_of_a_real_relocation_can_be_laid_out() {
    let evidence = small(|scenario| (scenario.guests[0].count, scenario.guests[0].loop_mb) = (2, 160));
    let snapshot = newest(&evidence).expect("a result");
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    assert!(cluster.ended, "the interval lasts until all have ended");
    let window = relocating(&evidence).expect("a window");
    let measure = |text: &str, size: f64| text.chars().count() as f64 * size * 0.56;
    let mut all = vec![charts::lanes(&evidence, cluster, snapshot.now_ns)];
    for one in &cluster.relocations {
        all.extend([charts::strip(&evidence, one, snapshot.now_ns), charts::passes(&evidence, one)]);
    }
    all.extend(super::super::isfc::every_chart(&evidence, window));
    all.extend(super::super::cluster::every_chart(&evidence));
    assert!(all.len() > 10, "{}", all.len());
    for chart in all {
        assert!(!matches!(chart.plot, Plot::Nothing(_)), "{}: {}", chart.id, chart.summary);
        assert!(!layout::scene(&chart, 340.0, &measure).stops.is_empty(), "{}", chart.id);
    }
}

#[test]
fn the_second_member_is_a_host_of_its_own_while_a_guest_comes() {
    let evidence = small(|_| {});
    let shown = of_member(&evidence, 1);
    let settled = shown.settled.as_ref().expect("a result");
    assert!(!settled.snapshot.guests[0].away);
    let whole = &evidence.settled.as_ref().expect("a result").snapshot;
    assert_eq!(member_of(whole, 1).map(|member| member.storage.clone()), Some(settled.snapshot.storage.clone()));
}

#[test]
fn a_relocation_that_would_stand_still_too_long_is_told_as_cancelled() {
    let evidence = small(|scenario| {
        scenario.relocation.interruption = zvmlab::scenario::Interruption::Cancel;
        scenario.relocation.interruption_ms = 400;
    });
    let snapshot = newest(&evidence).expect("a result");
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    let text = super::words::said(&cluster.relocations[0], snapshot.now_ns);
    for wanted in ["end code 01", "runs on at MEMBER1. None of its storage was lost."] {
        assert!(text.contains(wanted), "{text}");
    }
    assert!(!snapshot.guests[0].away, "it is where it was");
}
