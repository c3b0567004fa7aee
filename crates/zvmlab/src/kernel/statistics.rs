//! Statistics: time-weighted and per-item means, and confidence intervals over replications, over batches of one long run
//! and over paired differences.

use serde::Serialize;

use super::time::Instant;

/// A mean with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The mean of the values.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies in the interval. An interval of a difference that contains 0 says that the two sides are not
    /// distinguishable.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// How sure an interval is: the share of such intervals that contain the true mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// 95 of 100.
    Percent95,
    /// 99 of 100.
    Percent99,
}

/// A quantity that changes in steps, weighted by how long it keeps each value.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeWeighted {
    value: u64,
    since: Instant,
    /// 128 bits: the 33.5 million frames of 128 GB for ten hours are 1.2e21 frame-nanoseconds, 64 bits end at 1.8e19.
    area: u128,
}

impl TimeWeighted {
    /// Sets the value from `now` on.
    pub fn set(&mut self, now: Instant, value: u64) {
        self.area = self.exact_area_at(now);
        self.since = now;
        self.value = value;
    }

    /// The value at present.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// The integral of the value from the start of the run to `now`, in value x nanoseconds. Where it exceeds 64 bits (a
    /// value of 1000 for half a year) this is the greatest number that they hold.
    pub fn area_at(&self, now: Instant) -> u64 {
        u64::try_from(self.exact_area_at(now)).unwrap_or(u64::MAX)
    }

    /// The mean of the value from the start of the run to `now`; at the start, the value itself.
    pub fn mean_at(&self, now: Instant) -> f64 {
        if now == Instant::ZERO { self.value as f64 } else { self.exact_area_at(now) as f64 / now.0 as f64 }
    }

    fn exact_area_at(&self, now: Instant) -> u128 {
        self.area + u128::from(self.value) * u128::from(now.since(self.since).0)
    }
}

/// Count, mean and variance of items that come one by one, such as response times.
///
/// The mean is corrected with each item (Welford 1962; Knuth, The Art of Computer Programming 2, 4.2.2). A sum of squares
/// would lose the variance of large numbers that differ little.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Tally {
    /// Takes one more item into account.
    pub fn add(&mut self, item: f64) {
        self.count += 1;
        let deviation = item - self.mean;
        self.mean += deviation / self.count as f64;
        self.squares += deviation * (item - self.mean);
    }

    /// How many items there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of the items, in their unit; `None` if there were none.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The variance of the items by the unbiased estimate (divided by count - 1), in their unit squared; `None` for fewer than
    /// two items.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The mean with its interval, the items taken as independent; `None` for fewer than two items.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let standard_error = (self.variance()? / self.count as f64).sqrt();
        let half = student_t(self.count - 1, confidence) * standard_error;
        Some(Interval { mean: self.mean, low: self.mean - half, high: self.mean + half })
    }
}

/// The mean of the items of one long run by batch means (Law, Simulation Modeling and Analysis, 9.5.3).
///
/// Neighbouring items of a run depend on each other; the means of long batches hardly do. So an interval over batches is
/// honest where one over items would be far too narrow. The items of the warm-up are dropped.
#[derive(Clone, Debug)]
pub struct BatchMeans {
    /// Items still to be dropped.
    warm_up: u64,
    batch_size: u64,
    batch: Tally,
    means: Vec<f64>,
}

impl BatchMeans {
    /// Drops the first `warm_up` items, then closes a batch each `batch_size` items.
    pub fn new(warm_up: u64, batch_size: u64) -> Self {
        assert!(batch_size > 0, "a batch holds at least one item");
        Self { warm_up, batch_size, batch: Tally::default(), means: Vec::new() }
    }

    /// Takes the next item of the run into account.
    pub fn add(&mut self, item: f64) {
        if self.warm_up > 0 {
            self.warm_up -= 1;
            return;
        }
        self.batch.add(item);
        if self.batch.count == self.batch_size {
            self.means.push(self.batch.mean);
            self.batch = Tally::default();
        }
    }

    /// The mean of each closed batch, in the items' unit.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The mean over the closed batches with its interval; `None` for fewer than two.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        interval(&self.means, confidence)
    }

    /// The correlation of neighbouring batches, -1 to 1: far from 0, the batches are too short and the interval too narrow;
    /// `None` for fewer than three batches or equal ones.
    pub fn lag_one_correlation(&self) -> Option<f64> {
        let mean = tally(&self.means).mean()?;
        let deviations: Vec<f64> = self.means.iter().map(|value| value - mean).collect();
        let neighbours: f64 = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let all: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
        (deviations.len() > 2 && all > 0.0).then_some(neighbours / all)
    }
}

/// How many values at the start of a series belong to its initial transient, by the marginal standard error rule: the number
/// whose removal leaves the smallest `Σ(x − mean)² / n²` over the n values that are left. 0 for a series of fewer than two.
///
/// It is sought in the first half only. A transient of half a series or more cannot be told from a drift: then the answer is
/// half of the series, and the series is too short. The values should be means of batches of five observations or more (MSER-5).
/// Source: K. P. White, An effective truncation heuristic for bias reduction in simulation output, Simulation 69 (1997),
/// 323-334; White, Cobb and Spratt, A comparison of five steady-state truncation heuristics for simulation, Winter Simulation
/// Conference 2000, 755-760.
pub fn transient(values: &[f64]) -> usize {
    let mut kept = Tally::default();
    let mut best = (f64::INFINITY, 0);
    for (dropped, &value) in values.iter().enumerate().rev() {
        kept.add(value);
        let error = kept.squares / (kept.count as f64 * kept.count as f64);
        // Of equal ones the one that drops less: a series that never changes has no transient.
        if dropped <= values.len() / 2 && error <= best.0 {
            best = (error, dropped);
        }
    }
    best.1
}

/// The mean of `values`, taken as independent, with its 95 % interval by Student's t; `None` for fewer than two.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    interval(values, Confidence::Percent95)
}

/// The mean of `values`, taken as independent, with its interval by Student's t (Law, Simulation Modeling and Analysis,
/// 4.5); `None` for fewer than two.
pub fn interval(values: &[f64], confidence: Confidence) -> Option<Interval> {
    tally(values).interval(confidence)
}

/// The mean of `b - a` with its 95 % interval, for replications that are paired by their seed (paired t, Law, Simulation
/// Modeling and Analysis, 10.2.1); `None` for fewer than two pairs.
///
/// Both sides of a pair meet the same random numbers, so chance cancels. A difference shows that two intervals side by side
/// would hide. If the interval contains 0, `a` and `b` are not distinguishable.
///
/// # Panics
/// If `a` and `b` are not equally long: then they are not pairs.
pub fn difference_interval(a: &[f64], b: &[f64]) -> Option<Interval> {
    assert_eq!(a.len(), b.len(), "each replication of one side pairs with one of the other");
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
    mean_interval(&differences)
}

/// The 95 % interval of a mean over time, from its value in each part of that time: pairs of value and length. Longer parts count for
/// more; the parts are taken as independent. `None` for fewer than two parts.
///
/// Source: the variance of a ratio estimator (Cochran, Sampling Techniques, 3rd edition, 6.4), with Student's t.
pub fn over_parts(mean: f64, parts: &[[f64; 2]]) -> Option<Interval> {
    let count = parts.len() as f64;
    let length = parts.iter().map(|[_, length]| length).sum::<f64>() / count;
    if parts.len() < 2 || length <= 0.0 {
        return None;
    }
    let square = |&[value, weight]: &[f64; 2]| {
        let deviation = (value - mean) * weight / length;
        deviation * deviation
    };
    let variance = parts.iter().map(square).sum::<f64>() / (count * (count - 1.0));
    let half = student_t(parts.len() as u64 - 1, Confidence::Percent95) * variance.sqrt();
    Some(Interval { mean, low: mean - half, high: mean + half })
}

/// The slope of a straight line through points, each with its place and its value, with its interval; `None` for fewer than three points,
/// or if all are at one place.
///
/// Source: least squares (Draper and Smith, Applied Regression Analysis, 3rd edition, 1.4), with Student's t.
pub fn slope_interval(points: &[[f64; 2]], confidence: Confidence) -> Option<Interval> {
    let count = points.len() as f64;
    let mean = |of: usize| points.iter().map(|point| point[of]).sum::<f64>() / count;
    let (place, value) = (mean(0), mean(1));
    let across: f64 = points.iter().map(|point| (point[0] - place) * (point[0] - place)).sum();
    if points.len() < 3 || across <= 0.0 {
        return None;
    }
    let slope = points.iter().map(|point| (point[0] - place) * (point[1] - value)).sum::<f64>() / across;
    let off = |point: &[f64; 2]| {
        let off = point[1] - value - slope * (point[0] - place);
        off * off
    };
    let variance = points.iter().map(off).sum::<f64>() / (count - 2.0) / across;
    let half = student_t(points.len() as u64 - 2, confidence) * variance.sqrt();
    Some(Interval { mean: slope, low: slope - half, high: slope + half })
}

fn tally(values: &[f64]) -> Tally {
    let mut tally = Tally::default();
    values.iter().for_each(|&value| tally.add(value));
    tally
}

/// Two-sided quantiles of Student's t for 1 to 30 degrees of freedom (any statistical table).
const T_95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
    2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const T_99: [f64; 30] = [
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055, 3.012, 2.977, 2.947, 2.921, 2.898,
    2.878, 2.861, 2.845, 2.831, 2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750,
];

/// The two-sided quantile of Student's t with this many degrees of freedom, at least one. Past the table it is expanded from
/// the normal quantile (Abramowitz and Stegun, 26.7.5), which is right to the fourth decimal there.
fn student_t(degrees_of_freedom: u64, confidence: Confidence) -> f64 {
    let (table, z) = match confidence {
        Confidence::Percent95 => (&T_95, 1.959_964),
        Confidence::Percent99 => (&T_99, 2.575_829),
    };
    let listed = usize::try_from(degrees_of_freedom - 1).ok().and_then(|index| table.get(index));
    listed.copied().unwrap_or_else(|| {
        let (df, z2) = (degrees_of_freedom as f64, z * z);
        let first = (z2 + 1.0) * z / 4.0;
        let second = ((5.0 * z2 + 16.0) * z2 + 3.0) * z / 96.0;
        let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) * z / 384.0;
        z + (first + (second + third / df) / df) / df
    })
}

#[cfg(test)]
mod tests;
