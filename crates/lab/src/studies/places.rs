//! Places along the horizontal axis of a study that stand for ascending numbers.

/// The names of numbers.
pub fn named(numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(u32::to_string).collect()
}

/// The position of `value` among `known`, which ascends.
pub fn among(value: u32, known: &[u32]) -> f64 {
    let above = known.iter().position(|&known| known >= value).unwrap_or(known.len() - 1);
    let Some(below) = above.checked_sub(1) else { return 0.0 };
    let (low, high) = (f64::from(known[below]), f64::from(known[above]));
    below as f64 + ((f64::from(value) - low) / (high - low)).clamp(0.0, 1.0)
}
