//! A section as HTML for the page: headings below the page's own, links to other sections as buttons, no inline style.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::markdown::EXTENSIONS;

/// What a link becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// A link to another site remains a link.
    Outside,
    /// A link to a section of the model becomes a button: the page's state uses the fragment of its address.
    Section,
    /// A link to a file of the repository becomes plain text.
    Plain,
}

/// The Markdown `text` of a section of `page` as HTML; its heading has the id.
///
/// Headings are two levels below those of the page, and can get the focus.
pub(crate) fn of(page: &str, id: &str, text: &str) -> String {
    let mut links = Vec::new();
    let events = Parser::new_ext(text, EXTENSIONS).filter_map(|event| match event {
        Event::Start(Tag::Heading { level, classes, .. }) => {
            let own = level <= HeadingLevel::H2;
            let attrs = if own { vec![(CowStr::from("tabindex"), Some(CowStr::from("-1")))] } else { Vec::new() };
            let id = own.then(|| CowStr::from(id.to_string()));
            Some(Event::Start(Tag::Heading { level: below(level), id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(below(level)))),
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            let (kind, button) = opened(page, dest_url);
            links.push(kind);
            if kind == Link::Outside { Some(event) } else { button.map(|html| Event::InlineHtml(html.into())) }
        }
        Event::End(TagEnd::Link) => match links.pop() {
            Some(Link::Section) => Some(Event::InlineHtml("</button>".into())),
            Some(Link::Plain) => None,
            _ => Some(event),
        },
        // Comments are for authors.
        Event::Html(_) | Event::InlineHtml(_) => None,
        other => Some(other),
    });
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events);
    // The page allows no inline style: a column of numbers gets the class of the page's own tables.
    // A wide table scrolls in its own box, by keyboard too.
    html.replace(r#" style="text-align: right""#, r#" class="n""#)
        .replace(r#" style="text-align: left""#, "")
        .replace(r#" style="text-align: center""#, "")
        .replace("<table>", r#"<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>"#)
        .replace("</table>", "</table></div>")
}

fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        _ => HeadingLevel::H5,
    }
}

/// What a link to `target` becomes, and the start tag if it is a button.
fn opened(page: &str, target: &str) -> (Link, Option<String>) {
    if target.contains("://") {
        return (Link::Outside, None);
    }
    let (file, slug) = target.split_once('#').unwrap_or((target, ""));
    let page = if file.is_empty() { Some(page) } else { file.strip_suffix(".md").filter(|name| !name.contains('/')) };
    let Some(page) = page else { return (Link::Plain, None) };
    let id = crate::id(&crate::key(page, slug));
    (Link::Section, Some(format!(r#"<button type="button" class="plain" data-section="{id}">"#)))
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(markdown: &str, html: &str) {
        assert_eq!(super::of("storage", "model-storage-x", markdown).trim(), html);
    }

    #[test]
    fn headings_stand_below_the_pages_own_and_carry_the_id() {
        check("# A", r#"<h3 id="model-storage-x" tabindex="-1">A</h3>"#);
        check("## A", r#"<h4 id="model-storage-x" tabindex="-1">A</h4>"#);
        check("### A", "<h5>A</h5>");
    }

    #[test]
    fn links_lead_where_the_page_can_go() {
        let button = |id: &str| format!(r#"<p><button type="button" class="plain" data-section="{id}">a</button></p>"#);
        check("[a](paging.md#blocks)", &button("model-paging-blocks"));
        check("[a](README.md)", &button("model-readme"));
        check("[a](#frames)", &button("model-storage-frames"));
        check("[a](../README.md)", "<p>a</p>");
        check("[a](https://b.example/)", r#"<p><a href="https://b.example/">a</a></p>"#);
    }

    #[test]
    fn tables_scroll_and_have_no_inline_style() {
        let html = super::of("a", "b", "| x | y |\n| --- | --: |\n| 1 | 2 |\n");
        assert!(html.contains(r#"<td class="n">2</td>"#) && !html.contains("style"), "{html}");
        assert!(html.starts_with(r#"<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>"#));
    }

    #[test]
    fn comments_are_left_out() {
        check("a <!-- b -->", "<p>a </p>");
        check("<!-- b -->\n", "");
    }
}
