//! What the views are shown: samples over time, and settled results of whole experiments.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use yew::Properties;
use zvmlab::{Measurement, Scenario, Snapshot};

use crate::published::PublishedRun;

/// The state of a run at one instant, and the figures of the short time before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The figures of the time up to the snapshot: from `measurement.from_s` to `measurement.to_s`, simulated seconds.
    pub measurement: Measurement,
    /// The state at `measurement.to_s`.
    pub snapshot: Snapshot,
}

/// The result of a whole experiment: fill, warm-up, interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// What was run.
    pub scenario: Scenario,
    /// The seed it was run with.
    pub seed: u64,
    /// The figures of the interval.
    pub measurement: Measurement,
    /// The state at the end of the interval.
    pub snapshot: Snapshot,
    /// The digest of that state: equal runs have equal digests on every machine.
    pub digest: u64,
    /// The interval in steps, for charts over time.
    pub series: Rc<Vec<Sample>>,
}

/// What each view is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ViewProps {
    /// Samples over time, oldest first: of the live run where one is under way, else of the settled experiment.
    pub history: Rc<Vec<Sample>>,
    /// The last settled result, if there is one.
    pub settled: Option<Rc<Settled>>,
    /// The result to compare with.
    pub pinned: Option<Rc<Settled>>,
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The id of the published run that has the present configuration, if there is one.
    pub current_run: Option<String>,
}
