//! `zvmlab moves`: the guests' moves from list to list, as they happen.

use std::fmt::Write;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::simulation::Simulation;
use zvmlab::snapshot::MoveSnapshot;
use zvmlab_lab::words::in_a_line;

use crate::numbers::instant;
use crate::output::{self, Failure};
use crate::{follow, input};

/// The arguments of `moves`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Only this guest (LINUX-3), or the guests of this group (LINUX)
    #[arg(long, value_name = "NAME")]
    guest: Option<String>,
    /// How many simulated seconds after fill and warm-up
    #[arg(long, default_value_t = 10, value_parser = input::whole::<1, 3_600>)]
    seconds: u64,
    /// Seed of the run
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
}

/// Most events between two looks. Chosen: a look costs about as much as a hundred events of a host with many guests.
const EVENTS_MAX: u32 = 1_024;

/// Runs a scenario through fill and warm-up and prints the moves of the time after that.
pub fn moves(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let mut simulation = follow::simulation(&scenario, arguments.seed)?;
    let names = follow::names(&simulation);
    let wanted = follow::wanted(&scenario, &names, arguments.guest.as_deref())?;

    let start = follow::warm_up(&mut simulation, &scenario);
    let seen = simulation.glance().scheduler.moves_total;
    let mut text = format!(
        "{}\nmodel {}, seed {}; {} s from {} s on, after fill and warm-up\n\n",
        in_a_line::in_a_line(&scenario),
        zvmlab::report::MODEL_VERSION,
        arguments.seed,
        arguments.seconds,
        instant(start.0)
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

/// Follows the moves from look to look.
struct Follower<'a> {
    names: &'a [String],
    wanted: Vec<bool>,
    name_chars: usize,
    /// Moves up to the last look.
    seen: u64,
    /// Moves since the start, moves of the guests asked for, and moves that no look has shown.
    all: u64,
    printed: u64,
    missed: u64,
    /// Events until the next look.
    events: u32,
}

impl<'a> Follower<'a> {
    fn new(seen: u64, names: &'a [String], wanted: Vec<bool>) -> Self {
        Follower { names, wanted, name_chars: follow::name_chars(names), seen, all: 0, printed: 0, missed: 0, events: 1 }
    }

    fn header(&self, text: &mut String) {
        let _ =
            writeln!(text, "{:>12}  {:<width$}  {:<9}{:<9}Why", "Time s", "Guest", "From", "To", width = self.name_chars);
    }

    /// Lets some events happen, up to `end`, and writes the moves among them. Looks follow each other so quickly that a snapshot
    /// can hold all moves between two of them. If one shows many moves, the next look comes sooner.
    fn go_on(&mut self, simulation: &mut Simulation, end: Instant, text: &mut String) {
        for _ in 0..self.events {
            if !simulation.step() {
                simulation.run_until(end);
            }
            if simulation.now() >= end {
                break;
            }
        }
        let scheduler = simulation.glance().scheduler;
        let new = scheduler.moves_total - self.seen;
        self.seen = scheduler.moves_total;
        let held = scheduler.moves.len() as u64;
        let missed = new.saturating_sub(held);
        if missed > 0 {
            let _ = writeln!(text, "{missed} moves missed here: more happened between two looks than a snapshot holds");
        }
        // The last event may be later than the end.
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
