//! Tries inputs and hosts, one after the other. `./run hostile` calls it, and looks after it: a process that ends early or does not
//! go on has met a failure, and its file of the case under way says with what.
//!
//! ```text
//! zvmlab-hostile kinds                                   the kinds of input that are only read
//! zvmlab-hostile try KIND SEED FROM SECONDS HANG CASE    inputs from number FROM on for so long; none may take HANG seconds
//! zvmlab-hostile replay KIND FILE                        one input again
//! zvmlab-hostile seeds KIND FOLDER                       inputs that are right, a file each, and a dictionary
//! zvmlab-hostile kills PROGRAM SEED SECONDS FOLDER       the command line, killed at any instant
//! ```
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is not the model: it may look at the clock of the machine"
)]

mod kills;

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use zvmlab_hostile::dice::Dice;
use zvmlab_hostile::kind::Kind;
use zvmlab_hostile::{hosts, inputs, mutation};

/// How often a slow input is tried again, because another program may have had the processor.
const AGAIN: u32 = 3;

/// How many right inputs begin a guided trial.
const SEEDS: u64 = 200;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match done(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn done(words: &[&str]) -> Result<(), String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text}: a whole number is needed"));
    let kind = |name: &str| Kind::named(name).ok_or_else(|| format!("{name}: there is no such kind of input"));
    match *words {
        ["kinds"] => {
            println!("{}", Kind::READ.map(Kind::name).join(" "));
            Ok(())
        }
        ["try", name, seed, from, seconds, hang, case] => {
            let [time, hang] = [number(seconds)?, number(hang)?].map(Duration::from_secs);
            try_all(kind(name)?, number(seed)?, number(from)?, time, hang, Path::new(case))
        }
        ["replay", name, file] => {
            let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            let begun = Instant::now();
            let accepted = kind(name)?.try_input(&bytes);
            println!("{} in {:.3} s", if accepted { "accepted" } else { "refused" }, begun.elapsed().as_secs_f64());
            Ok(())
        }
        ["seeds", name, folder] => seeds(kind(name)?, Path::new(folder)).map_err(|error| format!("{folder}: {error}")),
        ["kills", program, seed, seconds, folder] => {
            let (seed, time) = (number(seed)?, Duration::from_secs(number(seconds)?));
            let done = kills::kill(Path::new(program), seed, time, Path::new(folder))?;
            println!("{} {} {}", done.tried, done.early, done.stray);
            Ok(())
        }
        _ => Err(
            "usage: zvmlab-hostile kinds | try KIND SEED FROM SECONDS HANG CASE | replay KIND FILE | seeds KIND FOLDER | \
                  kills PROGRAM SEED SECONDS FOLDER"
                .into(),
        ),
    }
}

/// Tries inputs, and says at the end how many and what became of them. A reader that takes longer than `hang` for one is said to hang.
fn try_all(kind: Kind, seed: u64, from: u64, time: Duration, hang: Duration, case: &Path) -> Result<(), String> {
    let unwritable = |error: std::io::Error| format!("{}: {error}", case.display());
    let mut file = File::create(case).map_err(unwritable)?;
    let begun = Instant::now();
    let (mut tried, mut accepted, mut slowest) = (0, 0, Duration::ZERO);
    while begun.elapsed() < time {
        let bytes = match kind {
            Kind::Host => hosts::to_run(&mut Dice::new(seed, kind.name(), from + tried)).to_toml().into_bytes(),
            _ => mutation::input(kind, seed, from + tried),
        };
        file.rewind().and_then(|()| file.set_len(0)).and_then(|()| file.write_all(&bytes)).map_err(unwritable)?;
        let (was_accepted, took) = timed(kind, &bytes);
        // A host takes the time of its budget; that it goes on is looked after from outside.
        if kind != Kind::Host && took > hang {
            let least = (0..AGAIN).map(|_| timed(kind, &bytes).1).min().unwrap_or(took);
            assert!(least <= hang, "a reader hangs: {:.1} s for {} bytes", least.as_secs_f64(), bytes.len());
        }
        tried += 1;
        accepted += u64::from(was_accepted);
        slowest = slowest.max(took);
    }
    println!("{tried} {accepted} {}", slowest.as_millis());
    Ok(())
}

fn timed(kind: Kind, bytes: &[u8]) -> (bool, Duration) {
    let begun = Instant::now();
    (kind.try_input(bytes), begun.elapsed())
}

fn seeds(kind: Kind, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for number in 0..SEEDS {
        fs::write(folder.join(format!("seed-{number}")), inputs::right(kind, &mut Dice::new(1, kind.name(), number)))?;
    }
    let escaped = |word: &String| {
        let bytes = word.bytes().map(|byte| match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        });
        format!("\"{}\"\n", bytes.collect::<String>())
    };
    let dictionary: String = inputs::dictionary().iter().map(escaped).collect();
    fs::write(folder.with_extension("dict"), dictionary)
}
