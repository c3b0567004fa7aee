//! The subjects: links in their parts, each to the host with which its subject begins, and the other hosts of the open subject.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use zvmlab_lab::address::MODEL;
use zvmlab_lab::address::{Experiment, Linked, View, fragment};
use zvmlab_lab::published::ready::{example, scenario_of};
use zvmlab_lab::subjects::{Part, SUBJECTS, Setup, Subject};

/// The data of the links.
#[derive(Clone, PartialEq, Properties)]
pub struct SubjectsProps {
    /// The subject of the scenario on the bench.
    pub subject: &'static Subject,
    /// The ready experiment that is on the bench.
    pub current: Option<String>,
    /// The ready experiment that was chosen last.
    pub chosen: Option<String>,
}

/// The links.
#[component]
pub fn Subjects(props: &SubjectsProps) -> Html {
    let part = |part: Part| {
        let id = part.id();
        html! {
            <div class="subjects-of" key={id}>
                <span class="subjects-title" {id}>{ part.title() }</span>
                <ul aria-labelledby={id}>
                    { for SUBJECTS.iter().filter(|subject| subject.part == part).map(|subject| link(props, subject)) }
                </ul>
            </div>
        }
    };
    let nav = use_node_ref();
    let open = setup_of(props).map(|(setup, _)| setup.id);
    use_effect_with((nav.clone(), props.subject, open), |(nav, _, _)| {
        if let Some(nav) = nav.cast::<Element>() {
            bring_current_into_sight(&nav);
        }
    });
    html! {
        <details class="catalogue">
            <summary>{ opened(props) }</summary>
            <nav ref={nav} class="subjects" aria-label="Subjects">
                { for Part::ALL.map(part) }
                { setups(props) }
            </nav>
        </details>
    }
}

/// What is open, for the button of the catalogue.
fn opened(props: &SubjectsProps) -> Html {
    let setup = setup_of(props).filter(|_| props.subject.setups.len() > 1);
    let setup = setup.map(|(setup, changed)| format!(" › {}{}", setup.title, if changed { ", changed" } else { "" }));
    html! { <><b>{ props.subject.title }</b>{ setup }</> }
}

/// If a row of links scrolls, it begins with the open one, unless that is visible anyway.
fn bring_current_into_sight(nav: &Element) {
    let Ok(open) = nav.query_selector_all("a[aria-current]") else { return };
    for link in (0..open.length()).filter_map(|index| open.item(index)?.dyn_into::<HtmlElement>().ok()) {
        if let Some(row) = link.closest("ul").ok().flatten() {
            let (link, frame) = (link.get_bounding_client_rect(), row.get_bounding_client_rect());
            if link.right() > frame.right() || link.left() < frame.left() {
                row.set_scroll_left(row.scroll_left() + (link.left() - frame.left()) as i32);
            }
        }
    }
}

fn link(props: &SubjectsProps, subject: &'static Subject) -> Html {
    let current = (subject == props.subject).then_some("true");
    html! { <li><a href={address(subject.start())} aria-current={current} title={subject.question}>{ subject.title }</a></li> }
}

/// The host of the open subject that is on the bench, and whether it was changed since the reader chose it.
fn setup_of(props: &SubjectsProps) -> Option<(&'static Setup, bool)> {
    let (id, changed) = match &props.current {
        Some(current) => (current, false),
        None => (props.chosen.as_ref()?, true),
    };
    props.subject.setups.iter().find(|setup| setup.id == *id).map(|setup| (setup, changed))
}

/// The hosts with which the open subject can begin, if there are several.
fn setups(props: &SubjectsProps) -> Html {
    let setups = props.subject.setups;
    if setups.len() < 2 {
        return Html::default();
    }
    let one = |setup: &Setup| {
        let open = setup_of(props).filter(|(open, _)| *open == setup);
        let (current, changed) = (open.map(|_| "true"), open.is_some_and(|(_, changed)| changed));
        let question = example(setup.id).map(|ready| ready.example.question);
        html! { <li><a href={address(setup.id)} aria-current={current} title={question}>{ setup.title }if changed { { ", changed" } }</a></li> }
    };
    html! {
        <div class="subjects-of setups" key="setups">
            <span class="subjects-title" id="subjects-setups">{ format!("Hosts for {}", props.subject.title) }</span>
            <ul aria-labelledby="subjects-setups">{ for setups.iter().map(one) }</ul>
        </div>
    }
}

/// The address of a ready experiment: a link like any other of the page.
fn address(id: &str) -> String {
    fragment(&Linked {
        now: Experiment { scenario: scenario_of(id).unwrap_or_default(), seed: 1 },
        pinned: None,
        view: View { run: Some(id.into()), ..View::default() },
        model: MODEL.into(),
    })
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
