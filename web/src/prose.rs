//! Prose: a text whose terms show their meaning in place, when they are pointed at, have the focus or are tapped. The style sheet shows
//! and hides the definitions.

use web_sys::{Element, HtmlElement};
use yew::prelude::*;
use zvmlab_lab::documents::{Piece, Section, Term, pieces};
use zvmlab_lab::room::Anchor;

use crate::msg::Msg;
use crate::page;

/// The greatest width of a meaning, in CSS pixels, as the style sheet has it, with the space beside it.
const WIDEST: f64 = 368.0;

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
        Piece::Term(words, term) => html! { <Defined words={words.to_string()} {term} on={props.on.clone()} /> },
    };
    html! { <>{ for pieces(&props.text).into_iter().map(piece) }</> }
}

/// A term in a text.
#[derive(Clone, PartialEq, Properties)]
struct DefinedProps {
    words: String,
    term: &'static Term,
    on: Callback<Msg>,
}

/// The words of a term. Its meaning stands under them while the reader points at them, focuses them or has tapped them. A pointer that
/// rests does not point, even if the text under it becomes another.
#[component]
fn Defined(props: &DefinedProps) -> Html {
    let (words, term) = (&props.words, props.term);
    let came = use_mut_ref(|| None::<(i32, i32)>);
    let pointed = use_state_eq(|| false);
    let (whole, text) = (use_node_ref(), use_node_ref());
    let show = {
        let (whole, text) = (whole.clone(), text.clone());
        move || {
            if let Some((term, text)) = whole.cast::<Element>().zip(text.cast::<HtmlElement>()) {
                page::put_beneath(&term, &text, WIDEST);
            }
        }
    };
    let onpointermove = {
        let (came, pointed, show) = (came.clone(), pointed.setter(), show.clone());
        Callback::from(move |event: PointerEvent| {
            let at = (event.screen_x(), event.screen_y());
            let from = *came.borrow_mut().get_or_insert(at);
            if from != at {
                show();
                pointed.set(true);
            }
        })
    };
    let onfocusin = Callback::from(move |_: FocusEvent| show());
    let onpointerleave = {
        let pointed = pointed.setter();
        Callback::from(move |_: PointerEvent| {
            *came.borrow_mut() = None;
            pointed.set(false);
        })
    };
    let more = term.see.map(|key| {
        let go = props.on.reform(move |_: MouseEvent| {
            Msg::GoTo(Section::of_key(key).map_or(Anchor::Model, |section| Anchor::Section(section.id)))
        });
        html! { <button type="button" class="plain" onclick={go}>{ "How the model does it" }</button> }
    });
    html! {
        <span ref={whole} class={classes!("term", pointed.then_some("pointed"))} {onpointermove} {onpointerleave} {onfocusin}>
            <dfn tabindex="0" role="button" aria-label={format!("{words}: {}", term.text())}>{ words.clone() }</dfn>
            <span class="term-text" ref={text}>{ term.text() }{ " " }{ more }</span>
        </span>
    }
}
