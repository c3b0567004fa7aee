//! Checks the documents: their links lead somewhere, the scenarios in them are valid, the README names subjects that there are, and the
//! description of the model explains every knob, every figure, every constant and every term.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use zvmlab::Scenario;
use zvmlab::constants::TABLE;
use zvmlab::measurement::FIGURES;
use zvmlab::scenario::Mechanism;
use zvmlab::scenario::fields::FIELDS;
use zvmlab_documents::{Section, anchors, pages, sections};
use zvmlab_lab::subjects::{Part, SUBJECTS};
use zvmlab_lab::words::level::levels_with;
use zvmlab_tests::root;

/// Every document of the repository that is ours.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [
        "",
        "model",
        "web",
        "crates/zvmlab",
        "crates/reference",
        "crates/cli",
        "crates/npm",
        "crates/python",
        "tests",
        "tests/embed",
    ] {
        let Ok(entries) = fs::read_dir(root().join(folder)) else { continue };
        let paths = entries.flatten().map(|entry| entry.path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    found.sort();
    found
}

/// The targets of `[text](target)` inside the repository: a file, an anchor in it, or both.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://")).collect()
}

/// The content of the code blocks with this `language`.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block).collect()
}

fn broken_links(document: &Path, text: &str) -> Vec<String> {
    let folder = document.parent().expect("a document is in a folder");
    let broken = |target: &&str| {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = if file.is_empty() { document.to_path_buf() } else { folder.join(file) };
        if anchor.is_empty() {
            return !file.exists();
        }
        fs::read_to_string(&file).map_or(true, |text| !anchors(&text).iter().any(|known| known == anchor))
    };
    links(text).into_iter().filter(broken).map(String::from).collect()
}

#[test]
fn links_lead_to_files_and_sections() {
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

/// The table of mechanisms says what the code says.
#[test]
fn the_model_lists_every_mechanism_with_its_levels() {
    let text = fs::read_to_string(root().join("model/README.md")).expect("the description has a first page");
    let row = |one: Mechanism| {
        let service = if one.service().is_empty() { String::new() } else { format!(" ({})", one.service()) };
        format!("| {}{service} | {} | `{}` |\n", one.name(), levels_with(one), one.field())
    };
    let rows: String = Mechanism::ALL.into_iter().map(row).collect();
    assert!(text.contains(&rows), "model/README.md should have:\n{rows}");
}

#[test]
fn a_broken_link_is_found() {
    let text = "[here](README.md), [there](nothing.md#part), [page](https://example.org/), [below](#below), [above](README.md#to-read)";
    assert_eq!(links(text), ["README.md", "nothing.md#part", "#below", "README.md#to-read"]);
    assert_eq!(broken_links(&root().join("README.md"), text), ["nothing.md#part", "#below"]);
    assert_eq!(blocks("a\n```toml\nx = 1\n```\nb\n```sh\ny\n```\n", "toml"), ["x = 1\n"]);
}

/// The rows of the table below `heading`: the first cell of each, and what is bold in the second.
fn bold_by_row<'a>(text: &'a str, heading: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let (_, after) = text.split_once(heading).expect("there is the section");
    let rows = after.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let cells = rows.map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    cells.map(|(first, second)| (first, second.split("**").skip(1).step_by(2).collect())).collect()
}

#[test]
fn the_readme_names_every_part_and_subjects_of_it_in_their_order() {
    let text = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let rows = bold_by_row(&text, "\n## What you can study\n");
    assert_eq!(rows.iter().map(|(part, _)| *part).collect::<Vec<_>>(), Part::ALL.map(Part::title));
    for ((title, named), part) in rows.iter().zip(Part::ALL) {
        // A subject that nobody needs to know of at first may be left out.
        let all = SUBJECTS.iter().filter(|subject| subject.part == part).map(|subject| subject.title);
        let there: Vec<&str> = all.filter(|subject| named.contains(subject)).collect();
        assert!(!named.is_empty() && *named == there, "{title}: {named:?}");
    }
}

/// The sections of the description of the model.
fn model() -> Vec<Section> {
    sections(&root().join("model")).expect("the pages of the model can be read")
}

#[test]
fn every_page_of_the_model_is_in_its_list_of_pages() {
    let folder = root().join("model");
    let entries = fs::read_dir(&folder).expect("there is a folder").flatten().map(|entry| entry.path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let files: BTreeSet<String> = files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    let listed = pages(&folder).expect("there is a list of pages");
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), files);
    assert_eq!(listed.len(), files.len(), "a page is listed twice");
}

#[test]
fn sections_of_the_model_have_keys_and_ids_of_their_own() {
    let sections = model();
    for of in [|section: &Section| section.key.clone(), |section: &Section| section.id.clone()] {
        let different: BTreeSet<String> = sections.iter().map(of).collect();
        assert_eq!(different.len(), sections.len());
    }
}

/// Asserts that exactly one section explains each of `all`, and that no section explains anything else.
fn explained_once<'a>(all: impl Iterator<Item = &'a str>, explained: fn(&Section) -> &[String]) {
    let sections = model();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for section in &sections {
        found.extend(explained(section).iter().map(|id| (&id[..], &section.key[..])));
    }
    let mut problems = Vec::new();
    let all: BTreeSet<&str> = all.collect();
    for id in &all {
        let keys: Vec<&str> = found.iter().filter(|(found, _)| found == id).map(|(_, key)| *key).collect();
        if keys.len() != 1 {
            problems.push(format!("{id} is explained in {keys:?}, not in one section"));
        }
    }
    problems.extend(found.iter().filter(|(id, _)| !all.contains(id)).map(|(id, key)| format!("{key}: there is no {id}")));
    assert!(problems.is_empty(), "in the comments of model/*.md:\n{}", problems.join("\n"));
}

#[test]
fn every_knob_has_one_section_that_explains_it() {
    explained_once(FIELDS.iter().map(|field| field.path), |section| &section.knobs);
}

#[test]
fn every_figure_has_one_section_that_explains_it() {
    explained_once(FIGURES.iter().map(|figure| figure.id()), |section| &section.figures);
}

#[test]
fn every_constant_has_its_row_on_one_page() {
    explained_once(TABLE.iter().map(|constant| constant.id), |section| &section.constants);
    for section in model().iter().filter(|section| !section.constants.is_empty()) {
        assert_eq!(section.title, "Constants of this page", "{}", section.key);
    }
}

#[test]
fn the_glossary_has_each_term_once_in_a_sentence_or_two() {
    let text = fs::read_to_string(root().join("model/glossary.toml")).expect("there is a glossary");
    let glossary: toml::Table = text.parse().expect("the glossary is TOML");
    let terms = glossary["term"].as_array().expect("the glossary is a list of terms");
    let keys: BTreeSet<String> = model().into_iter().map(|section| section.key).collect();
    let mut spellings = BTreeSet::new();
    for term in terms {
        let word = |key: &str| term.get(key).map(|value| value.as_str().expect("it is a text"));
        let (name, text) = (word("name").expect("a term has a name"), word("text").expect("a term has a text"));
        let also = term.get("also").map(|also| also.as_array().expect("`also` is a list"));
        let also = also.into_iter().flatten().map(|one| one.as_str().expect("a spelling is a text"));
        for spelling in also.chain([name]) {
            assert!(spellings.insert(spelling.to_string()), "{spelling} stands in the glossary twice");
        }
        let length = text.chars().count();
        assert!((30..=300).contains(&length), "{name}: a text of {length} characters");
        assert!(text.ends_with('.') || text.ends_with('?'), "{name}: no sentence");
        assert!(word("see").is_none_or(|see| keys.contains(see)), "{name}: there is no section {:?}", word("see"));
        let known = ["name", "also", "text", "see"];
        assert!(
            term.as_table().is_some_and(|table| table.keys().all(|key| known.contains(&&key[..]))),
            "{name}: an unknown key"
        );
    }
}
