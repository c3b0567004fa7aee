//! Knobs of a cluster and of guests that move in it: their words, what goes along with one, and how to resolve a problem.

use zvmlab::Scenario;
use zvmlab::scenario::fields::path::{self, room};

use super::link::CTC_PATHS;
use super::{Given, Knob};
use crate::host::is_cluster;

/// The end of the slider of touched storage in a cluster, in MB: the guest of the deck has 100 GB.
pub const TOUCHED_MB: u64 = 131_072;

/// The member whose table `room` is, from 2.
fn member_of(room: &str) -> Option<u32> {
    room.strip_prefix("member").and_then(|number| number.parse().ok())
}

/// The chpid whose CTCs the field is about, from 0.
fn ctcs_of(path: &str) -> Option<usize> {
    CTC_PATHS.iter().position(|ctcs| *ctcs == path)
}

/// The heading of a group that is about the first of several members.
pub fn title(id: &str, title: &str, scenario: &Scenario) -> String {
    match id {
        room::PROCESSORS | room::STORAGE | room::PAGING if is_cluster(scenario) => format!("{title} (first member)"),
        _ => title.into(),
    }
}

/// The name of a knob in a cluster, if it has another name there.
pub fn label(path: &str) -> Option<&'static str> {
    match path {
        path::GUESTS_LOOP_MB => Some("Touched storage"),
        path::GUESTS_ACTIVE_MB => Some("Part it keeps touching"),
        path::GUESTS_TOUCH_MB_S => Some("Storage touched a second"),
        _ => None,
    }
}

/// The meaning of 0 at a knob where it stands for something else.
pub fn zero(path: &str) -> Option<&'static str> {
    match path {
        path::GUESTS_ACTIVE_MB => Some("= all of it"),
        path::GUESTS_TOUCH_MB_S => Some("= as fast as it can"),
        path::RELOCATION_MAXTOTAL_S => Some("= NOLIMIT"),
        path::RELOCATION_WINDOW_S => Some("= no window"),
        path::GUESTS_TOLERANCE_MS => Some("= not stated"),
        _ => None,
    }
}

/// The explanation of a knob in a cluster.
pub fn help(path: &str) -> Option<&'static str> {
    match path {
        path::GUESTS_LOOP_MB => Some(
            "The storage that the guest has touched. The first pass sends all of it. The guest's program goes through it again and again (its loop).",
        ),
        _ => None,
    }
}

/// The page's own words for a value that is not allowed.
pub fn said(path: &str, group: usize, scenario: &Scenario) -> Option<String> {
    let group = scenario.guests.get(group);
    let said = match path {
        path::CLUSTER_MEMBERS => {
            format!("{} has no single system image cluster. Choose z/VM 6.2 or later.", scenario.level.name())
        }
        path::GUESTS_TOUCH_MB_S => {
            "The time from cycle to cycle is given too: both set how often the guest touches its pages. One of them must be 0."
                .into()
        }
        path::GUESTS_MOVE_TO => match group? {
            group if group.move_to == group.member => {
                format!("{} is at member {} already. Choose another, or let it stay.", group.name, group.member)
            }
            group => format!("There is no member {}. Choose another, or add members.", group.move_to),
        },
        path::GUESTS_MEMBER => format!("There is no member {}. Choose another, or add members.", group?.member),
        path::ISFC_CHPID1 => "No chpid connects the members. Choose a speed for one.".into(),
        _ if path.ends_with(".transitions") => {
            "Guests run there or move there. A member with state transitions can hold none.".into()
        }
        _ => return None,
    };
    Some(said)
}

/// The values that may resolve the problem of the knob, with their labels.
pub fn ways_out(knob: &Knob, scenario: &Scenario) -> Vec<(String, Given)> {
    let number = |label: String, number: u64| vec![(label, Given::Number(number.to_string()))];
    let group = scenario.guests.get(knob.group);
    let most = u64::from(scenario.cluster.members);
    match (knob.field.path, group) {
        (path::GUESTS_ACTIVE_MB, Some(group)) => number(format!("Lower to {}", group.loop_mb), group.loop_mb),
        (path::GUESTS_TOUCH_MB_S, Some(_)) => number("As fast as it can".into(), 0),
        (path::GUESTS_MOVE_TO, Some(_)) => number("Let it stay".into(), 0),
        (path::GUESTS_MEMBER, Some(_)) => number(format!("Put it on member {most}"), most),
        (path::ISFC_CHPID1, _) => vec![("Choose 8 Gb".into(), Given::Choice("8 Gb".into()))],
        (path, _) if ctcs_of(path).is_some() => number("Use four".into(), 4),
        (path, _) if path.ends_with(".processors") && member_of(knob.field.room()).is_some() => {
            number(format!("Use {}", scenario.prsm.physical), scenario.prsm.physical.into())
        }
        _ => Vec::new(),
    }
}

/// What changes with a knob in a cluster. A guest that has touched more has more virtual storage, and the part that it keeps
/// touching is never larger than its loop.
pub fn together(knob: Knob, given: &Given, scenario: &Scenario) -> Vec<(Knob, Given)> {
    let mut turns = Vec::new();
    let Some(group) = scenario.guests.get(knob.group).filter(|_| is_cluster(scenario)) else { return turns };
    let (Given::Number(text), path::GUESTS_LOOP_MB) = (given, knob.field.path) else { return turns };
    let Some(loop_mb) = knob.field.number(text) else { return turns };
    let mut turn = |path: &str, number: u64| {
        turns.extend(Knob::at(path, knob.group).map(|knob| (knob, Given::Number(number.to_string()))));
    };
    if loop_mb > group.virtual_mb {
        turn(path::GUESTS_VIRTUAL_MB, loop_mb);
    }
    if group.active_mb > loop_mb {
        turn(path::GUESTS_ACTIVE_MB, loop_mb);
    }
    turns
}

/// The members that can be chosen for a guest, each with its words: where the guest is, or where it goes.
pub fn members(knob: &Knob, scenario: &Scenario) -> Option<Vec<(u32, String)>> {
    let group = scenario.guests.get(knob.group)?;
    let now = match knob.field.path {
        path::GUESTS_MEMBER => group.member,
        path::GUESTS_MOVE_TO => group.move_to,
        _ => return None,
    };
    // A member that does not exist is listed while it is chosen.
    let mut members: Vec<u32> = (1..=scenario.cluster.members).collect();
    if now > scenario.cluster.members {
        members.push(now);
    }
    let named = |member: u32| (member, format!("MEMBER{member}"));
    Some(match knob.field.path {
        path::GUESTS_MEMBER => members.into_iter().map(named).collect(),
        _ => {
            let others = members.into_iter().filter(|member| *member != group.member || *member == now).map(named);
            std::iter::once((0, "stays".to_string())).chain(others).collect()
        }
    })
}

#[cfg(test)]
mod tests;
