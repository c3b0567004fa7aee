//! Do the documents say what is so? Their links lead to files, and the scenarios in them are valid.

use std::fs;
use std::path::{Path, PathBuf};

use zvmlab::Scenario;
use zvmlab_tests::root;

/// Every document of the repository that is ours.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["", "web", "crates/zvmlab", "crates/reference", "crates/cli", "tests", "tests/embed"] {
        let Ok(entries) = fs::read_dir(root().join(folder)) else { continue };
        let paths = entries.flatten().map(|entry| entry.path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    found.sort();
    found
}

/// The targets of `[text](target)` that are files of the repository.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    files.map(|target| target.split('#').next().unwrap_or_default()).collect()
}

/// The content of the blocks fenced as `language`.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block).collect()
}

fn broken_links(document: &Path, text: &str) -> Vec<String> {
    let folder = document.parent().expect("a document is in a folder");
    links(text).into_iter().filter(|target| !folder.join(target).exists()).map(String::from).collect()
}

#[test]
fn links_lead_to_files() {
    let documents = documents();
    assert!(documents.contains(&root().join("README.md")), "the test looks in the wrong place");
    for document in documents {
        let text = fs::read_to_string(&document).expect("a document is UTF-8");
        let broken = broken_links(&document, &text);
        assert!(broken.is_empty(), "{}: leads nowhere: {broken:?}", document.display());
    }
}

#[test]
fn scenarios_in_the_readme_are_valid() {
    let text = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let scenarios = blocks(&text, "toml");
    assert!(!scenarios.is_empty(), "the README shows no scenario");
    for scenario in scenarios {
        if let Err(error) = Scenario::parse(scenario) {
            panic!("{error}\n{scenario}");
        }
    }
}

#[test]
fn a_broken_link_is_found() {
    let text = "[here](README.md), [there](nothing.md#part), [page](https://example.org/), [below](#below)";
    assert_eq!(links(text), ["README.md", "nothing.md"]);
    assert_eq!(broken_links(&root().join("README.md"), text), ["nothing.md"]);
    assert_eq!(blocks("a\n```toml\nx = 1\n```\nb\n```sh\ny\n```\n", "toml"), ["x = 1\n"]);
}
