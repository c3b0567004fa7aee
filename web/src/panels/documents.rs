//! Documents: how the model works, about the project, and the page's query parameters.

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;
use zvmlab::Figure;
use zvmlab::scenario::fields::field;

use crate::app::MODEL;
use crate::page;
use crate::query::PARAMETERS;

/// One section of the description of the model.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The page and the section: `storage#set-reserved`, or `storage` for what stands before the first section.
    pub key: &'static str,
    /// Its id in the document.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The paths of the fields that it explains.
    pub knobs: &'static [&'static str],
    /// The ids of the figures that it explains.
    pub figures: &'static [&'static str],
    /// Its text, with its heading.
    pub html: &'static str,
}

/// The description of the model: the pages of `model/`, made into this constant by `build.rs`.
pub const SECTIONS: &[Section] = include!(concat!(env!("OUT_DIR"), "/model.rs"));

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
            if *opened {
                <div onclick={Callback::from(|event: MouseEvent| follow(&event))}>
                    <ul class="pages" aria-label="Pages">{ for SECTIONS.iter().filter(is_page).map(contents_entry) }</ul>
                    { for SECTIONS.iter().map(section) }
                </div>
            }
        </details>
    }
}

/// Goes to the section that the pressed button names.
fn follow(event: &MouseEvent) {
    let pressed = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let button = pressed.and_then(|pressed| pressed.closest("[data-section]").ok().flatten());
    if let Some(id) = button.and_then(|button| button.get_attribute("data-section")) {
        page::go_to(&id);
    }
}

/// Whether it is the beginning of a page.
fn is_page(section: &&Section) -> bool {
    !section.key.contains('#')
}

fn contents_entry(section: &Section) -> Html {
    html! { <li><button type="button" class="plain" data-section={section.id}>{ section.title }</button></li> }
}

/// The text of a section, and what of the page it explains.
fn section(section: &Section) -> Html {
    let knobs = section.knobs.iter().filter_map(|path| field(path)).map(|field| field.label);
    let figures = section.figures.iter().filter_map(|id| Figure::from_id(id)).map(Figure::label);
    html! {
        <>
            { Html::from_html_unchecked(AttrValue::Static(section.html)) }
            { explains("Knobs", knobs.collect()) }
            { explains("Figures", figures.collect()) }
        </>
    }
}

fn explains(what: &str, labels: Vec<&str>) -> Html {
    html! { if !labels.is_empty() { <p class="explains">{ what }{ ": " }{ labels.join(" · ") }</p> } }
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
    fn the_description_has_headings_and_tables_and_no_dead_links() {
        for section in SECTIONS {
            let html = section.html;
            assert!(html.starts_with(if is_page(&section) { "<h3 id=" } else { "<h4 id=" }), "{}", section.key);
            assert!(!html.contains("<h1") && !html.contains("<h2") && !html.contains("style="), "{}", section.key);
            assert_eq!(html.matches("<a href").count(), html.matches("<a href=\"https://").count(), "{}", section.key);
        }
        assert!(SECTIONS.iter().any(|section| section.html.contains("<table>")));
    }

    #[test]
    fn buttons_lead_to_sections_that_are_there() {
        for html in SECTIONS.iter().map(|section| section.html) {
            for id in html.split("data-section=\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(id, _)| id) {
                assert!(SECTIONS.iter().any(|section| section.id == id), "{id}");
            }
        }
    }
}
