//! SET RESERVED: what it keeps in central storage, beside a guest without it.

use zvmlab::constants::Constants;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{PAGES_PER_MB, Scenario};
use zvmlab::snapshot::Snapshot;
use zvmlab::{Measurement, Simulation};

/// Two groups of guests that seldom touch anything, of which one has half its pages reserved, beside guests that want all
/// frames there are. The snapshots of the minute after the fill, one a second.
fn minute() -> Vec<Snapshot> {
    let text = "[storage]\ncentral_mb = 256\n\
        [[guests]]\nname = \"KEPT\"\ncount = 2\nvirtual_mb = 32\nloop_mb = 32\nreserved_mb = 16\nthink_ms = 2000\n\
        [[guests]]\nname = \"PREY\"\ncount = 2\nvirtual_mb = 32\nloop_mb = 32\nthink_ms = 2000\n\
        [[guests]]\nname = \"THIEF\"\ncount = 4\nvirtual_mb = 80\nloop_mb = 80\n";
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let seconds = (0..60).map(|_| {
        simulation.run_until(simulation.now() + Span::from_secs(1));
        simulation.snapshot()
    });
    seconds.collect()
}

#[test]
fn reserved_pages_outlast_what_takes_all_others() {
    let minute = minute();
    let last = &minute[minute.len() - 1];
    for snapshot in &minute {
        for kept in &snapshot.guests[..2] {
            assert!(kept.valid_pages >= 16 * PAGES_PER_MB, "{} has {} valid pages", kept.name, kept.valid_pages);
        }
    }
    for kept in &last.guests[..2] {
        // No more than is reserved, but for what it touched lately: a page or two a second, in blocks.
        assert!(kept.valid_pages < 20 * PAGES_PER_MB, "{} has {} valid pages", kept.name, kept.valid_pages);
    }
    for prey in &last.guests[2..4] {
        assert!(prey.valid_pages < 4 * PAGES_PER_MB, "{} has {} valid pages left", prey.name, prey.valid_pages);
    }
}

#[test]
fn a_guest_whose_pages_are_all_reserved_never_waits_for_one() {
    let waits = |reserved_mb: u64| {
        let text = format!(
            "[storage]\ncentral_mb = 256\n[minidisks]\nvolumes = 1\n\
             [[guests]]\nworkload = \"IO3390\"\ncount = 4\nvirtual_mb = 8\nloop_mb = 8\nreserved_mb = {reserved_mb}\nthink_ms = 20\n\
             [[guests]]\ncount = 4\nvirtual_mb = 80\nloop_mb = 80\n"
        );
        let scenario = Scenario::parse(&text).expect("the text is a valid scenario");
        let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
        simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
        let earlier = simulation.snapshot();
        simulation.run_until(simulation.now() + Span::from_secs(60));
        let later = simulation.snapshot();
        assert!(Measurement::between(&earlier, &later).get(zvmlab::Figure::PagesRead).is_some_and(|read| read > 1000.0));
        let wait = |snapshot: &Snapshot| snapshot.guests[..4].iter().map(|guest| guest.page_wait_ns).sum::<u64>();
        wait(&later) - wait(&earlier)
    };
    assert_eq!(waits(8), 0, "with all pages reserved");
    assert!(waits(0) > 0, "with none");
}

/// CP puts some pages below 2 GB that could stand above. It seeks frames there for them, and nobody waits for such a frame.
#[test]
fn what_cp_puts_below_without_need_takes_no_reserved_page() {
    let text = "level = \"6.3\"\n[storage]\ncentral_mb = 277\nbelow_percent = 30\n[paging]\nvolumes = 1\n\
        [[guests]]\ncount = 2\nvirtual_mb = 97\nloop_mb = 82\nreserved_mb = 56\n";
    let scenario = Scenario::parse(text).expect("the text is a valid scenario");
    let constants = Constants { frames_below: 7_880, ..Constants::default() };
    let mut simulation = Simulation::with_constants(&scenario, 1, constants).expect("the scenario is valid");
    for _ in 0..5_000 {
        simulation.step();
        for kept in &simulation.snapshot().guests {
            let sure = kept.touched_pages().min(56 * PAGES_PER_MB);
            assert!(kept.valid_pages >= sure, "{}: {} of {sure} pages", kept.name, kept.valid_pages);
        }
    }
    assert!(simulation.snapshot().guests.iter().all(|kept| kept.touched_pages() > 56 * PAGES_PER_MB));
}
