//! `zvmlab moves`: the guests' moves from list to list, as they happen.

use std::fmt::Write;

use zvmlab::experiment::FILL_EVENTS_MAX;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::simulation::Simulation;
use zvmlab::snapshot::MoveSnapshot;

use crate::output::{self, Failure};
use crate::{MovesArguments, input, words};

/// Longest simulated time that the fill may take, as in an experiment.
pub const FILL_LIMIT: Span = Span::from_secs(36_000);

/// Most events between two looks. Chosen: a look costs about as much as a hundred events of a host with many guests.
const EVENTS_MAX: u32 = 1_024;

/// Names of guests that a message lists.
const NAMES_MAX: usize = 20;

/// Runs a scenario through fill and warm-up and prints the moves of the time after that.
pub fn moves(arguments: &MovesArguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let mut simulation = Simulation::new(&scenario, arguments.seed)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let names: Vec<String> = simulation.snapshot().guests.iter().map(|guest| words::plain(&guest.name)).collect();
    let wanted = wanted(&scenario, &names, arguments.guest.as_deref())?;

    simulation.run_until_filled(Instant::ZERO + FILL_LIMIT, FILL_EVENTS_MAX);
    let start = simulation.now() + Span::from_secs(scenario.measure.warmup_s.into());
    simulation.run_until(start);
    let seen = simulation.snapshot().scheduler.moves_total;
    let mut text = format!(
        "{}\nmodel {}, seed {}; {} s from {:.3} s on, after fill and warm-up\n\n",
        words::host(&scenario),
        zvmlab::report::MODEL_VERSION,
        arguments.seed,
        arguments.seconds,
        start.0 as f64 / 1e9
    );
    let mut follower = Follower::new(seen, &names, wanted);
    follower.header(&mut text);
    let end = start + Span::from_secs(arguments.seconds);
    while simulation.now() < end {
        follower.go_on(&mut simulation, end, &mut text);
        if !output::print_on(&text)? {
            return Ok(());
        }
        text.clear();
    }
    output::print(&follower.summary(arguments.seconds))
}

/// Which guests are asked for: one by its name, or a group by the name that the scenario gives it; without a name, all.
pub fn wanted(scenario: &Scenario, names: &[String], guest: Option<&str>) -> Result<Vec<bool>, Failure> {
    let Some(guest) = guest else { return Ok(vec![true; names.len()]) };
    let groups = scenario.guests.iter().flat_map(|group| (0..group.count).map(|_| words::plain(&group.name)));
    let wanted: Vec<bool> = names
        .iter()
        .zip(groups)
        .map(|(name, group)| name.eq_ignore_ascii_case(guest) || group.eq_ignore_ascii_case(guest))
        .collect();
    if wanted.contains(&true) {
        return Ok(wanted);
    }
    let more = names.len().saturating_sub(NAMES_MAX);
    let mut known = names.iter().take(NAMES_MAX).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(known, " and {more} more");
    }
    Err(Failure::Input(vec![format!(
        "--guest: \"{}\" given, but there is no such guest; the guests are {known}",
        words::plain(guest)
    )]))
}

/// Follows the moves from look to look.
struct Follower<'a> {
    names: &'a [String],
    wanted: Vec<bool>,
    name_chars: usize,
    /// Moves that have happened by the last look.
    seen: u64,
    /// Moves since the start, those of the guests asked for, and those that no look has shown.
    all: u64,
    printed: u64,
    missed: u64,
    /// Events until the next look.
    events: u32,
}

impl<'a> Follower<'a> {
    fn new(seen: u64, names: &'a [String], wanted: Vec<bool>) -> Self {
        let chars = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("Guest".len());
        Follower { names, wanted, name_chars: chars, seen, all: 0, printed: 0, missed: 0, events: 1 }
    }

    fn header(&self, text: &mut String) {
        let _ =
            writeln!(text, "{:>12}  {:<width$}  {:<9}{:<9}Why", "Time s", "Guest", "From", "To", width = self.name_chars);
    }

    /// Lets some events happen, up to `end`, and writes the moves among them. The looks come so often that the moves between
    /// two of them are few of those that a snapshot holds: where one shows many, the next comes sooner.
    fn go_on(&mut self, simulation: &mut Simulation, end: Instant, text: &mut String) {
        for _ in 0..self.events {
            if !simulation.step() {
                simulation.run_until(end);
            }
            if simulation.now() >= end {
                break;
            }
        }
        let scheduler = simulation.snapshot().scheduler;
        let new = scheduler.moves_total - self.seen;
        self.seen = scheduler.moves_total;
        let held = scheduler.moves.len() as u64;
        let missed = new.saturating_sub(held);
        if missed > 0 {
            let _ = writeln!(text, "{missed} moves missed here: more happened between two looks than a snapshot holds");
        }
        // The last event may fall behind the end.
        let fresh = scheduler.moves.iter().skip((held + missed - new) as usize).filter(|one| one.at_ns <= end.0);
        for one in fresh {
            self.all += 1;
            self.write(one, text);
        }
        self.all += missed;
        self.missed += missed;
        self.events = if new > held / 4 { (self.events / 4).max(1) } else { (self.events * 2).min(EVENTS_MAX) };
    }

    fn write(&mut self, one: &MoveSnapshot, text: &mut String) {
        let guest = one.guest as usize;
        if !self.wanted.get(guest).is_some_and(|wanted| *wanted) {
            return;
        }
        self.printed += 1;
        let _ = writeln!(
            text,
            "{:>12.6}  {:<width$}  {:<9}{:<9}{}",
            one.at_ns as f64 / 1e9,
            self.names[guest],
            one.from.as_str(),
            one.to.as_str(),
            one.why.as_str(),
            width = self.name_chars
        );
    }

    fn summary(&self, seconds: u64) -> String {
        let missed = match self.missed {
            0 => "none missed".to_string(),
            missed => format!("{missed} missed"),
        };
        format!("\n{} moves shown of {} in {seconds} s; {missed}.\n", self.printed, self.all)
    }
}
