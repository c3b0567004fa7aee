//! The lists as lanes: every guest is a chip in the lane of its list, and moves to another lane when the guest changes lists.
//!
//! The chips are children of one element, in the order of the guests, so that a chip that moves keeps the focus. A script sets
//! the places that the lab calculates: the page allows no style written into its elements.

use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;
use zvmlab::snapshot::{GuestState, List};
use zvmlab_lab::rooms::scheduler::lanes::{Plan, Standing, band, called, chip_width, labels, moved, plan};
use zvmlab_lab::words::state;

use crate::chart::watch::use_surroundings;

/// The data of the lanes.
#[derive(Clone, PartialEq, Properties)]
pub struct LanesProps {
    /// The guests that have a chip.
    pub guests: Vec<Standing>,
    /// How many guests are in each list, including those without a chip.
    pub counts: [usize; 10],
    /// Which guest is followed.
    pub followed: Option<usize>,
    /// Told which guest to follow.
    pub on_follow: Callback<Option<usize>>,
}

/// Puts the lanes and chips in their places, whenever guests have moved or the room has changed.
#[hook]
fn use_places(guests: &[Standing], chip_width: f64, stage: &NodeRef, chips: &NodeRef) {
    let around = use_surroundings(stage);
    // A lane keeps the rows that it once needed, so that the parts below do not go up and down with every move.
    let rows = use_mut_ref(|| ([1_usize; 10], 0_usize, 0.0_f64));
    use_effect_with((guests.to_vec(), around.width, stage.clone(), chips.clone()), move |(guests, width, stage, chips)| {
        if *width <= 0.0 {
            return;
        }
        let mut kept = rows.borrow_mut();
        if (kept.1, kept.2) != (guests.len(), *width) {
            *kept = ([1; 10], guests.len(), *width);
        }
        let plan = plan(guests, *width, chip_width, &mut kept.0);
        place(stage, chips, &plan, chip_width);
    });
}

/// The lanes with their chips.
#[component]
pub fn Lanes(props: &LanesProps) -> Html {
    let stage = use_node_ref();
    let chips = use_node_ref();
    let labels = labels(&props.guests);
    let chip_width = chip_width(&labels);
    use_places(&props.guests, chip_width, &stage, &chips);
    // Tab reaches one chip; the arrow keys reach the others from it.
    let reached = use_state_eq(|| 0_usize);
    let entry = (*reached).min(props.guests.len().saturating_sub(1));
    let press = {
        let (chips, reached, count) = (chips.clone(), reached.clone(), props.guests.len());
        Callback::from(move |event: KeyboardEvent| {
            let Some(to) = moved(entry, count, &event.key()) else { return };
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            event.prevent_default();
            event.stop_propagation();
            reached.set(to);
            if let Some(chip) = child(&chips, to) {
                let _ = chip.focus();
            }
        })
    };
    let chip = |(index, (guest, label)): (usize, (&Standing, &String))| {
        let followed = props.followed == Some(index);
        let onclick = {
            let (on_follow, reached) = (props.on_follow.clone(), reached.clone());
            Callback::from(move |_: MouseEvent| {
                reached.set(index);
                on_follow.emit((!followed).then_some(index));
            })
        };
        let says = format!("{}, in {}, {}", called(&guest.name, label), guest.list.as_str(), state::guest(guest.state));
        html! {
            <button type="button" key={index} class={classes!("chip", chip_class(guest.state))} data-guest={guest.name.clone()}
                data-list={guest.list.as_str()} aria-pressed={followed.to_string()} aria-label={says.clone()} title={says}
                tabindex={if index == entry { "0" } else { "-1" }} {onclick}>
                { label }
            </button>
        }
    };
    html! {
        <div class="lanes" ref={stage}>
            <ol class="lane-list" aria-label="Lists and how many guests are in each">{ for List::ALL.iter().zip(props.counts).map(lane) }</ol>
            <div class="lane-chips" ref={chips} role="group" aria-label="Guests; arrow keys go from one to the next, Enter follows" onkeydown={press}>
                { for props.guests.iter().zip(&labels).enumerate().map(chip) }
            </div>
        </div>
    }
}

/// A list, and how many guests are in it.
fn lane((list, count): (&List, usize)) -> Html {
    html! {
        <li key={list.as_str()} class={classes!("lane", band(*list))} data-list={list.as_str()}>
            <span class="lane-name" title={state::list(*list)}>{ list.as_str() }</span>
            <span class="lane-count">{ count }</span>
        </li>
    }
}

fn chip_class(state: GuestState) -> &'static str {
    match state {
        GuestState::Running => "runs",
        GuestState::Ready | GuestState::Interrupted => "is-ready",
        GuestState::Idle => "idles",
        GuestState::Away => "is-away",
        GuestState::Eligible | GuestState::LimitList | GuestState::ConsoleWait | GuestState::Stopped => "is-held",
        GuestState::PageWait | GuestState::FrameWait | GuestState::IoWait | GuestState::SimulationWait => "waits",
    }
}

/// Puts everything in its place.
fn place(stage: &NodeRef, chips: &NodeRef, plan: &Plan, chip_width: f64) {
    let set = |element: &HtmlElement, name: &str, value: String| {
        // If a browser refuses, the chip stays where it was. Its words are right all the same.
        let _ = element.style().set_property(name, &value);
    };
    let Some(stage) = stage.cast::<HtmlElement>() else { return };
    set(&stage, "height", format!("{}px", plan.height));
    let lanes = stage.first_element_child();
    for (lane, place) in children(lanes).zip(&plan.lanes) {
        set(&lane, "top", format!("{}px", place.y));
        set(&lane, "height", format!("{}px", place.height));
    }
    for (chip, place) in children(chips.cast::<Element>()).zip(&plan.chips) {
        set(&chip, "width", format!("{chip_width}px"));
        set(&chip, "transform", format!("translate({}px, {}px)", place.x, place.y));
    }
}

fn children(of: Option<Element>) -> impl Iterator<Item = HtmlElement> {
    use wasm_bindgen::JsCast;
    let first = of.and_then(|of| of.first_element_child());
    std::iter::successors(first, Element::next_element_sibling).filter_map(|child| child.dyn_into().ok())
}

fn child(of: &NodeRef, at: usize) -> Option<HtmlElement> {
    children(of.cast::<Element>()).nth(at)
}
