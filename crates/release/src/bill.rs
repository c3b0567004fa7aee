//! Bills of materials in CycloneDX 1.5: those of the parts of an artifact as one of the whole.
//!
//! Source: OWASP, CycloneDX v1.5 JSON reference. cargo-cyclonedx and npm write the bills of the parts; the former names our own crates by
//! the folder that they stand in, which differs from machine to machine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::{about, read as text_of};

/// What a bill is of.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// The SHA-256 of its file, in hexadecimal digits.
    pub sha256: &'a str,
}

/// Reads the bill of a part.
///
/// # Errors
/// When the file cannot be read, or is no bill of this form.
pub fn read(file: &Path) -> Result<Value, String> {
    let bill: Value = serde_json::from_str(&text_of(file)?).map_err(|error| about(file, error))?;
    if bill["bomFormat"] == "CycloneDX" && bill["specVersion"] == "1.5" && bill["metadata"]["component"].is_object() {
        Ok(bill)
    } else {
        Err(about(file, "no bill of materials in CycloneDX 1.5 that says what it is of"))
    }
}

/// One bill of `whole`, which consists of `parts`, as text. Everything in it is sorted; it holds no serial number, and the time of the
/// first part.
///
/// # Errors
/// When a component has no reference, or the bill would name a folder of this machine.
pub fn joined(parts: &[Value], whole: &Whole) -> Result<String, String> {
    let mut components = BTreeMap::new();
    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tools = BTreeMap::new();
    let root = format!("{}@{}", whole.name, whole.version);
    for part in parts {
        let names = references(part)?;
        let name = |value: &Value| {
            let reference = value.as_str().unwrap_or_default();
            names.get(reference).cloned().ok_or_else(|| format!("{reference:?} is referred to, but described nowhere"))
        };
        for component in std::iter::once(&part["metadata"]["component"]).chain(list(&part["components"])) {
            let (reference, component) = (name(&component["bom-ref"])?, plain(component));
            components.insert(reference.clone(), with(component, "bom-ref", json!(reference)));
        }
        dependencies.entry(root.clone()).or_default().insert(name(&part["metadata"]["component"]["bom-ref"])?);
        for entry in list(&part["dependencies"]) {
            let needed = list(&entry["dependsOn"]).map(name).collect::<Result<Vec<_>, String>>()?;
            dependencies.entry(name(&entry["ref"])?).or_default().extend(needed);
        }
        for tool in list(&part["metadata"]["tools"]) {
            tools.insert(tool.to_string(), tool.clone());
        }
    }
    let dependencies: Vec<Value> =
        dependencies.into_iter().map(|(one, needs)| json!({ "ref": one, "dependsOn": needs })).collect();
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": parts.first().map(|part| part["metadata"]["timestamp"].clone()),
            "tools": tools.into_values().collect::<Vec<_>>(),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": whole.name,
                "version": whole.version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "hashes": [{ "alg": "SHA-256", "content": whole.sha256 }],
            },
        },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies,
    });
    let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())? + "\n";
    match text.split_once("file://") {
        None => Ok(text),
        Some((_, rest)) => Err(format!("the bill of {} names the folder {:?}", whole.name, rest.split('"').next())),
    }
}

/// The references of a part's bill, and their names in the whole: those to our own crates go by name and version.
fn references(part: &Value) -> Result<BTreeMap<String, String>, String> {
    let mut names = BTreeMap::new();
    for component in std::iter::once(&part["metadata"]["component"]).chain(list(&part["components"])) {
        let text = |key: &str| component[key].as_str().unwrap_or_default();
        let reference = text("bom-ref");
        if reference.is_empty() {
            return Err(format!("the component {} has no reference", text("name")));
        }
        let ours = format!("{}@{}", text("name"), text("version"));
        names.insert(reference.into(), if is_ours(reference) { ours } else { reference.into() });
    }
    Ok(names)
}

/// Whether a reference is to a crate of this repository.
fn is_ours(reference: &str) -> bool {
    reference.starts_with("path+file://")
}

/// A component without what depends on the machine: the address of our own crates, and their targets.
fn plain(component: &Value) -> Map<String, Value> {
    let mut plain = component.as_object().cloned().unwrap_or_default();
    if is_ours(component["bom-ref"].as_str().unwrap_or_default()) {
        plain.remove("components");
        let purl = component["purl"].as_str().and_then(|purl| purl.split(['?', '#']).next());
        plain = with_map(plain, "purl", json!(purl));
    }
    plain.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
    plain
}

fn with(component: Map<String, Value>, key: &str, value: Value) -> Value {
    Value::Object(with_map(component, key, value))
}

fn with_map(mut map: Map<String, Value>, key: &str, value: Value) -> Map<String, Value> {
    map.insert(key.into(), value);
    map
}

/// The entries of a list; none where there is no list.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Whole = Whole { name: "zvmlab-site", version: "0.1.0", sha256: "00" };

    /// The bill of a crate of ours that needs another one.
    fn part(folder: &str, name: &str) -> Value {
        let ours = format!("path+file://{folder}#{name}@0.1.0");
        let foreign = "registry+https://example.org/index#slab@0.4.12";
        json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5",
            "metadata": {
                "timestamp": "2026-11-26T00:00:00Z",
                "tools": [{ "name": "cargo-cyclonedx" }],
                "component": {
                    "bom-ref": ours, "name": name, "version": "0.1.0",
                    "purl": format!("pkg:cargo/{name}@0.1.0?download_url=file://.#src/lib.rs"),
                    "components": [{ "bom-ref": format!("{ours} bin-target-0") }],
                },
            },
            "components": [{ "bom-ref": foreign, "name": "slab", "version": "0.4.12", "externalReferences": [] }],
            "dependencies": [{ "ref": ours, "dependsOn": [foreign] }, { "ref": foreign }],
        })
    }

    #[test]
    fn the_whole_is_the_same_from_any_folder_and_names_each_part_once() {
        let bill = |folder| joined(&[part(folder, "zvmlab-web"), part(folder, "zvmlab-engine")], &WHOLE).unwrap();
        assert_eq!(bill("/here"), bill("/somewhere/else"));
        let bill: Value = serde_json::from_str(&bill("/here")).unwrap();
        let references: Vec<_> = list(&bill["components"]).map(|one| one["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(
            references,
            ["registry+https://example.org/index#slab@0.4.12", "zvmlab-engine@0.1.0", "zvmlab-web@0.1.0"]
        );
        assert_eq!(bill["components"][1]["purl"], "pkg:cargo/zvmlab-engine@0.1.0");
        let needs = |of: &str| {
            let entry = list(&bill["dependencies"]).find(|entry| entry["ref"] == of).unwrap();
            entry["dependsOn"].clone()
        };
        assert_eq!(needs("zvmlab-site@0.1.0"), json!(["zvmlab-engine@0.1.0", "zvmlab-web@0.1.0"]));
        assert_eq!(needs("zvmlab-web@0.1.0"), json!(["registry+https://example.org/index#slab@0.4.12"]));
        assert_eq!(bill["metadata"]["component"]["hashes"][0]["content"], "00");
    }

    #[test]
    fn a_bill_that_refers_to_nothing_or_to_a_folder_is_refused() {
        let mut lost = part("/here", "zvmlab-web");
        lost["dependencies"][0]["dependsOn"] = json!(["nothing"]);
        assert!(joined(&[lost], &WHOLE).unwrap_err().contains("\"nothing\""));
        let mut leaking = part("/here", "zvmlab-web");
        leaking["components"][0]["purl"] = json!("pkg:cargo/slab?download_url=file:///secret");
        assert!(joined(&[leaking], &WHOLE).unwrap_err().contains("/secret"));
        let mut nameless = part("/here", "zvmlab-web");
        nameless["components"][0]["bom-ref"] = Value::Null;
        assert!(joined(&[nameless], &WHOLE).unwrap_err().contains("slab has no reference"));
    }

    #[test]
    fn only_a_bill_is_read() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("bill.json");
        for (text, fine) in [(part("/here", "a").to_string(), true), ("{}".into(), false), ("not JSON".into(), false)] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(read(&file).is_ok(), fine);
        }
        assert!(read(&place.path().join("none")).unwrap_err().contains("none"));
    }
}
