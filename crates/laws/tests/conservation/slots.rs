//! Page slots: channel programs write to contiguous ones as long as there are any, and what it costs when there are none.

use zvmlab::constants::Constants;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;
use zvmlab::{Figure, Measurement, Simulation};

/// Three guests that store at random into twice what fits, with one page volume of so many slots: a minute of it, after two.
fn runs(more: &str, volume_slots: u32) -> (Snapshot, Snapshot) {
    let text = format!(
        "storage.central_mb = 256\n[paging]\nvolumes = 1\nvolume_slots = {volume_slots}\n{more}\n\
         [[guests]]\ncount = 3\nvirtual_mb = 160\nloop_mb = 160\npattern = \"random\"\n"
    );
    let scenario = Scenario::parse(&text).expect("the text is a valid scenario");
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_secs(120));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(60));
    (earlier, simulation.snapshot())
}

/// With one volume and one exposure no I/O shares its path, so connect time is exactly what its pages and runs take.
#[test]
fn each_further_run_of_slots_takes_what_a_channel_program_exchanges() {
    let constants = Constants::default();
    let (command, transport) = (constants.guest_command.protocol_ns, constants.guest_transport.protocol_ns);
    for (more, run_ns, driver) in [("", command, constants.command_64), ("zhpf = true", transport, constants.transport_64)] {
        let (earlier, later) = runs(more, 96_000);
        let grown = |of: fn(&Snapshot) -> u64| (of(&later) - of(&earlier)) as f64;
        let ios = grown(|s| s.paging.ios.starts);
        let runs = grown(|s| s.paging.ios.runs_read) + grown(|s| s.paging.ios.runs_written);
        let pages = grown(|s| s.paging.ios.pages_read) + grown(|s| s.paging.ios.pages_written);
        let expected = (runs - ios) * run_ns + pages * (driver.protocol_ns_per_page + driver.path_ns_per_page);
        let connect = grown(|s| s.paging.ios.connect_ns);
        assert!(runs > 1.5 * ios, "{more}: {runs} runs in {ios} I/Os");
        assert!((connect - expected).abs() < 2.0 * ios, "{more}: {connect} ns, expected {expected}");
    }
}

#[test]
fn slots_are_contiguous_where_page_space_has_room() {
    let slots = |volume_slots| {
        let (earlier, later) = runs("", volume_slots);
        let measured = Measurement::between(&earlier, &later);
        [Figure::ContiguousSlots, Figure::SlotUtilization].map(|figure| measured.get(figure).expect("pages were written"))
    };
    let ([wide, _], [tight, used]) = (slots(10_000_000), slots(96_000));
    assert!(wide > 90.0 && used > 75.0 && tight < wide / 4.0, "{wide}, and {tight} of {used} %");
}
