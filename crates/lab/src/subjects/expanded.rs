//! The subject of expanded storage: what CP pages to before it pages to DASD, until z/VM 6.3 did away with it.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Mechanism, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Expanded storage.
pub static EXPANDED: &Subject = &Subject {
    title: "Expanded storage",
    question: "What did it gain a host to page to storage instead of DASD, and why does z/VM 6.3 want all storage central?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["below-2gb-5.2"],
    setups: &[
        Setup::new("EXPANDED", "3 GB central, 1 GB expanded").back("Eight servers page to expanded storage and to DASD."),
        Setup::new("APMS9221", "5 GB central, 4 GB expanded, 5.1")
            .back("Twelve servers page to expanded storage and to DASD."),
        Setup::new("APXTA193", "3 GB central, 8 GB expanded, 5.2").back("Twelve servers page to expanded storage only."),
    ],
    limit: Some(ResourceKind::PageVolumes),
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::STORAGE, id::SYSTEM, id::GUESTS, id::PAGING],
    is_main,
    swept: |_| path::STORAGE_EXPANDED_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[DOUBLE, CENTRAL, CENTRAL_AND_DASD], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

/// The most expanded storage that a scenario may have, MB.
const EXPANDED_MOST_MB: u64 = 131_072;

const LEADS: &[Lead] = &[
    ETR,
    lead(Figure::ExpandedHits, "% of the pages that come back come from expanded storage", "% from expanded"),
    lead(Figure::StorageWait, "% of the guests’ time waiting for storage", "% waiting"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ExpandedRate, false),
    (Figure::ExpandedPerTransaction, true),
    (Figure::ExpandedHits, false),
    (Figure::MigrationRate, false),
    (Figure::ExpandedUsed, true),
    (Figure::PagesPerSecond, false),
    (Figure::PagesPerTransaction, true),
    (Figure::StorageWait, false),
    (Figure::TotalBusy, false),
    (Figure::CpTimePerTransaction, true),
];

const DOUBLE: Step = Step {
    label: |_| "Double expanded storage".into(),
    reason: "Pages that find room there come back without I/O, and their guest does not wait for them.",
    is_due: |seen: &Seen| {
        has(seen.scenario)
            && seen.scenario.storage.expanded_mb <= EXPANDED_MOST_MB / 2
            && !holds_all(seen.scenario)
            && seen.limits.is_none_or(|limits| !processors_limit(limits))
    },
    take: |scenario| scenario.storage.expanded_mb *= 2,
    shows: (Figure::Etr, Way::Up),
};

const CENTRAL: Step = Step {
    label: |_| "Make all of it central storage".into(),
    reason: "z/VM 6.3 wants it so: a page in a frame need not be moved at all, and moving takes processor time.",
    is_due: |seen: &Seen| has(seen.scenario) && (holds_all(seen.scenario) || seen.limits.is_some_and(processors_limit)),
    take: of_storage::all_central,
    shows: (Figure::Etr, Way::Up),
};

/// The same where guests wait for pages from DASD besides.
const CENTRAL_AND_DASD: Step = Step {
    is_due: |seen: &Seen| has(seen.scenario),
    reason: "z/VM 6.3 wants it so: a page in a frame need not be moved at all, and fewer pages go to DASD and come back.",
    shows: (Figure::StorageWait, Way::Down),
    ..CENTRAL
};

/// Whether frames and expanded storage together have room for all that guests touch.
fn holds_all(scenario: &Scenario) -> bool {
    scenario.storage.central_mb + scenario.storage.expanded_mb > looped_mb(scenario)
}

fn has(scenario: &Scenario) -> bool {
    scenario.has(Mechanism::ExpandedStorage)
}

fn processors_limit(limits: &Limits) -> bool {
    limits.limiting().is_some_and(|limit| limit.kind == ResourceKind::Processors)
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match (has(scenario), pages(scenario)) {
        (true, true) => "Guests page to expanded storage first. Only what migrates from there comes back by I/O.",
        (true, false) => "All that these guests touch fits into frames, so expanded storage stays empty.",
        (false, true) => "Every page that is not in a frame comes back by I/O here.",
        (false, false) => "All that these guests touch fits into frames: nothing is moved, and nobody waits.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::LEVEL,
        path::STORAGE_CENTRAL_MB,
        path::STORAGE_EXPANDED_MB,
        path::GUESTS_COUNT,
        path::GUESTS_LOOP_MB,
        path::PAGING_VOLUMES,
    ];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, EXPANDED, false)
}
