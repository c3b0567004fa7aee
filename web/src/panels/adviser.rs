//! Best practice: the rules that the host breaks, why they matter, where they come from, and the effect of keeping them.

use std::rc::Rc;
use zvmlab_lab::words::letters::capitalised;

use yew::prelude::*;
use zvmlab::adviser::{Advice, RULES, advise};

use crate::msg::Msg;
use zvmlab_lab::evidence::Settled;

/// The data of the adviser.
#[derive(Clone, PartialEq, Properties)]
pub struct AdviserProps {
    /// The last result.
    pub settled: Rc<Settled>,
    /// Whether the knobs have changed since then.
    pub old: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The panel: a line, until it is opened.
#[component]
pub fn Adviser(props: &AdviserProps) -> Html {
    let advice = use_memo(props.settled.clone(), |settled| advise(&settled.scenario, Some(&settled.measurement)));
    let broken = |id: &str| advice.iter().any(|advice| advice.rule.id == id);
    let count = match advice.len() {
        0 => "keeps all".to_string(),
        broken => format!("{broken} broken"),
    };
    html! {
        <details class="card adviser" id="adviser">
            <summary>
                <h2>{ "Best practice" }</h2>{ " " }
                <span class={classes!("badge", (!advice.is_empty()).then_some("some"))}>{ format!("{} rules, {count}", RULES.len()) }</span>
            </summary>
            { for advice.iter().map(|advice| broken_rule(props, advice)) }
            <details class="kept" open={advice.is_empty()}>
                <summary>{ format!("The {} rules that this host keeps", RULES.len() - advice.len()) }</summary>
                <dl>
                    { for RULES.iter().filter(|rule| !broken(rule.id)).map(|rule| html! {
                        <><dt>{ rule.title }</dt><dd>{ rule.why }{ " " }<span class="unit">{ rule.source }</span></dd></>
                    }) }
                </dl>
            </details>
        </details>
    }
}

fn broken_rule(props: &AdviserProps, advice: &Advice) -> Html {
    let follow = advice.better.clone().map(|better| props.on.reform(move |_| Msg::Follow(Box::new(better.clone()))));
    html! {
        <section class="rule" key={advice.rule.id}>
            <h3>{ advice.rule.otherwise }</h3>
            <p><strong>{ "The rule: " }</strong>{ advice.rule.title }{ "." }</p>
            <p><strong>{ "Here: " }</strong>{ format!("{}.", capitalised(&advice.found)) }</p>
            <p>{ advice.rule.why }</p>
            <p class="unit">{ advice.rule.source }</p>
            <p class="follow">
                { &advice.remedy }{ " " }
                if let Some(follow) = follow {
                    <button type="button" disabled={props.old} onclick={follow} aria-label={format!("See the effect: {}", advice.remedy)}
                        title="Pins this result, and runs the host with that changed beside it">{ "See the effect" }</button>
                } else {
                    <span class="unit">{ "The host’s other settings do not allow this change as it is." }</span>
                }
            </p>
        </section>
    }
}
