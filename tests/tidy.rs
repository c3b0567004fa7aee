//! Keeps the house in order: reads the tree and checks name-plates, sizes, the direction of imports and a few bans.

use std::fs;
use std::path::Path;

use zvmlab_tests::root;

/// The most lines a file may have.
const MAX_LINES: usize = 500;

/// The floors of the model, from the ground up: a file imports from floors below its own, never from its own or above.
/// `kernel` is the ground: it imports from itself only.
const FLOORS: &[&[&str]] = &[
    &["kernel"],
    &["constants"],
    &["scenario"],
    &["snapshot"],
    &["devices", "locks", "minidisk", "paging", "prsm", "scheduler", "storage", "workload"],
    // The link between members, and a relocation over it.
    &["isfc", "relocation"],
    // Takes the priorities that the scheduler gives.
    &["dispatcher"],
    &["member"],
    &["simulation"],
    &["measurement"],
    &["adviser", "experiment"],
    &["report"],
];

/// What the model must not know: the browser, the clock, and collections whose order is not its own.
const NOT_IN_THE_MODEL: &[&str] =
    &["web_sys", "js_sys", "wasm_bindgen", "std::time", "std::thread", "HashMap", "HashSet", "SystemTime"];

/// A Rust file of the tree: where it stands, with slashes, and what is in it.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    /// The lines before the unit tests, numbered from 1, without comments. The unit tests of a file stand at its end.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        lines.map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
    }

    /// The module of the model that the file belongs to: `kernel` for `kernel.rs` and for `kernel/queue.rs`.
    fn room(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("crates/zvmlab/src/")?;
        inside.split(['/', '.']).next().filter(|room| *room != "lib")
    }

    /// How many `super` lead from a file of the model to its crate's root: 1 from `paging.rs`, 2 from `paging/path.rs`.
    fn depth(&self) -> usize {
        self.path.split('/').count() - "crates/zvmlab/src".split('/').count()
    }
}

/// Every Rust file of the repository that is ours.
fn sources() -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    for folder in ["crates", "web", "tests", "tools"] {
        collect(&root, &root.join(folder), &mut found);
    }
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder can be read to its end").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "node_modules", "dist"].contains(&name.as_str()) {
                collect(root, &path, found);
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a source is UTF-8");
            let path = path.strip_prefix(root).expect("it was found below the root").to_string_lossy().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}

/// The first line says what the file is.
fn name_plate(source: &Source) -> Vec<String> {
    let first = source.text.lines().next().unwrap_or_default();
    let good = first.strip_prefix("//! ").is_some_and(|plate| plate.trim().len() >= 10);
    (!good).then(|| format!("{}:1: the first line is not a `//!` name-plate", source.path)).into_iter().collect()
}

/// A file that is too long holds more than one thing.
fn size(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    (lines > MAX_LINES).then(|| format!("{}: {lines} lines, more than {MAX_LINES}", source.path)).into_iter().collect()
}

/// Imports of the model run one way.
fn imports(source: &Source) -> Vec<String> {
    let Some(room) = source.room() else { return Vec::new() };
    let Some(own) = floor(room) else {
        return vec![format!("{}: `{room}` stands on no floor; give it one in tests/tidy.rs", source.path)];
    };
    let mut problems = Vec::new();
    for (number, line) in source.code() {
        for other in rooms_named(line) {
            let below = floor(&other).is_some_and(|other| other < own);
            if other != room && !below {
                problems.push(format!("{}:{number}: `{room}` may not import `{other}`", source.path));
            }
        }
        if line.contains(&"super::".repeat(source.depth())) {
            problems.push(format!("{}:{number}: `super` leads out of `{room}`; write `crate::` and the room", source.path));
        }
    }
    problems
}

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The rooms that a line of code names as `crate::room` or `crate::{room, …}`. A name from the crate's face, like
/// `crate::Scenario`, counts as a room of that name: imports come from the home module, not through lib.rs.
fn rooms_named(line: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        // `my_crate::` is another crate; `$crate::` and a plain `crate::` are this one.
        if line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let rest = &line[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => rooms.extend(outer_names(group)),
            None => rooms.extend(first_word(rest)),
        }
    }
    rooms
}

/// The first word of each entry of `{a::b, c::{d, e}}`, after its opening brace.
fn outer_names(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut names) = (0, true, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            _ if start && !letter.is_whitespace() => {
                names.extend(first_word(&group[at..]));
                start = false;
            }
            _ => {}
        }
    }
    names
}

fn first_word(text: &str) -> Option<String> {
    let word: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    (!word.is_empty()).then_some(word)
}

/// The model knows no browser, no clock and no hash map.
fn model_bans(source: &Source) -> Vec<String> {
    if source.room().is_none() {
        return Vec::new();
    }
    let banned = |line: &str| NOT_IN_THE_MODEL.iter().find(|word| line.contains(**word)).copied();
    let hits = source.code().filter_map(|(number, line)| banned(line).map(|word| (number, word)));
    hits.map(|(number, word)| format!("{}:{number}: the model may not use {word}", source.path)).collect()
}

/// A panic in the page is a page that stands still without a word.
fn page_bans(source: &Source) -> Vec<String> {
    if !source.path.starts_with("web/src/") {
        return Vec::new();
    }
    let hits = source.code().filter(|(_, line)| line.contains(".unwrap()"));
    hits.map(|(number, _)| format!("{}:{number}: no unwrap() in the page", source.path)).collect()
}

/// All checks of one file.
fn problems(source: &Source) -> Vec<String> {
    [name_plate, size, imports, model_bans, page_bans].iter().flat_map(|check| check(source)).collect()
}

#[test]
fn the_tree_is_tidy() {
    let sources = sources();
    assert!(sources.len() > 20, "only {} sources found: the test looks in the wrong place", sources.len());
    let problems: Vec<String> = sources.iter().flat_map(problems).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Asserts how many problems a file with this content would have.
fn check(path: &str, text: &str, expected: usize) {
    let found = problems(&Source::new(path, text));
    assert_eq!(found.len(), expected, "{path}: {text:?}: {found:?}");
}

/// A file of the model whose code is one line.
fn check_line(room: &str, line: &str, expected: usize) {
    check(&format!("crates/zvmlab/src/{room}.rs"), &format!("//! A room of the model.\n{line}\n"), expected);
}

#[test]
fn a_file_without_a_name_plate_is_found() {
    check("web/src/a.rs", "//! What this file is.\n", 0);
    check("web/src/a.rs", "use std::fmt;\n", 1);
    check("web/src/a.rs", "//!\n", 1);
    check("web/src/a.rs", "", 1);
}

#[test]
fn a_long_file_is_found() {
    let text = |lines: usize| format!("//! A file of many lines.\n{}", "\n".repeat(lines - 1));
    check("tests/a.rs", &text(MAX_LINES), 0);
    check("tests/a.rs", &text(MAX_LINES + 1), 1);
}

#[test]
fn imports_upward_and_sideways_are_found() {
    check_line("simulation", "use crate::paging::Volume;", 0);
    check_line("paging", "use crate::kernel::time::Instant;", 0);
    check_line("paging/queue", "use crate::paging::Volume;", 0);
    check_line("paging", "use crate::{constants, kernel::time::{Instant, Span}, scenario};", 0);
    check_line("paging", "use crate::storage::Frame;", 1);
    check_line("paging", "    let x = crate::storage::frames();", 1);
    check_line("paging", "use crate::{constants::DRIVER, storage::{Frame, Page}, simulation};", 2);
    check_line("storage/frames", "use crate::simulation::Event;", 1);
    check_line("kernel/queue", "use crate::scenario::Scenario;", 1);
    check_line("kernel/queue", "use crate::kernel::time::Instant;", 0);
    check_line("constants", "use crate::scenario::Level;", 1);
    check_line("snapshot", "use crate::storage::Storage;", 1);
    check_line("paging", "use other_crate::storage::Frame;", 0);
    check_line("paging", "// use crate::storage::Frame; is what we do not do", 0);
    check_line("paging", "#[cfg(test)]\nmod tests { use crate::storage::Frame; }", 0);
}

#[test]
fn a_way_round_through_the_face_of_the_crate_is_found() {
    check_line("paging", "use crate::Simulation;", 1);
    check_line("newroom", "use crate::kernel::time::Instant;", 1);
    check_line("paging", "use super::storage::Frame;", 1);
    check_line("paging/path", "use super::super::storage::Frame;", 1);
    check_line("paging/path", "use super::Volume;", 0);
}

#[test]
fn the_browser_and_the_clock_are_found_in_the_model() {
    for line in ["use web_sys::window;", "use std::time::Instant;", "let m: HashMap<u8, u8>;", "use js_sys::Date;"] {
        check_line("storage", line, 1);
        check("web/src/a.rs", &format!("//! A file of the page.\n{line}\n"), 0);
    }
}

#[test]
fn unwrap_is_found_in_the_page() {
    check("web/src/a.rs", "//! A file of the page.\nlet x = y.unwrap();\n", 1);
    check("web/src/a.rs", "//! A file of the page.\nlet x = y.unwrap_or(0);\n", 0);
    check("web/src/a.rs", "//! A file of the page.\n#[cfg(test)]\nmod tests { y.unwrap(); }\n", 0);
    check("tests/a.rs", "//! A test of something.\nlet x = y.unwrap();\n", 0);
}
