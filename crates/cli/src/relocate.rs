//! `zvmlab relocate`: the stages and passes of relocations, as they happen.

use std::fmt::Write;

use zvmlab::experiment::FILL_EVENTS_MAX;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::simulation::Simulation;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, PassSnapshot, RelocationSnapshot, RelocationStage};

use crate::moves::{FILL_LIMIT, wanted};
use crate::output::{self, Failure};
use crate::relocation::{end_of, gigabytes, member, rate, seconds};
use crate::table::grouped;
use crate::{RelocateArguments, input, words};

/// Longest simulated time for which relocations are followed, as in an experiment.
const LIMIT: Span = Span::from_secs(3_600);

/// Simulated time between two looks. A snapshot holds every stage and pass with its instant, so that none is missed.
const LOOK: Span = Span::from_millis(250);

/// Runs a scenario through fill and warm-up and prints what its relocations do after that, until all have ended.
pub fn relocate(arguments: &RelocateArguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    if !scenario.relocates() {
        let problem = "guests.move_to: 0 given for every guest, so that none is relocated; the number of another member is allowed for guests of a cluster";
        return Err(Failure::Input(vec![format!("{}: {problem}", words::plain(&scenario.name))]));
    }
    let mut simulation = Simulation::new(&scenario, arguments.seed)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let names: Vec<String> = simulation.snapshot().guests.iter().map(|guest| words::plain(&guest.name)).collect();
    let wanted = wanted(&scenario, &names, arguments.guest.as_deref())?;

    simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, FILL_EVENTS_MAX);
    let start = simulation.now() + Span::from_secs(scenario.measure.warmup_s.into());
    simulation.run_until(start);
    let mut follower = Follower::new(&names, wanted);
    output::print(&follower.head(&scenario, arguments.seed, start))?;
    let end = start + limit(&scenario);
    loop {
        let seen = simulation.snapshot();
        let cluster = seen.cluster.as_deref().cloned().unwrap_or_default();
        if !output::print_on(&follower.go_on(&cluster, simulation.now().0))? {
            return Ok(());
        }
        if cluster.ended || simulation.now() >= end {
            return output::print(&summary(&cluster));
        }
        let next = simulation.now() + LOOK;
        simulation.run_until(if next < end { next } else { end });
    }
}

/// For how long relocations are followed: guests that bounce never come to an end.
fn limit(scenario: &Scenario) -> Span {
    match scenario.relocation.bounce {
        true => Span::from_secs(scenario.measure.interval_s.into()),
        false => LIMIT,
    }
}

/// What is told of one instant: when, of which relocation, what.
struct Told {
    at_ns: u64,
    text: String,
}

/// Follows relocations and members from look to look.
struct Follower {
    wanted: Vec<bool>,
    name_chars: usize,
    /// Instant of the last look, whose own events have been told.
    seen_ns: Option<u64>,
    /// Changes of each member's state that have been told.
    changes: Vec<u64>,
}

impl Follower {
    fn new(names: &[String], wanted: Vec<bool>) -> Self {
        let chars = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("Guest".len());
        Follower { wanted, name_chars: chars, seen_ns: None, changes: Vec::new() }
    }

    fn head(&self, scenario: &Scenario, seed: u64, start: Instant) -> String {
        let until = match scenario.relocation.bounce {
            true => format!("for {} s", scenario.measure.interval_s),
            false => "until all have ended".to_string(),
        };
        format!(
            "{}\nmodel {}, seed {seed}; from {:.3} s on, after fill and warm-up, {until}; GB of 2^30 bytes, MB of 10^6\n\n{:>12}  {:<width$}  {:<9}{:<9}What\n",
            words::host(scenario),
            zvmlab::report::MODEL_VERSION,
            start.0 as f64 / 1e9,
            "Time s",
            "Guest",
            "From",
            "To",
            width = self.name_chars
        )
    }

    /// What has happened since the last look, in its order.
    fn go_on(&mut self, cluster: &ClusterSnapshot, now_ns: u64) -> String {
        let mut told = Vec::new();
        for one in &cluster.relocations {
            if self.wanted.get(one.guest as usize).is_some_and(|wanted| *wanted) {
                self.of_relocation(one, cluster, &mut told);
            }
        }
        self.of_members(cluster, &mut told);
        let seen = self.seen_ns;
        told.retain(|one| seen.is_none_or(|seen| one.at_ns > seen) && one.at_ns <= now_ns);
        // What happens at one instant stays in the order in which it was found.
        told.sort_by_key(|one| one.at_ns);
        self.seen_ns = Some(now_ns);
        told.iter().fold(String::new(), |mut text, one| {
            let _ = writeln!(text, "{:>12.6}  {}", one.at_ns as f64 / 1e9, one.text);
            text
        })
    }

    fn of_relocation(&self, one: &RelocationSnapshot, cluster: &ClusterSnapshot, told: &mut Vec<Told>) {
        let who = format!(
            "{:<width$}  {:<9}{:<9}",
            words::plain(&one.name),
            member(cluster, one.from),
            member(cluster, one.to),
            width = self.name_chars
        );
        // A pass ends before the stage begins that follows it.
        for (number, pass) in (1..).zip(&one.passes) {
            if let Some(ended) = pass.ended_ns {
                told.push(Told { at_ns: ended, text: format!("{who}{}", of_pass(number, pass, ended)) });
            }
        }
        for &(stage, at_ns) in &one.stages {
            let text = match (stage, one.end) {
                (RelocationStage::Ended, Some(end)) => ended(one, end, cluster),
                _ => words::stage(stage).into(),
            };
            told.push(Told { at_ns, text: format!("{who}{text}") });
        }
    }

    /// States change seldom: between two looks once at most.
    fn of_members(&mut self, cluster: &ClusterSnapshot, told: &mut Vec<Told>) {
        self.changes.resize(cluster.members.len(), 0);
        for (member, known) in cluster.members.iter().zip(&mut self.changes) {
            if member.changes > *known && self.seen_ns.is_some() {
                let text = format!(
                    "{:<width$}  {:<9}{:<9}is {} now",
                    "",
                    words::plain(&member.name),
                    "",
                    words::member_state(member.state),
                    width = self.name_chars
                );
                told.push(Told { at_ns: member.since_ns, text });
            }
            *known = member.changes;
        }
    }
}

fn of_pass(number: usize, pass: &PassSnapshot, ended_ns: u64) -> String {
    let took = ended_ns - pass.began_ns;
    let before = match pass.resent {
        0 => "none sent before".to_string(),
        resent => format!("{} sent before", grouped(&resent.to_string())),
    };
    let rate = if pass.pages > 0 { format!(", {} MB/s", rate(pass.pages, took)) } else { String::new() };
    format!(
        "pass {number} is over: {} pages, {} GB, {before}, {} s{rate}",
        grouped(&pass.pages.to_string()),
        gigabytes(pass.pages),
        seconds(took)
    )
}

/// How a relocation ended, and where the guest runs then.
fn ended(one: &RelocationSnapshot, end: EndCode, cluster: &ClusterSnapshot) -> String {
    let place = match end {
        EndCode::Completed => format!("; runs at {}", member(cluster, one.to)),
        EndCode::Logoff => String::new(),
        _ => format!("; runs on at {}", member(cluster, one.from)),
    };
    let quiesce = one.quiesce_ns().map_or(String::new(), |ns| format!("; quiesce time {} s", seconds(ns)));
    let all = one.relocation_ns().map_or(String::new(), |ns| format!("; relocation time {} s", seconds(ns)));
    format!("{}{place}{quiesce}{all}", end_of(end))
}

fn summary(cluster: &ClusterSnapshot) -> String {
    let all = &cluster.relocations;
    let completed = all.iter().filter(|one| one.end == Some(EndCode::Completed)).count();
    let otherwise = all.iter().filter(|one| one.end.is_some()).count() - completed;
    let left = all.len() - completed - otherwise;
    let worst = all.iter().filter_map(RelocationSnapshot::quiesce_ns).max();
    let worst = worst.map_or(String::new(), |ns| format!("; longest quiesce time {} s", seconds(ns)));
    let left = if left > 0 { format!(", {left} have not ended") } else { String::new() };
    let what = if all.len() == 1 { "relocation" } else { "relocations" };
    format!("\n{} {what}: {completed} completed, {otherwise} ended otherwise{left}{worst}.\n", all.len())
}
