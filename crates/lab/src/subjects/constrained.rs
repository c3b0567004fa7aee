//! The subject of a relocation that is short of storage: members that page while a guest moves.

use zvmlab::Figure;
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{GuestGroup, Scenario};

use super::lead::{Lead, lead};
use super::next_step::NextStep;
use super::of_relocation::{IN_ALL, TABLE};
use super::{Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::{central_mb, moves, moving, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::storage_mb;

/// Members that page while a guest is relocated.
pub const CONSTRAINED: &Subject = &Subject {
    title: "Short of storage",
    question: "What slows a relocation when storage is short, and what does it cost?",
    part: Part::Relocation,
    sources: &[],
    setups: &[Setup::new("CONSTRAINED", "a destination that is too small")],
    room: Room::Relocation,
    sign: Some(Sign { order: 40, is_seen }),
    groups: &[id::STORAGE, id::MEMBER2, id::PAGING, id::GUESTS, id::RELOCATION, id::ISFC],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction: of_relocation::introduction_with_room,
    next_step,
    leads: |scenario| of_relocation::leads(scenario, HELD_BACK),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const HELD_BACK: &[Lead] = &[
    IN_ALL,
    lead(Figure::ThrottledPaging, "s held back by paging (end to end)", "s paging"),
    lead(Figure::ThrottledMemory, "s held back by memory (endpoint)", "s memory"),
    lead(Figure::ThrottledLink, "s held back by ISFC buffers (link)", "s link"),
];

const KNOBS: &[&str] = &[
    path::GUESTS_MOVE_TO,
    path::RELOCATION_FORCE_STORAGE,
    room::ISFC,
    path::STORAGE_CENTRAL_MB,
    path::PAGING_VOLUMES,
    "member.central_mb",
    "member.volumes",
];

/// One guest moves, and its destination has less than it has touched, or the first member pages.
fn is_seen(scenario: &Scenario) -> bool {
    let short = |group: &GuestGroup| moves(group) && group.loop_mb > central_mb(scenario, group.move_to);
    moving(scenario) == 1 && (scenario.guests.iter().any(short) || pages(scenario))
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}

/// Gives the destination as much as the guest has touched, and a little more, if it has less.
fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    let guest = scenario.guests.iter().find(|group| moves(group))?;
    let (member, enough) = (guest.move_to, (guest.loop_mb + guest.loop_mb / 8).next_power_of_two());
    let label = format!("Give the destination {}", storage_mb(enough));
    let hint = "Room for all that the guest has touched, and more. The destination need not page.";
    (central_mb(scenario, member) < guest.loop_mb).then(|| {
        NextStep::new(label, hint, move |scenario| {
            let central_mb = match member {
                2 => &mut scenario.member2.central_mb,
                3 => &mut scenario.member3.central_mb,
                4 => &mut scenario.member4.central_mb,
                _ => &mut scenario.storage.central_mb,
            };
            *central_mb = enough;
        })
    })
}
