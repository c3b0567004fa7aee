//! The console: commands of CP, tied to the knobs both ways. A command turns knobs; what a knob does is echoed as a command.
//!
//! Names and operands are CP's as far as public pages show them. Responses are in our own words, in plain labelled fields: the layouts of
//! CP's responses are not public here, and neither are its message numbers.

mod echo;
mod indicate;
mod query;
mod relocate;
mod set;
mod table;
#[cfg(test)]
mod tests;

pub use echo::{echo, told};
pub use table::{COMMANDS, Command};

use zvmlab::Scenario;
use zvmlab::scenario::GuestGroup;

use crate::evidence::Settled;
use crate::knob::limits::left_to_level;
use crate::knob::sentences::sentence;
use crate::knob::{Given, Knob};
use crate::words::letters;

/// The longest line that is read, in characters. Chosen: CP's own command lines have 240.
pub const LINE_CHARS: usize = 240;

/// What commands look at.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The host as its knobs stand.
    pub scenario: &'a Scenario,
    /// The result of a run of that host; none as long as there is none.
    pub settled: Option<&'a Settled>,
    /// Whether nothing may be said of what limits: a lesson asks for it.
    pub hides_limit: bool,
}

/// What comes of a command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The response, line by line.
    pub lines: Vec<String>,
    /// The knobs that the command turns, together.
    pub turns: Vec<(Knob, Given)>,
    /// Whether the command was refused.
    pub is_refused: bool,
    /// Whether it needs the result of a run that has not ended.
    pub waits: bool,
}

impl Reply {
    /// A response that changes nothing.
    fn said<L: Into<String>>(lines: impl IntoIterator<Item = L>) -> Reply {
        Reply { lines: lines.into_iter().map(Into::into).collect(), ..Reply::default() }
    }

    /// A refusal.
    fn refused(why: impl Into<String>) -> Reply {
        Reply { lines: vec![why.into()], is_refused: true, ..Reply::default() }
    }
}

/// Carries out a line. An empty one, and one that begins with `*`, is a comment.
pub fn answer(line: &str, look: Look) -> Reply {
    let line = line.trim();
    if line.is_empty() || line.starts_with('*') {
        return Reply::default();
    }
    if line.chars().count() > LINE_CHARS || line.chars().any(char::is_control) {
        return Reply::refused(format!("A command has at most {LINE_CHARS} characters, and none that cannot be seen."));
    }
    let words = words(line);
    match table::found(&words) {
        Ok((command, operands)) => match unwanted(command, operands) {
            Some(why) => Reply::refused(why),
            None => (command.act)(look, operands),
        },
        Err(why) => Reply::refused(why),
    }
}

/// The words of a line. Who is used to a guest's console begins with #CP; I/O is IO.
fn words(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> =
        line.split_whitespace().map(|word| if word.eq_ignore_ascii_case("I/O") { "IO" } else { word }).collect();
    if words.len() > 1 && ["CP", "#CP"].iter().any(|cp| words[0].eq_ignore_ascii_case(cp)) {
        words.remove(0);
    }
    words
}

/// Why these operands cannot stand behind a command that takes none, or EXP only; none if they can.
fn unwanted(command: &Command, operands: &[&str]) -> Option<String> {
    let may = match command.operands {
        "" => operands.is_empty(),
        table::EXPANDED => operands.is_empty() || operands.len() == 1 && is(operands[0], "EXP", 3),
        _ => true,
    };
    let takes = if command.operands.is_empty() { "no operand" } else { "EXP or nothing" };
    (!may).then(|| format!("{} takes {takes}; {} given.", command.words.join(" "), operands.join(" ")))
}

/// What may follow the beginning of a line, whole lines in small numbers: for completion.
pub fn completions(line: &str, scenario: &Scenario) -> Vec<String> {
    table::completions(line, scenario)
}

/// A command that turns knobs: checks the values as fields are checked, and says what comes of it.
fn turned(look: Look, turns: Vec<(Option<Knob>, Given)>, said: &dyn Fn(&Scenario) -> Vec<String>) -> Reply {
    let mut after = look.scenario.clone();
    let mut done = Vec::new();
    for (knob, given) in turns {
        let Some(knob) = knob else { return Reply::refused("The laboratory has no such knob.") };
        if let Err(problem) = knob.turn(&mut after, &given) {
            return Reply::refused(sentence(&problem, look.scenario));
        }
        done.push((knob, given));
    }
    let given: Vec<Knob> = done.iter().map(|(knob, _)| *knob).collect();
    for (knob, given) in left_to_level(look.scenario, &after, &given) {
        if knob.turn(&mut after, &given).is_ok() {
            done.push((knob, given));
        }
    }
    let before = look.scenario.check().err().map(|error| error.problems).unwrap_or_default();
    if let Err(error) = after.check() {
        let new: Vec<String> =
            error.problems.iter().filter(|one| !before.contains(one)).map(|one| sentence(one, &after)).collect();
        if !new.is_empty() {
            return Reply { lines: new, is_refused: true, ..Reply::default() };
        }
    }
    let mut lines = said(&after);
    if after == *look.scenario {
        lines.push("It was so already.".into());
        done.clear();
    }
    Reply { lines, turns: done, ..Reply::default() }
}

/// The group of guests that a user id names: its own name, or that of one of its guests.
fn group(look: Look, user: &str) -> Result<usize, Reply> {
    let groups = &look.scenario.guests;
    let named: Vec<usize> = (0..groups.len()).filter(|&at| groups[at].name.eq_ignore_ascii_case(user)).collect();
    let is_one =
        |(group, _, number): &(&GuestGroup, u32, u32)| format!("{}-{number}", group.name).eq_ignore_ascii_case(user);
    match named[..] {
        [at] => Ok(at),
        [] => look.scenario.each_guest().find(is_one).map(|(_, at, _)| at as usize).ok_or_else(|| {
            let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
            Reply::refused(format!("{user} is not logged on. Guests here are {}.", names.join(", ")))
        }),
        _ => {
            let all: Vec<String> = named.iter().map(|&at| guests(look.scenario, at)).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            Err(Reply::refused(format!(
                "{user} is the name of {} groups: {}. Name one of the guests.",
                all.len(),
                letters::listed(&all)
            )))
        }
    }
}

/// The guests of a group in words: `SERVER-1 to SERVER-8`.
fn guests(scenario: &Scenario, group: usize) -> String {
    let Some(name) = scenario.guests.get(group).map(|group| &group.name) else { return String::new() };
    let is_alone = scenario.guests.iter().filter(|other| other.name == *name).count() == 1;
    match numbers(scenario, group)[..] {
        [_] if is_alone => name.clone(),
        [only] => format!("{name}-{only}"),
        [first, .., last] => format!("{name}-{first} to {name}-{last}"),
        [] => String::new(),
    }
}

/// The numbers behind the names of a group's guests.
fn numbers(scenario: &Scenario, group: usize) -> Vec<u32> {
    let of_group = scenario.each_guest().filter(|(_, at, _)| *at as usize == group);
    of_group.map(|(_, _, number)| number).collect()
}

/// Whether `typed` is `word` or a beginning of it of at least `least` letters, in any case.
fn is(typed: &str, word: &str, least: usize) -> bool {
    typed.len() >= least && word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
}

/// On or off.
fn switch(typed: &str) -> Option<bool> {
    match typed.to_ascii_uppercase().as_str() {
        "ON" => Some(true),
        "OFF" => Some(false),
        _ => None,
    }
}

/// A switch in words.
fn on_off(is_on: bool) -> &'static str {
    if is_on { "ON" } else { "OFF" }
}
