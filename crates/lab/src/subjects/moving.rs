//! The subject of one guest that is relocated: how long it is stopped, and how long the relocation takes.

use zvmlab::Figure;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path::{self, room};

use super::next_step::{Chain, Step, Way};
use super::of_relocation::{IMMEDIATE, ONE, TABLE, add_chpid, chpid_to_add, introduction, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moving;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// One guest that is relocated.
pub static MOVE: &Subject = &Subject {
    title: "Move a guest",
    question: "How long is a guest stopped (quiesce time) while it moves to another member, and how long does the relocation take?",
    depth: Depth::Basics,
    part: Part::Relocation,
    sources: &["relocation-6.2"],
    setups: &[
        Setup::new("MOVE", "40 GB, changing 2 GB a second").back("Two chpids of 8 Gb."),
        Setup::new("LGR100G-IDLE", "100 GB idle"),
        Setup::new("LGR100G-25GB", "100 GB changing 25 GB"),
        Setup::new("LGR-JAVA", "Java"),
        Setup::new("LGR-PAGECACHE", "page cache"),
        Setup::new("LGR-DIRECT", "direct I/O"),
        Setup::new("LGR-OLTP", "database"),
    ],
    limit: Some(ResourceKind::Link),
    room: Room::Relocation,
    sign: Some(Sign { order: 50, is_seen: |scenario| moving(scenario) == 1 }),
    groups: &[id::GUESTS, id::RELOCATION, id::ISFC, id::MEMBER2, id::STORAGE],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[CHPID, IMMEDIATE], made: |_, limits| what_limits(limits).into() };

const CHPID: Step = Step {
    label: |scenario| chpid_to_add(&scenario.isfc),
    reason: "As fast as the first, with four CTCs. Does a faster link shorten the stop?",
    is_due: |seen| seen.scenario.isfc.chpids().len() < CHPIDS && seen.may_limit(&[ResourceKind::Link]),
    take: |scenario| add_chpid(&mut scenario.isfc),
    shows: (Figure::QuiesceTime, Way::Down),
};

const KNOBS: &[&str] = &[
    path::GUESTS_MOVE_TO,
    path::GUESTS_TOLERANCE_MS,
    path::GUESTS_DEVICES,
    path::RELOCATION_MAXTOTAL_S,
    path::RELOCATION_INTERRUPTION,
    room::ISFC,
    path::ISFC_OTHER_MB_S,
    "member.central_mb",
];

/// Chpids of the deck's question: what would a third gain?
const CHPIDS: usize = 3;

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}
