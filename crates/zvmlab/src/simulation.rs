//! The simulation: the members of a cluster, the links between them and the relocations; or one host alone. Start reading at
//! [`Simulation::step`], and for what happens within a member at [`Member::step`](crate::member::Member::step).

use crate::constants::Constants;
use crate::kernel::time::Instant;
use crate::member::Member;
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::Snapshot;

/// The whole model, from a scenario and a seed.
#[derive(Clone, Debug)]
pub struct Simulation {
    members: Vec<Member>,
}

impl Simulation {
    /// The hosts that `scenario` describes, at the start of its run; `seed` decides every random choice.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: &Scenario, seed: u64) -> Result<Self, ScenarioError> {
        Self::with_constants(scenario, seed, Constants::default())
    }

    /// The same with other constants than the model's own, to see what they do.
    ///
    /// # Errors
    /// Every problem of the scenario.
    ///
    /// # Panics
    /// If blocks, visits or channel programs hold no page.
    pub fn with_constants(scenario: &Scenario, seed: u64, constants: Constants) -> Result<Self, ScenarioError> {
        scenario.check()?;
        Ok(Simulation { members: vec![Member::new(scenario, seed, constants)] })
    }

    /// Lets the next event happen; `false` where there is none.
    pub fn step(&mut self) -> bool {
        self.members[0].step()
    }

    /// Lets everything happen that falls due up to `until`; then it is `until`.
    pub fn run_until(&mut self, until: Instant) {
        self.members[0].run_until(until);
    }

    /// Goes on until every guest has touched its whole loop once, at most until `limit` and for `events_max` events.
    pub fn run_until_filled(&mut self, limit: Instant, events_max: u64) {
        self.members[0].run_until_filled(limit, events_max);
    }

    /// The simulated instant.
    pub fn now(&self) -> Instant {
        self.members[0].now()
    }

    /// Whether every guest has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.members[0].filled()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.members[0].events()
    }

    /// Bytes of state for the guests' pages.
    pub fn page_state_bytes(&self) -> u64 {
        self.members.iter().map(Member::page_state_bytes).sum()
    }

    /// What is seen of the model now.
    pub fn snapshot(&self) -> Snapshot {
        self.members[0].snapshot()
    }

    /// Checks the laws that must hold between any two events: frames, exposures and processors are each in one place.
    pub fn verify(&self) {
        self.members.iter().for_each(Member::verify);
    }

    /// Checks every page and every slot too, which takes a look at each.
    pub fn verify_pages(&self) {
        self.members.iter().for_each(Member::verify_pages);
    }
}
