//! `zvmlab lesson`: whether a lesson can be taught as it is written.

use zvmlab::experiment;
use zvmlab_lab::lesson::Lesson;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{LESSONS, text_of};
use zvmlab_lab::lesson::sheet::sheet;
use zvmlab_lab::lesson::trial::{Finding, play};

use crate::input;
use crate::output::{self, Failure, plain};
use crate::table::{Align, render};

/// What can be done with a lesson.
#[derive(clap::Subcommand)]
pub enum Command {
    /// List the lessons that come with the laboratory
    List,
    /// Check a lesson and say everything that is wrong with its text
    Check {
        /// The id of a lesson (see `zvmlab lesson list`), a TOML or JSON file, or - for standard input
        lesson: String,
    },
    /// Print a lesson as Markdown, to be put on paper: the learner's part, then the teacher's with the model's answers
    Sheet {
        /// The id of a lesson (see `zvmlab lesson list`), a TOML or JSON file, or - for standard input
        lesson: String,
    },
    /// Check a lesson and play all its routes: every prediction has one right answer, every task can be reached and is not reached by itself
    Run {
        /// The id of a lesson (see `zvmlab lesson list`), a TOML or JSON file, or - for standard input
        lesson: String,
        /// With how many seeds, from 1 on
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=20))]
        seeds: u64,
    },
}

/// Does it.
pub fn lesson(command: &Command) -> Result<(), Failure> {
    match command {
        Command::List => list(),
        Command::Check { lesson } => {
            let lesson = read(lesson)?;
            output::print(&format!("{}\nNothing is wrong with its text.\n", in_a_line(&lesson)))
        }
        Command::Sheet { lesson } => {
            let lesson = read(lesson)?;
            let findings = played(&lesson, &[1])?;
            output::print(&plain_lines(&sheet(&lesson, &findings)))
        }
        Command::Run { lesson, seeds } => run(&read(lesson)?, &(1..=*seeds).collect::<Vec<_>>()),
    }
}

/// The lessons, one line each.
fn list() -> Result<(), Failure> {
    let rows = LESSONS
        .iter()
        .map(|plate| vec![plate.id.into(), format!("{} min", plate.minutes), plate.host.into(), plate.title.into()]);
    let header = [("Lesson", Align::Left), ("Time", Align::Right), ("Host", Align::Left), ("Title", Align::Left)];
    output::print(&render(&header, &rows.collect::<Vec<_>>()))
}

/// A lesson by its id, or from a file.
fn read(name: &str) -> Result<Lesson, Failure> {
    let label = if name == "-" { "standard input" } else { name };
    let unread = |why: Option<String>| {
        let ids: Vec<&str> = LESSONS.iter().map(|plate| plate.id).collect();
        let none = || format!("there is no such file, and no lesson of that name; lessons are {}", ids.join(", "));
        Failure::Input(vec![format!("{label}: {}", why.unwrap_or_else(none))])
    };
    let text = match text_of(name) {
        Some(text) => text.to_string(),
        None => input::read_file(name).map_err(unread)?,
    };
    parse(&text).map_err(|problems| {
        Failure::Input(problems.iter().map(|one| plain(&format!("{label}: {}: {}", one.field, one.message))).collect())
    })
}

fn in_a_line(lesson: &Lesson) -> String {
    plain(&format!(
        "{} ({}): {} steps, {} minutes, on {}",
        lesson.title,
        lesson.id,
        lesson.steps.len(),
        lesson.minutes,
        lesson.host
    ))
}

/// Plays it, and tells what was found step by step.
fn run(lesson: &Lesson, seeds: &[u64]) -> Result<(), Failure> {
    output::print(&format!("{}\n", in_a_line(lesson)))?;
    let findings = played(lesson, seeds)?;
    for Finding { step, task, said, is_fault } in &findings {
        output::print(&plain(&format!("step {step}, {task}: {}{said}", if *is_fault { "WRONG: " } else { "" })))?;
        output::print("\n")?;
    }
    match findings.iter().filter(|finding| finding.is_fault).count() {
        0 => output::print("The lesson can be taught as it is written.\n"),
        faults => Err(Failure::Verdict(format!("{faults} findings are wrong"))),
    }
}

/// Each line without what a terminal should not see.
fn plain_lines(text: &str) -> String {
    text.lines().map(|line| plain(line) + "\n").collect()
}

/// Plays a lesson.
fn played(lesson: &Lesson, seeds: &[u64]) -> Result<Vec<Finding>, Failure> {
    let mut failed = None;
    let findings = play(lesson, seeds, &mut |scenario, seed| match experiment::run(scenario, seed) {
        Ok(outcome) => (outcome.measurement, outcome.limits.limit),
        Err(error) => {
            failed = Some(error.to_string());
            (zvmlab::Measurement::between(&Default::default(), &Default::default()), None)
        }
    });
    match failed {
        Some(failed) => Err(Failure::Input(vec![failed])),
        None => Ok(findings),
    }
}
