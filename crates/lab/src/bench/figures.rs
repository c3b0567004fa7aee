//! The figures of the bench: of the result shown, of the baseline, and of their replications.

use std::rc::Rc;

use zvmlab::measurement::FIGURES;
use zvmlab::{Figure, Measurement, Scenario};

use super::{Bench, VALIDATION_SEEDS};
use crate::batch::queue::{host, key};
use crate::comparison::Pair;
use crate::evidence::Settled;
use crate::published::PublishedRun;
use crate::worker::early::Early;

/// The figures of the published runs that were known at a revision of the results.
#[derive(Debug)]
pub struct Validated {
    revision: u64,
    known: Rc<Vec<Vec<Measurement>>>,
}

impl Bench {
    /// The figures of `scenario` with each of `seeds`, as far as they are known.
    pub fn measurements(&self, scenario: &Scenario, seeds: impl IntoIterator<Item = u64>) -> Vec<&Measurement> {
        let host = host(scenario);
        seeds.into_iter().filter_map(|seed| self.results.measurement(&(host.clone(), seed))).collect()
    }

    /// The figures of all published runs with every seed of the validation, as far as they are known. They are looked up anew only when
    /// figures have come since, because the page asks whenever it is drawn.
    pub fn validated(&self, published: &[PublishedRun]) -> Rc<Vec<Vec<Measurement>>> {
        let revision = self.results.revision();
        if let Some(last) = self.validated.borrow().as_ref().filter(|last| last.revision == revision) {
            return last.known.clone();
        }
        let of = |run: &PublishedRun| self.measurements(&run.scenario, VALIDATION_SEEDS).into_iter().cloned().collect();
        let known: Rc<Vec<Vec<Measurement>>> = Rc::new(published.iter().map(of).collect());
        *self.validated.borrow_mut() = Some(Validated { revision, known: known.clone() });
        known
    }

    /// The figures of the result shown: of all its replications, if they are wanted and known.
    pub fn shown(&self) -> Vec<&Measurement> {
        let Some(settled) = &self.settled else { return Vec::new() };
        self.replicated(settled, settled.seed)
    }

    /// The figures of a result: of its replications with the seeds from `seed` on, as far as they are wanted and known.
    fn replicated<'a>(&'a self, settled: &'a Settled, seed: u64) -> Vec<&'a Measurement> {
        let known = match self.replications {
            0 | 1 => Vec::new(),
            _ => self.measurements(&settled.scenario, self.seeds_from(seed)),
        };
        if known.is_empty() { vec![&settled.measurement] } else { known }
    }

    /// Seed, digest and figures of `settled`, and of its known replications if replications are wanted.
    pub fn runs_to_report(&self, settled: &Settled) -> Vec<(u64, u64, Measurement)> {
        let mut runs = vec![(settled.seed, settled.digest, settled.measurement.clone())];
        if self.replications < 2 {
            return runs;
        }
        for seed in self.seeds_from(settled.seed).into_iter().filter(|seed| *seed != settled.seed) {
            if let Some((digest, measurement)) = self.results.digest_and_measurement(&key(&settled.scenario, seed)) {
                runs.push((seed, *digest, measurement.clone()));
            }
        }
        runs
    }

    /// The replications that are known: of the present experiment, and of the baseline.
    pub fn replications_known(&self) -> Known {
        let baseline = self.baseline.experiment();
        // A baseline that differs only in its seed keeps its own seeds.
        let only_seed = key(&baseline.scenario, self.seed) == self.key();
        let seeds = if only_seed { self.seeds_from(baseline.seed) } else { self.seeds() };
        let of_baseline = || self.measurements(&baseline.scenario, seeds).len();
        Known {
            now: self.measurements(&self.scenario, self.seeds()).len(),
            baseline: (self.baseline.key() != self.key()).then(of_baseline),
        }
    }

    /// Whether all replications that the reader asked for are known, of both hosts.
    pub fn is_complete(&self) -> bool {
        self.is_settled() && self.replications_known().still_coming(self.replications).is_none()
    }

    /// Every figure of the result shown, and of the baseline: replications with equal seeds. If only the seeds differ, each side has
    /// its own. As long as a replication is missing, there is no verdict.
    pub fn pairs(&self) -> Vec<Pair> {
        let Some(settled) = &self.settled else { return Vec::new() };
        let now = self.shown();
        let Some(before) = &self.before else {
            return FIGURES.iter().map(|&figure| Pair::of(figure, &[], &now)).collect();
        };
        // With the same seeds they would be the same runs.
        let only_seed = key(&before.scenario, 0) == key(&settled.scenario, 0);
        let then = self.replicated(before, if only_seed { before.seed } else { settled.seed });
        let asked = self.replications.max(1) as usize;
        let pair = match (then.len() < asked || now.len() < asked, only_seed) {
            (true, _) => Pair::so_far,
            (false, true) => Pair::unpaired,
            (false, false) => Pair::of,
        };
        FIGURES.iter().map(|&figure| pair(figure, &then, &now)).collect()
    }
}

impl Bench {
    /// First figures of an experiment that still runs, beside those of the baseline.
    pub fn early_pairs(&self, early: &Early) -> Vec<Pair> {
        let a = self.baseline.result.as_ref().filter(|_| self.baseline.key() != self.key());
        let pair = |&figure: &Figure| Pair {
            figure,
            before: a.and_then(|a| a.measurement.get(figure)),
            so_far: None,
            now: early.value(figure),
            interval: early.interval(figure),
            difference: None,
        };
        FIGURES.iter().map(pair).collect()
    }
}

/// How many replications are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Of the experiment on the bench.
    pub now: usize,
    /// Of the baseline; none if that is on the bench.
    pub baseline: Option<usize>,
}

impl Known {
    /// How many of `asked` are in, in words without an end; `None` if all are.
    pub fn still_coming(self, asked: u32) -> Option<String> {
        if asked < 2 {
            return None;
        }
        let missing = |known: &usize| *known < asked as usize;
        let said = match (Some(self.now).filter(missing), self.baseline.filter(missing)) {
            (None, None) => return None,
            (Some(now), None) => format!("{now} of {asked} runs of this host"),
            (None, Some(baseline)) => format!("{baseline} of {asked} runs of A"),
            (Some(now), Some(baseline)) => format!("{now} of {asked} runs of this host and {baseline} of {asked} of A"),
        };
        Some(said + " are in")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Experiment;
    use crate::bench::tests::settle;
    use crate::published::runs;

    #[test]
    fn figures_of_a_published_run_are_known_as_soon_as_they_have_come() {
        let published = runs();
        let at = published.iter().position(|run| run.id == "V8DVY000").expect("a published run");
        let mut bench = Bench::new(Experiment { scenario: Scenario::default(), seed: 1 }, None, None, 1);
        settle(&mut bench);
        assert_eq!(bench.validated(&published)[at].len(), 0);
        bench.validate(published[at..].iter().take(1));
        settle(&mut bench);
        assert_eq!(bench.validated(&published)[at].len(), VALIDATION_SEEDS.count());
    }
}
