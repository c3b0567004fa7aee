//! The pinned build tools of tools/: wasm-bindgen for the page, and what only tests use.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Background, cargo, command, path_with, root, run, say};

/// Which packages of tools/.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// wasm-bindgen's library with a command of ours: all that building the page needs.
    Page,
    /// Those, and wasm-pack and wasm-bindgen's test runner. Built together they share their dependencies.
    All,
}

impl Tools {
    /// Builds the tools where they are missing or their versions changed; cargo decides.
    ///
    /// # Errors
    /// When they do not build.
    pub fn build(self) -> Result<(), String> {
        run(self.building())
    }

    /// The same beside other work.
    pub fn build_beside(self) -> Background {
        Background::start(self.building())
    }

    fn building(self) -> Command {
        // Their own target folder, whatever CARGO_TARGET_DIR says: two lock files do not mix well in one.
        let mut build = cargo(&["build", "--locked", "--manifest-path", "tools/Cargo.toml", "--target-dir", "tools/target"]);
        build.args(match self {
            Tools::Page => &["--package", "pinned-bindgen"][..],
            Tools::All => &["--workspace"],
        });
        // The tools' dependencies are what they are; a warning about some later compiler helps nobody who builds the page.
        build.env("CARGO_FUTURE_INCOMPAT_REPORT_FREQUENCY", "never");
        build
    }
}

/// The folder that holds the tools' programs.
fn folder() -> PathBuf {
    root().join("tools/target/debug")
}

/// Whether the page's tool was built before, in whatever version.
pub fn page_tool_is_there() -> bool {
    folder().join("bindgen").is_file()
}

/// What loads a compiled wasm file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// A page, as modules.
    Web,
    /// Node.
    Node,
}

/// Whether functions keep their names, which only a person who looks for a fault reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// They stay.
    Kept,
    /// They go: they are a third of the download.
    Dropped,
}

/// Lays into `package` what `host` loads of a compiled wasm file.
///
/// # Errors
/// When wasm-bindgen refuses the file.
pub fn bind(wasm: &Path, host: Host, names: Names, package: &Path) -> Result<(), String> {
    let target = match host {
        Host::Web => "web",
        Host::Node => "nodejs",
    };
    let mut bindgen = command(folder().join("bindgen"), &[target]);
    bindgen.arg(wasm).arg(package);
    if names == Names::Kept {
        bindgen.arg("--keep-names");
    }
    say(&format!("wasm-bindgen lays out {}", package.display()));
    run(bindgen)
}

/// wasm-pack with the pinned tools first on its path.
pub fn wasm_pack(arguments: &[&str]) -> Command {
    let mut command = command(folder().join("wasm-pack"), arguments);
    command.env("PATH", path_with(&folder()));
    command
}

/// The program that runs wasm tests, in node or in a browser.
pub fn test_runner() -> PathBuf {
    folder().join("wasm-bindgen-test-runner")
}
