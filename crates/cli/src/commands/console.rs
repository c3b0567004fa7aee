//! `zvmlab console`: commands of CP, line by line, from a script or from a person.

use std::io::{self, BufRead, IsTerminal};

use zvmlab::Scenario;
use zvmlab_lab::console::{Look, answer};
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::worker;
use zvmlab_lab::worker::wire::{Answer, Job};

use crate::input;
use crate::output::{self, Failure, plain};

/// The arguments of `console`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// A file with a command on each line; without it, commands come from standard input
    script: Option<String>,
    /// The seed of the runs
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
    /// Write the host as the commands have left it to this file, as TOML
    #[arg(long, value_name = "FILE")]
    save: Option<std::path::PathBuf>,
}

/// A host under commands.
struct Session {
    scenario: Scenario,
    seed: u64,
    settled: Option<Settled>,
    refused: u32,
}

/// Carries out each line and prints its response. A command that needs a result runs the host first.
pub fn console(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let save = output::open(arguments.save.as_deref())?;
    if save.as_ref().is_some_and(output::Target::is_printed) {
        return Err(Failure::Input(vec![
            "--save: - given, but the responses go to standard output; a file is allowed".into(),
        ]));
    }
    let mut session = Session { scenario, seed: arguments.seed, settled: None, refused: 0 };
    match &arguments.script {
        Some(file) => {
            let unread = |why: Option<String>| {
                Failure::Input(vec![format!("{file}: {}", why.unwrap_or("there is no such file".into()))])
            };
            let text = input::read_file(file).map_err(unread)?;
            for line in text.lines() {
                session.take(line, true)?;
            }
        }
        None => {
            let shows_prompt = io::stdin().is_terminal();
            for line in io::stdin().lock().lines() {
                let line = line.map_err(|why| Failure::Input(vec![format!("standard input: cannot be read: {why}")]))?;
                session.take(&line, !shows_prompt)?;
            }
        }
    }
    if let Some(target) = save {
        target.write(&session.scenario.to_toml())?;
    }
    match session.refused {
        0 => Ok(()),
        refused => Err(Failure::Verdict(format!("{refused} commands were refused"))),
    }
}

impl Session {
    fn take(&mut self, line: &str, repeats: bool) -> Result<(), Failure> {
        if repeats {
            output::print(&format!("{}\n", plain(line.trim_end())))?;
        }
        let mut reply = answer(line, Look { scenario: &self.scenario, settled: self.settled.as_ref(), hides_limit: false });
        if reply.waits {
            self.settled = Some(self.run()?);
            reply = answer(line, Look { scenario: &self.scenario, settled: self.settled.as_ref(), hides_limit: false });
        }
        for (knob, given) in &reply.turns {
            // The console has tried them on a copy.
            knob.turn(&mut self.scenario, given).map_err(|problem| Failure::Input(vec![plain(&problem.message)]))?;
            self.settled = None;
        }
        self.refused += u32::from(reply.is_refused);
        reply.lines.iter().try_for_each(|line| output::print(&format!("    {}\n", plain(line))))
    }

    fn run(&self) -> Result<Settled, Failure> {
        match worker::answer(Job::Experiment { scenario: self.scenario.clone(), seed: self.seed }, &|| 0.0) {
            Answer::Settled { result, .. } => Ok(*result),
            Answer::Refused(message) => Err(Failure::Input(vec![plain(&message)])),
            _ => Err(Failure::Input(vec!["the run has no result".into()])),
        }
    }
}
