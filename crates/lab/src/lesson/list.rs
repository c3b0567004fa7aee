//! The lessons that come with the laboratory: what lists say of them, and their texts.

/// What a list says of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plate {
    /// The name of its file. The page fetches it from `static/lessons/`.
    pub file: &'static str,
    /// Its name in addresses.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its question.
    pub question: &'static str,
    /// How long it takes, in minutes.
    pub minutes: u64,
    /// The ready host with which it begins.
    pub host: &'static str,
}

impl Plate {
    /// Whether a search for these words finds it.
    pub fn has(&self, words: &str) -> bool {
        let text = [self.id, self.title, self.question, self.host, "lesson"].join(" ").to_ascii_lowercase();
        words.to_ascii_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// Every lesson, in the order in which people should meet them.
pub static LESSONS: &[Plate] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// The text of a lesson, for programs that have no page to fetch it from.
pub fn text_of(id: &str) -> Option<&'static str> {
    const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lesson_texts.rs"));
    TEXTS.iter().find(|(one, _)| *one == id).map(|(_, text)| *text)
}

/// The lesson of this name.
pub fn plate(id: &str) -> Option<&'static Plate> {
    LESSONS.iter().find(|plate| plate.id == id)
}

/// The lesson after this one, if there is one.
pub fn after(id: &str) -> Option<&'static Plate> {
    LESSONS.iter().skip_while(|plate| plate.id != id).nth(1)
}

/// A place in a lesson as an address says it: `aliases.3` is its third step.
pub fn written(id: &str, step: usize) -> String {
    format!("{id}.{}", step + 1)
}

/// The lesson and the step, from 0, of a place as an address says it. Without a number: where the reader left it.
pub fn read(place: &str) -> (&str, Option<usize>) {
    match place.rsplit_once('.') {
        Some((id, step)) => (id, step.parse().ok().and_then(|step: usize| step.checked_sub(1))),
        None => (place, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::file::parse;

    #[test]
    fn every_lesson_can_be_read_and_is_listed_as_it_says() {
        assert!(!LESSONS.is_empty());
        for plate in LESSONS {
            let lesson =
                parse(text_of(plate.id).expect("a text")).unwrap_or_else(|problems| panic!("{}: {problems:#?}", plate.file));
            assert_eq!((lesson.id.as_str(), lesson.host.as_str()), (plate.id, plate.host));
            let end = plate.file.strip_suffix(".toml").expect("a TOML file");
            assert!(end.ends_with(&format!("-{}", plate.id)), "{} is not named for its id", plate.file);
        }
        let mut ids: Vec<&str> = LESSONS.iter().map(|plate| plate.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), LESSONS.len());
    }

    #[test]
    fn a_lesson_is_found_by_words_of_its_title_its_question_and_its_host() {
        let found = |words: &str| LESSONS.iter().filter(|plate| plate.has(words)).map(|plate| plate.id).collect::<Vec<_>>();
        assert_eq!(found("twice ALIASES"), ["aliases"]);
        assert_eq!(found("lesson qrbkw055"), ["set-cu"]);
        assert_eq!(found("lesson").len(), LESSONS.len());
        assert!(found("nonsense").is_empty());
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        assert_eq!(read(&written("aliases", 2)), ("aliases", Some(2)));
        assert_eq!(read("aliases"), ("aliases", None));
        assert_eq!((read("aliases.0"), read("aliases.x")), (("aliases", None), ("aliases", None)));
    }
}
