//! The lists as lanes: every guest is a chip in the lane of its list, and moves to another lane when the guest changes lists.
//!
//! The chips are children of one element, in the order of the guests, so that a chip that moves keeps the focus. This file
//! calculates their places; the page sets them.

use zvmlab::order;
use zvmlab::snapshot::{GuestSnapshot, GuestState, List};

/// Most guests with a chip of their own in the lanes. Chosen: more chips are a crowd, not a picture.
pub const CHIPS_MAX: usize = 120;

/// Height of a chip in CSS pixels. The sizes below are in CSS pixels too.
pub const CHIP_HEIGHT: f64 = 26.0;

/// Between chips.
pub const GAP: f64 = 4.0;

/// Of a lane's name.
pub const NAME_WIDTH: f64 = 84.0;

/// Of one letter on a chip.
pub const LETTER_WIDTH: f64 = 7.5;

/// Room over the first lane of the eligible and of the dispatch list.
pub const BAND_GAP: f64 = 8.0;

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

/// The place of a lane or a chip: left, top, and the height of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Left, in CSS pixels.
    pub x: f64,
    /// Top, in CSS pixels.
    pub y: f64,
    /// Height of a lane, in CSS pixels.
    pub height: f64,
}

/// The place of everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Each lane, in the order of the lists.
    pub lanes: [Place; 10],
    /// Each chip, in the order of the guests.
    pub chips: Vec<Place>,
    /// All together, in CSS pixels.
    pub height: f64,
}

/// The place of a list among all lists.
pub fn place_of(list: List) -> usize {
    List::ALL.iter().position(|other| *other == list).unwrap_or(0)
}

/// The part of the scheduler to which a list belongs.
pub fn band(list: List) -> &'static str {
    match list {
        List::Dormant => "dormant",
        List::Limit => "limited",
        _ if list.is_eligible() => "eligible",
        _ => "dispatched",
    }
}

/// The guest that `key` leads to.
pub fn moved(at: usize, count: usize, key: &str) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowRight" | "ArrowDown" => Some((at + 1).min(last)),
        "ArrowLeft" | "ArrowUp" => Some(at.saturating_sub(1)),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// The text on the chips: a guest's number, after as much of its group's name as tells the group from others.
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
    // A guest that is alone in its group has the group's name.
    let label = |(group, number): &(String, String)| {
        if alone(group) && groups.len() <= 8 && group.len() <= 8 { group.clone() } else { short(group) + number }
    };
    parts.iter().map(label).collect()
}

/// A guest's name for readers who do not see its chip. It contains the chip's text, which readers who use speech input say.
pub fn called(name: &str, label: &str) -> String {
    if name.contains(label) { name.to_string() } else { format!("{label}: {name}") }
}

/// The width of every chip, in CSS pixels.
pub fn chip_width(labels: &[String]) -> f64 {
    let letters = labels.iter().map(|label| label.chars().count()).max().unwrap_or(1);
    (letters as f64 * LETTER_WIDTH + 16.0).max(32.0)
}

/// Calculates the places; `rows` has the rows that each lane has needed so far.
pub fn plan(guests: &[Standing], width: f64, chip_width: f64, rows: &mut [usize; 10]) -> Plan {
    let across = (((width - NAME_WIDTH + GAP) / (chip_width + GAP)).floor() as usize).max(1);
    let mut lanes = [Place::default(); 10];
    let mut chips = vec![Place::default(); guests.len()];
    let mut y = 0.0;
    for (index, list) in List::ALL.into_iter().enumerate() {
        let mut inside: Vec<usize> = (0..guests.len()).filter(|guest| guests[*guest].list == list).collect();
        // The last to arrive stands last.
        order::by_key(&mut inside, |guest| (guests[*guest].since_ns, *guest));
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
