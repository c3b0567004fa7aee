//! Does the model name what limits in the published runs? Where the source tells, or its figures do, the answer is known.

use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::measurement::Figure;
use zvmlab::scenario::Scenario;
use zvmlab_reference::run;

/// A published run with a shorter interval: what limits is the same.
fn scenario(id: &str) -> Scenario {
    let mut scenario = run(id).unwrap_or_else(|| panic!("{id}: the run is built in")).scenario.clone();
    scenario.measure.interval_s = scenario.measure.interval_s.min(10);
    scenario
}

/// What limits a host, and its throughput.
fn of(scenario: &Scenario) -> (Limits, f64) {
    let outcome = zvmlab::experiment::run(scenario, 1).expect("the scenario is valid");
    (outcome.limits, outcome.measurement.get(Figure::Etr).unwrap_or(0.0))
}

fn limits(id: &str) -> Limits {
    of(&scenario(id)).0
}

fn check(id: &str, limit: Option<ResourceKind>) {
    let limits = limits(id);
    assert_eq!(limits.limit, limit, "{id}: {limits:#?}");
}

/// With four volumes alone, I/Os queue on the paging devices, and aliases add 42 % (6.4 paging page, abstract). Eight volumes,
/// or four and four aliases, stand on one ceiling, which the shared paths set: their ETR is within run variation. With eight
/// aliases the I/Os in progress triple and the rate rises by 41 % only, because service time grows from 2.1 to 4.8 ms.
#[test]
fn volumes_limit_without_aliases_and_paths_with_them() {
    for (id, limit) in [
        ("V4DVX001", ResourceKind::PageVolumes),
        ("V4DVY000", ResourceKind::PageVolumes),
        ("V4DVYA00", ResourceKind::Paths),
        ("V8DVY000", ResourceKind::Paths),
        ("V4DVYA40", ResourceKind::Paths),
        ("V4DYA001", ResourceKind::Paths),
    ] {
        check(id, Some(limit));
    }
}

/// What limits is what there should be more of. No source tells the answer for V4DVYH04; twice the paths, and twice the
/// exposures, do.
#[test]
fn twice_of_what_limits_gains_more_than_twice_of_what_does_not() {
    for id in ["V4DVX001", "V4DVY000", "V4DVYH04", "V4DVYA40"] {
        let host = scenario(id);
        let (limits, _) = of(&host);
        let mut paths = host.clone();
        paths.lcu.paths *= 2;
        let mut exposures = host.clone();
        // As many exposures more as there are: aliases where the level has them for paging.
        match host.level < zvmlab::scenario::Level::V6_4 {
            true => exposures.paging.volumes *= 2,
            false => {
                exposures.lcu.aliases = 2 * host.lcu.aliases + host.paging.volumes;
                exposures.paging.alias = true;
            }
        }
        let (paths, exposures) = (of(&paths).1, of(&exposures).1);
        let more = if paths > exposures { ResourceKind::Paths } else { ResourceKind::PageVolumes };
        assert_eq!(limits.limit, Some(more), "{id}: {paths} with twice the paths, {exposures} with twice the exposures");
    }
}

/// Table 6: more guests want to do minidisk I/O than there are aliases, so guests wait for aliases at each ratio, and for paths. Twice the
/// paths gain both kinds of guests. At 1:15, where the paths are full, twice the aliases help minidisk I/O at the cost of paging.
#[test]
fn paths_limit_in_table_6_and_guests_wait_for_aliases_too() {
    let both = |scenario: &Scenario| {
        let outcome = zvmlab::experiment::run(scenario, 1).expect("the scenario is valid");
        [Figure::Etr, Figure::MdiskEtr].map(|figure| outcome.measurement.get(figure).expect("it has both kinds of guests"))
    };
    for id in ["QRBKW048", "QRBKW062"] {
        let host = scenario(id);
        let limits = limits(id);
        assert_eq!(limits.limit, Some(ResourceKind::Paths), "{id}: {limits:#?}");
        let aliases = limits.resources.iter().find(|one| one.kind == ResourceKind::Aliases).expect("there are aliases");
        assert!(aliases.waiting > 0.1, "{id}: {aliases:?}");
        let mut paths = host.clone();
        paths.lcu.paths *= 2;
        let [now, paths] = [&host, &paths].map(both);
        assert!((0..2).all(|at| paths[at] > 1.1 * now[at]), "{id}: {now:?}, {paths:?} with twice the paths");
    }
    let host = scenario("QRBKW062");
    let mut aliases = host.clone();
    aliases.lcu.aliases *= 2;
    let [[paging, mdisk], [paging_with, mdisk_with]] = [&host, &aliases].map(both);
    assert!(mdisk_with > 2.0 * mdisk && paging_with < 0.9 * paging, "{paging} and {mdisk}, {paging_with} and {mdisk_with}");
}

/// One guest does one I/O at a time to a volume of its own: nobody waits. With one record in command mode the volume is busy for
/// 84 % of the time; with 64 records for 95 and 98 %, so that a second guest would find no room (6.2 deck).
#[test]
fn a_volume_limits_its_one_guest_only_where_it_is_full() {
    check("JB001238", None);
    for id in ["JB001246", "JB001247"] {
        check(id, Some(ResourceKind::MinidiskVolumes));
    }
}

/// Guests that compute all the time on one processor.
#[test]
fn the_processor_limits_guests_that_share_it() {
    for id in ["All four compute-bound", "Excess share, cured", "Excess share, fault"] {
        check(id, Some(ResourceKind::Processors));
    }
}

/// At a factor of 18 a link carries 1.8 GB/s; CP collects four times as much on one processor. A guest that has touched 296 MB
/// spends more time in the stages that move no storage (0.4 s) than on its pages (0.16 s).
#[test]
fn the_link_limits_the_relocation_of_all_but_a_small_guest() {
    for id in ["LGR-JAVA", "LGR-PAGECACHE", "LGR-OLTP", "LGR100G-IDLE"] {
        check(id, Some(ResourceKind::Link));
    }
    check("LGR-DIRECT", Some(ResourceKind::Stages));
}
