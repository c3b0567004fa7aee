//! The subject of a member whose guests must all go: which first, where to, and whether there is room.

use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Order, Relocate, Scenario};

use super::next_step::NextStep;
use super::of_relocation::{ONE, TABLE, asynch};
use super::{Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moves;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// A member whose guests must all go.
pub const EVACUATION: &Subject = &Subject {
    title: "Empty a member",
    question: "Which guest goes first and where, one at a time or all at once, and is there room?",
    part: Part::Relocation,
    sources: &[],
    setups: &[Setup::new("EVACUATION", "twelve guests into two members")],
    room: Room::Evacuation,
    sign: Some(Sign { order: 30, is_seen }),
    groups: &[id::RELOCATION, id::GUESTS, id::ISFC, id::MEMBER2, id::MEMBER3, id::MEMBER4, id::CLUSTER, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction: of_relocation::evacuation,
    next_step,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const KNOBS: &[&str] = &[
    path::GUESTS_COUNT,
    path::GUESTS_MEMBER,
    path::GUESTS_MOVE_TO,
    path::GUESTS_TOLERANCE_MS,
    path::RELOCATION_ORDER,
    path::RELOCATION_MAXTOTAL_S,
    path::RELOCATION_FORCE_STORAGE,
    path::RELOCATION_WINDOW_S,
    room::ISFC,
    path::CLUSTER_MEMBERS,
    path::PROCESSORS_COUNT,
    "member.central_mb",
    "member.processors",
];

/// Guests of several groups move, or there is a window for all.
fn is_seen(scenario: &Scenario) -> bool {
    scenario.guests.iter().filter(|group| moves(group)).count() > 1 || scenario.relocation.window_s > 0
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    match (scenario.relocation.mode, scenario.relocation.order) {
        (Relocate::Asynch, _) => None,
        (_, Order::Largest) => Some(asynch()),
        _ => Some(NextStep::new(
            "Relocate the largest first",
            "“Get the big rocks in first” (6.2 deck): the bucket gets heavier as you add water.",
            |scenario| scenario.relocation.order = Order::Largest,
        )),
    }
}
