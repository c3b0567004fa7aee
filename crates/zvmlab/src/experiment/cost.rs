//! What a run will cost, roughly: it is tried for a while, and the rest follows from how far that came.

use super::{Course, Listeners, Phase, Progress};
use crate::scenario::{Scenario, ScenarioError};
use crate::simulation::Simulation;

/// The cost of a run in events, as [`Simulation::work`] counts them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Events of the fill.
    pub fill: f64,
    /// Events of warm-up and interval as the scenario asks for them, and of what was seen of relocations after them. A host that is not
    /// steady takes more.
    pub measured: f64,
    /// Events after which each of these two is cut short.
    pub budget: u64,
    /// Events that were tried.
    pub tried: u64,
    /// Whether the run was tried to its end, so that the cost is known.
    pub is_known: bool,
}

impl Cost {
    /// Tries `scenario` for some `work_max` events.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn of(scenario: &Scenario, work_max: u64) -> Result<Cost, ScenarioError> {
        let mut simulation = Simulation::new(scenario, 1)?;
        let mut course = Course::new(scenario, 1, 1);
        let (mut last, mut of_fill) = (None::<Progress>, (0u64, 0.0));
        let mut is_known = false;
        while !is_known && simulation.work() < work_max {
            let is_filling = last.is_none_or(|last| last.phase == Phase::Fill);
            let tell = &mut |_: &Simulation, progress: Progress| last = Some(progress);
            is_known = course.go_on(&mut simulation, scenario, &mut Listeners { watch: &mut |_| {}, tell }).is_some();
            if is_filling {
                of_fill = (simulation.work(), simulation.now().as_secs());
            }
        }
        let (tried, now_s) = (simulation.work(), simulation.now().as_secs());
        let asked_s = f64::from(scenario.measure.warmup_s) + f64::from(scenario.measure.interval_s);
        let rate = |events: u64, seconds: f64| events as f64 / seconds.max(f64::MIN_POSITIVE);
        let (fill, measured) = match last {
            _ if is_known => (of_fill.0 as f64, (tried - of_fill.0) as f64),
            // Until guests have filled storage, what they do later is not known better than by what they do now.
            Some(Progress { phase: Phase::Fill, part, .. }) => (tried as f64 / part.max(1e-9), rate(tried, now_s) * asked_s),
            Some(Progress { phase: Phase::Relocations, .. }) | None => (of_fill.0 as f64, (tried - of_fill.0) as f64),
            Some(_) => (of_fill.0 as f64, rate(tried - of_fill.0, now_s - of_fill.1) * asked_s),
        };
        Ok(Cost { fill, measured, budget: scenario.measure.events_max(), tried, is_known })
    }

    /// Events of a whole run.
    pub fn asked(&self) -> f64 {
        self.fill + self.measured
    }

    /// Events of a run within its budget.
    pub fn allowed(&self) -> f64 {
        let budget = self.budget as f64;
        self.fill.min(budget) + self.measured.min(budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Scenario {
        let text = "[storage]\ncentral_mb = 512\n[[guests]]\nvirtual_mb = 128\nloop_mb = 96\n[measure]\nwarmup_s = 2\ninterval_s = 20\n";
        Scenario::parse(text).expect("valid")
    }

    #[test]
    fn the_cost_is_that_of_the_run_or_near_it() {
        let whole = Cost::of(&small(), u64::MAX).expect("valid");
        assert!(whole.is_known && whole.asked() == whole.tried as f64);
        let mut simulation = Simulation::new(&small(), 1).expect("valid");
        super::super::finish(&mut simulation, &small(), 1);
        assert_eq!(whole.tried, simulation.work());
        for part in [0.3, 0.6] {
            let tried = Cost::of(&small(), (whole.asked() * part) as u64).expect("valid");
            assert!(!tried.is_known && tried.tried < whole.tried);
            assert!((tried.asked() / whole.asked() - 1.0).abs() < 0.3, "{tried:?} against {whole:?}");
        }
    }

    #[test]
    fn a_run_of_hours_is_seen_to_pass_its_budget() {
        // Four members of 64 processors in cycles of 2 µs, half of each under a lock, so that each cycle takes events of its own.
        let mut text = "[cluster]\nmembers = 4\n[processors]\ncount = 64\n[measure]\ninterval_s = 3600\n".to_string();
        for member in 2..=4 {
            text += &format!("[member{member}]\nprocessors = 64\n");
        }
        for member in 1..=4 {
            text += &format!(
                "[[guests]]\ncount = 64\nmember = {member}\nvirtual_mb = 16\nloop_mb = 1\nreferences = 1\ncpu_us = 1\nlock_us = 1\n"
            );
        }
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let cost = Cost::of(&scenario, 300_000).expect("valid");
        assert!(cost.asked() > 100.0 * cost.budget as f64, "{cost:?}");
        assert!(cost.allowed() <= 2.0 * cost.budget as f64, "{cost:?}");
    }
}
