//! The figures of the bench: of the result shown, of the one before, and of their replications.

use zvmlab::measurement::FIGURES;
use zvmlab::{Measurement, Scenario};

use super::Bench;
use crate::batch::queue::key;
use crate::comparison::Pair;
use crate::evidence::Settled;

impl Bench {
    /// The figures of `scenario` with each of `seeds`, as far as they are known.
    pub fn measurements(&self, scenario: &Scenario, seeds: impl IntoIterator<Item = u64>) -> Vec<&Measurement> {
        seeds.into_iter().filter_map(|seed| self.results.measurement(&key(scenario, seed))).collect()
    }

    /// The figures of the result shown: of all its replications, if they are wanted and known.
    pub fn shown(&self) -> Vec<&Measurement> {
        let Some(settled) = &self.settled else { return Vec::new() };
        if self.replications < 2 || !self.is_settled() {
            return vec![&settled.measurement];
        }
        self.measurements(&settled.scenario, self.seeds())
    }

    /// Seed, digest and figures of `settled`, and of its known replications if replications are wanted.
    pub fn runs_to_report(&self, settled: &Settled) -> Vec<(u64, u64, Measurement)> {
        let mut runs = vec![(settled.seed, settled.digest, settled.measurement.clone())];
        for seed in self.seeds().into_iter().filter(|seed| self.is_settled() && *seed != settled.seed) {
            if let Some((digest, measurement)) = self.results.digest_and_measurement(&key(&settled.scenario, seed)) {
                runs.push((seed, *digest, measurement.clone()));
            }
        }
        runs
    }

    /// Replications of the present experiment that are known.
    pub fn replications_known(&self) -> usize {
        self.measurements(&self.scenario, self.seeds()).len()
    }

    /// Every figure of the result shown, and of the result before: replications with equal seeds, if both are known.
    /// If only the seeds differ, each side has its own.
    pub fn pairs(&self) -> Vec<Pair> {
        let Some(settled) = &self.settled else { return Vec::new() };
        let Some(before) = &self.before else {
            return FIGURES.iter().map(|&figure| Pair::of(figure, &[], &self.shown())).collect();
        };
        if self.replications > 1 && self.is_settled() && key(&before.scenario, 0) == key(&settled.scenario, 0) {
            // They differ only in the seed. With the same seeds they would be the same runs.
            let mut left = self.measurements(&before.scenario, self.seeds_from(before.seed));
            if left.is_empty() {
                left.push(&before.measurement);
            }
            return FIGURES.iter().map(|&figure| Pair::unpaired(figure, &left, &self.shown())).collect();
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        if self.replications > 1 && self.is_settled() {
            for seed in self.seeds() {
                let known = |scenario| self.results.measurement(&key(scenario, seed));
                if let (Some(before), Some(now)) = (known(&before.scenario), known(&settled.scenario)) {
                    left.push(before);
                    right.push(now);
                }
            }
        }
        if left.is_empty() {
            (left, right) = (vec![&before.measurement], vec![&settled.measurement]);
        }
        FIGURES.iter().map(|&figure| Pair::of(figure, &left, &right)).collect()
    }
}
