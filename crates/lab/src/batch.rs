//! Batches: many whole experiments around one host, what is known of each, and what they answer together.
//!
//! A *run* is one whole experiment, a [`Batch`] is many. A [sweep](sweep) goes over the values of one knob. A
//! [study](crate::studies) shows what one control does. [Trials](trials) answer a [question](question) or compare [plans](plan).
//! Each of them decides which runs there are, in which order they are made, and what is shown of earlier ones. This file knows
//! which runs are due, known or left out.

pub mod crew;
pub mod flat;
pub mod limit;
pub mod moved;
pub mod plan;
pub mod question;
pub mod queue;
pub mod relocating;
pub mod results;
pub mod runner;
pub mod sheet;
pub mod sweep;
pub mod trials;

use std::rc::Rc;

use zvmlab::scenario::Problem;
use zvmlab::{Measurement, Scenario};

use queue::{Key, key};

/// What is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState<R> {
    /// It is still to come.
    Due,
    /// It was made, with this result.
    Known(Rc<R>),
    /// It is not made, and why.
    LeftOut(String),
}

impl<R> RunState<R> {
    /// The result of the run, if it is known.
    pub fn known(&self) -> Option<&R> {
        match self {
            RunState::Known(found) => Some(found),
            _ => None,
        }
    }

    /// Whether the run is still to come.
    pub fn is_due(&self) -> bool {
        matches!(self, RunState::Due)
    }
}

impl RunState<Measurement> {
    /// The state of a run with these figures. `filled`: whether every guest has touched its whole loop.
    pub fn of_figures(filled: bool, measurement: &Measurement) -> RunState<Measurement> {
        if filled {
            RunState::Known(Rc::new(measurement.clone()))
        } else {
            RunState::LeftOut("storage is so short that some guests never touched their whole loop".into())
        }
    }
}

/// One run of a batch. `P` is its place in the batch, `R` is its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<P, R> {
    /// Its place in the batch, and its name there.
    pub at: P,
    /// What is run.
    pub scenario: Rc<Scenario>,
    /// Its key. Runs with equal keys are the same run.
    pub key: Key,
    /// What is known of it.
    pub state: RunState<R>,
}

impl<P, R> Run<P, R> {
    /// Its result, if it is known.
    pub fn known(&self) -> Option<&R> {
        self.state.known()
    }
}

/// Runs around one host, under way or complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch<P, R> {
    /// The scenario on the bench when it began.
    pub base: Scenario,
    /// The seed of its runs; the first one, if they have several.
    pub seed: u64,
    /// Its runs, in the order in which they are shown.
    pub runs: Vec<Run<P, R>>,
}

impl<P, R> Batch<P, R> {
    /// A batch of these runs around `base`. A run whose scenario has problems is left out. A run that `known` has a result for is
    /// not made again.
    pub fn new(
        base: Scenario,
        seed: u64,
        runs: impl IntoIterator<Item = (P, Scenario)>,
        known: &dyn Fn(&Key) -> Option<RunState<R>>,
    ) -> Batch<P, R> {
        Batch::of_seeds(base, seed, runs.into_iter().map(|(at, scenario)| (at, scenario, seed)), known)
    }

    /// The same of runs with a seed each; `seed` is the one that the batch is known by.
    pub fn of_seeds(
        base: Scenario,
        seed: u64,
        runs: impl IntoIterator<Item = (P, Scenario, u64)>,
        known: &dyn Fn(&Key) -> Option<RunState<R>>,
    ) -> Batch<P, R> {
        let run = |(at, scenario, seed): (P, Scenario, u64)| {
            let key = key(&scenario, seed);
            let state = match scenario.check() {
                Err(error) => RunState::LeftOut(error.problems.first().map(reason).unwrap_or_default()),
                Ok(()) => known(&key).unwrap_or(RunState::Due),
            };
            Run { at, scenario: Rc::new(scenario), key, state }
        };
        Batch { base, seed, runs: runs.into_iter().map(run).collect() }
    }

    /// Whether it is around `base`.
    pub fn is_of(&self, base: &Scenario, seed: u64) -> bool {
        self.seed == seed && key(&self.base, 0) == key(base, 0)
    }

    /// The run to make next: the first in ascending `order` that `running` does not name. Among equal ones it is the first of the
    /// first of the batch.
    pub fn next<O: Ord>(&self, running: &dyn Fn(&Key) -> bool, order: impl Fn(&P) -> O) -> Option<&Run<P, R>> {
        let due = self.runs.iter().filter(|run| run.state.is_due() && !running(&run.key));
        due.min_by_key(|run| order(&run.at))
    }

    /// The next `count` runs to make, in ascending `order`.
    pub fn due<O: Ord>(&self, count: usize, order: impl Fn(&P) -> O) -> Vec<&Run<P, R>> {
        let mut due: Vec<&Run<P, R>> = self.runs.iter().filter(|run| run.state.is_due()).collect();
        due.sort_by_key(|run| order(&run.at));
        due.truncate(count);
        due
    }

    /// Notes what became of a run. A run that is known already, or left out, stays as it is.
    pub fn put(&mut self, of: &Key, state: &RunState<R>)
    where
        R: Clone,
    {
        let due = self.runs.iter_mut().filter(|run| run.key == *of && run.state.is_due());
        due.for_each(|run| run.state = state.clone());
    }

    /// Whether no run is due any more.
    pub fn is_complete(&self) -> bool {
        !self.runs.iter().any(|run| run.state.is_due())
    }

    /// How many runs were made, and how many there are. Runs that are left out do not count.
    pub fn progress(&self) -> (usize, usize) {
        let known = self.runs.iter().filter(|run| run.known().is_some()).count();
        (known, known + self.runs.iter().filter(|run| run.state.is_due()).count())
    }

    /// How many runs are in, for a file that is saved before all are: what follows its origin.
    pub fn unfinished(&self) -> String {
        match self.progress() {
            (known, all) if known < all => format!("; {known} of {all} runs are in"),
            _ => String::new(),
        }
    }

    /// The runs that are left out, each with its reason.
    pub fn left_out(&self) -> impl Iterator<Item = (&P, &str)> {
        self.runs.iter().filter_map(|run| match &run.state {
            RunState::LeftOut(why) => Some((&run.at, why.as_str())),
            _ => None,
        })
    }
}

impl<P> Batch<P, Measurement> {
    /// How many of its runs were measured before their host was steady; none if all hosts were.
    pub fn unsettled(&self) -> Option<String> {
        let known = || self.runs.iter().filter_map(Run::known);
        let count = known().filter(|measurement| measurement.is_unsettled()).count();
        (count > 0).then(|| format!("{count} of {} runs had not settled when they were measured", known().count()))
    }

    /// What its figures are good for, for a file: what follows its origin.
    pub fn good_for(&self) -> String {
        self.unfinished() + &self.unsettled().map_or(String::new(), |said| format!("; {said}"))
    }
}

/// Why a scenario cannot be run, in a few words.
fn reason(problem: &Problem) -> String {
    let key = problem.field.rsplit_once('.').map_or(problem.field.as_str(), |(_, key)| key);
    match key {
        "alias" => "HyperPAV aliases for paging need z/VM 6.4".into(),
        "zhpf" if problem.message.contains("FICON") => "zHPF for paging needs FICON Express8S".into(),
        "zhpf" => "zHPF for paging needs z/VM 6.4".into(),
        "io_zhpf" if problem.message.contains("EDEV") => "EDEVs have no transport mode".into(),
        "io_zhpf" => "z/VM 6.2 without VM65041 has no zHPF for guests".into(),
        "volume_slots" => "page space is too small for what the guests touch".into(),
        "loop_mb" => "the loop would be longer than the guest's storage".into(),
        _ => problem.message.trim_end_matches('.').into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(central_mb: u64) -> Scenario {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = central_mb;
        scenario
    }

    #[test]
    fn each_run_is_due_until_it_is_known_or_left_out() {
        let sizes = [("A", 131_072), ("B", 1), ("C", 65_536), ("A again", 131_072)];
        let runs = sizes.map(|(name, central_mb)| (name, host(central_mb)));
        let mut batch: Batch<&str, u32> = Batch::new(Scenario::default(), 1, runs.clone(), &|_| None);
        assert_eq!((batch.progress(), batch.is_complete()), ((0, 3), false));
        assert_eq!(batch.left_out().map(|(at, _)| *at).collect::<Vec<_>>(), ["B"]);
        // The order is the asker's; of equal ones the first goes first, and what runs is not run twice.
        let first = batch.next(&|_| false, |_| ()).map(|run| (run.at, run.key.clone())).expect("one is due");
        assert_eq!(first.0, "A");
        assert_eq!(batch.next(&|key| *key == first.1, |_| ()).map(|run| run.at), Some("C"));
        assert_eq!(batch.next(&|_| false, |at| std::cmp::Reverse(*at)).map(|run| run.at), Some("C"));
        // Twice the same run is made once.
        batch.put(&first.1, &RunState::Known(Rc::new(7)));
        assert_eq!((batch.progress(), batch.runs[3].known()), ((2, 3), Some(&7)));
        batch.put(&first.1, &RunState::LeftOut("late".into()));
        assert_eq!(batch.runs[0].known(), Some(&7), "what is known stays");
        let last = batch.runs[2].key.clone();
        batch.put(&last, &RunState::LeftOut("it failed".into()));
        assert_eq!((batch.is_complete(), batch.left_out().count()), (true, 2));
        // What is known already is due in no other batch.
        let known = |key: &Key| (*key == first.1).then(|| RunState::Known(Rc::new(7)));
        assert!(Batch::new(Scenario::default(), 1, runs.into_iter().take(2), &known).is_complete());
    }

    #[test]
    fn a_batch_is_of_its_host_and_seed() {
        let batch: Batch<(), u32> = Batch::new(Scenario::default(), 1, [], &|_| None);
        assert!(batch.is_of(&Scenario::default(), 1) && !batch.is_of(&Scenario::default(), 2));
        assert!(!batch.is_of(&host(65_536), 1));
    }
}
