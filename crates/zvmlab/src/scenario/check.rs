//! From text to a scenario, with every problem of the text reported together.

use std::collections::BTreeSet;
use std::fmt;

use toml::de::DeTable;

use super::fields::{FIELDS, Field, Kind, MAX_GROUPS};
use super::given::Given;
use super::{GuestGroup, Scenario, TABLES, Tenths, quantity, relations};

/// How much of a field's name a message repeats, when there is no such field.
const KEY_CHARS_MAX: usize = 80;

/// Longest text of a scenario, in bytes. Chosen: some twenty times as long as any that states every field of every group, and short
/// enough that a slow telephone reads it within a second.
const TEXT_BYTES_MAX: usize = 256 << 10;

/// Most problems of a text that are told; of the others, how many there are. Chosen: nobody mends more at once.
const PROBLEMS_MAX: usize = 50;

/// One thing wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field: `paging.volumes`, `guests[2].count`; empty where the text as a whole cannot be read.
    pub field: String,
    /// What was given, what is allowed, why.
    pub message: String,
}

/// Everything that is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// At least one problem, in the order of the text. Of very many the first 50 are told, and one more without a field says how many
    /// are left.
    pub problems: Vec<Problem>,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            if problem.field.is_empty() {
                write!(f, "{}", problem.message)?;
            } else {
                write!(f, "{}: {}", problem.field, problem.message)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

/// Reads and checks a scenario in TOML or, where it starts with `{`, in JSON.
pub(super) fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    let unreadable = |message: String| ScenarioError { problems: vec![Problem { field: String::new(), message }] };
    if text.len() > TEXT_BYTES_MAX {
        return Err(unreadable(format!("the text has {} bytes, at most {TEXT_BYTES_MAX} are allowed", text.len())));
    }
    let given: Given = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| unreadable(format!("the text is not JSON: {error}")))?
    } else {
        DeTable::parse(text).map_err(|error| unreadable(toml_message(text, &error)))?.into_inner().into()
    };
    let mut reader = Reader { scenario: Scenario::default(), problems: Vec::new(), left_out: 0, says: Vec::new() };
    reader.read_scenario(given);
    let says = std::mem::take(&mut reader.says);
    reader.scenario.leave_to_level(|path| says.contains(&path));
    if reader.problems.is_empty() {
        reader.problems = relations::problems(&reader.scenario);
    }
    if reader.left_out > 0 {
        reader
            .problems
            .push(Problem { field: String::new(), message: format!("{} more problems are not listed", reader.left_out) });
    }
    match reader.problems.is_empty() {
        true => Ok(reader.scenario),
        false => Err(ScenarioError { problems: reader.problems }),
    }
}

/// Where a text breaks and how. It leaves out the line itself, which may have any length.
fn toml_message(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("the text is not TOML: {} at line {line} column {column}", error.message().replace('\n', ", "))
}

/// Checks the ranges and the relations of a scenario that a program made.
pub(super) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    let mut problems = Vec::new();
    if scenario.guests.is_empty() || scenario.guests.len() > MAX_GROUPS {
        problems.push(group_count_problem(scenario.guests.len()));
    }
    for field in FIELDS {
        let groups = if field.room() == "guests" { scenario.guests.len().min(MAX_GROUPS) } else { 1 };
        for group in 0..groups {
            let given = match field.kind {
                Kind::Whole { get, .. } => Given::Whole(get(scenario, group).into()),
                Kind::Tenths { get, .. } => Given::Number(get(scenario, group).as_f64()),
                Kind::Switch { get, .. } => Given::Switch(get(scenario, group)),
                Kind::Choice { get, .. } => Given::Text(get(scenario, group).into()),
                Kind::Share { get, .. } => Given::Text(get(scenario, group).to_string()),
                Kind::Text { get, .. } => Given::Text(get(scenario, group).into()),
            };
            if !accepts(field, &given) {
                problems.push(range_problem(field, group, &given));
            }
        }
    }
    if problems.is_empty() {
        problems = relations::problems(scenario);
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(ScenarioError { problems }),
    }
}

struct Reader {
    scenario: Scenario,
    problems: Vec<Problem>,
    /// Problems that are only counted.
    left_out: usize,
    /// The fields that the text states.
    says: Vec<&'static str>,
}

impl Reader {
    fn problem(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.note(Problem { field: field.into(), message: message.into() });
    }

    fn note(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        } else {
            self.left_out += 1;
        }
    }

    fn read_scenario(&mut self, given: Given) {
        let Given::Table(entries) = given else {
            return self.problem("", "the text is not a table of fields");
        };
        self.refuse_repeats("", 0, &entries);
        for (key, value) in entries {
            match key.as_str() {
                "guests" => self.read_groups(value),
                _ if TABLES.iter().any(|(table, _)| *table == key) => match value {
                    Given::Table(entries) => {
                        self.refuse_repeats(&key, 0, &entries);
                        for (inner, value) in entries {
                            self.read_field(&key, &inner, 0, value);
                        }
                    }
                    other => self.problem(key, format!("{} given, a table of fields is wanted", other.shown())),
                },
                _ => self.read_field("", &key, 0, value),
            }
        }
    }

    /// Reports each key that stands twice: the model does not guess which of the two is meant.
    fn refuse_repeats(&mut self, room: &str, group: usize, entries: &[(String, Given)]) {
        let mut earlier = BTreeSet::new();
        for (key, _) in entries {
            if !earlier.insert(key) {
                let key: String = key.chars().take(KEY_CHARS_MAX).collect();
                self.problem(place(room, &key, group), "given twice, once is allowed");
            }
        }
    }

    fn read_groups(&mut self, given: Given) {
        let Given::List(groups) = given else {
            return self.problem(
                "guests",
                format!("{} given, a list of guest groups is wanted ([[guests]] in TOML)", given.shown()),
            );
        };
        if groups.is_empty() || groups.len() > MAX_GROUPS {
            return self.note(group_count_problem(groups.len()));
        }
        self.scenario.guests = vec![GuestGroup::default(); groups.len()];
        for (index, group) in groups.into_iter().enumerate() {
            match group {
                Given::Table(entries) => {
                    self.refuse_repeats("guests", index, &entries);
                    // The workload first, so that the group's other fields override it.
                    let (workload, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key == "workload");
                    for (key, value) in workload.into_iter().chain(others) {
                        self.read_field("guests", &key, index, value);
                    }
                }
                other => {
                    self.problem(format!("guests[{index}]"), format!("{} given, a table of fields is wanted", other.shown()))
                }
            }
        }
    }

    fn read_field(&mut self, room: &str, key: &str, group: usize, given: Given) {
        let Some(field) = FIELDS.iter().find(|field| field.is_at(room, key)) else {
            let known: Vec<&str> = if room.is_empty() {
                let tables = TABLES.iter().map(|(table, _)| *table).chain(["guests"]);
                FIELDS.iter().filter(|field| field.room().is_empty()).map(|field| field.path).chain(tables).collect()
            } else {
                FIELDS.iter().filter(|field| field.room() == room).map(|field| field.key()).collect()
            };
            if (room, key) == ("paging", "aliases") {
                return self
                    .problem("paging.aliases", "the aliases are the logical control unit's: the field is lcu.aliases now");
            }
            let key: String = key.chars().take(KEY_CHARS_MAX).collect();
            return self.problem(
                place(room, &key, group),
                format!("there is no such field; the fields here are {}", known.join(", ")),
            );
        };
        if !accepts(field, &given) {
            return self.note(range_problem(field, group, &given));
        }
        self.says.push(field.path);
        let scenario = &mut self.scenario;
        match (field.kind, given) {
            (Kind::Whole { set, .. }, given) => {
                if let Some(value) = whole(field, &given) {
                    set(scenario, group, value);
                }
            }
            (Kind::Tenths { set, .. }, given) => {
                if let Some(value) = tenths(field, &given) {
                    set(scenario, group, value);
                }
            }
            (Kind::Switch { set, .. }, Given::Switch(value)) => set(scenario, group, value),
            (Kind::Choice { set, .. }, Given::Text(value)) => set(scenario, group, &value),
            (Kind::Share { set, .. }, Given::Text(value)) => {
                if let Ok(share) = value.parse() {
                    set(scenario, group, share);
                }
            }
            (Kind::Text { set, .. }, Given::Text(value)) => set(scenario, group, value),
            _ => unreachable!("accepts() lets no other kind pass"),
        }
    }
}

/// The place of a field, as a message names it.
fn place(room: &str, key: &str, group: usize) -> String {
    match room {
        "" => key.into(),
        "guests" => format!("guests[{group}].{key}"),
        _ => format!("{room}.{key}"),
    }
}

/// The value of a field that holds a whole number, given as a number or as a text: `"256 GB"`.
fn whole(field: &Field, given: &Given) -> Option<u64> {
    match given {
        Given::Whole(value) => u64::try_from(*value).ok(),
        Given::Text(text) if quantity::has_unit(text, field.unit) => field.number(text),
        _ => None,
    }
}

/// The same of a field whose number has a decimal.
fn tenths(field: &Field, given: &Given) -> Option<Tenths> {
    match given {
        Given::Text(text) if quantity::has_unit(text, field.unit) => {
            field.number(text).and_then(|tenths| u32::try_from(tenths).ok()).map(Tenths)
        }
        other => other.tenths(),
    }
}

fn accepts(field: &Field, given: &Given) -> bool {
    match (field.kind, given) {
        (Kind::Whole { min, max, .. }, given) => whole(field, given).is_some_and(|value| (min..=max).contains(&value)),
        (Kind::Tenths { min, max, .. }, given) => tenths(field, given).is_some_and(|value| (min..=max).contains(&value)),
        (Kind::Switch { .. }, Given::Switch(_)) => true,
        (Kind::Choice { allowed, .. }, Given::Text(word)) => allowed.contains(&word.as_str()),
        (Kind::Share { max, .. }, Given::Text(text)) => text
            .parse::<super::AliasShare>()
            .is_ok_and(|share| [share.mdisk, share.paging].iter().all(|part| (1..=max).contains(part))),
        (Kind::Text { max_chars, .. }, Given::Text(text)) => (1..=max_chars).contains(&text.chars().count()),
        _ => false,
    }
}

fn range_problem(field: &Field, group: usize, given: &Given) -> Problem {
    // Whoever wrote a unit is told which ones there are.
    let units = match given {
        Given::Text(_) => quantity::names(field.unit),
        _ => Vec::new(),
    };
    let units = if units.is_empty() { String::new() } else { format!("; the units are {}", units.join(", ")) };
    Problem {
        field: place(field.room(), field.key(), group),
        message: format!("{} given, {} is allowed{units}", given.shown(), field.allowed()),
    }
}

fn group_count_problem(count: usize) -> Problem {
    Problem { field: "guests".into(), message: format!("{count} groups given, 1 to {MAX_GROUPS} are allowed") }
}
