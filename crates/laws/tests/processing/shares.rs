//! Shares: exact while everybody wants to run, and what some leave goes to the others in proportion.

use proptest::collection::vec;
use proptest::prelude::*;
use zvmlab::scenario::{GuestGroup, Scenario, ShareType, Tenths};

use super::water::{normalised, poured, usable};
use super::{ends, parts, scenario};

/// The four guests of the 6.2 deck, the last of which wants 3 ms in every 100.
fn deck(level: &str, processors: u32, fault: bool, more: &str) -> Scenario {
    scenario(&format!(
        r#"
level = "{level}"
processors = {{ count = {processors} }}
scheduler = {{ excess_fault = {fault} }}
storage = {{ central_mb = 2048 }}
measure = {{ warmup_s = 5, interval_s = 60 }}
guests = [
  {{ name = "LINUX01", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 100 }},
  {{ name = "LINUX02", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 100 }},
  {{ name = "LINUX03", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 200 }},
  {{ name = "LINUX04", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 200, cpu_us = 3000, pace_ms = 100 }},
  {more}
]
"#
    ))
}

fn close(got: &[f64], expected: &[f64], points: f64, said: &str) {
    assert_eq!(got.len(), expected.len());
    for (got_of_one, expected_of_one) in got.iter().zip(expected) {
        assert!((got_of_one - expected_of_one).abs() <= points, "{said}: {got:?}, expected {expected:?}");
    }
}

#[test]
fn the_deck_s_excess_is_shared_as_it_should_be() {
    for seed in 1..=3 {
        let got = parts(&deck("6.2", 1, false, ""), seed);
        close(&got, &[24.25, 24.25, 48.5, 3.0], 0.1, "should get");
    }
}

#[test]
fn the_deck_s_fault_gives_the_excess_to_one() {
    for seed in 1..=3 {
        let got = parts(&deck("6.2", 1, true, ""), seed);
        close(&got, &[100.0 / 6.0, 100.0 / 6.0, 100.0 * 2.0 / 3.0 - 3.0, 3.0], 0.1, "problem scenario");
    }
}

#[test]
fn without_excess_the_fault_does_nothing() {
    for fault in [false, true] {
        let mut scenario = deck("6.2", 1, fault, "");
        (scenario.guests[3].cpu_us, scenario.guests[3].pace_ms) = (10_000, Tenths::ZERO);
        close(&parts(&scenario, 1), &normalised(&scenario), 0.1, "normalize");
    }
}

#[test]
fn on_two_processors_excess_is_what_shares_and_virtual_cpus_make_of_it() {
    let more = r#"{ name = "ABSOLUTE", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_type = "ABSOLUTE", share_absolute = 60 },
                  { name = "SMALL", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 50 }"#;
    let scenario = deck("6.2", 2, false, more);
    // The absolute share is more than a virtual CPU can use, and LINUX04 wants 3 % of one processor.
    let mut most = usable(&scenario);
    most[3] = 1.5;
    let expected = poured(&normalised(&scenario), &most);
    assert_eq!(expected[4], 50.0);
    close(&parts(&scenario, 1), &expected, 0.1, "two processors");
}

#[test]
fn what_a_share_comes_to_is_shown_exactly() {
    let mut scenario = deck("6.2", 1, false, "");
    (scenario.guests[3].cpu_us, scenario.guests[3].pace_ms) = (10_000, Tenths::ZERO);
    (scenario.guests[0].share_type, scenario.guests[0].share_absolute) = (ShareType::Absolute, Tenths(125));
    let [_, later] = ends(&scenario, 1);
    let shown: Vec<u64> = later.guests.iter().map(|guest| guest.share_ppm).collect();
    assert_eq!(shown, [125_000, 175_000, 350_000, 350_000]);
}

/// Compute-bound guests: how many, virtual CPUs of each, share.
fn bound(processors: u32, guests: &[(u32, u32, Given)]) -> Scenario {
    let mut scenario = scenario("[storage]\ncentral_mb = 2048\n[measure]\nwarmup_s = 5\ninterval_s = 60\n");
    scenario.processors.count = processors;
    scenario.guests = guests.iter().map(|&(count, virtual_cpus, given)| group(count, virtual_cpus, given)).collect();
    scenario.check().expect("the scenario is valid");
    scenario
}

#[derive(Clone, Copy, Debug)]
enum Given {
    Relative(u32),
    Absolute(u32),
}

fn group(count: u32, virtual_cpus: u32, given: Given) -> GuestGroup {
    let mut group = GuestGroup { count, virtual_cpus, virtual_mb: 32, loop_mb: 4, ..GuestGroup::default() };
    zvmlab::scenario::workloads::COMPUTE.apply(&mut group);
    match given {
        Given::Relative(share) => group.share_relative = share,
        Given::Absolute(percent) => (group.share_type, group.share_absolute) = (ShareType::Absolute, Tenths(percent * 10)),
    }
    group
}

/// Each guest gets what falls to it within 1 % of that.
fn check(processors: u32, guests: &[(u32, u32, Given)]) {
    let scenario = bound(processors, guests);
    let expected = poured(&normalised(&scenario), &usable(&scenario));
    let got = parts(&scenario, 1);
    for (got_of_one, expected_of_one) in got.iter().zip(&expected) {
        let off = (got_of_one / expected_of_one - 1.0).abs();
        assert!(off <= 0.01, "{guests:?} on {processors}: {got:.3?}, expected {expected:.3?}");
    }
}

use Given::{Absolute, Relative};

#[test]
fn one_processor() {
    check(1, &[(1, 1, Relative(100)), (1, 1, Relative(300))]);
    check(1, &[(1, 1, Absolute(40)), (1, 1, Relative(100)), (2, 1, Relative(250))]);
    check(1, &[(3, 2, Relative(100)), (1, 1, Absolute(10)), (1, 4, Relative(700))]);
    check(1, &[(1, 1, Relative(10_000)), (2, 1, Relative(100))]);
}

#[test]
fn two_processors() {
    check(2, &[(2, 1, Relative(100)), (1, 2, Relative(300))]);
    check(2, &[(1, 1, Absolute(30)), (4, 1, Relative(100)), (2, 2, Relative(200))]);
    // One that can use no more than one of the two.
    check(2, &[(1, 1, Relative(900)), (1, 1, Relative(100)), (1, 2, Relative(200))]);
    // Two that leave nothing of it, and idle processors.
    check(2, &[(1, 1, Absolute(80))]);
}

#[test]
fn four_processors() {
    check(4, &[(8, 1, Relative(100)), (2, 1, Relative(200))]);
    check(4, &[(1, 4, Absolute(50)), (6, 1, Relative(100)), (1, 3, Relative(400))]);
    // Two are full: the second only once the first has left something.
    check(4, &[(1, 1, Absolute(60)), (1, 1, Relative(150)), (4, 2, Relative(100))]);
}

#[test]
fn sixteen_processors() {
    check(16, &[(20, 1, Relative(100)), (8, 1, Relative(50))]);
    check(16, &[(2, 8, Absolute(20)), (10, 2, Relative(100)), (4, 4, Relative(300))]);
    check(16, &[(1, 2, Absolute(50)), (12, 1, Relative(100)), (1, 16, Relative(1000))]);
    check(16, &[(5, 1, Relative(100)), (1, 3, Relative(10)), (3, 16, Relative(100))]);
}

fn given() -> impl Strategy<Value = Given> {
    prop_oneof![
        3 => (1u32..=100).prop_map(|tens| Relative(tens * 10)),
        1 => (1u32..=20).prop_map(Absolute),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn any_mix_of_shares_is_kept(
        processors in prop_oneof![Just(1u32), Just(2), Just(4), Just(16)],
        guests in vec((1u32..6, prop_oneof![3 => Just(1u32), 2 => 2u32..6], given()), 1..6),
        seed in any::<u64>(),
    ) {
        let mut scenario = bound(processors, &guests);
        let absolute = |group: &&GuestGroup| group.share_type == ShareType::Absolute;
        let together: u32 = scenario.guests.iter().filter(absolute).map(|group| group.count * group.share_absolute.0).sum();
        prop_assume!(together < 900);
        scenario.measure.interval_s = 40;
        // A guest that must run without a break for its share cannot make up for a slice that another had.
        let (share, most) = (normalised(&scenario), usable(&scenario));
        prop_assume!(share.iter().zip(&most).all(|(share, most)| !(0.85..1.15).contains(&(share / most))));
        let expected = poured(&normalised(&scenario), &usable(&scenario));
        let got = parts(&scenario, seed);
        // A virtual CPU may be a minor slice ahead at the start of the interval, and behind at its end.
        let slices = 100.0 * 2.0 * 0.005 / (40.0 * f64::from(processors));
        for (at, group) in scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group)).enumerate() {
            let room = 0.01 * expected[at] + slices * f64::from(group.virtual_cpus);
            prop_assert!((got[at] - expected[at]).abs() <= room, "guest {at}: {got:.3?}, expected {expected:.3?}");
        }
    }
}
