//! The licences of what the page contains: the crates compiled into its programs and the packages in its editor, each under the
//! licence that we take it under.
//!
//! Our own, as a tool for this (cargo-about) would take minutes to compile on each fresh machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{cargo, root, sources};

/// A crate that is not our own, as cargo tells it; or a package of npm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Used {
    /// Name and version, with a hyphen between them: the name of its folder.
    pub name: String,
    /// Its licence expression.
    pub licence: String,
}

impl Used {
    /// From a line of `cargo tree`: `name v1.2.3|MIT`. `None` for our own packages, behind whose versions stands a path.
    fn read(line: &str) -> Option<Used> {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let (name, version) = package.split_once(" v")?;
        let is_foreign = !version.contains(' ');
        is_foreign.then(|| Used { name: format!("{name}-{version}"), licence: licence.to_string() })
    }

    /// Whether it may be taken under the Apache License, whose text is the same for every crate.
    fn offers_apache(&self) -> bool {
        !self.licence.contains("AND") && self.licence.replace('/', " ").split_whitespace().any(|word| word == "Apache-2.0")
    }
}

/// What `packages` are compiled from for `target`.
fn used(packages: &[&str], target: &str) -> Result<Vec<Used>, String> {
    let mut tree = cargo(&["tree", "--quiet", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    tree.args(["--format", "{p}|{l}", "--target", target]);
    tree.args(packages.iter().flat_map(|package| ["--package", package]));
    let output = tree.output().map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut used: Vec<Used> = String::from_utf8_lossy(&output.stdout).lines().filter_map(Used::read).collect();
    used.sort();
    used.dedup();
    Ok(used)
}

/// The texts of the licences in a crate's folder.
fn texts(folder: &Path) -> Result<Vec<String>, String> {
    let about = |error: std::io::Error| format!("{}: {error}", folder.display());
    let is_licence = |name: &str| {
        let name = name.to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|begin| name.starts_with(begin))
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).map_err(about)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file() && file.file_name().is_some_and(|name| is_licence(&name.to_string_lossy())));
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).map_err(about)).collect()
}

/// Writes the licences of everything that `packages` contain for `target`, of the packages of npm in `more` with their texts, and our own,
/// to `file`.
///
/// # Errors
/// When cargo does not tell what they contain, when a crate has no text of its licence, or when the file cannot be written.
pub fn write(packages: &[&str], target: &str, more: &[(Used, String)], file: &Path) -> Result<(), String> {
    let used = used(packages, target)?;
    let sources = sources();
    let (under_apache, others): (Vec<&Used>, Vec<&Used>) = used.iter().partition(|one| one.offers_apache());
    let mut by_text: BTreeMap<String, Vec<&Used>> = BTreeMap::new();
    for one in others {
        let folder = sources.iter().map(|source| source.join(&one.name)).find(|folder| folder.is_dir());
        let texts = folder.map(|folder| texts(&folder)).transpose()?.unwrap_or_default();
        if texts.is_empty() {
            return Err(format!("{} ({}) has no text of its licence among its sources", one.name, one.licence));
        }
        by_text.entry(texts.join("\n").trim().to_string()).or_default().push(one);
    }
    for (one, text) in more {
        by_text.entry(text.trim().to_string()).or_default().push(one);
    }
    let ours = |name: &str| fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"));
    let mut all = format!(
        "zvmlab\n\nMIT OR Apache-2.0. The text of the second stands below.\n\n{}\n\nWhat its programs are compiled from, under the Apache License, Version 2.0\n\n",
        ours("LICENSE-MIT")?.trim()
    );
    all.extend(under_apache.iter().map(|one| format!("{} ({})\n", one.name, one.licence)));
    all += "The standard library of Rust (MIT OR Apache-2.0)\n\n";
    all += ours("LICENSE-APACHE")?.trim();
    for (text, crates) in by_text {
        all += "\n\n----\n\n";
        all.extend(crates.iter().map(|one| format!("{} ({})\n", one.name, one.licence)));
        all += "\n";
        all += &text;
    }
    fs::write(file, all + "\n").map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cargo_is_a_crate_unless_it_is_our_own() {
        let read = |line| Used::read(line).map(|used| (used.name, used.licence));
        assert_eq!(read("slab v0.4.12|MIT (*)"), Some(("slab-0.4.12".into(), "MIT".into())));
        assert_eq!(read("zvmlab v0.1.0 (/some/where/crates/zvmlab)|MIT OR Apache-2.0"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn the_apache_license_is_taken_where_it_is_offered() {
        let offers = |licence: &str| Used { name: String::new(), licence: licence.into() }.offers_apache();
        for licence in ["MIT OR Apache-2.0", "Apache-2.0/MIT", "Apache-2.0 / MIT", "Apache-2.0"] {
            assert!(offers(licence), "{licence}");
        }
        for licence in ["MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "Apache-2.0 WITH LLVM-exception AND MIT"] {
            assert!(!offers(licence), "{licence}");
        }
    }
}
