//! The minidisk cache: what it can hold it serves, in command mode only.

use zvmlab::Simulation;
use zvmlab::kernel::time::Span;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{MdcSnapshot, MinidisksSnapshot, Snapshot};

/// One guest that reads so many of a hundred times, `records` at once, on a minidisk of 96 MB, which is 2048 tracks, past a
/// cache of `mdc_mb`.
fn host(mdc_mb: u64, read_percent: u32, records: u32, zhpf: bool) -> Simulation {
    let text = format!(
        "[storage]\ncentral_mb = 1024\n[minidisks]\nvolumes = 1\nmdc_mb = {mdc_mb}\n\
         [[guests]]\nworkload = \"IO3390\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nminidisk_mb = 96\n\
         io_read_percent = {read_percent}\nio_records = {records}\nio_zhpf = {zhpf}\n"
    );
    Simulation::new(&Scenario::parse(&text).expect("the text is a valid scenario"), 1).expect("the scenario is valid")
}

fn reader(mdc_mb: u64) -> Simulation {
    host(mdc_mb, 100, 1, false)
}

/// Hits and reads of half a minute, after a minute in which the cache has filled.
fn settled(simulation: &mut Simulation) -> (u64, u64, Snapshot) {
    simulation.run_until(simulation.now() + Span::from_secs(60));
    let earlier = simulation.snapshot().minidisks.mdc;
    simulation.run_until(simulation.now() + Span::from_secs(30));
    let later = simulation.snapshot();
    let MdcSnapshot { reads, hits, .. } = later.minidisks.mdc;
    (hits - earlier.hits, reads - earlier.reads, later)
}

/// A read is of each track with the same chance whatever the cache holds, so it hits with the chance that is the cached part
/// of the minidisk, and the hits are as many as heads of as many tosses of a coin.
#[test]
fn uniform_reads_hit_as_often_as_the_cache_holds_of_the_minidisk() {
    for mdc_mb in [6, 24, 48, 90] {
        let (hits, reads, snapshot) = settled(&mut reader(mdc_mb));
        let tracks = mdc_mb * 256 / 12;
        assert_eq!(snapshot.minidisks.mdc.frames_used, tracks * 12, "the cache is full");
        let (tosses, chance) = (reads as f64, tracks as f64 / 2048.0);
        let error = (tosses * chance * (1.0 - chance)).sqrt();
        assert!(error / tosses < 0.002, "enough reads to tell: {reads}");
        // 2.576 standard deviations: the 99 % interval.
        let off = (hits as f64 - tosses * chance).abs() / error;
        assert!(off < 2.576, "{mdc_mb} MB: {hits} of {reads} reads hit, {chance} is exact, {off} standard deviations off");
    }
}

#[test]
fn a_cache_that_holds_the_minidisk_has_every_read() {
    let (hits, reads, snapshot) = settled(&mut reader(96));
    assert!(reads > 100_000, "{reads} reads");
    assert_eq!((hits, snapshot.minidisks.mdc.frames_used), (reads, 96 * 256));
}

#[test]
fn a_read_over_two_tracks_hits_only_where_both_are_cached() {
    // 8 records: 7 of 12 places to begin at lie so that the read goes on into the next track.
    let (hits, reads, _) = settled(&mut host(48, 100, 8, false));
    let part = hits as f64 / reads as f64;
    // Were both tracks independent: 5/12 of 1/2 and 7/12 of 1/4. Neighbours come into the cache together, so it is more.
    assert!((0.354..0.5).contains(&part), "{part} of the reads hit");
}

#[test]
fn writes_go_through() {
    let (hits, reads, snapshot) = settled(&mut host(96, 40, 1, false));
    assert_eq!(hits, reads, "the cache stays up to date");
    let MinidisksSnapshot { guest_ios, ios, .. } = snapshot.minidisks;
    assert_eq!(ios.pages_read, 2048 * 12, "each track came from the disk once, as a whole");
    let part = ios.pages_written as f64 / guest_ios as f64;
    assert!((part - 0.6).abs() < 0.01, "{part} of the I/Os are writes and go to the disk");
}

/// Transport mode switches the cache off for the minidisk from its first I/O on, and what the cache would have had costs I/O.
#[test]
fn transport_mode_switches_it_off() {
    let mut transport = host(96, 100, 1, true);
    assert_eq!(transport.snapshot().minidisks.mdc.minidisks_on, 1, "before the first I/O");
    while transport.snapshot().minidisks.guest_ios == 0 {
        transport.step();
    }
    let first = transport.snapshot().minidisks.mdc;
    assert_eq!((first.minidisks_on, first.minidisks_disabled), (0, 1), "after the first I/O");
    let (hits, reads, uncached) = settled(&mut transport);
    assert_eq!((hits, reads, uncached.minidisks.mdc.frames_used), (0, 0, 0));
    assert!(uncached.minidisks.ios.starts >= uncached.minidisks.guest_ios, "each I/O goes to the volume");
    let (_, _, cached) = settled(&mut reader(96));
    let [fast, slow] = [&cached, &uncached].map(|snapshot| snapshot.minidisks.guest_ios as f64 / snapshot.now_ns as f64);
    assert!(fast > 3.0 * slow, "{fast} reads a nanosecond with the cache, {slow} in transport mode without it");
}

/// A z/OS guest that copies onto its minidisk of 8,192 tracks every second, beside one whose minidisk stays in the cache.
fn copied(settings: &str, seconds: u64) -> Snapshot {
    let text = format!(
        "[processors]\ncount = 2\n[storage]\ncentral_mb = 1024\n[minidisks]\nvolumes = 2\nmdc_mb = 480\n\
         [[guests]]\nname = \"ZOS\"\nworkload = \"IO3390\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nminidisk_mb = 384\n\
         io_read_percent = 100\nio_records = 1\n{settings}\n\
         [[guests]]\nname = \"CMS\"\nworkload = \"IO3390\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nminidisk_mb = 48\n\
         io_read_percent = 100\nio_records = 1\n"
    );
    let mut simulation = Simulation::new(&Scenario::parse(&text).expect("the text is a valid scenario"), 1).expect("valid");
    simulation.run_until(simulation.now() + Span::from_secs(seconds));
    simulation.snapshot()
}

#[test]
fn flashcopy_empties_the_cache_of_its_target_and_costs_system_time() {
    let [without, with, off] = ["", "flashcopy_s = 1", "flashcopy_s = 1\nmdc = false"].map(|settings| copied(settings, 60));
    let mdc = |snapshot: &Snapshot| snapshot.minidisks.mdc.clone();
    assert_eq!((mdc(&without).invalidated, mdc(&without).invalidate_ns), (0, 0));
    // 60 FlashCopies, of 384 MB in tracks of 12 records; the last one is due just as the time ends.
    let tracks = mdc(&with).invalidated;
    assert!((59 * 8_192..=60 * 8_192).contains(&tracks), "{tracks} tracks");
    // 2 us for each track, and half a microsecond for each of its pages that was cached.
    let expected = tracks * 2_000 + mdc(&with).invalidated_held * 12 * 500;
    let spent = mdc(&with).invalidate_ns;
    assert!(spent.abs_diff(expected) < expected / 50, "{spent} ns, {expected} expected");
    assert!(with.processors.nonchargeable_cp_ns > without.processors.nonchargeable_cp_ns + spent / 2, "it is system time");
    // What was read since the last FlashCopy is all that the cache has of the target.
    assert!(mdc(&with).invalidated_held > 10_000);
    assert!(mdc(&with).hits < mdc(&without).hits, "hits are lost");
    // The mitigation: no cache for the target, and none of it happens. The other minidisk keeps its cache.
    assert_eq!((mdc(&off).invalidated, mdc(&off).invalidate_ns, mdc(&off).minidisks_on), (0, 0, 1));
    assert!(mdc(&off).hits > 0 && mdc(&off).frames_used == 48 * 256);
}

/// Guests that walk through `loop_mb` each beside a reader of a large minidisk, with a cache of up to 192 MB whose size the arbiter sets.
fn contested(count: u32, loop_mb: u64, read_percent: u32) -> Simulation {
    let text = format!(
        "[storage]\ncentral_mb = 256\n[paging]\nvolumes = 2\n[minidisks]\nvolumes = 1\nmdc_mb = 192\nmdc_arbiter = true\n\
         [[guests]]\nname = \"WALK\"\nworkload = \"VIRSTOEX\"\ncount = {count}\nvirtual_mb = {loop_mb}\nloop_mb = {loop_mb}\n\
         [[guests]]\nname = \"READ\"\nworkload = \"IO3390\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nminidisk_mb = 4000\n\
         io_read_percent = {read_percent}\nio_records = 12\n"
    );
    Simulation::new(&Scenario::parse(&text).expect("the text is a valid scenario"), 1).expect("the scenario is valid")
}

#[test]
fn an_arbiter_leaves_pages_as_long_in_the_cache_as_with_guests() {
    let mut simulation = contested(4, 80, 100);
    simulation.run_until(simulation.now() + Span::from_secs(120));
    let early = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(30));
    let late = simulation.snapshot();
    let storage = &late.storage;
    let guests = (storage.valid_frames + storage.age_list_frames + storage.reading_frames) as f64;
    let lost = (storage.frames_reclaimed - early.storage.frames_reclaimed) as f64;
    let [before, after] = [&early, &late].map(|snapshot| &snapshot.minidisks.mdc);
    // Two tracks for a read that begins within one, and the cache holds hardly any.
    let came = (late.minidisks.ios.pages_read - early.minidisks.ios.pages_read) as f64;
    let stay = [after.frames as f64 / came, guests / lost].map(|intervals| intervals * 30.0);
    assert!(after.frames > 1_000 && guests > 1_000.0, "both have some: {after:?}");
    assert!((stay[0] / stay[1] - 1.0).abs() < 0.1, "{stay:?} s in the cache and with guests");
    assert!(after.frames.abs_diff(before.frames) < after.frames / 10, "the size has settled");
}

#[test]
fn the_cache_has_what_nobody_needs() {
    // Guests that fit leave the cache what is over.
    let mut fits = contested(1, 8, 100);
    fits.run_until(fits.now() + Span::from_secs(60));
    let seen = fits.snapshot();
    assert_eq!(seen.storage.frames_reclaimed, 0);
    assert_eq!(seen.minidisks.mdc.frames, 192 * 256, "all that it may have");
}

/// Page space must hold what guests lose when the cache has all it may. With just that much nobody waits for ever.
#[test]
fn guests_do_not_wait_for_frames_that_the_cache_keeps() {
    let text = |slots: u32| {
        format!(
            "[storage]\ncentral_mb = 256\n[paging]\nvolumes = 2\nvolume_slots = {slots}\n[minidisks]\nvolumes = 1\nmdc_mb = 192\n\
             mdc_arbiter = true\n[[guests]]\nworkload = \"VIRSTOEX\"\ncount = 4\nvirtual_mb = 64\nloop_mb = 60\n\
             [[guests]]\nworkload = \"IO3390\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\nminidisk_mb = 4000\n\
             io_read_percent = 100\nio_records = 12\n"
        )
    };
    let told = Scenario::parse(&text(10_000)).expect_err("too few slots").to_string();
    assert!(told.contains("paging.volume_slots") && told.contains("minidisk cache"), "{told}");
    let needed: u32 =
        told.split('(').nth(1).and_then(|rest| rest.split(' ').next()).expect("a number").parse().expect("whole");
    let host = Scenario::parse(&text(needed.div_ceil(2))).expect("enough slots");
    let mut simulation = Simulation::new(&host, 1).expect("the scenario is valid");
    simulation.run_until(simulation.now() + Span::from_secs(60));
    let early = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(20));
    let late = simulation.snapshot();
    for (before, after) in early.guests.iter().zip(&late.guests) {
        assert!(after.references > before.references, "{} stands still: {:?}", after.name, late.minidisks.mdc);
    }
}
