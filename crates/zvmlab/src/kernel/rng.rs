//! Seeded generators, one per source of randomness, so that a new source does not shift the others.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for one named source of randomness.
#[derive(Clone, Debug)]
pub struct Generator(Xoshiro256PlusPlus);

impl Generator {
    /// The generator of `source` in the run with `seed`: the same pair gives the same numbers on every machine.
    pub fn new(seed: u64, source: &str) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed ^ fnv1a(source)))
    }

    /// A whole number uniform in `0..bound`, by multiply-and-shift; the bias is below `bound` / 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The 64-bit FNV-1a hash, which spreads the sources' names over the seed space.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
