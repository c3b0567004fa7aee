//! The subject of one guest that is relocated: how long it is stopped, and how long the relocation takes.

use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Chpid, Isfc, Scenario};

use super::next_step::NextStep;
use super::of_relocation::{ONE, TABLE, immediate, introduction};
use super::{Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moving;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// One guest that is relocated.
pub const MOVE: &Subject = &Subject {
    title: "Move a guest",
    question: "How long is a guest stopped while it moves to another member, and how long does the move take?",
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
    room: Room::Relocation,
    sign: Some(Sign { order: 50, is_seen: |scenario| moving(scenario) == 1 }),
    groups: &[id::GUESTS, id::RELOCATION, id::ISFC, id::MEMBER2, id::STORAGE],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    next_step,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
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

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    more_chpids(&scenario.isfc).or_else(|| immediate(scenario))
}

fn more_chpids(isfc: &Isfc) -> Option<NextStep> {
    let which = match isfc.chpids().len() + 1 {
        1 => "first",
        2 => "second",
        CHPIDS => "third",
        _ => return None,
    };
    let hint = "As fast as the first, with four CTCs. Does a faster link shorten the stop?";
    Some(NextStep::new(format!("Add a {which} chpid"), hint, |scenario| add_chpid(&mut scenario.isfc)))
}

/// Adds a chpid as fast as the first there is, with four CTCs.
fn add_chpid(isfc: &mut Isfc) {
    let speed = isfc.chpids().first().map_or(Chpid::Gb8, |(chpid, _)| *chpid);
    let all = [
        (&mut isfc.chpid1, &mut isfc.ctcs1),
        (&mut isfc.chpid2, &mut isfc.ctcs2),
        (&mut isfc.chpid3, &mut isfc.ctcs3),
        (&mut isfc.chpid4, &mut isfc.ctcs4),
    ];
    if let Some((chpid, ctcs)) = all.into_iter().find(|(chpid, _)| **chpid == Chpid::None) {
        (*chpid, *ctcs) = (speed, 4);
    }
}
