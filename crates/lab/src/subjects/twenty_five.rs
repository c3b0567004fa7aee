//! The subject of twenty-five guests: many equal guests, one after the other or all at once.

use std::borrow::Cow;

use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Relocate, Scenario};

use super::next_step::{Chain, Step};
use super::of_relocation::{ASYNCH, IMMEDIATE, MANY, TABLE, introduction, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Many equal guests.
pub static TWENTY_FIVE: &Subject = &Subject {
    title: "Twenty-five guests",
    question: "One after the other or all at once, with or without IMMEDIATE: what is each best at?",
    depth: Depth::Further,
    part: Part::Relocation,
    sources: &["relocation-6.2"],
    setups: &[
        Setup::new("TWENTY-FIVE", "two chpids of 8 Gb").back("One after the other (SYNCH)."),
        Setup::new("LGR25-SERIAL", "SYNCH, capacity factor 18"),
        Setup::new("LGR25-SERIAL-IMM", "… IMMEDIATE"),
        Setup::new("LGR25-CONC", "ASYNCH, capacity factor 18"),
        Setup::new("LGR25-CONC-IMM", "… IMMEDIATE"),
    ],
    limit: Some(ResourceKind::Link),
    room: Room::Relocation,
    // Guests that move, if no other subject's sign matches.
    sign: Some(Sign { order: 100, is_seen: |_| true }),
    groups: &[id::RELOCATION, id::GUESTS, id::ISFC, id::PROCESSORS, id::MEMBER2],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, MANY),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[ASYNCH, AT_ONCE], made };

/// IMMEDIATE with all guests at once: while they share the link, each has time to change what was sent.
const AT_ONCE: Step = Step {
    is_due: |seen| {
        let relocation = &seen.scenario.relocation;
        relocation.mode == Relocate::Asynch && !relocation.immediate && seen.may_limit(&[ResourceKind::Link])
    },
    ..IMMEDIATE
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match (limits.limit, scenario.relocation.mode) {
        (Some(ResourceKind::Link), Relocate::Asynch) => {
            "The link limits either way: all at once shares it, one at a time keeps each move and each stop short."
        }
        _ => what_limits(limits),
    }
    .into()
}

const KNOBS: &[&str] = &[
    path::GUESTS_COUNT,
    path::GUESTS_MOVE_TO,
    path::RELOCATION_WINDOW_S,
    room::ISFC,
    path::PROCESSORS_COUNT,
    "member.central_mb",
    "member.processors",
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}
