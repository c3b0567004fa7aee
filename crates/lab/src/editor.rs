//! A host as text that a person edits: the fields that matter, in TOML, and the line at which something is wrong.

pub mod completion;

use serde_json::Value;
use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    FIELDS, Field,
    path::{self, room},
};
use zvmlab::scenario::{Level, Problem, ScenarioError};

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
    let plain = Scenario { level: Level::default(), ..Scenario::plain(scenario.level) };
    let [own, default] = [scenario, &plain].map(|one| serde_json::from_str(&one.to_json()).unwrap_or(Value::Null));
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

/// Most fields that a text follows. Chosen: where more differ, it is another host, of which the reader's comments do not speak.
const FOLLOWED_MAX: usize = 6;

/// The reader's `text`, which says `was`, changed as little as possible to say `now`: comments and order stay. None if that cannot be
/// done line by line.
pub fn followed(text: &str, was: &Scenario, now: &Scenario) -> Option<String> {
    // Where a line was not what it seemed, the text is written anew.
    carried(text, was, now).filter(|text| Scenario::parse(text).as_ref() == Ok(now))
}

/// The reader's `text`, which said `was` before its last changes, with what differs from it in `now`: what was written and what was turned
/// at the same time. None where the text is no host, before or after.
pub fn merged(text: &str, was: &Scenario, now: &Scenario) -> Option<String> {
    Scenario::parse(text).ok()?;
    carried(text, was, now).filter(|text| Scenario::parse(text).is_ok())
}

/// The text with each field that differs between two hosts as in the second.
fn carried(text: &str, was: &Scenario, now: &Scenario) -> Option<String> {
    if was.guests.len() != now.guests.len() {
        return None;
    }
    let [was, as_now] = [was, now].map(|one| serde_json::from_str::<Value>(&one.to_json()).unwrap_or(Value::Null));
    let differs = |field: &&Field, place: &Option<usize>| at(&was, field, *place) != at(&as_now, field, *place);
    let groups = || (0..now.guests.len()).map(Some);
    let changed: Vec<(&Field, Option<usize>)> = FIELDS
        .iter()
        .filter(|field| !field.is_derived())
        .flat_map(|field| match field.room() {
            room::GUESTS => groups().map(|group| (field, group)).collect(),
            _ => vec![(field, None)],
        })
        .filter(|(field, place)| differs(field, place))
        .collect();
    if changed.len() > FOLLOWED_MAX {
        return None;
    }
    let mut text = text.to_string();
    for (field, place) in changed {
        text = with_value(&text, field, place, &literal(field, at(&as_now, field, place)))?;
    }
    Some(text)
}

/// The value of a field, of a group of guests where it is one of theirs.
fn at<'a>(of: &'a Value, field: &Field, group: Option<usize>) -> &'a Value {
    match (group, field.room()) {
        (Some(group), room) => &of[room][group][field.key()],
        (None, "") => &of[field.key()],
        (None, room) => &of[room][field.key()],
    }
}

/// The text with another value of a field: in its line, else in a new line of its table, which is added where there is none.
fn with_value(text: &str, field: &Field, group: Option<usize>, literal: &str) -> Option<String> {
    let table = group.map_or(field.room().to_string(), |group| format!("{}[{group}]", field.room()));
    let name = if table.is_empty() { field.key().into() } else { format!("{table}.{}", field.key()) };
    let stated = format!("{} = {literal}", field.key());
    let lines: Vec<&str> = text.split('\n').collect();
    match lines_of(text, &name) {
        (Some(number), _) => {
            let (key, value) = lines.get(number - 1)?.split_once('=')?;
            let rest = value.trim_start().get(value_length(value.trim_start())..)?;
            Some(with_line(text, number, &format!("{key}= {literal}{rest}")))
        }
        (None, Some(number)) => Some(with_line(text, number, &format!("{}\n{stated}", lines.get(number - 1)?))),
        // The top level ends where the first table begins.
        (None, None) if table.is_empty() => {
            let top: usize =
                lines.iter().take_while(|line| !line.trim_start().starts_with('[')).map(|line| line.len() + 1).sum();
            let (before, after) = text.split_at_checked(top.min(text.len()))?;
            let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
            Some(format!("{before}{end}{stated}\n{after}"))
        }
        (None, None) => Some(format!("{}\n\n[{table}]\n{stated}\n", text.trim_end())),
    }
}

/// How many bytes of a line the value at its begin takes: to the closing quote, or to the comment or the end.
fn value_length(line: &str) -> usize {
    match line.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let mut escaped = false;
            let closes = |(_, letter): &(usize, char)| {
                let closes = *letter == quote && !escaped;
                escaped = quote == '"' && *letter == '\\' && !escaped;
                closes
            };
            line.char_indices().skip(1).find(closes).map_or(line.len(), |(at, _)| at + 1)
        }
        _ => line.split('#').next().unwrap_or_default().trim_end().len(),
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

/// Everything that is wrong with `text`, each at its line, from the first line to the last. What no line says comes at the end.
pub fn wrong(text: &str, error: &ScenarioError) -> Vec<Wrong> {
    let of = |problem: &Problem| match problem.field.as_str() {
        "" => Wrong { line: line_in(&problem.message), said: problem.message.clone() },
        field => Wrong { line: line_of(text, field), said: format!("{field}: {}", problem.message) },
    };
    let mut wrong: Vec<Wrong> = error.problems.iter().map(of).collect();
    wrong.sort_by_key(|one| one.line.unwrap_or(usize::MAX));
    wrong
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
    let table = headers.last().map_or("", table_of);
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
        help: field.help(),
        line: format!("{} = {}", field.key(), literal(field, &table[field.key()])),
    }
}

/// The text with another line of this number, counted from 1.
pub fn with_line(text: &str, number: usize, line: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let lines = lines.into_iter().zip(1..).map(|(old, at)| if at == number { line } else { old });
    lines.collect::<Vec<_>>().join("\n")
}

/// The table that the line of its header names: `guests` of `[[guests]] # all alike`.
fn table_of(header: &str) -> &str {
    header.split('#').next().unwrap_or_default().trim_matches(['[', ']', ' ', '\t'])
}

/// The line of a field: `paging.volumes`, `guests[2].count`; that of its table if the field does not stand in the text.
fn line_of(text: &str, field: &str) -> Option<usize> {
    let (own, of_table) = lines_of(text, field);
    own.or(of_table)
}

/// The line of a field, and the last line before it that names its table.
fn lines_of(text: &str, field: &str) -> (Option<usize>, Option<usize>) {
    let (table, key) = field.rsplit_once('.').unwrap_or(("", field));
    let mut here = String::new();
    let (mut groups, mut of_table) = (0, None);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.starts_with("[[") {
            here = format!("{}[{groups}]", table_of(line));
            groups += 1;
        } else if line.starts_with('[') {
            here = table_of(line).to_string();
        } else {
            let name = line.split('=').next().unwrap_or_default().trim();
            let whole = format!("{here}.{name}");
            if whole.trim_start_matches('.') == field || here == table && name == key {
                return (Some(number), of_table);
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
    (None, of_table)
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

    #[test]
    fn a_text_follows_the_knobs_with_its_comments_and_in_its_order() {
        let written = "# my host\nlevel = \"6.4\" # as at home\nname = \"a # b\"\n[paging]\nvolumes = 4 # of 3390-54\n\n[[guests]] # web\ncount = 2\n[[guests]]\nname = \"DB\"\nvirtual_mb = \"2 GB\"# large\nloop_mb = 512\n";
        let was = Scenario::parse(written).expect("a scenario");
        let mut now = was.clone();
        (now.paging.volumes, now.lcu.aliases, now.guests[1].virtual_mb) = (6, 3, 4_096);
        (now.guests[0].loop_mb, now.name) = (1_000, "c # \"d\"".into());
        let text = followed(written, &was, &now).expect("five fields differ");
        assert_eq!(Scenario::parse(&text), Ok(now.clone()), "{text}");
        for kept in [
            "# my host\n",
            "# as at home\n",
            "volumes = 6 # of 3390-54",
            "\"4 GB\"# large",
            "[[guests]] # web\nloop_mb = 1000\n",
        ] {
            assert!(text.contains(kept), "{kept} in {text}");
        }
        assert!(text.ends_with("[lcu]\naliases = 3\n"), "{text}");
        assert_eq!(followed(&text, &now, &was).and_then(|text| Scenario::parse(&text).ok()), Some(was.clone()), "and back");
        assert_eq!(followed(written, &was, &Scenario { guests: vec![was.guests[0].clone()], ..was.clone() }), None);
        assert_eq!(followed("paging = { volumes = 4 }", &was, &now), None, "it does not say what it should");
    }

    #[test]
    fn what_was_written_and_what_was_turned_meanwhile_are_both_kept() {
        let was = Scenario::parse("[lcu]\naliases = 6\n").expect("a scenario");
        let mut now = was.clone();
        (now.lcu.aliases, now.paging.volumes) = (8, 5);
        let text = merged("[lcu]\naliases = 7 # mine\npaths = 4\n", &was, &now).expect("it is a host");
        let both = Scenario::parse(&text).expect("it still is");
        assert_eq!((both.lcu.aliases, both.lcu.paths, both.paging.volumes), (8, 4, 5), "{text}");
        assert!(text.contains("aliases = 8 # mine\n"), "{text}");
        assert_eq!(
            merged("[lcu]\naliases = 7 #", &was, &was).as_deref(),
            Some("[lcu]\naliases = 7 #"),
            "nothing was turned"
        );
        assert_eq!(merged("[lcu]\naliases = ", &was, &now), None, "the reader is not done yet");
        assert_eq!(merged("[lcu]\naliases = 7\npaths = 99\n", &was, &now), None, "it is no host");
    }

    #[test]
    fn the_top_level_ends_before_the_first_table() {
        for written in ["", "[paging]\nvolumes = 4\n", "level = \"6.4\"", "# why\n\n[paging]\nvolumes = 4"] {
            let was = Scenario::parse(written).expect("a scenario");
            let now = Scenario { name: "Mine".into(), ..was.clone() };
            let text = followed(written, &was, &now).unwrap_or_else(|| panic!("{written}"));
            assert!(text.contains("name = \"Mine\"\n"), "{text}");
        }
    }
}
