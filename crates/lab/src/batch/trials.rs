//! Trials: a batch of runs with relocations that are compared, each with its name. Knows no browser.

use zvmlab::Scenario;

use super::moved::Moved;
use super::queue::Key;
use super::{Batch, Run, RunState};

/// A trial to make.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTrial {
    /// Its name.
    pub name: String,
    /// Its place along the axis of a curve.
    pub x: f64,
    /// What is run.
    pub scenario: Scenario,
}

/// The name of a trial, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialName {
    /// Its name.
    pub name: String,
    /// Its place along the axis of a curve.
    pub x: f64,
}

/// One trial: the relocations of one run.
pub type Trial = Run<TrialName, Moved>;

/// Trials that answer one question, in the order in which they are made and shown.
pub type Trials = Batch<TrialName, Moved>;

impl Trials {
    /// Trials around `base`. A run that `known` has a result for is not made again.
    pub fn begin(base: Scenario, seed: u64, new: Vec<NewTrial>, known: &dyn Fn(&Key) -> Option<RunState<Moved>>) -> Trials {
        let named = |new: NewTrial| (TrialName { name: new.name, x: new.x }, new.scenario);
        Batch::new(base, seed, new.into_iter().map(named), known)
    }

    /// Why trials are left out: each name with its reason.
    pub fn named_left_out(&self) -> Vec<String> {
        self.left_out().map(|(at, why)| format!("{}: {why}", at.name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::moved::tests::moved;
    use super::*;

    #[test]
    fn each_trial_is_run_once_and_one_that_cannot_be_run_says_why() {
        let new = |name: &str, central_mb: u64| {
            let mut scenario = Scenario::default();
            scenario.storage.central_mb = central_mb;
            NewTrial { name: name.into(), x: 0.0, scenario }
        };
        let list = vec![new("A", 131_072), new("B", 1), new("C", 65_536), new("A again", 131_072)];
        let mut trials = Trials::begin(Scenario::default(), 1, list, &|_| None);
        assert_eq!(trials.progress(), (0, 3));
        let left_out = trials.named_left_out();
        assert!(left_out.len() == 1 && left_out[0].starts_with("B: "), "{left_out:?}");
        let first = trials.next(&|_| false, |_| ()).map(|trial| trial.key.clone()).expect("one is due");
        let second = trials.next(&|key| *key == first, |_| ()).map(|trial| trial.at.name.clone());
        assert_eq!(second.as_deref(), Some("C"), "what runs is not run twice");
        trials.put(&first, &RunState::Known(Rc::new(moved(Vec::new()))));
        assert_eq!((trials.progress(), trials.is_complete()), ((2, 3), false));
        assert!(trials.is_of(&Scenario::default(), 1) && !trials.is_of(&Scenario::default(), 2));
        let known = trials.runs[0].state.clone();
        let more =
            Trials::begin(Scenario::default(), 1, vec![new("A", 131_072)], &|key| (*key == first).then(|| known.clone()));
        assert!(more.is_complete());
    }
}
