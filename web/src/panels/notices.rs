//! Notices: a bad link, a bad parameter, a failure. Each says what is wrong and what to do next.

use yew::prelude::*;
use zvmlab::scenario::{Problem, ScenarioError};

use crate::msg::Msg;
use zvmlab_lab::address::LinkError;

/// The subject of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Link,
    Scenario,
    Warning,
    Failure,
}

/// One notice.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    about: About,
    text: String,
    readable: Option<String>,
    list: Vec<String>,
}

impl Notice {
    /// A link that cannot be opened.
    pub fn bad_link(error: LinkError) -> Notice {
        let text = format!(
            "{} The page shows the base run instead. The link stays in the address until you change something.",
            error.message
        );
        Notice { about: About::Link, text, readable: error.readable, list: Vec::new() }
    }

    /// A file that is no valid scenario.
    pub fn bad_scenario(file: &str, error: &ScenarioError) -> Notice {
        let line = |problem: &Problem| match problem.field.as_str() {
            "" => problem.message.clone(),
            field => format!("{field}: {}", problem.message),
        };
        let text = format!("{file} is not a valid scenario. The bench is unchanged.");
        Notice { about: About::Scenario, text, readable: None, list: error.problems.iter().map(line).collect() }
    }

    /// A file that is no text.
    pub fn bad_file(file: &str, why: &str) -> Notice {
        Notice {
            about: About::Scenario,
            text: format!("{file} is {why}. The bench is unchanged."),
            readable: None,
            list: Vec::new(),
        }
    }

    /// A lesson that cannot be opened, with everything that is wrong with it.
    pub fn bad_lesson(file: &str, problems: &[Problem]) -> Notice {
        let list = problems.iter().map(|problem| format!("{}: {}", problem.field, problem.message)).collect();
        let text = format!("{file} is not a valid lesson. The bench is unchanged.");
        Notice { about: About::Scenario, text, readable: None, list }
    }

    /// An entry that was not accepted.
    pub fn warning(text: String) -> Notice {
        Notice { about: About::Warning, text, readable: None, list: Vec::new() }
    }

    /// A computation that failed.
    pub fn failure(text: String) -> Notice {
        Notice { about: About::Failure, text, readable: None, list: Vec::new() }
    }

    /// Whether it is about a link that cannot be opened.
    pub fn is_bad_link(&self) -> bool {
        self.about == About::Link
    }

    /// Whether it is about a file that is no valid scenario.
    pub fn is_bad_scenario(&self) -> bool {
        self.about == About::Scenario
    }

    /// Whether it is about a failure.
    pub fn is_failure(&self) -> bool {
        self.about == About::Failure
    }
}

/// The data of the list of notices.
#[derive(Clone, PartialEq, Properties)]
pub struct NoticesProps {
    /// The notices.
    pub notices: Vec<Notice>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The list of notices.
#[component]
pub fn Notices(props: &NoticesProps) -> Html {
    html! { <>{ for props.notices.iter().enumerate().map(|(index, notice)| show(index, notice, &props.on)) }</> }
}

fn show(index: usize, notice: &Notice, on: &Callback<Msg>) -> Html {
    let title = match notice.about {
        About::Link => "This link cannot be opened as it is.",
        About::Scenario => "This file cannot be opened.",
        About::Warning => "Please note.",
        About::Failure => "The experiment did not run.",
    };
    html! {
        <div class={classes!("notice", notice.is_failure().then_some("failure"))} role="alert">
            <p><strong>{ title }</strong>{ " " }{ &notice.text }</p>
            if !notice.list.is_empty() {
                <ul>{ for notice.list.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            }
            if let Some(readable) = &notice.readable {
                <details><summary>{ "What could be read" }</summary><pre>{ readable }</pre></details>
            }
            if notice.is_failure() {
                <button type="button" onclick={on.reform(|_| Msg::TryAgain)}>{ "Try again" }</button>
            } else {
                <button type="button" onclick={on.reform(move |_| Msg::Dismiss(index))}>{ "Dismiss" }</button>
            }
        </div>
    }
}
