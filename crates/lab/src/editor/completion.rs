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
    let mut ways = Vec::new();
    let mut typed = line;
    if line.starts_with('[') {
        tables(&mut ways, before, after, line);
    } else {
        let head = before.rsplit('\n').find(|line| line.trim_start().starts_with('['));
        let table = head.map_or("", |head| table_of(head.trim()));
        if let Some((key, value)) = line.split_once('=') {
            typed = value.trim_start();
            if let Some(field) = FIELDS.iter().find(|field| field.is_at(table, key.trim())) {
                values(&mut ways, field, typed, rest);
            }
        } else {
            names(&mut ways, before, after, table, line);
            if line.is_empty() && rest.trim().is_empty() {
                tables(&mut ways, before, after, line);
            }
        }
    }
    Completion { typed: typed.into(), ways }
}

/// Adds the fields of a table whose names begin as typed and that do not stand in it yet. A name whose value follows comes alone.
fn names(ways: &mut Vec<Way>, before: &str, after: &str, table: &str, typed: &str) {
    let mut stated = Vec::new();
    state(&mut stated, &mut before.rsplit('\n').skip(1));
    state(&mut stated, &mut after.split('\n').skip(1));
    let follows = after.split('\n').next().is_some_and(|rest| rest.contains('='));
    for field in FIELDS {
        let key = field.key();
        if field.room() == table && !field.is_derived() && begins(key, typed) && !stated.contains(&key) {
            let Described { said, help, line, .. } = described(field);
            let written = if follows { key.into() } else { line };
            ways.push(Way { label: key.into(), detail: field.label, help: [&said, ". ", help].concat(), written });
        }
    }
}

/// Adds the names that have a value in these lines, up to the next head of a table.
fn state<'a>(stated: &mut Vec<&'a str>, lines: &mut dyn Iterator<Item = &'a str>) {
    for line in lines {
        if line.trim_start().starts_with('[') {
            return;
        }
        if let Some((key, _)) = line.split_once('=') {
            stated.push(key.trim());
        }
    }
}

/// Adds the heads of tables that begin as typed and do not stand in the text yet. Of guests there may be more groups.
fn tables(ways: &mut Vec<Way>, before: &str, after: &str, typed: &str) {
    let stands = |name: &str| {
        let stands_in =
            |text: &str| text.split('\n').any(|line| line.trim_start().starts_with('[') && table_of(line) == name);
        // The line of the caret is the last one before it.
        let above = before.rsplit_once('\n').map_or("", |(above, _)| above);
        let below = after.split_once('\n').map_or("", |(_, below)| below);
        stands_in(above) || stands_in(below)
    };
    let mut last = "";
    for field in FIELDS {
        let name = field.room();
        let is_group = name == room::GUESTS;
        if name.is_empty() || name == last || !begins(name, table_of(typed)) || !is_group && stands(name) {
            continue;
        }
        last = name;
        let head = if is_group { ["[[", name, "]]"] } else { ["[", name, "]"] }.concat();
        if ways.iter().all(|way| way.label != head) {
            ways.push(Way { label: head.clone(), detail: "table", help: String::new(), written: head });
        }
    }
}

/// Adds the values of a field that begin as typed: its words, on and off, or its default. `rest` stands behind the caret.
fn values(ways: &mut Vec<Way>, field: &'static Field, typed: &str, rest: &str) {
    let Described { said, help, line, .. } = described(field);
    let default = line.split_once("= ").map_or("", |(_, value)| value);
    let (all, quote): (&[&str], &str) = match &field.kind {
        Kind::Choice { allowed, .. } => (allowed, "\""),
        Kind::Switch { .. } => (&["true", "false"], ""),
        // Who has begun to write a number wants another.
        Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. } if typed.is_empty() => (&[default], ""),
        Kind::Text { .. } | Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. } => (&[], ""),
    };
    for word in all {
        let label = [quote, word, quote].concat();
        if !begins(word, typed.trim_matches('"')) || label == typed {
            continue;
        }
        // The closing quote may stand there already.
        let written = [quote, word, if rest.starts_with('"') { "" } else { quote }].concat();
        let detail = if label == default { "default" } else { "" };
        ways.push(Way { label, detail, help: [&said, ". ", help].concat(), written });
    }
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
