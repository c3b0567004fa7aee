//! Trials: runs with relocations that are set side by side, each with its name. Knows no browser.

use std::rc::Rc;

use zvmlab::Scenario;

use super::moved::Moved;
use super::sweep::reason;
use crate::batch::queue::{Key, key};

/// A trial that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// What it is called.
    pub name: String,
    /// Where it stands along the axis of a curve.
    pub x: f64,
    /// What is run.
    pub scenario: Scenario,
}

/// What is known of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Its run is still to come.
    Due,
    /// It has been run.
    Known(Rc<Moved>),
    /// It cannot be run, and why.
    LeftOut(String),
}

/// One trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What it is called.
    pub name: String,
    /// Where it stands along the axis of a curve.
    pub x: f64,
    /// What is run.
    pub scenario: Rc<Scenario>,
    /// Its key.
    pub key: Key,
    /// What is known of it.
    pub state: State,
}

impl Trial {
    /// What it came to, where that is known.
    pub fn known(&self) -> Option<&Moved> {
        match &self.state {
            State::Known(moved) => Some(moved),
            _ => None,
        }
    }
}

/// Trials that answer one question, under way or complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// What was on the bench when they began.
    pub base: Scenario,
    /// The seed of all of them.
    pub seed: u64,
    /// The trials, in the order in which they are shown.
    pub all: Vec<Trial>,
}

impl Trials {
    /// Trials around `base`; what `known` tells of one is not run again.
    pub fn begin(base: Scenario, seed: u64, made: Vec<Made>, known: &dyn Fn(&Key) -> Option<State>) -> Trials {
        let trial = |made: Made| {
            let key = key(&made.scenario, seed);
            let state = match made.scenario.check() {
                Err(error) => State::LeftOut(error.problems.first().map(reason).unwrap_or_default()),
                Ok(()) => known(&key).unwrap_or(State::Due),
            };
            Trial { name: made.name, x: made.x, scenario: Rc::new(made.scenario), key, state }
        };
        Trials { base, seed, all: made.into_iter().map(trial).collect() }
    }

    /// Whether these are the trials around `base`.
    pub fn is_of(&self, base: &Scenario, seed: u64) -> bool {
        self.seed == seed && key(&self.base, 0) == key(base, 0)
    }

    /// The trial to be run next, which is none of those that `running` names.
    pub fn next(&self, running: &dyn Fn(&Key) -> bool) -> Option<&Trial> {
        self.all.iter().find(|trial| trial.state == State::Due && !running(&trial.key))
    }

    /// What is known of a run now.
    pub fn put(&mut self, of: &Key, state: &State) {
        let due = self.all.iter_mut().filter(|trial| trial.key == *of && trial.state == State::Due);
        due.for_each(|trial| trial.state = state.clone());
    }

    /// Whether no trial is to come.
    pub fn is_complete(&self) -> bool {
        self.all.iter().all(|trial| trial.state != State::Due)
    }

    /// How many trials have been run, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let count = |which: fn(&State) -> bool| self.all.iter().filter(|trial| which(&trial.state)).count();
        let known = count(|state| matches!(state, State::Known(_)));
        (known, known + count(|state| *state == State::Due))
    }

    /// Why trials are left out: the name of each with its reason.
    pub fn left_out(&self) -> Vec<String> {
        let why = |trial: &Trial| match &trial.state {
            State::LeftOut(why) => Some(format!("{}: {why}", trial.name)),
            _ => None,
        };
        self.all.iter().filter_map(why).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::moved::tests::moved;
    use super::*;

    #[test]
    fn each_trial_is_run_once_and_one_that_cannot_be_run_says_why() {
        let made = |name: &str, central_mb: u64| {
            let mut scenario = Scenario::default();
            scenario.storage.central_mb = central_mb;
            Made { name: name.into(), x: 0.0, scenario }
        };
        let list = vec![made("A", 131_072), made("B", 1), made("C", 65_536), made("A again", 131_072)];
        let mut trials = Trials::begin(Scenario::default(), 1, list, &|_| None);
        assert_eq!(trials.progress(), (0, 3));
        let left_out = trials.left_out();
        assert!(left_out.len() == 1 && left_out[0].starts_with("B: "), "{left_out:?}");
        let first = trials.next(&|_| false).map(|trial| trial.key.clone()).expect("one is due");
        let second = trials.next(&|key| *key == first).map(|trial| trial.name.clone());
        assert_eq!(second.as_deref(), Some("C"), "what runs is not run twice");
        trials.put(&first, &State::Known(Rc::new(moved(Vec::new()))));
        assert_eq!((trials.progress(), trials.is_complete()), ((2, 3), false));
        assert!(trials.is_of(&Scenario::default(), 1) && !trials.is_of(&Scenario::default(), 2));
        let known = trials.all[0].state.clone();
        let more =
            Trials::begin(Scenario::default(), 1, vec![made("A", 131_072)], &|key| (*key == first).then(|| known.clone()));
        assert!(more.is_complete());
    }
}
