//! Queueing theory: the kernel alone, and the model's minidisk path, against results that are exactly known.

mod kernel;
#[cfg(not(target_arch = "wasm32"))]
mod minidisk;
#[cfg(not(target_arch = "wasm32"))]
mod ptil;
#[cfg(not(target_arch = "wasm32"))]
mod requests;

use zvmlab::kernel::statistics::Interval;

/// Whether `interval` is narrow (its half at most `percent` of the exact value), so that a wide one cannot pass for an
/// agreement, and holds the exact value.
fn check(what: &str, interval: Interval, exact: f64, percent: f64) {
    let half_percent = (interval.high - interval.mean) / exact * 100.0;
    assert!(half_percent < percent, "{what}: the interval is too wide to tell: +/- {half_percent:.2} %");
    assert!(interval.contains(exact), "{what}: exact {exact:.5} is not in {:.5} .. {:.5}", interval.low, interval.high);
}
