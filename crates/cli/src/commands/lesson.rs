//! `zvmlab lesson`: whether a lesson can be taught as it is written.

use zvmlab::experiment;
use zvmlab_lab::lesson::Lesson;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::trial::{Finding, play};

use crate::input;
use crate::output::{self, Failure, plain};

/// What can be done with a lesson.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Check a lesson and say everything that is wrong with its text
    Check {
        /// A TOML or JSON file, or - for standard input
        lesson: String,
    },
    /// Check a lesson and play all its routes: every prediction has one right answer, every task can be reached and is not reached by itself
    Run {
        /// A TOML or JSON file, or - for standard input
        lesson: String,
        /// With how many seeds, from 1 on
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=20))]
        seeds: u64,
    },
}

/// Does it.
pub fn lesson(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Check { lesson } => {
            let lesson = read(lesson)?;
            output::print(&format!("{}\nNothing is wrong with its text.\n", in_a_line(&lesson)))
        }
        Command::Run { lesson, seeds } => run(&read(lesson)?, &(1..=*seeds).collect::<Vec<_>>()),
    }
}

fn read(name: &str) -> Result<Lesson, Failure> {
    let label = if name == "-" { "standard input" } else { name };
    let text = input::read_file(name)
        .map_err(|why| Failure::Input(vec![format!("{label}: {}", why.unwrap_or("there is no such file".into()))]))?;
    parse(&text).map_err(|problems| {
        Failure::Input(problems.iter().map(|one| plain(&format!("{label}: {}: {}", one.field, one.message))).collect())
    })
}

fn in_a_line(lesson: &Lesson) -> String {
    plain(&format!("{} ({}): {} steps, {} minutes, on {}", lesson.title, lesson.id, lesson.steps.len(), lesson.minutes, lesson.host))
}

/// Plays it, and tells what was found step by step.
fn run(lesson: &Lesson, seeds: &[u64]) -> Result<(), Failure> {
    output::print(&format!("{}\n", in_a_line(lesson)))?;
    let mut failed = None;
    let findings = play(lesson, seeds, &mut |scenario, seed| match experiment::run(scenario, seed) {
        Ok(outcome) => (outcome.measurement, outcome.limits.limit),
        Err(error) => {
            failed = Some(error.to_string());
            (zvmlab::Measurement::between(&Default::default(), &Default::default()), None)
        }
    });
    for Finding { step, task, said, is_fault } in &findings {
        output::print(&plain(&format!("step {step}, {task}: {}{said}", if *is_fault { "WRONG: " } else { "" })))?;
        output::print("\n")?;
    }
    if let Some(failed) = failed {
        return Err(Failure::Input(vec![failed]));
    }
    match findings.iter().filter(|finding| finding.is_fault).count() {
        0 => output::print("The lesson can be taught as it is written.\n"),
        faults => Err(Failure::Verdict(format!("{faults} findings are wrong"))),
    }
}
