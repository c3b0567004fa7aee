//! `screenshots`: takes pictures of the released page for people to look at, in every engine, or anew those of the README.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use xtask::engines::Engine;
use xtask::pictures::{self, FOLDER, Picture};

use crate::command::{EVERYTHING, cargo, root, run as run_command, say};
use crate::site::Site;
use crate::testing::on_display;
use crate::tools::Tools;
use crate::{drivers, sizes};

/// Takes the README's pictures when the only word is `readme`; otherwise those of the page whose names have all the words.
///
/// # Errors
/// When a picture cannot be taken or has a fault.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        ["readme"] => of_the_readme(),
        words => of_the_page(words),
    }
}

/// Takes both pictures of the README, in Chromium.
fn of_the_readme() -> Result<(), String> {
    drivers::install_chromium();
    if let Some(missing) = Engine::Chromium.missing() {
        return Err(format!("{missing}: the pictures are taken in Chromium, by its driver"));
    }
    build()?;
    run_command(taking("readme_pictures"))?;
    say("look at pictures/ before you commit it: README.md shows both");
    Ok(())
}

/// Takes pictures of the page in each engine that is there, and puts all of them on one page.
fn of_the_page(words: &[&str]) -> Result<(), String> {
    drivers::install();
    build()?;
    let folder = root().join(FOLDER);
    if words.is_empty() && folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    say("taking the pictures: each line says which one has a fault");
    let mut failed = Vec::new();
    let missing: Vec<String> = Engine::ALL.into_iter().filter_map(Engine::missing).collect();
    for engine in Engine::ALL.into_iter().filter(|engine| engine.missing().is_none()) {
        let mut take = taking("pictures_of_the_page");
        if engine == Engine::WebKit {
            take = on_display(take);
        }
        take.env(pictures::ENGINE, engine.name()).env(pictures::WORDS, words.join(" "));
        failed.extend(run_command(take).err());
    }
    let taken = taken(&folder);
    let sheet = folder.join("index.html");
    fs::write(&sheet, pictures::sheet(&taken, &missing)).map_err(|error| format!("{}: {error}", sheet.display()))?;
    say(&format!("{FOLDER}/index.html shows all {} pictures side by side: look at every one", taken.len()));
    for engine in &missing {
        say(&format!("{engine}: no pictures in it"));
    }
    let faulty: Vec<String> = taken
        .iter()
        .filter(|(_, faults)| !faults.is_empty())
        .map(|(picture, _)| picture.file().display().to_string())
        .collect();
    if !faulty.is_empty() {
        failed.push(format!("{} pictures have faults: {}", faulty.len(), faulty.join(" ")));
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn build() -> Result<(), String> {
    say("building the page and what drives the browser: some five minutes the first time on two cores");
    Site::Release.build(Tools::Page)
}

/// The command that takes pictures by this test.
fn taking(test: &str) -> std::process::Command {
    let mut take = cargo(&["test", "--quiet"]);
    take.args(EVERYTHING).args(["--test", "browser", "--", "--nocapture", "--ignored", "--exact", test]);
    take
}

/// The pictures in the folder, each with its faults. One that could not be taken may have faults only.
fn taken(folder: &Path) -> BTreeMap<Picture, Vec<String>> {
    let files = sizes::files(folder).unwrap_or_default();
    let pictures = files.iter().filter_map(|file| {
        let picture = Picture::of(&file.strip_prefix(folder).ok()?.with_extension("png"))?;
        let faults = fs::read_to_string(file.with_extension("txt")).unwrap_or_default();
        Some((picture, faults.lines().map(String::from).collect()))
    });
    pictures.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_with_their_faults_and_faults_without_a_picture() {
        let folder = root().join("target/screenshots-of-a-test");
        let engine = folder.join("firefox");
        fs::create_dir_all(&engine).unwrap();
        for (name, text) in [
            ("paging-390x844-light.png", ""),
            ("paging-390x844-light.txt", "cut off: a\ntoo small: b\n"),
            ("paging-390x844-dark.png", ""),
            ("set-cu-1280x720-light.txt", "not taken: c\n"),
            ("other.txt", "d\n"),
        ] {
            fs::write(engine.join(name), text).unwrap();
        }
        fs::write(folder.join("index.html"), "").unwrap();
        let found: Vec<(String, usize)> =
            taken(&folder).iter().map(|(picture, faults)| (picture.file().display().to_string(), faults.len())).collect();
        fs::remove_dir_all(&folder).unwrap();
        let expected = [
            ("firefox/paging-390x844-light.png", 2),
            ("firefox/paging-390x844-dark.png", 0),
            ("firefox/set-cu-1280x720-light.png", 1),
        ];
        assert_eq!(found, expected.map(|(file, faults)| (file.to_string(), faults)));
    }
}
