//! What the bench does, played with a worker that answers when the test says so.

use zvmlab::scenario::Level;
use zvmlab::snapshot::GuestSnapshot;
use zvmlab::{Measurement, Snapshot};

use super::*;
use crate::address::View;
use crate::batch::queue::Order;
use crate::bench::export::Format;
use crate::comparison::{Effect, Finding, Pair};
use crate::published::runs;

pub(super) fn bench() -> Bench {
    Bench::new(Experiment { scenario: Scenario::default(), seed: 1 }, None, None, 1)
}

/// What a worker would answer: as many transactions a second as there are volumes, aliases and seed numbers.
fn answer(request: &Request) -> Settled {
    let at = |now_ns: u64, references: u64| {
        let guest = GuestSnapshot { references, transaction: 1 << 20, ..GuestSnapshot::default() };
        Snapshot { now_ns, guests: vec![guest], ..Snapshot::default() }
    };
    let Scenario { paging, lcu, .. } = &*request.scenario;
    let snapshot = at(1_000_000_000, (u64::from(paging.volumes + lcu.aliases) + request.seed) << 20);
    Settled {
        scenario: (*request.scenario).clone(),
        seed: request.seed,
        measurement: Measurement::between(&at(0, 0), &snapshot),
        limits: Rc::default(),
        digest: 0,
        snapshot,
        series: Rc::default(),
    }
}

/// Lets the worker do everything that is wanted; how many experiments that took.
pub(super) fn settle(bench: &mut Bench) -> usize {
    let mut count = 0;
    while let Order::Start(_, request) = bench.queue.order(0.0) {
        bench.queue.ended(0);
        let settled = answer(&request);
        bench.heard(&request, settled);
        count += 1;
    }
    count
}

pub(super) fn turn(bench: &mut Bench, path: &str, value: &str, done: bool) {
    let knob = Knob::at(path, 0).expect("a field");
    bench.turn(knob, Given::Number(value.into()), done);
}

pub(super) fn etr(settled: &Option<Rc<Settled>>) -> Option<f64> {
    settled.as_ref().and_then(|settled| settled.measurement.get(zvmlab::Figure::Etr))
}

#[test]
fn every_change_is_compared_with_the_run_as_it_was_opened() {
    let mut bench = bench();
    assert_eq!((settle(&mut bench), bench.is_settled()), (1, true));
    assert_eq!(etr(&bench.before), None, "it is the baseline itself");
    turn(&mut bench, "paging.volumes", "8", true);
    assert!(!bench.is_settled());
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(9.0)));
    turn(&mut bench, "paging.volumes", "6", true);
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(7.0)), "not with what was left");
    turn(&mut bench, "paging.volumes", "4", true);
    assert_eq!(settle(&mut bench), 0, "what is known is not run again");
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (None, Some(5.0)));
}

/// Reaching 8 aliases read +7.6 % or +1.1 % after a slow or a quick drag, where it is +43 % from none.
#[test]
fn how_fast_a_slider_moves_does_not_matter() {
    let compared = |steps: &[(&str, bool)], waits: bool| {
        let mut bench = bench();
        settle(&mut bench);
        for (aliases, done) in steps {
            turn(&mut bench, "lcu.aliases", aliases, *done);
            if waits {
                settle(&mut bench);
                bench.rest();
            }
        }
        settle(&mut bench);
        (etr(&bench.before), etr(&bench.settled))
    };
    let far = (Some(5.0), Some(13.0));
    assert_eq!(compared(&[("8", true)], true), far);
    assert_eq!(compared(&[("2", false), ("5", false), ("7", false), ("8", true)], true), far);
    assert_eq!(compared(&[("2", false), ("5", false), ("7", false), ("8", true)], false), far);
    assert_eq!(compared(&[("6", true), ("7", true), ("8", true)], true), far, "step by step");
}

#[test]
fn the_run_as_opened_is_run_for_a_reader_who_was_quicker() {
    let mut bench = bench();
    let Order::Start(_, first) = bench.queue.order(0.0) else { panic!("the run as opened") };
    turn(&mut bench, "lcu.aliases", "8", true);
    // Its worker is stopped for the sake of what the knobs say.
    assert!(matches!(bench.queue.order(10_000.0), Order::Replace(_)));
    assert_eq!(settle(&mut bench), 2);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(13.0)));
    assert_eq!(bench.before.as_ref().map(|before| key(&before.scenario, before.seed)), Some(first.key));
}

#[test]
fn a_file_and_a_ready_experiment_are_compared_with_themselves() {
    let mut bench = bench();
    settle(&mut bench);
    bench.choose("STORBUF");
    settle(&mut bench);
    assert!(bench.before.is_none(), "another host was opened");
    let own = Scenario { name: "Mine".into(), ..Scenario::parse("[paging]\nvolumes = 9").expect("a scenario") };
    bench.open(own, 1);
    turn(&mut bench, "paging.volumes", "12", true);
    settle(&mut bench);
    assert_eq!(bench.before.as_ref().map(|before| before.scenario.name.as_str()), Some("Mine"));
    bench.reset();
    settle(&mut bench);
    assert_eq!((bench.before.is_none(), bench.scenario.name.as_str()), (true, "STORBUF"));
}

#[test]
fn what_is_written_without_an_end_is_meant_after_a_rest() {
    let mut bench = bench();
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "7", false);
    settle(&mut bench);
    assert!(bench.is_settled() && bench.is_turning());
    bench.rest();
    assert!(!bench.is_turning());
    turn(&mut bench, "paging.volumes", "8", false);
    assert!(bench.is_turning(), "it goes on");
}

#[test]
fn until_there_is_a_new_result_the_old_comparison_stays() {
    let mut bench = bench();
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    for (text, done) in [("", false), ("7", false), ("7", true)] {
        turn(&mut bench, "paging.volumes", text, done);
        assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(6.0)));
    }
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(8.0)));
}

#[test]
fn the_baseline_moves_when_the_reader_says_so() {
    let mut bench = bench();
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "6", true);
    settle(&mut bench);
    bench.pin();
    assert!(bench.before.is_none() && bench.pinned);
    for volumes in ["7", "9"] {
        turn(&mut bench, "paging.volumes", volumes, true);
        settle(&mut bench);
    }
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(7.0), Some(10.0)));
    let shared = bench.pin_to_share().expect("pinned");
    let now = Experiment { scenario: bench.scenario.clone(), seed: 1 };
    let mut opened = Bench::new(now, Some(shared), None, 1);
    settle(&mut opened);
    assert_eq!((etr(&opened.before), etr(&opened.settled), opened.pinned), (Some(7.0), Some(10.0), true));
    bench.choose("V4DYA001");
    settle(&mut bench);
    assert_eq!(etr(&bench.before), Some(7.0), "what the reader declared stays");
    bench.unpin();
    assert!(bench.before.is_none() && !bench.pinned, "the run as it was opened, which is on the bench");
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    assert_eq!(bench.before.as_ref().map(|before| before.scenario.name.as_str()), Some("V4DYA001"));
}

/// Opens what `bench` would share.
fn shared(bench: &Bench) -> Bench {
    let now = Experiment { scenario: bench.scenario.clone(), seed: bench.seed };
    let mut opened = Bench::new(now, bench.pin_to_share(), bench.run.clone(), bench.replications);
    settle(&mut opened);
    opened
}

#[test]
fn a_link_opens_with_the_baseline_of_its_sender() {
    let baseline = |bench: &Bench| (etr(&bench.before), bench.pinned, bench.pin_to_share().is_some());
    let mut bench = bench();
    settle(&mut bench);
    assert_eq!(baseline(&shared(&bench)), (None, false, false), "the host says it");
    turn(&mut bench, "lcu.aliases", "8", true);
    settle(&mut bench);
    assert_eq!(baseline(&bench), (Some(5.0), false, true), "nothing else in the link would say it");
    assert_eq!(baseline(&shared(&bench)), baseline(&bench));
    bench.choose("V4DVY000");
    turn(&mut bench, "lcu.aliases", "6", true);
    settle(&mut bench);
    assert_eq!(baseline(&bench), (Some(5.0), false, false), "the ready experiment says it");
    assert_eq!(baseline(&shared(&bench)), baseline(&bench));
    bench.put(bench.scenario.clone(), 3);
    settle(&mut bench);
    assert_eq!(baseline(&bench), (Some(5.0), false, true), "its seed is another");
    assert_eq!(baseline(&shared(&bench)), baseline(&bench));
}

#[test]
fn a_step_back_has_the_same_baseline_unless_its_link_has_another() {
    let mut bench = bench();
    settle(&mut bench);
    let linked = |bench: &Bench| Linked {
        now: Experiment { scenario: bench.scenario.clone(), seed: bench.seed },
        pinned: bench.pin_to_share(),
        view: View { run: bench.run.clone(), ..View::default() },
        model: String::new(),
    };
    let first = linked(&bench);
    turn(&mut bench, "lcu.aliases", "4", true);
    settle(&mut bench);
    let second = linked(&bench);
    assert!(bench.has_baseline_of(&first) && bench.has_baseline_of(&second));
    bench.pin();
    let pinned = linked(&bench);
    turn(&mut bench, "lcu.aliases", "8", true);
    assert!(bench.has_baseline_of(&pinned) && !bench.has_baseline_of(&second) && !bench.has_baseline_of(&first));
}

#[test]
fn what_cannot_be_run_leaves_the_last_result() {
    let mut bench = bench();
    bench.turn(Knob::at("paging.zhpf", 0).expect("a field"), Given::Switch(true), true);
    settle(&mut bench);
    bench.turn(Knob::at("level", 0).expect("a field"), Given::Choice("6.3".into()), true);
    assert_eq!(bench.scenario.level, Level::V6_3);
    assert!(bench.scenario.paging.zhpf, "nothing is corrected silently");
    assert_eq!(bench.problems.iter().map(|problem| problem.field.as_str()).collect::<Vec<_>>(), ["paging.zhpf"]);
    assert_eq!((settle(&mut bench), bench.is_settled()), (0, false));
    assert!(bench.settled.is_some());
    turn(&mut bench, "paging.volumes", "0", true);
    assert_eq!(bench.problems.len(), 2);
    turn(&mut bench, "paging.volumes", "4", true);
    bench.turn(Knob::at("paging.zhpf", 0).expect("a field"), Given::Switch(false), true);
    assert!(bench.problems.is_empty());
    assert_eq!(settle(&mut bench), 1);
}

#[test]
fn replications_use_the_same_seeds_on_both_sides() {
    let mut bench = bench();
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    bench.replicate(5);
    assert_eq!(settle(&mut bench), 8);
    let pair = etr_pair(&bench);
    assert_eq!((pair.before, pair.now), (Some(7.0), Some(8.0)));
    assert_eq!(pair.finding(), Finding::Distinguishable);
    assert_eq!(bench.shown().len(), 5);
}

fn etr_pair(bench: &Bench) -> Pair {
    bench.pairs().into_iter().find(|pair| pair.figure == zvmlab::Figure::Etr).expect("every figure")
}

/// A shared link said "not distinguishable" at three replications of ten, and the opposite at the end.
#[test]
fn there_is_no_verdict_before_all_replications_are_in() {
    let now = Experiment { scenario: Scenario::default(), seed: 1 };
    let mut then = now.clone();
    then.scenario.lcu.aliases = 3;
    let mut bench = Bench::new(now, Some(then), None, 10);
    let mut told = Vec::new();
    while let Order::Start(_, request) = bench.queue.order(0.0) {
        bench.queue.ended(0);
        let settled = answer(&request);
        bench.heard(&request, settled);
        let Some(still_coming) = bench.replications_known().still_coming(bench.replications) else { continue };
        assert!(!bench.is_complete());
        let pair = etr_pair(&bench);
        assert_eq!((pair.before, pair.difference, pair.effect()), (None, None, Effect::Neutral), "{still_coming}");
        assert_eq!(pair.is_waiting(), bench.before.is_some(), "{still_coming}");
        told.push(still_coming);
    }
    assert_eq!(told.len(), 19);
    assert_eq!(told[0], "1 of 10 runs of this host and 0 of 10 of A are in");
    assert!(told.iter().any(|told| told == "4 of 10 runs of this host and 3 of 10 of A are in"), "{told:?}");
    assert_eq!(told[18], "9 of 10 runs of A are in");
    assert!(bench.is_complete());
    assert_eq!((etr_pair(&bench).before, etr_pair(&bench).finding()), (Some(12.5), Finding::Distinguishable));
    turn(&mut bench, "paging.volumes", "7", false);
    settle_one(&mut bench);
    assert!(etr_pair(&bench).is_waiting(), "one run says nothing where ten were asked for");
    turn(&mut bench, "paging.volumes", "", false);
    assert!(!bench.is_complete());
}

#[test]
fn a_file_that_is_saved_in_mid_run_says_so() {
    let mut bench = bench();
    settle_one(&mut bench);
    bench.replicate(5);
    let saved = |bench: &Bench, format| export::file(format, bench.settled.as_ref().expect("a result"), bench);
    for _ in 0..2 {
        settle_one(&mut bench);
    }
    let csv = saved(&bench, Format::Csv);
    assert_eq!(csv.name, "zvmlab-V4DVY000-3-of-5.csv");
    assert!(csv.text.lines().count() == 4 && csv.text.contains(",3 of 5,"), "{}", csv.text);
    assert!(saved(&bench, Format::Json).text.contains("\"runs_asked_for\": 5"));
    assert_eq!(saved(&bench, Format::Scenario).name, "zvmlab-V4DVY000.toml", "it has no runs");
    settle(&mut bench);
    let csv = saved(&bench, Format::Csv);
    assert_eq!((csv.name.as_str(), csv.text.contains(" of 5")), ("zvmlab-V4DVY000.csv", false));
}

/// Lets the worker do one thing.
fn settle_one(bench: &mut Bench) {
    let Order::Start(_, request) = bench.queue.order(0.0) else { panic!("something is wanted") };
    bench.queue.ended(0);
    let settled = answer(&request);
    bench.heard(&request, settled);
}

#[test]
fn where_only_the_seed_was_changed_nothing_is_paired() {
    let mut bench = bench();
    bench.replicate(5);
    settle(&mut bench);
    bench.put(bench.scenario.clone(), 11);
    assert_eq!(settle(&mut bench), 5, "the side before keeps its seeds");
    let seen = etr_pair(&bench);
    assert_eq!((seen.before, seen.now, seen.finding()), (Some(7.0), Some(17.0), Finding::Unknown));
    bench.replicate(10);
    assert_eq!(settle(&mut bench), 10, "both sides get five more");
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    let seen = etr_pair(&bench);
    assert_eq!((seen.before, seen.now, seen.finding()), (Some(19.5), Some(20.5), Finding::Distinguishable));
}

#[test]
fn a_published_name_stands_only_on_its_configuration() {
    let mut bench = bench();
    turn(&mut bench, "paging.volumes", "5", true);
    assert_eq!((bench.scenario.name.as_str(), bench.current_run()), (UNNAMED, None));
    turn(&mut bench, "paging.volumes", "8", true);
    assert_eq!(bench.scenario.name, "V8DVY000");
    let mine = Given::Text("Mine".into());
    bench.turn(Knob::at("name", 0).expect("a field"), mine, true);
    turn(&mut bench, "paging.volumes", "9", true);
    assert_eq!(bench.scenario.name, "Mine");
}

#[test]
fn every_published_run_can_be_chosen_and_gone_back_to() {
    let published = runs();
    let mut bench = bench();
    for run in &published {
        bench.choose(&run.id);
        assert_eq!(bench.problems, Vec::new(), "{}", run.id);
        assert_eq!(bench.current_run().as_ref(), Some(&run.id));
        turn(&mut bench, "paging.volumes", "13", true);
        bench.reset();
        assert_eq!(bench.scenario, run.scenario);
    }
    settle(&mut bench);
    bench.validate(published.iter());
    assert_eq!(settle(&mut bench), published.len() * 5 - 1);
}

#[test]
fn a_knob_that_was_turned_is_remembered_until_a_run_is_chosen() {
    let mut bench = bench();
    turn(&mut bench, "guests.io_records", "1", true);
    turn(&mut bench, "guests.io_records", "0", true);
    assert_eq!(bench.turned, [Knob::at("guests.io_records", 0).expect("a field")]);
    bench.reset();
    assert_eq!(bench.turned, []);
}

#[test]
fn an_example_can_be_chosen_changed_and_gone_back_to() {
    let mut bench = bench();
    bench.choose("PLDV");
    assert_eq!((bench.current().as_deref(), bench.current_run()), (Some("PLDV"), None));
    turn(&mut bench, "processors.count", "3", true);
    assert_eq!((bench.scenario.name.as_str(), bench.current()), (UNNAMED, None));
    turn(&mut bench, "processors.count", "4", true);
    assert_eq!(bench.scenario.name, "PLDV");
    turn(&mut bench, "processors.count", "3", true);
    bench.reset();
    assert_eq!(bench.current().as_deref(), Some("PLDV"));
    bench.choose("no such thing");
    assert_eq!(bench.run.as_deref(), Some("PLDV"));
}

#[test]
fn knobs_turned_together_are_one_change() {
    let mut bench = bench();
    bench.choose("STORBUF");
    settle(&mut bench);
    let numbers = [("scheduler.storbuf_1", "125"), ("scheduler.storbuf_2", "105"), ("scheduler.storbuf_3", "95")];
    let turns = numbers.map(|(path, text)| (Knob::at(path, 0).expect("a field"), Given::Number(text.into())));
    bench.turn_all(turns.to_vec(), true);
    assert_eq!(bench.problems, Vec::new());
    assert_eq!(settle(&mut bench), 1, "what lies between them is not run");
    assert_eq!(bench.before.as_ref().map(|before| before.scenario.name.as_str()), Some("STORBUF"));
}

#[test]
fn groups_of_guests_can_be_added_and_taken_away() {
    let mut bench = bench();
    bench.choose("EVACUATION");
    let count = bench.scenario.guests.len();
    bench.add_guests(2);
    bench.add_guests(3);
    let names: Vec<&str> = bench.scenario.guests[count..].iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["WEB2", "HOME4"], "the first name that is free");
    let (web, added) = (&bench.scenario.guests[2], &bench.scenario.guests[count]);
    assert_eq!((added.loop_mb, added.move_to, added.count), (web.loop_mb, web.move_to, web.count));
    assert_eq!((bench.problems.clone(), bench.scenario.name.as_str()), (Vec::new(), UNNAMED));
    bench.turned = ["guests.count", "guests.loop_mb"].map(|path| Knob::at(path, count).expect("a field")).into();
    bench.turned.push(Knob::at("guests.count", 0).expect("a field"));
    bench.remove_guests(count);
    assert_eq!((bench.scenario.guests[count].name.as_str(), bench.turned.len()), ("HOME4", 1));
    bench.remove_guests(count);
    assert_eq!(bench.current().as_deref(), Some("EVACUATION"), "the way back");
    for _ in 0..20 {
        bench.add_guests(2);
    }
    assert_eq!(bench.scenario.guests.len(), 16);
    for _ in 0..20 {
        bench.remove_guests(0);
    }
    assert_eq!(bench.scenario.guests.len(), 1, "one stays");
    bench.remove_guests(7);
    bench.add_guests(7);
    assert_eq!(bench.scenario.guests.len(), 1, "there is no such group");
}

#[test]
fn another_seed_leaves_what_was_entered_wrong() {
    let mut bench = bench();
    turn(&mut bench, path::LCU_ALIASES, "abc", true);
    bench.reseed(7);
    assert_eq!((bench.seed, bench.drafts.len(), bench.problems.len()), (7, 1, 1));
}

#[test]
fn steps_are_taken_back_with_the_host_that_was_opened() {
    let mut bench = Bench::new(Experiment { scenario: Scenario::default(), seed: 1 }, None, None, 1);
    assert_eq!(bench.steps(), (None, None));
    let aliases = Knob::at(path::LCU_ALIASES, 0).expect("a knob");
    for (text, done) in [("1", false), ("4", true), ("8", true)] {
        bench.turn(aliases, Given::Number(text.into()), done);
    }
    bench.choose("V8DVY000");
    assert_eq!((bench.a().paging.volumes, bench.turned.len()), (8, 0));
    bench.undo();
    assert_eq!((bench.scenario.lcu.aliases, bench.a().paging.volumes, bench.run.as_deref()), (8, 4, None));
    assert_eq!(bench.turned, [aliases], "it stays visible");
    bench.turn(aliases, Given::Number("-1".into()), true);
    assert_eq!((bench.drafts.len(), bench.problems.is_empty()), (1, false));
    assert_eq!(bench.steps().0.as_deref(), Some("the entry of HyperPAV aliases"));
    bench.undo();
    assert_eq!(
        (bench.scenario.lcu.aliases, bench.drafts.len(), bench.problems.len()),
        (8, 0, 0),
        "what is no value goes first"
    );
    assert_eq!(bench.steps().0.as_deref(), Some("HyperPAV aliases 0 → 8"));
    assert_eq!(bench.steps().1.as_deref(), Some("opening V8DVY000"));
    bench.undo();
    assert_eq!((bench.scenario.lcu.aliases, bench.steps()), (0, (None, Some("HyperPAV aliases 0 → 8".into()))));
    bench.redo();
    bench.redo();
    assert_eq!((bench.scenario.paging.volumes, bench.run.as_deref(), bench.steps().1), (8, Some("V8DVY000"), None));
}

#[test]
fn a_knob_of_a_group_that_is_gone_does_nothing() {
    let mut bench = bench();
    bench.add_guests(0);
    let knob = Knob::at("guests.count", 1).expect("a field");
    bench.turn(knob, Given::Number("7".into()), true);
    assert_eq!(bench.scenario.guests[1].count, 7);
    let alone = Scenario { guests: bench.scenario.guests[..1].to_vec(), ..bench.scenario.clone() };
    bench.put(alone.clone(), 1);
    assert!(bench.turned.iter().all(|knob| knob.group == 0), "{:?}", bench.turned);
    bench.turn(knob, Given::Number("9".into()), true);
    bench.turn_all(vec![(knob, Given::Number("x".into()))], true);
    assert_eq!((&bench.scenario, bench.drafts.len()), (&alone, 0));
}
