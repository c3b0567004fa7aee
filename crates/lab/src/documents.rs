//! The documents: which section of the model's description explains what, and the terms of the glossary. The text of the sections
//! is a file that the page fetches when its reader opens it.

use zvmlab::Figure;

/// One section of the description of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The page and the section: `storage#set-reserved`, or `storage` for the text before the first section.
    pub key: &'static str,
    /// Its id in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The paths of the fields that it explains.
    pub knobs: &'static [&'static str],
    /// The ids of the figures that it explains.
    pub figures: &'static [&'static str],
}

/// One term of the glossary.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Its spelling on the page.
    pub name: &'static str,
    /// Other spellings and forms of it.
    pub also: &'static [&'static str],
    /// Its meaning, for someone who knows operating systems but not z/VM. A function, so that a page can leave the text of terms that are
    /// not in sight to a file that loads later.
    text: fn() -> &'static str,
    /// The key of the section that says more.
    pub see: Option<&'static str>,
}

impl Term {
    /// Its meaning, for someone who knows operating systems but not z/VM.
    pub fn text(&self) -> &'static str {
        (self.text)()
    }
}

/// No two terms have one spelling.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.name == other.name
    }
}

impl Eq for Term {}

/// Every section, in the order of the pages.
pub static SECTIONS: &[Section] = include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// Every term.
pub static TERMS: &[Term] = include!(concat!(env!("OUT_DIR"), "/terms.rs"));

/// The mark before each section in the file of the model, as `zvmlab-documents` writes it.
const MARK: &str = "<!--section ";

impl Section {
    /// Whether it is the beginning of a page.
    pub fn is_page(&self) -> bool {
        !self.key.contains('#')
    }

    /// The section that explains the field at `path`.
    pub fn of_knob(path: &str) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.knobs.contains(&path))
    }

    /// The section that explains a figure.
    pub fn of_figure(figure: Figure) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.figures.contains(&figure.id()))
    }

    /// The section with this key.
    pub fn of_key(key: &str) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.key == key)
    }

    /// The section with this id in the page.
    pub fn of_id(id: &str) -> Option<&'static Section> {
        SECTIONS.iter().find(|section| section.id == id)
    }
}

/// The sections of the file of the model with their HTML. Sections that this page does not know are left out.
pub fn read(file: &str) -> Vec<(&'static Section, &str)> {
    let parts = file.split(MARK).skip(1).filter_map(|part| part.split_once("-->"));
    parts.filter_map(|(id, html)| Some((Section::of_id(id)?, html.trim()))).collect()
}

/// A piece of a text: plain words or a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words without a term.
    Plain(&'a str),
    /// A term, as the text spells it.
    Term(&'a str, &'static Term),
}

/// A text in pieces. Each term is marked at its first place. A longer term goes before a shorter one that it contains.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut told, mut plain, mut at) = (Vec::new(), Vec::<&Term>::new(), 0, 0);
    while at < text.len() {
        let found = longest(text, at).filter(|(_, term)| !told.contains(term));
        match found {
            Some((length, term)) => {
                if plain < at {
                    pieces.push(Piece::Plain(&text[plain..at]));
                }
                pieces.push(Piece::Term(&text[at..at + length], term));
                told.push(term);
                at += length;
                plain = at;
            }
            None => at = next_word(text, at),
        }
    }
    if plain < text.len() {
        pieces.push(Piece::Plain(&text[plain..]));
    }
    pieces
}

/// The longest spelling of a term that begins at `at` as whole words: its bytes, and the term.
fn longest(text: &str, at: usize) -> Option<(usize, &'static Term)> {
    let rest = &text[at..];
    let whole = |spelling: &str| {
        let next = rest.get(spelling.len()..).and_then(|rest| rest.chars().next());
        rest.starts_with(spelling) && !next.is_some_and(char::is_alphanumeric)
    };
    let spellings =
        TERMS.iter().flat_map(|term| term.also.iter().chain([&term.name]).map(move |spelling| (*spelling, term)));
    let found = spellings.filter(|(spelling, _)| whole(spelling)).max_by_key(|(spelling, _)| spelling.len());
    found.map(|(spelling, term)| (spelling.len(), term))
}

/// Where the word after the one at `at` begins.
fn next_word(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    let after = rest[end..].find(char::is_alphanumeric).unwrap_or(rest.len() - end);
    at + (end + after).max(1)
}

#[cfg(test)]
mod tests {
    use zvmlab::measurement::FIGURES;
    use zvmlab::scenario::fields::FIELDS;

    use super::*;

    #[test]
    fn every_knob_and_figure_has_its_section() {
        for field in FIELDS {
            assert!(Section::of_knob(field.path).is_some(), "{}", field.path);
        }
        for figure in FIGURES {
            assert!(Section::of_figure(*figure).is_some(), "{}", figure.id());
        }
    }

    #[test]
    fn a_file_is_read_section_by_section() {
        let [first, second] = [&SECTIONS[0], &SECTIONS[1]];
        let file = format!("{MARK}{}-->\n<h3>A</h3>\n{MARK}unknown-->\nB\n{MARK}{}-->\n<p>C</p>\n", first.id, second.id);
        assert_eq!(read(&file), [(first, "<h3>A</h3>"), (second, "<p>C</p>")]);
        assert!(read("").is_empty());
    }

    fn written(text: &str) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Plain(words) => words.to_string(),
            Piece::Term(words, _) => format!("[{words}]"),
        };
        pieces(text).iter().map(piece).collect()
    }

    #[test]
    fn terms_are_found_as_whole_words_the_longest_first_and_once() {
        assert_eq!(written("Guests wait in the eligible list."), "Guests wait in the [eligible list].");
        assert_eq!(written("An LCU is an LCU."), "An [LCU] is an LCU.");
        assert_eq!(written("no such word"), "no such word");
        assert_eq!(written("LCUs, «zHPF»"), written("LCUs, «zHPF»"));
        assert_eq!(written(""), "");
        let text = "Ä ß → 5 µs of CP";
        assert_eq!(written(text).replace(['[', ']'], ""), text);
    }
}
