//! Prose: a text whose terms tell what they mean where they stand, by hover, focus and tap.

use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;
use zvmlab_lab::documents::{Piece, Section, Term, pieces};
use zvmlab_lab::room::Anchor;

use crate::msg::Msg;

/// Room in CSS pixels that a definition keeps to the sides of the page.
const MARGIN: f64 = 8.0;

/// A text.
#[derive(Clone, PartialEq, Properties)]
pub struct ProseProps {
    /// The words.
    pub text: AttrValue,
    /// Told where the reader goes for more; without it there is no way to more.
    #[prop_or_default]
    pub on: Option<Callback<Msg>>,
}

/// The text with its terms marked, each where it first stands.
#[component]
pub fn Prose(props: &ProseProps) -> Html {
    let text = use_memo(props.text.clone(), |text| text.to_string());
    let piece = |piece: Piece| match piece {
        Piece::Plain(words) => html! { { words.to_string() } },
        Piece::Term(words, term) => html! { <Defined words={words.to_string()} {term} on={props.on.clone()} /> },
    };
    html! { <>{ for pieces(&text).into_iter().map(piece) }</> }
}

/// A term where it stands.
#[derive(Clone, PartialEq, Properties)]
struct DefinedProps {
    /// As it is written there.
    words: AttrValue,
    /// What it is.
    term: &'static Term,
    on: Option<Callback<Msg>>,
}

/// The words; what they mean stands over or under them while they are pointed at, have the focus, or were tapped.
#[component]
fn Defined(props: &DefinedProps) -> Html {
    let shown = use_state_eq(|| false);
    let text = use_node_ref();
    // A tap gives the focus, and so shows the text; another tap puts it away.
    let show = |on: bool| {
        let shown = shown.clone();
        Callback::from(move |()| shown.set(on))
    };
    use_effect_with(*shown, {
        let text = text.clone();
        move |shown| {
            if let Some(text) = text.cast::<HtmlElement>().filter(|_| *shown) {
                keep_inside(&text);
            }
        }
    });
    let onkeydown = {
        let shown = shown.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                shown.set(false);
            }
        })
    };
    let more = props.term.see.and_then(Section::of_key).zip(props.on.clone()).map(|(section, on)| {
        let go = on.reform(move |_: MouseEvent| Msg::GoTo(Anchor::Section(section.id)));
        html! { <button type="button" class="plain" onmousedown={Callback::from(|event: MouseEvent| event.prevent_default())} onclick={go}>{ "How the model does it" }</button> }
    });
    html! {
        <span class="term" onmouseenter={show(true).reform(|_| ())} onmouseleave={show(false).reform(|_| ())}
            onfocusin={show(true).reform(|_| ())} onfocusout={show(false).reform(|_| ())} {onkeydown}>
            <dfn tabindex="0" role="button" aria-expanded={shown.to_string()}>{ props.words.clone() }</dfn>
            if *shown { <span class="term-text" role="status" ref={text}>{ props.term.text }{ " " }{ more }</span> }
        </span>
    }
}

/// Moves a definition that would stand over the side of the page. By script: the page allows no style in its elements.
fn keep_inside(text: &HtmlElement) {
    let Some(width) = crate::page::document().and_then(|document| document.document_element()) else { return };
    let (width, at) = (f64::from(width.client_width()), text.get_bounding_client_rect());
    let over = (at.right() + MARGIN - width).max(0.0).min((at.left() - MARGIN).max(0.0));
    let _ = text.style().set_property("left", &format!("{}px", -over));
}
