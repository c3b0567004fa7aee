//! How far an experiment is, in words, and how long it may still take.

use zvmlab::Scenario;
use zvmlab::experiment::{Phase, Progress};

use super::unit::{NO_BREAK, percent};

/// Wall time in milliseconds and part of a phase from which on an estimate is told. Chosen: before that it jumps.
const SEEN_MS: f64 = 400.0;
const SEEN_PART: f64 = 0.01;

/// How far it is: `Interval: 12 of 30 simulated s, about 4 s left`. The time left is in milliseconds of wall time.
pub fn said(progress: &Progress, left_ms: Option<f64>) -> String {
    let of = |name: &str| match progress.of_s {
        Some(of_s) => format!("{name}: {:.0} of {of_s:.0} simulated s", progress.part * of_s),
        None => format!("{name}: {}", percent((progress.part * 100.0).floor())),
    };
    let far = match progress.phase {
        Phase::Fill => of("Guests fill storage"),
        Phase::WarmUp => of("Warm-up"),
        Phase::Interval => of("Interval"),
        Phase::Relocations => format!("Until all relocations have ended: {:.0} simulated s so far", progress.now_s),
    };
    match left_ms.map(|ms| (ms / 1e3).ceil()).filter(|seconds| *seconds >= 1.0) {
        // The time for what follows the fill is not known before it begins.
        Some(seconds) if progress.phase == Phase::Fill => format!("{far}, about {} more for that", time(seconds)),
        Some(seconds) => format!("{far}, about {} left", time(seconds)),
        None => far,
    }
}

/// What first figures are good for, in words: of a warm-up or not, with intervals or without any.
pub fn first_figures(warms: bool, has_intervals: bool) -> &'static str {
    if warms {
        "First figures, of the warm-up: the host still changes, so none has an interval yet."
    } else if has_intervals {
        "First figures, with the 95 % intervals of their means so far. The run goes on."
    } else {
        "First figures. The run goes on, and they still change."
    }
}

/// Seconds of wall time: `12 s`, `3 min`, `2 h`.
pub fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.0}{NO_BREAK}s"),
        _ if seconds < 6_000.0 => format!("{:.0}{NO_BREAK}min", seconds / 60.0),
        _ => format!("{:.0}{NO_BREAK}h", seconds / 3_600.0),
    }
}

/// The part of its phase that is over; nothing where nobody knows it.
pub fn part(progress: &Progress) -> Option<f64> {
    (progress.phase != Phase::Relocations).then_some(progress.part)
}

/// How much wall time an experiment may still take, from how far it was before.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// The phase under way, its first report, and the part at the last one.
    since: Option<(Phase, First, f64)>,
}

/// The first report of a phase.
#[derive(Clone, Copy, Debug)]
struct First {
    /// Its wall time in milliseconds.
    at_ms: f64,
    /// The part of the phase that was over.
    part: f64,
    /// The events of the budget that were spent.
    spent: u64,
}

impl Estimate {
    /// Wall time that is left, in milliseconds: of the fill alone, or of warm-up and interval. Never longer than the budget of events
    /// lasts. Nothing as long as too little is known.
    pub fn left_ms(&mut self, progress: &Progress, scenario: &Scenario, now_ms: f64) -> Option<f64> {
        let first = match self.since {
            Some((phase, first, last)) if phase == progress.phase && last <= progress.part => first,
            _ => First { at_ms: now_ms, part: progress.part, spent: progress.spent },
        };
        self.since = Some((progress.phase, first, progress.part));
        let budget = scenario.measure.events_max() as f64;
        let (took_ms, done) = (now_ms - first.at_ms, progress.part - first.part);
        let events = progress.spent.saturating_sub(first.spent) as f64;
        if progress.phase == Phase::Relocations || took_ms < SEEN_MS || (done < SEEN_PART && events < budget * SEEN_PART) {
            return None;
        }
        // By the simulated time, and by the events until the budget is used up; without either, it takes for ever.
        let whole_ms = took_ms / done;
        let by_budget = |events_left: f64| (events_left * took_ms / events).max(0.0);
        let left_ms = whole_ms * (1.0 - progress.part);
        let left = budget - progress.spent as f64;
        if progress.phase != Phase::WarmUp {
            return Some(left_ms.min(by_budget(left)));
        }
        // The warm-up leaves half of the budget to the interval, of which a second takes as long as one of the warm-up.
        let left_ms = left_ms.min(by_budget(left - budget / 2.0));
        let after_ms = match progress.of_s {
            Some(of_s) if of_s > 0.0 => whole_ms / of_s * f64::from(scenario.measure.interval_s),
            _ => 0.0,
        };
        Some((left_ms + after_ms).min(by_budget(left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(phase: Phase, part: f64) -> Progress {
        let of_s = match phase {
            Phase::WarmUp => Some(10.0),
            Phase::Interval => Some(30.0),
            _ => None,
        };
        Progress { phase, part, of_s, now_s: 83.4, spent: (part * 1e6) as u64 }
    }

    #[test]
    fn each_phase_says_how_far_it_is() {
        assert_eq!(said(&at(Phase::Fill, 0.437), None), "Guests fill storage: 43\u{a0}%");
        assert_eq!(
            said(&at(Phase::Fill, 0.437), Some(8_200.0)),
            "Guests fill storage: 43\u{a0}%, about 9\u{a0}s more for that"
        );
        assert_eq!(said(&at(Phase::WarmUp, 0.3), None), "Warm-up: 3 of 10 simulated s");
        assert_eq!(
            said(&at(Phase::Interval, 0.4), Some(240_000.0)),
            "Interval: 12 of 30 simulated s, about 4\u{a0}min left"
        );
        let relocating = at(Phase::Relocations, 0.0);
        assert_eq!(said(&relocating, None), "Until all relocations have ended: 83 simulated s so far");
        assert_eq!((part(&relocating), part(&at(Phase::Fill, 0.5))), (None, Some(0.5)));
    }

    #[test]
    fn the_time_left_follows_from_the_time_so_far() {
        let (scenario, mut estimate) = (Scenario::default(), Estimate::default());
        assert_eq!(estimate.left_ms(&at(Phase::Fill, 0.1), &scenario, 0.0), None);
        assert_eq!(estimate.left_ms(&at(Phase::Fill, 0.11), &scenario, 100.0), None, "too early");
        // Two tenths took a second, so the last seven take 3.5.
        assert_eq!(estimate.left_ms(&at(Phase::Fill, 0.3), &scenario, 1_000.0).map(f64::round), Some(3_500.0));
        assert_eq!(estimate.left_ms(&at(Phase::WarmUp, 0.0), &scenario, 5_000.0), None, "another phase begins");
        // Half of the warm-up's ten seconds took a second: the other half takes one, thirty seconds of the interval take six.
        assert_eq!(estimate.left_ms(&at(Phase::WarmUp, 0.5), &scenario, 6_000.0).map(f64::round), Some(7_000.0));
        assert_eq!(estimate.left_ms(&at(Phase::WarmUp, 0.1), &scenario, 7_000.0), None, "the warm-up is made longer");
        assert_eq!(estimate.left_ms(&at(Phase::Relocations, 0.0), &scenario, 99_000.0), None);
    }

    #[test]
    fn the_time_left_ends_with_the_budget() {
        let (mut scenario, mut estimate) = (Scenario::default(), Estimate::default());
        scenario.measure.events_m = 100;
        // A thousandth of the fill costs a tenth of the budget each second: nine seconds are left, not a quarter of an hour.
        let filling = |part: f64, spent: u64| Progress { spent, ..at(Phase::Fill, part) };
        assert_eq!(estimate.left_ms(&filling(0.0, 0), &scenario, 0.0), None);
        assert_eq!(estimate.left_ms(&filling(0.001, 10_000_000), &scenario, 1_000.0).map(f64::round), Some(9_000.0));
        // A warm-up that costs as much leaves half of the budget to the interval, which uses it up.
        let warming = |part: f64, spent: u64| Progress { spent, ..at(Phase::WarmUp, part) };
        assert_eq!(estimate.left_ms(&warming(0.0, 0), &scenario, 5_000.0), None);
        assert_eq!(estimate.left_ms(&warming(0.001, 10_000_000), &scenario, 6_000.0).map(f64::round), Some(9_000.0));
    }
}
