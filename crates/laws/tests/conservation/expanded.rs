//! Expanded storage: pages that come back without I/O, pages that migrate, and the levels that have it.

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;
use zvmlab::{Figure, Measurement, Simulation};

/// A host of 256 MB whose servers read files of 1 MB from 480 MB, at random.
fn host(level: &str, expanded_mb: u64, pattern: &str) -> String {
    format!(
        "level = \"{level}\"\nstorage = {{ central_mb = 256, expanded_mb = {expanded_mb} }}\n\
         paging = {{ volumes = 4, alias = false }}\ndispatcher.diag44_fast_path = false\n\
         scheduler = {{ storbuf_1 = 999, storbuf_2 = 999, storbuf_3 = 999 }}\n\
         [[guests]]\ncount = 4\nvirtual_mb = 128\nloop_mb = 120\npattern = \"{pattern}\"\nchange_percent = 20\ncycle_pages = 256\n\
         cpu_us = 2000\ntransaction = 1\n"
    )
}

fn run(text: &str) -> (Snapshot, Measurement) {
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_secs(20));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(20));
    simulation.verify_pages();
    let later = simulation.snapshot();
    (later.clone(), Measurement::between(&earlier, &later))
}

fn of(measured: &Measurement, figure: Figure) -> f64 {
    measured.get(figure).unwrap_or_else(|| panic!("{figure:?} has a value"))
}

#[test]
fn pages_come_back_without_io_where_there_is_room_for_all() {
    let (without, with) = (run(&host("6.2", 0, "files")).1, run(&host("6.2", 512, "files")).1);
    assert_eq!((of(&with, Figure::PagesPerSecond), of(&with, Figure::StorageWait)), (0.0, 0.0), "{with:?}");
    assert_eq!((of(&with, Figure::ExpandedHits), of(&with, Figure::MigrationRate)), (100.0, 0.0));
    assert!(of(&without, Figure::PagesPerSecond) > 1_000.0 && of(&without, Figure::StorageWait) > 1.0, "{without:?}");
    assert!(of(&with, Figure::Etr) > 1.1 * of(&without, Figure::Etr));
    assert!(without.get(Figure::ExpandedRate).is_none(), "a host without expanded storage has no figures of it");
    // Where nothing but these guests changes the rates, as many pages go as come.
    let [rate, each] = [Figure::ExpandedRate, Figure::ExpandedPerTransaction].map(|figure| of(&with, figure));
    assert!((rate / each / of(&with, Figure::Etr) - 1.0).abs() < 1e-9, "{rate} {each}");
}

#[test]
fn the_more_expanded_storage_the_fewer_pages_come_from_dasd() {
    let [least, little, half, most] = [16, 64, 128, 240].map(|mb| run(&host("6.2", mb, "files")).1);
    let hits: Vec<f64> = [&least, &little, &half, &most].map(|one| of(one, Figure::ExpandedHits)).into();
    assert!(hits.is_sorted() && hits[0] < 15.0 && hits[3] > 80.0, "{hits:?}");
    for one in [&least, &little, &half] {
        assert!(of(one, Figure::MigrationRate) > 100.0 && of(one, Figure::ExpandedUsed) > 90.0, "{one:?}");
    }
}

#[test]
fn a_walk_round_finds_nothing_in_a_little_expanded_storage() {
    // The page that comes next is the one that has been there longest, and so it has migrated.
    let (_, walk) = run(&host("6.2", 64, "sequential"));
    assert!(of(&walk, Figure::ExpandedHits) < 5.0, "{walk:?}");
}

#[test]
fn expanded_storage_is_refused_from_6_3_on() {
    for level in ["5.1", "5.2", "6.1", "6.2", "6.2 VM65041"] {
        assert!(Scenario::parse(&host(level, 64, "files")).is_ok(), "{level}");
    }
    for level in ["6.3", "6.4"] {
        let text = host(level, 64, "files").replace("dispatcher.diag44_fast_path = false\n", "");
        let told = Scenario::parse(&text).expect_err("refused").to_string();
        let words = ["storage.expanded_mb", "64 given", level, "0 is allowed, or level \"6.2\""];
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
    }
}

#[test]
fn the_minidisk_cache_can_have_a_part_of_it() {
    let text = |expanded_mb: u64, cache_mb: u64| {
        format!(
            "level = \"6.2\"\nstorage = {{ central_mb = 256, expanded_mb = {expanded_mb} }}\npaging.alias = false\n\
             minidisks = {{ volumes = 2, mdc_expanded_mb = {cache_mb} }}\n\
             [[guests]]\ncount = 2\nvirtual_mb = 32\nloop_mb = 16\nworkload = \"IO3390\"\nio_records = 12\nio_read_percent = 100\nminidisk_mb = 30\n"
        )
    };
    let [(_, without), (seen, with)] = [0, 64].map(|cache_mb| run(&text(64, cache_mb)));
    assert_eq!(without.get(Figure::MdcHitPercent), None);
    assert!(
        of(&with, Figure::MdcHitPercent) > 99.0 && of(&with, Figure::MdiskEtr) > 2.0 * of(&without, Figure::MdiskEtr),
        "{with:?}"
    );
    // Twelve pages come from expanded storage for each read, and nothing is paged.
    let each = of(&with, Figure::ExpandedRate) / of(&with, Figure::MdiskEtr);
    assert!((each - 12.0).abs() < 0.1, "{each} pages for each read");
    let expanded = seen.storage.expanded.expect("the host has it");
    assert_eq!((expanded.pages, expanded.cache_pages), (0, 64 * 256));
    let told = Scenario::parse(&text(32, 64)).expect_err("refused").to_string();
    let words = ["minidisks.mdc_expanded_mb", "64 given with 32 MB of expanded storage", "at most 32 MB"];
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
}
