//! What the last release promised, against what is here: what changes results or the form of scenarios raises a version, and the
//! changelog says so. `released.toml` and `scenario.json` are made anew after a release, by
//! `ZVMLAB_MINT=1 cargo test -p zvmlab-tests --test versions`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use zvmlab::Scenario;
use zvmlab::report::MODEL_VERSION;
use zvmlab::scenario::SCHEMA_VERSION;
use zvmlab_tests::root;

/// What the last release gave.
#[derive(Serialize, Deserialize)]
struct Released {
    /// Its version; none before the first release.
    version: String,
    /// The digest of each golden run.
    results: BTreeMap<String, String>,
}

/// The fields of a version of scenarios, and what each may be.
#[derive(Serialize, Deserialize)]
struct Form {
    /// The version.
    version: u32,
    /// By path: type, least, most, choices, default.
    fields: BTreeMap<String, Value>,
}

fn file(name: &str) -> PathBuf {
    root().join("tests/versions").join(name)
}

fn is_minting() -> bool {
    std::env::var_os("ZVMLAB_MINT").is_some()
}

/// The digest of each golden run: that of its last snapshot, from which figures follow, so that a new figure is no new result.
fn results() -> BTreeMap<String, String> {
    let folders = fs::read_dir(root().join("tests/golden")).expect("the goldens have a folder").flatten();
    let digest = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("expected.txt")).expect("a golden has its result");
        let line = text.lines().last().expect("a result ends with its digest");
        (folder.file_name().expect("a folder has a name").to_string_lossy().into_owned(), line.replace("digest ", ""))
    };
    folders.map(|entry| digest(entry.path())).collect()
}

/// What is wrong with the version `now` and its changelog, when the goldens have these results.
fn wrong(released: &Released, results: &BTreeMap<String, String>, now: &str, changelog: &str) -> Option<String> {
    if released.version.is_empty() {
        return None;
    }
    let moved: Vec<&str> = released
        .results
        .iter()
        .filter(|(name, digest)| results.get(*name) != Some(digest))
        .map(|(name, _)| &**name)
        .collect();
    if moved.is_empty() {
        return None;
    }
    let moved = moved.join(", ");
    // Repairs that move no result raise the third number.
    let series = |version: &str| version.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
    if series(&released.version) == series(now) {
        let why = format!(
            "{moved} gave other results in {}: raise the second number of the version in Cargo.toml",
            released.version
        );
        return Some(why);
    }
    let begin = [format!("## [{now}]"), "## [Unreleased]".into()].into_iter().find_map(|heading| changelog.find(&heading));
    let section = changelog[begin.unwrap_or(changelog.len())..].split("\n## [").next().unwrap_or_default();
    (!section.contains("\n### Results\n")).then(|| {
        format!(
            "{moved} gave other results in {}: CHANGELOG.md needs a part ### Results, with the figures that moved",
            released.version
        )
    })
}

/// The fields of a schema by path.
fn fields(schema: &Value, path: &str, found: &mut BTreeMap<String, Value>) {
    let Some(properties) = schema["properties"].as_object() else {
        let mut field = Map::new();
        // A field that takes a number or a text with a unit has its number first.
        let own = schema["anyOf"].get(0).unwrap_or(schema);
        for key in ["type", "minimum", "maximum", "enum", "default"] {
            if let Some(value) = own.get(key) {
                field.insert(key.into(), value.clone());
            }
        }
        found.insert(path.into(), Value::Object(field));
        return;
    };
    for (key, inner) in properties {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        fields(inner.get("items").filter(|items| items["properties"].is_object()).unwrap_or(inner), &path, found);
    }
}

/// The first field that took what it no longer takes.
fn narrowed(before: &BTreeMap<String, Value>, now: &BTreeMap<String, Value>) -> Option<String> {
    before.iter().find_map(|(path, before)| {
        let Some(now) = now.get(path) else { return Some(format!("{path} has gone")) };
        let number = |field: &Value, key: &str| field[key].as_f64();
        let least = number(now, "minimum").unwrap_or(f64::MIN) > number(before, "minimum").unwrap_or(f64::MIN);
        let most = number(now, "maximum").unwrap_or(f64::MAX) < number(before, "maximum").unwrap_or(f64::MAX);
        let choices = |field: &Value| field["enum"].as_array().cloned();
        let lost =
            choices(now).is_some_and(|now| choices(before).is_none_or(|before| before.iter().any(|one| !now.contains(one))));
        let other = now["type"] != before["type"] && !(before["type"] == "integer" && now["type"] == "number");
        // A text that leaves the field out would mean another host.
        let usual = now["default"] != before["default"];
        (least || most || lost || other || usual).then(|| format!("{path} was {before}, and is {now}"))
    })
}

fn present() -> Form {
    let mut found = BTreeMap::new();
    fields(&Scenario::json_schema(), "", &mut found);
    Form { version: SCHEMA_VERSION, fields: found }
}

#[test]
fn results_move_only_with_the_version_and_a_word_in_the_changelog() {
    let results = results();
    assert!(results.len() > 10 && results.values().all(|digest| digest.len() == 16), "{results:?}");
    if is_minting() {
        let text = toml::to_string(&Released { version: MODEL_VERSION.into(), results }).expect("plain texts");
        return fs::write(file("released.toml"), text).expect("the folder can be written");
    }
    let released = fs::read_to_string(file("released.toml")).expect("it is there");
    let released: Released = toml::from_str(&released).expect("it was minted");
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).expect("it is there");
    assert_eq!(wrong(&released, &results, MODEL_VERSION, &changelog), None);
}

#[test]
fn scenarios_of_this_version_stay_valid() {
    let now = present();
    assert!(now.fields.len() > 100, "{} fields", now.fields.len());
    assert_eq!(now.fields["guests.virtual_mb"]["minimum"], json!(1), "a field of the guests is found");
    if is_minting() {
        let text = serde_json::to_string_pretty(&now).expect("plain data") + "\n";
        return fs::write(file("scenario.json"), text).expect("the folder can be written");
    }
    let kept = fs::read_to_string(file("scenario.json")).expect("it is there");
    let kept: Form = serde_json::from_str(&kept).expect("it was minted");
    assert!(kept.version <= now.version, "the version of scenarios fell from {} to {}", kept.version, now.version);
    if kept.version == now.version {
        let why = "raise VERSION in crates/zvmlab/src/scenario/schema.rs, and tell in CHANGELOG.md how a text is changed";
        assert_eq!(narrowed(&kept.fields, &now.fields), None, "{why}");
    }
}

#[test]
fn results_that_moved_are_told() {
    let results = |digest: &str| BTreeMap::from([("small".to_string(), digest.to_string())]);
    let released = |version: &str| Released { version: version.into(), results: results("aa") };
    let told = "# Changelog\n\n## [Unreleased]\n\n### Results\n\n- ETR 1 -> 2.\n\n## [0.1.0]\n";
    let silent = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.1.0]\n\n### Results\n";
    let wrong = |released: &Released, digest, now, changelog| wrong(released, &results(digest), now, changelog);
    assert_eq!(wrong(&released(""), "bb", "0.1.0", silent), None, "nothing was released");
    assert_eq!(wrong(&released("0.1.0"), "aa", "0.1.0", silent), None, "nothing moved");
    assert_eq!(wrong(&released("0.1.0"), "bb", "0.2.0", told), None);
    for version in ["0.1.0", "0.1.1"] {
        assert!(wrong(&released("0.1.0"), "bb", version, told).is_some_and(|why| why.contains("raise the second number")));
    }
    assert!(wrong(&released("0.1.0"), "bb", "0.2.0", silent).is_some_and(|why| why.contains("### Results")));
    let gone = Released { version: "0.1.0".into(), results: BTreeMap::from([("gone".into(), "aa".into())]) };
    assert!(wrong(&gone, "aa", "0.1.0", told).is_some_and(|why| why.starts_with("gone")));
}

#[test]
fn a_field_that_takes_less_is_told() {
    let of = |field: Value| BTreeMap::from([("paging.volumes".to_string(), field)]);
    let before = json!({ "type": "integer", "minimum": 1, "maximum": 8, "enum": ["a", "b"], "default": 4 });
    let is_narrowed = |now: Value| narrowed(&of(before.clone()), &of(now)).is_some();
    assert!(!is_narrowed(before.clone()));
    assert!(!is_narrowed(json!({ "type": "number", "minimum": 0, "maximum": 9, "enum": ["a", "b", "c"], "default": 4 })));
    for (key, value) in [
        ("minimum", json!(2)),
        ("maximum", json!(7)),
        ("enum", json!(["a"])),
        ("type", json!("string")),
        ("default", json!(5)),
    ] {
        let mut now = before.clone();
        now[key] = value;
        assert!(is_narrowed(now), "{key}");
    }
    assert!(narrowed(&of(before.clone()), &BTreeMap::new()).is_some_and(|why| why.contains("has gone")));
    assert!(narrowed(&of(json!({ "type": "string" })), &of(json!({ "type": "string", "enum": ["a"] }))).is_some());
}
