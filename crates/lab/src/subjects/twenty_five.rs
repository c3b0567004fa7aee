//! The subject of twenty-five guests: many equal guests, one after the other or all at once.

use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Relocate, Scenario};

use super::next_step::NextStep;
use super::of_relocation::{MANY, TABLE, asynch, immediate, introduction};
use super::{Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Many equal guests.
pub const TWENTY_FIVE: &Subject = &Subject {
    title: "Twenty-five guests",
    question: "One after the other or all at once, with or without IMMEDIATE: what is each best at?",
    part: Part::Relocation,
    sources: &["relocation-6.2"],
    setups: &[
        Setup::new("TWENTY-FIVE", "two chpids of 8 Gb").back("One after the other (SYNCH)."),
        Setup::new("LGR25-SERIAL", "SYNCH, capacity factor 18"),
        Setup::new("LGR25-SERIAL-IMM", "… IMMEDIATE"),
        Setup::new("LGR25-CONC", "ASYNCH, capacity factor 18"),
        Setup::new("LGR25-CONC-IMM", "… IMMEDIATE"),
    ],
    room: Room::Relocation,
    // Guests that move, if no other subject's sign matches.
    sign: Some(Sign { order: 100, is_seen: |_| true }),
    groups: &[id::RELOCATION, id::GUESTS, id::ISFC, id::PROCESSORS, id::MEMBER2],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    next_step,
    leads: |scenario| of_relocation::leads(scenario, MANY),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

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

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    match scenario.relocation.mode {
        Relocate::Synch => Some(asynch()),
        Relocate::Asynch => immediate(scenario),
    }
}
