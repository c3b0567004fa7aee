//! Below the level: which levels have which mechanism, which of them this host has, and whether a real level has this set.

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::{Level, Mechanism};

use zvmlab_lab::words::level::{levels_with, verdict};

/// The mechanisms with their levels. On level "own" also whether a real level has the same.
pub fn levels(scenario: &Scenario) -> Html {
    let row = |mechanism: Mechanism| {
        let (mark, here) = if scenario.has(mechanism) { ("●", "on in this host") } else { ("○", "off in this host") };
        html! {
            <li>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span><strong>{ mechanism.name() }</strong>{ format!(", {here}: {}", levels_with(mechanism)) }</span>
            </li>
        }
    };
    html! {
        <>
            if scenario.level == Level::Own { <p class="help" role="status" data-testid="levels-alike">{ verdict(scenario) }</p> }
            <details class="levels">
                <summary>{ "Which level has which mechanism" }</summary>
                <ul>{ for Mechanism::ALL.into_iter().map(row) }</ul>
            </details>
        </>
    }
}
