//! How far an experiment is, in words.

use zvmlab::Scenario;
use zvmlab::experiment::{Phase, Progress};

use super::unit::percent;

/// How far it is: `Interval: 12 of 30 simulated s`.
pub fn said(progress: &Progress, scenario: &Scenario) -> String {
    let of = |seconds: u32| format!("{:.0} of {seconds} simulated s", progress.part * f64::from(seconds));
    match progress.phase {
        Phase::Fill => format!("Guests fill storage: {}", percent((progress.part * 100.0).floor())),
        Phase::WarmUp => format!("Warm-up: {}", of(scenario.measure.warmup_s)),
        Phase::Interval => format!("Interval: {}", of(scenario.measure.interval_s)),
        Phase::Relocations => format!("Until all relocations have ended: {:.0} simulated s so far", progress.now_s),
    }
}

/// The part of its phase that is over; nothing where nobody knows it.
pub fn part(progress: &Progress) -> Option<f64> {
    (progress.phase != Phase::Relocations).then_some(progress.part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_says_how_far_it_is() {
        let mut scenario = Scenario::default();
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (10, 30);
        let at = |phase, part| Progress { phase, part, now_s: 83.4 };
        assert_eq!(said(&at(Phase::Fill, 0.437), &scenario), "Guests fill storage: 43\u{a0}%");
        assert_eq!(said(&at(Phase::WarmUp, 0.3), &scenario), "Warm-up: 3 of 10 simulated s");
        assert_eq!(said(&at(Phase::Interval, 0.4), &scenario), "Interval: 12 of 30 simulated s");
        let relocating = at(Phase::Relocations, 0.0);
        assert_eq!(said(&relocating, &scenario), "Until all relocations have ended: 83 simulated s so far");
        assert_eq!((part(&relocating), part(&at(Phase::Fill, 0.5))), (None, Some(0.5)));
    }
}
