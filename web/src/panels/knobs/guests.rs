//! Below the last group of guests: guests of other kinds, each with where its numbers come from.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::msg::Msg;
use zvmlab_lab::template::GUESTS;

/// The data of the menu.
#[derive(Clone, PartialEq, Properties)]
pub struct OtherGuestsProps {
    /// Whether the host can have no more groups.
    pub full: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// A menu of guests, and a button that adds one.
#[component]
pub fn OtherGuests(props: &OtherGuestsProps) -> Html {
    let chosen = use_state_eq(|| 0_usize);
    let choose = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            let menu: Option<HtmlSelectElement> = event.target_dyn_into();
            chosen.set(menu.map_or(0, |menu| menu.selected_index().max(0) as usize));
        })
    };
    let index = *chosen;
    let option = |(at, title): (usize, &'static str)| html! { <option selected={at == index}>{ title }</option> };
    html! {
        <div class="other-guests">
            <div class="presets">
                <select id="other-guests" aria-label="Guests of another kind" onchange={choose}>
                    { for GUESTS.iter().map(|guest| guest.title).enumerate().map(option) }
                </select>
                <button type="button" disabled={props.full} onclick={props.on.reform(move |_: MouseEvent| Msg::AddKind(index))}>{ "Add" }</button>
            </div>
            <p class="help">{ GUESTS.get(index).map_or("", |guest| guest.from) }</p>
        </div>
    }
}
