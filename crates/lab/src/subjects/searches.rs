//! The subject of searches: CP looks for frames below 2 GB among those above, the needle in a haystack of the 6.2 update.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::constants::Constants;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::pages;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Searches below 2 GB.
pub static SEARCHES: &Subject = &Subject {
    title: "Searches",
    question: "One in thirteen of the guests’ frames is below 2 GB. How many does CP look at to find it, and what did z/VM 6.2 change?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["needle-searches-6.2"],
    setups: &[Setup::new("SEARCHES", "20 GB on z/VM 6.1").back("CP takes a quarter of all frames from below 2\u{a0}GB.")],
    limit: Some(ResourceKind::Processors),
    room: Room::Storage,
    sign: Some(Sign { order: 31, is_seen: |scenario| scenario.storage.below_percent > 0 }),
    groups: &[id::SYSTEM, id::STORAGE, id::GUESTS],
    is_main,
    swept: |_| path::STORAGE_CENTRAL_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[UPGRADE], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(Figure::SearchLength, "frames that CP looks at for each that it finds below 2 GB", "looks"),
    lead(Figure::SearchBusy, "% of a processor for searches below 2 GB", "% searching"),
    lead(Figure::CpTimePerTransaction, "µs of CP for a transaction", "µs CP"),
    ETR,
];

const TABLE: Table = &[
    (Figure::SearchLength, false),
    (Figure::SearchBusy, false),
    (Figure::ResidentAbove, false),
    (Figure::ResidentBelow, false),
    (Figure::ScanLength, true),
    (Figure::ScanBusy, true),
    (Figure::Etr, false),
    (Figure::CpTimePerTransaction, false),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, true),
    (Figure::TotalBusy, false),
];

const UPGRADE: Step = Step {
    label: |_| "Upgrade to z/VM 6.2".into(),
    reason: "On a host with so many frames above it takes none below without need, so it has none to look for.",
    is_due: |seen: &Seen| seeks(seen.scenario) && seen.scenario.level < Level::V6_2 && keeps_off(seen.scenario),
    take: |scenario| scenario.level = Level::V6_2,
    shows: (Figure::CpTimePerTransaction, Way::Down),
};

/// Whether CP takes frames below without need, and storage is so short that it has to look for them.
fn seeks(scenario: &Scenario) -> bool {
    pages(scenario) && scenario.puts_below(&Constants::default()) > 0
}

/// Whether the rule of 6.2 holds on a host of this size.
fn keeps_off(scenario: &Scenario) -> bool {
    scenario.keeps_off_below(&Constants::default())
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario {
        _ if scenario.storage.below_percent == 0 => "CP takes no frames below 2 GB without need here, so it looks for none.",
        _ if seeks(scenario) && !keeps_off(scenario) => "Frames above are not many more than those below here: searches are short, and the rule of z/VM 6.2 does not hold.",
        _ if seeks(scenario) => "The rarer frames below are among those above, the more of them CP looks at before it finds one.",
        _ if scenario.puts_below(&Constants::default()) > 0 => "All that the guests touch fits. Where CP wants more of it below 2 GB than fits there, it searches and pages all the same.",
        _ if pages(scenario) => "CP uses frames below 2 GB only where it must, and looks for none. The more storage a host has, the more it gains by that.",
        _ => "All that the guests touch fits, and CP uses frames below 2 GB only where it must.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [path::LEVEL, path::STORAGE_CENTRAL_MB, path::STORAGE_BELOW_PERCENT, path::GUESTS_COUNT, path::GUESTS_LOOP_MB];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, SEARCHES, false)
}
