//! Documents: how the model works, about the project, and the page's query parameters.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use yew::prelude::*;

use crate::app::MODEL;
use crate::query::PARAMETERS;

/// The description of the model, the same text that stands in the repository.
const DESCRIPTION: &str = include_str!("../../../MODEL.md");

/// How the model works.
#[component]
pub fn ModelDescription() -> Html {
    // Many readers never open it, so it is made only when it is opened.
    let opened = use_state(|| false);
    let open = {
        let opened = opened.clone();
        Callback::from(move |_: yew::Event| opened.set(true))
    };
    html! {
        <details class="card document" id="model" ontoggle={open}>
            <summary><h2>{ "The model: rules, constants, limits" }</h2></summary>
            if *opened { { Html::from_html_unchecked(AttrValue::from(html_of(DESCRIPTION))) } }
        </details>
    }
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
    html.replace("<table>", r#"<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>"#)
        .replace("</table>", "</table></div>")
}

/// About the project.
#[component]
pub fn About() -> Html {
    html! {
        <details class="card" id="about">
            <summary><h2>{ "About" }</h2></summary>
            <p>{ format!("zvmlab {MODEL}: an educational simulator of z/VM performance. Everything runs in this page; nothing is sent anywhere.") }</p>
            <p>{ "Licence: MIT or Apache-2.0, at your option." }</p>
            <p>
                { "The project is independent of IBM, and not endorsed by it. IBM, z/VM, z13, FICON, HyperPAV, zHPF, DS8000, DS8800 and PR/SM are \
                   trademarks of International Business Machines Corporation, registered in many jurisdictions. Published figures are cited from IBM’s \
                   public performance reports; each stands with its source." }
            </p>
            <h3>{ "Parameters of the address" }</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="Parameters of the address">
                <table>
                    <thead><tr><th scope="col">{ "Name" }</th><th scope="col">{ "Default" }</th><th scope="col">{ "What for" }</th></tr></thead>
                    <tbody>
                        { for PARAMETERS.iter().map(|parameter| html! {
                            <tr><th scope="row"><code>{ parameter.name }</code></th><td>{ parameter.default }</td><td>{ parameter.help }</td></tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_becomes_headings_and_tables_without_dead_links() {
        let html = html_of(DESCRIPTION);
        assert!(html.starts_with("<h3>") && html.contains("<h4>") && html.contains("<table>") && !html.contains("<h1>"));
        assert_eq!(html.matches("<a href").count(), html.matches("<a href=\"https://").count());
        assert_eq!(html_of("[a](b.md) [c](https://d.example)"), "<p>a <a href=\"https://d.example\">c</a></p>\n");
    }
}
