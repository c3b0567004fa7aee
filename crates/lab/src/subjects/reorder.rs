//! The subject of reorder, before z/VM 6.3: how long a guest stands still while CP sorts its frames, and what CP learns by it.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Mechanism, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::pages;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// How long a guest stands still.
pub static REORDER: &Subject = &Subject {
    title: "Reorder",
    question: "Why does a large guest stand still for a second, and what is reorder good for?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["reorder-6.2"],
    setups: &[
        Setup::new("8 GB resident", "one guest of 8 GB").back("One large guest has all of the storage."),
        Setup::new("REORDER-SPLIT", "four guests of 2 GB").back("Four guests share the storage."),
        Setup::new("REORDER-OFF", "sixteen small guests, reorder off")
            .back("CP no longer knows which pages its small guests use."),
    ],
    limit: Some(ResourceKind::Frames),
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::GUESTS, id::STORAGE, id::PAGING],
    is_main,
    swept: |_| path::STORAGE_CENTRAL_MB,
    introduction: of_storage::introduction,
    chain: CHAIN,
    leads: |scenario| if has_hot_pages(scenario) { HOT_LEADS } else { LEADS }.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(Figure::ReorderTime, "s that a guest stands still for a reorder", "s still"),
    lead(Figure::Reorders, "reorders a minute", "a minute"),
    lead(Figure::ConsoleWait, "% of the guests’ time in console function wait", "% CFW"),
    ETR,
];

/// Where guests use some pages more than others.
const HOT_LEADS: &[Lead] = &[
    lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
    lead(Figure::ResponseTime, "ms that a transaction takes", "ms"),
    lead(Figure::ConsoleWait, "% of the guests’ time in console function wait", "% CFW"),
    ETR,
];

const TABLE: Table = &[
    (Figure::ReorderTime, false),
    (Figure::Reorders, false),
    (Figure::ReorderBusy, false),
    (Figure::ScanBusy, true),
    (Figure::ConsoleWait, false),
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::TotalBusy, false),
    (Figure::NonchargeableCpBusy, true),
];

const CHAIN: Chain = Chain { steps: &[SPLIT, OFF, ON], made };

/// Into how many guests the large one is split.
const PARTS: u32 = 4;

const SPLIT: Step = Step {
    label: |_| "Split the guest into four".into(),
    reason: "Each has a quarter of the frames, so CP needs a quarter of the time for it, and the others go on meanwhile.",
    is_due: |seen| is_one(seen.scenario) && reorders(seen),
    take: split,
    shows: (Figure::ReorderTime, Way::Down),
};

const OFF: Step = Step {
    label: |_| "SET REORDER SYSTEM OFF".into(),
    reason: "No guest stands still any more. These guests walk through all of their pages, so CP finds no better ones by it.",
    is_due: |seen| !is_one(seen.scenario) && reorders(seen) && !has_hot_pages(seen.scenario),
    take: |scenario| scenario.guests.iter_mut().for_each(|group| group.reorder = false),
    shows: (Figure::ConsoleWait, Way::Down),
};

const ON: Step = Step {
    label: |_| "SET REORDER SYSTEM ON".into(),
    reason: "CP then sees which pages are in use, and takes others. A guest stands still for 130 ms with each GB in storage.",
    is_due: |seen| could_reorder(seen.scenario) && !reorders(seen) && has_hot_pages(seen.scenario),
    take: |scenario| scenario.guests.iter_mut().for_each(|group| group.reorder = true),
    shows: (Figure::PagesPerSecond, Way::Down),
};

/// Whether CP reorders guests of this host.
fn reorders(seen: &Seen) -> bool {
    could_reorder(seen.scenario) && seen.scenario.guests.iter().any(|group| group.reorder)
}

/// Whether the level has reorder, and the host a use for it.
fn could_reorder(scenario: &Scenario) -> bool {
    scenario.has(Mechanism::ScanByLists) && pages(scenario)
}

/// Whether guests use some pages more than others, so that it matters which ones CP takes.
fn has_hot_pages(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.active_mb > 0)
}

/// Whether it has one guest, with as many virtual CPUs as it can be split into.
fn is_one(scenario: &Scenario) -> bool {
    matches!(scenario.guests.as_slice(), [group] if group.count == 1 && group.virtual_cpus == PARTS)
}

/// The same work in as many guests as the one has virtual CPUs.
fn split(scenario: &mut Scenario) {
    for group in &mut scenario.guests {
        (group.count, group.virtual_cpus) = (PARTS, 1);
        group.virtual_mb /= u64::from(PARTS);
        group.loop_mb /= u64::from(PARTS);
    }
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario {
        _ if !scenario.has(Mechanism::ScanByLists) => "This level keeps no list for each guest that would have to be sorted.",
        _ if !pages(scenario) => "All that the guests touch fits in storage. CP looks for no frames and, in the model, reorders no guest.",
        _ if has_hot_pages(scenario) => {
            "CP pays half a microsecond for each frame and takes fewer pages that are in use. Only a large guest stands still for long."
        }
        _ if scenario.guests.iter().all(|group| !group.reorder) => {
            "CP reorders no guest here. z/VM 6.3 has done away with reorder for good."
        }
        _ => "A guest stands still for about 130 ms with each GB that it has in storage, so keep guests as small as practical.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [path::GUESTS_REORDER, path::GUESTS_LOOP_MB, path::GUESTS_COUNT, path::STORAGE_CENTRAL_MB, path::LEVEL];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, REORDER, false)
}
