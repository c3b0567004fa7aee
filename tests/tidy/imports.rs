//! Imports: which way they run between rooms, and that files of one room do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{House, Source};

/// Imports in a house go one way: down. Test files may import from above.
pub fn upward(house: &House, source: &Source) -> Vec<String> {
    let Some(room) = source.room(house).filter(|_| !source.is_for_tests()) else { return Vec::new() };
    let Some(own) = house.floor(room) else {
        return vec![format!("{}: `{room}` stands on no floor; give it one in tests/tidy", source.path)];
    };
    let depth = source.inside(house).unwrap_or_default().split('/').count();
    let mut problems = Vec::new();
    for (number, line) in source.code() {
        for path in paths(line, "crate") {
            let other = path.split("::").next().unwrap_or_default();
            let below = house.floor(other).is_some_and(|other| other < own);
            if other != room && !below {
                problems.push(format!("{}:{number}: `{room}` may not import `{other}`", source.path));
            }
        }
        if line.contains(&"super::".repeat(depth)) {
            problems.push(format!("{}:{number}: `super` leads out of `{room}`; write `crate::` and the room", source.path));
        }
    }
    problems
}

/// Files of a house that import each other in a circle. Parent and child may: `x.rs` uses functions of `x/y.rs`, and
/// `x/y.rs` types of `x.rs`.
pub fn circles(house: &House, sources: &[Source]) -> Vec<String> {
    let files: BTreeMap<String, &Source> =
        sources.iter().filter(|source| !source.is_for_tests()).filter_map(|one| Some((one.module(house)?, one))).collect();
    let imports: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|(module, source)| (module.as_str(), imported(module, source, &files))).collect();
    let all: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|module| (*module, reached(module, &imports))).collect();
    let mut problems = BTreeSet::new();
    for (module, reaches) in &all {
        let circle: Vec<&str> = reaches.iter().copied().filter(|other| all[other].contains(module)).collect();
        if !circle.is_empty() {
            problems.insert(format!("{}: these import each other in a circle: {}", house.name, circle.join(", ")));
        }
    }
    problems.into_iter().collect()
}

/// Every file that `from` reaches by imports.
fn reached<'a>(from: &'a str, imports: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        let next = imports.get(module).into_iter().flatten().copied();
        open.extend(next.filter(|other| seen.insert(*other)));
    }
    seen
}

/// The other files that a file imports, without its parents and children.
fn imported<'a>(module: &str, source: &Source, files: &'a BTreeMap<String, &Source>) -> BTreeSet<&'a str> {
    let code: String = source.code().map(|(_, line)| format!("{line}\n")).collect();
    let own: Vec<&str> = module.split("::").collect();
    let mut found = BTreeSet::new();
    let mut see = |path: Vec<&str>| {
        let known = (1..=path.len()).rev().map(|length| path[..length].join("::")).find(|path| files.contains_key(path));
        if let Some((other, _)) = known.and_then(|known| files.get_key_value(&known)) {
            let related = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with("::"));
            if other != module && !related(other, module) && !related(module, other) {
                found.insert(other.as_str());
            }
        }
    };
    for path in paths(&code, "crate") {
        see(path.split("::").collect());
    }
    for path in paths(&code, "super") {
        // `super::super::x` from `a::b::c` is `a::x`.
        let rest = path.trim_start_matches("super::");
        let up = 1 + (path.len() - rest.len()) / "super::".len();
        let kept = own.len().saturating_sub(up);
        see(own[..kept].iter().copied().chain(rest.split("::")).collect());
    }
    found
}

/// The paths that code names after `root::`: `a::b` for `root::a::b`, and each of `root::{a::b, c}` and `root::a::{b, c}`.
fn paths(code: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    let start = format!("{root}::");
    for (at, _) in code.match_indices(&start) {
        // `my_crate::` is another crate; the first `super::` stands for `super::super::`; `$crate::` and a plain `crate::`
        // are this one.
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':') {
            continue;
        }
        found.extend(tree(&code[at + start.len()..]));
    }
    found
}

/// The paths of a tree of imports that begins at the start of `text`.
fn tree(text: &str) -> Vec<String> {
    let name: String = text.chars().take_while(|letter| letter.is_alphanumeric() || "_:".contains(*letter)).collect();
    let rest = &text[name.len()..];
    let Some(group) = rest.strip_prefix('{').filter(|_| name.is_empty() || name.ends_with("::")) else {
        return vec![name.trim_end_matches("::").to_string()].into_iter().filter(|name| !name.is_empty()).collect();
    };
    entries(group).into_iter().flat_map(tree).map(|path| format!("{name}{path}")).collect()
}

/// The entries of `{a::b, c::{d, e}}`, after its opening brace.
fn entries(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(group[start..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(group[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}
