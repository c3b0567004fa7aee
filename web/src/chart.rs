//! Charts on the page: painted with plotters, framed with their words, numbers and files.

pub mod browser;
pub mod frame;
pub mod linked;
pub mod paint;
pub mod watch;

use yew::prelude::*;

/// Words that ` · ` parts, for a place of class `pieces`: pieces that do not fit there are left out whole.
pub fn in_pieces(text: &str) -> Html {
    let mut pieces = text.split(" · ").map(str::to_string);
    let first = pieces.next().map(|piece| html! { <span>{ piece }</span> });
    let more = pieces.map(|piece| html! { <>{ " " }<span>{ format!("· {piece}") }</span></> });
    html! { <>{ first }{ for more }</> }
}
