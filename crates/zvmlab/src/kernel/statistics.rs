//! Statistics: time-weighted means, and means over replications with confidence intervals.

use serde::{Deserialize, Serialize};

use super::time::Instant;

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean of the values.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// A quantity that changes in steps, weighted by how long it keeps each value.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeWeighted {
    value: u64,
    since: Instant,
    area: u64,
}

impl TimeWeighted {
    /// Sets the value from `now` on.
    pub fn set(&mut self, now: Instant, value: u64) {
        self.area = self.area_at(now);
        self.since = now;
        self.value = value;
    }

    /// The value at present.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The integral of the value from the start of the run to `now`, in value x nanoseconds.
    pub fn area_at(&self, now: Instant) -> u64 {
        self.area + self.value * now.since(self.since).0
    }
}

/// Two-sided 95 % quantiles of Student's t distribution for 1 to 30 degrees of freedom (any statistical table).
const T_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
    2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The mean of `values`, taken as independent, with its 95 % confidence interval by Student's t; `None` for fewer than two.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
    let t = T_95.get(values.len() - 2).copied().unwrap_or(1.96);
    let half = t * (variance / count).sqrt();
    Some(Interval { mean, low: mean - half, high: mean + half })
}
