//! The subject of a relocation that is short of storage: members that page while a guest moves.

use zvmlab::Figure;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Chpid, GuestGroup, Scenario};

use super::lead::{Lead, lead};
use super::next_step::{Chain, Step, Way};
use super::of_relocation::{IN_ALL, TABLE, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::{central_mb, moves, moving, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::storage_mb;

/// Members that page while a guest is relocated.
pub static CONSTRAINED: &Subject = &Subject {
    title: "Short of storage",
    question: "What slows a relocation when storage is short, and what does it cost?",
    depth: Depth::Further,
    part: Part::Relocation,
    sources: &["storage-either-end-6.2"],
    setups: &[Setup::new("CONSTRAINED", "a destination that is too small")],
    limit: Some(ResourceKind::Endpoint),
    room: Room::Relocation,
    sign: Some(Sign { order: 40, is_seen }),
    groups: &[id::STORAGE, id::MEMBER2, id::PAGING, id::GUESTS, id::RELOCATION, id::ISFC],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction: of_relocation::introduction_with_room,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, HELD_BACK),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[ROOM, CHPIDS], made: |_, limits| what_limits(limits).into() };

/// Gives the destination as much as the guest has touched, and a little more, if it has less.
const ROOM: Step = Step {
    label: |scenario| {
        format!("Give the destination {}", storage_mb(wanted(scenario).map_or(0, |(_, enough)| enough))).into()
    },
    reason: "Room for all that the guest has touched, and more. The destination need not page.",
    is_due: |seen| wanted(seen.scenario).is_some(),
    take: |scenario| {
        let Some((member, enough)) = wanted(scenario) else { return };
        let central_mb = match member {
            2 => &mut scenario.member2.central_mb,
            3 => &mut scenario.member3.central_mb,
            4 => &mut scenario.member4.central_mb,
            _ => &mut scenario.storage.central_mb,
        };
        *central_mb = enough;
    },
    shows: (Figure::RelocationTime, Way::Down),
};

/// A faster link, where storage holds nobody back.
const CHPIDS: Step = Step {
    label: |_| "Make all four chpids 8 Gb".into(),
    reason: "With room at the destination, buffers of the link hold the guest back.",
    is_due: |seen| seen.may_limit(&[ResourceKind::Link, ResourceKind::Buffers]),
    take: |scenario| {
        let isfc = &mut scenario.isfc;
        [isfc.chpid1, isfc.chpid2, isfc.chpid3, isfc.chpid4] = [Chpid::Gb8; 4];
    },
    shows: (Figure::RelocationTime, Way::Down),
};

/// The member to which the guest goes, if it has too little for it, and how much would be enough.
fn wanted(scenario: &Scenario) -> Option<(u32, u64)> {
    let guest = scenario.guests.iter().find(|group| moves(group))?;
    let enough = (guest.loop_mb + guest.loop_mb / 8).next_power_of_two();
    (central_mb(scenario, guest.move_to) < guest.loop_mb).then_some((guest.move_to, enough))
}

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
