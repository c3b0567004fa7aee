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

/// What the lists of lessons say of one; the lesson itself is read by `lesson/file.rs`.
#[derive(Deserialize)]
struct Lesson {
    id: String,
    title: String,
    question: String,
    minutes: u64,
    host: String,
}

/// The lessons of the folder, in the order of the names of their files.
fn lessons(folder: &Path) -> (String, String) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let (mut plates, mut texts) = (String::new(), String::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let Lesson { id, title, question, minutes, host } =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name in Unicode");
        plates += &format!(
            "    Plate {{ file: {name:?}, id: {id:?}, title: {title:?}, question: {question:?}, minutes: {minutes}, host: {host:?} }},\n"
        );
        texts += &format!("    ({id:?}, include_str!({:?})),\n", file.canonicalize().expect("the file was read"));
    }
    (format!("&[\n{plates}]"), format!("&[\n{texts}]"))
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
        format!("    Term {{ name: {name:?}, also: &{also:?}, text: || {text:?}, see: {see:?} }},\n")
    };
    let terms: String = glossary.term.into_iter().map(term).collect();
    let folder = env::var("OUT_DIR").expect("cargo says where its output goes");
    let write = |name: &str, text: &str| {
        fs::write(Path::new(&folder).join(name), text).expect("cargo's output folder can be written");
    };
    let folder_of_lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons");
    println!("cargo::rerun-if-changed={}", folder_of_lessons.display());
    let (plates, texts) = lessons(&folder_of_lessons);
    write("lessons.rs", &plates);
    write("lesson_texts.rs", &texts);
    write("sections.rs", &zvmlab_documents::rust(&sections));
    write("terms.rs", &format!("&[\n{terms}]"));
}
