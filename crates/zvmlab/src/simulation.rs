//! The simulation: the members of a cluster, the links between them and the relocations; or a single host. Start reading at
//! [`Event`] and [`Simulation::step`]. What happens within a member is in `member.rs`.

mod cluster;
mod links;
mod moving;
mod relocating;
mod relocations;
mod stays;

use crate::constants::Constants;
use crate::kernel::agenda::Agenda;
use crate::kernel::time::Instant;
use crate::member::{Member, Report};
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::Snapshot;
use cluster::Status;
use links::Links;
use moving::Messages;
use relocations::{Plan, Relocations};

/// Everything that can happen between members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// The first VMRELOCATE is issued.
    CommandIssued,
    /// A stage of a relocation is over, unless the relocation has ended since.
    StageEnds { relocation: u32, generation: u32 },
    /// The guest has been stopped for the longest time allowed.
    QuiesceLimit { relocation: u32, generation: u32 },
    /// A relocation has taken the longest time allowed.
    TotalLimit { relocation: u32, generation: u32 },
    /// A relocation has held back for a while.
    ThrottleEnds { relocation: u32, generation: u32 },
    /// A message is through its protocol exchange and begins to transfer.
    TransferBegins { link: u16, message: u32 },
    /// The next transfer on a chpid ends, unless the chpid's load has changed since this was announced.
    TransferEnds { link: u16, chpid: u16, generation: u32 },
    /// Somebody interrupts the relocations.
    Interrupted,
    /// A guest that bounces goes back.
    ReturnDue { guest: u32, from: u32, to: u32 },
    /// A member changes its state.
    StateChanges { member: u32 },
    /// Other users of a link have something to send.
    OtherTraffic { link: u16 },
}

/// The whole model, from a scenario and a seed.
#[derive(Clone, Debug)]
pub struct Simulation {
    constants: Constants,
    /// Events between members.
    agenda: Agenda<Event>,
    members: Vec<Member>,
    /// What state each member is in.
    states: Vec<Status>,
    /// The links between members, and who uses them.
    links: Links,
    /// Pages on their way over the links.
    messages: Messages,
    plan: Plan,
    relocations: Relocations,
    /// Guests that log off as soon as nothing is under way for them any more.
    logging_off: Vec<u32>,
    /// Whether the fill is over.
    begun: bool,
    /// Whether pages are compared at the end of each relocation.
    watches_contents: bool,
    guests: Vec<cluster::GuestFacts>,
}

impl Simulation {
    /// The hosts that `scenario` describes, at the start of its run; `seed` decides every random choice.
    ///
    /// # Errors
    /// Every problem of the scenario.
    pub fn new(scenario: &Scenario, seed: u64) -> Result<Self, ScenarioError> {
        Self::with_constants(scenario, seed, Constants::default())
    }

    /// The same with other constants than the model's own, to see their effect.
    ///
    /// # Errors
    /// Every problem of the scenario.
    ///
    /// # Panics
    /// If blocks, visits or channel programs hold no page.
    pub fn with_constants(scenario: &Scenario, seed: u64, constants: Constants) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let member =
            |number| Member::new(&scenario.of_member(number), number, cluster::seed_of(seed, number), constants.clone());
        let members: Vec<Member> = (1..=scenario.cluster.members).map(member).collect();
        let capacity = scenario.processors.capacity_percent;
        let constants = constants.at_capacity(capacity);
        let mut simulation = Simulation {
            agenda: Agenda::default(),
            states: cluster::statuses(scenario),
            links: Links::new(scenario, &constants, seed),
            messages: Messages::default(),
            plan: Plan::of(scenario),
            relocations: Relocations::new(cluster::planned(scenario)),
            logging_off: Vec::new(),
            begun: false,
            watches_contents: false,
            guests: cluster::facts(scenario),
            members,
            constants,
        };
        if cfg!(debug_assertions) {
            simulation.watch_contents();
        }
        Ok(simulation)
    }

    /// From now on the simulation watches the contents of all pages. At the end of each relocation it compares the
    /// destination's pages with the source's, one by one. This takes four bytes for each page of a cluster; debug builds do
    /// it from the start.
    pub fn watch_contents(&mut self) {
        if self.is_cluster() {
            self.watches_contents = true;
            self.members.iter_mut().for_each(|member| member.storage_mut().watch_contents());
        }
    }

    /// Whether there are other members.
    fn is_cluster(&self) -> bool {
        self.members.len() > 1
    }

    /// Handles the next event; `false` if there is none.
    pub fn step(&mut self) -> bool {
        if !self.is_cluster() {
            return self.members[0].step();
        }
        let Some((at, whose)) = self.next() else { return false };
        self.go_on_to(at);
        match whose {
            Some(member) => {
                self.members[member].step();
            }
            None => self.happen(),
        }
        // After the event, as the event may be what a relocation waits for.
        self.settle();
        if !self.begun && self.filled() {
            self.begin();
        }
        if cfg!(debug_assertions) && self.agenda.events().is_multiple_of(64) {
            self.verify_cluster();
        }
        true
    }

    /// When the next event happens, and at which member; no member means between members. Of events at the same instant,
    /// those between members go first, then the members in order.
    fn next(&self) -> Option<(Instant, Option<usize>)> {
        let mut first = self.agenda.next_instant().map(|at| (at, None));
        // A plain loop: a chain of iterators took a fifth of the time of a cluster.
        for (index, member) in self.members.iter().enumerate() {
            let Some(at) = member.next_instant() else { continue };
            if first.is_none_or(|(earliest, _)| at < earliest) {
                first = Some((at, Some(index)));
            }
        }
        first
    }

    /// Sets the time of every member to `now`.
    fn go_on_to(&mut self, now: Instant) {
        self.agenda.go_on_to(now);
        self.members.iter_mut().for_each(|member| member.set_now(now));
    }

    fn happen(&mut self) {
        let Some(event) = self.agenda.next_event() else { return };
        match event {
            Event::CommandIssued => self.issue_commands(),
            Event::StageEnds { relocation, generation } => {
                if self.is_current(relocation, generation) {
                    self.stage_ends(relocation);
                }
            }
            Event::QuiesceLimit { relocation, generation } => self.quiesce_limit(relocation, generation),
            Event::TotalLimit { relocation, generation } => self.total_limit(relocation, generation),
            Event::ThrottleEnds { relocation, generation } => {
                if self.is_current(relocation, generation) {
                    self.throttle_ends(relocation);
                }
            }
            Event::TransferBegins { link, message } => self.transfer_begins(link, message),
            Event::TransferEnds { link, chpid, generation } => self.transfer_ends(link, chpid, generation),
            Event::Interrupted => self.interrupted(),
            Event::ReturnDue { guest, from, to } => self.return_due(guest, from, to),
            Event::StateChanges { member } => self.state_changes(member),
            Event::OtherTraffic { link } => self.other_traffic(link),
        }
    }

    /// Passes the members' reports to the relocations, and the work that follows to the members, until there are none left.
    fn settle(&mut self) {
        loop {
            self.members.iter_mut().for_each(Member::settle);
            let mut heeded = false;
            for member in 0..self.members.len() as u32 {
                while let Some(report) = self.members[member as usize].reports.pop_front() {
                    heeded = true;
                    self.heed(member, report);
                }
            }
            if !heeded {
                return;
            }
        }
    }

    fn heed(&mut self, member: u32, report: Report) {
        match report {
            Report::Done { tag } => self.work_done(tag),
            Report::Read { tag, pages } => self.page_read(tag, pages),
            Report::Stored { tag } => self.stored(tag),
            Report::Stopped { guest } => self.guest_stopped(member, guest),
        }
    }

    /// The fill is over at every member.
    fn begin(&mut self) {
        self.begun = true;
        self.begin_stays();
        if !self.relocations.none_in_line() {
            self.agenda.schedule(self.agenda.now() + self.plan.command_after, Event::CommandIssued);
        }
        self.begin_cluster();
    }

    /// Handles every event that is due up to `until`; then it is `until`.
    pub fn run_until(&mut self, until: Instant) {
        self.run_within(until, u64::MAX);
    }

    /// The same, with at most so much [`Simulation::work`]. Whether it is `until` then.
    pub fn run_within(&mut self, until: Instant, work_max: u64) -> bool {
        let last = self.work().saturating_add(work_max);
        if !self.is_cluster() {
            return self.members[0].run_until(until, last);
        }
        while self.next().is_some_and(|(at, _)| at <= until) {
            if self.work() >= last {
                return false;
            }
            self.step();
        }
        self.go_on_to(until);
        true
    }

    /// Goes on until every guest has touched its whole loop once, but not past `limit` and with at most so much work.
    pub fn run_until_filled(&mut self, limit: Instant, work_max: u64) {
        let last = self.work().saturating_add(work_max);
        let may_go_on = |simulation: &Self| simulation.next().is_some_and(|(at, _)| at <= limit);
        while !self.filled() && self.work() < last && may_go_on(self) {
            self.step();
        }
    }

    /// Goes on until every relocation has ended, but not past `limit` and with at most so much work. Whether they have ended, or it is `limit`
    /// then.
    pub fn run_until_relocated(&mut self, limit: Instant, work_max: u64) -> bool {
        let last = self.work().saturating_add(work_max);
        while !self.relocations_ended() && self.next().is_some_and(|(at, _)| at <= limit) {
            if self.work() >= last {
                return false;
            }
            self.step();
        }
        true
    }

    /// Whether every planned relocation has ended. With guests that bounce this never happens.
    pub fn relocations_ended(&self) -> bool {
        self.relocations.ended() && self.logging_off.is_empty()
    }

    /// The simulated instant.
    pub fn now(&self) -> Instant {
        if self.is_cluster() { self.agenda.now() } else { self.members[0].now() }
    }

    /// Whether every guest has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.members.iter().all(Member::filled)
    }

    /// Pages that guests touched for the first time, on all members.
    pub fn pages_first_touched(&self) -> u64 {
        self.members.iter().map(Member::pages_first_touched).sum()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.agenda.events() + self.members.iter().map(Member::events).sum::<u64>()
    }

    /// What the run has cost so far, in events: a page that is touched at random, one by one, costs a quarter of one.
    pub fn work(&self) -> u64 {
        self.agenda.events() + self.members.iter().map(Member::work).sum::<u64>()
    }

    /// Bytes of state for the guests' pages.
    pub fn page_state_bytes(&self) -> u64 {
        self.members.iter().map(Member::page_state_bytes).sum()
    }

    /// A snapshot of the model now.
    pub fn snapshot(&self) -> Snapshot {
        self.whole_or_glance(true)
    }

    /// The same without the pieces of storage that moves: those take a look at each of its pages, and only a picture shows them.
    pub fn glance(&self) -> Snapshot {
        self.whole_or_glance(false)
    }

    fn whole_or_glance(&self, with_pieces: bool) -> Snapshot {
        let mut snapshot = self.members[0].snapshot();
        if self.is_cluster() {
            (snapshot.events, snapshot.filled) = (self.events(), self.filled());
            snapshot.cluster = Some(Box::new(self.cluster_snapshot(with_pieces)));
        }
        snapshot
    }

    /// Checks the laws that must hold between any two events: each frame, exposure and processor is in one place, and a
    /// guest is logged on at one member at most.
    pub fn verify(&self) {
        self.members.iter().for_each(Member::verify);
        self.verify_cluster();
    }

    /// Checks every page and every slot too. That takes a look at each of them.
    pub fn verify_pages(&self) {
        self.members.iter().for_each(Member::verify_pages);
        self.verify_cluster();
    }
}
