//! `python`: builds the wheel of the Python package and runs its tests, in a virtual environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::engines::{found, version};

use crate::command::{
    command, command_line, flags_of, path_with, program, remapped, root, run as run_command, say, set_clippy,
};
use crate::kept::{Bytes, Kept};
use crate::licences;
use crate::outcome::Outcome;
use crate::site::{about, copy_file, names_no_folder};

/// The folder of the package.
const PACKAGE: &str = "crates/python";

/// Where the virtual environment and the wheels are.
const PLACE: &str = "target/python";

/// The licences of what a wheel of a release is compiled from; there only while it is built.
const LICENCES: &str = "python/zvmlab/licences.txt";

/// Builds the wheel, installs it and runs its tests; `arguments` go to pytest.
///
/// # Errors
/// When Python is missing, the wheel does not build, or a test fails.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if let Some(why) = missing() {
        return Err(why);
    }
    let python = environment()?;
    install(&python)?;
    run_command(mypy(&python))?;
    run_command(pytest(&python, arguments))
}

/// The same as a step of `test`: a test for the build, one for the types, and those of pytest.
pub fn step(kept: &Kept) -> Outcome {
    let built = environment().and_then(|python| install(&python).map(|()| python));
    let python = match &built {
        Ok(python) => python,
        Err(_) => return Outcome::of(&built),
    };
    Outcome::of(&built) + kept.or("Python package", bytes(python), || tested(python))
}

/// What the tests depend on: interpreter, what is installed beside the package, wheel, command line, and what they read.
fn bytes(python: &Path) -> Result<Bytes, String> {
    let wheel = only_file(&root().join(PLACE).join("wheels"))?;
    let installed = root().join(PACKAGE).join("requirements.txt");
    Bytes::of(&version(python)?).and(&installed)?.and(&wheel)?.and(&command_line()?)?.and_data()
}

/// Types, then tests.
fn tested(python: &Path) -> Outcome {
    let types = Outcome::of(&run_command(mypy(python)));
    let counts = root().join(PLACE).join("tests.xml");
    let _ = fs::remove_file(&counts);
    let tested = run_command(pytest(python, &["--junit-xml", &counts.display().to_string()]));
    let (all, failed) = fs::read_to_string(&counts).ok().and_then(|text| counted(&text)).unwrap_or((0, 0));
    // A run that fails without a failed test has failed all the same.
    let failed = if tested.is_err() { failed.max(1) } else { failed };
    types + Outcome::new(all.saturating_sub(failed), failed)
}

/// Why the package cannot be tested here, if it cannot.
pub fn missing() -> Option<String> {
    let python = found("python3")
        .map(|python| command(python, &["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"]));
    match python.map(|mut probe| probe.stderr(std::process::Stdio::null()).status()) {
        None => Some("python3 not found".into()),
        Some(Ok(status)) if status.success() => None,
        Some(_) => {
            Some("python3 is older than 3.10, or has no venv (on Debian and Ubuntu: apt-get install python3-venv)".into())
        }
    }
}

/// The Python of the virtual environment, made anew when the list of what is installed has changed.
fn environment() -> Result<PathBuf, String> {
    let folder = root().join(PLACE).join("venv");
    let python = folder.join("bin/python");
    let wanted = root().join(PACKAGE).join("requirements.txt");
    let done = folder.join("installed.txt");
    if fs::read(&wanted).ok().is_some_and(|wanted| fs::read(&done).is_ok_and(|done| done == wanted)) {
        return Ok(python);
    }
    let base = found("python3").ok_or("python3 not found")?;
    run_command(command(base, &["-m", "venv", "--clear", &folder.display().to_string()]))?;
    run_command(pip(&python, &["--requirement", &wanted.display().to_string()]))?;
    fs::copy(&wanted, &done).map_err(|error| format!("{}: {error}", done.display()))?;
    Ok(python)
}

/// Builds the wheel and installs it, and the command line, whose bytes the tests compare with.
fn install(python: &Path) -> Result<(), String> {
    command_line()?;
    let wheels = root().join(PLACE).join("wheels");
    let mut build = building(python, "dev", &wheels)?;
    set_clippy(&mut build);
    run_command(build)?;
    let wheel = only_file(&wheels)?;
    say(&format!("installing {}", wheel.file_name().unwrap_or_default().to_string_lossy()));
    run_command(pip(python, &["--no-deps", "--force-reinstall", &wheel.display().to_string()]))
}

/// maturin, which leaves a wheel of its own in `wheels`.
fn building(python: &Path, profile: &str, wheels: &Path) -> Result<Command, String> {
    // One wheel at a time: which one is meant is then plain.
    if wheels.exists() {
        fs::remove_dir_all(wheels).map_err(about(wheels))?;
    }
    let mut build = command(python.with_file_name("maturin"), &["build", "--quiet", "--locked", "--profile", profile]);
    build.arg("--manifest-path").arg(format!("{PACKAGE}/Cargo.toml"));
    build.arg("--out").arg(wheels).arg("--interpreter").arg(python);
    build.env("PATH", path_with(&python.with_file_name("")));
    Ok(build)
}

/// The file in a folder that holds one.
fn only_file(folder: &Path) -> Result<PathBuf, String> {
    let mut all = fs::read_dir(folder).map_err(about(folder))?.flatten();
    match (all.next(), all.next()) {
        (Some(one), None) => Ok(one.path()),
        _ => Err(format!("{} does not hold one file", folder.display())),
    }
}

/// Builds the wheel of a release, for this kind of machine, and puts it into a folder. `time` is that of its files.
///
/// # Errors
/// When it does not build, or holds a path of this machine.
pub fn wheel(host: &str, time: &str, folder: &Path) -> Result<PathBuf, String> {
    let python = environment()?;
    let text = root().join(PACKAGE).join(LICENCES);
    licences::write(&["zvmlab-python"], host, &[], &text)?;
    let wheels = root().join(PLACE).join("release");
    let mut build = building(&python, "wheel", &wheels)?;
    build.args(["--target", host]).env(flags_of(host), remapped()).env("SOURCE_DATE_EPOCH", time);
    // They would take the place of the flags above.
    build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    build.arg("--target-dir").arg(root().join("target"));
    let built = run_command(build);
    fs::remove_file(&text).map_err(about(&text))?;
    built?;
    let library = format!("{}zvmlab_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    names_no_folder(&root().join("target").join(host).join("wheel").join(library))?;
    let wheel = only_file(&wheels)?;
    let to = folder.join(wheel.file_name().unwrap_or_default());
    copy_file(&wheel, &to)?;
    Ok(to)
}

/// `pip install` with these arguments. It compiles nothing: Python compiles what a program imports, and that is little of it.
pub fn pip(python: &Path, arguments: &[&str]) -> Command {
    let fixed = ["pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];
    module(python, &[&fixed[..], arguments].concat())
}

/// A module of Python with its arguments. Python keeps what it compiles, even on a machine where it usually does not: else each of the
/// many interpreters of the tests would compile the same again.
fn module(python: &Path, arguments: &[&str]) -> Command {
    let mut module = command(python, &[&["-m"], arguments].concat());
    module.env_remove("PYTHONDONTWRITEBYTECODE");
    module
}

/// Types: of the package with its stubs, of the examples, and of the proof of sweeps.
fn mypy(python: &Path) -> Command {
    let mut mypy = module(python, &["mypy", "--strict", "python", "examples", "proof", "tests"]);
    mypy.current_dir(root().join(PACKAGE));
    mypy
}

/// The tests, against the wheel as it is installed.
fn pytest(python: &Path, arguments: &[&str]) -> Command {
    let mut pytest = module(python, &[&["pytest"], arguments].concat());
    pytest.current_dir(root().join(PACKAGE)).env("ZVMLAB_CLI", program("zvmlab"));
    pytest
}

/// Tests and failures of a JUnit file of pytest. Tests that were skipped do not count.
fn counted(text: &str) -> Option<(u64, u64)> {
    let number = |name: &str| {
        let (_, rest) = text.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse::<u64>().ok()
    };
    let failed = number("failures")? + number("errors")?;
    Some((number("tests")?.saturating_sub(number("skipped")?), failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_and_what_is_skipped_is_no_test() {
        let text =
            r#"<testsuites name="pytest"><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="40" time="1">"#;
        assert_eq!(counted(text), Some((37, 3)));
        assert_eq!(counted("<testsuite>"), None);
    }
}
