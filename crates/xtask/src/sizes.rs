//! What a visitor downloads: the size of each file of the page, in bytes, raw and after brotli.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::engines::found;

use crate::command::{root, say};
use crate::drivers::all_required;
use crate::editor;

/// A file of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its path inside the page, with slashes.
    pub name: String,
    /// Its bytes.
    pub raw: usize,
    /// Its bytes after brotli at its best level; `None` if this machine cannot compress with it.
    pub brotli: Option<usize>,
}

/// The sizes of every file below a folder, in the order of their names.
pub fn measured(folder: &Path) -> Vec<Size> {
    let read = |file: PathBuf| {
        let content = fs::read(&file).ok()?;
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string().replace('\\', "/");
        Some(Size { name, raw: content.len(), brotli: brotli_bytes(&content) })
    };
    files(folder).unwrap_or_default().into_iter().filter_map(read).collect()
}

/// The sum of all files: raw, and after brotli.
fn sum<'a>(sizes: impl IntoIterator<Item = &'a Size>) -> (usize, Option<usize>) {
    sizes
        .into_iter()
        .fold((0, Some(0)), |(raw, brotli), size| (raw + size.raw, brotli.zip(size.brotli).map(|(sum, bytes)| sum + bytes)))
}

/// A line for each file, and one for the sum.
pub fn print(sizes: &[Size]) {
    for Size { name, raw, brotli } in sizes {
        print_size(name, *raw, *brotli);
    }
    let (raw, brotli) = sum(sizes);
    print_size("all files", raw, brotli);
}

fn print_size(name: &str, raw: usize, brotli: Option<usize>) {
    let brotli = brotli.map_or("not measured: neither brotli nor node is here".into(), |bytes| format!("{bytes:>9} bytes"));
    println!("  {name:<28} raw {raw:>9} bytes   brotli {brotli}");
}

/// Whether this machine can compress with brotli: by the `brotli` command or by node.
pub fn can_be_measured() -> bool {
    found("brotli").is_some() || found("node").is_some()
}

/// Compares the size of dist/ with what `tests/size-budget.toml` allows.
///
/// # Errors
/// When it is larger, or one of the two cannot be read.
pub fn within_budget() -> Result<(), String> {
    let file = root().join("tests/size-budget.toml");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let sizes = measured(&root().join("dist"));
    print(&sizes);
    check(&text, &sizes, all_required())
}

/// Prints both sums and the size of the editor, with what the budget allows. A page may do without an editor unless `all` is required.
fn check(budget: &str, sizes: &[Size], all: bool) -> Result<(), String> {
    let [later, on_demand] = ["loaded_later", "loaded_on_demand"].map(|key| names(budget, key, sizes));
    let (later, on_demand) = (later?, on_demand?);
    let is_one_of = |names: &[&str], size: &Size| names.iter().any(|name| is_named(name, &size.name));
    let first_visit = || sizes.iter().filter(|size| !is_one_of(&on_demand, size));
    let first_screen = first_visit().filter(|size| !is_one_of(&later, size));
    let mut over = Vec::new();
    for (what, bytes) in [("first_visit", sum(first_visit()).1), ("first_screen", sum(first_screen).1)] {
        let bytes = bytes.ok_or("brotli could not be had")?;
        let [most, goal] = ["bytes", "goal"].map(|word| number(budget, &format!("{what}_{word}")));
        let (most, goal) = (most?, goal?);
        println!("  {what:<28} {bytes:>9} bytes after brotli, {most} allowed, {goal} wanted");
        // Without npm there is no bundler either, which makes scripts and style sheets small.
        if bytes > most && sizes.iter().any(|size| size.name == editor::FILE) {
            over.push(format!("{what} has {} bytes more than tests/size-budget.toml allows", bytes - most));
        }
    }
    match sizes.iter().find(|size| size.name == editor::FILE) {
        Some(size) => {
            let (bytes, most) = (size.brotli.ok_or("brotli could not be had")?, number(budget, "editor_bytes")?);
            println!("  {:<28} {bytes:>9} bytes after brotli, {most} allowed", "editor");
            if bytes > most {
                over.push(format!("the editor has {} bytes more than tests/size-budget.toml allows", bytes - most));
            }
        }
        None if all => over.push(format!("the page has no {}", editor::FILE)),
        None => say("the page has no editor, and its scripts are not made small, as npm was not there when it was built"),
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("; ")) }
}

/// The value after `key = ` in a file that has a line for each key.
fn value<'a>(text: &'a str, key: &str) -> Result<&'a str, String> {
    let mut lines = text.lines().filter_map(|line| line.split_once('='));
    let found = lines.find(|(name, _)| name.trim() == key).map(|(_, value)| value.split('#').next().unwrap_or_default());
    found.map(str::trim).ok_or_else(|| format!("tests/size-budget.toml does not say {key}"))
}

/// Whether the budget's name is that of a file, or of a folder above it.
fn is_named(name: &str, file: &str) -> bool {
    file == name || name.ends_with('/') && file.starts_with(name)
}

/// The files that a line of the budget names. The page must have each but its editor.
fn names<'a>(budget: &'a str, key: &str, sizes: &[Size]) -> Result<Vec<&'a str>, String> {
    let names = value(budget, key)?.split(['[', ']', ',', '"', ' ']).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let is_missing = |name: &str| name != editor::FILE && sizes.iter().all(|size| !is_named(name, &size.name));
    match names.iter().find(|name| is_missing(name)) {
        Some(name) => Err(format!("{key} names {name}, which the page does not have")),
        None => Ok(names),
    }
}

fn number(text: &str, key: &str) -> Result<usize, String> {
    let digits = value(text, key)?.replace('_', "");
    digits.parse().map_err(|_| format!("tests/size-budget.toml: {key} is not a number: {digits}"))
}

/// Every file below a folder, in the order of their names.
///
/// # Errors
/// When a folder cannot be read.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The size after brotli at its best level, by the `brotli` command or by node, whichever this machine has.
fn brotli_bytes(content: &[u8]) -> Option<usize> {
    let mut command = if let Some(brotli) = found("brotli") {
        let mut command = Command::new(brotli);
        command.args(["-q", "11", "-c"]);
        command
    } else {
        let script = "process.stdout.write(require('zlib').brotliCompressSync(require('fs').readFileSync(0)))";
        let mut command = Command::new(found("node")?);
        command.args(["-e", script]);
        command
    };
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let content = content.to_vec();
    // A thread of its own writes, because the child may answer before it has read everything.
    let writer = std::thread::spawn(move || input.write_all(&content));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    output.status.success().then_some(output.stdout.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: &str = "first_visit_bytes = 1_000 # all\nfirst_visit_goal = 600\nfirst_screen_bytes = 500\n\
        first_screen_goal = 250\neditor_bytes = 90\nloaded_later = [\"engine.wasm\", \"worker.js\"]\nloaded_on_demand = [\"model.html\", \"static/editor.js\"]\n";

    fn checked(page: usize, engine: usize) -> Result<(), String> {
        let size = |name: &str, bytes| Size { name: name.into(), raw: 2 * bytes, brotli: Some(bytes) };
        let sizes = [
            size("engine.wasm", engine),
            size("model.html", 9_999),
            size("page.wasm", page),
            size("worker.js", 10),
            size(editor::FILE, 1),
        ];
        check(BUDGET, &sizes, false)
    }

    #[test]
    fn the_editor_has_a_budget_of_its_own() {
        let size = |name: &str, bytes| Size { name: name.into(), raw: bytes, brotli: Some(bytes) };
        let rest = ["engine.wasm", "worker.js", "model.html"].map(|name| size(name, 1));
        let with = |bytes| [&rest[..], &[size(editor::FILE, bytes)]].concat();
        assert_eq!(check(BUDGET, &with(90), true), Ok(()));
        assert!(check(BUDGET, &with(91), false).is_err_and(|why| why.contains("the editor has 1 bytes more")));
        assert_eq!(check(BUDGET, &rest, false), Ok(()), "npm was not there");
        assert!(check(BUDGET, &rest, true).is_err(), "CI=true asks for it");
    }

    #[test]
    fn what_is_within_the_budget_passes_and_a_byte_more_does_not() {
        assert_eq!(checked(500, 490), Ok(()));
        assert!(checked(500, 491).is_err_and(|why| why.contains("first_visit has 1 bytes more")));
        assert!(checked(501, 100).is_err_and(|why| why.contains("first_screen has 1 bytes more")));
        assert!(check(BUDGET, &[], false).is_err_and(|why| why.contains("engine.wasm")), "a file that is gone");
        assert!(check("", &[], false).is_err());
    }
}
