//! Who gets the processors? Whole simulations against what shares, limits and locks come to, reckoned here and not by the model.
#![cfg(not(target_arch = "wasm32"))]

mod groups;
mod limits;
mod locks;
mod partition;
mod series;
mod shares;
mod water;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::example;
use zvmlab::snapshot::Snapshot;
use zvmlab::{Figure, Measurement, Simulation};

/// The scenario of this text.
fn scenario(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The example with this id.
fn scenario_of_example(id: &str) -> Scenario {
    scenario(example(id).unwrap_or_else(|| panic!("there is an example {id}")).text)
}

/// The snapshots at the start and at the end of the interval of a run.
fn ends(scenario: &Scenario, seed: u64) -> [Snapshot; 2] {
    let mut simulation = Simulation::new(scenario, seed).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    [scenario.measure.warmup_s, scenario.measure.interval_s].map(|span| {
        simulation.run_until(simulation.now() + Span::from_secs(span.into()));
        simulation.snapshot()
    })
}

/// The figures of a run.
fn measured(scenario: &Scenario, seed: u64) -> Measurement {
    let [earlier, later] = ends(scenario, seed);
    Measurement::between(&earlier, &later)
}

/// A figure that the run is bound to have.
fn get(measurement: &Measurement, figure: Figure) -> f64 {
    measurement.get(figure).unwrap_or_else(|| panic!("the run has {}", figure.id()))
}

/// What each guest had of the processors of the partition in the interval, in percent.
fn parts(scenario: &Scenario, seed: u64) -> Vec<f64> {
    let [earlier, later] = ends(scenario, seed);
    let all = (later.now_ns - earlier.now_ns) as f64 * f64::from(scenario.processors.count);
    let had = earlier.guests.iter().zip(&later.guests).map(|(before, after)| after.cpu_ns - before.cpu_ns);
    had.map(|ns| ns as f64 / all * 100.0).collect()
}
