//! Tables put together from parts at compile time.

/// How many entries the parts have together.
pub const fn total<T>(parts: &[&[T]]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// The entries of all parts, in their order; `N` is their [`total`].
pub const fn joined<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            all[at] = parts[part][index];
            (index, at) = (index + 1, at + 1);
        }
        part += 1;
    }
    assert!(at == N, "all entries are there");
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another() {
        const PARTS: &[&[u8]] = &[&[1, 2], &[], &[3]];
        assert_eq!(joined::<_, { total(PARTS) }>(PARTS), [1, 2, 3]);
    }
}
