//! Which member of a cluster the rooms about one host show: the first, unless the reader chose another.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::room::Room;
use zvmlab_lab::rooms::member::MemberView;
use zvmlab_lab::words::relocations::member_at as member;

/// The data of the rooms.
#[derive(Clone)]
pub struct Shown {
    place: usize,
    choose: Callback<usize>,
    made: Rc<RefCell<MemberView>>,
}

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        self.place == other.place
    }
}

/// The content of the scope.
#[derive(Clone, PartialEq, Properties)]
pub struct ScopeProps {
    /// The rooms.
    pub children: Html,
}

/// The rooms of one member.
#[component]
pub fn MemberScope(props: &ScopeProps) -> Html {
    let place = use_state_eq(|| 0_usize);
    let made = use_mut_ref(MemberView::default);
    let choose = {
        let place = place.clone();
        Callback::from(move |chosen: usize| place.set(chosen))
    };
    let shown = Shown { place: *place, choose, made };
    html! { <ContextProvider<Shown> context={shown}>{ props.children.clone() }</ContextProvider<Shown>> }
}

/// The data of the choice.
#[derive(Clone, PartialEq, Properties)]
pub struct ChoiceProps {
    /// The room that holds it.
    pub room: Room,
    /// How many members there are.
    pub members: u32,
}

/// The choice of a member at the head of a room; nothing if there is only one.
#[component]
pub fn MemberChoice(props: &ChoiceProps) -> Html {
    let shown = use_context::<Shown>();
    let Some(shown) = shown.filter(|_| props.members > 1 && props.room.is_of_one_host()) else {
        return Html::default();
    };
    let onchange = shown.choose.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        value.parse().unwrap_or(0)
    });
    let option = |place: u32| {
        let chosen = shown.place == place as usize;
        html! { <option key={place} value={place.to_string()} selected={chosen}>{ member(place) }</option> }
    };
    let id = format!("{}-member", props.room.id());
    html! {
        <p class="member-choice">
            <label for={id.clone()}>{ "Member" }</label>
            <select {id} {onchange}>{ for (0..props.members).map(option) }</select>
        </p>
    }
}

/// The evidence of the member shown.
#[hook]
pub fn use_member(evidence: &Evidence) -> Evidence {
    match use_context::<Shown>() {
        Some(shown) if shown.place > 0 => shown.made.borrow_mut().of(evidence, shown.place),
        _ => evidence.clone(),
    }
}
