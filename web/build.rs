//! Makes the page's text of the model: MODEL.md as HTML, so that the page need not carry a reader of Markdown.

use std::path::Path;
use std::{env, fs};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

fn main() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../MODEL.md");
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed=build.rs");
    let markdown = fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let folder = env::var("OUT_DIR").expect("cargo says where its output goes");
    fs::write(Path::new(&folder).join("model.html"), html_of(&markdown)).expect("cargo's output folder can be written");
}

/// Markdown as HTML. Headings stand two levels below those of the page; links to files of the repository become plain text.
fn html_of(markdown: &str) -> String {
    let level = |level: HeadingLevel| match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        _ => HeadingLevel::H5,
    };
    let mut in_plain_link = false;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Heading { level: of, id, classes, attrs }) => {
            Some(Event::Start(Tag::Heading { level: level(of), id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(of)) => Some(Event::End(TagEnd::Heading(level(of)))),
        Event::Start(Tag::Link { ref dest_url, .. }) if !dest_url.starts_with("https://") => {
            in_plain_link = true;
            None
        }
        Event::End(TagEnd::Link) if std::mem::take(&mut in_plain_link) => None,
        other => Some(other),
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events);
    // A wide table scrolls by itself, and by keyboard too.
    // The page allows no inline style: a column of numbers gets the class that the page's own tables use.
    html.replace(r#" style="text-align: right""#, r#" class="n""#)
        .replace(r#" style="text-align: left""#, "")
        .replace(r#" style="text-align: center""#, "")
        .replace("<table>", r#"<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>"#)
        .replace("</table>", "</table></div>")
}
