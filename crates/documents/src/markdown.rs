//! Reads Markdown: its sections, their anchors, and the comments that say what they explain.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The text from one heading of the first or second level to the next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The heading as an anchor; empty for the text before the first section.
    pub slug: String,
    pub title: String,
    pub knobs: Vec<String>,
    pub figures: Vec<String>,
    pub constants: Vec<String>,
    /// The text with its heading, without the comments.
    pub text: String,
}

/// The extensions of Markdown that the pages use.
pub(crate) const EXTENSIONS: Options = Options::ENABLE_TABLES;

struct Heading {
    level: HeadingLevel,
    title: String,
    start: usize,
}

/// The sections of a text, from its first heading on.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut headings = headings(text);
    headings.retain(|heading| heading.level <= HeadingLevel::H2);
    let starts = headings.iter().map(|heading| heading.start).chain([text.len()]);
    let ends: Vec<usize> = starts.skip(1).collect();
    headings.into_iter().zip(ends).map(|(heading, end)| part(heading, text, end)).collect()
}

/// The anchors of all headings.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    headings(text).iter().map(|heading| slug(&heading.title)).collect()
}

fn part(Heading { level, title, start }: Heading, text: &str, end: usize) -> Part {
    let slug = if level == HeadingLevel::H1 { String::new() } else { slug(&title) };
    let mut part = Part { slug, title, knobs: Vec::new(), figures: Vec::new(), constants: Vec::new(), text: String::new() };
    for line in text[start..end].lines() {
        let kinds = [("knobs", &mut part.knobs), ("figures", &mut part.figures), ("constants", &mut part.constants)];
        match kinds.into_iter().find_map(|(name, ids)| Some((comment(line, name)?, ids))) {
            Some((named, ids)) => ids.extend(named),
            None => part.text.extend([line, "\n"]),
        }
    }
    part
}

/// The words of the comment `<!-- name: words -->`.
fn comment(line: &str, name: &str) -> Option<Vec<String>> {
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let words = inside.strip_prefix(name)?.strip_prefix(':')?;
    Some(words.split_whitespace().map(String::from).collect())
}

fn headings(text: &str) -> Vec<Heading> {
    let (mut found, mut open) = (Vec::new(), None::<Heading>);
    for (event, range) in Parser::new_ext(text, EXTENSIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some(Heading { level, title: String::new(), start: range.start });
            }
            Event::End(TagEnd::Heading(_)) => found.extend(open.take()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut open {
                    heading.title.push_str(&words);
                }
            }
            _ => {}
        }
    }
    found
}

/// The anchor that GitHub makes of a heading: small letters, hyphens for spaces, and otherwise only letters, digits and
/// underscores.
fn slug(title: &str) -> String {
    let kept = title.trim().chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_github() {
        let text = "# What's `SET CU` for?\n\n## Three kinds: E0 to E3\n\n    # no heading\n\n### a_b-c\n";
        assert_eq!(anchors(text), ["whats-set-cu-for", "three-kinds-e0-to-e3", "a_b-c"]);
    }

    #[test]
    fn comments_are_taken_out_of_the_text() {
        let parts = parts("# A\n<!-- figures: etr -->\nWords.\n<!-- another comment -->\n");
        assert_eq!(parts[0].figures, ["etr"]);
        assert_eq!(parts[0].text, "# A\nWords.\n<!-- another comment -->\n");
    }
}
