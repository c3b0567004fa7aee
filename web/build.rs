//! Makes the page's text of the model: the sections of `model/` as a constant, so that the page need not carry a reader of Markdown.

use std::path::Path;
use std::{env, fs};

fn main() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model");
    println!("cargo::rerun-if-changed={}", model.display());
    println!("cargo::rerun-if-changed=build.rs");
    let sections = zvmlab_documents::sections(&model).unwrap_or_else(|error| panic!("{}: {error}", model.display()));
    let folder = env::var("OUT_DIR").expect("cargo says where its output goes");
    let text = zvmlab_documents::rust(&sections);
    fs::write(Path::new(&folder).join("model.rs"), text).expect("cargo's output folder can be written");
}
