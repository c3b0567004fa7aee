//! Where a scenario comes from: a published run, an example, standard input or a file.

use std::fs::File;
use std::io::{self, Read};

use serde_json::Value;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::example;
use zvmlab_lab::published::ready::ready_meant;
use zvmlab_lab::words::file::{self, SCENARIO_BYTES_MAX};
use zvmlab_lab::words::{place, problem};
use zvmlab_reference as reference;

use crate::output::Failure;

/// A whole number from `LEAST` to `MOST`, for an option.
///
/// # Errors
/// What is allowed.
pub fn whole<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("a whole number from {LEAST} to {MOST} is allowed"))
}

/// The scenario that `name` stands for: a published run id, an example's id, `-` for standard input, or a file.
pub fn read(name: &str) -> Result<Scenario, Failure> {
    read_with_tree(name).map(|(scenario, _)| scenario)
}

/// The scenario that `name` stands for, and what was given as a tree: fields left out are not in it.
pub fn read_with_tree(name: &str) -> Result<(Scenario, Value), Failure> {
    if let Some(run) = reference::run(name) {
        return Ok((run.scenario.clone(), place::tree(&run.scenario)));
    }
    if let Some(example) = example(name) {
        return parse(example.text, example.id);
    }
    let label = if name == "-" { "standard input" } else { name };
    let text = read_text(name).map_err(|why| Failure::Input(vec![format!("{label}: {why}")]))?;
    parse(&text, label)
}

fn parse(text: &str, label: &str) -> Result<(Scenario, Value), Failure> {
    Scenario::parse(text)
        .map(|scenario| (scenario, problem::tree(text)))
        .map_err(|error| Failure::Input(error.to_string().lines().map(|line| format!("{label}: {line}")).collect()))
}

fn read_text(name: &str) -> Result<String, String> {
    read_file(name).map_err(|why| match why {
        Some(why) => why,
        None => format!(
            "there is no such file, and no published run or example of that name{}; `zvmlab runs` lists them",
            ready_meant(name)
        ),
    })
}

/// The text of a file, `-` for standard input.
///
/// # Errors
/// Why it cannot be read; nothing if there is no such file.
pub fn read_file(name: &str) -> Result<String, Option<String>> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that a text is too long, for any kind of file.
    let most = SCENARIO_BYTES_MAX + 1;
    let read = match name {
        "-" => io::stdin().lock().take(most).read_to_end(&mut bytes),
        _ => File::open(name).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => None,
        _ => Some(format!("cannot be read: {error}")),
    })?;
    if bytes.len() as u64 > SCENARIO_BYTES_MAX {
        return Err(Some(file::too_long(SCENARIO_BYTES_MAX)));
    }
    file::text(bytes).map_err(Some)
}
