//! Can any host break a law? Generated scenarios run with every check on: after each event the counts (frames, exposures,
//! processors, waits), and every page and every slot: now and then, and after each of the last thousand events.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use zvmlab::kernel::time::Instant;
use zvmlab::scenario::{GuestGroup, Level, Scenario};
use zvmlab::{Measurement, Simulation};

/// Hosts that are small enough to look at every page, with guests that fit and guests that do not.
fn hosts() -> impl Strategy<Value = Scenario> {
    let group = (1u32..4, 1u64..120, 0u32..=100, 0u64..40);
    (
        proptest::collection::vec(group, 1..4),
        256u64..400,
        any::<bool>(),
        (1u32..6, 0u32..6, any::<bool>(), any::<bool>()),
        1u32..5,
        any::<bool>(),
    )
        .prop_map(|(groups, central_mb, early_writes, (volumes, aliases, zhpf, tight), processors, v6_3)| {
            let mut scenario = Scenario::default();
            scenario.storage.central_mb = central_mb;
            scenario.storage.early_writes = early_writes;
            scenario.level = if v6_3 { Level::V6_3 } else { Level::V6_4 };
            scenario.paging.volumes = volumes;
            scenario.lcu.aliases = if v6_3 { 0 } else { aliases };
            scenario.paging.zhpf = zhpf && !v6_3;
            // Page space that is nearly full makes reads give their slots back and splits blocks.
            scenario.paging.volume_slots = if tight { 190_000 / u64::from(volumes) } else { 200_000 };
            scenario.processors.count = processors;
            scenario.guests = groups
                .into_iter()
                .map(|(count, loop_mb, change_percent, more_mb)| GuestGroup {
                    name: "GUEST".into(),
                    count,
                    virtual_mb: loop_mb + more_mb,
                    loop_mb,
                    change_percent,
                    ..GuestGroup::default()
                })
                .collect();
            scenario
        })
        .prop_filter("the scenario is valid", |scenario| scenario.check().is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_host_breaks_a_law(scenario in hosts(), seed in any::<u64>()) {
        let mut simulation = Simulation::new(&scenario, seed).expect("the filter lets only valid scenarios pass");
        for event in 0..30_000 {
            // In this build each step ends with verify().
            prop_assert!(simulation.step(), "the guests never end, so an event is always due");
            // Every page and slot now and then, and at the end of the run after each event.
            if event % 500 == 0 || event >= 29_000 {
                simulation.verify_pages();
            }
        }
        let snapshot = simulation.snapshot();
        for guest in &snapshot.guests {
            let spent = guest.running_ns + guest.ready_ns + guest.page_wait_ns + guest.frame_wait_ns + guest.io_wait_ns + guest.idle_ns;
            prop_assert_eq!(spent, snapshot.now_ns, "each nanosecond of a guest is accounted once");
        }
        let busy = &snapshot.processors;
        prop_assert!(busy.guest_ns + busy.chargeable_cp_ns + busy.nonchargeable_cp_ns <= snapshot.now_ns * u64::from(busy.count));
    }
}

/// A host whose loops are twice its storage, of the size that unit tests can bear.
fn overcommitted() -> Scenario {
    let text = "[storage]\ncentral_mb = 256\n[[guests]]\ncount = 4\nvirtual_mb = 140\nloop_mb = 128\n[measure]\nwarmup_s = 2\ninterval_s = 5\n";
    Scenario::parse(text).expect("the text is a valid scenario")
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let run = |seed| zvmlab::experiment::run(&overcommitted(), seed).expect("the scenario is valid").digest;
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn looking_does_not_change_the_run() {
    let mut watched = Simulation::new(&overcommitted(), 1).expect("the scenario is valid");
    let mut alone = watched.clone();
    for second in 1..=10 {
        watched.run_until(Instant(second * 1_000_000_000));
        let _ = watched.snapshot();
    }
    alone.run_until(Instant(10_000_000_000));
    assert_eq!(watched.snapshot(), alone.snapshot());
}

#[test]
fn a_guest_that_fits_never_pages() {
    let mut scenario = overcommitted();
    scenario.storage.central_mb = 1024;
    let outcome = zvmlab::experiment::run(&scenario, 1).expect("the scenario is valid");
    assert_eq!(outcome.snapshot.paging.starts, 0);
    assert_eq!(outcome.snapshot.guests.iter().map(|guest| guest.page_wait_ns).sum::<u64>(), 0);
}

#[test]
fn pages_written_keep_pace_with_pages_read_when_all_are_changed() {
    let outcome = zvmlab::experiment::run(&overcommitted(), 1).expect("the scenario is valid");
    let get = |figure| outcome.measurement.get(figure).expect("there is paging");
    let (read, written) = (get(zvmlab::Figure::PagesRead), get(zvmlab::Figure::PagesWritten));
    assert!((written / read - 1.0).abs() < 0.05, "{written} written, {read} read a second");
}

#[test]
fn pages_that_are_not_changed_are_written_once() {
    let mut scenario = overcommitted();
    scenario.guests[0].change_percent = 0;
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until(Instant(60_000_000_000));
    let earlier = simulation.snapshot();
    simulation.run_until(Instant(70_000_000_000));
    let later = simulation.snapshot();
    assert!(earlier.guests.iter().all(|guest| guest.pages_touched > 3 * 128 * 256), "every guest went round three times");
    let measurement = Measurement::between(&earlier, &later);
    assert_eq!(measurement.get(zvmlab::Figure::PagesWritten), Some(0.0), "every page has kept its slot");
    assert!(measurement.get(zvmlab::Figure::PagesRead).is_some_and(|read| read > 10_000.0));
}

#[test]
fn state_stays_below_two_bytes_a_page() {
    // The published host at a thirty-second of its size. Pages that are changed only now and then leave blocks of which a
    // part no longer counts, which takes the most state.
    for (level, change) in [("6.3", 100), ("6.3", 50), ("6.4", 100), ("6.4", 50), ("6.4", 3)] {
        let text = format!(
            "level = \"{level}\"\n[storage]\ncentral_mb = 4096\n[[guests]]\nvirtual_mb = 576\nloop_mb = 512\nchange_percent = {change}\n"
        );
        let mut simulation =
            Simulation::new(&Scenario::parse(&text).expect("the text is a valid scenario"), 1).expect("same");
        while simulation.snapshot().guests.iter().any(|guest| guest.pages_touched < 4 * 512 * 256) {
            let next = simulation.now() + zvmlab::kernel::time::Span::from_secs(10);
            simulation.run_until(next);
        }
        let bytes = simulation.page_state_bytes() as f64 / f64::from(8 * 576 * 256);
        assert!(bytes < 2.0, "{bytes} bytes a page with z/VM {level}, {change} % changed");
    }
}

#[test]
fn more_guests_on_the_same_host_never_get_more_done() {
    let etr = |count: u32| {
        let text = format!(
            "[storage]\ncentral_mb = 256\n[[guests]]\ncount = {count}\nvirtual_mb = 64\nloop_mb = 64\n[measure]\nwarmup_s = 2\ninterval_s = 5\n"
        );
        let outcome = zvmlab::experiment::run(&Scenario::parse(&text).expect("the text is a valid scenario"), 1);
        let measurement = outcome.expect("the scenario is valid").measurement;
        assert!(measurement.filled, "with {count} guests every guest gets its frames");
        measurement.get(zvmlab::Figure::Etr).expect("guests touch pages")
    };
    let some = etr(8);
    for count in [32, 100] {
        assert!(etr(count) < 1.1 * some, "{count} guests reach {} tx/s, 8 guests {some}", etr(count));
    }
}

#[test]
fn a_guest_that_never_waits_does_not_hold_up_the_ios_of_others() {
    // Eight guests page on one processor; a ninth fits and runs all the time.
    let paging = "[processors]\ncount = 1\n[storage]\ncentral_mb = 512\n[measure]\nwarmup_s = 2\ninterval_s = 5\n[[guests]]\ncount = 8\nvirtual_mb = 128\nloop_mb = 128\n";
    let busy = "[[guests]]\nname = \"BUSY\"\ncount = 1\nvirtual_mb = 10\nloop_mb = 10\n";
    let in_progress = |text: &str| {
        let outcome = zvmlab::experiment::run(&Scenario::parse(text).expect("the text is a valid scenario"), 1);
        outcome.expect("the scenario is valid").measurement.get(zvmlab::Figure::IosInProgress).expect("there is paging")
    };
    let (alone, beside) = (in_progress(paging), in_progress(&format!("{paging}{busy}")));
    assert!(beside > 0.5 * alone, "{alone} I/Os in progress alone, {beside} beside a busy guest");
}
