//! Page and worker played together: speeds, steps, jumps in time, what changed from sample to sample.

use super::*;
use crate::worker::wire::{Answer, Job};

fn small() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.storage.central_mb = 512;
    scenario.guests[0].virtual_mb = 128;
    scenario.guests[0].loop_mb = 96;
    scenario
}

/// Plays page and worker, with `ms` of wall time for each job, until nothing is wanted or `jobs` are done.
fn play(live: &mut Live, now_ms: &mut f64, ms: f64, jobs: usize) {
    for _ in 0..jobs {
        let Some(job) = live.next_job(*now_ms) else { return };
        assert!(live.next_job(*now_ms).is_none(), "one job at a time");
        *now_ms += ms;
        match crate::worker::answer(Job::Live(job), &|| 0.0) {
            Answer::Live(report) => live.heard(*report, *now_ms).expect("what changed since the sample before"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn it_fills_at_full_speed_and_then_keeps_pace() {
    let (mut live, mut now_ms) = (Live::new(), 1_000.0);
    live.start(small(), 1);
    assert_eq!(live.phase, Phase::Filling);
    play(&mut live, &mut now_ms, 20.0, 1_000);
    assert_eq!((live.phase, live.fill, live.wants_more()), (Phase::Ready, 1.0, false));
    let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
    live.speed = 10.0;
    live.set_running(true, now_ms);
    play(&mut live, &mut now_ms, 50.0, 41);
    let ran_s = (live.at.as_ref().map_or(0, |at| at.now_ns) - filled_ns) as f64 / 1e9;
    assert!((ran_s - 20.0).abs() < 0.6, "{ran_s}");
    assert!((live.real_speed - 10.0).abs() < 0.5, "{}", live.real_speed);
    assert!((live.history.len() as i64 - 20).abs() <= 1, "a sample each 100 ms: {}", live.history.len());
    assert!(live.history.is_sorted_by(|a, b| a.snapshot.now_ns < b.snapshot.now_ns));
}

#[test]
fn a_watched_run_passes_the_warm_up_at_full_speed() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    (live.warms_up, live.speed) = (true, 0.001);
    live.start(small(), 1);
    live.set_running(true, now_ms);
    let mut filled_ns = 0;
    for _ in 0..1_000 {
        play(&mut live, &mut now_ms, 1.0, 1);
        match live.phase {
            Phase::Filling => filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns),
            Phase::Passing => {}
            _ => break,
        }
    }
    let (ready_ns, warmup_s) = (live.at.as_ref().map_or(0, |at| at.now_ns), small().measure.warmup_s);
    assert_eq!(live.phase, Phase::Ready);
    assert!(ready_ns >= filled_ns + u64::from(warmup_s) * 1_000_000_000, "{ready_ns} after {filled_ns}");
    play(&mut live, &mut now_ms, 50.0, 10);
    let passed_ns = live.at.as_ref().map_or(0, |at| at.now_ns) - ready_ns;
    assert!((400_000..=600_000).contains(&passed_ns), "then it keeps pace: {passed_ns}");
    live.start(small(), 2);
    assert!(live.warms_up, "so does the run that follows");
    live.end();
    assert!(!live.warms_up);
}

#[test]
fn one_can_go_forward_and_back_and_finds_the_same_state() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    play(&mut live, &mut now_ms, 1.0, 1_000);
    let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
    let mut go = |live: &mut Live, at_ns: u64| {
        live.go_to(at_ns);
        play(live, &mut now_ms, 1.0, 1_000);
        assert_eq!(live.phase, Phase::Ready);
        live.at.clone().expect("it is somewhere")
    };
    let first = go(&mut live, filled_ns + 2_000_000_000);
    assert_eq!(first.now_ns, filled_ns + 2_000_000_000);
    let later = go(&mut live, filled_ns + 3_000_000_000);
    assert!(later.events > first.events);
    assert_eq!(go(&mut live, filled_ns + 2_000_000_000), first, "back at the same instant, all is as it was");
    assert_eq!(live.history.last().map(|sample| sample.snapshot.now_ns), Some(first.now_ns), "and it is shown");
    assert!((99..=102).contains(&live.history.len()), "charts show the way there: {}", live.history.len());
    assert!(live.history.is_sorted_by(|a, b| a.snapshot.now_ns < b.snapshot.now_ns));
    // From the middle of a run at speed, between two of its samples.
    (live.speed, live.running) = (10.0, true);
    play(&mut live, &mut now_ms, 30.0, 5);
    live.running = false;
    let at_ns = live.at.as_ref().map_or(0, |at| at.now_ns) + 1_500_000_000;
    live.go_to(at_ns);
    play(&mut live, &mut now_ms, 1.0, 1_000);
    assert_eq!(live.history.last().map(|sample| sample.snapshot.now_ns), Some(at_ns), "the picture is of that instant");
    live.go_to(0);
    play(&mut live, &mut now_ms, 1.0, 1_000);
    let first_ns = filled_ns + SEEN_FIRST_NS;
    assert_eq!(live.at.as_ref().map(|at| at.now_ns), Some(first_ns), "before the end of the fill there is nothing to see");
    assert_eq!(live.history.last().map(|sample| sample.snapshot.now_ns), Some(first_ns), "the picture shows that instant");
}

/// Asserts that every sample of the history is the state of an unwatched run at the same event and instant.
fn is_true_to(live: &Live, scenario: &Scenario) {
    let mut simulation = zvmlab::Simulation::new(scenario, 1).expect("the host is valid");
    for sample in live.history.iter() {
        while simulation.events() < sample.snapshot.events {
            simulation.step();
        }
        if simulation.now().0 < sample.snapshot.now_ns {
            simulation.run_until(zvmlab::kernel::time::Instant(sample.snapshot.now_ns));
        }
        assert_eq!(simulation.snapshot(), sample.snapshot);
    }
}

#[test]
fn what_changed_makes_the_very_same_states() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    let other = Scenario { lcu: zvmlab::scenario::Lcu { aliases: 3, ..small().lcu }, ..small() };
    for scenario in [small(), other] {
        live.start(scenario.clone(), 1);
        play(&mut live, &mut now_ms, 20.0, 1_000);
        let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
        for (speed, at_s, steps) in [(0.001, 2, 3), (1.0, 4, 0), (10.0, 3, 5)] {
            live.speed = speed;
            live.set_running(true, now_ms);
            play(&mut live, &mut now_ms, 50.0, 20);
            (0..steps).for_each(|_| _ = live.step());
            live.running = false;
            play(&mut live, &mut now_ms, 50.0, 20);
            assert!(live.history.len() > steps);
            is_true_to(&live, &scenario);
            // Forward, and back by a new run.
            live.go_to(filled_ns + at_s * 1_000_000_000);
            play(&mut live, &mut now_ms, 50.0, 1_000);
            is_true_to(&live, &scenario);
        }
    }
}

#[test]
fn a_sample_whose_forerunner_is_missing_is_not_guessed() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    play(&mut live, &mut now_ms, 20.0, 1_000);
    live.set_running(true, now_ms);
    play(&mut live, &mut now_ms, 100.0, 3);
    let step = || match crate::worker::answer(Job::Live(LiveJob::Step), &|| 0.0) {
        Answer::Live(report) => *report,
        other => panic!("{other:?}"),
    };
    let (missed, next) = (step(), step());
    assert!(!missed.samples.is_empty() && !next.samples.is_empty());
    let mut late = live.clone();
    let refused = live.heard(next.clone(), 0.0);
    assert!(refused.is_err_and(|why| why.contains("missing")));
    assert_eq!((late.heard(missed, 0.0), late.heard(next, 0.0)), (Ok(()), Ok(())));
}

#[test]
fn charts_keep_the_interval_while_milliseconds_pass() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    live.speed = 0.001;
    live.set_running(true, now_ms);
    play(&mut live, &mut now_ms, 20.0, 100);
    assert!(!live.history.is_empty() && !live.is_charted());
    live.speed = 0.01;
    assert!(live.is_charted());
    live.unasked = true;
    assert!(!live.is_charted(), "nobody has asked for it");
    live.speed = 0.001;
    live.step();
    play(&mut live, &mut now_ms, 20.0, 1);
    assert!(live.is_charted(), "a reader who goes step by step sees each step everywhere");
}

#[test]
fn a_run_that_is_paused_is_seen_where_it_stands() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    play(&mut live, &mut now_ms, 20.0, 1_000);
    live.set_running(true, now_ms);
    let seen_ns = |live: &Live| live.history.last().map(|sample| sample.snapshot.now_ns);
    let at_ns = |live: &Live| live.at.as_ref().map(|at| at.now_ns);
    // A sample is taken less often than the run goes on.
    while seen_ns(&live) == at_ns(&live) || seen_ns(&live).is_none() {
        play(&mut live, &mut now_ms, 30.0, 1);
    }
    live.set_running(false, now_ms);
    play(&mut live, &mut now_ms, 30.0, 1);
    assert_eq!(seen_ns(&live), at_ns(&live));
    assert!(!live.wants_more(), "it is asked for once");
}

#[test]
fn a_step_is_one_event_and_stops_the_run() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    live.set_running(true, now_ms);
    play(&mut live, &mut now_ms, 20.0, 100);
    let events = live.at.as_ref().map_or(0, |at| at.events);
    live.step();
    play(&mut live, &mut now_ms, 20.0, 100);
    assert_eq!(live.at.as_ref().map_or(0, |at| at.events), events + 1);
    assert!(live.stepped.as_ref().is_some_and(|words| words.starts_with("After ")));
    assert!(!live.running);
}

#[test]
fn every_step_is_taken_and_told_when_it_is() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    let steps = [live.step(), live.step()];
    while live.phase == Phase::Filling {
        assert!(!live.is_stepped(steps[0]), "the fill comes first");
        play(&mut live, &mut now_ms, 20.0, 1);
    }
    let events = |live: &Live| live.at.as_ref().map_or(0, |at| at.events);
    let filled = events(&live);
    play(&mut live, &mut now_ms, 20.0, 1);
    assert_eq!((steps.map(|step| live.is_stepped(step)), events(&live)), ([true, false], filled + 1));
    play(&mut live, &mut now_ms, 20.0, 1);
    assert_eq!((steps.map(|step| live.is_stepped(step)), events(&live)), ([true, true], filled + 2));
    assert!(!live.wants_more());
    let given_up = live.step();
    live.start(small(), 2);
    assert!(live.is_stepped(given_up), "nobody waits for ever");
    let last = live.step();
    assert!(last > given_up && !live.is_stepped(last));
    live.end();
    assert!(live.is_stepped(last));
}

#[test]
fn a_backlog_is_dropped() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    play(&mut live, &mut now_ms, 1.0, 1_000);
    live.set_running(true, now_ms);
    let Some(LiveJob::Advance { until_ns, .. }) = live.next_job(now_ms + 60_000.0) else { panic!("running") };
    assert_eq!(until_ns - live.at.as_ref().map_or(0, |at| at.now_ns), 100_000_000);
}

#[test]
fn an_answer_of_the_run_before_is_not_taken() {
    let (mut live, mut now_ms) = (Live::new(), 0.0);
    live.start(small(), 1);
    play(&mut live, &mut now_ms, 1.0, 1_000);
    live.set_running(true, now_ms);
    let job = live.next_job(now_ms).expect("running");
    live.start(small(), 2);
    assert!(live.next_job(now_ms).is_none(), "the worker is still at work");
    let Answer::Live(report) = crate::worker::answer(Job::Live(job), &|| 0.0) else { panic!("a report") };
    assert_eq!(live.heard(*report, now_ms), Ok(()));
    assert_eq!((live.phase, live.history.len()), (Phase::Filling, 0));
    assert!(matches!(live.next_job(now_ms), Some(LiveJob::Create { seed: 2, .. })));
}
