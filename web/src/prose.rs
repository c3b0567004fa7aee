//! Prose: a text whose terms show their meaning in place, by hover, focus and tap. The style sheet shows and hides the
//! definitions: no event of the page takes part.

use yew::prelude::*;
use zvmlab_lab::documents::{Piece, Section, Term, pieces};
use zvmlab_lab::room::Anchor;

use crate::msg::Msg;

/// A text.
#[derive(Clone, PartialEq, Properties)]
pub struct ProseProps {
    /// The words.
    pub text: AttrValue,
    /// Told where the reader goes to read more.
    pub on: Callback<Msg>,
}

/// The text with its terms marked, each at its first place.
#[component]
pub fn Prose(props: &ProseProps) -> Html {
    let piece = |piece: Piece| match piece {
        Piece::Plain(words) => html! { <span>{ words.to_string() }</span> },
        Piece::Term(words, term) => defined(words, term, &props.on),
    };
    html! { <>{ for pieces(&props.text).into_iter().map(piece) }</> }
}

/// The words of a term. Its meaning stands under them while the reader points at them, focuses them or has tapped them.
fn defined(words: &str, term: &'static Term, on: &Callback<Msg>) -> Html {
    let more = term.see.and_then(Section::of_key).map(|section| {
        let go = on.reform(move |_: MouseEvent| Msg::GoTo(Anchor::Section(section.id)));
        html! { <button type="button" class="plain" onclick={go}>{ "How the model does it" }</button> }
    });
    html! {
        <span class="term">
            <dfn tabindex="0" role="button" aria-label={format!("{words}: {}", term.text)}>{ words.to_string() }</dfn>
            <span class="term-text">{ term.text }{ " " }{ more }</span>
        </span>
    }
}
