//! Makes constants of the documents: which section of `model/` explains what, and the terms of the glossary.

use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

/// The glossary as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    term: Vec<Term>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    name: String,
    #[serde(default)]
    also: Vec<String>,
    text: String,
    see: Option<String>,
}

fn main() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../model");
    println!("cargo::rerun-if-changed={}", model.display());
    println!("cargo::rerun-if-changed=build.rs");
    let sections = zvmlab_documents::sections(&model).unwrap_or_else(|error| panic!("{}: {error}", model.display()));
    let glossary = model.join("glossary.toml");
    let text = fs::read_to_string(&glossary).unwrap_or_else(|error| panic!("{}: {error}", glossary.display()));
    let glossary: Glossary = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", glossary.display()));
    let term = |Term { name, also, text, see }: Term| {
        format!("    Term {{ name: {name:?}, also: &{also:?}, text: {text:?}, see: {see:?} }},\n")
    };
    let terms: String = glossary.term.into_iter().map(term).collect();
    let folder = env::var("OUT_DIR").expect("cargo says where its output goes");
    let write = |name: &str, text: &str| {
        fs::write(Path::new(&folder).join(name), text).expect("cargo's output folder can be written");
    };
    write("sections.rs", &zvmlab_documents::rust(&sections));
    write("terms.rs", &format!("&[\n{terms}]"));
}
