//! The bench: the scenario that the knobs show, what is wrong with it, its settled result, and the baseline to compare with. Knows no
//! browser.

pub mod axis;
pub mod baseline;
pub mod export;
pub mod figures;
pub mod history;
pub mod live;
mod steps;

use std::cell::RefCell;
use std::rc::Rc;

use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    Kind, MAX_GROUPS,
    path::{self, room},
};
use zvmlab::scenario::{GuestGroup, Problem};

use crate::address::{Experiment, Linked};
use crate::batch::queue::{Key, Purpose, Queue, Request, key};
use crate::batch::results::Results;
use crate::bench::baseline::Baseline;
use crate::bench::figures::Validated;
use crate::bench::history::{History, Was};
use crate::evidence::Settled;
use crate::knob::limits::{left_to_level, together};
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
    /// The result of the baseline, unless it is the result shown.
    pub before: Option<Rc<Settled>>,
    /// Whether the reader declared the baseline.
    pub pinned: bool,
    /// How many replications are run.
    pub replications: u32,
    /// Which experiments are wanted.
    pub queue: Queue,
    /// What is known.
    pub results: Results,
    /// The figures of the published runs, as they were last looked up.
    validated: RefCell<Option<Validated>>,
    /// What every result is compared with.
    baseline: Baseline,
    history: History,
    turning: bool,
    /// Whether the knob in hand has been still for a while.
    resting: bool,
}

impl Bench {
    /// A bench with this experiment on it, as a link opens it.
    pub fn new(experiment: Experiment, pinned: Option<Experiment>, run: Option<String>, replications: u32) -> Bench {
        let baseline = Baseline::of_link(&experiment, pinned, run.as_deref());
        let mut bench = Bench {
            scenario: experiment.scenario,
            seed: experiment.seed,
            run,
            drafts: Vec::new(),
            turned: Vec::new(),
            problems: Vec::new(),
            settled: None,
            before: None,
            pinned: baseline.is_declared(),
            replications,
            queue: Queue::default(),
            results: Results::default(),
            validated: RefCell::default(),
            baseline,
            history: History::default(),
            turning: false,
            resting: false,
        };
        bench.changed(true);
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

    /// Turns a knob, and others that must follow it. While a knob is dragged, `done` is false.
    pub fn turn(&mut self, knob: Knob, given: Given, done: bool) {
        if knob.group < self.scenario.guests.len().max(1) {
            self.turn_all(together(knob, given, &self.scenario), done);
        }
    }

    /// Turns several knobs in one change. What nobody chose is as the level has it, also then.
    pub fn turn_all(&mut self, turns: Vec<(Knob, Given)>, done: bool) {
        // A control of a group of guests may have been used just before the group went.
        let is_here = |(knob, _): &(Knob, Given)| knob.group < self.scenario.guests.len().max(1);
        let turns: Vec<(Knob, Given)> = turns.into_iter().filter(is_here).collect();
        let Some(first) = turns.first().map(|(knob, _)| *knob) else { return };
        let (before, turned) = (self.scenario.clone(), turns.iter().map(|(knob, _)| *knob).collect::<Vec<_>>());
        for (knob, given) in turns {
            self.turn_one(knob, given);
        }
        for (knob, given) in left_to_level(&before, &self.scenario, &turned) {
            self.turn_one(knob, given);
        }
        // Each word of a choice is a step. The numbers that a slider or a field passes on its way are one.
        let on_the_way = !matches!(first.field.kind, Kind::Choice { .. } | Kind::Switch { .. });
        self.changed_by(on_the_way.then_some(first), done);
    }

    /// The scenario of A.
    pub fn a(&self) -> &Scenario {
        &self.baseline.experiment().scenario
    }

    fn turn_one(&mut self, knob: Knob, given: Given) {
        self.drafts.retain(|draft| draft.knob != knob);
        if !self.turned.contains(&knob) {
            self.turned.push(knob);
        }
        match (knob.turn(&mut self.scenario, &given), given) {
            (Ok(()), _) if knob.field.path != path::NAME => self.rename(),
            (Ok(()), _) => {}
            (Err(problem), Given::Number(text) | Given::Text(text)) => {
                // Who types "1,5 GB" has passed 1 MB, and did not mean it.
                if let Some(before) = self.history.now().and_then(|now| knob.given(&now.scenario)) {
                    let _ = knob.turn(&mut self.scenario, &before);
                    self.rename();
                }
                self.drafts.push(Draft { knob, text, problem });
            }
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
        if let Some(like) = self.scenario.guests.get(index).cloned() {
            self.add_group(like);
        }
    }

    /// Adds a group of guests, under a name of its own if another has its name. Guests that do I/O get a volume, if there is none.
    pub fn add_group(&mut self, group: GuestGroup) {
        let (groups, minidisks) = (&self.scenario.guests, &mut self.scenario.minidisks);
        if groups.len() >= MAX_GROUPS {
            return;
        }
        let stem: String = group.name.trim_end_matches(|c: char| c.is_ascii_digit()).chars().take(GUEST_NAME_STEM).collect();
        let free = |name: &String| groups.iter().all(|other| other.name != *name);
        let numbered = (2..).map(|number| format!("{stem}{number}"));
        let name = std::iter::once(group.name.clone()).chain(numbered).find(free).unwrap_or_default();
        if group.io_records > 0 && minidisks.volumes == 0 && !minidisks.on_page_volumes {
            minidisks.volumes = 1;
        }
        self.scenario.guests.push(GuestGroup { name, ..group });
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

    /// Opens another host: from now on its results are compared with it as it is now, unless the reader has declared a baseline.
    pub fn open(&mut self, scenario: Scenario, seed: u64) {
        self.baseline.open(Experiment { scenario: scenario.clone(), seed });
        self.put(scenario, seed);
    }

    /// Begins a host that is no ready experiment and comes from none.
    pub fn begin(&mut self, scenario: Scenario) {
        self.run = None;
        self.turned.clear();
        self.open(scenario, self.seed);
    }

    /// Puts another experiment on the bench.
    pub fn put(&mut self, scenario: Scenario, seed: u64) {
        self.scenario = scenario;
        self.seed = seed;
        self.drafts.clear();
        self.turned.retain(|knob| knob.group < self.scenario.guests.len().max(1));
        self.changed(true);
    }

    /// Another seed for what is on the bench. What was entered wrong stays, as it does while another knob is turned.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.changed(true);
    }

    /// Puts another experiment on the bench. A name that the page chose becomes that of the new configuration.
    pub fn put_named(&mut self, scenario: Scenario, seed: u64) {
        self.scenario = scenario;
        self.rename();
        self.put(self.scenario.clone(), seed);
    }

    /// Whether a knob is being dragged, or written into.
    pub fn is_turning(&self) -> bool {
        self.turning && !self.resting
    }

    /// The knob in hand has been still for a while, so an unfinished entry counts as it is.
    pub fn rest(&mut self) {
        self.resting = true;
    }

    /// Puts a ready experiment on the bench, and remembers it for [`Bench::reset`]. An unknown id leaves the bench as it is.
    pub fn choose(&mut self, id: &str) {
        if let Some(scenario) = scenario_of(id) {
            self.run = Some(id.into());
            self.turned.clear();
            self.open(scenario, self.seed);
        }
    }

    /// Returns to the ready experiment that was chosen last, or to the default.
    pub fn reset(&mut self) {
        let chosen = self.run.as_deref().and_then(scenario_of);
        self.turned.clear();
        self.open(chosen.unwrap_or_default(), self.seed);
    }

    /// Changes the number of replications.
    pub fn replicate(&mut self, replications: u32) {
        self.replications = replications;
        self.want_replications();
    }

    /// Compares from here: the host of the knobs becomes the baseline, whether its result is there or still has to come. Where it cannot
    /// be run, the host whose result is shown does.
    pub fn pin(&mut self) {
        let shown = self.settled.clone();
        let host = match &shown {
            _ if self.problems.is_empty() => Experiment { scenario: self.scenario.clone(), seed: self.seed },
            Some(shown) => Experiment { scenario: shown.scenario.clone(), seed: shown.seed },
            None => return,
        };
        let is_its = |shown: &Rc<Settled>| key(&shown.scenario, shown.seed) == key(&host.scenario, host.seed);
        let result = shown.filter(is_its);
        self.baseline.declare(host, result);
        self.pinned = true;
        self.compare();
        self.want_replications();
    }

    /// Compares with the host as it was opened again.
    pub fn unpin(&mut self) {
        self.baseline.take_back();
        self.pinned = false;
        self.want_baseline();
        self.want_replications();
    }

    /// The baseline, if a link to the bench must name it.
    pub fn pin_to_share(&self) -> Option<Experiment> {
        let now = Experiment { scenario: self.scenario.clone(), seed: self.seed };
        self.baseline.to_share(&now, self.run.as_deref())
    }

    /// Whether a link has the baseline of the bench.
    pub fn has_baseline_of(&self, linked: &Linked) -> bool {
        let run = linked.view.run.as_deref();
        Baseline::of_link(&linked.now, linked.pinned.clone(), run).key() == self.baseline.key()
    }

    /// Wants these published runs with every seed of the validation.
    pub fn validate<'a>(&mut self, published: impl Iterator<Item = &'a PublishedRun>) {
        for (run, seed) in published.flat_map(|run| VALIDATION_SEEDS.map(move |seed| (run, seed))) {
            self.want_further(run.scenario.clone(), seed, Purpose::Kept);
        }
    }

    /// Wants a run of another host, whole, beside those of the bench.
    pub fn want_too(&mut self, scenario: Scenario, seed: u64) {
        if self.results.whole(&key(&scenario, seed)).is_none() && scenario.check().is_ok() {
            self.queue.add(Request::new(scenario, seed, Purpose::Kept));
        }
    }

    /// Something of the experiment has changed.
    fn changed(&mut self, done: bool) {
        self.changed_by(None, done);
    }

    /// The same, by a knob.
    fn changed_by(&mut self, knob: Option<Knob>, done: bool) {
        (self.turning, self.resting) = (!done, false);
        if done {
            let now = Experiment { scenario: self.scenario.clone(), seed: self.seed };
            let (opened, run, turned) = (self.baseline.opened().clone(), self.run.clone(), self.turned.clone());
            self.history.note(Was { now, opened, run, turned }, knob);
        }
        self.problems = self.drafts.iter().map(|draft| draft.problem.clone()).collect();
        self.problems.extend(self.scenario.check().err().into_iter().flat_map(|error| error.problems));
        self.queue.clear_replications();
        let known = self.results.whole(&self.key()).filter(|_| self.problems.is_empty());
        if known.is_some() || !self.problems.is_empty() {
            self.queue.want_nothing();
        } else {
            self.queue.want(Request::new(self.scenario.clone(), self.seed, Purpose::Current));
        }
        self.want_baseline();
        if let Some(known) = known {
            self.settle(known);
        }
    }

    /// A worker has run `request`. Returns whether that settles what the knobs ask for.
    pub fn heard(&mut self, request: &Request, settled: Settled) -> bool {
        let settled = Rc::new(settled);
        match request.purpose {
            Purpose::Swept => self.results.keep_figures(&settled),
            _ => self.results.keep(settled.clone()),
        }
        let is_baseline = request.key == self.baseline.key();
        if is_baseline && self.baseline.result.is_none() {
            self.baseline.heard(&settled);
            self.compare();
        }
        if self.problems.is_empty() && request.key == self.key() {
            self.settle(settled);
            return true;
        }
        // The knobs have moved on. But while a knob is dragged, the figures should follow it.
        let is_of_knobs = matches!(request.purpose, Purpose::Current | Purpose::Passed) && !self.is_settled();
        if is_of_knobs || is_baseline && self.settled.is_none() {
            self.settled = Some(settled);
            self.compare();
        }
        false
    }

    /// The result of the baseline stands beside the result shown, unless that is the same.
    fn compare(&mut self) {
        let shown = self.settled.as_ref().map(|shown| key(&shown.scenario, shown.seed));
        let is_other = shown.is_some_and(|shown| shown != self.baseline.key());
        self.before = self.baseline.result.clone().filter(|_| is_other);
    }

    fn settle(&mut self, settled: Rc<Settled>) {
        let renamed = settled.scenario.name != self.scenario.name;
        let named = || Settled { scenario: self.scenario.clone(), ..(*settled).clone() };
        self.settled = Some(if renamed { Rc::new(named()) } else { settled });
        self.compare();
        self.want_replications();
    }

    /// Whether the result shown is that of the baseline.
    pub fn shows_baseline(&self) -> bool {
        self.settled.as_ref().is_some_and(|shown| key(&shown.scenario, shown.seed) == self.baseline.key())
    }

    /// Wants the result of the baseline, if it is not known. If the baseline is on the bench, its result comes anyway.
    fn want_baseline(&mut self) {
        let key = self.baseline.key();
        if self.baseline.result.is_none() {
            let Experiment { scenario, seed } = self.baseline.experiment();
            if let Some(known) = self.results.whole(&key) {
                self.baseline.heard(&known);
            } else if (key != self.key() || !self.problems.is_empty()) && scenario.check().is_ok() {
                // A reader of the result waits for it as for a replication.
                self.queue.add(Request::new(scenario.clone(), *seed, Purpose::Replication));
            }
        }
        self.compare();
    }

    fn want_replications(&mut self) {
        if self.replications < 2 || !self.problems.is_empty() {
            return;
        }
        let baseline = self.baseline.experiment().clone();
        for seed in self.seeds() {
            self.want_further(self.scenario.clone(), seed, Purpose::Replication);
            self.want_further(baseline.scenario.clone(), seed, Purpose::Replication);
        }
        // A baseline that differs only in its seed keeps its own seeds.
        if key(&baseline.scenario, self.seed) == self.key() {
            for seed in self.seeds_from(baseline.seed) {
                self.want_further(baseline.scenario.clone(), seed, Purpose::Replication);
            }
        }
    }

    fn want_further(&mut self, scenario: Scenario, seed: u64, purpose: Purpose) {
        if self.results.measurement(&key(&scenario, seed)).is_none() {
            self.queue.add(Request::new(scenario, seed, purpose));
        }
    }

    /// The seeds of the replications: the seed, and those that follow it.
    pub fn seeds(&self) -> Vec<u64> {
        self.seeds_from(self.seed)
    }

    fn seeds_from(&self, seed: u64) -> Vec<u64> {
        (0..u64::from(self.replications.max(1))).map(|replication| seed.wrapping_add(replication)).collect()
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
