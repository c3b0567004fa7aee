//! `zvmlab lesson`: whether a lesson can be taught as it is written.

use std::fs;
use std::path::{Path, PathBuf};

use zvmlab_lab::lesson::Lesson;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{LESSONS, plate, text_of};
use zvmlab_lab::lesson::sheet::sheet;
use zvmlab_lab::lesson::trial::{Finding, play_at_once};

use crate::input;
use crate::output::{self, Failure, plain};
use crate::package::{Form, Lab, Parts, package};
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
    /// Make packages for learning platforms: one file for each form
    Package {
        /// The id of a lesson (see `zvmlab lesson list`), a TOML or JSON file, or - for standard input
        lesson: String,
        /// The forms to make; without it, all for which there is what they need
        #[arg(long)]
        form: Vec<Form>,
        /// The folder of the built laboratory, which goes into the package
        #[arg(long, conflicts_with = "lab", required_unless_present = "lab")]
        site: Option<PathBuf>,
        /// The address of a laboratory on a server instead, such as <https://lab.example/>; the package is small then
        #[arg(long)]
        lab: Option<String>,
        /// The file Cmi5.esm.js of the npm package @xapi/cmi5, for the form cmi5
        #[arg(long)]
        cmi5_library: Option<PathBuf>,
        /// The folder for the packages
        #[arg(long, default_value = ".")]
        to: PathBuf,
    },
    /// Check a lesson and play all its routes: every prediction has one right answer, every task can be reached and is not reached by itself
    Run {
        /// The id of a lesson (see `zvmlab lesson list`), a TOML or JSON file, or - for standard input
        lesson: String,
        /// With how many seeds, from 1 on
        #[arg(long, default_value_t = 3, value_parser = input::whole::<1, 20>)]
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
        Command::Package { lesson, form, site, lab, cmi5_library, to } => {
            let lab = match (site, lab) {
                (Some(site), _) => Lab::Within(site),
                (None, address) => Lab::At(address.as_deref().unwrap_or_default()),
            };
            packages(lesson, form, lab, cmi5_library.as_deref(), to)
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

/// Makes the packages and says where they are.
fn packages(name: &str, forms: &[Form], lab: Lab, library: Option<&Path>, to: &Path) -> Result<(), Failure> {
    let (lesson, text) = read_with_text(name)?;
    let bad = |why: String| Failure::Input(vec![plain(&why)]);
    let is_ours = text_of(&lesson.id).is_some_and(|ours| ours == text);
    if !is_ours && plate(&lesson.id).is_some() {
        return Err(bad(format!("{name}: id: the laboratory has a lesson “{}”; give yours another id", lesson.id)));
    }
    match lab {
        Lab::Within(site) if !site.join("static/lessons").is_dir() => {
            return Err(bad(format!(
                "--site {}: this is no built laboratory; ./run build makes one in dist/",
                site.display()
            )));
        }
        Lab::At(address) if !address.starts_with("https://") || !address.ends_with('/') => {
            return Err(bad(format!("--lab {address}: an address that begins with https:// and ends with / is allowed")));
        }
        Lab::At(_) if !is_ours => {
            return Err(bad(format!("{name}: a lesson of your own needs --site, the laboratory in the package")));
        }
        _ => {}
    }
    let all = [Form::Scorm12, Form::Scorm2004, Form::Cmi5];
    let forms: Vec<Form> = match forms {
        [] => all.into_iter().filter(|form| *form != Form::Cmi5 || library.is_some()).collect(),
        chosen => chosen.to_vec(),
    };
    let parts = Parts { lesson: &lesson, text: (!is_ours).then_some(text.as_str()), lab, library };
    for form in forms {
        let bytes = package(form, &parts).map_err(bad)?;
        let file = to.join(format!("{}-{}.zip", lesson.id, form.word()));
        fs::write(&file, &bytes).map_err(|why| bad(format!("{}: cannot be written: {why}", file.display())))?;
        output::print(&format!("{} ({} KB)\n", plain(&file.display().to_string()), bytes.len().div_ceil(1000)))?;
    }
    Ok(())
}

/// A lesson by its id, or from a file.
fn read(name: &str) -> Result<Lesson, Failure> {
    read_with_text(name).map(|(lesson, _)| lesson)
}

fn read_with_text(name: &str) -> Result<(Lesson, String), Failure> {
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
    let lesson = parse(&text).map_err(|problems| {
        Failure::Input(problems.iter().map(|one| plain(&format!("{label}: {}: {}", one.field, one.message))).collect())
    })?;
    Ok((lesson, text))
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
    play_at_once(lesson, seeds).map_err(|error| Failure::Input(vec![error.to_string()]))
}
