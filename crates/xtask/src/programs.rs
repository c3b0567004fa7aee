//! The programs that cargo compiles tests to, each with the folder of its package.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::command::{EVERYTHING, command, line, root, unreleased};
use crate::kept::Bytes;

/// A program of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it is called: the package's library or program, or the file of the tests.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The folder of its package.
    pub package: PathBuf,
    /// Whether it runs tests. Others are what tests of the package may call.
    pub is_test: bool,
}

impl Program {
    /// A command that runs its tests as cargo does, and has it report the time of each.
    pub fn tests(&self) -> Command {
        let mut tests = command(&self.file, &["-Z", "unstable-options", "--report-time"]);
        tests.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package);
        // It reports times only if this variable allows unstable options. The compiler does not get it: it would take it as permission
        // to use unstable features, and compile everything again.
        tests.env("RUSTC_BOOTSTRAP", "1");
        tests
    }

    /// The bytes of the program and of those that its tests may call.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn bytes(&self, all: &[Program]) -> Result<Bytes, String> {
        let mut others = all.iter().filter(|other| !other.is_test && other.package == self.package);
        others.try_fold(Bytes::of("").and(&self.file)?, |bytes, other| bytes.and(&other.file))
    }
}

/// Has cargo compile what `test`, a `cargo test` without arguments for the tests themselves, would run. Returns the programs.
///
/// # Errors
/// When something does not compile, or cargo tells of no program.
pub fn compiled(mut test: Command) -> Result<Vec<Program>, String> {
    test.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let line = line(&test);
    println!("  $ {line}");
    let told = test.stderr(Stdio::inherit()).output().map_err(|error| format!("{line}: {error}"))?;
    if !told.status.success() {
        return Err(format!("{line}: {}", told.status));
    }
    let mut programs: Vec<Program> = String::from_utf8_lossy(&told.stdout).lines().filter_map(read).collect();
    // Cargo tells of them as they are done, each time in another order.
    programs.sort_by(|a, b| a.file.cmp(&b.file));
    if programs.is_empty() { Err(format!("{line}: no program")) } else { Ok(programs) }
}

/// The program that drives the page in browsers. It is compiled once in a run, however many steps ask for it.
///
/// # Errors
/// When it does not compile.
pub fn of_browsers() -> Result<PathBuf, String> {
    static FILE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FILE.get_or_init(find_that_of_browsers).clone()
}

fn find_that_of_browsers() -> Result<PathBuf, String> {
    let all = compiled(unreleased(&[&["test"], &EVERYTHING[..], &["--test", "browser"]].concat()))?;
    // The page's own tests in wasm have the same name.
    let ours = all.into_iter().find(|program| program.is_test && program.package == root().join("tests"));
    ours.map(|program| program.file).ok_or_else(|| "cargo compiled no program that drives browsers".into())
}

/// The program of a line of cargo's messages, if it tells of one.
fn read(line: &str) -> Option<Program> {
    let text = |name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
        rest.split_once('"').map(|(text, _)| text).filter(|text| !text.contains('\\'))
    };
    let file = PathBuf::from(text("executable")?);
    let package = Path::new(text("manifest_path")?).parent()?.to_path_buf();
    // What is compiled, and then how: both have a word of tests. The first name is that of the target.
    let is_test = line.split_once("\"profile\":").is_some_and(|(_, how)| how.contains("\"test\":true"));
    Some(Program { name: text("name")?.into(), file, package, is_test })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_what_cargo_tells() {
        let line = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///a/crates/lab#0.1.0","manifest_path":"/a/crates/lab/Cargo.toml","target":{{"kind":["test"],"crate_types":["bin"],"name":"lessons","src_path":"/a/crates/lab/tests/lessons.rs","edition":"2024","doc":false,"doctest":false,"test":true}},"profile":{{"opt_level":"0","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":{test}}},"features":[],"filenames":["/a/x"],"executable":{executable},"fresh":true}}"#
            )
        };
        let program = read(&line(true, "\"/a/target/debug/deps/lessons-1\"")).expect("it tells of one");
        assert_eq!((program.name.as_str(), program.is_test), ("lessons", true));
        assert_eq!((program.file, program.package), ("/a/target/debug/deps/lessons-1".into(), "/a/crates/lab".into()));
        assert!(!read(&line(false, "\"/a/target/debug/zvmlab\"")).expect("it tells of one").is_test);
        assert_eq!(read(&line(false, "null")), None);
        assert_eq!(read(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
