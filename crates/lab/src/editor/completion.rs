//! How a line of a host's text may go on: names of fields and tables, and values.

use zvmlab::scenario::fields::{FIELDS, Field, Kind, path::room};

use super::{Described, described, table_of};

/// What may stand at the caret.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    /// What stands before the caret, and is replaced.
    pub typed: String,
    /// What may stand in its place.
    pub ways: Vec<Way>,
}

/// One way to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Its name.
    pub label: String,
    /// A few words on it.
    pub detail: &'static str,
    /// What it is; empty if that is said elsewhere.
    pub help: String,
    /// What is written.
    pub written: String,
}

/// How the text goes on between `before` and `after` the caret.
pub fn completion(before: &str, after: &str) -> Completion {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    let rest = after.split('\n').next().unwrap_or_default();
    if line.starts_with('#') {
        return Completion::default();
    }
    if line.starts_with('[') {
        return Completion { typed: line.into(), ways: tables(before, after, line) };
    }
    let table = before.lines().map(str::trim).rfind(|line| line.starts_with('[')).map_or("", table_of);
    match line.split_once('=') {
        Some((key, typed)) => {
            let typed = typed.trim_start();
            let field = FIELDS.iter().find(|field| field.room() == table && field.key() == key.trim());
            Completion { typed: typed.into(), ways: field.map_or(Vec::new(), |field| values(field, typed, rest)) }
        }
        None => {
            let mut ways = names(before, after, table, line);
            if line.is_empty() && rest.trim().is_empty() {
                ways.extend(tables(before, after, line));
            }
            Completion { typed: line.into(), ways }
        }
    }
}

/// The fields of a table whose names begin as typed and that do not stand in it yet. A name whose value follows comes alone.
fn names(before: &str, after: &str, table: &str, typed: &str) -> Vec<Way> {
    let is_head = |line: &&str| line.trim_start().starts_with('[');
    let above = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).take_while(|line| !is_head(line));
    let below = after.lines().skip(1).take_while(|line| !is_head(line));
    let stated: Vec<&str> = above.chain(below).filter_map(|line| line.split_once('=')).map(|(key, _)| key.trim()).collect();
    let follows = after.split('\n').next().is_some_and(|rest| rest.contains('='));
    let begun = FIELDS.iter().filter(|field| field.room() == table && !field.is_derived());
    let begun = begun.filter(|field| begins(field.key(), typed) && !stated.contains(&field.key()));
    begun
        .map(|field| {
            let Described { key, said, help, line } = described(field);
            let written = if follows { key.into() } else { line };
            Way { label: key.into(), detail: field.label, help: format!("{said}. {help}"), written }
        })
        .collect()
}

/// The heads of tables that begin as typed and do not stand in the text yet. Of guests there may be more groups.
fn tables(before: &str, after: &str, typed: &str) -> Vec<Way> {
    let stated: Vec<&str> =
        before.lines().chain(after.lines()).map(str::trim).filter(|line| line.starts_with('[')).collect();
    let mut heads: Vec<String> = Vec::new();
    for field in FIELDS.iter().filter(|field| !field.room().is_empty()) {
        let name = field.room();
        let head = if name == room::GUESTS { format!("[[{name}]]") } else { format!("[{name}]") };
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    let is_there = |head: &String| {
        head.starts_with("[[") || !stated.iter().any(|line| *line != typed && table_of(line) == table_of(head))
    };
    let ways = heads.into_iter().filter(|head| begins(table_of(head), table_of(typed))).filter(is_there);
    ways.map(|head| Way { label: head.clone(), detail: "table", help: String::new(), written: head }).collect()
}

/// The values of a field that begin as typed: its words, on and off, or its default. `rest` stands behind the caret.
fn values(field: &'static Field, typed: &str, rest: &str) -> Vec<Way> {
    let Described { said, help, line, .. } = described(field);
    let default = line.split_once("= ").map_or("", |(_, value)| value);
    let all: Vec<String> = match field.kind {
        Kind::Choice { allowed, .. } => allowed.iter().map(|word| format!("\"{word}\"")).collect(),
        Kind::Switch { .. } => vec!["true".into(), "false".into()],
        Kind::Text { .. } => Vec::new(),
        // Who has begun to write a number wants another.
        Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. } if typed.is_empty() => vec![default.into()],
        Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. } => Vec::new(),
    };
    let plain = |text: &str| text.trim_matches('"').to_string();
    let begun = all.into_iter().filter(|value| begins(&plain(value), &plain(typed)) && value != typed);
    begun
        .map(|value| {
            // The closing quote may stand there already.
            let written = if rest.starts_with('"') { value.trim_end_matches('"') } else { &value }.to_string();
            let detail = if value == default { "default" } else { "" };
            Way { label: value, detail, help: format!("{said}. {help}"), written }
        })
        .collect()
}

/// Whether a name begins as typed, in small letters or large ones.
fn begins(name: &str, typed: &str) -> bool {
    name.get(..typed.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written, for a text with `|` at the caret.
    fn written(text: &str) -> Vec<String> {
        let (before, after) = text.split_once('|').expect("a caret");
        let completion = completion(before, after);
        assert!(before.ends_with(&completion.typed), "{completion:?}");
        completion.ways.into_iter().map(|way| way.written).collect()
    }

    #[test]
    fn names_go_on_as_fields_that_are_not_there_yet() {
        assert_eq!(written("[paging]\nvol|\n"), ["volumes = 4", "volume_slots = 11793600"]);
        assert_eq!(written("[paging]\nvol|\nvolumes = 4\n[lcu]\n").len(), 1);
        assert_eq!(written("[paging]\nvolumes = 4\nvol|\n").len(), 1);
        assert_eq!(written("[paging]\nvol| = 4\n")[0], "volumes", "its value stands there");
        assert!(
            written("[[guests]]\ncount = 2\n[[guests]]\nco|").iter().any(|way| way.starts_with("count = ")),
            "of another group"
        );
        assert!(written("zz|").is_empty() && written("# le|").is_empty());
        let all = written("level = \"6.4\"\n|\n[paging]\n");
        assert!(all.iter().any(|way| way.starts_with("name = ")) && all.contains(&"[lcu]".into()), "{all:?}");
        assert!(!all.contains(&"[paging]".into()) && !all.iter().any(|way| way.starts_with("level")), "{all:?}");
    }

    #[test]
    fn tables_go_on_as_their_heads() {
        assert_eq!(written("[pa|"), ["[paging]"]);
        assert_eq!(written("[[gu|"), ["[[guests]]"]);
        assert!(written("[paging]\n[pa|").is_empty(), "it stands there");
        assert_eq!(written("[[guests]]\n[[g|"), ["[[guests]]"], "there may be more groups");
    }

    #[test]
    fn values_are_words_switches_and_defaults() {
        assert_eq!(written("level = \"6.|"), ["\"6.1\"", "\"6.2\"", "\"6.2 VM65041\"", "\"6.3\"", "\"6.4\""]);
        assert_eq!(written("level = \"6.4|\"")[0], "\"6.4", "the quote stands there");
        assert_eq!(written("[paging]\nzhpf = |"), ["true", "false"]);
        assert_eq!(written("[paging]\nzhpf = t|"), ["true"]);
        assert_eq!(written("[paging]\nvolumes = |").len(), 1);
        assert!(written("name = \"x|").is_empty() && written("nothing = |").is_empty());
    }

    #[test]
    fn nothing_breaks_at_any_place() {
        let text = "level = \"6.4\" # ü\n[paging]\nvolumes=4\n[[guests]]\nname = \"ä\"\n[\n = = \n";
        for (at, _) in text.char_indices() {
            let completion = completion(&text[..at], &text[at..]);
            assert!(text[..at].ends_with(&completion.typed));
        }
    }
}
