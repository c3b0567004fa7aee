//! PR/SM: what the partitions are entitled to and get of the physical processors, and what PR/SM itself takes.

use yew::prelude::*;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::prsm::{NOT_PUBLISHED, capacity, entitlement};

/// Weight, entitlement, ratio and capacity in words.
pub fn about(evidence: &Evidence) -> Html {
    let Some(scenario) = evidence.settled.as_ref().map(|settled| &settled.scenario) else { return Html::default() };
    html! {
        <div class="card prsm-about">
            { for capacity(scenario).map(|said| html! { <p class="reduced"><b>{ said }</b></p> }) }
            if scenario.processors.shared {
                <p>{ entitlement(scenario) }</p>
                <p class="help">{ NOT_PUBLISHED }</p>
            } else {
                <p>{ "The processors of this partition are dedicated. Each logical processor has a physical one of its own, so PR/SM takes no part." }</p>
            }
        </div>
    }
}
