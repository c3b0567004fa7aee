//! How the model works: the description, fetched when its reader opens it, and the section that the reader asked for.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDetailsElement};
use yew::platform::spawn_local;
use yew::prelude::*;
use zvmlab::Figure;
use zvmlab::scenario::fields::field;
use zvmlab_lab::documents::{SECTIONS, Section, read};
use zvmlab_lab::room::Anchor;

use crate::page;

/// The file of the description, relative to the page.
const FILE: &str = "./static/model.html";

/// The data of the description.
#[derive(Clone, PartialEq, Properties)]
pub struct ModelProps {
    /// The id of the section that was asked for last, and how many times one was.
    pub wanted: (u32, &'static str),
}

/// The state of the file.
#[derive(Clone, PartialEq)]
enum Text {
    /// Nobody has asked for it.
    Unread,
    /// It is on its way.
    Coming,
    /// It is here.
    Here(Rc<String>),
    /// It is not available; with the reason.
    Lost(String),
}

/// How the model works.
#[component]
pub fn ModelDescription(props: &ModelProps) -> Html {
    let text = use_state(|| Text::Unread);
    let details = use_node_ref();
    let open = {
        let text = text.clone();
        let details = details.clone();
        Callback::from(move |_: Event| {
            let is_open = details.cast::<HtmlDetailsElement>().is_some_and(|details| details.open());
            if is_open && matches!(*text, Text::Unread | Text::Lost(_)) {
                fetch(text.setter());
            }
        })
    };
    let is_here = matches!(*text, Text::Here(_));
    use_effect_with((props.wanted, is_here), {
        let details = details.clone();
        move |&((number, id), is_here)| {
            let Some(details) = details.cast::<HtmlDetailsElement>().filter(|_| number > 0) else { return };
            // Opening fetches the text. When that has arrived, this is called again.
            details.set_open(true);
            if is_here {
                page::go_to(id);
            }
        }
    });
    html! {
        <details class="card document" id={Anchor::Model.id()} ref={details} ontoggle={open}>
            <summary><h2>{ "The model: rules, constants, limits" }</h2></summary>
            { match &*text {
                Text::Unread => Html::default(),
                Text::Coming => html! { <p role="status">{ "Loading the description…" }</p> },
                Text::Lost(why) => html! { <p role="alert">{ format!("The description cannot be loaded: {why} Close this section and open it again to try once more.") }</p> },
                Text::Here(text) => html! { <Description text={text.clone()} /> },
            } }
        </details>
    }
}

fn fetch(text: UseStateSetter<Text>) {
    text.set(Text::Coming);
    spawn_local(async move {
        text.set(match page::fetch_text(FILE).await {
            Ok(file) => Text::Here(Rc::new(file)),
            Err(why) => Text::Lost(why),
        });
    });
}

/// The text of the description.
#[derive(Clone, PartialEq, Properties)]
struct DescriptionProps {
    text: Rc<String>,
}

/// Contents and sections. They are drawn once, because the text does not change.
#[component]
fn Description(props: &DescriptionProps) -> Html {
    html! {
        <div onclick={Callback::from(|event: MouseEvent| follow(&event))}>
            <ul class="pages" aria-label="Pages">{ for SECTIONS.iter().filter(|section| section.is_page()).map(contents_entry) }</ul>
            { for read(&props.text).into_iter().map(|(of, html)| section(of, html)) }
        </div>
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

fn contents_entry(section: &Section) -> Html {
    html! { <li><button type="button" class="plain" data-section={section.id}>{ section.title }</button></li> }
}

/// The text of a section, and which parts of the page it explains.
fn section(section: &Section, html: &str) -> Html {
    let knobs = section.knobs.iter().filter_map(|path| field(path)).map(|field| field.label);
    let figures = section.figures.iter().filter_map(|id| Figure::from_id(id)).map(Figure::label);
    html! {
        <>
            { Html::from_html_unchecked(AttrValue::from(html.to_string())) }
            { explains("Knobs", knobs.collect()) }
            { explains("Figures", figures.collect()) }
        </>
    }
}

fn explains(what: &str, labels: Vec<&str>) -> Html {
    html! { if !labels.is_empty() { <p class="explains">{ what }{ ": " }{ labels.join(" · ") }</p> } }
}
