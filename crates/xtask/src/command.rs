//! Other programs: finds them, shows their command lines, runs them.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outcome::{Outcome, Reader};

/// All features that any package needs. Clippy, the native tests, the browser tests and the programs that lay out the page share
/// what is compiled this way. Another choice of packages needs other features, and would compile everything again.
pub const FEATURES: [&str; 3] = ["--locked", "--features", "zvmlab-tests/browser,zvmlab-web/first-screen"];

/// What the program that writes the types of npm's package needs besides.
pub const TYPESCRIPT: [&str; 2] = ["--features", "zvmlab-npm/typescript"];

/// The same with all packages, which some commands take unasked and others do not. The model's sources count under one of their names.
pub const EVERYTHING: [&str; 6] = ["--workspace", "--exclude", "zvmlab-unoptimised", FEATURES[0], FEATURES[1], FEATURES[2]];

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/xtask stands two levels below the root").to_path_buf()
}

/// Prints a message about the work under way.
pub fn say(text: &str) {
    println!("run: {text}");
    // Output may be a pipe; without a flush the message would appear too late.
    std::io::stdout().flush().ok();
}

/// Where a program of this repository is, compiled as everything here that is not released.
pub fn program(name: &str) -> PathBuf {
    root().join("target/debug").join(name)
}

/// Compiles the command line's program, and returns its file. Cargo leaves there what it compiled last, which with other packages has other
/// features, and so other bytes.
///
/// # Errors
/// When it does not compile.
pub fn command_line() -> Result<PathBuf, String> {
    run(unreleased(&[&["build", "--quiet"], &FEATURES[..], &["--bin", "zvmlab"]].concat()))?;
    Ok(program("zvmlab"))
}

/// A command that runs in the root of the repository.
pub fn command(program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs this program, in the root of the repository.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments);
    set_options_of_wasm(&mut cargo);
    cargo
}

/// Whether clippy compiles what is not released.
static LINTS: AtomicBool = AtomicBool::new(false);

/// From now on clippy compiles what is not released. It compiles as the compiler does, and tells of lints on its way; `cargo clippy`
/// reads everything that is depended on once more, and then the sources. Measured: the model that it compiled ran as fast, and gave the
/// same bytes.
pub fn lint() {
    LINTS.store(true, Ordering::Relaxed);
}

/// The same cargo, for what is not released: if anything is linted, everything is, and so compiled once.
pub fn unreleased(arguments: &[&str]) -> Command {
    let mut cargo = cargo(arguments);
    set_clippy(&mut cargo);
    cargo
}

/// Has the cargo that `command` runs compile by clippy, if it is to. As `cargo clippy` does it.
pub fn set_clippy(command: &mut Command) {
    if LINTS.load(Ordering::Relaxed) {
        let beside_cargo = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("clippy-driver"));
        let driver = beside_cargo.filter(|driver| driver.is_file()).unwrap_or_else(|| "clippy-driver".into());
        command.env("RUSTC_WORKSPACE_WRAPPER", driver);
    }
}

/// Sets the compiler's options for wasm. What is compiled so holds no path of this machine, and is the same bytes in every folder; its
/// functions have names that tell for which types they are made. Whoever compiles to wasm needs the same options: with others, cargo
/// compiles everything again.
pub fn set_options_of_wasm(command: &mut Command) {
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("{} -C symbol-mangling-version=v0", remapped()));
}

/// The compiler's options that replace the folders of crates and of this repository by names. The option cannot be given for a folder
/// with a space in its path.
pub fn remapped() -> &'static str {
    static OPTIONS: OnceLock<String> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        fetch_sources();
        remapping()
    })
}

/// Has cargo fetch the sources of crates: on a fresh machine their folder is not there before, and could not be replaced by a name.
/// Where there is no network, what is there must do.
fn fetch_sources() {
    let mut fetch = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), &["fetch", "--locked"]);
    fetch.args(["--target", "wasm32-unknown-unknown"]);
    if !fetch.status().is_ok_and(|status| status.success()) {
        say("cargo could not fetch the sources of crates; going on with what is there");
    }
}

fn remapping() -> String {
    let crates = sources().into_iter().map(|source| (source, "/crates"));
    let all = crates.chain([(root(), "/zvmlab")]).filter(|(from, _)| !from.to_string_lossy().contains(char::is_whitespace));
    let options = all.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    options.collect::<Vec<_>>().join(" ")
}

/// The machine that the compiler compiles for unless told otherwise, by its name of the compiler.
///
/// # Errors
/// When the compiler does not say.
pub fn host() -> Result<String, String> {
    let told = command("rustc", &["-vV"]).output().map_err(|error| format!("rustc: {error}"))?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from).ok_or_else(|| "rustc does not say for which host it compiles".into())
}

/// The variable from which cargo takes the compiler's options for a target.
pub fn flags_of(target: &str) -> String {
    format!("CARGO_TARGET_{}_RUSTFLAGS", target.to_uppercase().replace('-', "_"))
}

/// The folders in which cargo keeps the sources of crates.
pub fn sources() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let registries = home.map(|home| home.join("registry/src")).and_then(|folder| fs::read_dir(folder).ok());
    registries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The command line as a person would type it.
pub fn line(command: &Command) -> String {
    // A program's folder differs from machine to machine, but its name does not.
    let cargo = std::env::var_os("CARGO");
    let name =
        |word: &OsStr| if Some(word) == cargo.as_deref() { "cargo".into() } else { word.to_string_lossy().into_owned() };
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program.to_string_lossy().into_owned()).chain(command.get_args().map(name));
    words.collect::<Vec<_>>().join(" ")
}

/// Shows the command, runs it and waits for it.
///
/// # Errors
/// When it cannot start or does not succeed.
pub fn run(mut command: Command) -> Result<(), String> {
    let line = line(&command);
    println!("  $ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("{line}: {error}")),
    }
}

/// A command that runs beside other work. Its output is kept, and shown only when it fails.
pub struct Background {
    line: String,
    child: std::io::Result<Child>,
}

impl Background {
    /// Shows the command and starts it.
    pub fn start(mut command: Command) -> Background {
        let line = line(&command);
        println!("  $ {line} &");
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Background { line, child }
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// When it could not start or does not succeed.
    pub fn wait(self) -> Result<(), String> {
        let output = self.child.and_then(Child::wait_with_output).map_err(|error| format!("{}: {error}", self.line))?;
        if output.status.success() {
            return Ok(());
        }
        eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(format!("{}: {}", self.line, output.status))
    }
}

/// Shows the command, runs it, prints the part of its output that a person wants to see, and adds up its test results. A
/// command that fails without a failed test counts as one failure. So does a command that finds no test, because nobody
/// would notice that it tests nothing.
pub fn run_tests(command: Command) -> Outcome {
    let line = line(&command);
    println!("  $ {line}");
    let mut outcome = run_quietly(command);
    if outcome.passed + outcome.failed == 0 {
        println!("  {line}: no test ran");
        outcome.failed = 1;
    }
    outcome
}

/// The same of a program that may have no test, and whose line nobody wants to see.
pub fn run_quietly(mut command: Command) -> Outcome {
    let line = line(&command);
    let mut reader = Reader::default();
    let failed = match command.stdout(Stdio::piped()).spawn() {
        Err(error) => Some(error.to_string()),
        Ok(mut child) => {
            let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
            for text in output.lines().map_while(Result::ok) {
                if reader.take(&text) {
                    println!("{text}");
                }
            }
            match child.wait() {
                Ok(status) if status.success() => None,
                Ok(status) => Some(status.to_string()),
                Err(error) => Some(error.to_string()),
            }
        }
    };
    let mut outcome = reader.finish();
    if let Some(reason) = failed {
        println!("  {line}: {reason}");
        outcome.failed = outcome.failed.max(1);
    }
    outcome
}

/// The path with `folder` in front.
pub fn path_with(folder: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_a_failure() {
        assert_eq!(run_tests(command("false", &[])), Outcome::new(0, 1));
        assert_eq!(run_tests(command("no-such-program", &[])), Outcome::new(0, 1));
        assert_eq!(run_tests(command("true", &[])), Outcome::new(0, 1), "no test ran");
        assert!(run(command("false", &[])).is_err());
        assert!(run(command("true", &[])).is_ok());
        assert!(Background::start(command("false", &[])).wait().is_err());
        assert!(Background::start(command("no-such-program", &[])).wait().is_err());
        assert!(Background::start(command("true", &[])).wait().is_ok());
    }

    #[test]
    fn results_are_added_up() {
        let script =
            "echo 'test result: ok. 3 passed; 0 failed; 0 ignored'; echo 'test result: FAILED. 1 passed; 2 failed;'; exit 1";
        assert_eq!(run_tests(command("sh", &["-c", script])), Outcome::new(4, 2));
    }

    #[test]
    fn the_folders_of_crates_are_known() {
        assert!(remapped().contains("=/crates"), "{}", remapped());
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("rust-toolchain.toml").is_file());
    }
}
