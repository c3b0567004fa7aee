//! Tests of the statistics against values worked out by hand.

use super::*;

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not within {tolerance} of {expected}");
}

fn check_interval(interval: Option<Interval>, mean: f64, half: f64) {
    let interval = interval.expect("two values or more have an interval");
    near(interval.mean, mean, 1e-9);
    near(interval.high - interval.mean, half, 1e-4);
    near(interval.mean - interval.low, half, 1e-4);
}

#[test]
fn area_is_value_times_time() {
    let mut queued = TimeWeighted::default();
    queued.set(Instant(10), 3);
    queued.set(Instant(14), 1);
    assert_eq!(queued.value(), 1);
    // 10 ns of 0, 4 ns of 3, 6 ns of 1.
    assert_eq!(queued.area_at(Instant(20)), 18);
    near(queued.mean_at(Instant(20)), 0.9, 1e-12);
    // Looking changes nothing.
    assert_eq!(queued.area_at(Instant(20)), 18);
}

#[test]
fn mean_at_the_start_is_the_value() {
    let mut queued = TimeWeighted::default();
    queued.set(Instant::ZERO, 5);
    assert_eq!(queued.mean_at(Instant::ZERO), 5.0);
}

#[test]
fn area_past_64_bits_keeps_its_mean() {
    let mut frames = TimeWeighted::default();
    let day = Instant(86_400_000_000_000);
    frames.set(Instant::ZERO, 1 << 30);
    frames.set(day, 0);
    assert_eq!(frames.area_at(day), u64::MAX);
    near(frames.mean_at(day), f64::from(1 << 30), 1e-3);
    near(frames.mean_at(Instant(day.0 * 2)), f64::from(1 << 29), 1e-3);
}

#[test]
fn tally_of_eight_items() {
    let tally = tally(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!(tally.count(), 8);
    near(tally.mean().unwrap(), 5.0, 1e-12);
    // Squared deviations 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, divided by 7.
    near(tally.variance().unwrap(), 32.0 / 7.0, 1e-12);
}

#[test]
fn tally_keeps_the_variance_of_large_items() {
    // A sum of squares in 64-bit floats gives 0 or worse for these.
    let tally = tally(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
    near(tally.variance().unwrap(), 30.0, 1e-6);
}

#[test]
fn too_few_items_have_no_mean_variance_or_interval() {
    assert_eq!(tally(&[]).mean(), None);
    assert_eq!(tally(&[1.0]).mean(), Some(1.0));
    assert_eq!(tally(&[1.0]).variance(), None);
    assert_eq!(mean_interval(&[]), None);
    assert_eq!(mean_interval(&[1.0]), None);
}

#[test]
fn intervals_of_three_values() {
    // Standard deviation 1, standard error 1 / sqrt 3 = 0.57735; t with 2 degrees of freedom 4.303 and 9.925.
    check_interval(mean_interval(&[1.0, 2.0, 3.0]), 2.0, 2.484_338);
    check_interval(interval(&[1.0, 2.0, 3.0], Confidence::Percent99), 2.0, 5.730_201);
}

#[test]
fn student_t_agrees_with_the_tables_past_30() {
    for (df, percent_95, percent_99) in
        [(31, 2.0395, 2.7440), (40, 2.0211, 2.7045), (60, 2.0003, 2.6603), (120, 1.9799, 2.6174)]
    {
        near(student_t(df, Confidence::Percent95), percent_95, 1e-4);
        near(student_t(df, Confidence::Percent99), percent_99, 1e-4);
    }
    near(student_t(u64::MAX, Confidence::Percent95), 1.96, 1e-4);
}

#[test]
fn paired_differences_see_what_two_intervals_hide() {
    let a = [10.0, 20.0, 30.0, 40.0];
    let b = [11.0, 22.0, 31.0, 42.0];
    // Differences 1, 2, 1, 2: standard error sqrt(1/3) / 2 = 0.288675, t with 3 degrees of freedom 3.182.
    let difference = difference_interval(&a, &b);
    check_interval(difference, 1.5, 0.918_564);
    assert!(!difference.unwrap().contains(0.0));
    let (of_a, of_b) = (mean_interval(&a).unwrap(), mean_interval(&b).unwrap());
    assert!(of_a.contains(of_b.mean) && of_b.contains(of_a.mean));
}

#[test]
fn differences_about_zero_are_not_distinguishable() {
    // Differences 1, -1, 2, -1: mean 0.25, standard deviation 1.5.
    let difference = difference_interval(&[5.0, 6.0, 7.0, 8.0], &[6.0, 5.0, 9.0, 7.0]);
    check_interval(difference, 0.25, 3.182 * 1.5 / 2.0);
    assert!(difference.unwrap().contains(0.0));
}

#[test]
#[should_panic(expected = "pairs with")]
fn unequal_sides_are_not_pairs() {
    let _ = difference_interval(&[1.0, 2.0], &[1.0]);
}

#[test]
fn batches_drop_the_warm_up_and_the_unfinished_rest() {
    let mut batches = BatchMeans::new(2, 3);
    [100.0, 100.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].into_iter().for_each(|item| batches.add(item));
    assert_eq!(batches.means(), [2.0, 5.0]);
    // Standard deviation 3 / sqrt 2, standard error 1.5, t with 1 degree of freedom 12.706.
    check_interval(batches.interval(Confidence::Percent95), 3.5, 19.059);
}

#[test]
fn batches_of_equal_drift_are_correlated() {
    let correlation = |items: &[f64]| {
        let mut batches = BatchMeans::new(0, 1);
        items.iter().for_each(|&item| batches.add(item));
        batches.lag_one_correlation()
    };
    // Deviations -1.5, -0.5, 0.5, 1.5: (0.75 - 0.25 + 0.75) / 5.
    near(correlation(&[1.0, 2.0, 3.0, 4.0]).unwrap(), 0.25, 1e-12);
    // Deviations 1, -1, 1, -1: -3 / 4.
    near(correlation(&[3.0, 1.0, 3.0, 1.0]).unwrap(), -0.75, 1e-12);
    assert_eq!(correlation(&[1.0, 1.0, 1.0]), None);
    assert_eq!(correlation(&[1.0, 2.0]), None);
}

#[test]
fn parts_of_equal_length_have_the_interval_of_their_mean() {
    let values = [3.0, 5.0, 4.0, 8.0, 2.0];
    let alone = mean_interval(&values).expect("five values");
    let parts = values.map(|value| [value, 0.25]);
    let of_parts = over_parts(alone.mean, &parts).expect("five parts");
    assert!(
        (of_parts.low - alone.low).abs() < 1e-12 && (of_parts.high - alone.high).abs() < 1e-12,
        "{of_parts:?}, {alone:?}"
    );
    // A long part counts for more than a short one.
    let half = |parts: &[[f64; 2]]| over_parts(4.0, parts).map(|interval| interval.high - 4.0).expect("three parts");
    assert!(half(&[[4.0, 1.0], [4.0, 1.0], [9.0, 0.1]]) < half(&[[4.0, 1.0], [4.0, 1.0], [9.0, 1.0]]) / 3.0);
    assert_eq!(over_parts(4.0, &[[4.0, 1.0]]), None);
    assert_eq!(over_parts(4.0, &[[4.0, 0.0], [4.0, 0.0]]), None);
}

#[test]
fn a_slope_has_the_interval_of_a_textbook() {
    // y = 2 x + 1 at 0 to 3, with errors of 0.1, -0.2, 0.1 and 0, which have no slope.
    let points = [[0.0, 1.1], [1.0, 2.8], [2.0, 5.1], [3.0, 7.0]];
    let slope = slope_interval(&points, Confidence::Percent95).expect("four points");
    assert!((slope.mean - 2.0).abs() < 1e-12, "{slope:?}");
    // What is left: 0.1, -0.2, 0.1 and 0, squares 0.06 over 2, over 5: 0.07746; Student's t of 2 is 4.303.
    assert!((slope.high - slope.mean - 4.303 * (0.06_f64 / 2.0 / 5.0).sqrt()).abs() < 1e-9, "{slope:?}");
    assert_eq!(slope_interval(&points[..2], Confidence::Percent95), None);
    assert_eq!(slope_interval(&[[1.0, 2.0]; 4], Confidence::Percent95), None);
}
