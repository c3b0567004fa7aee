//! No share of time exceeds its whole: a law of every host and every member of a cluster.

use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;
use zvmlab::{Figure, Measurement};

/// Every figure that is a part of something is at most all of it, however short the interval. A processor's time is booked
/// while it passes: work that began long before the interval is no work of the interval.
///
/// # Panics
/// Where one is more.
pub fn no_share_exceeds_its_whole(scenario: &Scenario, earlier: &Snapshot, later: &Snapshot) {
    if later.now_ns == earlier.now_ns {
        return;
    }
    let processors = f64::from(later.processors.count);
    let physical = f64::from(later.prsm.physical);
    // Of a volume every exposure counts: its own ones, and all aliases of the pool.
    let exposures = f64::from(scenario.lcu.aliases + scenario.paging.queue_depth.max(scenario.minidisks.queue_depth));
    for (figure, value) in Measurement::between(earlier, later).iter() {
        let whole = match figure.unit() {
            "%" if matches!(figure, Figure::VolumeBusy | Figure::MdiskVolumeBusy) => 100.0 * exposures,
            "%" => 100.0,
            _ if matches!(figure, Figure::PrsmOverhead | Figure::PrsmOverheadAll) => 100.0 * physical,
            "% of a processor" => 100.0 * processors,
            _ => continue,
        };
        let value = value.unwrap_or_default();
        // Sums of parts in floating point.
        assert!((0.0..=whole + 1e-6).contains(&value), "{} is {value} of {whole} %", figure.id());
    }
    for (before, after) in earlier.processors.logical.iter().zip(&later.processors.logical) {
        let busy = after.busy_ns.checked_sub(before.busy_ns).expect("work is not undone");
        assert!(busy <= later.now_ns - earlier.now_ns, "a processor is busy no longer than there is time");
    }
}
