//! The benchmarks by the machine's clock: one line for each result.
#![allow(clippy::disallowed_methods, reason = "this is not the model: a benchmark reads the clock of the machine")]

use std::time::Instant;

fn main() {
    let start = Instant::now();
    zvmlab_bench::suite(&|| start.elapsed().as_secs_f64(), &mut |item| println!("{}", item.to_line()));
}
