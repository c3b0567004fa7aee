//! Seeded generators, one per source of randomness, so that a new source does not shift the others.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for one named source of randomness: xoshiro256++ (Blackman and Vigna 2021), whose numbers are the same on
/// every machine.
#[derive(Clone, Debug)]
pub struct Generator(Xoshiro256PlusPlus);

impl Generator {
    /// The generator of `source` in the run with `seed`: the same pair gives the same numbers on every machine.
    pub fn new(seed: u64, source: &str) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed ^ fnv1a(source)))
    }

    /// A whole number uniform in `0..bound`, by multiply-and-shift; the bias is below `bound` / 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        let draw = self.0.next_u64();
        // wasm has no product of 128 bits: there it is the call of a function that passes its result through memory.
        if cfg!(target_arch = "wasm32") && u32::try_from(bound).is_ok() {
            return upper_half_in_steps(draw, bound);
        }
        upper_half(draw, bound)
    }

    /// A number uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from the exponential distribution with `mean`, in its unit: the inverse of the distribution function,
    /// `-mean ln(1 - u)`.
    ///
    /// A table-driven draw takes half the time. But the package that has one takes its `exp` and `ln` from std as soon as
    /// any other package of the build asks for that, and then the numbers depend on the machine. `libm` is always the same.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }
}

/// The upper half of a product.
fn upper_half(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The same, if `b` has at most 32 bits, without a product of 128 bits.
fn upper_half_in_steps(a: u64, b: u64) -> u64 {
    ((a >> 32) * b + (((a & u64::from(u32::MAX)) * b) >> 32)) >> 32
}

/// The 64-bit FNV-1a hash, which spreads the sources' names over the seed space.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of (seen - expected)^2 / expected over the cells: Pearson's chi-square.
    fn chi_square(seen: &[u64], expected: f64) -> f64 {
        seen.iter().map(|&count| (count as f64 - expected) * (count as f64 - expected) / expected).sum()
    }

    /// 99.9 % quantile of chi-square with 99 degrees of freedom (tables of Pearson and Hartley). The seed is fixed: the tests
    /// pass always or never.
    const CHI_SQUARE_99_DF: f64 = 148.23;

    const DRAWS: u32 = 100_000;

    fn check_uniform(mut draw: impl FnMut() -> usize) {
        let mut seen = [0u64; 100];
        (0..DRAWS).for_each(|_| seen[draw()] += 1);
        let statistic = chi_square(&seen, f64::from(DRAWS) / 100.0);
        assert!(statistic < CHI_SQUARE_99_DF, "chi-square is {statistic}");
    }

    #[test]
    fn below_is_uniform() {
        let mut generator = Generator::new(1, "below");
        check_uniform(|| generator.below(100) as usize);
    }

    #[test]
    fn unit_is_uniform() {
        let mut generator = Generator::new(1, "unit");
        check_uniform(|| (generator.unit() * 100.0) as usize);
    }

    #[test]
    fn exponential_has_the_exponential_distribution() {
        let mut generator = Generator::new(1, "exponential");
        // The distribution function of an exponential draw is uniform: a hundred cells that are equally likely.
        check_uniform(|| ((1.0 - libm::exp(-generator.exponential(250.0) / 250.0)) * 100.0) as usize);
    }

    #[test]
    fn exponential_has_its_mean() {
        let mut generator = Generator::new(2, "exponential");
        let mean = (0..DRAWS).map(|_| generator.exponential(250.0)).sum::<f64>() / f64::from(DRAWS);
        // The standard error is 250 / sqrt(100,000) = 0.79; three of them.
        assert!((mean - 250.0).abs() < 2.4, "mean is {mean}");
    }

    #[test]
    fn sources_are_independent() {
        // Pairs of neighbouring sources and of neighbouring seeds fall into 10 x 10 cells evenly.
        for (mut one, mut other) in [
            (Generator::new(7, "volume 1"), Generator::new(7, "volume 2")),
            (Generator::new(7, "volume 1"), Generator::new(8, "volume 1")),
        ] {
            check_uniform(|| (one.below(10) * 10 + other.below(10)) as usize);
        }
    }

    #[test]
    fn a_second_draw_does_not_depend_on_the_first() {
        let mut generator = Generator::new(3, "pairs");
        check_uniform(|| (generator.below(10) * 10 + generator.below(10)) as usize);
    }

    #[test]
    fn seed_and_source_decide_the_numbers() {
        let draws = |seed, source| {
            let mut generator = Generator::new(seed, source);
            [generator.below(u64::MAX), generator.below(u64::MAX)]
        };
        assert_eq!(draws(1, "volume"), draws(1, "volume"));
        assert_ne!(draws(1, "volume"), draws(2, "volume"));
        assert_ne!(draws(1, "volume"), draws(1, "guest"));
    }

    #[test]
    fn both_ways_to_the_upper_half_of_a_product_agree() {
        let mut generator = Generator::new(5, "products");
        let edges = [0, 1, 2, u64::from(u32::MAX), 1 << 32, u64::MAX - 1, u64::MAX];
        for bound in [0, 1, 2, 3, 6_553_600, 1 << 31, u64::from(u32::MAX)] {
            for draw in (0..1000).map(|_| generator.0.next_u64()).chain(edges) {
                assert_eq!(upper_half_in_steps(draw, bound), upper_half(draw, bound), "{draw} x {bound}");
            }
        }
    }

    #[test]
    fn no_draw_leaves_its_range() {
        let mut generator = Generator::new(4, "range");
        for _ in 0..DRAWS {
            assert!(generator.below(3) < 3);
            assert!((0.0..1.0).contains(&generator.unit()));
            assert!((0.0..f64::INFINITY).contains(&generator.exponential(1.0)));
        }
    }
}
