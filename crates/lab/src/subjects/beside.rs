//! The subject of work beside relocations: what it loses while guests come and go.

use zvmlab::Figure;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path::{self, room};

use super::next_step::{Chain, Step, Way};
use super::of_relocation::{ONE, TABLE, add_chpid, chpid_to_add, introduction, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Work that stays while guests come and go.
pub static BESIDE: &Subject = &Subject {
    title: "Beside other work",
    question: "How much does the work that stays on each member lose while guests come and go?",
    depth: Depth::Further,
    part: Part::Relocation,
    sources: &["work-beside-6.2"],
    setups: &[Setup::new("BOUNCE", "guests that bounce beside web servers")],
    limit: None,
    room: Room::Relocation,
    sign: Some(Sign { order: 20, is_seen: |scenario| scenario.relocation.bounce }),
    groups: &[id::RELOCATION, id::GUESTS, id::ISFC, id::PROCESSORS, id::MEMBER2],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[CHPID], made: |_, limits| what_limits(limits).into() };

/// Chpids of a link that is fast for such work. Chosen.
const ENOUGH: usize = 3;

const CHPID: Step = Step {
    label: |scenario| chpid_to_add(&scenario.isfc),
    reason: "As fast as the first, with four CTCs. Each move is shorter. Does the other work notice?",
    is_due: |seen| seen.scenario.isfc.chpids().len() < ENOUGH,
    take: |scenario| add_chpid(&mut scenario.isfc),
    shows: (Figure::RelocationTime, Way::Down),
};

const KNOBS: &[&str] = &[
    path::GUESTS_COUNT,
    path::GUESTS_MOVE_TO,
    path::RELOCATION_BOUNCE,
    room::ISFC,
    path::PROCESSORS_COUNT,
    "member.central_mb",
    "member.processors",
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}
