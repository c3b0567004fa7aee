//! A host as text that a person edits: the fields that matter, in TOML, and the line at which something is wrong.

use serde_json::Value;
use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    FIELDS, Field,
    path::{self, room},
};
use zvmlab::scenario::{Problem, ScenarioError};

/// Stated even where they have their defaults: without them a host says little.
const STATED: &[&str] = &[
    path::NAME,
    path::LEVEL,
    path::PROCESSORS_COUNT,
    path::STORAGE_CENTRAL_MB,
    path::PAGING_VOLUMES,
    path::LCU_ALIASES,
    path::GUESTS_NAME,
    path::GUESTS_COUNT,
    path::GUESTS_VIRTUAL_MB,
    path::GUESTS_LOOP_MB,
];

/// What the first line says.
const HEAD: &str = "# Fields that do not stand here have their defaults.\n";

/// MB in a GB.
const GB: u64 = 1_024;

/// The host as TOML, without fields that have their defaults.
pub fn text(scenario: &Scenario) -> String {
    let [own, default] =
        [scenario, &Scenario::default()].map(|one| serde_json::from_str(&one.to_json()).unwrap_or(Value::Null));
    let mut text = HEAD.to_string();
    let mut rooms: Vec<&str> = Vec::new();
    for field in FIELDS.iter().filter(|field| field.room() != room::GUESTS) {
        if !rooms.contains(&field.room()) {
            rooms.push(field.room());
        }
    }
    // The top level first, before any table begins.
    rooms.sort_by_key(|room| !room.is_empty());
    for name in rooms {
        let (own, default) = if name.is_empty() { (&own, &default) } else { (&own[name], &default[name]) };
        let head = if name.is_empty() { String::new() } else { format!("\n[{name}]\n") };
        write(&mut text, head, name, own, default);
    }
    for group in own[room::GUESTS].as_array().into_iter().flatten() {
        write(&mut text, format!("\n[[{}]]\n", room::GUESTS), room::GUESTS, group, &default[room::GUESTS][0]);
    }
    text
}

/// Writes the fields of a table that are stated, below its head.
fn write(text: &mut String, head: String, room: &str, own: &Value, default: &Value) {
    let is_stated = |field: &&Field| {
        let (own, default) = (&own[field.key()], &default[field.key()]);
        STATED.contains(&field.path) || own != default && !own.is_null() && !field.is_derived()
    };
    let lines: String = FIELDS
        .iter()
        .filter(|field| field.room() == room)
        .filter(is_stated)
        .map(|field| format!("{} = {}\n", field.key(), literal(field, &own[field.key()])))
        .collect();
    if !lines.is_empty() {
        text.push_str(&head);
        text.push_str(&lines);
    }
}

/// A value as TOML has it: JSON has the same texts, numbers and switches. Whole gigabytes are written as such.
fn literal(field: &Field, value: &Value) -> String {
    match value.as_u64() {
        Some(mb) if field.unit == "MB" && mb > 0 && mb.is_multiple_of(GB) => format!("\"{} GB\"", mb / GB),
        _ => value.to_string(),
    }
}

/// One thing wrong with a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// In which line, counted from 1; none if it is not in any.
    pub line: Option<usize>,
    /// What it is.
    pub said: String,
}

/// Everything that is wrong with `text`, each at its line.
pub fn wrong(text: &str, error: &ScenarioError) -> Vec<Wrong> {
    let of = |problem: &Problem| match problem.field.as_str() {
        "" => Wrong { line: line_in(&problem.message), said: problem.message.clone() },
        field => Wrong { line: line_of(text, field), said: format!("{field}: {}", problem.message) },
    };
    error.problems.iter().map(of).collect()
}

/// The line that a message of the TOML parser names.
fn line_in(message: &str) -> Option<usize> {
    message.split_once("at line ")?.1.split(' ').next()?.parse().ok()
}

/// What a line of a text is about.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    /// Nothing that has a help.
    Nothing,
    /// A field, whose value stands there.
    Field(Described),
    /// The beginning of a name: these fields begin so.
    Begun(Vec<Described>),
}

/// A field in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name in the table of the line.
    pub key: &'static str,
    /// What it is called on the page, and what is allowed.
    pub said: String,
    /// What it is.
    pub help: &'static str,
    /// The line that gives it its default.
    pub line: String,
}

/// Most fields that are proposed for the beginning of a name. Chosen: what fits below the text.
const PROPOSED_MAX: usize = 6;

/// What the line of this number, counted from 1, is about.
pub fn about(text: &str, number: usize) -> About {
    let Some(line) = text.lines().nth(number.saturating_sub(1)).map(str::trim) else { return About::Nothing };
    if line.is_empty() || line.starts_with(['#', '[']) {
        return About::Nothing;
    }
    let headers = text.lines().take(number).map(str::trim).filter(|line| line.starts_with('['));
    let table = headers.last().map_or("", |line| line.trim_matches(['[', ']', ' ']));
    let name = line.split('=').next().unwrap_or_default().trim();
    let path = if table.is_empty() { name.to_string() } else { format!("{table}.{name}") };
    if line.contains('=') {
        let field = FIELDS.iter().find(|field| field.path == path);
        return field.map_or(About::Nothing, |field| About::Field(described(field)));
    }
    let begun = FIELDS.iter().filter(|field| field.path.starts_with(&path) && field.room() == table);
    About::Begun(begun.take(PROPOSED_MAX).map(described).collect())
}

fn described(field: &'static Field) -> Described {
    let default: Value = serde_json::from_str(&Scenario::default().to_json()).unwrap_or(Value::Null);
    let table = match field.room() {
        "" => &default,
        room::GUESTS => &default[room::GUESTS][0],
        room => &default[room],
    };
    Described {
        key: field.key(),
        said: format!("{}: {}", field.label, field.allowed()),
        help: field.help,
        line: format!("{} = {}", field.key(), literal(field, &table[field.key()])),
    }
}

/// The text with another line of this number, counted from 1.
pub fn with_line(text: &str, number: usize, line: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let lines = lines.into_iter().zip(1..).map(|(old, at)| if at == number { line } else { old });
    lines.collect::<Vec<_>>().join("\n")
}

/// The line of a field: `paging.volumes`, `guests[2].count`; that of its table if the field does not stand in the text.
fn line_of(text: &str, field: &str) -> Option<usize> {
    let (table, key) = field.rsplit_once('.').unwrap_or(("", field));
    let mut here = String::new();
    let (mut groups, mut of_table) = (0, None);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.starts_with("[[") {
            here = format!("{}[{groups}]", line.trim_matches(['[', ']', ' ']));
            groups += 1;
        } else if line.starts_with('[') {
            here = line.trim_matches(['[', ']', ' ']).to_string();
        } else {
            let name = line.split('=').next().unwrap_or_default().trim();
            let whole = format!("{here}.{name}");
            if whole.trim_start_matches('.') == field || here == table && name == key {
                return Some(number);
            }
            // A table in one line.
            if here.is_empty() && name == table && !table.is_empty() {
                of_table = of_table.or(Some(number));
            }
        }
        if here == table && !here.is_empty() {
            of_table = of_table.or(Some(number));
        }
    }
    of_table
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab::scenario::examples::EXAMPLES;

    #[test]
    fn every_host_is_the_same_after_its_text() {
        let published = crate::published::runs().into_iter().map(|run| run.scenario);
        let examples = EXAMPLES.iter().map(|example| Scenario::parse(example.text).expect("a scenario"));
        let mut own = Scenario { name: "a \"quoted\" name, with ü and \\".into(), ..Scenario::default() };
        own.guests.push(own.guests[0].clone());
        own.guests[1].think_ms = zvmlab::scenario::Tenths(15);
        for scenario in published.chain(examples).chain([own]) {
            let text = text(&scenario);
            let read = Scenario::parse(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", scenario.name));
            assert_eq!(read, scenario, "{text}");
            assert!(text.lines().count() < 140, "{} lines of {}", text.lines().count(), scenario.name);
        }
    }

    #[test]
    fn sizes_are_in_gigabytes_and_defaults_are_left_out() {
        let text = text(&Scenario::default());
        assert!(text.contains("[storage]\ncentral_mb = \"128 GB\"\n") && text.contains("[[guests]]\n"), "{text}");
        assert!(!text.contains("zhpf") && text.lines().count() < 25, "{text}");
    }

    #[test]
    fn a_line_is_explained_and_a_name_completed() {
        let text = "level = \"6.4\"\npag\n[paging]\nvol\nvolumes = 4\n[[guests]]\ncount = 3\nzz\n# why\n";
        let keys = |number: usize| match about(text, number) {
            About::Begun(fields) => fields.iter().map(|field| field.key).collect::<Vec<_>>(),
            About::Field(field) => vec![field.key, "="],
            About::Nothing => vec!["nothing"],
        };
        assert_eq!((keys(1), keys(5), keys(7)), (vec!["level", "="], vec!["volumes", "="], vec!["count", "="]));
        assert_eq!((keys(4), keys(8)), (vec!["volumes", "volume_slots"], vec![]));
        assert_eq!((keys(3), keys(9), keys(99)), (vec!["nothing"], vec!["nothing"], vec!["nothing"]));
        let About::Begun(fields) = about(text, 4) else { panic!("a beginning") };
        assert_eq!(with_line(text, 4, &fields[0].line), text.replace("vol\n", "volumes = 4\n"));
        assert!(fields[0].said.contains("a whole number from"), "{}", fields[0].said);
    }

    #[test]
    fn what_is_wrong_stands_at_its_line() {
        let text = "level = \"6.2\"\nlcu.aliases = 999\npaging = { volumes = 99 }\n\n[storage]\ncentral_mb = 1\n[[guests]]\ncount = 1\n[[guests]]\ncount = 0\nspeed = 1\n";
        let error = Scenario::parse(text).expect_err("much is wrong");
        let lines: Vec<(Option<usize>, String)> = wrong(text, &error)
            .into_iter()
            .map(|wrong| (wrong.line, wrong.said.split(':').next().unwrap_or_default().into()))
            .collect();
        let at = |field: &str| lines.iter().find(|(_, name)| name == field).and_then(|(line, _)| *line);
        assert_eq!(at("lcu.aliases"), Some(2), "{lines:?}");
        assert_eq!(at("paging.volumes"), Some(3), "{lines:?}");
        assert_eq!(at("storage.central_mb"), Some(6), "{lines:?}");
        assert_eq!((at("guests[1].count"), at("guests[1].speed")), (Some(10), Some(11)), "{lines:?}");
        let broken = "level = \"6.4\"\nname = = 3\n";
        let error = Scenario::parse(broken).expect_err("no TOML");
        assert_eq!(wrong(broken, &error).first().and_then(|wrong| wrong.line), Some(2));
    }
}
