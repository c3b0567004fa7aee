//! Results that are known already. The same scenario and seed give the same figures, so nothing is computed twice.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use zvmlab::Measurement;

use crate::batch::queue::{Key, key};
use crate::evidence::Settled;

/// Results that are kept whole, with their series. Chosen: some 100 KB each.
const WHOLE_MAX: usize = 24;
/// Figures that are kept. Chosen: under 1 KB each.
const MEASUREMENTS_MAX: usize = 2_000;

/// The results that are known.
#[derive(Debug, Default)]
pub struct Results {
    whole: VecDeque<(Key, Rc<Settled>)>,
    measurements: BTreeMap<Key, (u64, Measurement)>,
    revision: u64,
}

impl Results {
    /// Keeps a result.
    pub fn keep(&mut self, settled: Rc<Settled>) {
        let key = key(&settled.scenario, settled.seed);
        self.keep_figures(&settled);
        self.whole.retain(|(other, _)| *other != key);
        self.whole.push_back((key, settled));
        if self.whole.len() > WHOLE_MAX {
            self.whole.pop_front();
        }
    }

    /// Keeps only the figures of a result: the many results of a sweep would displace those that the reader goes back to.
    pub fn keep_figures(&mut self, settled: &Settled) {
        if self.measurements.len() >= MEASUREMENTS_MAX {
            self.measurements.clear();
        }
        let key = key(&settled.scenario, settled.seed);
        self.revision += 1;
        self.measurements.insert(key, (settled.digest, settled.measurement.clone()));
    }

    /// A number that changes whenever figures are kept.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The whole result of an experiment.
    pub fn whole(&self, key: &Key) -> Option<Rc<Settled>> {
        self.whole.iter().find(|(other, _)| other == key).map(|(_, settled)| settled.clone())
    }

    /// The figures of an experiment.
    pub fn measurement(&self, key: &Key) -> Option<&Measurement> {
        self.measurements.get(key).map(|(_, measurement)| measurement)
    }

    /// The digest and the figures of an experiment.
    pub fn digest_and_measurement(&self, key: &Key) -> Option<&(u64, Measurement)> {
        self.measurements.get(key)
    }
}
