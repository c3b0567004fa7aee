//! A whole experiment in a worker, with its interval seen in steps.

use std::rc::Rc;

use zvmlab::experiment::finish_watched;
use zvmlab::scenario::ScenarioError;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};

use crate::session::{Sample, Settled};

/// Steps of the interval that charts over time show. Chosen: one a second for the usual interval of half a minute.
const STEPS: u64 = 30;

/// Runs `scenario` with `seed`.
///
/// # Errors
/// Every problem of the scenario.
pub fn run(scenario: Scenario, seed: u64) -> Result<Settled, ScenarioError> {
    let mut simulation = Simulation::new(&scenario, seed)?;
    let mut earlier: Option<Snapshot> = None;
    let mut series = Vec::new();
    let outcome = finish_watched(&mut simulation, &scenario, seed, STEPS, &mut |snapshot| {
        if let Some(earlier) = &earlier {
            series.push(Sample { measurement: Measurement::between(earlier, snapshot), snapshot: snapshot.clone() });
        }
        earlier = Some(snapshot.clone());
    });
    Ok(Settled {
        scenario,
        seed,
        measurement: outcome.measurement,
        snapshot: outcome.snapshot,
        digest: outcome.digest,
        series: Rc::new(series),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watching_the_interval_changes_no_figure() {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = 512;
        scenario.guests[0].virtual_mb = 128;
        scenario.guests[0].loop_mb = 96;
        scenario.measure.interval_s = 7;
        let settled = run(scenario.clone(), 3).expect("valid");
        let outcome = zvmlab::experiment::run(&scenario, 3).expect("valid");
        assert_eq!((settled.digest, &settled.measurement), (outcome.digest, &outcome.measurement));
        assert_eq!(settled.series.len() as u64, STEPS);
        assert_eq!(settled.series.last().map(|sample| &sample.snapshot), Some(&settled.snapshot));
    }
}
