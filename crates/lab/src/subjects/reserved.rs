//! The subject of reserved storage: what SET RESERVED keeps, and what the three passes of demand scan left of it before z/VM 6.3.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Mechanism, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Reserved storage.
pub static RESERVED: &Subject = &Subject {
    title: "Reserved storage",
    question: "What does SET RESERVED keep for a guest, what do the others pay, and why did it keep little before z/VM 6.3?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &[],
    setups: &[Setup::new("RESERVED", "all of a database’s storage reserved, 6.2")
        .back("The database waits for pages although all of its storage is reserved.")],
    limit: Some(ResourceKind::PageVolumes),
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::STORAGE, id::GUESTS, id::SYSTEM, id::PAGING],
    is_main,
    swept: |_| path::GUESTS_RESERVED_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[TODAY, MORE], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(
        Figure::Group1Cpu,
        "% of the processors used by the first group: it works when its pages are there",
        "% first group",
    ),
    lead(Figure::StorageWait, "% of all guests’ time waiting for storage", "% waiting"),
    ETR,
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::Group1Cpu, false),
    (Figure::Group2Cpu, false),
    (Figure::StorageWait, false),
    (Figure::ResponseTime, false),
    (Figure::ScanPass1, true),
    (Figure::ScanPass2, true),
    (Figure::ScanPass3, false),
    (Figure::PagesPerSecond, false),
    (Figure::TotalBusy, false),
];

const TODAY: Step = Step {
    label: |_| "Go to z/VM 6.3".into(),
    reason: "Its demand scan leaves reserved pages where they are, even when frames are scarce.",
    is_due: |seen: &Seen| seen.scenario.level < Level::V6_3 && is_reserved(seen.scenario) && pages(seen.scenario),
    take: |scenario| scenario.level = Level::V6_3,
    shows: (Figure::Group1Cpu, Way::Up),
};

const MORE: Step = Step {
    label: |scenario| format!("Add {} MB of central storage", reserved_mb(scenario)).into(),
    reason: "What one guest keeps, the others miss. This gives it back to them.",
    is_due: |seen: &Seen| {
        !seen.scenario.has(Mechanism::ScanByLists)
            && is_reserved(seen.scenario)
            && pages(seen.scenario)
            && seen.scenario.storage.central_mb + reserved_mb(seen.scenario) <= looped_mb(seen.scenario)
    },
    take: |scenario| scenario.storage.central_mb += reserved_mb(scenario),
    shows: (Figure::Etr, Way::Up),
};

/// Storage that all guests reserve, MB.
fn reserved_mb(scenario: &Scenario) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * group.reserved_mb).sum()
}

fn is_reserved(scenario: &Scenario) -> bool {
    reserved_mb(scenario) > 0
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match (pages(scenario), is_reserved(scenario)) {
        (false, _) => "All that these guests touch fits into frames, so nothing need be reserved.",
        (true, false) => "No guest reserves storage here: all lose the same part of their pages.",
        (true, true) if scenario.has(Mechanism::ScanByLists) => {
            "The last pass of demand scan takes reserved pages, too. A level from z/VM 6.3 on leaves them."
        }
        (true, true) => "Demand scan leaves the reserved pages alone. All other guests share the frames that are left.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [path::LEVEL, path::STORAGE_CENTRAL_MB, path::GUESTS_RESERVED_MB, path::GUESTS_COUNT, path::GUESTS_LOOP_MB];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, RESERVED, false)
}
