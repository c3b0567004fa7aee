//! The pinned build tools of tools/: wasm-pack, wasm-bindgen and its test runner.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{cargo, command, path_with, root, run, say};

/// The folder that holds the tools' programs.
fn folder() -> PathBuf {
    root().join("tools/target/debug")
}

/// Builds the tools where they are missing or their versions changed; cargo decides.
///
/// # Errors
/// When they do not build.
pub fn build() -> Result<(), String> {
    if folder().join("wasm-pack").is_file() {
        say("checking the pinned tools (wasm-pack, wasm-bindgen)");
    } else {
        say("building the pinned tools (wasm-pack, wasm-bindgen): one or two minutes, once");
    }
    // Their own target folder, whatever CARGO_TARGET_DIR says: two lock files do not mix well in one.
    let mut build = cargo(&["build", "--locked", "--manifest-path", "tools/Cargo.toml", "--target-dir", "tools/target"]);
    // wasm-pack's dependencies are what they are; a warning about some later compiler helps nobody who builds the page.
    build.env("CARGO_FUTURE_INCOMPAT_REPORT_FREQUENCY", "never");
    run(build)
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
