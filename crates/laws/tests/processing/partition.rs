//! The partition and the machine beneath it: entitlement, PR/SM's own time, reduced capacity.

use zvmlab::scenario::Scenario;
use zvmlab::scenario::Tenths;
use zvmlab::{Figure, Measurement};

use super::{ends, get, measured, scenario};

/// Compute-bound guests on a partition of four logical processors that shares `physical` with another one of the same weight.
fn bound(physical: u32, other_busy_percent: u32) -> Scenario {
    scenario(&format!(
        r#"
processors = {{ count = 4, shared = true }}
prsm = {{ physical = {physical}, weight = 100, partitions = 1, other_weight = 100, other_logical = 4, other_busy_percent = {other_busy_percent} }}
storage = {{ central_mb = 2048 }}
measure = {{ warmup_s = 1, interval_s = 10 }}
guests = [{{ name = "BOUND", count = 8, virtual_mb = 32, loop_mb = 1, workload = "COMPUTE" }}]
"#
    ))
}

#[test]
fn a_partition_gets_what_its_weight_entitles_it_to_while_the_other_wants_all() {
    let scenario = bound(4, 100);
    let [earlier, later] = ends(&scenario, 1);
    assert_eq!(later.prsm.entitled_thousandths, 2000);
    let seconds = (later.now_ns - earlier.now_ns) as f64 / 1e9;
    let [own, other] = [later.prsm.own_ns - earlier.prsm.own_ns, later.prsm.other_ns - earlier.prsm.other_ns]
        .map(|ns| ns as f64 / 1e9 / seconds);
    assert!((own / other - 1.0).abs() < 0.01, "{own} and {other} processors");
    assert!((1.98..2.003).contains(&own), "{own} processors, as PR/SM takes the rest, or a slice more");
    let busy = Measurement::between(&earlier, &later);
    assert!((get(&busy, Figure::TotalBusy) / 100.0 - own).abs() < 0.01, "what PR/SM gives is what CP and guests use");
}

#[test]
fn what_the_other_partition_leaves_is_had_beyond_entitlement() {
    let half = get(&measured(&bound(4, 25), 1), Figure::TotalBusy);
    let all = get(&measured(&bound(4, 0), 1), Figure::TotalBusy);
    assert!((299.0..340.0).contains(&half), "{half} % beside one that wants a quarter of its processors");
    assert!(all > 399.0, "{all} % alone");
}

#[test]
fn a_partition_of_its_own_has_no_prsm() {
    let mut dedicated = bound(8, 100);
    dedicated.processors.shared = false;
    let measurement = measured(&dedicated, 1);
    assert_eq!(get(&measurement, Figure::PrsmOverheadAll), 0.0);
    assert_eq!(get(&measurement, Figure::Suspended), 0.0);
    assert!(get(&measurement, Figure::TotalBusy) > 399.9);
}

#[test]
fn more_logical_processors_than_physical_ones_cost_more_of_prsm() {
    let overhead = |logical| {
        let mut scenario = bound(8, 70);
        (scenario.processors.count, scenario.prsm.other_logical, scenario.prsm.partitions) = (logical, logical, 3);
        scenario.guests[0].count = 16;
        get(&measured(&scenario, 1), Figure::PrsmOverheadAll)
    };
    let [two, four, eight] = [2, 4, 8].map(overhead);
    assert!(two < four && four < eight, "{two}, {four}, {eight} %");
}

#[test]
fn at_half_capacity_half_is_done() {
    let of = |capacity| {
        let mut scenario = bound(4, 0);
        (scenario.processors.shared, scenario.processors.capacity_percent) = (false, capacity);
        measured(&scenario, 1)
    };
    let [whole, half] = [of(100), of(50)];
    let ratio = get(&half, Figure::Etr) / get(&whole, Figure::Etr);
    assert!((ratio - 0.5).abs() < 0.005, "{ratio} of the throughput");
    let per_transaction = get(&half, Figure::TotalTimePerTransaction) / get(&whole, Figure::TotalTimePerTransaction);
    assert!((per_transaction - 2.0).abs() < 0.02, "{per_transaction} times the processor time a transaction");
    assert!(get(&half, Figure::Utilization) > 99.9, "the processors are as busy as before");
}

#[test]
fn at_half_capacity_work_that_waits_takes_longer_but_as_much_is_done() {
    let of = |capacity| {
        let mut scenario = bound(4, 0);
        (scenario.processors.shared, scenario.processors.capacity_percent) = (false, capacity);
        (scenario.guests[0].cpu_us, scenario.guests[0].pace_ms) = (1000, Tenths::whole(20));
        measured(&scenario, 1)
    };
    let [whole, half] = [of(100), of(50)];
    assert!((get(&half, Figure::Etr) / get(&whole, Figure::Etr) - 1.0).abs() < 0.01);
    let busy = get(&half, Figure::Utilization) / get(&whole, Figure::Utilization);
    assert!((busy - 2.0).abs() < 0.05, "{busy} times as busy");
    assert!(get(&half, Figure::ResponseTime) > 1.8 * get(&whole, Figure::ResponseTime));
}

/// When equal slices began together, a neighbour that is always busy had all logical processors of this partition run at once and
/// then none: Diag X'9C' lost a tenth against Diag X'44', and throughput at 100 % fell where it hardly had at 99 %.
#[test]
fn throughput_falls_steadily_as_the_other_partition_becomes_busier() {
    let etr = |spin_lock: &str, busy: u32| {
        let host = format!(
            r#"
level = "6.1"
scheduler = {{ storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }}
processors = {{ count = 16, shared = true }}
prsm = {{ physical = 16, weight = 300, partitions = 2, other_weight = 300, other_logical = 16, other_busy_percent = {busy} }}
dispatcher = {{ spin_lock = "{spin_lock}" }}
storage = {{ central_mb = 4096 }}
measure = {{ warmup_s = 1, interval_s = 3 }}
guests = [{{ name = "SERVER", count = 64, virtual_mb = 32, loop_mb = 1, workload = "COMPUTE", cpu_us = 400, service_us = 400, think_ms = 1 }}]
"#
        );
        get(&measured(&scenario(&host), 1), Figure::Etr)
    };
    for spin_lock in ["DIAG 44", "DIAG 9C"] {
        let etrs = [0, 50, 99, 100].map(|busy| etr(spin_lock, busy));
        let falls = etrs.windows(2).all(|pair| pair[1] < pair[0] * 1.01);
        assert!(falls && etrs[3] > 0.97 * etrs[2], "{spin_lock}: {etrs:?}");
    }
    let [old, new] = ["DIAG 44", "DIAG 9C"].map(|spin_lock| etr(spin_lock, 100));
    assert!(new >= old, "{old} with DIAG 44, {new} with DIAG 9C");
}
