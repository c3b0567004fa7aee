//! Two results side by side: their differences, and whether chance alone could explain them. Knows no browser.

use zvmlab::kernel::statistics::{Interval, mean_interval};
use zvmlab::measurement::Better;
use zvmlab::{Figure, Measurement};

use crate::words::number::difference_pct;

/// One figure of the present result, with the figure of the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Which figure.
    pub figure: Figure,
    /// Its value in the baseline: the mean, if there are replications. None as long as one that was asked for is missing: nothing is
    /// compared before.
    pub before: Option<f64>,
    /// Its value in the replications of the baseline that are known, as long as one is missing.
    pub so_far: Option<f64>,
    /// Its value now: the mean, if there are replications.
    pub now: Option<f64>,
    /// 95 % interval of the mean now, if there are replications.
    pub interval: Option<Interval>,
    /// 95 % interval of the difference now - before, if there are replications with the same seeds on both sides.
    pub difference: Option<Interval>,
}

/// Whether a difference is an improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// More gets done, or guests wait less.
    Better,
    /// Less gets done, or guests wait more.
    Worse,
    /// It is a difference, but neither better nor worse.
    Neutral,
}

/// What replications show about a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// There are no replications, so nothing is known of chance.
    Unknown,
    /// The interval of the difference contains zero.
    NotDistinguishable,
    /// It does not contain zero.
    Distinguishable,
}

impl Pair {
    /// The pair of `figure`. Measurements of equal seeds have equal places in the two lists.
    pub fn of(figure: Figure, before: &[&Measurement], now: &[&Measurement]) -> Pair {
        let (values_before, values_now) = (values(before, figure), values(now, figure));
        let differences: Vec<f64> =
            before.iter().zip(now).filter_map(|(before, now)| Some(now.get(figure)? - before.get(figure)?)).collect();
        Pair {
            figure,
            before: mean(&values_before),
            so_far: None,
            now: mean(&values_now),
            interval: mean_interval(&values_now),
            difference: mean_interval(&differences),
        }
    }

    /// The pair of `figure`, if the seeds of the two sides are unrelated.
    pub fn unpaired(figure: Figure, before: &[&Measurement], now: &[&Measurement]) -> Pair {
        Pair { difference: None, ..Pair::of(figure, before, now) }
    }

    /// The pair of `figure` of the replications that are known, as long as one that was asked for is missing.
    pub fn so_far(figure: Figure, before: &[&Measurement], now: &[&Measurement]) -> Pair {
        let pair = Pair::unpaired(figure, before, now);
        Pair { before: None, so_far: pair.before, ..pair }
    }

    /// Whether a verdict is still to come: replications that were asked for are missing.
    pub fn is_waiting(&self) -> bool {
        self.so_far.is_some()
    }

    /// Whether the difference is an improvement. A difference that may be chance, or is too small to be shown, is neutral.
    pub fn effect(&self) -> Effect {
        let Some(percent) = self.before.zip(self.now).and_then(|(before, now)| difference_pct(before, now)) else {
            return Effect::Neutral;
        };
        if percent.abs() < 0.05 || self.finding() == Finding::NotDistinguishable {
            return Effect::Neutral;
        }
        let more_is_better = match self.figure.better() {
            Better::More => true,
            Better::Less => false,
            Better::Neither => return Effect::Neutral,
        };
        if (percent > 0.0) == more_is_better { Effect::Better } else { Effect::Worse }
    }

    /// What replications show about the difference.
    pub fn finding(&self) -> Finding {
        match self.difference {
            None => Finding::Unknown,
            Some(interval) if interval.low <= 0.0 && interval.high >= 0.0 => Finding::NotDistinguishable,
            Some(_) => Finding::Distinguishable,
        }
    }
}

fn values(measurements: &[&Measurement], figure: Figure) -> Vec<f64> {
    measurements.iter().filter_map(|measurement| measurement.get(figure)).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use zvmlab::Snapshot;
    use zvmlab::snapshot::GuestSnapshot;

    use super::*;

    /// A measurement of one second in which so many transactions ended.
    fn measured(transactions: u64) -> Measurement {
        let at = |now_ns: u64, references: u64| {
            let guest = GuestSnapshot { references, transaction: 100, ..GuestSnapshot::default() };
            Snapshot { now_ns, guests: vec![guest], ..Snapshot::default() }
        };
        Measurement::between(&at(0, 0), &at(1_000_000_000, transactions * 100))
    }

    fn etr(before: &[u64], now: &[u64]) -> Pair {
        let [before, now] =
            [before, now].map(|side| side.iter().map(|&transactions| measured(transactions)).collect::<Vec<_>>());
        Pair::of(Figure::Etr, &before.iter().collect::<Vec<_>>(), &now.iter().collect::<Vec<_>>())
    }

    #[test]
    fn one_run_a_side_says_nothing_of_chance() {
        let pair = etr(&[10], &[20]);
        assert_eq!((pair.before, pair.now, pair.finding()), (Some(10.0), Some(20.0), Finding::Unknown));
    }

    #[test]
    fn equal_seeds_are_compared_with_each_other() {
        // Both sides vary much from seed to seed, but the difference hardly does.
        let pair = etr(&[10, 20, 30, 40, 50], &[11, 21, 31, 41, 52]);
        assert_eq!(pair.finding(), Finding::Distinguishable);
        let pair = etr(&[10, 20, 30, 40, 50], &[11, 19, 31, 39, 50]);
        assert_eq!(pair.finding(), Finding::NotDistinguishable);
        assert_eq!(etr(&[], &[1, 2]).before, None);
    }

    #[test]
    fn more_throughput_is_better_and_more_waiting_is_worse() {
        assert_eq!(etr(&[10], &[20]).effect(), Effect::Better);
        assert_eq!(etr(&[20], &[10]).effect(), Effect::Worse);
        assert_eq!(etr(&[10], &[10]).effect(), Effect::Neutral);
        assert_eq!(etr(&[10, 20], &[11, 19]).effect(), Effect::Neutral, "that may be chance");
        let wait = Pair { figure: Figure::ServiceTime, ..etr(&[10], &[20]) };
        assert_eq!(wait.effect(), Effect::Worse);
        assert_eq!(Pair { figure: Figure::TotalBusy, ..wait }.effect(), Effect::Neutral);
    }
}
