//! Frames below 2 GB and above: who stands where, what a guest's I/O and a service need on 5.1, and how long the searches are.

use zvmlab::constants::Constants;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;
use zvmlab::{Figure, Measurement, Simulation};

/// A host of `mb` whose first quarter is "below 2 GB", so that it is as small as a test can bear.
fn runs(text: &str, below_mb: u64) -> (Snapshot, Measurement) {
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    let constants = Constants { frames_below: below_mb * 256, ..Constants::default() };
    let mut simulation = Simulation::with_constants(&scenario, 1, constants).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_secs(40));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(20));
    simulation.verify_pages();
    let later = simulation.snapshot();
    (later.clone(), Measurement::between(&earlier, &later))
}

/// Servers that read files into their storage, on a host of 512 MB.
fn servers(level: &str, more: &str) -> String {
    format!(
        "level = \"{level}\"\nstorage.central_mb = 512\ndispatcher.diag44_fast_path = false\n[paging]\nalias = false\n[minidisks]\nvolumes = 2\n{more}\n\
         [[guests]]\ncount = 3\nvirtual_mb = 110\nloop_mb = 100\nworkload = \"IO3390\"\ncycle_pages = 64\nio_records = 64\nminidisk_mb = 500\n"
    )
}

#[test]
fn a_host_with_room_above_starves_below_on_5_1_and_not_on_5_2() {
    let [old, new] = ["5.1", "5.2"].map(|level| runs(&servers(level, ""), 128).1);
    let of = |measured: &Measurement, figure: Figure| measured.get(figure).expect("a value");
    // 300 MB are read into, 128 MB are below, 384 MB above.
    assert!(of(&old, Figure::ResidentAbove) < 0.05 * 384.0 * 256.0, "{}", of(&old, Figure::ResidentAbove));
    assert!(of(&old, Figure::ResidentBelow) > 0.75 * 128.0 * 256.0, "{}", of(&old, Figure::ResidentBelow));
    assert!(of(&old, Figure::MovedBelow) > 1_000.0 && of(&old, Figure::PagesPerSecond) > 1_000.0);
    assert_eq!((of(&new, Figure::MovedBelow), of(&new, Figure::PagesPerSecond)), (0.0, 0.0));
    assert_eq!(of(&new, Figure::ResidentBelow), 0.0, "frames above come first");
    assert!(of(&new, Figure::MdiskEtr) > 1.5 * of(&old, Figure::MdiskEtr), "{old:?} {new:?}");
}

#[test]
fn reads_that_the_minidisk_cache_serves_need_frames_below_too() {
    let cached = |level| runs(&servers(level, "mdc_mb = 64"), 128).1;
    let [old, new] = ["5.1", "5.2"].map(cached);
    assert!(old.get(Figure::MdcHitPercent).expect("a share") > 0.0);
    let [of_old, of_new] = [&old, &new].map(|one| one.get(Figure::MovedBelow).expect("a rate"));
    assert!(of_old > 1_000.0 && of_new == 0.0, "{of_old} {of_new}");
}

/// Programs that ask CP for a service after each cycle of 64 pages, on a host of 512 MB.
fn askers(level: &str, pattern: &str, cycle_pages: u32) -> String {
    format!(
        "level = \"{level}\"\nstorage.central_mb = 512\ndispatcher.diag44_fast_path = false\npaging.alias = false\n\
         [[guests]]\ncount = 3\nvirtual_mb = 110\nloop_mb = 100\npattern = \"{pattern}\"\ncycle_pages = {cycle_pages}\ncpu_us = 200\nservice_us = 50\n"
    )
}

#[test]
fn a_service_works_on_one_page_which_moves_once_and_stays() {
    let [(old, moves), (new, none)] = ["5.1", "5.2"].map(|level| runs(&askers(level, "files", 64), 128));
    let below = |one: &Snapshot| one.storage.sides.as_ref().expect("told apart").resident_below;
    // The last page of each of 400 files of each guest; the other 99 % stand where there was room.
    assert_eq!((below(&old), below(&new)), (3 * 400, 0));
    assert_eq!(old.storage.sides.expect("told apart").moved, 3 * 400);
    assert_eq!((moves.get(Figure::MovedBelow), none.get(Figure::MovedBelow)), (Some(0.0), Some(0.0)));
}

#[test]
fn services_starve_a_host_below_too_if_they_work_on_all_of_its_storage() {
    let [old, new] = ["5.1", "5.2"].map(|level| runs(&askers(level, "random", 1), 128).1);
    let of = |measured: &Measurement, figure: Figure| measured.get(figure).expect("a value");
    assert!(of(&old, Figure::MovedBelow) > 100.0 && of(&old, Figure::PagesPerSecond) > 100.0, "{old:?}");
    assert_eq!((of(&new, Figure::MovedBelow), of(&new, Figure::PagesPerSecond)), (0.0, 0.0));
    assert!(of(&new, Figure::Etr) > 1.2 * of(&old, Figure::Etr), "{old:?} {new:?}");
}

/// Guests that read records into pages all over their storage: those are soon spread over it, below 2 GB among others above.
fn haystack(above_mb: u64) -> String {
    format!(
        "level = \"5.1\"\nstorage.central_mb = {}\ndispatcher.diag44_fast_path = false\n[paging]\nalias = false\n[minidisks]\nvolumes = 8\n\
         [[guests]]\ncount = 8\nvirtual_mb = {1}\nloop_mb = {1}\nworkload = \"IO3390\"\npattern = \"random\"\nminidisk_mb = 500\nreorder = false\n",
        above_mb + 64,
        (above_mb + 32) / 8
    )
}

#[test]
fn a_search_is_as_long_as_the_wanted_frames_are_rare() {
    let [short, long] = [240, 960].map(|above_mb| runs(&haystack(above_mb), 64).1);
    let [length, longer] = [&short, &long].map(|one| one.get(Figure::SearchLength).expect("there were searches"));
    // One of five frames is below, or one of seventeen. Who looks for them passes over the others.
    assert!(length > 1.0 && longer > 2.0 * length, "{length} and {longer} frames for each");
    assert!(long.get(Figure::SearchBusy) > short.get(Figure::SearchBusy), "{long:?}");
    let without = haystack(960).replace("5.1", "5.2");
    let (at_end, measured) = runs(&without, 64);
    assert_eq!(measured.get(Figure::SearchLength), None, "5.2 seeks nothing below");
    assert_eq!(at_end.storage.sides.expect("told apart").search_ns, 0);
}

#[test]
fn only_the_old_levels_with_storage_above_tell_the_sides_apart() {
    for (level, mb, told) in [("5.1", 3072, true), ("6.1", 3072, true), ("6.1", 2048, false), ("6.2", 3072, false)] {
        let text = format!(
            "level = \"{level}\"\nstorage.central_mb = {mb}\npaging.alias = false\ndispatcher.diag44_fast_path = false\n"
        );
        let text = format!("{text}[[guests]]\ncount = 1\nvirtual_mb = 64\nloop_mb = 64\n");
        let scenario = Scenario::parse(&text).expect("valid");
        let sides = Simulation::new(&scenario, 1).expect("valid").snapshot().storage.sides;
        assert_eq!(sides.is_some(), told, "{level} with {mb} MB");
        if let Some(sides) = sides {
            let cp = (mb as f64 * 256.0 * 0.03) as u64;
            let table = if level == "5.1" { 0 } else { mb * 256 * 32 / 4096 };
            assert_eq!((sides.frames_below, sides.cp_below), (524_288, cp - table), "{level}");
        }
    }
}

#[test]
fn cp_leaves_frames_below_on_the_largest_hosts() {
    let text = "level = \"5.1\"\nstorage.central_mb = 131072\npaging.alias = false\nminidisks.volumes = 1\ndispatcher.diag44_fast_path = false\n\
                [[guests]]\ncount = 2\nvirtual_mb = 64\nloop_mb = 64\nworkload = \"IO3390\"\nminidisk_mb = 100\n";
    let (at_end, measured) = runs(text, 2_048);
    let sides = at_end.storage.sides.expect("told apart");
    assert_eq!(sides.cp_below, 262_144);
    assert!(sides.resident_below > 0 && measured.get(Figure::MdiskEtr).expect("a rate") > 100.0, "{measured:?}");
}

#[test]
fn io_goes_past_a_reserve_rather_than_wait_for_ever() {
    // The reserve covers all that the guests have: without the last pass, no frame below would ever be free.
    let text = servers("5.1", "") + "reserved_mb = 110\n";
    let (_, measured) = runs(&text, 128);
    assert!(measured.get(Figure::MdiskEtr).expect("a rate") > 10.0, "{measured:?}");
}

#[test]
fn io_goes_on_though_page_space_is_nearly_full() {
    // 300 MB of pages for I/O, of which 112 MB fit below; page space has room for the others and little more. Pages that were sought and
    // found it full are written later.
    let text = servers("5.1", "").replace("alias = false\n", "alias = false\nvolumes = 1\nvolume_slots = 52000\n");
    let (_, measured) = runs(&text, 128);
    assert!(measured.get(Figure::MdiskEtr).expect("a rate") > 10.0, "{measured:?}");
}

/// Programs that touch at random half as much again as fits, with so much storage above 192 MB below. They do no I/O and ask for no service.
fn pagers(level: &str, above_mb: u64) -> String {
    format!(
        "level = \"{level}\"\nstorage.central_mb = {}\ndispatcher.diag44_fast_path = false\nscheduler = {{ storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }}\n[paging]\nalias = false\n\
         [[guests]]\ncount = 4\nvirtual_mb = {1}\nloop_mb = {1}\nworkload = \"LINUX\"\n",
        above_mb + 192,
        (above_mb + 192) * 3 / 8
    )
}

/// 5.2 prefers frames above, so those run out, and demand scan passes over the others: the fewer stand above, the more it looks at. On
/// 5.1 it takes pages wherever they stand.
#[test]
fn from_5_2_on_demand_scan_looks_at_more_frames_where_fewer_are_above() {
    let longer = [64, 192, 576].map(|above_mb| {
        let [old, new] = ["5.1", "5.2"].map(|level| runs(&pagers(level, above_mb), 192));
        let length = |one: &Measurement| one.get(Figure::ScanLength).expect("demand scan takes pages");
        let times = length(&new.1) / length(&old.1);
        let at_end = &new.0.storage;
        // One frame of so many is above. Those in use there are looked at, too, so it is less than that.
        let one_of = (above_mb as f64 + 192.0) * 0.97 / above_mb as f64;
        assert!((0.7..1.05).contains(&(times / one_of)), "{times} times as long, one of {one_of} is above");
        // CP spends its time on each.
        let spent = at_end.scan_ns as f64 / at_end.looks_paid as f64;
        assert!((spent / Constants::default().look_ns - 1.0).abs() < 0.01, "{spent} ns a frame");
        times
    });
    assert!(longer.is_sorted_by(|more, less| more > less), "{longer:?}");
}

#[test]
fn a_few_frames_above_do_not_stop_a_host() {
    for above_mb in [4, 16, 64] {
        let [old, new] = ["6.1", "6.2"].map(|level| runs(&pagers(level, above_mb + 60), 252).1);
        let [of_old, of_new] = [&old, &new].map(|one| one.get(Figure::Etr).expect("a rate"));
        assert!(of_old > 0.75 * of_new, "{above_mb} MB above: {of_old} instead of {of_new}");
        assert!(old.get(Figure::ScanLength).expect("it takes pages") < 8.0, "{old:?}");
    }
}

/// Guests that rest for a quarter of a minute at a time lose their pages before those that work, also those below.
#[test]
fn demand_scan_takes_from_idle_guests_on_both_sides_first() {
    let text = "level = \"6.1\"\nstorage.central_mb = 320\nprocessors.count = 2\nscheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }\n\
         [paging]\nalias = false\n[[guests]]\nname = \"IDLE\"\ncount = 4\nvirtual_mb = 64\nloop_mb = 60\nworkload = \"LINUX\"\nthink_ms = 15000\n\
         [[guests]]\nname = \"BUSY\"\ncount = 4\nvirtual_mb = 64\nloop_mb = 48\nworkload = \"LINUX\"\nthink_ms = 40\n";
    let (_, measured) = runs(text, 272);
    let [first, last] = [Figure::ScanPass1, Figure::ScanPass3].map(|figure| measured.get(figure).expect("a rate"));
    assert!(first > 10.0 && last < 0.1 * first, "{first} pages a second in the first pass, {last} in the last");
}

/// A host that takes so many percent of frames from below without need, and the frames that its one guest has after it touched 64 MB.
fn takes_below(level: &str, percent: u32, mb: u64, constants: Constants) -> (Option<u64>, u64) {
    let text = format!(
        "level = \"{level}\"\npaging = {{ alias = false }}\nstorage = {{ central_mb = {mb}, below_percent = {percent} }}\n\
         [[guests]]\ncount = 1\nvirtual_mb = 64\nloop_mb = 64\n"
    );
    let scenario = Scenario::parse(&text).expect("valid");
    let mut simulation = Simulation::with_constants(&scenario, 1, constants).expect("valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let storage = simulation.snapshot().storage;
    simulation.verify_pages();
    (storage.sides.map(|sides| sides.resident_below), storage.valid_frames)
}

#[test]
fn the_part_below_without_need_is_what_the_scenario_says() {
    for percent in [1, 20, 33, 100] {
        let (below, all) = takes_below("6.1", percent, 512, Constants { frames_below: 1 << 16, ..Constants::default() });
        assert_eq!((below, all), (Some(64 * 256 * u64::from(percent) / 100), 64 * 256), "{percent} %");
    }
}

/// The slide: dynamically by the usable frames on both sides, statically by the size of the host. Before 6.2 neither.
#[test]
fn from_6_2_on_a_large_host_takes_nothing_below_without_need() {
    let below_gb = 2;
    let ratio = Constants::default().above_only_ratio;
    let told = |level: &str, percent, gb: u64, ratio: u64| {
        let constants = Constants { above_only_ratio: ratio, ..Constants::default() };
        takes_below(level, percent, gb * 1_024, constants).0.is_some_and(|below| below > 0)
    };
    let (small, large) = (below_gb * (1 + ratio), below_gb * (1 + ratio) + 1);
    for (level, gb, expected) in [
        ("6.1", small, true),
        ("6.1", large, true),
        ("6.1", 128, true),
        ("6.2", small, true),
        ("6.2", large, false),
        ("6.4", small, true),
        ("6.4", large, false),
        ("own", large, true),
    ] {
        assert_eq!(told(level, 10, gb, ratio), expected, "{level} with {gb} GB");
        assert!(!told(level, 0, gb, ratio), "{level} with {gb} GB: nothing is taken that is not asked for");
    }
    // Whatever the ratio, 128 GB are enough.
    assert_eq!([127, 128].map(|gb| told("6.2", 10, gb, 1_000)), [true, false]);
    assert!(takes_below("6.1", 10, 2_048, Constants::default()).0.is_none(), "all of it is below");
}

#[test]
fn needless_use_of_frames_below_costs_searches_and_6_2_has_none() {
    let host = |level: &str, above_mb| {
        let percent = "storage.below_percent = 60\n";
        runs(&format!("{percent}{}", pagers(level, above_mb)), 64)
    };
    let [(_, few), (at_end, more)] = [64, 448].map(|above_mb| host("6.1", above_mb));
    let sides = at_end.storage.sides.expect("told apart");
    assert!(!sides.last_for_above && sides.last_search.len() > 2, "the search below is the one to draw: {sides:?}");
    let [short, long] = [&few, &more].map(|one| one.get(Figure::SearchLength).expect("it searches"));
    assert!(long > 1.5 * short && short > 1.0, "{short} and {long} frames for each");
    let (_, new) = host("6.2", 448);
    assert_eq!((new.get(Figure::SearchLength), new.get(Figure::SearchBusy)), (None, None));
    let [busy, less] = [&more, &new].map(|one| one.get(Figure::CpTimePerTransaction).expect("they do transactions"));
    assert!(busy > 1.2 * less, "{busy} µs of CP instead of {less}");
}
