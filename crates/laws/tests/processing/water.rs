//! What guests should get of a partition, reckoned from the words of the rules: absolute shares first, the rest among the relative
//! ones in proportion; what a guest cannot use goes to the others in proportion to their shares.

use zvmlab::scenario::{Scenario, ShareType};

/// The normalised share of each guest while all want to run, in percent of the partition. Absolute shares add up to less than
/// 99 % here: what happens beyond is an assumption of the model.
pub fn normalised(scenario: &Scenario) -> Vec<f64> {
    let each = || scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group));
    let absolute: f64 =
        each().filter(|group| group.share_type == ShareType::Absolute).map(|group| group.share_absolute.as_f64()).sum();
    assert!(absolute < 99.0, "absolute shares of {absolute} %");
    let relative: u32 =
        each().filter(|group| group.share_type == ShareType::Relative).map(|group| group.share_relative).sum();
    each()
        .map(|group| match group.share_type {
            ShareType::Absolute => group.share_absolute.as_f64(),
            ShareType::Relative => (100.0 - absolute) * f64::from(group.share_relative) / f64::from(relative),
        })
        .collect()
}

/// What guests get who are entitled to `shares` and can use no more than `most`, all in percent. Those who cannot use what
/// falls to them get what they can use; what is left is divided anew among the others, until it serves.
pub fn poured(shares: &[f64], most: &[f64]) -> Vec<f64> {
    let mut given: Vec<Option<f64>> = vec![None; shares.len()];
    loop {
        let left = 100.0 - given.iter().flatten().sum::<f64>();
        let open: f64 = given.iter().zip(shares).filter(|(given, _)| given.is_none()).map(|(_, share)| share).sum();
        let falls_to = |share: f64| left * share / open;
        let full: Vec<usize> =
            (0..shares.len()).filter(|&at| given[at].is_none() && falls_to(shares[at]) >= most[at]).collect();
        if full.is_empty() {
            return given.iter().zip(shares).map(|(given, &share)| given.unwrap_or_else(|| falls_to(share))).collect();
        }
        full.into_iter().for_each(|at| given[at] = Some(most[at]));
    }
}

/// The most that each guest can use: a processor for each virtual CPU, in percent of the partition.
pub fn usable(scenario: &Scenario) -> Vec<f64> {
    let each = scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group.virtual_cpus));
    each.map(|cpus| f64::from(cpus) / f64::from(scenario.processors.count) * 100.0).collect()
}

#[test]
fn water_finds_its_level() {
    assert_eq!(poured(&[10.0, 30.0, 60.0], &[100.0; 3]), [10.0, 30.0, 60.0]);
    assert_eq!(poured(&[20.0, 40.0, 40.0], &[100.0, 100.0, 10.0]), [30.0, 60.0, 10.0]);
    // The second is full only once the third has left something.
    assert_eq!(poured(&[20.0, 40.0, 40.0], &[100.0, 45.0, 10.0]), [45.0, 45.0, 10.0]);
    assert_eq!(poured(&[50.0, 50.0], &[25.0, 25.0]), [25.0, 25.0]);
}
