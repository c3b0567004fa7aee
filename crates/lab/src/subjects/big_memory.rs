//! The subject of big memory: storage, processors and guests that grow together, up to 4 TB.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path;

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::storage_mb;

/// Storage, processors and guests that grow together.
pub static BIG_MEMORY: &Subject = &Subject {
    title: "Big memory",
    question: "Does four times the storage, with four times the processors and guests, do four times the work?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["big-memory-1q21"],
    setups: &[Setup::new("BIG-MEMORY", "1 TB and eight processors").back("1 TB, eight processors and eight guests.")],
    limit: Some(ResourceKind::Processors),
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::STORAGE, id::PROCESSORS, id::GUESTS],
    is_main,
    swept: |_| path::PROCESSORS_COUNT,
    introduction,
    chain: Chain { steps: &[DOUBLE, DOUBLE_AGAIN], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    ETR,
    lead(Figure::Itr, "tx/s at 100 % busy (ITR, internal throughput rate)", "ITR"),
    lead(Figure::TouchedToResident, "times what is resident has been touched", "touched"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::Itr, false),
    (Figure::Utilization, false),
    (Figure::TouchedToResident, false),
    (Figure::VirtualToReal, true),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, true),
    (Figure::TotalTimePerTransaction, false),
];

/// The most storage of a member, in MB, and the most processors with which the arc ends.
const MOST_MB: u64 = 4 << 20;
const MOST_PROCESSORS: u32 = 32;

const DOUBLE: Step = Step {
    label: |_| "Double storage, processors and guests".into(),
    reason: "IBM grows all three together: one step of its arc after the other.",
    is_due: |seen| grows(seen.scenario, 4),
    take: double,
    shows: (Figure::Etr, Way::Up),
};

const DOUBLE_AGAIN: Step = Step {
    label: |_| "Double all three again".into(),
    reason: "This is where IBM's arc ends.",
    is_due: |seen| grows(seen.scenario, 2),
    take: double,
    shows: (Figure::Etr, Way::Up),
};

/// Whether there is room for so many times the host before the arc ends.
fn grows(scenario: &Scenario, times: u32) -> bool {
    scenario.storage.central_mb * u64::from(times) <= MOST_MB && scenario.processors.count * times <= MOST_PROCESSORS
}

fn double(scenario: &mut Scenario) {
    scenario.storage.central_mb *= 2;
    scenario.processors.count *= 2;
    scenario.guests.iter_mut().for_each(|group| group.count *= 2);
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if pages(scenario) => "These guests touch more than there is. Page volumes do not grow with storage, so paging sets the pace.",
        None | Some(ResourceKind::Processors) => {
            "Twice the processors do twice the work: guests share nothing that is scarce. On hardware, caches and nest count too; the model has neither."
        }
        Some(_) => "Something that the guests share limits. It would have to grow too.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [path::STORAGE_CENTRAL_MB, path::PROCESSORS_COUNT, path::GUESTS_COUNT, path::GUESTS_LOOP_MB];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, BIG_MEMORY, false)
}

/// The scenario in a sentence without an end.
fn introduction(scenario: &Scenario) -> String {
    format!(
        "{}; together they touch {} of {}",
        of_storage::introduction(scenario),
        storage_mb(looped_mb(scenario)),
        storage_mb(scenario.storage.central_mb)
    )
}
