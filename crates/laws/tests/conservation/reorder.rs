//! Reorder before z/VM 6.3: for how long a guest stands still, and who does not.

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{GuestState, Snapshot};
use zvmlab::{Figure, Measurement, Simulation};

/// A walk through 5 MB for each 4 MB in frames, beside a guest that needs only a processor and is not reordered.
fn host(level: &str, mb: u64, more: &str) -> String {
    format!(
        "level = \"{level}\"\nstorage.central_mb = {}\nscheduler = {{ storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }}\n[paging]\nalias = false\n\
         [[guests]]\nname = \"WALKER\"\ncount = 1\nvirtual_cpus = 2\nvirtual_mb = {mb}\nloop_mb = {mb}\n{more}\n\
         [[guests]]\nname = \"NEIGHBOUR\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nworkload = \"COMPUTE\"\nreorder = false\n",
        mb * 4 / 5
    )
}

/// The host a minute after the fill, and what is measured of that minute.
fn minute(text: &str) -> (Snapshot, Measurement) {
    minutes(1, text)
}

/// The host so many minutes after the fill, and what is measured of them.
fn minutes(count: u64, text: &str) -> (Snapshot, Measurement) {
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(60 * count));
    simulation.verify();
    let later = simulation.snapshot();
    (later.clone(), Measurement::between(&earlier, &later))
}

#[test]
fn a_guest_stands_still_in_proportion_to_its_frames() {
    // Long enough that a reorder under way at either end hardly counts.
    let [small, large] = [400, 1600].map(|mb| minutes(14, &host("6.2", mb, "")).1);
    let time = |of: &Measurement| of.get(Figure::ReorderTime).expect("there were reorders");
    // 130 ms for each GB in frames, of which CP keeps some and some are available: 97 % of 320 MB and of 1,280 MB, less 18 MB.
    assert!((time(&small) / (0.130 * (0.97 * 320.0 - 18.0) / 1024.0) - 1.0).abs() < 0.05, "{}", time(&small));
    assert!((time(&large) / (0.130 * (0.97 * 1280.0 - 18.0) / 1024.0) - 1.0).abs() < 0.05, "{}", time(&large));
    // Four times the frames last four times as long, so a guest stands still for the same part of its time.
    let [few, many] = [&large, &small].map(|of| of.get(Figure::Reorders).expect("a rate"));
    assert!((many / few / 4.0 - 1.0).abs() < 0.25, "{many} and {few} a minute");
    // CP's time is half a microsecond for each frame, in all.
    for of in [&small, &large] {
        let [busy, rate] = [Figure::ReorderBusy, Figure::Reorders].map(|figure| of.get(figure).expect("a value"));
        assert!((busy / (time(of) * rate / 60.0 * 100.0) - 1.0).abs() < 0.02, "{busy} % of a processor, {rate} a minute");
    }
    let [some, same] = [&small, &large].map(|of| of.get(Figure::ConsoleWait).expect("a share"));
    assert!((some / same - 1.0).abs() < 0.25, "{some} and {same} %");
}

#[test]
fn the_neighbour_goes_on_and_no_other_host_has_reorders() {
    let (end, measured) = minute(&host("6.1", 400, ""));
    let [walker, neighbour] = [0, 1].map(|guest| &end.guests[guest]);
    assert!(walker.reorders > 3 && walker.console_wait_ns > 0 && walker.reorder_ns > 0);
    assert_eq!((neighbour.console_wait_ns, neighbour.time_in(GuestState::ConsoleWait)), (0, 0));
    // CP's part is a processor's: what is reordered is paid for.
    // Demand scan has its own part, which is not what is looked at here.
    let of = |one: &Measurement, figure| one.get(figure).expect("a share");
    let paid = |one: &Measurement| of(one, Figure::NonchargeableCpBusy) - of(one, Figure::ScanBusy);
    for (level, more) in [("6.1", "reorder = false"), ("6.3", "")] {
        let (other, without) = minute(&host(level, 400, more));
        assert!(other.guests.iter().all(|guest| guest.reorders == 0 && guest.console_wait_ns == 0), "{level} {more}");
        let still = measured.get(Figure::ConsoleWait).expect("a share") * 3.0;
        let saved = paid(&measured) - paid(&without);
        assert!(saved > 0.5 * still / 2.0, "{level} {more}: {saved} % of a processor for {still} % of waiting");
        assert_eq!(without.get(Figure::ReorderTime), None, "{level} {more}");
    }
    // Enough storage: demand scan has nothing to do, and CP reorders nobody.
    let (enough, _) = minute(&host("6.2", 400, "").replace("central_mb = 320", "central_mb = 1024"));
    assert_eq!(enough.guests[0].reorders, 0);
}

/// Servers that use a fifth of their pages most of the time, and that do not fit.
fn servers(level: &str, reorder: bool) -> Measurement {
    let text = format!(
        "level = \"{level}\"\nstorage.central_mb = 288\nprocessors.count = 2\n[paging]\nalias = false\nvolumes = 2\n\
         [[guests]]\ncount = 8\nvirtual_mb = 128\nloop_mb = 64\nreorder = {reorder}\nactive_mb = 14\nactive_percent = 98\n\
         pattern = \"random\"\nchange_percent = 100\ncycle_pages = 300\ncpu_us = 2000\nthink_ms = 20\ntransaction = 1\n"
    );
    minute(&text).1
}

/// What reorder is for: it tells CP which pages are in use. Without, CP takes those that came first, and guests read them again.
#[test]
fn without_reorder_cp_takes_more_pages_that_are_in_use() {
    let [on, off] = [true, false].map(|reorder| servers("6.2", reorder));
    let value = |of: &Measurement, figure| of.get(figure).expect("measured");
    let [read, again] = [&on, &off].map(|of| value(of, Figure::PagesPerSecond) / value(of, Figure::Etr));
    assert!(again > 1.4 * read, "{again} pages for a transaction without reorder, {read} with it");
    assert!(value(&off, Figure::Etr) < 0.97 * value(&on, Figure::Etr));
    // From 6.3 on demand scan learns it as it looks, and the switch does nothing.
    let [one, other] = [true, false].map(|reorder| servers("6.3", reorder));
    assert_eq!(value(&one, Figure::PagesPerSecond), value(&other, Figure::PagesPerSecond));
}

#[test]
fn a_guest_that_is_reordered_can_be_relocated() {
    let text = "level = \"6.2\"\nstorage.central_mb = 320\ncluster.members = 2\nmember2 = { central_mb = 1024 }\n\
        relocation = { after_s = 1 }\nmeasure = { warmup_s = 1, interval_s = 20 }\n[paging]\nalias = false\n\
        [[guests]]\ncount = 3\nvirtual_mb = 128\nloop_mb = 128\nchange_percent = 100\nmove_to = 2\n";
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    for seed in 1..=4 {
        let outcome = zvmlab::experiment::run(&scenario, seed).expect("the scenario is valid");
        let reorders: u64 = outcome.snapshot.guests.iter().map(|guest| guest.reorders).sum();
        assert!(reorders > 0, "seed {seed}");
        assert_eq!(outcome.measurement.get(Figure::RelocationsCompleted), Some(3.0), "seed {seed}");
    }
}
