//! SET CU: how minidisk and paging I/O share the aliases when both want more than there are, and when one does not.

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{AliasShare, Scenario};
use zvmlab::{Figure, Measurement, Simulation};

/// A host on which many guests do I/O to minidisks and many others page, so that either could use the whole pool. Those
/// that do I/O have their pages reserved: nothing else holds them up. Those that page only read: once every page has been
/// written there are no writes that frames would have to wait for.
fn host(aliases: u32, share: AliasShare) -> Scenario {
    // Enough guests to want a hundred aliases, and more of their pages on DASD, so that they seldom run. I/Os that all take equally
    // long keep step, so at an instant as many guests run as I/Os are in progress, and others still wait.
    let (central_mb, doing_io, paging, loop_mb) = if aliases > 16 { (320, 150, 200, 4) } else { (256, 50, 64, 6) };
    let text = format!(
        "[processors]\ncount = 64\n[storage]\ncentral_mb = {central_mb}\n[lcu]\npaths = 8\naliases = {aliases}\n\
         alias_share = \"{share}\"\n[paging]\nvolumes = 2\n[minidisks]\nvolumes = 4\n\
         [[guests]]\nworkload = \"IO3390\"\ncount = {doing_io}\nvirtual_mb = 1\nloop_mb = 1\nreserved_mb = 1\n\
         [[guests]]\nworkload = \"VIRSTOEX\"\ncount = {paging}\nvirtual_mb = {loop_mb}\nloop_mb = {loop_mb}\nchange_percent = 0\n"
    );
    Scenario::parse(&text).expect("the text is a valid scenario")
}

/// What a run came to after its fill: aliases held by MDISK and by PAGING in the mean, the fewest and most that MDISK held
/// whenever one looked, and whether I/Os of each waited then.
struct Held {
    mdisk: f64,
    paging: f64,
    mdisk_range: (u32, u32),
    mdisk_waits: bool,
    paging_waits: bool,
}

fn run(scenario: &Scenario) -> Held {
    let mut simulation = Simulation::new(scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    // Until every page has been written.
    simulation.run_until(simulation.now() + Span::from_secs(4));
    let earlier = simulation.snapshot();
    let mut looks = Vec::new();
    for _ in 0..100 {
        simulation.run_until(simulation.now() + Span(7_000_000));
        let snapshot = simulation.snapshot();
        looks.push((snapshot.minidisks.ios, snapshot.paging.ios.queued));
    }
    let measurement = Measurement::between(&earlier, &simulation.snapshot());
    let held = |figure| measurement.get(figure).expect("aliases are counted on every host");
    let in_use = || looks.iter().map(|(mdisk, _)| mdisk.aliases_in_use);
    Held {
        mdisk: held(Figure::MdiskAliases),
        paging: held(Figure::PagingAliases),
        mdisk_range: (in_use().min().unwrap_or(0), in_use().max().unwrap_or(0)),
        mdisk_waits: looks.iter().all(|(mdisk, _)| mdisk.queued > 0),
        paging_waits: looks.iter().all(|&(_, paging)| paging > 0),
    }
}

/// Where both always want more, each holds its part of the pool: at every instant the whole number of aliases in it, and where
/// that leaves one, by turns, so that the mean is the part itself.
fn both_saturated(aliases: u32, shares: &[&str]) {
    for share in shares {
        let share: AliasShare = share.parse().expect("the text is a share");
        let held = run(&host(aliases, share));
        let waits = (held.mdisk_waits, held.paging_waits);
        assert_eq!(waits, (true, true), "{aliases} aliases, {share}: MDISK and PAGING always want more");
        let entitled = f64::from(aliases * share.mdisk) / f64::from(share.mdisk + share.paging);
        let said = format!("{aliases} aliases, {share}: MDISK holds {}, entitled to {entitled}", held.mdisk);
        assert!((held.mdisk - entitled).abs() < 0.02, "{said}");
        assert!((held.mdisk + held.paging - f64::from(aliases)).abs() < 0.001, "{said}: no alias idles");
        let (fewest, most) = held.mdisk_range;
        assert!(f64::from(fewest) >= entitled.floor() && f64::from(most) <= entitled.ceil(), "{said}: {fewest} to {most}");
    }
}

#[test]
fn a_pool_of_one() {
    both_saturated(1, &["8:8", "15:1", "1:15", "2:1"]);
}

#[test]
fn a_pool_of_three() {
    both_saturated(3, &["8:8", "2:1", "1:2", "3:5", "15:1", "1:1000"]);
}

#[test]
fn a_pool_of_sixteen_in_the_published_steps() {
    both_saturated(16, &["15:1", "12:4", "8:8", "4:12", "1:15"]);
}

#[test]
fn a_pool_of_sixteen_that_the_shares_do_not_divide() {
    both_saturated(16, &["2:1", "3:4", "1:6", "1000:1", "7:13"]);
}

#[test]
fn a_pool_of_a_hundred() {
    both_saturated(100, &["1:1", "2:1", "5:11"]);
}

#[test]
fn equal_shares_are_equal_however_they_are_written() {
    let held = ["1:3", "4:12", "250:750"].map(|share| run(&host(16, share.parse().expect("the text is a share"))).mdisk);
    assert_eq!(held, [4.0; 3]);
}

#[test]
fn what_paging_does_not_want_is_minidisk_ios() {
    let mut scenario = host(16, AliasShare { mdisk: 1, paging: 1000 });
    scenario.guests.truncate(1);
    let held = run(&scenario);
    assert!(held.mdisk_waits && (held.mdisk - 16.0).abs() < 0.001, "MDISK holds {} of 16", held.mdisk);
    assert_eq!(held.paging, 0.0);
}

#[test]
fn what_minidisk_io_does_not_want_is_pagings() {
    let mut scenario = host(16, AliasShare { mdisk: 1000, paging: 1 });
    scenario.guests.remove(0);
    let held = run(&scenario);
    assert!(held.paging_waits && (held.paging - 16.0).abs() < 0.001, "PAGING holds {} of 16", held.paging);
    assert_eq!(held.mdisk, 0.0);
}

#[test]
fn what_paging_wants_now_and_then_it_gets_and_leaves_the_rest() {
    // Two guests that page have two reads and now and then a write under way: much less than the fifteen to which they are entitled.
    let mut scenario = host(16, AliasShare { mdisk: 1, paging: 15 });
    (scenario.guests[1].count, scenario.guests[1].loop_mb, scenario.guests[1].virtual_mb) = (2, 300, 300);
    let held = run(&scenario);
    assert!(held.mdisk_waits, "MDISK always wants more");
    assert!(held.paging < 4.0, "PAGING holds {}", held.paging);
    assert!((held.mdisk + held.paging - 16.0).abs() < 0.01, "MDISK holds {} beside {}", held.mdisk, held.paging);
}

#[test]
fn paging_that_does_not_use_aliases_leaves_them_to_minidisk_io() {
    let mut scenario = host(16, AliasShare { mdisk: 1, paging: 15 });
    scenario.paging.alias = false;
    let held = run(&scenario);
    assert!(held.paging_waits && held.paging == 0.0, "SET PAGING ALIAS OFF");
    assert!((held.mdisk - 16.0).abs() < 0.001, "MDISK holds {} of 16", held.mdisk);
}
