//! The head of a sheet: a button that closes it, and a handle to swipe it down by.

use yew::prelude::*;

use crate::msg::Msg;

/// How far down a finger must go to close a sheet, in CSS pixels. Chosen: more than a tap trembles.
const SWIPE_PX: i32 = 40;

/// The data of the head.
#[derive(Clone, PartialEq, Properties)]
pub struct SheetHeadProps {
    /// Its id, under which it gets the focus when the sheet opens.
    pub id: &'static str,
    /// The name of the sheet.
    pub name: &'static str,
    /// Told when the sheet is to be closed.
    pub on: Callback<Msg>,
}

/// The head. A swipe ends with a click where the finger is still on it; both only close.
#[component]
pub fn SheetHead(props: &SheetHeadProps) -> Html {
    let from = use_mut_ref(|| None::<i32>);
    let close = props.on.reform(|()| Msg::ShowSheet(None));
    let onpointerdown = {
        let from = from.clone();
        Callback::from(move |event: PointerEvent| *from.borrow_mut() = Some(event.client_y()))
    };
    let onpointerup = {
        let close = close.clone();
        Callback::from(move |event: PointerEvent| {
            let began = from.borrow_mut().take();
            if began.is_some_and(|began| event.client_y() - began >= SWIPE_PX) {
                close.emit(());
            }
        })
    };
    html! {
        <button type="button" class="sheet-head" id={props.id} aria-label={format!("Close: {}", props.name)}
            {onpointerdown} {onpointerup} onclick={close.reform(|_: MouseEvent| ())}>
            <span aria-hidden="true">{ props.name }</span><span aria-hidden="true">{ "✕" }</span>
        </button>
    }
}
