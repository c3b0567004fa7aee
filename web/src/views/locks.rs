//! Spin locks: what VARY PROCESSOR's lock does, above the charts of the room.

use yew::prelude::*;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::locks::vary_said;

/// What VARY PROCESSOR's lock does, in words.
pub fn vary(evidence: &Evidence) -> Html {
    vary_said(evidence).map_or_else(Html::default, |said| html! { <div class="card vary"><p>{ said }</p></div> })
}
