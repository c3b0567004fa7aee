//! Axes: ticks at round numbers, and values to pixels.

/// One axis: its range and where its ticks are.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Value at its start.
    pub low: f64,
    /// Value at its end.
    pub high: f64,
    /// Distance of two ticks.
    pub step: f64,
    /// Values of the ticks, ascending.
    pub ticks: Vec<f64>,
}

/// So many more ticks are tried where one alone would stand. Chosen: two always fit then.
const MORE_TICKS: usize = 4;

impl Axis {
    /// An axis from 0 to the first tick that is not below `highest`, with about `wanted` ticks.
    pub fn from_zero(highest: f64, wanted: usize) -> Axis {
        let highest = if highest.is_finite() && highest > 0.0 { highest } else { 1.0 };
        let step = nice_step(highest / wanted.max(1) as f64);
        // A value just above a tick, from rounding, needs no further tick.
        let count = (highest / step - 1e-9).ceil().max(1.0);
        Axis { low: 0.0, high: step * count, step, ticks: multiples(0.0, count, step) }
    }

    /// An axis that shows just `low` to `high`, with about `wanted` ticks at round numbers between.
    pub fn between(low: f64, high: f64, wanted: usize) -> Axis {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        // One tick alone tells no distance.
        let mut some = (wanted..wanted + MORE_TICKS).map(|wanted| Axis::ticked(low, high, wanted));
        some.find(|axis| axis.ticks.len() > 1).unwrap_or_else(|| Axis::ticked(low, high, wanted))
    }

    fn ticked(low: f64, high: f64, wanted: usize) -> Axis {
        let step = nice_step((high - low) / wanted.max(1) as f64);
        let first = (low / step - 1e-9).ceil();
        let last = (high / step + 1e-9).floor();
        Axis { low, high, step, ticks: multiples(first, last, step) }
    }

    /// Where `value` lies on a line that runs from pixel `start` to pixel `end`.
    pub fn place(&self, value: f64, start: f64, end: f64) -> f64 {
        start + (value - self.low) / (self.high - self.low) * (end - start)
    }
}

fn multiples(first: f64, last: f64, step: f64) -> Vec<f64> {
    // At most a few dozen ticks fit any screen. The bound only keeps a mistake from filling memory.
    (0..64)
        .map(|index| first + f64::from(index))
        .take_while(|&multiple| multiple <= last)
        .map(|multiple| multiple * step)
        .collect()
}

/// The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `least`.
pub fn nice_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let mut power = 1.0;
    while power * 10.0 <= least {
        power *= 10.0;
    }
    while power > least {
        power /= 10.0;
    }
    let factor = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_start_at_zero_and_reach_past_the_data() {
        let axis = Axis::from_zero(88_925.0, 4);
        assert_eq!(axis.ticks, [0.0, 25_000.0, 50_000.0, 75_000.0, 100_000.0]);
        assert_eq!(axis.high, 100_000.0);
        let axis = Axis::from_zero(0.0443, 4);
        assert_eq!(axis.ticks.len(), 4);
        assert!((axis.high - 0.06).abs() < 1e-12);
    }

    #[test]
    fn a_value_on_a_tick_is_the_end_of_the_axis() {
        assert_eq!(Axis::from_zero(100.0, 5).high, 100.0);
        assert_eq!(Axis::from_zero(0.3, 3).ticks.len(), 4);
    }

    #[test]
    fn nothing_to_show_still_gives_an_axis() {
        for highest in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Axis::from_zero(highest, 4).high, 1.0);
        }
        let axis = Axis::between(3.0, 3.0, 4);
        assert!(axis.low < 3.0 && axis.high > 3.0);
    }

    #[test]
    fn one_tick_never_stands_alone() {
        for (low, high) in [(20.92, 50.92), (14.9, 44.9), (0.3, 9.1), (33.9, 78.9), (1.0, 4.0)] {
            let ticks = Axis::between(low, high, 2).ticks;
            assert!(ticks.len() > 1, "{low} to {high}: {ticks:?}");
        }
        assert_eq!(Axis::between(20.92, 50.92, 2).ticks, [30.0, 40.0, 50.0]);
    }

    #[test]
    fn a_range_keeps_its_ends() {
        let axis = Axis::between(312.0, 372.0, 4);
        assert_eq!((axis.low, axis.high), (312.0, 372.0));
        assert_eq!(axis.ticks, [320.0, 340.0, 360.0]);
    }

    #[test]
    fn every_size_of_data_gets_between_two_and_a_dozen_ticks() {
        let mut highest = 1e-6;
        while highest < 1e12 {
            for wanted in 2..8 {
                let axis = Axis::from_zero(highest, wanted);
                assert!(axis.high >= highest * (1.0 - 1e-6), "{highest} {wanted}");
                assert!((2..=wanted + 2).contains(&axis.ticks.len()), "{highest} {wanted}: {:?}", axis.ticks);
            }
            highest *= 1.37;
        }
    }

    #[test]
    fn places_are_linear() {
        let axis = Axis::from_zero(10.0, 5);
        assert_eq!(axis.place(0.0, 100.0, 0.0), 100.0);
        assert_eq!(axis.place(10.0, 100.0, 0.0), 0.0);
        assert_eq!(axis.place(5.0, 0.0, 50.0), 25.0);
    }
}
