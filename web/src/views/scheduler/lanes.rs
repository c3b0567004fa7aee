//! The lists as lanes: every guest is a chip that stands in its list, and goes to another when the guest does.
//!
//! The chips are children of one element, in the order of the guests, so that one that moves keeps the focus. Where they stand
//! is reckoned here and set by script: the page allows no style written into its elements.

use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;
use zvmlab::snapshot::{GuestSnapshot, GuestState, List};

use super::super::states;
use crate::chart::watch::use_surroundings;

/// Most guests that stand in the lanes one by one. Chosen: more chips are a crowd, not a picture.
pub const CHIPS_MAX: usize = 120;

/// Sizes in CSS pixels: of a chip, between chips, of a lane's name, and of one letter on a chip.
const CHIP_HEIGHT: f64 = 26.0;
const GAP: f64 = 4.0;
const NAME_WIDTH: f64 = 84.0;
const LETTER_WIDTH: f64 = 7.5;
/// Room over the first lane of the eligible and of the dispatch list.
const BAND_GAP: f64 = 8.0;

/// A guest in the lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Which list it is in.
    pub list: List,
    /// Since when.
    pub since_ns: u64,
    /// What it does.
    pub state: GuestState,
}

impl From<&GuestSnapshot> for Standing {
    fn from(guest: &GuestSnapshot) -> Standing {
        Standing { name: guest.name.clone(), list: guest.list, since_ns: guest.list_since_ns, state: guest.state }
    }
}

/// What the lanes are given.
#[derive(Clone, PartialEq, Properties)]
pub struct LanesProps {
    /// The guests that have a chip.
    pub guests: Vec<Standing>,
    /// How many guests are in each list, those without a chip among them.
    pub counts: [usize; 10],
    /// Which guest is followed.
    pub followed: Option<usize>,
    /// Told which guest is to be followed.
    pub on_follow: Callback<Option<usize>>,
}

/// Where a lane or a chip stands: left, top, and the height of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    x: f64,
    y: f64,
    height: f64,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
struct Plan {
    lanes: [Place; 10],
    chips: Vec<Place>,
    height: f64,
}

/// The lanes with their chips.
#[component]
pub fn Lanes(props: &LanesProps) -> Html {
    let stage = use_node_ref();
    let chips = use_node_ref();
    let around = use_surroundings(&stage);
    let labels = labels(&props.guests);
    let chip_width = chip_width(&labels);
    // A lane keeps the rows that it once needed: what stands below must not go up and down with every move.
    let rows = use_mut_ref(|| ([1_usize; 10], 0_usize, 0.0_f64));
    use_effect_with(
        (props.guests.clone(), around.width, stage.clone(), chips.clone()),
        move |(guests, width, stage, chips)| {
            if *width <= 0.0 {
                return;
            }
            let mut kept = rows.borrow_mut();
            if (kept.1, kept.2) != (guests.len(), *width) {
                *kept = ([1; 10], guests.len(), *width);
            }
            let plan = plan(guests, *width, chip_width, &mut kept.0);
            place(stage, chips, &plan, chip_width);
        },
    );
    // One chip is reached with Tab, the others from it with the arrow keys.
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
    let lane = |(index, list): (usize, &List)| {
        let count = props.counts[index];
        html! {
            <li key={list.as_str()} class={classes!("lane", band(*list))} data-list={list.as_str()}>
                <span class="lane-name" title={about(*list)}>{ list.as_str() }</span>
                <span class="lane-count">{ count }</span>
            </li>
        }
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
        let says = format!("{}, in {}, {}", called(&guest.name, label), guest.list.as_str(), states::word(guest.state));
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
            <ol class="lane-list" aria-label="Lists and how many guests are in each">{ for List::ALL.iter().enumerate().map(lane) }</ol>
            <div class="lane-chips" ref={chips} role="group" aria-label="Guests; arrow keys go from one to the next, Enter follows" onkeydown={press}>
                { for props.guests.iter().zip(&labels).enumerate().map(chip) }
            </div>
        </div>
    }
}

/// Where a list stands among all.
pub fn place_of(list: List) -> usize {
    List::ALL.iter().position(|other| *other == list).unwrap_or(0)
}

/// The part of the scheduler that a list belongs to.
fn band(list: List) -> &'static str {
    match list {
        List::Dormant => "dormant",
        List::Limit => "limited",
        _ if list.is_eligible() => "eligible",
        _ => "dispatched",
    }
}

/// What a list is, for those who point at it.
fn about(list: List) -> &'static str {
    match list {
        List::Dormant => "Dormant list: the guest wants nothing",
        List::E0 => "Eligible list, QUICKDSP: nobody waits here",
        List::E1 => "Eligible list, class 1: short transactions, wait to enter Q1",
        List::E2 => "Eligible list, class 2: longer transactions, wait to enter Q2",
        List::E3 => "Eligible list, class 3: long transactions, wait to enter Q3",
        List::Q0 => "Dispatch list, QUICKDSP",
        List::Q1 => "Dispatch list, class 1: short transactions",
        List::Q2 => "Dispatch list, class 2: longer transactions",
        List::Q3 => "Dispatch list, class 3: long transactions",
        List::Limit => "Limit list: in the dispatch list, but at its maximum share",
    }
}

fn chip_class(state: GuestState) -> &'static str {
    match state {
        GuestState::Running => "runs",
        GuestState::Ready => "is-ready",
        GuestState::Idle => "idles",
        GuestState::Away => "is-away",
        GuestState::Eligible | GuestState::LimitList | GuestState::Stopped => "is-held",
        GuestState::PageWait | GuestState::FrameWait | GuestState::IoWait | GuestState::SimulationWait => "waits",
    }
}

/// The guest that `key` leads to.
fn moved(at: usize, count: usize, key: &str) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowRight" | "ArrowDown" => Some((at + 1).min(last)),
        "ArrowLeft" | "ArrowUp" => Some(at.saturating_sub(1)),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// What stands on the chips: a guest's number, behind as much of its group's name as sets the group apart.
pub fn labels(guests: &[Standing]) -> Vec<String> {
    let split = |guest: &Standing| match guest.name.rsplit_once('-') {
        Some((group, number)) => (group.to_string(), number.to_string()),
        None => (guest.name.clone(), String::new()),
    };
    let parts: Vec<(String, String)> = guests.iter().map(split).collect();
    let mut groups: Vec<&str> = parts.iter().map(|part| part.0.as_str()).collect();
    groups.dedup();
    if groups.len() < 2 {
        return parts.iter().map(|(group, number)| if number.is_empty() { group.clone() } else { number.clone() }).collect();
    }
    let short = |group: &str| {
        let others = || groups.iter().filter(|other| **other != group);
        let ends = group.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let unique = |end: &usize| !others().any(|other| other.starts_with(&group[..*end]));
        ends.clone().find(unique).map_or(group, |end| &group[..end]).to_string()
    };
    let alone = |group: &str| parts.iter().filter(|part| part.0 == group).count() == 1;
    // A guest that is alone in its group is known by the group's name.
    let label = |(group, number): &(String, String)| {
        if alone(group) && groups.len() <= 8 && group.len() <= 8 { group.clone() } else { short(group) + number }
    };
    parts.iter().map(label).collect()
}

/// A guest's name for those who do not see its chip. What stands on the chip is part of it: who speaks to the machine says that.
fn called(name: &str, label: &str) -> String {
    if name.contains(label) { name.to_string() } else { format!("{label}: {name}") }
}

fn chip_width(labels: &[String]) -> f64 {
    let letters = labels.iter().map(|label| label.chars().count()).max().unwrap_or(1);
    (letters as f64 * LETTER_WIDTH + 16.0).max(32.0)
}

/// Reckons where everything stands; `rows` has the rows that each lane has needed so far.
fn plan(guests: &[Standing], width: f64, chip_width: f64, rows: &mut [usize; 10]) -> Plan {
    let across = (((width - NAME_WIDTH + GAP) / (chip_width + GAP)).floor() as usize).max(1);
    let mut lanes = [Place::default(); 10];
    let mut chips = vec![Place::default(); guests.len()];
    let mut y = 0.0;
    for (index, list) in List::ALL.into_iter().enumerate() {
        let mut inside: Vec<usize> = (0..guests.len()).filter(|guest| guests[*guest].list == list).collect();
        // Who came last stands last.
        inside.sort_by_key(|guest| (guests[*guest].since_ns, *guest));
        rows[index] = rows[index].max(inside.len().div_ceil(across));
        if matches!(list, List::E0 | List::Q0 | List::Limit) {
            y += BAND_GAP;
        }
        let height = rows[index] as f64 * (CHIP_HEIGHT + GAP) + GAP;
        lanes[index] = Place { x: 0.0, y, height };
        for (at, guest) in inside.into_iter().enumerate() {
            let (column, row) = ((at % across) as f64, (at / across) as f64);
            chips[guest] = Place {
                x: NAME_WIDTH + column * (chip_width + GAP),
                y: y + GAP + row * (CHIP_HEIGHT + GAP),
                height: CHIP_HEIGHT,
            };
        }
        y += height + 2.0;
    }
    Plan { lanes, chips, height: y }
}

/// Puts everything where it stands.
fn place(stage: &NodeRef, chips: &NodeRef, plan: &Plan, chip_width: f64) {
    let set = |element: &HtmlElement, name: &str, value: String| {
        // Where a browser will not, the chip stays where it was: its words are right all the same.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn guest(name: &str, list: List, since_ns: u64) -> Standing {
        Standing { name: name.into(), list, since_ns, state: GuestState::Ready }
    }

    #[test]
    fn chips_stand_in_their_lists_and_who_came_last_stands_last() {
        let guests = [guest("A-0", List::Q3, 9), guest("A-1", List::Q3, 5), guest("A-2", List::E3, 7)];
        let mut rows = [1; 10];
        let plan = plan(&guests, 400.0, 32.0, &mut rows);
        let lane = |list: List| plan.lanes[place_of(list)];
        assert!(plan.chips[1].x < plan.chips[0].x);
        for (chip, guest) in plan.chips.iter().zip(&guests) {
            let lane = lane(guest.list);
            assert!(chip.y >= lane.y && chip.y + chip.height <= lane.y + lane.height, "{}", guest.name);
        }
        for pair in plan.lanes.windows(2) {
            assert!(pair[0].y + pair[0].height <= pair[1].y, "lanes do not overlap");
        }
    }

    #[test]
    fn a_lane_keeps_its_rows() {
        let many: Vec<Standing> = (0..40).map(|index| guest(&format!("A-{index}"), List::Q3, 0)).collect();
        let mut rows = [1; 10];
        let full = plan(&many, 320.0, 32.0, &mut rows);
        assert!(full.chips.iter().all(|chip| chip.x + 32.0 <= 320.0), "nothing stands beyond the edge");
        let left: Vec<Standing> = many.iter().map(|one| Standing { list: List::Dormant, ..one.clone() }).collect();
        let after = plan(&left, 320.0, 32.0, &mut rows);
        assert!(after.lanes[8].height == full.lanes[8].height && after.height >= full.height);
        assert!(plan(&[], 0.0, 32.0, &mut rows).chips.is_empty());
    }

    #[test]
    fn labels_are_short_and_tell_groups_apart() {
        let of = |names: &[&str]| labels(&names.iter().map(|name| guest(name, List::Q1, 0)).collect::<Vec<_>>());
        assert_eq!(of(&["LINUX-0", "LINUX-11"]), ["0", "11"]);
        assert_eq!(of(&["LIMITED-0", "OTHER-0", "OTHER-1"]), ["LIMITED", "O0", "O1"]);
        assert_eq!(of(&["LINUXA-0", "LINUXA-1", "LINUXB-0", "LINUXB-1"]), ["LINUXA0", "LINUXA1", "LINUXB0", "LINUXB1"]);
        assert!(of(&[]).is_empty());
        assert_eq!([called("LINUX-11", "11"), called("OTHER-1", "O1")], ["LINUX-11", "O1: OTHER-1"]);
    }

    #[test]
    fn keys_go_from_guest_to_guest() {
        assert_eq!(moved(0, 3, "ArrowRight"), Some(1));
        assert_eq!(moved(2, 3, "ArrowDown"), Some(2));
        assert_eq!(moved(0, 3, "ArrowLeft"), Some(0));
        assert_eq!(moved(1, 3, "End"), Some(2));
        assert_eq!(moved(1, 3, "Enter"), None);
        assert_eq!(moved(0, 0, "End"), None);
    }
}
