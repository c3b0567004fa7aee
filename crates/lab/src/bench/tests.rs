//! What the bench does, played with a worker that answers when the test says so.

use zvmlab::scenario::Level;
use zvmlab::snapshot::GuestSnapshot;
use zvmlab::{Measurement, Snapshot};

use super::*;
use crate::batch::queue::Order;
use crate::comparison::Finding;
use crate::published::runs;

fn bench() -> Bench {
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
fn settle(bench: &mut Bench) -> usize {
    let mut count = 0;
    while let Order::Start(request) = bench.queue.order(0.0) {
        bench.queue.ended(1.0);
        let settled = answer(&request);
        bench.heard(&request, settled);
        count += 1;
    }
    count
}

fn turn(bench: &mut Bench, path: &str, value: &str, done: bool) {
    let knob = Knob::at(path, 0).expect("a field");
    bench.turn(knob, Given::Number(value.into()), done);
}

fn etr(settled: &Option<Rc<Settled>>) -> Option<f64> {
    settled.as_ref().and_then(|settled| settled.measurement.get(zvmlab::Figure::Etr))
}

#[test]
fn a_change_settles_beside_the_result_before_it() {
    let mut bench = bench();
    assert_eq!((settle(&mut bench), bench.is_settled()), (1, true));
    turn(&mut bench, "paging.volumes", "8", true);
    assert!(!bench.is_settled());
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(9.0)));
    turn(&mut bench, "paging.volumes", "4", true);
    assert_eq!(settle(&mut bench), 0, "what is known is not run again");
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(9.0), Some(5.0)));
}

#[test]
fn what_is_written_without_an_end_is_meant_after_a_rest() {
    let mut bench = bench();
    settle(&mut bench);
    let before = etr(&bench.settled);
    turn(&mut bench, "paging.volumes", "7", false);
    settle(&mut bench);
    assert!(bench.is_settled() && bench.is_turning());
    bench.rest();
    assert!(!bench.is_turning());
    turn(&mut bench, "paging.volumes", "8", false);
    assert!(bench.is_turning(), "it goes on");
    settle(&mut bench);
    assert_eq!(etr(&bench.before), before, "it is still the same drag");
}

#[test]
fn a_drag_is_compared_with_what_was_before_it() {
    let mut bench = bench();
    settle(&mut bench);
    for volumes in ["5", "6", "7"] {
        turn(&mut bench, "paging.volumes", volumes, false);
        settle(&mut bench);
    }
    turn(&mut bench, "paging.volumes", "7", true);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(8.0)));
    turn(&mut bench, "paging.volumes", "8", true);
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(8.0), Some(9.0)));
}

#[test]
fn until_there_is_a_new_result_the_old_comparison_stays() {
    let mut bench = bench();
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    turn(&mut bench, "paging.volumes", "", false);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(6.0)));
    turn(&mut bench, "paging.volumes", "7", false);
    turn(&mut bench, "paging.volumes", "7", true);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(6.0)));
    settle(&mut bench);
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(6.0), Some(8.0)));
}

#[test]
fn a_pinned_result_stays() {
    let mut bench = bench();
    settle(&mut bench);
    bench.pin();
    for volumes in ["6", "9"] {
        turn(&mut bench, "paging.volumes", volumes, true);
        settle(&mut bench);
    }
    assert_eq!((etr(&bench.before), etr(&bench.settled)), (Some(5.0), Some(10.0)));
    let shared = bench.pin_to_share().expect("pinned");
    let now = Experiment { scenario: bench.scenario.clone(), seed: 1 };
    let mut opened = Bench::new(now, Some(shared), None, 1);
    settle(&mut opened);
    assert_eq!((etr(&opened.before), etr(&opened.settled)), (Some(5.0), Some(10.0)));
    bench.unpin();
    turn(&mut bench, "paging.volumes", "4", true);
    assert_eq!(etr(&bench.before), Some(10.0));
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
    let pair = bench.pairs().into_iter().find(|pair| pair.figure == zvmlab::Figure::Etr).expect("every figure");
    assert_eq!((pair.before, pair.now), (Some(7.0), Some(8.0)));
    assert_eq!(pair.finding(), Finding::Distinguishable);
    assert_eq!(bench.shown().len(), 5);
}

#[test]
fn where_only_the_seed_was_changed_nothing_is_paired() {
    let mut bench = bench();
    bench.replicate(5);
    settle(&mut bench);
    bench.put(bench.scenario.clone(), 11);
    assert_eq!(settle(&mut bench), 5, "the side before keeps its seeds");
    let pair = |bench: &Bench| bench.pairs().into_iter().find(|pair| pair.figure == zvmlab::Figure::Etr);
    let seen = pair(&bench).expect("every figure");
    assert_eq!((seen.before, seen.now, seen.finding()), (Some(7.0), Some(17.0), Finding::Unknown));
    bench.replicate(10);
    assert_eq!(settle(&mut bench), 10, "both sides get five more");
    turn(&mut bench, "paging.volumes", "5", true);
    settle(&mut bench);
    let seen = pair(&bench).expect("every figure");
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
