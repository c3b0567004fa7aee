//! A published run with other constants.

use zvmlab::constants::Constants;
use zvmlab::{Figure, Measurement, Scenario, Simulation, experiment};

/// Seed of every run here. All runs have the same, so that chance does not blur the effect of a constant.
const SEED: u64 = 1;

/// The figures of `scenario` with these constants.
pub fn measure(scenario: &Scenario, constants: Constants) -> Measurement {
    let mut simulation = Simulation::with_constants(scenario, SEED, constants).expect("a published run's scenario is valid");
    experiment::finish(&mut simulation, scenario, SEED).measurement
}

/// A figure; not a number if there is none.
pub fn of(measurement: &Measurement, figure: Figure) -> f64 {
    measurement.get(figure).unwrap_or(f64::NAN)
}
