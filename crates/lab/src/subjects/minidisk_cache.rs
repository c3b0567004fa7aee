//! The subject of the minidisk cache: what it saves, what FlashCopy makes of it, and what it takes from guests.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// The minidisk cache.
pub static MINIDISK_CACHE: &Subject = &Subject {
    title: "Minidisk cache",
    question: "What does the minidisk cache save, and when does a host do better without it?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &[],
    setups: &[
        Setup::new("FLASHCOPY", "CMS users beside z/OS guests that defragment")
            .back("FlashCopy writes to minidisks that are in the cache."),
        Setup::new("MDC-BACKUP", "Linux servers beside a backup").back("The backup’s reads go through the cache."),
    ],
    limit: Some(ResourceKind::Processors),
    room: Room::Minidisks,
    // Without an arbiter a host of unknown origin belongs to the subject of guest zHPF.
    sign: Some(Sign { order: 5, is_seen: Scenario::has_mdc_arbiter }),
    groups: &[id::MINIDISKS, id::GUESTS, id::STORAGE, id::PROCESSORS],
    is_main,
    swept: |_| path::MINIDISKS_MDC_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[LEAVE_OUT, PASS_BY], made },
    leads: |scenario| if scenario.has_mdc_arbiter() { LEADS_OF_ARBITER } else { LEADS }.to_vec(),
    table: |scenario| if scenario.has_mdc_arbiter() { TABLE_OF_ARBITER } else { TABLE },
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(Figure::MdiskEtr, "I/Os a second that guests get (external throughput rate, MDISK ETR)", "MDISK ETR"),
    lead(Figure::NonchargeableCpBusy, "% of a processor for CP that no guest is charged for: system time", "% system"),
    lead(Figure::MdcHitPercent, "% of the reads served by the minidisk cache", "% hits"),
];

/// The same where the cache takes central storage from guests.
const LEADS_OF_ARBITER: &[Lead] = &[
    ETR,
    lead(Figure::MdcSize, "MB of central storage that the arbiter leaves the minidisk cache", "MB cache"),
    lead(Figure::MdcHitPercent, "% of the reads served by the minidisk cache", "% hits"),
    lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
];

const TABLE_OF_ARBITER: Table = &[
    (Figure::Etr, false),
    (Figure::MdiskEtr, false),
    (Figure::ResponseTime, false),
    (Figure::MdcSize, false),
    (Figure::MdcHitPercent, false),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::VolumeBusy, false),
    (Figure::TotalBusy, false),
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

const PASS_BY: Step = Step {
    label: |scenario| {
        let group = scenario.guests.iter().find(|group| is_too_large(scenario, group));
        format!("Turn the cache off for the minidisks of {}", group.map_or("these guests", |group| &group.name)).into()
    },
    reason: "They are far larger than the cache, so few tracks are asked for again. In the cache they take frames from guests.",
    is_due: |seen: &Seen| seen.scenario.guests.iter().any(|group| is_too_large(seen.scenario, group)),
    take: |scenario| {
        let read_once: Vec<bool> = scenario.guests.iter().map(|group| is_too_large(scenario, group)).collect();
        scenario.guests.iter_mut().zip(read_once).filter(|(_, is)| *is).for_each(|(group, _)| group.mdc = false);
    },
    shows: (Figure::Etr, Way::Up),
};

/// Whether the cache competes with guests for storage, and these minidisks are ten times as large as it can be.
fn is_too_large(scenario: &Scenario, group: &GuestGroup) -> bool {
    let all_mb = u64::from(group.count) * group.minidisk_mb;
    scenario.has_mdc_arbiter() && is_cached(group) && all_mb >= 10 * scenario.minidisks.mdc_mb
}

/// Whether the cache, if there is one, serves the minidisks of these guests.
fn is_cached(group: &GuestGroup) -> bool {
    group.io_records > 0 && group.mdc && !group.io_zhpf
}

/// Whether FlashCopy writes to minidisks of these guests that are in the cache.
fn is_target(scenario: &Scenario, group: &GuestGroup) -> bool {
    scenario.minidisks.is_cached() && group.flashcopy_s > 0 && is_cached(group)
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario.minidisks.is_cached() {
        true if scenario.has_mdc_arbiter() => {
            "The cache no longer takes frames for tracks that are seldom asked for again, so guests keep theirs. A maximum for its size would do, too."
        }
        true => "Nothing is invalidated: the cache serves minidisks that FlashCopy leaves alone.",
        false => "This host has no minidisk cache, so FlashCopy costs CP nothing, and each read goes to a volume.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::MINIDISKS_MDC_MB,
        path::MINIDISKS_MDC_ARBITER,
        path::STORAGE_CENTRAL_MB,
        path::GUESTS_COUNT,
        path::GUESTS_MDC,
        path::GUESTS_FLASHCOPY_S,
        path::GUESTS_MINIDISK_MB,
        path::PROCESSORS_COUNT,
    ];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, MINIDISK_CACHE, false)
}
