//! `npm`: builds the package of npm and tests it: a project installs what was packed, and gets the bytes of the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::engines::{Engine, found, version as told_version};
use xtask::packed::{CONSUMER, PACKED, README_PAGE};

use crate::command::{EVERYTHING, FEATURES, TYPESCRIPT, command, command_line, root, run as run_command, say, unreleased};
use crate::kept::{Bytes, Kept};
use crate::licences;
use crate::outcome::Outcome;
use crate::programs::of_browsers;
use crate::site::{WASM, about, copy_file, names_no_folder};
use crate::tools::{Tools, wasm_pack};

/// The crate of the package.
const CRATE: &str = "crates/npm";

/// The project that tests it.
const PROJECT: &str = "tests/npm";

/// The goldens that it runs, with the arguments of the command line for each. The project has the same arguments.
const HOSTS: [(&str, [&str; 2]); 2] = [("small-command", ["7", "3"]), ("relocation", ["1", "1"])];

/// Builds the package, packs it and tests it.
///
/// # Errors
/// When something is missing, the package does not build, or a test fails.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if !arguments.is_empty() {
        return Err(format!("npm takes no arguments: {}", arguments.join(" ")));
    }
    if let Some(why) = missing() {
        return Err(why);
    }
    pack()?;
    in_node()?;
    if let Some(why) = Engine::Chromium.missing() {
        say(&format!("the page of the package is not opened: {why}"));
        return Ok(());
    }
    in_a_page()
}

/// The package as a step of `test`: a test for what is packed, one for a project in node.
pub fn step(kept: &Kept) -> Outcome {
    let packed = pack();
    let outcome = Outcome::of(&packed);
    if packed.is_err() {
        return outcome;
    }
    outcome + kept.or("npm package, in node", bytes(), || Outcome::of(&in_node()))
}

/// Its page as the step after that one: a test in Chromium.
pub fn step_of_page(kept: &Kept) -> Outcome {
    let with_chromium =
        |bytes: Bytes| bytes.and_text("version of Chromium", &Engine::Chromium.version()?).and(&of_browsers()?);
    kept.or("npm package, in Chromium", bytes().and_then(with_chromium), || Outcome::of(&in_a_page()))
}

/// What the tests depend on: node, the package, the command line, and what they read.
fn bytes() -> Result<Bytes, String> {
    // The page is made of it.
    if !root().join(CONSUMER).exists() {
        return Err("no project has installed the package yet".into());
    }
    let node = told_version(&found("node").unwrap_or_default())?;
    let bytes = Bytes::of(&node).and_all_in(&root().join(PACKED).join("package"))?;
    bytes.and(&root().join("README.md"))?.and(&command_line()?)?.and_data()
}

/// Why the package cannot be built here, if it cannot.
pub fn missing() -> Option<String> {
    let node = match found("node").map(|node| command(node, &["--version"]).output()) {
        Some(Ok(told)) => String::from_utf8_lossy(&told.stdout).trim().to_string(),
        _ => return Some("node not found".into()),
    };
    if found("npm").is_none() {
        return Some("npm not found".into());
    }
    (version(&node) < Some(NODE_MIN)).then(|| {
        let (major, minor) = NODE_MIN;
        format!("node is {node}, older than {major}.{minor}, the first that the package is built with")
    })
}

/// The first node whose modules know their own folder.
const NODE_MIN: (u32, u32) = (20, 11);

/// The first two numbers of a version of node: (20, 11) of `v20.11.1`.
fn version(told: &str) -> Option<(u32, u32)> {
    let mut numbers = told.trim_start_matches('v').split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// The same with what its page needs.
pub fn missing_with_page() -> Option<String> {
    missing().or_else(|| Engine::Chromium.missing())
}

/// Builds the package and puts it into a folder.
///
/// # Errors
/// When it does not build.
pub fn packed(folder: &Path) -> Result<PathBuf, String> {
    pack()?;
    let to = folder.join(packed_file().file_name().unwrap_or_default());
    copy_file(&packed_file(), &to)?;
    Ok(to)
}

/// The packed file.
fn packed_file() -> PathBuf {
    root().join(PACKED).join(format!("zvmlab-{}.tgz", env!("CARGO_PKG_VERSION")))
}

/// Builds the package and packs it.
fn pack() -> Result<(), String> {
    let (packed, crate_folder) = (root().join(PACKED), root().join(CRATE));
    // Where packing fails, nothing tests what was packed before.
    if packed_file().exists() {
        fs::remove_file(packed_file()).map_err(about(&packed_file()))?;
    }
    let (work, package) = (packed.join("work"), packed.join("package"));
    for folder in [&work, &package] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(about(folder))?;
        }
        fs::create_dir_all(folder).map_err(about(folder))?;
    }
    Tools::All.build()?;
    run_command(engine(&work.join("engine")))?;
    write_types(&work.join("report.ts"))?;
    let scripts = crate_folder.join("js");
    for file in fs::read_dir(&scripts).map_err(about(&scripts))?.flatten().map(|entry| entry.path()) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".ts") || name == "tsconfig.json" {
            copy_file(&file, &work.join(name))?;
        }
    }
    copy_file(&root().join("static/zvm-lab.js"), &work.join("zvm-lab.js"))?;
    install(&scripts)?;
    let mut put_together = command(found("node").unwrap_or_default(), &[]);
    put_together.arg(scripts.join("build.mjs")).arg(&work).arg(&package).arg(env!("CARGO_PKG_VERSION"));
    run_command(put_together)?;
    for file in ["engine.wasm", "index.js", "node.js", "worker.js", "worker-node.js"] {
        names_no_folder(&package.join(file))?;
    }
    copy_file(&crate_folder.join("README.md"), &package.join("README.md"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy_file(&root().join(licence), &package.join(licence))?;
    }
    licences::write(&["zvmlab-npm"], WASM, &[], &package.join("licences.txt"))?;
    let mut pack = npm(&["pack", "--silent", "--pack-destination", &packed.display().to_string()]);
    pack.current_dir(&package);
    run_command(pack)?;
    let file = packed_file();
    let kb = |file: &Path| fs::metadata(file).map(|about| about.len() / 1000).map_err(about(file));
    say(&format!(
        "{} has {} KB; its engine.wasm {} KB, its scripts {} KB",
        file.display(),
        kb(&file)?,
        kb(&package.join("engine.wasm"))?,
        kb(&package.join("index.js"))? + kb(&package.join("worker.js"))?
    ));
    Ok(())
}

/// wasm-pack compiles the model, as the engine of the page is compiled: what both need is compiled once.
fn engine(to: &Path) -> Command {
    let fixed =
        ["build", CRATE, "--target", "web", "--release", "--mode", "no-install", "--no-pack", "--out-name", "engine"];
    let mut build = wasm_pack(&fixed);
    build.arg("--out-dir").arg(to).args(["--", "--locked"]);
    build.env("CARGO_TARGET_DIR", root().join("target"));
    build
}

/// Has our program write the types of reports.
fn write_types(file: &Path) -> Result<(), String> {
    let mut types = types("run");
    types.arg("--quiet").stdout(Stdio::from(fs::File::create(file).map_err(about(file))?));
    run_command(types)
}

/// The program that writes the types of reports; `verb` is what cargo does with it.
pub fn types(verb: &str) -> Command {
    let mut types = unreleased(&[verb]);
    types.args(FEATURES).args(TYPESCRIPT).args(["--bin", "npm-types"]);
    // The model has another feature here, and is compiled once more. It runs nothing.
    types.args(["--config", "profile.dev.package.zvmlab.opt-level=0"]);
    types
}

/// npm, which says nothing but errors.
fn npm(arguments: &[&str]) -> Command {
    let mut npm = command(found("npm").unwrap_or_default(), arguments);
    npm.env("npm_config_audit", "false").env("npm_config_fund", "false").env("npm_config_update_notifier", "false");
    npm
}

/// The packages of a lock, unless they are there.
fn install(folder: &Path) -> Result<(), String> {
    let (lock, installed) = (folder.join("package-lock.json"), folder.join("node_modules/installed.json"));
    if fs::read(&lock).ok().is_some_and(|lock| fs::read(&installed).is_ok_and(|installed| installed == lock)) {
        return Ok(());
    }
    let mut ci = npm(&["ci", "--ignore-scripts", "--silent"]);
    ci.current_dir(folder);
    run_command(ci)?;
    copy_file(&lock, &installed)
}

/// A project installs the package, checks types against it, and runs it in node.
fn in_node() -> Result<(), String> {
    let (source, project) = (root().join(PROJECT), root().join(CONSUMER));
    // Anew each time, so that nothing of the project and the package before is left.
    if project.exists() {
        fs::remove_dir_all(&project).map_err(about(&project))?;
    }
    fs::create_dir_all(&project).map_err(about(&project))?;
    for file in fs::read_dir(&source).map_err(about(&source))?.flatten().map(|entry| entry.path()) {
        if file.is_file() {
            copy_file(&file, &project.join(file.file_name().unwrap_or_default()))?;
        }
    }
    copy_file(&root().join("README.md"), &project.join("README.md"))?;
    run_there(npm(&["ci", "--ignore-scripts", "--silent"]), &project)?;
    let add =
        ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--silent", &packed_file().display().to_string()];
    run_there(npm(&add), &project)?;
    for (host, arguments) in HOSTS {
        natively(host, arguments, &project)?;
    }
    schema(&project)?;
    let node = found("node").unwrap_or_default();
    run_there(command(&node, &["readme-blocks.mjs"]), &project)?;
    run_there(command(&node, &["node_modules/typescript/bin/tsc", "--noEmit", "--project", "."]), &project)?;
    run_there(command(&node, &["--test", "--test-reporter=spec", "node.test.mjs", "workers.test.mjs"]), &project)
}

/// Puts a golden's host into the project, with the bytes that the command line makes of it.
fn natively(host: &str, [seed, replications]: [&str; 2], project: &Path) -> Result<(), String> {
    let file = |form: &str| project.join(format!("hosts/{host}.{form}"));
    copy_file(&root().join(format!("tests/golden/{host}/scenario.toml")), &file("toml"))?;
    let mut run = unreleased(&["run", "--quiet"]);
    run.args(FEATURES).args(["--bin", "zvmlab", "--", "run"]).arg(file("toml"));
    run.args(["--seed", seed, "--replications", replications, "--json"]).arg(file("json")).arg("--csv").arg(file("csv"));
    // Its table of figures is no news here.
    run_command(quiet(run))
}

/// Puts the schema that the command line prints into the project.
fn schema(project: &Path) -> Result<(), String> {
    let mut schema = unreleased(&["run", "--quiet"]);
    schema.args(FEATURES).args(["--bin", "zvmlab", "--", "schema"]);
    let to = project.join("hosts/schema.json");
    schema.stdout(Stdio::from(fs::File::create(&to).map_err(about(&to))?));
    run_command(schema)
}

fn quiet(mut command: Command) -> Command {
    command.stdout(Stdio::null());
    command
}

/// The commands of the package's README lead to a bundled page; the project's page is bundled by the same; Chromium opens both.
fn in_a_page() -> Result<(), String> {
    if !packed_file().exists() {
        return Err("the package was not packed".into());
    }
    let (project, page) = (root().join(CONSUMER), root().join(README_PAGE));
    if page.exists() {
        fs::remove_dir_all(&page).map_err(about(&page))?;
    }
    fs::create_dir_all(&page).map_err(about(&page))?;
    let mut commands = command(found("node").unwrap_or_default(), &["readme.mjs"]);
    commands.arg(&page).arg(packed_file());
    run_there(commands, &project)?;
    let mut opened = unreleased(&[&["test", "--quiet"], &EVERYTHING[..], &["--test", "browser", "--"]].concat());
    opened.args(["--nocapture", "--ignored", "--exact", "npm_package"]);
    run_command(opened)
}

fn run_there(mut command: Command, folder: &Path) -> Result<(), String> {
    command.current_dir(folder);
    run_command(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_node_is_compared_by_its_first_two_numbers() {
        assert_eq!(version("v20.11.1"), Some(NODE_MIN));
        for older in ["v20.10.0", "v18.20.4", "v9.99.9", "none", ""] {
            assert!(version(older) < Some(NODE_MIN), "{older}");
        }
        assert!(version("v22.0.0") > Some(NODE_MIN));
    }
}
