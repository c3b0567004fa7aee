//! The catalogue: everything that can be opened, and the search through it by words.

use super::{Depth, Part, SUBJECTS, Setup, Subject};
use crate::published::ready::examples;
use crate::published::{is_of_chosen_host, is_run, runs, sources};

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
    /// What it shows beyond the question, of a host of a subject.
    pub shows: Option<&'static str>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A subject of this part of the laboratory; whether IBM measured the host that it begins with.
    Subject(Part, bool),
    /// A run that IBM published: its source; whether IBM measured it, or tells how such hosts behave.
    Published(String, bool),
    /// An example, chosen by hand.
    Example,
}

impl Origin {
    /// Whether IBM measured it, in words.
    pub fn words(&self) -> &'static str {
        match self {
            Origin::Subject(_, true) | Origin::Published(_, true) => "measured by IBM",
            Origin::Published(_, false) => "told by IBM",
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
            shows: None,
            origin: Origin::Subject(subject.part, is_run(id) && !is_of_chosen_host(id)),
        }
    }

    /// How well the words fit: how often they occur in what it is about, in its name above all. A subject fits the name of its part
    /// too, the basics first. `None` if a word occurs nowhere.
    fn fits(&self, words: &[&str]) -> Option<usize> {
        let place = match &self.origin {
            Origin::Subject(part, _) => part.title(),
            Origin::Published(source, _) => source,
            Origin::Example => "",
        };
        let about = [&self.title, self.question.unwrap_or_default(), self.shows.unwrap_or_default()].join(" ");
        let rest = [&self.id, place, self.origin.words(), &self.tour()].join(" ");
        let subject = self.subject();
        let part = subject.map_or("", |_| place);
        let [name, about, part, rest] = [&self.name, about.as_str(), part, &rest].map(str::to_ascii_lowercase);
        let mut all = usize::from(subject.is_some_and(|subject| subject.depth == Depth::Basics));
        for word in words {
            let fits = 4 * name.matches(word).count() + about.matches(word).count() + 2 * part.matches(word).count();
            if fits == 0 && !rest.contains(word) {
                return None;
            }
            all += fits;
        }
        Some(all)
    }

    /// The subject, if it is one.
    fn subject(&self) -> Option<&'static Subject> {
        let Origin::Subject(..) = self.origin else { return None };
        SUBJECTS.iter().copied().find(|subject| subject.title == self.name)
    }

    /// Of a subject: the texts of its tour, and the names of its sources.
    fn tour(&self) -> String {
        let Some(subject) = self.subject() else { return String::new() };
        let base = subject.base().unwrap_or_default();
        let mut tour = String::new();
        for step in subject.chain.steps {
            tour += &(step.label)(&base);
            tour += step.reason;
        }
        for source in sources().iter().filter(|source| subject.sources.contains(&source.id)) {
            tour += &source.document;
        }
        tour
    }
}

/// Everything that can be opened: the subjects, the published runs in the order of their sources, the examples.
pub fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = SUBJECTS.iter().copied().map(Entry::of).collect();
    let runs = runs();
    for source in sources() {
        let document = [source.title, source.tables, &source.document].join(", ");
        entries.extend(runs.iter().filter(|run| run.source_id == source.id).map(|run| Entry {
            id: run.id.clone(),
            name: run.id.clone(),
            title: run.title.clone(),
            question: None,
            shows: None,
            origin: Origin::Published(document.clone(), !is_of_chosen_host(&run.id)),
        }));
    }
    entries.extend(examples().iter().map(|ready| Entry {
        id: ready.example.id.into(),
        name: ready.example.id.into(),
        title: ready.example.title.into(),
        question: Some(ready.example.question),
        shows: setup(ready.example.id).and_then(Setup::shows).filter(|shows| *shows != ready.example.question),
        origin: Origin::Example,
    }));
    entries
}

/// The host of a subject that is this ready experiment.
fn setup(id: &str) -> Option<&'static Setup> {
    SUBJECTS.iter().flat_map(|subject| subject.setups).find(|setup| setup.id == id)
}

/// The entries in which each of the words occurs, those that are about them first; all for no word. Upper and lower case are alike.
pub fn found(words: &str) -> Vec<Entry> {
    let words = words.to_ascii_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let (entries, mut found) = (entries(), Vec::new());
    let fits: Vec<Option<usize>> = entries.iter().map(|entry| entry.fits(&words)).collect();
    for level in (0..=fits.iter().flatten().copied().max().unwrap_or_default()).rev() {
        found.extend(entries.iter().zip(&fits).filter(|(_, fits)| **fits == Some(level)).map(|(entry, _)| entry.clone()));
    }
    found
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
        assert_eq!(names("qrbkw055").first().map(String::as_str), Some("QRBKW055"));
        assert!(names("ELIGIBLE").iter().any(|name| name == "STORBUF"));
        assert!(names("relocation 40").iter().all(|name| name != "STORBUF"), "all words count");
        assert_eq!(names("no such word"), [""; 0]);
        assert_eq!(found("").len(), entries().len());
        for words in ["linux", "storbuf rule", "Rule Linux", "6.2 deck"] {
            assert_eq!(names(words).first().map(String::as_str), Some("STORBUF-FITS"), "{words}: {:?}", names(words));
        }
        assert!(names("storbuf").iter().take(3).all(|name| name.starts_with("STORBUF")), "{:?}", names("storbuf"));
        assert!(names("VM64887").iter().any(|name| name == "PLDV and VARY"), "a step of a tour: {:?}", names("VM64887"));
        for words in ["relocation", "quiesce", "live guest relocation"] {
            assert_eq!(names(words).first().map(String::as_str), Some("Move a guest"), "{words}: {:?}", names(words));
        }
        assert!(names("SSD and flash").contains(&"Kinds of device".into()), "a source: {:?}", names("SSD and flash"));
    }
}
