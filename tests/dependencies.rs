//! Checks the lock files: every crate's licence is allowed, and a crate with two versions has a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};
use zvmlab_tests::root;

/// What `tests/dependencies.toml` allows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    /// Licences of the crates in the page and the command line, by their SPDX names.
    licences: BTreeSet<String>,
    /// Further licences, of the build tools: users do not get the tools.
    licences_of_tools: BTreeSet<String>,
    /// Packages of npm that the page's editor asks for, each with the reason.
    editor: BTreeMap<String, String>,
    /// Crates with more than one version, each with the reason.
    duplicates: BTreeMap<String, String>,
    /// Crates that nobody looks after any more, each with what it can reach.
    unmaintained: BTreeMap<String, String>,
}

impl Allowed {
    fn read() -> Allowed {
        let text =
            std::fs::read_to_string(root().join("tests/dependencies.toml")).expect("tests/dependencies.toml is there");
        toml::from_str(&text).unwrap_or_else(|error| panic!("tests/dependencies.toml: {error}"))
    }

    /// The licences of what runs only here.
    fn with_tools(&self) -> BTreeSet<String> {
        self.licences.union(&self.licences_of_tools).cloned().collect()
    }
}

/// The output of `cargo metadata` about packages.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// The package's source; our own packages have none.
    source: Option<String>,
}

/// The packages of a lock file that are not our own.
fn packages(manifest: &str, more: &[&str]) -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(root().join(manifest))
        .args(more)
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON as documented");
    metadata.packages.into_iter().filter(|package| package.source.is_some()).collect()
}

/// Whether the allowed licences satisfy an expression. A licence with an exception allows more than without, so the
/// exception does not matter.
fn is_allowed(licence: &str, allowed: &BTreeSet<String>) -> bool {
    // Old manifests write a slash instead of OR.
    let mode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };
    let name = |wanted: &LicenseReq| wanted.license.id().map(|id| id.name);
    Expression::parse_mode(licence, mode)
        .is_ok_and(|expression| expression.evaluate(|wanted| name(wanted).is_some_and(|name| allowed.contains(name))))
}

/// The packages whose licence is not allowed.
fn not_allowed(packages: &[Package], allowed: &BTreeSet<String>) -> Vec<String> {
    let licence = |package: &Package| package.license.clone().unwrap_or_else(|| "no licence named".into());
    let bad = packages.iter().filter(|package| !is_allowed(&licence(package), allowed));
    bad.map(|package| format!("{} {}: {}", package.name, package.version, licence(package))).collect()
}

#[test]
fn every_licence_is_allowed() {
    let allowed = Allowed::read();
    assert_eq!(not_allowed(&packages("Cargo.toml", &[]), &allowed.licences), [""; 0]);
    // The tools run on the machine that builds. Without a platform, cargo would fetch packages that only Windows needs.
    let tools = packages("tools/Cargo.toml", &["--filter-platform", "x86_64-unknown-linux-gnu"]);
    assert_eq!(not_allowed(&tools, &allowed.with_tools()), [""; 0]);
}

#[test]
fn a_crate_in_two_versions_says_why() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages("Cargo.toml", &[]) {
        versions.entry(package.name).or_default().insert(package.version);
    }
    let found: BTreeSet<String> = versions.into_iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| name).collect();
    let said: BTreeSet<String> = Allowed::read().duplicates.into_keys().collect();
    assert_eq!(found, said, "left: crates in two versions; right: those that tests/dependencies.toml gives a reason for");
}

/// What `web/editor/package-lock.json` says of a package.
#[derive(Deserialize)]
struct Locked {
    version: Option<String>,
    license: Option<String>,
    /// Whether only the build uses it.
    #[serde(default)]
    dev: bool,
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    resolved: Option<String>,
    integrity: Option<String>,
}

#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Locked>,
}

#[test]
fn the_packages_of_the_editor_are_pinned_allowed_and_have_a_reason() {
    let file = root().join("web/editor/package-lock.json");
    let text = std::fs::read_to_string(&file).expect("the lock is there");
    let mut lock: Lock = serde_json::from_str(&text).expect("the lock is JSON as documented");
    let allowed = Allowed::read();
    let own = lock.packages.remove("").expect("the editor itself");
    let asked: BTreeSet<String> = own.dependencies.into_keys().collect();
    let said: BTreeSet<String> = allowed.editor.keys().cloned().collect();
    assert_eq!(
        asked, said,
        "left: what web/editor/package.json asks for; right: what tests/dependencies.toml gives a reason for"
    );
    for (name, package) in &lock.packages {
        let licence = package.license.clone().unwrap_or_default();
        assert!(package.dev || is_allowed(&licence, &allowed.licences), "{name}: {licence}");
        assert!(package.version.is_some() && package.integrity.is_some(), "{name} has no checksum");
        assert_eq!(package.resolved, None, "{name} names a host: npm install --omit-lockfile-registry-resolved");
    }
}

#[test]
fn the_locks_of_npm_have_checksums_and_allowed_licences_and_name_no_host() {
    // Those of the package of npm, and of what tests: nothing of them is in what users get.
    let allowed = Allowed::read().with_tools();
    for folder in ["crates/npm/js", "tests/npm", "tests", "tools/course"] {
        let file = root().join(folder).join("package-lock.json");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut lock: Lock = serde_json::from_str(&text).expect("the lock is JSON as documented");
        lock.packages.remove("").expect("the project itself");
        for (name, package) in &lock.packages {
            let licence = package.license.as_deref().unwrap_or("no licence named");
            assert!(is_allowed(licence, &allowed), "{folder}: {name}: {licence}");
            assert!(package.version.is_some() && package.integrity.is_some(), "{folder}: {name} has no checksum");
            assert_eq!(package.resolved, None, "{folder}: {name} names a host");
        }
    }
}

/// Which crates are unmaintained no file here knows; that each of those named is still used, this test knows.
#[test]
fn an_unmaintained_crate_is_named_only_while_it_is_used() {
    let used: BTreeSet<String> = packages("Cargo.toml", &[]).into_iter().map(|package| package.name).collect();
    let gone: Vec<String> = Allowed::read().unmaintained.into_keys().filter(|name| !used.contains(name)).collect();
    assert_eq!(gone, [""; 0], "crates that tests/dependencies.toml calls unmaintained, and that are no longer used");
}

#[test]
fn expressions_are_understood() {
    let allowed: BTreeSet<String> = ["MIT", "Unicode-3.0"].map(String::from).into();
    for good in ["MIT", "Apache-2.0/MIT", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "no licence named", ""] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
