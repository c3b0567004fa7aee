//! Limits: what LIMITHARD allows, by consumption and by deadline, and what LIMITSOFT gets beyond.

use proptest::collection::vec;
use proptest::prelude::*;
use zvmlab::Simulation;
use zvmlab::kernel::time::Instant;
use zvmlab::scenario::workloads::COMPUTE;
use zvmlab::scenario::{GuestGroup, LimitHard, LimitType, Scenario, ShareType, Tenths};

use super::{parts, scenario, scenario_of_example};

/// What the first guest of an example gets by each method, in percent of the partition.
fn by_both(id: &str, seed: u64) -> [f64; 2] {
    [LimitHard::Consumption, LimitHard::Deadline].map(|method| {
        let mut scenario = scenario_of_example(id);
        scenario.scheduler.limithard = method;
        parts(&scenario, seed)[0]
    })
}

/// In each configuration that the 6.2 deck lists, CONSUMPTION holds the limit of 40 % within 1 % of it and DEADLINE misses it by
/// more than 5 % of it.
fn check(id: &str) {
    for seed in 1..=2 {
        let [consumption, deadline] = by_both(id, seed);
        assert!((consumption / 40.0 - 1.0).abs() <= 0.01, "{id}: CONSUMPTION gives {consumption} %");
        assert!((deadline / 40.0 - 1.0).abs() > 0.05, "{id}: DEADLINE gives {deadline} %");
    }
}

#[test]
fn absolute_shares_of_more_than_all() {
    check("LIMIT-SUM");
}

#[test]
fn a_low_relative_share_with_a_larger_limit() {
    check("LIMIT-LOW-MIN");
}

#[test]
fn a_host_that_is_not_busy() {
    check("LIMIT-NOT-BUSY");
}

/// Two compute-bound guests on one processor, the first with a limit of 30 %.
fn two(limit: &str, other_wants: &str) -> Scenario {
    scenario(&format!(
        r#"
level = "6.2"
processors = {{ count = 1 }}
storage = {{ central_mb = 2048 }}
measure = {{ warmup_s = 5, interval_s = 30 }}
guests = [
  {{ name = "LIMITED", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", limit_type = "{limit}", limit_absolute = 30 }},
  {{ name = "OTHER", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE" {other_wants} }},
]
"#
    ))
}

#[test]
fn a_limit_below_the_share_leaves_the_rest_to_the_others() {
    for limit in ["LIMITHARD", "LIMITSOFT"] {
        let got = parts(&two(limit, ""), 1);
        assert!((got[0] - 30.0).abs() < 0.3 && (got[1] - 70.0).abs() < 0.3, "{limit}: {got:?}");
    }
}

#[test]
fn what_nobody_else_wants_goes_past_a_soft_limit_and_not_past_a_hard_one() {
    let paced = ", cpu_us = 2000, pace_ms = 10"; // 20 % of the processor.
    let soft = parts(&two("LIMITSOFT", paced), 1);
    assert!((soft[1] - 20.0).abs() < 0.5 && (soft[0] - 80.0).abs() < 0.5, "LIMITSOFT: {soft:?}");
    let hard = parts(&two("LIMITHARD", paced), 1);
    assert!((hard[1] - 20.0).abs() < 0.5 && (hard[0] - 30.0).abs() < 0.3, "LIMITHARD: {hard:?}");
}

fn groups() -> impl Strategy<Value = GuestGroup> {
    let limit = (prop_oneof![3 => Just(LimitType::LimitHard), 1 => Just(LimitType::NoLimit)], 1u32..=600);
    let share = (any::<bool>(), 1u32..=1000);
    let work = (1u32..30_000, prop_oneof![2 => Just(0u32), 1 => 1u32..600], prop_oneof![2 => Just(0u32), 1 => 1u32..100]);
    (1u32..4, 1u32..5, limit, share, work, any::<bool>()).prop_map(
        |(count, virtual_cpus, (limit_type, limit), (absolute, share), (cpu_us, think_ms, pace_ms), quickdsp)| {
            let mut group = GuestGroup { count, virtual_cpus, virtual_mb: 8, loop_mb: 2, ..GuestGroup::default() };
            COMPUTE.apply(&mut group);
            (group.cpu_us, group.think_ms, group.pace_ms) = (cpu_us, Tenths::whole(think_ms), Tenths::whole(pace_ms));
            (group.limit_type, group.limit_absolute) = (limit_type, Tenths(limit));
            (group.share_type, group.share_relative) = (ShareType::Relative, share);
            if absolute {
                (group.share_type, group.share_absolute) = (ShareType::Absolute, Tenths(share.min(limit)));
            }
            group.quickdsp = quickdsp;
            group
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nobody_passes_a_hard_limit_by_more_than_a_minor_slice(
        processors in 1u32..6,
        groups in vec(groups(), 1..5),
        slices in (1u32..20, 10u32..1000),
        seed in any::<u64>(),
    ) {
        let mut scenario = scenario("level = \"6.2\"\n[storage]\ncentral_mb = 2048\n");
        scenario.processors.count = processors;
        (scenario.dispatcher.minor_slice_ms, scenario.scheduler.elapsed_slice_ms) = slices;
        scenario.guests = groups;
        let mut simulation = Simulation::new(&scenario, seed).expect("the scenario is valid");
        let each: Vec<&GuestGroup> =
            scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group)).collect();
        // Limits count from the end of the fill on.
        simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
        let filled = simulation.snapshot();
        for half_second in 1..=20_u32 {
            simulation.run_until(Instant(filled.now_ns + u64::from(half_second) * 500_000_000));
            let snapshot = simulation.snapshot();
            let time_ms = f64::from(half_second) * 500.0 * f64::from(processors);
            let guests = filled.guests.iter().zip(&snapshot.guests);
            for (group, (before, guest)) in each.iter().zip(guests).filter(|(group, _)| group.limit_type == LimitType::LimitHard) {
                let allowed_ms = time_ms * group.limit_absolute.as_f64() / 100.0;
                // A page touched, or faulted on, at the end of a slice takes a few µs more.
                let room_ms = f64::from(group.virtual_cpus) * (f64::from(slices.0) + 0.02);
                let had_ms = (guest.cpu_ns - before.cpu_ns) as f64 / 1e6;
                prop_assert!(
                    had_ms <= allowed_ms + room_ms,
                    "{}: {had_ms} ms after {time_ms} ms of processors, allowed {allowed_ms} and {room_ms}", guest.name
                );
            }
        }
    }
}
