//! Bits of a word of 64 pages.

/// The numbers of the bits that are set, the lowest first.
pub(super) fn bits(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

/// The lowest `count` bits, 0 to 64.
pub(super) fn low_bits(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The bits below the lowest bit of `bits`; all where there is none.
pub(super) fn below_first(bits: u64) -> u64 {
    if bits == 0 { u64::MAX } else { (bits & bits.wrapping_neg()) - 1 }
}

/// The `n`th lowest bit of `bits`, counted from 0; zero if there are not so many.
pub(super) fn nth_bit(bits: u64, mut n: u64) -> u64 {
    // Halves the stretch that holds the bit, six times.
    let mut below = 0;
    for width in [32, 16, 8, 4, 2, 1] {
        let count = u64::from((bits >> below & low_bits(width)).count_ones());
        if n >= count {
            n -= count;
            below += width;
        }
    }
    if below < 64 && n == 0 { bits & 1 << below } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_counts_from_the_lowest() {
        for bits in [0, 1, 0b1011_0100, u64::MAX, 1 << 63, 0x8000_0001_0000_0001] {
            let set: Vec<u64> = (0..64).map(|bit| 1 << bit).filter(|bit| bits & bit != 0).collect();
            for n in 0..70 {
                assert_eq!(nth_bit(bits, n), set.get(n as usize).copied().unwrap_or(0), "bit {n} of {bits:b}");
            }
        }
    }
}
