//! The editor of the pane *As text*: CodeMirror from npm, bundled into one file that the page loads when the pane is opened.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::engines::found;

use crate::command::{Background, command, root, run, say};
use crate::drivers::all_required;
use crate::licences::Used;

/// Its file in the page. A page without it shows a plain field in the editor's place.
pub const FILE: &str = "static/editor.js";

/// The folder of its source, with the list of packages and their lock.
const FOLDER: &str = "web/editor";

/// The packages of npm, on their way.
pub enum Packages {
    /// They are there.
    There,
    /// npm fetches them.
    Coming(Background),
    /// They cannot be had, and why.
    Missing(String),
}

/// Has npm fetch the packages at the same time as other work, unless those of the lock are there.
pub fn fetch_beside() -> Packages {
    let Some((npm, _)) = found("npm").zip(found("node")) else { return Packages::Missing("node or npm not found".into()) };
    let is_same = |lock: Vec<u8>| fs::read(installed()).is_ok_and(|installed| installed == lock);
    if fs::read(lock()).ok().is_some_and(is_same) {
        return Packages::There;
    }
    let install = ["ci", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund"];
    Packages::Coming(Background::start(command(npm, &install)))
}

fn lock() -> PathBuf {
    root().join(FOLDER).join("package-lock.json")
}

/// A copy of the lock whose packages are there.
fn installed() -> PathBuf {
    root().join(FOLDER).join("node_modules/installed.json")
}

impl Packages {
    /// Waits for npm. The build always waits, because otherwise npm would go on after this program has ended.
    pub fn wait(self) -> Packages {
        match self {
            Packages::Coming(npm) => {
                let copied = |()| fs::copy(lock(), installed()).map(drop).map_err(|error| error.to_string());
                npm.wait().and_then(copied).map_or_else(Packages::Missing, |()| Packages::There)
            }
            other => other,
        }
    }

    /// Bundles the editor into the page in `folder`. Returns the packages in it, each with the text of its licence; none if the page
    /// has to do without an editor.
    ///
    /// # Errors
    /// When the bundle cannot be made, and with CI=true also when the packages cannot be had.
    pub fn bundle(self, folder: &Path) -> Result<Vec<(Used, String)>, String> {
        match self.wait() {
            Packages::Missing(why) if all_required() => Err(format!("the page's editor, for which CI=true asks: {why}")),
            Packages::Missing(why) => {
                say(&format!("the page gets a plain field in place of its editor, CodeMirror: {why}"));
                Ok(Vec::new())
            }
            _ => {
                let told = root().join(FOLDER).join("node_modules/bundled.json");
                let mut esbuild = esbuild();
                esbuild.current_dir(root().join(FOLDER)).args(["editor.js", "--bundle", "--format=esm"]);
                esbuild.arg(format!("--metafile={}", told.display()));
                esbuild.arg(format!("--outfile={}", folder.join(FILE).display()));
                run(esbuild)?;
                let told = fs::read_to_string(&told).map_err(|error| format!("{}: {error}", told.display()))?;
                packages_in(&told).into_iter().map(licensed).collect()
            }
        }
    }
}

/// The bundler, which makes scripts and style sheets small.
fn esbuild() -> Command {
    let mut esbuild = command(found("node").unwrap_or_default(), &[]);
    esbuild.arg(root().join(FOLDER).join("node_modules/esbuild/bin/esbuild"));
    esbuild.args(["--minify", "--charset=utf8", "--target=es2022", "--legal-comments=none", "--log-level=warning"]);
    esbuild
}

/// Makes the scripts and style sheets of a built page small, with the bundler of the editor. A page that was built without an editor keeps
/// them as they are.
///
/// # Errors
/// When the bundler refuses one.
pub fn make_small(folder: &Path, files: &[&str]) -> Result<(), String> {
    if !folder.join(FILE).is_file() {
        return Ok(());
    }
    let mut esbuild = esbuild();
    esbuild.args(files.iter().map(|file| folder.join(file))).arg("--allow-overwrite");
    for option in ["outbase", "outdir"] {
        esbuild.arg(format!("--{option}={}", folder.display()));
    }
    run(esbuild)
}

/// The packages that esbuild names as the bundle's: `@codemirror/view` of `"node_modules/@codemirror/view/dist/index.js"`.
fn packages_in(told: &str) -> BTreeSet<&str> {
    let paths = told.split("\"node_modules/").skip(1).filter_map(|rest| rest.split('"').next());
    let name = |path: &'_ str| {
        let parts = if path.starts_with('@') { 2 } else { 1 };
        path.match_indices('/').nth(parts - 1).map_or(path.len(), |(end, _)| end)
    };
    paths.map(|path| &path[..name(path)]).collect()
}

/// A package of the bundle, and the text of its licence.
fn licensed(name: &str) -> Result<(Used, String), String> {
    let folder = root().join(FOLDER).join("node_modules").join(name);
    let read = |file: &str| fs::read_to_string(folder.join(file)).map_err(|error| format!("{name}: {file}: {error}"));
    let about = read("package.json")?;
    let (version, licence) = (value(&about, "version"), value(&about, "license"));
    let (Some(version), Some(licence)) = (version, licence) else {
        return Err(format!("{name} does not say its version and its licence"));
    };
    Ok((Used { name: format!("{name}-{version}"), licence: licence.into() }, read("LICENSE")?))
}

/// The text behind a key of a `package.json`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("\"{key}\":"))?;
    rest.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_names_its_packages() {
        let told = r#"{"inputs":{"node_modules/@codemirror/view/dist/index.js":{"bytes":1},"node_modules/crelt/index.js":{},"editor.js":{
            "imports":[{"path":"node_modules/@codemirror/view/dist/index.js"}]}}}"#;
        assert_eq!(packages_in(told).into_iter().collect::<Vec<_>>(), ["@codemirror/view", "crelt"]);
        assert_eq!(packages_in("{}").len(), 0);
    }

    #[test]
    fn a_package_says_its_version() {
        let about = "{\n  \"name\": \"crelt\",\n  \"version\": \"1.0.6\",\n  \"license\":\"MIT\"\n}";
        assert_eq!(
            (value(about, "version"), value(about, "license"), value(about, "main")),
            (Some("1.0.6"), Some("MIT"), None)
        );
    }
}
