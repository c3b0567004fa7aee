//! Knobs from end to end: more of a resource never costs throughput, and where it gains nothing, something else is used up.

use zvmlab::scenario::{Chpid, Scenario};
use zvmlab::{Figure, experiment};

/// Eight guests that walk through a little more than fits, as V4DVY000's do at a hundred times the size.
const PAGING: &str = r#"
level = "6.4"
measure = { warmup_s = 2, interval_s = 16 }
storage = { central_mb = 1024 }
processors = { count = 8 }
paging = { volumes = 4 }
guests = [{ name = "VIRSTOEX", count = 8, virtual_mb = 192, loop_mb = 160, workload = "VIRSTOEX" }]
"#;

/// A guest of 512 MB that changes 64 MB over and over.
const MOVING: &str = r#"
level = "6.2"
processors = { count = 2 }
storage = { central_mb = 2048 }
cluster = { members = 2 }
member2 = { central_mb = 2048, processors = 2 }
relocation = { maxquiesce = "NOLIMIT" }
measure = { warmup_s = 0, interval_s = 1 }
guests = [{ name = "G", count = 1, virtual_mb = 512, loop_mb = 512, active_mb = 64, touch_mb_s = 100, pattern = "random", move_to = 2 }]
"#;

/// A figure for each of the values that `set` puts in.
fn curve(text: &str, figure: Figure, values: &[u32], set: fn(&mut Scenario, u32)) -> Vec<f64> {
    let of = |&value: &u32| {
        let mut scenario = Scenario::parse(text).expect("a good scenario");
        set(&mut scenario, value);
        let report = experiment::run(&scenario, 1).unwrap_or_else(|error| panic!("{value}: {error}"));
        report.measurement.get(figure).unwrap_or_else(|| panic!("{value}: no {}", figure.id()))
    };
    values.iter().map(of).collect()
}

/// Asserts that no value is more than `percent` below the largest before it, and returns by which factor the last is above the
/// first.
fn rises(what: &str, curve: &[f64], percent: f64) -> f64 {
    let mut most = 0.0_f64;
    for value in curve {
        assert!(*value >= most * (1.0 - percent / 100.0), "{what}: {curve:?}");
        most = most.max(*value);
    }
    curve[curve.len() - 1] / curve[0]
}

#[test]
fn more_of_a_device_never_costs_throughput() {
    let pages = |values: &[u32], set| curve(PAGING, Figure::PagesPerSecond, values, set);
    let aliases = pages(&[0, 1, 2, 4, 8, 16, 64, 128], |s, n| s.lcu.aliases = n);
    let volumes = pages(&[1, 2, 3, 4, 8, 16, 32, 64], |s, n| s.paging.volumes = n);
    let paths = pages(&[1, 2, 3, 4, 6, 8], |s, n| (s.lcu.paths, s.lcu.aliases) = (n, 8));
    let gains = [
        rises("aliases", &aliases, 1.0),
        rises("volumes", &volumes, 1.0),
        rises("channel paths, with eight aliases", &paths, 1.0),
    ];
    assert!(gains.iter().all(|gain| (1.2..8.0).contains(gain)), "{gains:?}");
    // From eight aliases, or sixteen volumes, on the two paths are full: more of either gains nothing.
    assert!(rises("aliases beyond what the paths carry", &aliases[4..], 1.0) < 1.02, "{aliases:?}");
    assert!(rises("volumes beyond what the paths carry", &volumes[5..], 1.0) < 1.03, "{volumes:?}");
}

#[test]
fn more_guests_or_processors_never_cost_page_rate() {
    let guests = curve(PAGING, Figure::PagesPerSecond, &[2, 4, 8, 16, 64, 256], |s, n| {
        // All loops together stay the same size.
        let loop_mb = u64::from(1280 / n).max(5);
        (s.guests[0].count, s.guests[0].loop_mb, s.guests[0].virtual_mb) = (n, loop_mb, loop_mb + 8);
    });
    assert!(rises("guests", &guests, 2.0) > 1.2, "{guests:?}");
    // Guests that wait for pages leave processors idle: flat.
    let processors = curve(PAGING, Figure::PagesPerSecond, &[1, 2, 8, 64], |s, n| s.processors.count = n);
    assert!((0.97..1.03).contains(&rises("processors", &processors, 2.0)), "{processors:?}");
}

/// A walk in order finds nothing that stayed until all of it fits (model/storage.md), so storage gains nothing and then
/// everything.
#[test]
fn storage_gains_nothing_for_a_walk_until_all_fits() {
    let etr = curve(PAGING, Figure::Etr, &[256, 512, 768, 1024, 1536], |s, mb| s.storage.central_mb = mb.into());
    assert!((0.97..1.05).contains(&(rises("storage", &etr[..4], 3.0))), "{etr:?}");
    assert!(etr[4] > 10.0 * etr[3], "{etr:?}");
}

#[test]
fn more_of_a_link_never_costs_relocation_time() {
    let chpids: fn(&mut Scenario, u32) = |s, n| {
        let at = |number: u32| if number <= n { Chpid::Gb8 } else { Chpid::None };
        let isfc = &mut s.isfc;
        (isfc.chpid1, isfc.chpid2, isfc.chpid3, isfc.chpid4) = (at(1), at(2), at(3), at(4));
    };
    let speed = |times: Vec<f64>| times.into_iter().map(|time| 1.0 / time).collect::<Vec<_>>();
    let relocation = speed(curve(MOVING, Figure::RelocationTime, &[1, 2, 3, 4], chpids));
    assert!(rises("chpids", &relocation, 0.5) > 1.2, "{relocation:?}");
    let ctcs =
        speed(curve(MOVING, Figure::RelocationTime, &[1, 2, 3, 4], |s, n| (s.isfc.chpid1, s.isfc.ctcs1) = (Chpid::Gb8, n)));
    assert!(rises("CTCs", &ctcs, 0.5) >= 1.0, "{ctcs:?}");
}
