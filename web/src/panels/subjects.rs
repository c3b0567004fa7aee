//! The subjects: cards in their parts, each with links to the host with which its subject begins and to its others.

use std::cell::RefCell;
use std::collections::BTreeMap;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDetailsElement, HtmlElement, HtmlInputElement, Node};
use yew::prelude::*;

use super::later::Later;
use crate::msg::{Msg, Writing};
use crate::page::{document, focus_in_place, has_pointer, window};
use zvmlab_lab::address::MODEL;
use zvmlab_lab::address::{Experiment, Linked, View, fragment};
use zvmlab_lab::lesson::list::{LESSONS, Plate};
use zvmlab_lab::machine::miniature;
use zvmlab_lab::published::ready::scenario_of;
use zvmlab_lab::subjects::catalogue::{Entry, found};
use zvmlab_lab::subjects::{Part, SUBJECTS, Setup, Subject};

thread_local! {
    /// The addresses of the links by their run and their lesson, and the pictures by the titles of their subjects. None ever changes, and to make them
    /// takes longer than to draw all else that a turned knob changes.
    static ADDRESSES: RefCell<BTreeMap<(String, Option<&'static str>), AttrValue>> = const { RefCell::new(BTreeMap::new()) };
    static PICTURES: RefCell<BTreeMap<&'static str, Html>> = const { RefCell::new(BTreeMap::new()) };
}

/// The data of the links.
#[derive(Clone, PartialEq, Properties)]
pub struct SubjectsProps {
    /// The subject of the scenario on the bench.
    pub subject: &'static Subject,
    /// The ready experiment that is on the bench.
    pub current: Option<String>,
    /// The ready experiment that was chosen last.
    pub chosen: Option<String>,
    /// Told what the reader does.
    #[prop_or_default]
    pub on: Callback<Msg>,
}

/// The catalogue: a button that tells what is open, and behind it everything that can be opened.
#[component]
pub fn Subjects(props: &SubjectsProps) -> Html {
    let (whole, words) = (use_node_ref(), use_state_eq(String::new));
    let close = {
        let whole = whole.clone();
        move || {
            if let Some(details) = whole.cast::<HtmlDetailsElement>() {
                details.set_open(false);
            }
        }
    };
    let onkeydown = {
        let (whole, close) = (whole.clone(), close.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                close();
                focus_summary(&whole);
            }
        })
    };
    // Whoever goes elsewhere is done with it: by a link in it, or by the focus.
    let onclick = {
        let (whole, close) = (whole.clone(), close.clone());
        Callback::from(move |event: MouseEvent| {
            if event.target_dyn_into::<Element>().is_some_and(|at| at.closest("a, button").ok().flatten().is_some()) {
                close();
                focus_summary(&whole);
            }
        })
    };
    let onfocusout = {
        let whole = whole.clone();
        Callback::from(move |event: FocusEvent| {
            let to = event.related_target().and_then(|to| to.dyn_into::<Node>().ok());
            if let (Some(to), Some(whole)) = (to, whole.cast::<Node>())
                && !whole.contains(Some(&to))
            {
                close();
            }
        })
    };
    let ontoggle = searching(&whole);
    let search = {
        let words = words.clone();
        Callback::from(move |event: InputEvent| {
            words.set(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default());
        })
    };
    html! {
        <details class="catalogue" ref={whole} {onkeydown} {onfocusout} {ontoggle}>
            <summary title="Everything that can be opened">{ opened(props) }</summary>
            <nav class="subjects" aria-label="Subjects" {onclick}>
                <label class="search">{ "Search: " }
                    <input type="search" id="catalogue-search" value={(*words).clone()} oninput={search}
                        placeholder="alias, QRBKW055, eligible…" />
                </label>
                <Later for_reader={true} made={let (props, words) = (props.clone(), (*words).clone()); Callback::from(move |()| entries(&props, &words))} />
            </nav>
        </details>
    }
}

/// Where there are keys, what is typed goes to the search as soon as the catalogue is opened.
fn searching(whole: &NodeRef) -> Callback<Event> {
    let whole = whole.clone();
    Callback::from(move |_: Event| {
        if let Some(whole) = whole.cast::<HtmlDetailsElement>().filter(HtmlDetailsElement::open)
            && has_pointer()
            && let Some(field) = whole.query_selector("#catalogue-search").ok().flatten()
            && let Some(field) = field.dyn_ref::<HtmlElement>()
        {
            let _ = field.focus();
        }
    })
}

/// What stands in the catalogue: everything, or what a search finds.
fn entries(props: &SubjectsProps, words: &str) -> Html {
    if !words.trim().is_empty() {
        return results(words);
    }
    let part = |part: Part| {
        let id = part.id();
        html! {
            <div class="subjects-of" key={id}>
                <h3 class="subjects-title" {id}>{ part.title() }</h3>
                <ul aria-labelledby={id}>
                    { for SUBJECTS.iter().filter(|subject| subject.part == part).map(|subject| link(props, subject)) }
                </ul>
            </div>
        }
    };
    html! { <>{ for Part::ALL.map(part) }{ lessons(props) }</> }
}

/// The lessons: each leads through a question about one host.
fn lessons(props: &SubjectsProps) -> Html {
    // The program brings them: the first screen is there without them.
    if window().is_none() {
        return Html::default();
    }
    html! {
        <div class="subjects-of lessons" key="lessons">
            <h3 class="subjects-title" id="subjects-lessons">{ "Lessons: predict, try, explain" }</h3>
            <p><button type="button" data-testid="write-lesson" onclick={props.on.reform(|_: MouseEvent| Msg::Write(Writing::Begin))}
                title="A form for teachers: a lesson about any host of the laboratory, without code">{ "Write a lesson" }</button></p>
            <ul aria-labelledby="subjects-lessons">{ for LESSONS.iter().map(lesson) }</ul>
        </div>
    }
}

/// A lesson as a card.
fn lesson(plate: &'static Plate) -> Html {
    html! {
        <li class="entry" key={format!("lesson {}", plate.id)}>
            <a href={lesson_address(plate)}>{ plate.title }</a>
            <small class="help">{ format!("lesson, {} min", plate.minutes) }</small>
            <p class="help">{ plate.question }</p>
        </li>
    }
}

/// Opens the catalogue at its lessons.
pub fn show_lessons() {
    let Some(document) = document() else { return };
    let catalogue = document.query_selector("details.catalogue").ok().flatten();
    if let Some(catalogue) = catalogue.and_then(|catalogue| catalogue.dyn_into::<HtmlDetailsElement>().ok()) {
        catalogue.set_open(true);
    }
    if let Some(lessons) = document.query_selector(".lessons").ok().flatten() {
        lessons.scroll_into_view();
        let first = lessons.query_selector("a").ok().flatten();
        if let Some(first) = first.as_ref().and_then(|first| first.dyn_ref::<HtmlElement>()) {
            let _ = focus_in_place(first);
        }
    }
}

/// The address of a lesson, from its beginning or where it was left.
pub fn lesson_address(plate: &'static Plate) -> AttrValue {
    kept_address(plate.host, Some(plate.id))
}

/// Gives the focus to the button of the catalogue.
fn focus_summary(whole: &NodeRef) {
    let summary = whole.cast::<Element>().and_then(|whole| whole.query_selector("summary").ok().flatten());
    if let Some(summary) = summary.as_ref().and_then(|summary| summary.dyn_ref::<HtmlElement>()) {
        let _ = summary.focus();
    }
}

/// What the search finds.
fn results(words: &str) -> Html {
    let found = found(words);
    let lessons: Vec<&Plate> = LESSONS.iter().filter(|plate| plate.has(words)).collect();
    let count = match found.len() + lessons.len() {
        0 => "Nothing has these words.".to_string(),
        1 => "One has these words.".into(),
        count => format!("{count} have these words."),
    };
    let entry = |entry: &Entry| {
        html! {
            <li key={format!("{} {}", entry.id, entry.name)} class="entry">
                <a href={address(&entry.id)}>{ &entry.name }</a>
                <span>{ " " }{ &entry.title }{ " " }<span class="badge">{ entry.origin.words() }</span></span>
                { for entry.question.iter().chain(&entry.shows).map(|said| html! { <p class="help">{ *said }</p> }) }
            </li>
        }
    };
    html! {
        <>
            <p class="help" role="status">{ count }</p>
            <ul class="entries">{ for lessons.into_iter().map(lesson) }{ for found.iter().map(entry) }</ul>
        </>
    }
}

/// What is open, for the button of the catalogue.
fn opened(props: &SubjectsProps) -> Html {
    let setup = setup_of(props).filter(|_| props.subject.setups.len() > 1);
    let setup = setup.map(|(setup, changed)| format!("› {}{}", setup.title, if changed { ", changed" } else { "" }));
    html! { <span class="pieces"><b>{ props.subject.title }</b>{ " " }<span>{ setup }</span></span> }
}

/// The machine of a subject, small. Its words stand beside it. The program brings it, as it does the hosts.
fn picture(subject: &Subject) -> Html {
    if window().is_none() {
        return Html::default();
    }
    let drawn = || {
        let Some(scene) = miniature(subject) else { return Html::default() };
        let (w, h) = (scene.width.to_string(), scene.height.to_string());
        html! {
            <svg class="miniature" viewBox={format!("0 0 {w} {h}")} width={w} height={h} aria-hidden="true">
                { for scene.ground.iter().map(|mark| html! { <path class={mark.class()} d={mark.path()} /> }) }
            </svg>
        }
    };
    PICTURES.with_borrow_mut(|kept| kept.entry(subject.title).or_insert_with(drawn).clone())
}

/// A subject as a card: a picture of its machine, its name, its question, and whether IBM measured the host that it begins with.
fn link(props: &SubjectsProps, subject: &'static Subject) -> Html {
    let current = (subject == props.subject).then_some("true");
    html! {
        <li class="entry">
            { picture(subject) }
            <a href={address(subject.start())} aria-current={current}>{ subject.title }</a>
            <small class="help" title="Two minutes to look round, and one for each step that the page offers">
                { format!("{} · {}, {} min", Entry::of(subject).origin.words(), subject.depth.words(), subject.minutes()) }
            </small>
            <p class="help">{ subject.question }</p>
            { setups(props, subject) }
        </li>
    }
}

/// The host of the open subject that is on the bench, and whether it was changed since the reader chose it.
fn setup_of(props: &SubjectsProps) -> Option<(&'static Setup, bool)> {
    let (id, changed) = match &props.current {
        Some(current) => (current, false),
        None => (props.chosen.as_ref()?, true),
    };
    props.subject.setups.iter().find(|setup| setup.id == *id).map(|setup| (setup, changed))
}

/// The hosts with which a subject can begin, if there are several, each with what it shows. The program brings them: the first
/// screen is there without them.
fn setups(props: &SubjectsProps, subject: &'static Subject) -> Html {
    if subject.setups.len() < 2 || window().is_none() {
        return Html::default();
    }
    let one = |setup: &'static Setup| {
        let open = setup_of(props).filter(|(open, _)| *open == setup);
        let (current, changed) = (open.map(|_| "true"), open.is_some_and(|(_, changed)| changed));
        let shows = setup.shows().map(|shows| html! { <span class="help">{ shows }</span> });
        html! { <li><a href={address(setup.id)} aria-current={current}>{ setup.title }if changed { { ", changed" } }</a>{ shows }</li> }
    };
    html! { <ul class="setups" aria-label={format!("Hosts for {}", subject.title)}>{ for subject.setups.iter().map(one) }</ul> }
}

/// The address of a ready experiment: a link like any other of the page.
fn address(id: &str) -> AttrValue {
    kept_address(id, None)
}

/// The address of a ready experiment, in a lesson if one is named.
fn kept_address(run: &str, lesson: Option<&'static str>) -> AttrValue {
    let written = || {
        let linked = Linked {
            now: Experiment { scenario: scenario_of(run).unwrap_or_default(), seed: 1 },
            pinned: None,
            view: View { run: Some(run.into()), lesson: lesson.map(Into::into), ..View::default() },
            model: MODEL.into(),
        };
        AttrValue::from(fragment(&linked))
    };
    ADDRESSES.with_borrow_mut(|kept| kept.entry((run.into(), lesson)).or_insert_with(written).clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab_lab::address::parse;

    #[test]
    fn each_host_of_each_subject_has_an_address_that_opens_it() {
        for &subject in SUBJECTS {
            for setup in subject.setups {
                let linked = parse(&address(setup.id)).expect("a good link").expect("it is not empty");
                assert_eq!(Some(linked.now.scenario.clone()), scenario_of(setup.id));
                assert_eq!(Subject::of(&linked.now.scenario, linked.view.run.as_deref()), subject);
            }
        }
    }
}
