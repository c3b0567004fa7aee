//! Several volumes on the published hosts' channel paths: what the deck says of large I/Os holds for more than one volume,
//! and no volume waits for a path while another path is idle.

use zvmlab::scenario::{Channel, DeviceKind, Scenario};
use zvmlab::{Figure, experiment};

/// The scenario of a published run.
fn published(id: &str) -> Scenario {
    zvmlab_reference::run(id).expect("the run is published").scenario.clone()
}

/// A figure of a run of `scenario`.
fn figure(scenario: &Scenario, figure: Figure) -> f64 {
    let report = experiment::run(scenario, 1).expect("the scenario is valid");
    report.measurement.get(figure).expect("the run has this figure")
}

/// I/Os a second, with a guest on each of so many volumes.
fn ios(id: &str, volumes: u32, channel: Channel) -> f64 {
    let mut scenario = published(id);
    (scenario.minidisks.volumes, scenario.guests[0].count, scenario.lcu.channel) = (volumes, volumes, channel);
    scenario.measure.interval_s = 1;
    figure(&scenario, Figure::MdiskEtr)
}

/// "Large I/Os benefit most": zHPF gains more with 64 records than with one. On FICON Express8, whose four paths take a
/// record equally long in both modes, that is so until the volumes fill the paths.
#[test]
fn large_ios_benefit_most_on_one_volume_and_on_many() {
    let gain = |command: &str, transport: &str, volumes: u32, channel: Channel| {
        ios(transport, volumes, channel) / ios(command, volumes, channel)
    };
    for (channel, counts) in [(Channel::Express8, &[1, 2, 4][..]), (Channel::Express8S, &[1, 2, 4, 8, 16])] {
        for &volumes in counts {
            let small = gain("JB001238", "JB001239", volumes, channel);
            let large = gain("JB001246", "JB001247", volumes, channel);
            assert!(large > small, "{channel:?}, {volumes} volumes: {large} with 64 records, {small} with one");
        }
    }
}

/// As many volumes as paths, an I/O at a time on each: none of them slows another down.
#[test]
fn volumes_do_not_share_a_path_while_another_is_idle() {
    let alone = ios("JB001246", 1, Channel::Express8);
    for volumes in 2..=4 {
        let together = ios("JB001246", volumes, Channel::Express8);
        assert!((together / alone / f64::from(volumes) - 1.0).abs() < 0.005, "{volumes} volumes: {together}, one: {alone}");
    }
}

/// Sixteen guests that walk through twice what fits, over four paths.
const SMALL: &str = r#"
level = "6.4"
measure = { warmup_s = 1, interval_s = 2 }
storage = { central_mb = 1024 }
lcu = { paths = 4 }
guests = [{ name = "VIRSTOEX", count = 16, virtual_mb = 256, loop_mb = 128 }]
"#;

/// What an EDEV is for: several I/Os at a time. One I/O does not fill a path, and two on a volume gain at least half as much
/// again where paths are not short.
#[test]
fn the_queue_depth_of_an_edev_counts() {
    let pages = |kind: DeviceKind, depth: u32| {
        let mut scenario = Scenario::parse(SMALL).expect("a good scenario");
        (scenario.paging.kind, scenario.paging.queue_depth) = (kind, depth);
        figure(&scenario, Figure::PagesPerSecond)
    };
    for kind in DeviceKind::ALL.into_iter().filter(|kind| !kind.is_eckd()) {
        let [one, two, sixteen] = [1, 2, 16].map(|depth| pages(kind, depth));
        assert!(two > 1.5 * one && sixteen > two, "{kind:?}: {one}, {two}, {sixteen}");
    }
}
