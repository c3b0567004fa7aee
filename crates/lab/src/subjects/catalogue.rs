//! The catalogue: everything that can be opened, and the search through it by words.

use super::{Part, SUBJECTS, Subject};
use crate::published::ready::examples;
use crate::published::{is_run, runs, sources};

/// Something that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The ready experiment that it opens.
    pub id: String,
    /// Its name: of a run, the code of its source.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// The question that it answers, if it has one.
    pub question: Option<&'static str>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A subject of this part of the laboratory; whether IBM measured the host that it begins with.
    Subject(Part, bool),
    /// A run that IBM published: its source and tables.
    Published(String),
    /// An example, chosen by hand.
    Example,
}

impl Origin {
    /// Whether IBM measured it, in words.
    pub fn words(&self) -> &'static str {
        match self {
            Origin::Subject(_, true) | Origin::Published(_) => "measured by IBM",
            Origin::Subject(_, false) | Origin::Example => "example",
        }
    }
}

impl Entry {
    /// The entry of a subject.
    pub fn of(subject: &'static Subject) -> Entry {
        let id = subject.start();
        Entry {
            id: id.into(),
            name: subject.title.into(),
            title: String::new(),
            question: Some(subject.question),
            origin: Origin::Subject(subject.part, is_run(id)),
        }
    }

    /// Everything by which it can be found, in small letters.
    fn text(&self) -> String {
        let place = match &self.origin {
            Origin::Subject(part, _) => part.title(),
            Origin::Published(source) => source,
            Origin::Example => "",
        };
        let parts = [&self.id, &self.name, &self.title, self.question.unwrap_or(""), place, self.origin.words()];
        parts.join(" ").to_ascii_lowercase()
    }
}

/// Everything that can be opened: the subjects, the published runs in the order of their sources, the examples.
pub fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = SUBJECTS.iter().copied().map(Entry::of).collect();
    let runs = runs();
    for source in sources() {
        let origin = Origin::Published(format!("{}, {}", source.title, source.tables));
        entries.extend(runs.iter().filter(|run| run.source_id == source.id).map(|run| Entry {
            id: run.id.clone(),
            name: run.id.clone(),
            title: run.title.clone(),
            question: None,
            origin: origin.clone(),
        }));
    }
    entries.extend(examples().iter().map(|ready| Entry {
        id: ready.example.id.into(),
        name: ready.example.id.into(),
        title: ready.example.title.into(),
        question: Some(ready.example.question),
        origin: Origin::Example,
    }));
    entries
}

/// The entries in which each of the words occurs; all for no word. Upper and lower case are alike.
pub fn found(words: &str) -> Vec<Entry> {
    let words = words.to_ascii_lowercase();
    let has = |entry: &Entry| {
        let text = entry.text();
        words.split_whitespace().all(|word| text.contains(word))
    };
    entries().into_iter().filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::is_ready;

    #[test]
    fn everything_that_is_ready_is_in_the_catalogue() {
        let entries = entries();
        assert!(entries.iter().all(|entry| is_ready(&entry.id)), "each opens something");
        let opens = |id: &str| entries.iter().any(|entry| entry.id == id);
        assert!(runs().iter().all(|run| opens(&run.id)) && examples().iter().all(|ready| opens(ready.example.id)));
        assert_eq!(entries.iter().filter(|entry| matches!(entry.origin, Origin::Subject(..))).count(), SUBJECTS.len());
    }

    #[test]
    fn anything_is_found_by_a_word() {
        let names = |words: &str| found(words).into_iter().map(|entry| entry.name).collect::<Vec<_>>();
        assert!(names("alias").iter().any(|name| name == "V4DVYA40"), "{:?}", names("alias"));
        assert_eq!(names("qrbkw055").last().map(String::as_str), Some("QRBKW055"));
        assert!(names("ELIGIBLE").iter().any(|name| name == "STORBUF"));
        assert!(names("relocation 40").iter().all(|name| name != "STORBUF"), "all words count");
        assert_eq!(names("no such word"), [""; 0]);
        assert_eq!(found("").len(), entries().len());
    }
}
