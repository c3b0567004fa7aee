//! Short cycles that follow one another without a break are done several as one. Nothing shows it but how long a run takes.

use zvmlab::Simulation;
use zvmlab::constants::Constants;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::snapshot::{GuestSnapshot, Snapshot};

use super::{ends, scenario};

/// Guests that compute in cycles of `cycle_us` and touch a page for each µs, on four processors.
fn host(cycle_us: u32, count: u32, central_mb: u32, pattern: &str) -> String {
    format!(
        r#"
storage = {{ central_mb = {central_mb} }}
processors = {{ count = 4 }}
measure = {{ warmup_s = 10, interval_s = 10 }}
[[guests]]
workload = "COMPUTE"
count = {count}
virtual_mb = 512
loop_mb = 256
pattern = "{pattern}"
references = 1
cpu_us = {cycle_us}
cycle_pages = {cycle_us}
"#
    )
}

/// 512 guests in cycles of 1 µs: as many cycles as the processors have time for, and for each minor slice a few events.
#[test]
fn cycles_of_a_microsecond_cost_events_for_each_slice_and_not_for_each_cycle() {
    let text =
        host(1, 512, 65_536, "sequential").replace("loop_mb = 256", "loop_mb = 1").replace("= 512\nloop", "= 16\nloop");
    let mut simulation = Simulation::new(&scenario(&text), 1).expect("a valid scenario");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    let (events, before) = (simulation.events(), simulation.snapshot());
    simulation.run_until(simulation.now() + Span::from_secs(2));
    let after = simulation.snapshot();
    let sum = |of: fn(&GuestSnapshot) -> u64| {
        let at = |snapshot: &Snapshot| snapshot.guests.iter().map(of).sum::<u64>();
        at(&after) - at(&before)
    };
    let (cycles, used, events) = (sum(|guest| guest.cycles), sum(|guest| guest.cpu_ns), simulation.events() - events);
    assert!((7.9e9..=8e9).contains(&(used as f64)), "{used} ns of the 8 s of four processors");
    let (each, wanted) = (used as f64 / cycles as f64, 1_000.0 + Constants::default().touch_ns);
    assert!((each - wanted).abs() < 0.001 * wanted, "a cycle took {each} ns, of a µs and a page {wanted} are wanted");
    assert!(events < cycles / 100, "{events} events for {cycles} cycles");
}

/// The same work in cycles of 2 µs and of 6 ms, of which none fits into a minor slice with another.
#[test]
fn the_length_of_cycles_makes_no_difference_to_what_guests_get_done() {
    for (central_mb, pattern, within) in [(4_096, "random", 0.002), (1_900, "random", 0.02), (1_900, "sequential", 0.02)] {
        let of = |cycle_us: u32| {
            let mut sums = [0.0_f64; 3];
            for seed in [1, 2] {
                let [earlier, later] = ends(&scenario(&host(cycle_us, 8, central_mb, pattern)), seed);
                let sum = |of: fn(&GuestSnapshot) -> u64| {
                    let at = |snapshot: &Snapshot| snapshot.guests.iter().map(of).sum::<u64>();
                    (at(&later) - at(&earlier)) as f64
                };
                let read = later.paging.ios.pages_read - earlier.paging.ios.pages_read;
                let of_seed = [sum(|guest| guest.pages_touched), sum(|guest| guest.cpu_ns), read as f64];
                sums.iter_mut().zip(of_seed).for_each(|(sum, one)| *sum += one);
            }
            sums
        };
        for ((short, long), what) in
            of(2).into_iter().zip(of(6_000)).zip(["pages touched", "ns of processors used", "pages read"])
        {
            let off = (short - long).abs() / long.max(1.0);
            assert!(off <= within, "{central_mb} MB, {pattern}: {what}: {short} in short cycles, {long} in long ones");
        }
    }
}

/// A cycle is counted when it is over, also in the middle of a slice, and its time with it.
#[test]
fn cycles_of_a_series_are_counted_one_by_one() {
    let text = host(100, 1, 4_096, "sequential").replace("cycle_pages = 100", "cycle_pages = 1");
    let mut simulation = Simulation::new(&scenario(&text), 1).expect("a valid scenario");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_ns_f64(20e6));
    let mut seen = Vec::new();
    for _ in 0..200 {
        simulation.run_until(simulation.now() + Span::from_ns_f64(250e3));
        let guest = simulation.snapshot().guests.remove(0);
        seen.push((guest.cycles, guest.response_ns as f64 / 1e3));
    }
    for pair in seen.windows(2) {
        let (cycles, took) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        assert!((2..=3).contains(&cycles), "{cycles} cycles of 100 µs in 250 µs");
        let each = took / cycles as f64;
        assert!((100.0..=102.0).contains(&each), "each took {each} µs");
    }
}
