//! What must be the same on every machine: this file's tests run natively, in node and in browsers, and assert the same
//! numbers everywhere.

#[cfg(not(target_arch = "wasm32"))]
use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use zvmlab::kernel::queue::EventQueue;
use zvmlab::kernel::rng::Generator;
use zvmlab::kernel::statistics::mean_interval;
use zvmlab::kernel::time::{Instant, Span};

/// The 64-bit FNV-1a hash of the words, byte by byte.
fn digest(words: impl IntoIterator<Item = u64>) -> u64 {
    words
        .into_iter()
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn generator_gives_the_golden_numbers() {
    let mut generator = Generator::new(42, "golden");
    let whole: [u64; 4] = std::array::from_fn(|_| generator.below(1_000_000));
    assert_eq!(whole, [556_634, 961_993, 834_700, 878_980]);
    // Shortest decimals that give the same 64 bits.
    let units: [f64; 2] = std::array::from_fn(|_| generator.unit());
    assert_eq!(units, [0.2669018757542352, 0.5616420033623863]);
    let exponentials: [f64; 2] = std::array::from_fn(|_| generator.exponential(1e6));
    assert_eq!(exponentials, [1847848.8074446302, 489320.1984801617]);
}

#[test]
fn many_draws_have_the_golden_digest() {
    let mut generator = Generator::new(1, "digest");
    let draws =
        (0..100_000).flat_map(|_| [generator.below(1000), generator.unit().to_bits(), generator.exponential(1.0).to_bits()]);
    assert_eq!(digest(draws), 3_056_861_170_554_644_207);
}

#[test]
fn libm_has_the_golden_digest() {
    let mut generator = Generator::new(1, "libm");
    let results = (0..100_000).flat_map(|_| {
        let (x, y) = (generator.unit(), generator.unit());
        [libm::log(x + 1e-9), libm::exp(20.0 * y - 10.0), libm::pow(10.0 * x, y), (x / (y + 0.5)).sqrt()].map(f64::to_bits)
    });
    assert_eq!(digest(results), 3_486_296_180_122_410_910);
}

#[test]
fn queue_keeps_the_order_of_instants_and_of_scheduling() {
    let mut queue = EventQueue::new();
    for (number, at) in [5, 3, 5, u64::MAX, 0, 3].into_iter().enumerate() {
        queue.schedule(Instant(at), number);
    }
    let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(at, number)| (at.0, number)).collect();
    assert_eq!(order, [(0, 4), (3, 1), (3, 5), (5, 0), (5, 2), (u64::MAX, 3)]);
}

#[test]
fn hold_model_has_the_golden_digest() {
    let mut generator = Generator::new(1, "hold");
    let mut queue = EventQueue::new();
    (0..1000u64).for_each(|event| queue.schedule(Instant(generator.below(1000)), event));
    let handled = (0..100_000).flat_map(|_| {
        let (now, event) = queue.pop().expect("each event schedules itself again");
        // Short spans, so that many events share an instant.
        queue.schedule(now + Span::from_ns_f64(generator.exponential(1000.0)), event);
        [now.0, event]
    });
    assert_eq!(digest(handled), 5_263_473_489_925_058_335);
}

#[test]
fn interval_has_the_golden_digest() {
    let mut generator = Generator::new(1, "interval");
    let values: Vec<f64> = (0..50).map(|_| generator.exponential(1.0)).collect();
    let interval = mean_interval(&values).expect("fifty values have an interval");
    assert_eq!(digest([interval.mean, interval.low, interval.high].map(f64::to_bits)), 16_375_887_271_651_211_604);
}
