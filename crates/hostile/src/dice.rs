//! Chance by a seed: the same seed makes the same inputs on every machine.

use zvmlab::kernel::rng::Generator;

/// Throws for one input.
pub struct Dice(Generator);

impl Dice {
    /// The dice of input `number` of the trial `seed`, of the kind named `source`.
    pub fn new(seed: u64, source: &str, number: u64) -> Dice {
        Dice(Generator::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number, source))
    }

    /// A number in `0..bound`; 0 where `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1) as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `all`, which is not empty.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A number from `min` to `max`: an end, near an end, small in most cases, or any.
    pub fn number(&mut self, min: u64, max: u64) -> u64 {
        let width = max - min;
        let offset = match self.below(8) {
            0 => 0,
            1 => width,
            2 => width.min(1),
            3 => width.saturating_sub(1),
            // As many digits as chance has it: small numbers are as frequent as large ones.
            4..=6 => {
                let bits = self.below(65 - width.leading_zeros() as usize) as u32;
                self.0.below(1_u64.checked_shl(bits).unwrap_or(u64::MAX)).min(width)
            }
            _ => self.0.below(width.saturating_add(1)),
        };
        min + offset.min(width)
    }
}
