//! The subject of the minidisk cache: what it saves, and what FlashCopy makes of it.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::Limits;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Scenario};

use super::lead::{Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// The minidisk cache.
pub static MINIDISK_CACHE: &Subject = &Subject {
    title: "Minidisk cache",
    question: "What does the minidisk cache save, and why does a host with FlashCopy do better without it?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &[],
    setups: &[Setup::new("FLASHCOPY", "CMS users beside z/OS guests that defragment")
        .back("FlashCopy writes to minidisks that are in the cache.")],
    room: Room::Minidisks,
    // A host of unknown origin belongs to the subject of guest zHPF.
    sign: None,
    groups: &[id::MINIDISKS, id::GUESTS, id::PROCESSORS],
    is_main,
    swept: |_| path::MINIDISKS_MDC_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[LEAVE_OUT], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(Figure::MdiskEtr, "I/Os a second that guests get (external throughput rate, MDISK ETR)", "MDISK ETR"),
    lead(Figure::NonchargeableCpBusy, "% of a processor for CP that no guest is charged for: system time", "% system"),
    lead(Figure::MdcHitPercent, "% of the reads served by the minidisk cache", "% hits"),
];

const TABLE: Table = &[
    (Figure::MdiskEtr, false),
    (Figure::ResponseTime, false),
    (Figure::MdcHitPercent, false),
    (Figure::MdcInvalidations, false),
    (Figure::MdcInvalidationBusy, true),
    (Figure::NonchargeableCpBusy, false),
    (Figure::MdiskVolumeRate, false),
    (Figure::MdiskVolumeBusy, false),
    (Figure::TotalBusy, false),
];

const LEAVE_OUT: Step = Step {
    label: |_| "Turn the cache off for targets of FlashCopy".into(),
    reason: "Then CP has no tracks of them to look for. The 6.2 update names it as the remedy.",
    is_due: |seen: &Seen| seen.scenario.guests.iter().any(|group| is_target(seen.scenario, group)),
    take: |scenario| {
        scenario.guests.iter_mut().filter(|group| group.flashcopy_s > 0).for_each(|group| group.mdc = false);
    },
    shows: (Figure::MdiskEtr, Way::Up),
};

/// Whether FlashCopy writes to minidisks of these guests that are in the cache.
fn is_target(scenario: &Scenario, group: &GuestGroup) -> bool {
    scenario.minidisks.is_cached() && group.io_records > 0 && group.flashcopy_s > 0 && group.mdc && !group.io_zhpf
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario.minidisks.is_cached() {
        true => "Nothing is invalidated: the cache serves minidisks that FlashCopy leaves alone.",
        false => "This host has no minidisk cache, so FlashCopy costs CP nothing, and each read goes to a volume.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::MINIDISKS_MDC_MB,
        path::GUESTS_COUNT,
        path::GUESTS_MDC,
        path::GUESTS_FLASHCOPY_S,
        path::GUESTS_MINIDISK_MB,
        path::PROCESSORS_COUNT,
    ];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, MINIDISK_CACHE, false)
}
