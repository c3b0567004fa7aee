//! The description of the model in `model/*.md`: its pages and sections, which knobs and figures each section explains, and
//! their HTML.
//!
//! Build scripts and tests use this crate. The page contains what [`rust`] writes and fetches what [`file()`] writes, so it
//! needs no Markdown parser.
//!
//! A page is one Markdown file. A section begins at each `##` heading; the text before the first belongs to the page. A
//! section has a key, `storage#set-reserved` (for the page's own text: `storage`), and an id in HTML,
//! `model-storage-set-reserved`. The part of the key after `#` is the anchor that GitHub makes of the heading. Comments
//! under a heading say what the section explains:
//!
//! ```text
//! ## SET RESERVED
//! <!-- knobs: guests.reserved_mb -->
//! <!-- figures: page_wait -->
//! ```
//!
//! In the same way `<!-- constants: … -->` names the constants that have their rows in the section's table.

mod html;
mod markdown;

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// One section of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The page and the section: `storage#set-reserved`, or `storage` for the text before the first section.
    pub key: String,
    /// Its id in HTML: `model-storage-set-reserved`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The paths of the fields that it explains: `guests.reserved_mb`.
    pub knobs: Vec<String>,
    /// The ids of the figures that it explains: `page_wait`.
    pub figures: Vec<String>,
    /// The ids of the constants whose rows are in its table: `visit_pages`.
    pub constants: Vec<String>,
    /// Its text as HTML, with its heading.
    pub html: String,
}

/// The name of the page that lists the others.
const LIST: &str = "README";

/// Every section of every page in `folder`, in the order of the list of pages in `README.md`.
///
/// # Errors
/// A file cannot be read.
pub fn sections(folder: &Path) -> io::Result<Vec<Section>> {
    let mut found = Vec::new();
    for page in pages(folder)? {
        let text = fs::read_to_string(folder.join(format!("{page}.md")))?;
        found.extend(sections_of(&page, &text));
    }
    Ok(found)
}

/// The names of the pages: `README`, then those in the table of pages there.
///
/// # Errors
/// `README.md` cannot be read.
pub fn pages(folder: &Path) -> io::Result<Vec<String>> {
    let list = fs::read_to_string(folder.join(format!("{LIST}.md")))?;
    let rows = list.lines().filter(|line| line.starts_with("| ["));
    let names = rows.filter_map(|row| row.split_once("](")?.1.split_once(".md)")).map(|(name, _)| name.to_string());
    Ok(std::iter::once(LIST.to_string()).chain(names).collect())
}

/// The sections of the page `page` with this text.
pub fn sections_of(page: &str, text: &str) -> Vec<Section> {
    let part = |part: markdown::Part| {
        let key = key(page, &part.slug);
        let id = id(&key);
        let html = html::of(page, &id, &part.text);
        Section { key, id, title: part.title, knobs: part.knobs, figures: part.figures, constants: part.constants, html }
    };
    markdown::parts(text).into_iter().map(part).collect()
}

/// The key of a section; the page's own key if `slug` is empty.
fn key(page: &str, slug: &str) -> String {
    let page = page.to_ascii_lowercase();
    if slug.is_empty() { page } else { format!("{page}#{slug}") }
}

/// The id in HTML of the section with this key.
fn id(key: &str) -> String {
    format!("model-{}", key.replace('#', "-"))
}

/// The anchors of a Markdown text, as GitHub makes them of its headings, of every level.
pub fn anchors(text: &str) -> Vec<String> {
    markdown::anchors(text)
}

/// The sections without their text, as a Rust constant: `&[Section { key, id, title, knobs, figures }]`. All texts are
/// `&'static str`. The file that includes it has a type `Section`.
pub fn rust(sections: &[Section]) -> String {
    let mut text = String::from("&[\n");
    for Section { key, id, title, knobs, figures, .. } in sections {
        writeln!(
            text,
            "    Section {{ key: {key:?}, id: {id:?}, title: {title:?}, knobs: &{knobs:?}, figures: &{figures:?} }},"
        )
        .expect("a text can be written to");
    }
    text.push(']');
    text
}

/// The start of the comment before each section in the page's file of the model; the comment contains the section's id.
pub const MARK: &str = "<!--section ";

/// The text of every section, for the file that the page fetches when its reader wants it: [`MARK`], the id, `-->`, the
/// HTML.
pub fn file(sections: &[Section]) -> String {
    sections.iter().map(|section| format!("{MARK}{}-->\n{}\n", section.id, section.html)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Storage\n\nAll of it.\n\n## SET RESERVED\n<!-- knobs: a.b c.d -->\n<!-- figures: e -->\n\n`Text` of [it](paging.md#blocks).\n\n### Deeper\n\n## The guest's I/O\n";

    #[test]
    fn a_page_falls_into_sections_with_what_they_explain() {
        let sections = sections_of("storage", PAGE);
        let keys: Vec<&str> = sections.iter().map(|section| &section.key[..]).collect();
        assert_eq!(keys, ["storage", "storage#set-reserved", "storage#the-guests-io"]);
        assert_eq!(sections[1].id, "model-storage-set-reserved");
        assert_eq!(sections[1].title, "SET RESERVED");
        assert_eq!(sections[1].knobs, ["a.b", "c.d"]);
        assert_eq!(sections[1].figures, ["e"]);
        assert!(sections[0].knobs.is_empty() && sections[2].figures.is_empty());
    }

    #[test]
    fn the_file_holds_the_text_of_every_section() {
        let text = file(&sections_of("storage", PAGE));
        assert!(text.starts_with("<!--section model-storage-->\n<h3 id="), "{text}");
        assert_eq!(text.matches(MARK).count(), 3);
    }

    #[test]
    fn the_constant_holds_every_section() {
        let text = rust(&sections_of("a", "# \"A\"\n## B\n<!-- knobs: x -->\n"));
        assert!(text.contains(r#"key: "a", id: "model-a", title: "\"A\"", knobs: &[], figures: &[] }"#), "{text}");
        assert!(text.contains(r#"key: "a#b", id: "model-a-b", title: "B", knobs: &["x"], figures: &[] }"#), "{text}");
        assert!(text.starts_with("&[\n") && text.ends_with("},\n]"));
    }
}
