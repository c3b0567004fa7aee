//! `zvmlab relocate`: the stages and passes of relocations, as they happen.

use std::fmt::Write;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, PassSnapshot, RelocationSnapshot, RelocationStage};
use zvmlab_lab::words::relocations::member;
use zvmlab_lab::words::{answer, in_a_line, state};

use crate::numbers::{gigabytes, instant, rate, seconds, whole};
use crate::output::{self, Failure, plain};
use crate::{follow, input};

/// The arguments of `relocate`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Only this guest (LINUX-3), or the guests of this group (LINUX)
    #[arg(long, value_name = "NAME")]
    guest: Option<String>,
    /// Seed of the run
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
}

/// Longest simulated time for which relocations are followed, as in an experiment.
const LIMIT: Span = Span::from_secs(3_600);

/// Simulated time between two looks. A glance holds every stage and pass with its instant, so none is missed.
const LOOK: Span = Span::from_millis(250);

/// Runs a scenario through fill and warm-up. Then prints what its relocations do, until all have ended.
pub fn relocate(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    if !scenario.relocates() {
        let problem = "guests.move_to: 0 given for every guest, so no guest is relocated; guests of a cluster may have the number of another member";
        return Err(Failure::Input(vec![format!("{}: {problem}", plain(&scenario.name))]));
    }
    let mut simulation = follow::simulation(&scenario, arguments.seed)?;
    let names = follow::names(&simulation);
    let wanted = follow::wanted(&scenario, &names, arguments.guest.as_deref())?;

    let start = follow::warm_up(&mut simulation, &scenario);
    let mut follower = Follower::new(&names, wanted);
    output::print(&follower.head(&scenario, arguments.seed, start))?;
    let end = start + limit(&scenario);
    loop {
        let seen = simulation.glance();
        let cluster = seen.cluster.as_deref().cloned().unwrap_or_default();
        if !output::print_on(&follower.go_on(&cluster, simulation.now().0))? {
            return Ok(());
        }
        if cluster.ended || simulation.now() >= end {
            let answer = answer::of_run(&scenario, &seen, &[]).unwrap_or_default();
            return output::print(&format!("\n{}\n", plain(&answer)));
        }
        let next = simulation.now() + LOOK;
        simulation.run_until(if next < end { next } else { end });
    }
}

/// For how long relocations are followed. Bouncing guests never end.
fn limit(scenario: &Scenario) -> Span {
    match scenario.relocation.bounce {
        true => Span::from_secs(scenario.measure.interval_s.into()),
        false => LIMIT,
    }
}

/// A line of output: when, which relocation, what happened.
struct Told {
    at_ns: u64,
    text: String,
}

/// Follows relocations and members from look to look.
struct Follower {
    wanted: Vec<bool>,
    name_chars: usize,
    /// Instant of the last look. Its own events have been printed.
    seen_ns: Option<u64>,
    /// Changes of each member's state that have been printed.
    changes: Vec<u64>,
}

impl Follower {
    fn new(names: &[String], wanted: Vec<bool>) -> Self {
        Follower { wanted, name_chars: follow::name_chars(names), seen_ns: None, changes: Vec::new() }
    }

    fn head(&self, scenario: &Scenario, seed: u64, start: Instant) -> String {
        let until = match scenario.relocation.bounce {
            true => format!("for {} s", scenario.measure.interval_s),
            false => "until all have ended".to_string(),
        };
        format!(
            "{}\nmodel {}, seed {seed}; from {} s on, after fill and warm-up, {until}; GB of 2^30 bytes, MB of 10^6\n\n{:>12}  {:<width$}  {:<9}{:<9}What\n",
            in_a_line::in_a_line(scenario),
            zvmlab::report::MODEL_VERSION,
            instant(start.0),
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
        // Events at one instant stay in the order in which they were found.
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
            plain(&one.name),
            plain(&member(cluster, one.from)),
            plain(&member(cluster, one.to)),
            width = self.name_chars
        );
        // A pass ends before the stage after it begins.
        for (number, pass) in (1..).zip(&one.passes) {
            if let Some(ended) = pass.ended_ns {
                told.push(Told { at_ns: ended, text: format!("{who}{}", of_pass(number, pass, ended)) });
            }
        }
        for &(stage, at_ns) in &one.stages {
            let text = match (stage, one.end) {
                (RelocationStage::Ended, Some(end)) => ended(one, end, cluster),
                _ => state::stage(stage).into(),
            };
            told.push(Told { at_ns, text: format!("{who}{text}") });
        }
    }

    /// States change seldom: at most once between two looks.
    fn of_members(&mut self, cluster: &ClusterSnapshot, told: &mut Vec<Told>) {
        self.changes.resize(cluster.members.len(), 0);
        for (member, known) in cluster.members.iter().zip(&mut self.changes) {
            if member.changes > *known && self.seen_ns.is_some() {
                let text = format!(
                    "{:<width$}  {:<9}{:<9}is {} now",
                    "",
                    plain(&member.name),
                    "",
                    state::member(member.state),
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
        resent => format!("{} sent before", whole(resent)),
    };
    let rate = if pass.pages > 0 { format!(", {} MB/s", rate(pass.pages, took)) } else { String::new() };
    let steal = if pass.steal_ns > 0 { format!(", steal {} s", seconds(pass.steal_ns)) } else { String::new() };
    format!(
        "pass {number} is over: {} pages, {} GB, {before}, {} s{rate}{steal}",
        whole(pass.pages),
        gigabytes(pass.pages),
        seconds(took)
    )
}

/// How a relocation ended, and where the guest runs then.
fn ended(one: &RelocationSnapshot, end: EndCode, cluster: &ClusterSnapshot) -> String {
    let place = match end {
        EndCode::Completed => format!("; runs at {}", plain(&member(cluster, one.to))),
        EndCode::Logoff => String::new(),
        _ => format!("; runs on at {}", plain(&member(cluster, one.from))),
    };
    let quiesce = one.quiesce_ns().map_or(String::new(), |ns| format!("; quiesce time {} s", seconds(ns)));
    let all = one.relocation_ns().map_or(String::new(), |ns| format!("; relocation time {} s", seconds(ns)));
    format!("{}{place}{quiesce}{all}", state::end(end))
}
