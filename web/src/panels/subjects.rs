//! The subjects: a row of links, each to the run at which its subject begins.

use yew::prelude::*;

use crate::address::{Experiment, Linked, View, fragment};
use crate::app::MODEL;
use crate::subject::{SUBJECTS, Subject};

/// What the row is given.
#[derive(Clone, PartialEq, Properties)]
pub struct SubjectsProps {
    /// What is on the bench is about.
    pub subject: &'static Subject,
}

/// The row.
#[component]
pub fn Subjects(props: &SubjectsProps) -> Html {
    let link = |subject: &'static Subject| {
        let current = (subject == props.subject).then_some("true");
        html! { <li><a href={address(subject)} aria-current={current} title={subject.question}>{ subject.title }</a></li> }
    };
    html! { <nav class="subjects" aria-label="Subjects"><ul>{ for SUBJECTS.iter().map(link) }</ul></nav> }
}

/// The address at which the subject begins: a link like any other of the page.
fn address(subject: &Subject) -> String {
    fragment(&Linked {
        now: Experiment { scenario: subject.base().unwrap_or_default(), seed: 1 },
        pinned: None,
        view: View { run: Some(subject.run.into()), ..View::default() },
        model: MODEL.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::parse;

    #[test]
    fn each_subject_has_an_address_that_opens_it() {
        for subject in &SUBJECTS {
            let linked = parse(&address(subject)).expect("a good link").expect("it is not empty");
            assert_eq!(Some(linked.now.scenario.clone()), subject.base());
            assert_eq!(Subject::of(&linked.now.scenario, linked.view.run.as_deref()), subject);
        }
    }
}
