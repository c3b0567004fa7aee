//! The bench: the scenario that the knobs show, what is wrong with it, the settled result and the one before. Knows no browser.

pub mod export;
mod figures;
pub mod live;

use std::rc::Rc;

use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    MAX_GROUPS,
    path::{self, room},
};
use zvmlab::scenario::{GuestGroup, Problem};

use crate::address::Experiment;
use crate::batch::queue::{Key, Purpose, Queue, Request, key};
use crate::batch::results::Results;
use crate::evidence::Settled;
use crate::knob::limits::together;
use crate::knob::{Given, Knob};
use crate::published::ready::{is_ready, like, scenario_of};
use crate::published::{PublishedRun, run_like};

/// The name of a scenario that is no published run and that its reader has not named.
pub const UNNAMED: &str = "Own settings";
/// Numbers of replications to choose from.
pub const REPLICATIONS: &[u32] = &[1, 5, 10];
/// A new group's name takes so many characters from the name of the group that it copies; a number follows.
const GUEST_NAME_STEM: usize = 13;
/// Seeds for the validation of a published run.
pub const VALIDATION_SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// A text in a number field that is no value of the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Its field.
    pub knob: Knob,
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// The state of the bench.
#[derive(Debug)]
pub struct Bench {
    /// The scenario that the knobs show.
    pub scenario: Scenario,
    /// The seed.
    pub seed: u64,
    /// The ready experiment that was chosen last.
    pub run: Option<String>,
    /// Texts that are no values.
    pub drafts: Vec<Draft>,
    /// Knobs that were turned since a ready experiment was chosen. Each stays visible, even if its value makes it useless.
    pub turned: Vec<Knob>,
    /// Everything that keeps the experiment from being run.
    pub problems: Vec<Problem>,
    /// The last result.
    pub settled: Option<Rc<Settled>>,
    /// The result to compare with.
    pub before: Option<Rc<Settled>>,
    /// Whether the reader pinned that one.
    pub pinned: bool,
    /// How many replications are run.
    pub replications: u32,
    /// Which experiments are wanted.
    pub queue: Queue,
    /// What is known.
    pub results: Results,
    /// A pinned experiment without a known result yet.
    wanted_pin: Option<Experiment>,
    /// The result before the last change. The next result is compared with it.
    leaving: Option<Rc<Settled>>,
    turning: bool,
    /// Whether the knob in hand has been still for a while.
    resting: bool,
}

impl Bench {
    /// A bench with this experiment on it.
    pub fn new(experiment: Experiment, pinned: Option<Experiment>, run: Option<String>, replications: u32) -> Bench {
        let mut bench = Bench {
            scenario: experiment.scenario,
            seed: experiment.seed,
            run,
            drafts: Vec::new(),
            turned: Vec::new(),
            problems: Vec::new(),
            settled: None,
            before: None,
            pinned: pinned.is_some(),
            replications,
            queue: Queue::default(),
            results: Results::default(),
            wanted_pin: pinned,
            leaving: None,
            turning: false,
            resting: false,
        };
        bench.changed(true);
        if let Some(pin) = &bench.wanted_pin {
            bench.queue.add(Request::new(pin.scenario.clone(), pin.seed, Purpose::Kept));
        }
        bench
    }

    /// The key of the scenario that the knobs show.
    pub fn key(&self) -> Key {
        key(&self.scenario, self.seed)
    }

    /// Whether the result shown is that of the knobs' scenario.
    pub fn is_settled(&self) -> bool {
        self.problems.is_empty()
            && self.settled.as_ref().is_some_and(|settled| key(&settled.scenario, settled.seed) == self.key())
    }

    /// The published run that has the present configuration.
    pub fn current_run(&self) -> Option<String> {
        run_like(&self.scenario)
    }

    /// The ready experiment that has the present configuration.
    pub fn current(&self) -> Option<String> {
        like(&self.scenario)
    }

    /// Turns a knob, and others that must follow it. While a knob is dragged, `done` is false, and the result before the
    /// drag is the one to compare with.
    pub fn turn(&mut self, knob: Knob, given: Given, done: bool) {
        self.turn_all(together(knob, given, &self.scenario), done);
    }

    /// Turns several knobs in one change.
    pub fn turn_all(&mut self, turns: Vec<(Knob, Given)>, done: bool) {
        for (knob, given) in turns {
            self.turn_one(knob, given);
        }
        self.changed(done);
    }

    fn turn_one(&mut self, knob: Knob, given: Given) {
        self.drafts.retain(|draft| draft.knob != knob);
        if !self.turned.contains(&knob) {
            self.turned.push(knob);
        }
        match (knob.turn(&mut self.scenario, &given), given) {
            (Ok(()), _) if knob.field.path != path::NAME => self.rename(),
            (Ok(()), _) => {}
            (Err(problem), Given::Number(text) | Given::Text(text)) => self.drafts.push(Draft { knob, text, problem }),
            (Err(problem), _) => self.drafts.push(Draft { knob, text: String::new(), problem }),
        }
    }

    /// A scenario that is no longer a ready experiment must not have its name.
    fn rename(&mut self) {
        let name = &self.scenario.name;
        let given_by_us = name == UNNAMED || is_ready(name);
        if given_by_us {
            self.scenario.name = self.current().unwrap_or_else(|| UNNAMED.into());
        }
    }

    /// Adds a group of guests like the one at `index`, under a name of its own.
    pub fn add_guests(&mut self, index: usize) {
        let groups = &self.scenario.guests;
        let Some(like) = groups.get(index).filter(|_| groups.len() < MAX_GROUPS) else { return };
        let stem: String = like.name.trim_end_matches(|c: char| c.is_ascii_digit()).chars().take(GUEST_NAME_STEM).collect();
        let free = |name: &String| groups.iter().all(|group| group.name != *name);
        let name = (2..).map(|number| format!("{stem}{number}")).find(free).unwrap_or_default();
        let added = GuestGroup { name, ..like.clone() };
        self.scenario.guests.push(added);
        self.rename();
        self.drafts.clear();
        self.changed(true);
    }

    /// Removes a group of guests. One group stays.
    pub fn remove_guests(&mut self, index: usize) {
        if self.scenario.guests.len() < 2 || index >= self.scenario.guests.len() {
            return;
        }
        self.scenario.guests.remove(index);
        self.rename();
        self.drafts.clear();
        // The groups behind it have other numbers from now on.
        self.turned.retain(|knob| knob.field.room() != room::GUESTS || knob.group < index);
        self.changed(true);
    }

    /// Puts another experiment on the bench.
    pub fn put(&mut self, scenario: Scenario, seed: u64) {
        self.scenario = scenario;
        self.seed = seed;
        self.drafts.clear();
        self.changed(true);
    }

    /// The same. A name that the page chose becomes that of the new configuration.
    pub fn put_named(&mut self, scenario: Scenario, seed: u64) {
        self.scenario = scenario;
        self.rename();
        self.put(self.scenario.clone(), seed);
    }

    /// Whether a knob is being dragged, or written into.
    pub fn is_turning(&self) -> bool {
        self.turning && !self.resting
    }

    /// The knob in hand has been still for a while, so an unfinished entry counts as it is. The result to compare with stays that
    /// from before the drag, in case the drag goes on.
    pub fn rest(&mut self) {
        self.resting = true;
    }

    /// Puts a ready experiment on the bench, and remembers it for [`Bench::reset`]. An unknown id leaves the bench as it is.
    pub fn choose(&mut self, id: &str) {
        if let Some(scenario) = scenario_of(id) {
            self.run = Some(id.into());
            self.turned.clear();
            self.put(scenario, self.seed);
        }
    }

    /// Returns to the ready experiment that was chosen last, or to the default.
    pub fn reset(&mut self) {
        let chosen = self.run.as_deref().and_then(scenario_of);
        self.turned.clear();
        self.put(chosen.unwrap_or_default(), self.seed);
    }

    /// Changes the number of replications.
    pub fn replicate(&mut self, replications: u32) {
        self.replications = replications;
        self.want_replications();
    }

    /// Keeps the present result to compare with, whatever changes.
    pub fn pin(&mut self) {
        if self.settled.is_none() {
            return;
        }
        self.before = self.settled.clone();
        self.pinned = true;
        self.wanted_pin = None;
        self.want_replications();
    }

    /// Compares with the result before the last change again.
    pub fn unpin(&mut self) {
        self.pinned = false;
        self.wanted_pin = None;
    }

    /// The result that the reader pinned.
    pub fn pin_to_share(&self) -> Option<Experiment> {
        let settled = self.before.as_ref().filter(|_| self.pinned);
        settled
            .map(|settled| Experiment { scenario: settled.scenario.clone(), seed: settled.seed })
            .or_else(|| self.wanted_pin.clone())
    }

    /// Wants these published runs with every seed of the validation.
    pub fn validate<'a>(&mut self, published: impl Iterator<Item = &'a PublishedRun>) {
        for (run, seed) in published.flat_map(|run| VALIDATION_SEEDS.map(move |seed| (run, seed))) {
            self.want_further(run.scenario.clone(), seed, Purpose::Kept);
        }
    }

    /// Something of the experiment has changed.
    fn changed(&mut self, done: bool) {
        if !self.turning {
            self.leaving = self.settled.clone();
        }
        (self.turning, self.resting) = (!done, false);
        self.problems = self.drafts.iter().map(|draft| draft.problem.clone()).collect();
        self.problems.extend(self.scenario.check().err().into_iter().flat_map(|error| error.problems));
        self.queue.clear_replications();
        if !self.problems.is_empty() {
            self.queue.want_nothing();
        } else if let Some(known) = self.results.whole(&self.key()) {
            self.queue.want_nothing();
            self.settle(known);
        } else {
            self.queue.want(Request::new(self.scenario.clone(), self.seed, Purpose::Current));
        }
    }

    /// A worker has run `request`. Returns whether that settles what the knobs ask for.
    pub fn heard(&mut self, request: &Request, settled: Settled) -> bool {
        let settled = Rc::new(settled);
        match request.purpose {
            Purpose::Swept => self.results.keep_figures(&settled),
            _ => self.results.keep(settled.clone()),
        }
        if let Some(pin) = self.wanted_pin.take_if(|pin| key(&pin.scenario, pin.seed) == request.key) {
            self.before = Some(Rc::new(Settled { scenario: pin.scenario, ..(*settled).clone() }));
            self.want_replications();
        }
        if self.problems.is_empty() && request.key == self.key() {
            self.settle(settled);
            return true;
        }
        // The knobs have moved on. But while a knob is dragged, the figures should follow it.
        if request.purpose == Purpose::Current {
            self.compare(&settled);
            self.settled = Some(settled);
        }
        false
    }

    /// A result is about to be shown. It is compared with the result that it replaces, unless one is pinned.
    fn compare(&mut self, settled: &Settled) {
        let other = |leaving: &mut Rc<Settled>| key(&leaving.scenario, leaving.seed) != key(&settled.scenario, settled.seed);
        if let Some(leaving) = self.leaving.take_if(other)
            && !self.pinned
        {
            self.before = Some(leaving);
        }
    }

    fn settle(&mut self, settled: Rc<Settled>) {
        self.compare(&settled);
        let renamed = settled.scenario.name != self.scenario.name;
        let named = || Settled { scenario: self.scenario.clone(), ..(*settled).clone() };
        self.settled = Some(if renamed { Rc::new(named()) } else { settled });
        self.want_replications();
    }

    fn want_replications(&mut self) {
        if self.replications < 2 || !self.problems.is_empty() {
            return;
        }
        for seed in self.seeds() {
            self.want_further(self.scenario.clone(), seed, Purpose::Replication);
            if let Some(before) = self.before.clone() {
                self.want_further(before.scenario.clone(), seed, Purpose::Replication);
            }
        }
        // A result that differs only in its seed keeps its own seeds.
        if let Some(before) = self.before.clone().filter(|before| key(&before.scenario, self.seed) == self.key()) {
            for seed in self.seeds_from(before.seed) {
                self.want_further(before.scenario.clone(), seed, Purpose::Replication);
            }
        }
    }

    fn want_further(&mut self, scenario: Scenario, seed: u64, purpose: Purpose) {
        if self.results.measurement(&key(&scenario, seed)).is_none() {
            self.queue.add(Request::new(scenario, seed, purpose));
        }
    }

    /// The seeds of the replications: the seed, and those that follow it.
    fn seeds(&self) -> Vec<u64> {
        self.seeds_from(self.seed)
    }

    fn seeds_from(&self, seed: u64) -> Vec<u64> {
        (0..u64::from(self.replications)).map(|replication| seed.wrapping_add(replication)).collect()
    }
}

#[cfg(test)]
mod tests;
