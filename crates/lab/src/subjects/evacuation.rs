//! The subject of a member whose guests must all go: which first, where to, and whether there is room.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path::{self, room};

use super::next_step::{Chain, Step, Way};
use super::of_relocation::{ASYNCH, ONE, TABLE, add_chpid, chpid_to_add, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moves;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// A member whose guests must all go.
pub static EVACUATION: &Subject = &Subject {
    title: "Empty a member",
    question: "Which guest goes first and where, one at a time or all at once, and is there room?",
    depth: Depth::Further,
    part: Part::Relocation,
    sources: &["planning-6.2"],
    setups: &[Setup::new("EVACUATION", "twelve guests into two members")],
    limit: Some(ResourceKind::Link),
    room: Room::Evacuation,
    sign: Some(Sign { order: 30, is_seen }),
    groups: &[id::RELOCATION, id::GUESTS, id::ISFC, id::MEMBER2, id::MEMBER3, id::MEMBER4, id::CLUSTER, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction: of_relocation::evacuation,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[CHPID, ASYNCH], made };

/// A second chpid, as the link limits. The order of the guests changes who waits, not when the last has gone.
const CHPID: Step = Step {
    label: |scenario| chpid_to_add(&scenario.isfc),
    reason: "As fast as the first, with four CTCs. All guests go over one link, in whatever order.",
    is_due: |seen| seen.scenario.isfc.chpids().len() < ENOUGH && seen.may_limit(&[ResourceKind::Link]),
    take: |scenario| add_chpid(&mut scenario.isfc),
    shows: (Figure::RelocationTotal, Way::Down),
};

/// Chpids after which the way to relocate is more telling than the link. Chosen.
const ENOUGH: usize = 2;

fn made(_: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        Some(ResourceKind::Link) => {
            "The link limits: in which order the guests go decides who waits, not when the last has gone.".into()
        }
        _ => what_limits(limits).into(),
    }
}

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
