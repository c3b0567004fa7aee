//! Places along the horizontal axis of a study: where each stands, and those that stand for ascending numbers.

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

/// Where places stand along the axis. Places whose names are ascending numbers stand at these numbers, so that unequal steps have
/// unequal distances. Other places are equally far from each other.
pub fn positions(names: &[String]) -> Vec<f64> {
    let numbers: Option<Vec<f64>> = names.iter().map(|name| name.parse().ok()).collect();
    let ascend = |numbers: &Vec<f64>| numbers.windows(2).all(|pair| pair[0] < pair[1]);
    numbers.filter(ascend).unwrap_or_else(|| (0..names.len()).map(|place| place as f64).collect())
}

/// Where something stands along the axis that is so many places from the first one. Beyond the ends the outermost step goes on.
pub fn along(positions: &[f64], places: f64) -> f64 {
    let Some(last_step) = positions.len().checked_sub(2) else { return positions.first().copied().unwrap_or(places) };
    let below = (places.max(0.0).floor() as usize).min(last_step);
    positions[below] + (positions[below + 1] - positions[below]) * (places - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_where_they_are_and_other_names_equally_far_apart() {
        assert_eq!(positions(&named(&[1, 2, 4, 64])), [1.0, 2.0, 4.0, 64.0]);
        for names in [["15:1", "8:8", "1:15"], ["8", "4", "2"]] {
            assert_eq!(positions(&names.map(String::from)), [0.0, 1.0, 2.0]);
        }
    }

    #[test]
    fn a_host_between_two_places_stands_between_them() {
        let known = [20, 50, 80, 95];
        let positions = positions(&named(&known));
        for value in [20, 35, 80, 90, 95] {
            assert_eq!(along(&positions, among(value, &known)), f64::from(value));
        }
        assert_eq!(along(&[0.0, 1.0, 2.0], -1.5), -1.5);
        assert_eq!(along(&[0.0, 1.0, 2.0], 3.5), 3.5);
        assert_eq!((along(&[7.0], 0.0), along(&[], 2.0)), (7.0, 2.0));
    }
}
