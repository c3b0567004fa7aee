//! A Rust file of the tree, with the house and the room that it belongs to.

use std::fs;
use std::path::Path;

use zvmlab_tests::root;

/// A crate whose rooms are on floors: a file imports only from floors below its own.
pub struct House {
    /// Its name in a problem.
    pub name: &'static str,
    /// The folder of its files, with a slash at the end.
    pub folder: &'static str,
    /// Its rooms, from the ground up.
    pub floors: &'static [&'static [&'static str]],
    /// Words that its code may not contain.
    pub bans: &'static [&'static str],
}

impl House {
    /// The floor of a room.
    pub fn floor(&self, room: &str) -> Option<usize> {
        self.floors.iter().position(|rooms| rooms.contains(&room))
    }
}

/// A Rust file: its path and its text.
pub struct Source {
    /// Its path from the root, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// A file with this content.
    pub fn new(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    /// The numbered lines before the unit tests, from 1, without comments. A file's unit tests are at its end.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        lines.map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
    }

    /// Its path inside `house`, if it is one of its files.
    pub fn inside(&self, house: &House) -> Option<&str> {
        self.path.strip_prefix(house.folder)
    }

    /// The room of `house` that the file belongs to: `kernel` for `kernel.rs` and for `kernel/queue.rs`. `lib.rs` belongs to
    /// none.
    pub fn room(&self, house: &House) -> Option<&str> {
        self.inside(house)?.split(['/', '.']).next().filter(|room| *room != "lib")
    }

    /// Its module in `house`: `kernel::queue`.
    pub fn module(&self, house: &House) -> Option<String> {
        Some(self.inside(house)?.strip_suffix(".rs")?.replace('/', "::"))
    }

    /// Whether the whole file is only for tests.
    pub fn is_for_tests(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        ["tests.rs", "laws.rs", "oracle.rs", "fixture.rs", "real.rs"].contains(&name)
    }
}

/// Every Rust file of our own in the repository.
pub fn sources() -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    for folder in ["crates", "web", "tests", "tools"] {
        collect(&root, &root.join(folder), &mut found);
    }
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder can be read to its end").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "node_modules", "dist"].contains(&name.as_str()) {
                collect(root, &path, found);
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a source is UTF-8");
            let path = path.strip_prefix(root).expect("it was found below the root").to_string_lossy().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}
