//! Switches of the dispatcher and its locks: each fix against its fault, in direction and size.

use zvmlab::Figure;
use zvmlab::Simulation;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{Level, LimitType, SpinLock, Tenths};

use super::{get, measured, scenario, scenario_of_example};

/// A client with three virtual CPUs that contend for its lock, and servers, as in the 5.2 regression measurements.
const APACHE: &str = include_str!("../../../../tests/golden/diag44-fast-path/scenario.toml");

#[test]
fn the_fast_path_takes_most_of_diag_44_and_there_is_more_of_it() {
    let fast = scenario(APACHE);
    let mut normal = fast.clone();
    (normal.level, normal.dispatcher.diag44_fast_path) = (Level::V5_1, false);
    let of = |scenario| {
        let measurement = measured(scenario, 1);
        [Figure::Diag44Normal, Figure::Diag44Fast, Figure::Etr].map(|figure| get(&measurement, figure))
    };
    let ([without, none, etr_without], [with, fast, etr_with]) = (of(&normal), of(&fast));
    assert_eq!(none, 0.0, "5.1 has no fast path for three virtual CPUs");
    // Published: 24514 and 0 a second without, 3511 and 42368 with it; the transaction rate 1.3 % less, run variation.
    assert!(with < 0.3 * without, "normal path: {without} a second without, {with} with the fast path");
    assert!((1.4..2.4).contains(&((with + fast) / without)), "{} a second in all, {without} without", with + fast);
    assert!((etr_with / etr_without - 1.0).abs() < 0.05, "{etr_without} tx/s without, {etr_with} with the fast path");
}

#[test]
fn a_guest_of_two_virtual_cpus_always_had_the_fast_path() {
    let mut scenario = scenario(APACHE);
    (scenario.level, scenario.dispatcher.diag44_fast_path) = (Level::V5_1, false);
    scenario.guests[0].virtual_cpus = 2;
    assert!(get(&measured(&scenario, 1), Figure::Diag44Fast) > 0.0);
}

#[test]
fn with_one_virtual_cpu_nobody_contends() {
    let mut scenario = scenario(APACHE);
    scenario.guests[0].virtual_cpus = 1;
    let measurement = measured(&scenario, 1);
    assert_eq!(get(&measurement, Figure::Diag44Total), 0.0);
    assert_eq!(get(&measurement, Figure::GuestSpin), 0.0);
}

/// Two guests of eight virtual CPUs each on two processors: who holds a lock often has no processor.
const CROWDED: &str = r#"
level = "6.2"
processors = { count = 2 }
measure = { warmup_s = 5, interval_s = 20 }
guests = [{ name = "SMP", count = 2, virtual_cpus = 8, virtual_mb = 64, loop_mb = 8, workload = "COMPUTE", cpu_us = 300, lock_us = 200 }]
"#;

/// With Diag X'9C' the holder runs in place of who waits for it; with Diag X'44' another that will only spin may.
#[test]
fn a_guest_that_names_the_holder_calls_less_and_does_more() {
    let of = |guest_lock| {
        let mut scenario = scenario(CROWDED);
        scenario.dispatcher.guest_lock = guest_lock;
        let measurement = measured(&scenario, 1);
        [Figure::Etr, Figure::Diag44Total, Figure::GuestDiag9c].map(|figure| get(&measurement, figure))
    };
    let [etr_44, total_44, none] = of(SpinLock::Diag44);
    let [etr_9c, total_9c, calls] = of(SpinLock::Diag9c);
    assert_eq!((none, total_9c), (0.0, 0.0), "each way has its own call");
    assert!(calls > 0.0 && calls < 0.5 * total_44, "{total_44} Diag X'44' a second, {calls} Diag X'9C'");
    assert!(etr_9c > 1.03 * etr_44, "{etr_44} tx/s by Diag X'44', {etr_9c} by Diag X'9C'");
}

/// Whichever virtual CPU holds a lock has its turn when the guest leaves the limit list, as well as those that spin for it: the
/// guest does as much as its part of the processors allows. Past a soft limit, with nobody else there, it does about as much as
/// without a limit.
#[test]
fn a_guest_that_spins_for_its_lock_gets_on_at_its_maximum_share() {
    let etr = |guest_lock, limit: Option<(LimitType, u32)>| {
        let mut scenario = scenario(CROWDED);
        scenario.guests[0].count = 1;
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, 4);
        scenario.dispatcher.guest_lock = guest_lock;
        if let Some((limit_type, percent)) = limit {
            (scenario.guests[0].limit_type, scenario.guests[0].limit_absolute) = (limit_type, Tenths::whole(percent));
        }
        get(&measured(&scenario, 1), Figure::Etr)
    };
    for way in [SpinLock::Diag44, SpinLock::Diag9c] {
        let free = etr(way, None);
        for percent in [5, 20, 40, 99] {
            let hard = etr(way, Some((LimitType::LimitHard, percent))) / free / f64::from(percent) * 100.0;
            let soft = etr(way, Some((LimitType::LimitSoft, percent))) / free;
            assert!((0.75..1.25).contains(&hard), "{way:?}, LIMITHARD {percent} %: {hard} times that part of {free} tx/s");
            assert!((0.85..1.15).contains(&soft), "{way:?}, LIMITSOFT {percent} %: {soft} times {free} tx/s");
        }
    }
}

/// How many virtual CPUs wait for the lock of VARY PROCESSOR, ten times a second from the start of the interval.
fn waiting_for_vary(fix: bool) -> Vec<(bool, u32)> {
    let mut scenario = scenario_of_example("VARY");
    scenario.dispatcher.vary_fix = fix;
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let start = simulation.now() + Span::from_secs(scenario.measure.warmup_s.into());
    let looks = u64::from(scenario.measure.interval_s) * 10;
    (0..looks)
        .map(|look| {
            simulation.run_until(start + Span(look * 100_000_000 + 10_000_000));
            let locks = simulation.snapshot().locks;
            (locks.vary_held, locks.vary_waiting)
        })
        .collect()
}

#[test]
fn behind_vary_work_piles_up_for_good() {
    let looks = waiting_for_vary(false);
    let (before, after) = looks.split_at(100);
    assert!(before.iter().all(|&look| look == (false, 0)), "no virtual CPU waits before VARY PROCESSOR is entered");
    assert!(after.iter().all(|&(held, _)| held), "the lock is never given back");
    assert!(after.is_sorted_by_key(|&(_, waiting)| waiting), "who waits goes on waiting");
    assert!(after.last().is_some_and(|&(_, waiting)| waiting >= 15), "in the end nearly all wait: {:?}", after.last());
}

#[test]
fn with_the_fix_who_waited_for_vary_goes_on() {
    let looks = waiting_for_vary(true);
    let held: Vec<usize> = (0..looks.len()).filter(|&look| looks[look].0).collect();
    assert_eq!(held, [100], "VARY PROCESSOR takes 20 ms");
    assert!(looks[101..].iter().all(|&(_, waiting)| waiting == 0));
}

#[test]
fn vectors_that_note_overflow_forget_nobody() {
    let of = |fix| {
        let mut scenario = scenario_of_example("PLDV");
        scenario.dispatcher.pldv_fix = fix;
        let measurement = measured(&scenario, 1);
        [Figure::Etr, Figure::ForgottenWork, Figure::ResponseTime].map(|figure| get(&measurement, figure))
    };
    let ([etr_with, forgotten_with, response_with], [etr, forgotten, response]) = (of(true), of(false));
    assert_eq!(forgotten_with, 0.0);
    assert!(forgotten > 0.1, "{forgotten} virtual CPUs are forgotten");
    assert!(etr_with > 1.1 * etr, "{etr_with} tx/s with the fix, {etr} without");
    assert!(response_with < 0.9 * response, "{response_with} ms with the fix, {response} ms without");
}

#[test]
fn vectors_that_hold_everybody_need_no_fix() {
    let of = |fix| {
        let mut scenario = scenario_of_example("PLDV");
        (scenario.dispatcher.pldv_fix, scenario.dispatcher.vector_entries) = (fix, 64);
        measured(&scenario, 1)
    };
    assert_eq!(of(true), of(false));
}

#[test]
fn who_senses_that_the_holder_does_not_run_yields_to_it() {
    let of = |spin_lock| {
        let mut scenario = scenario_of_example("SPIN-LOCK");
        scenario.dispatcher.spin_lock = spin_lock;
        let measurement = measured(&scenario, 1);
        [Figure::Etr, Figure::CpDiag44, Figure::CpDiag9c].map(|figure| get(&measurement, figure))
    };
    let ([old_etr, old_44, old_9c], [new_etr, new_44, new_9c]) = (of(SpinLock::Diag44), of(SpinLock::Diag9c));
    assert!(old_44 > 100.0 && old_9c == 0.0, "the old way: {old_44} Diag X'44', {old_9c} Diag X'9C' a second");
    assert!(new_44 == 0.0 && new_9c > 0.0, "the new way: {new_44} Diag X'44', {new_9c} Diag X'9C' a second");
    assert!(new_9c < 0.5 * old_44, "calls: {new_9c} a second in the new way, {old_44} in the old way");
    assert!(new_etr > old_etr, "{new_etr} tx/s in the new way, {old_etr} in the old way");
}

#[test]
fn on_processors_of_its_own_cp_spins_and_calls_nobody() {
    for spin_lock in [SpinLock::Diag44, SpinLock::Diag9c] {
        let mut scenario = scenario_of_example("SPIN-LOCK");
        (scenario.processors.shared, scenario.dispatcher.spin_lock) = (false, spin_lock);
        let measurement = measured(&scenario, 1);
        assert!(get(&measurement, Figure::CpSpin) > 0.0);
        assert_eq!([Figure::CpDiag44, Figure::CpDiag9c].map(|figure| get(&measurement, figure)), [0.0, 0.0]);
    }
}
