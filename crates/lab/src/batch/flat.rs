//! Where a curve is flat.

/// A step that changes a figure by less than this share counts as flat. Chosen: replications could hardly show a smaller
/// difference.
pub const FLAT: f64 = 0.02;

/// The value from which on no step changes the figure by 2 % or more. None if the last step still does.
pub fn flat_from(points: &[(u64, f64)]) -> Option<u64> {
    let flat = |pair: &&[(u64, f64)]| {
        let (before, after) = (pair[0].1, pair[1].1);
        (after - before).abs() < FLAT * before.abs() || after == before
    };
    let steps: Vec<&[(u64, f64)]> = points.windows(2).rev().take_while(flat).collect();
    steps.last().map(|step| step[0].0)
}
