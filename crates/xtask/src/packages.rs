//! `package`: a lesson as packages for learning platforms, with the built page in them.

use std::path::PathBuf;

use xtask::engines::found;

use crate::command::{FEATURES, command, root, run as run_command, say, unreleased};
use crate::python;
use crate::site::Site;

/// The folder of the npm package with the cmi5 library.
const COURSE: &str = "tools/course";

/// What tells that the record store is installed, and in which versions.
pub const RECORD_STORE: &str = "target/lrs/installed.txt";

/// Where packages are left.
pub const PLACE: &str = "target/packages";

/// Makes the packages of a lesson, `arguments`: its id or file, then options of `zvmlab lesson package`. Builds the page if `dist/` is
/// missing, and fetches the cmi5 library if npm is there.
///
/// # Errors
/// When no lesson is named, the page does not build, or a package cannot be made.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let [lesson, options @ ..] = arguments else {
        return Err("package needs a lesson: its id, or the file of your own; ./run package aliases".into());
    };
    let has = |name: &str| options.iter().any(|option| *option == name || option.starts_with(&format!("{name}=")));
    let site = Site::Release.folder();
    if !has("--lab") && !has("--site") && !site.join("index.html").is_file() {
        say("building the page, which goes into the packages");
        crate::site::build()?;
    }
    let library = library();
    if library.is_none() {
        say("npm not found: no package for cmi5, which needs a library from npm");
    }
    let to = root().join(PLACE);
    std::fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let mut make = unreleased(&["run", "--quiet"]);
    make.args(FEATURES).args(["--bin", "zvmlab", "--", "lesson", "package", lesson]).args(options);
    if !has("--lab") && !has("--site") {
        make.arg("--site").arg(&site);
    }
    if !has("--to") {
        make.arg("--to").arg(&to);
    }
    if let Some(library) = library {
        make.arg("--cmi5-library").arg(library);
    }
    run_command(make)
}

/// The cmi5 library, fetched if it is not there; nothing without npm.
fn library() -> Option<PathBuf> {
    let file = root().join(COURSE).join("node_modules/@xapi/cmi5/dist/Cmi5.esm.js");
    if !file.is_file() {
        let install = ["ci", "--prefix", COURSE, "--ignore-scripts", "--no-audit", "--no-fund"];
        run_command(command(found("npm")?, &install)).ok()?;
    }
    Some(file)
}

/// The Python of the record store that tests of cmi5 use, installed if it is not there.
///
/// # Errors
/// When Python cannot make a virtual environment, or the store cannot be installed.
pub fn record_store() -> Result<(), String> {
    let folder = root().join("target/lrs");
    let python = folder.join("bin/python");
    let wanted = root().join("tests/lrs/requirements.txt");
    let done = root().join(RECORD_STORE);
    if std::fs::read(&wanted).ok().is_some_and(|wanted| std::fs::read(&done).is_ok_and(|done| done == wanted)) {
        return Ok(());
    }
    let base = found("python3").ok_or("python3 not found")?;
    run_command(command(base, &["-m", "venv", &folder.display().to_string()]))?;
    run_command(python::pip(&python, &["--requirement", &wanted.display().to_string()]))?;
    std::fs::copy(&wanted, &done).map_err(|error| format!("{}: {error}", done.display()))?;
    Ok(())
}
