//! Shared by the subjects of storage and devices. The words for a host of theirs say what its guests do: I/O, paging or both.

mod introduction;

use zvmlab::Figure;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{DeviceKind, Level, Mechanism, Scenario, Tenths};

use super::Subject;
use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Seen, Step, Way};
use crate::host::{alias_users, pages};
use crate::knob::Knob;

pub use introduction::introduction;

/// The effect of transport mode, for paging and for guests.
pub const ONE_EXCHANGE: &str = "One exchange with the disk for a whole channel program.";

const PAGING: &[Lead] = &[ETR];

/// Guests that think set their own pace: how long they wait says more than how much they do.
const THINKING: &[Lead] = &[
    lead(Figure::PagingResponse, "ms response time of a paging I/O", "ms response"),
    lead(Figure::ServiceTime, "ms service time of a paging I/O", "ms service"),
    lead(Figure::PageWait, "% of the guests’ time in page wait", "% page wait"),
    ETR,
];

const SHARED: &[Lead] = &[
    lead(Figure::MdiskEtr, "transactions a second of minidisk I/O (external throughput rate, MDISK ETR)", "MDISK"),
    lead(Figure::Etr, "transactions a second of guests that page (paging ETR)", "paging"),
    lead(Figure::MdiskAliases, "aliases held by MDISK", "aliases MDISK"),
    lead(Figure::PagingAliases, "aliases held by paging", "aliases paging"),
];

/// The same if there are no aliases to hold.
const BOTH: &[Lead] = SHARED.split_at(2).0;

const IO: &[Lead] = &[
    lead(Figure::MdiskVolumeRate, "I/Os a second on a volume", "I/Os/s"),
    lead(Figure::MdiskServiceTime, "ms service time of an I/O", "ms service"),
    lead(Figure::MdiskCpTime, "µs CP CPU for each I/O", "µs CP"),
];

/// The same with a minidisk cache. The I/Os that it serves never reach a volume, so the volumes' rate is not the guests' rate.
const IO_CACHED: &[Lead] = &[
    lead(Figure::MdiskEtr, "I/Os a second that guests get (external throughput rate, MDISK ETR)", "MDISK ETR"),
    lead(Figure::MdiskVolumeRate, "I/Os a second that reach a volume", "on a volume"),
    lead(Figure::MdiskServiceTime, "ms service time of those I/Os", "ms service"),
    lead(Figure::MdiskCpTime, "µs CP CPU for each I/O of a guest", "µs CP"),
];

/// The figures that head the result.
pub fn leads(scenario: &Scenario) -> Vec<Lead> {
    let leads = match (scenario.does_io(), pages(scenario)) {
        (false, true) if thinks(scenario) => THINKING,
        (false, _) => PAGING,
        (true, true) if scenario.lcu.aliases > 0 => SHARED,
        (true, true) => BOTH,
        (true, false) if scenario.minidisks.is_cached() => IO_CACHED,
        (true, false) => IO,
    };
    leads.to_vec()
}

fn thinks(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.think_ms > Tenths::ZERO)
}

/// The figures that the table of the result always shows.
pub fn table(scenario: &Scenario) -> Table {
    match (scenario.does_io(), pages(scenario)) {
        (true, true) => TABLE_OF_BOTH,
        (true, false) => TABLE_OF_IO,
        (false, true) if thinks(scenario) => TABLE_OF_THINKING,
        (false, _) => TABLE_OF_PAGING,
    }
}

/// If guests only touch storage.
const TABLE_OF_PAGING: Table = &[
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::ServiceTime, false),
    (Figure::PendingTime, true),
    (Figure::DisconnectTime, true),
    (Figure::ConnectTime, true),
    (Figure::IosInProgress, false),
    (Figure::VolumeBusy, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::TotalBusy, false),
    (Figure::CpTimePerPage, false),
    (Figure::ScanLength, true),
    (Figure::ScanBusy, true),
];

/// If guests think between touches.
const TABLE_OF_THINKING: Table = &[
    (Figure::PagingResponse, false),
    (Figure::ServiceTime, false),
    (Figure::PendingTime, true),
    (Figure::DisconnectTime, true),
    (Figure::ConnectTime, true),
    (Figure::QueueDepth, false),
    (Figure::VolumeBusy, false),
    (Figure::PagingCacheHitPercent, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::TotalBusy, false),
    (Figure::CpTimePerPage, false),
    (Figure::ScanLength, true),
    (Figure::ScanBusy, true),
];

/// If minidisk and paging I/O meet on one control unit.
const TABLE_OF_BOTH: Table = &[
    (Figure::MdiskEtr, false),
    (Figure::Etr, false),
    (Figure::MdiskAliases, false),
    (Figure::PagingAliases, false),
    (Figure::MdiskQueue, false),
    (Figure::PagingQueue, false),
    (Figure::MdiskServiceTime, false),
    (Figure::ServiceTime, false),
    (Figure::PathBusy, false),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::TotalBusy, false),
];

/// If guests do I/O to minidisks and the host does not page.
const TABLE_OF_IO: Table = &[
    (Figure::MdiskEtr, false),
    (Figure::MdiskVolumeRate, false),
    (Figure::MdiskServiceTime, false),
    (Figure::MdiskPendingTime, true),
    (Figure::MdiskDisconnectTime, true),
    (Figure::MdiskConnectTime, true),
    (Figure::MdiskWaitTime, false),
    (Figure::MdiskVolumeBusy, false),
    (Figure::MdiskCpTime, false),
    (Figure::MdcHitPercent, false),
    (Figure::PathBusy, false),
    (Figure::TotalBusy, false),
];

/// Whether the knob is shown unasked on a host that is about `subject`; `kinds`: whether the subject is about the kinds of the
/// volumes.
pub fn is_main(knob: &Knob, scenario: &Scenario, subject: &Subject, kinds: bool) -> bool {
    let io = scenario.does_io();
    // Guests that do I/O may have all the storage that they touch. Then paging is not the subject.
    let paging = !io || pages(scenario);
    let does_io = || scenario.guests.get(knob.group).is_some_and(|group| group.io_records > 0);
    // A group's records matter as long as any group does I/O, or if the subject begins with them.
    let alone = scenario.guests.len() == 1;
    let came_with_io =
        || subject.base().is_some_and(|base| base.guests.get(knob.group).is_some_and(|group| group.io_records > 0));
    // Between disks the control unit's cache decides.
    let disks = scenario.paging.kind == DeviceKind::EckdSsd;
    match knob.field.path {
        path::LEVEL | path::LCU_ALIASES | path::GUESTS_COUNT => true,
        path::LCU_ALIAS_SHARE => io && paging,
        path::PAGING_ZHPF | path::PAGING_VOLUMES | path::STORAGE_CENTRAL_MB => paging,
        path::PAGING_KIND | path::PAGING_QUEUE_DEPTH => kinds && paging,
        path::PAGING_READ_HIT_PERCENT => (kinds || disks) && paging,
        path::MINIDISKS_VOLUMES => io,
        path::MINIDISKS_KIND => kinds && io,
        path::MINIDISKS_MDC_MB => io && !paging,
        path::GUESTS_LOOP_MB => paging && !does_io(),
        path::GUESTS_IO_RECORDS => does_io() || io && alone || came_with_io(),
        path::GUESTS_IO_READ_PERCENT => does_io() && !paging,
        path::GUESTS_IO_ZHPF => does_io(),
        _ => false,
    }
}

/// The knob that is worth a sweep: from z/VM 6.4 on, aliases for paging.
pub fn swept(scenario: &Scenario) -> &'static str {
    if scenario.level.lacks(Mechanism::PagingAliases) { path::PAGING_VOLUMES } else { path::LCU_ALIASES }
}

/// To the level that has the new paging driver. If nothing is paged, no paging driver makes a difference.
pub const NEW_LEVEL: Step = Step {
    label: |_| "Upgrade to z/VM 6.4".into(),
    reason: "It writes larger blocks in one I/O. Paging can use zHPF and aliases from then on.",
    is_due: |seen| pages(seen.scenario) && seen.scenario.level.lacks(Mechanism::LargeBlocks),
    take: |scenario| {
        scenario.level = Level::V6_4;
        all_central(scenario);
    },
    shows: (Figure::Etr, Way::Up),
};

/// Makes expanded storage central storage, and the minidisk cache's part of it frames for that cache.
pub fn all_central(scenario: &mut Scenario) {
    scenario.storage.central_mb += std::mem::take(&mut scenario.storage.expanded_mb);
    scenario.minidisks.mdc_mb += std::mem::take(&mut scenario.minidisks.mdc_expanded_mb);
}

/// How many aliases a step adds.
const SOME: u32 = 4;

/// Some aliases, while paging waits for volumes or for aliases.
pub const ALIASES: Step = Step {
    label: |_| format!("Add {SOME} HyperPAV aliases").into(),
    reason: "An alias lets a volume do one more I/O at the same time.",
    is_due: |seen| pages(seen.scenario) && alias_users(seen.scenario).1 && waits_for_volumes(seen),
    take: |scenario| scenario.lcu.aliases += SOME,
    shows: (Figure::Etr, Way::Up),
};

/// Whether volumes or their aliases limit. As long as that is not known, a host without aliases counts as one.
fn waits_for_volumes(seen: &Seen) -> bool {
    use ResourceKind::{Aliases, MinidiskVolumes, PageVolumes};
    let unknown = seen.limits.is_none();
    if unknown { seen.scenario.lcu.aliases == 0 } else { seen.may_limit(&[PageVolumes, MinidiskVolumes, Aliases]) }
}
