//! `release`: everything that a release has, in one folder: the site, the Python wheel, the package of npm, the command line's program;
//! for each the list of what it is made of (CycloneDX); notes, and checksums. The same commit gives the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::engines::found;

use crate::command::{cargo, command, host, root, run as run_command, say};
use crate::licences;
use crate::site::{Site, WASM, about, build_cli, copy_file};
use crate::tools::Tools;
use crate::{npm, python};

/// The version of a release: that of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What lists the crates of a program: of the CycloneDX project itself. Only a release needs it, so it is none of tools/.
const CYCLONEDX: &str = "cargo-cyclonedx@0.5.9";

/// What images are made by, from the files of a release.
const IMAGES: [&str; 3] = ["site.Dockerfile", "worker.Dockerfile", "nginx.conf"];

/// A part of a program, of which a list is made: its folder, and the target that it is compiled for.
type Part<'a> = (&'a str, &'a str);

/// Makes a release.
///
/// # Errors
/// When the work tree differs from its last commit, something is missing, or a part cannot be built.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let folder = folder(arguments)?;
    let missing = [npm::missing(), python::missing(), found("git").is_none().then(|| "git not found".into())];
    if let Some(why) = missing.into_iter().flatten().next() {
        return Err(format!("a release has a wheel and a package of npm, and comes from a commit: {why}"));
    }
    if root().to_string_lossy().contains(char::is_whitespace) {
        return Err(
            "the path of this folder holds a space, and would stand in the programs; make the release elsewhere".into()
        );
    }
    let (commit, time) = commit()?;
    say("making a release: ten to twenty minutes the first time on two cores");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(about(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(about(&folder))?;
    let host = host()?;
    let release = Release { folder: &folder, time: &time };
    let site = release.site()?;
    let program = release.program(&host)?;
    let wheel = python::wheel(&host, &time, &folder)?;
    let package = npm::packed(&folder)?;
    let source = Source::cloned(&time)?;
    let editor = source.editor()?;
    let web = source.parts(&[("web", WASM), ("web/engine", WASM), ("crates/npm", WASM)])?;
    let native = source.parts(&[("crates/cli", &host), ("crates/python", &host)])?;
    release.bill("site", &site, &[&web[0], &web[1], &editor])?;
    release.bill(&host, &program, &[&native[0]])?;
    release.bill("wheel", &wheel, &[&native[1]])?;
    release.bill("npm", &package, &[&web[2]])?;
    for file in IMAGES {
        copy_file(&root().join("docker").join(file), &folder.join(file))?;
    }
    // What the worker's image installs beside the wheel.
    copy_file(&root().join("crates/python/requirements.txt"), &folder.join("constraints.txt"))?;
    release.notes()?;
    if self::commit()?.0 != commit {
        return Err("another commit was checked out while the release was made".into());
    }
    run_command(tool(&["sums"], &[&folder]))?;
    say(&format!("{} holds the release:", folder.display()));
    for line in fs::read_to_string(folder.join("SHA256SUMS")).map_err(about(&folder))?.lines() {
        let name = line.rsplit(' ').next().unwrap_or_default();
        let bytes = fs::metadata(folder.join(name)).map_err(about(&folder))?.len();
        println!("{:>9} KB  {name}", bytes.div_ceil(1000));
    }
    Ok(())
}

/// The folder of the release.
fn folder(arguments: &[&str]) -> Result<PathBuf, String> {
    match arguments {
        [] => Ok(root().join(format!("target/zvmlab-{VERSION}"))),
        ["--to", folder] => std::path::absolute(folder).map_err(|error| format!("{folder}: {error}")).and_then(suitable),
        _ => Err(format!("release knows --to FOLDER, not {}", arguments.join(" "))),
    }
}

/// A folder that is not there yet, or is empty: what stands in it would go. In the work tree its files would differ from the commit.
fn suitable(folder: PathBuf) -> Result<PathBuf, String> {
    if folder.starts_with(root()) && !folder.starts_with(root().join("target")) {
        return Err(format!("{} is in the work tree; give a folder outside, or one in target", folder.display()));
    }
    let is_empty = !folder.exists() || fs::read_dir(&folder).is_ok_and(|mut all| all.next().is_none());
    if is_empty { Ok(folder) } else { Err(format!("{} is not empty", folder.display())) }
}

/// The last commit, and its time in seconds since 1970, which every file of the release has. Asked before and after: what is edited
/// meanwhile would go into some files and not into others.
///
/// # Errors
/// When files differ from it.
fn commit() -> Result<(String, String), String> {
    let told = |arguments: &[&str]| match command("git", arguments).output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).trim().to_string()),
        _ => Err(format!("a release is made from a commit, but git {} fails here", arguments[0])),
    };
    let changed = told(&["status", "--porcelain", "--untracked-files=all"])?;
    if !changed.is_empty() {
        return Err(format!("a release is made from a commit, but these files differ from it:\n{changed}"));
    }
    // What a folder holds is copied whole, what git ignores too.
    let ignored = told(&["status", "--porcelain", "--ignored", "--untracked-files=all", "--", "static", "lessons"])?;
    if !ignored.is_empty() {
        return Err(format!("these files would go into the release, and are not in the commit:\n{ignored}"));
    }
    Ok((told(&["rev-parse", "HEAD"])?, told(&["log", "-1", "--format=%ct"])?))
}

/// A release under way.
struct Release<'a> {
    folder: &'a Path,
    time: &'a str,
}

impl Release<'_> {
    /// A folder as an archive.
    fn archive(&self, folder: &Path, name: &str) -> Result<PathBuf, String> {
        let to = self.folder.join(format!("{name}.tar.gz"));
        let fixed = ["archive", "--name", name, "--epoch", self.time, "--to"];
        run_command(tool(&fixed, &[&to, folder]))?;
        Ok(to)
    }

    fn site(&self) -> Result<PathBuf, String> {
        Site::Release.build(Tools::All)?;
        if !Site::Release.folder().join(crate::editor::FILE).is_file() {
            return Err("the page was built without its editor".into());
        }
        self.archive(&Site::Release.folder(), &format!("zvmlab-{VERSION}-site"))
    }

    fn program(&self, host: &str) -> Result<PathBuf, String> {
        let program = build_cli()?;
        let folder = root().join("target/release-program");
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(about(&folder))?;
        }
        copy_file(&program, &folder.join(program.file_name().unwrap_or_default()))?;
        licences::write(&["zvmlab-cli"], host, &[], &folder.join("licences.txt"))?;
        self.archive(&folder, &format!("zvmlab-{VERSION}-{host}"))
    }

    /// The list of what a file is made of, from those of its parts.
    fn bill(&self, kind: &str, artifact: &Path, parts: &[&PathBuf]) -> Result<(), String> {
        let to = self.folder.join(format!("zvmlab-{VERSION}-{kind}.cdx.json"));
        let mut bill =
            tool(&["bill", "--name", &format!("zvmlab-{kind}"), "--artifact"], &[artifact, Path::new("--to"), &to]);
        bill.args(parts);
        run_command(bill)
    }

    fn notes(&self) -> Result<(), String> {
        let versions =
            cargo(&["run", "--quiet", "--locked", "--package", "zvmlab-cli", "--bin", "zvmlab", "--", "--version"])
                .output()
                .map_err(|error| error.to_string())?;
        if !versions.status.success() {
            return Err(format!("zvmlab --version: {}", String::from_utf8_lossy(&versions.stderr)));
        }
        let versions = String::from_utf8_lossy(&versions.stdout).trim().to_string();
        let (changelog, to) = (root().join("CHANGELOG.md"), self.folder.join("NOTES.md"));
        run_command(tool(&["notes", "--versions", &versions, "--to"], &[&to, &changelog]))
    }
}

/// The program that puts built parts into files.
fn tool(words: &[&str], files: &[&Path]) -> Command {
    let mut tool = cargo(&["run", "--quiet", "--locked", "--package", "zvmlab-release", "--"]);
    tool.args(words).args(files);
    tool
}

/// A clone of the commit: cargo-cyclonedx writes its lists beside every manifest, and npm wants a version in one.
struct Source<'a> {
    folder: PathBuf,
    lists: PathBuf,
    time: &'a str,
}

impl<'a> Source<'a> {
    fn cloned(time: &'a str) -> Result<Source<'a>, String> {
        let (folder, lists) = (root().join("target/release-source"), root().join("target/release-lists"));
        for old in [&folder, &lists] {
            if old.exists() {
                fs::remove_dir_all(old).map_err(about(old))?;
            }
        }
        fs::create_dir_all(&lists).map_err(about(&lists))?;
        run_command(command("git", &["clone", "--quiet", ".", &folder.display().to_string()]))?;
        let tools = root().join("target/release-tools");
        run_command(cargo(&["install", "--quiet", "--locked", CYCLONEDX, "--root", &tools.display().to_string()]))?;
        Ok(Source { folder, lists, time })
    }

    /// The lists of crates of these parts, which have one target.
    fn parts(&self, parts: &[Part]) -> Result<Vec<PathBuf>, String> {
        let target = parts.first().map_or(WASM, |(_, target)| target);
        let program = root().join("target/release-tools/bin/cargo-cyclonedx");
        let fixed = ["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5", "--no-build-deps"];
        let mut list = command(program, &fixed);
        list.args(["--target", target, "--override-filename", "bill"]);
        list.current_dir(&self.folder).env("SOURCE_DATE_EPOCH", self.time);
        run_command(list)?;
        let kept = |(part, _): &Part| {
            let to = self.lists.join(format!("{}.json", part.replace('/', "-")));
            copy_file(&self.folder.join(part).join("bill.json"), &to)?;
            Ok(to)
        };
        parts.iter().map(kept).collect()
    }

    /// The list of the packages in the page's editor.
    fn editor(&self) -> Result<PathBuf, String> {
        let there = self.folder.join("web/editor");
        let npm = |arguments: &[&str]| {
            let mut npm = command(found("npm").unwrap_or_default(), arguments);
            npm.current_dir(&there);
            npm
        };
        run_command(npm(&["pkg", "set", &format!("version={VERSION}")]))?;
        let list = npm(&["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]).output();
        let list = list.map_err(|error| format!("npm sbom: {error}"))?;
        if !list.status.success() {
            return Err(format!("npm sbom: {}", String::from_utf8_lossy(&list.stderr)));
        }
        let to = self.lists.join("editor.json");
        fs::write(&to, list.stdout).map_err(about(&to))?;
        Ok(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_goes_into_an_empty_folder() {
        assert!(folder(&[]).unwrap().ends_with(format!("target/zvmlab-{VERSION}")));
        let place = std::env::temp_dir().join(format!("zvmlab-release-{}", std::process::id()));
        let words = |folder: &Path| folder.display().to_string();
        assert_eq!(folder(&["--to", &words(&place)]), Ok(place.clone()));
        fs::create_dir_all(place.join("x")).unwrap();
        assert!(folder(&["--to", &words(&place)]).unwrap_err().contains("is not empty"));
        assert!(folder(&["--to", &words(&root().join("out"))]).unwrap_err().contains("in the work tree"));
        assert!(folder(&["--into", "x"]).unwrap_err().contains("--to FOLDER"));
        fs::remove_dir_all(&place).unwrap();
    }
}
