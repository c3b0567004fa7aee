//! The pinned build tools of tools/: wasm-bindgen for the page, and the tools that only tests use.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Background, cargo, command, path_with, root, run, say, set_options_of_wasm};

/// The manifest of the tools, which have a lock file of their own.
pub const MANIFEST: &str = "tools/Cargo.toml";

/// The page's tool.
const PAGE: &str = "pinned-bindgen";

/// Which packages of tools/.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// wasm-bindgen's library with our own command. Building the page needs no more.
    Page,
    /// The page's tool, wasm-pack and wasm-bindgen's test runner. Built together, they share their dependencies.
    All,
}

impl Tools {
    /// Builds the tools that are missing or whose versions have changed; cargo decides.
    ///
    /// # Errors
    /// When they do not build.
    pub fn build(self) -> Result<(), String> {
        run(self.building())
    }

    /// The same, at the same time as other work.
    pub fn build_beside(self) -> Background {
        Background::start(self.building())
    }

    fn building(self) -> Command {
        let mut build = of_the_tools("build");
        build.args(match self {
            Tools::Page => &["--package", PAGE][..],
            Tools::All => &["--workspace"],
        });
        build
    }
}

/// The tests of the page's tool.
pub fn tests() -> Command {
    let mut tests = of_the_tools("test");
    tests.args(["--quiet", "--package", PAGE]);
    tests
}

/// Has cargo do something with the tools.
fn of_the_tools(subcommand: &str) -> Command {
    // Their own target folder, whatever CARGO_TARGET_DIR says: packages of two lock files do not share a folder well.
    let mut command = cargo(&[subcommand, "--locked", "--manifest-path", MANIFEST, "--target-dir", "tools/target"]);
    // Nobody who builds the page can act on a warning about the tools' dependencies and some later compiler.
    command.env("CARGO_FUTURE_INCOMPAT_REPORT_FREQUENCY", "never");
    command
}

/// The folder that holds the tools' programs.
fn folder() -> PathBuf {
    root().join("tools/target/debug")
}

/// Whether the page's tool has been built, in any version.
pub fn page_tool_is_there() -> bool {
    folder().join("bindgen").is_file()
}

/// Who loads a compiled wasm file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// A page, as modules.
    Web,
    /// Node.
    Node,
}

/// What becomes of a compiled wasm file, besides the script that loads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'a> {
    /// One file, in which functions have no names: they are a third of the download.
    Whole,
    /// One file in which functions keep their names, for a person who looks for a fault.
    Named,
    /// Two files: the second has the functions that this list names.
    Divided(&'a Path),
    /// One file that tells which of its functions were called.
    Probe,
}

/// Writes into `package` what `host` loads of a compiled wasm file.
///
/// # Errors
/// When wasm-bindgen refuses the file, or it cannot be brought into this form.
pub fn bind(wasm: &Path, host: Host, form: Form, package: &Path) -> Result<(), String> {
    run(binding(wasm, host, form, package))
}

/// The same, at the same time as other work.
pub fn bind_beside(wasm: &Path, host: Host, form: Form, package: &Path) -> Background {
    Background::start(binding(wasm, host, form, package))
}

fn binding(wasm: &Path, host: Host, form: Form, package: &Path) -> Command {
    let target = match host {
        Host::Web => "web",
        Host::Node => "nodejs",
    };
    let mut bindgen = command(folder().join("bindgen"), &[target]);
    bindgen.arg(wasm).arg(package);
    match form {
        Form::Whole => &mut bindgen,
        Form::Named => bindgen.arg("--keep-names"),
        Form::Divided(list) => bindgen.arg("--rest").arg(list),
        Form::Probe => bindgen.arg("--probe"),
    };
    say(&format!("wasm-bindgen lays out {}", package.display()));
    bindgen
}

/// wasm-pack with the pinned tools first on its path.
pub fn wasm_pack(arguments: &[&str]) -> Command {
    let mut command = command(folder().join("wasm-pack"), arguments);
    command.env("PATH", path_with(&folder()));
    set_options_of_wasm(&mut command);
    command
}

/// The program that runs wasm tests, in node or in a browser.
pub fn test_runner() -> PathBuf {
    folder().join("wasm-bindgen-test-runner")
}
