//! What a menu shows. Once a reader has chosen an entry by hand, browsers no longer heed the attribute that selects one.

use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::page::document;

/// Which menu, and its value.
#[derive(Clone, Properties)]
pub struct ChosenProps {
    /// The id of the menu.
    pub id: String,
    /// The value of the entry that it shows.
    pub value: String,
}

/// Never alike: a reader's choice that was undone before the page was drawn leaves the value as it was, and the menu at the choice.
impl PartialEq for ChosenProps {
    fn eq(&self, _: &ChosenProps) -> bool {
        false
    }
}

/// Draws nothing, and lets the menu beside it show its value.
#[component]
pub fn Chosen(props: &ChosenProps) -> Html {
    let ChosenProps { id, value } = props.clone();
    use_effect(move || {
        let menu = document().and_then(|document| document.get_element_by_id(&id));
        if let Some(menu) = menu.as_ref().and_then(|menu| menu.dyn_ref::<HtmlSelectElement>())
            && menu.value() != value
        {
            menu.set_value(&value);
        }
    });
    Html::default()
}
