//! The fields of the scenario as a whole, of central storage and of the measurement.

use super::processing::of_service;
use super::{Effect, Field, Kind};
use crate::constants::Constants;
use crate::scenario::{Level, Mechanism, Scenario};

paths! {
    NAME = "name";
    LEVEL = "level";
    OWN_ELIGIBLE_LIST = "own.eligible_list";
    OWN_SCAN_BY_LISTS = "own.scan_by_lists";
    OWN_LARGE_BLOCKS = "own.large_blocks";
    OWN_IO_BELOW = "own.io_below";
    STORAGE_CENTRAL_MB = "storage.central_mb";
    STORAGE_EXPANDED_MB = "storage.expanded_mb";
    STORAGE_BELOW_PERCENT = "storage.below_percent";
    STORAGE_EARLY_WRITES = "storage.early_writes";
    STORAGE_RELEASE_EXCLUSIVE = "storage.release_exclusive";
    STORAGE_CONTIGUOUS_RATE = "storage.contiguous_rate";
    STORAGE_CONTIGUOUS_FRAMES = "storage.contiguous_frames";
    STORAGE_COALESCING = "storage.coalescing";
    MEASURE_WARMUP_S = "measure.warmup_s";
    MEASURE_INTERVAL_S = "measure.interval_s";
    MEASURE_EVENTS_M = "measure.events_m";
}

/// The fields of the scenario as a whole.
pub(super) const SYSTEM: &[Field] = &[
    Field {
        path: paths::NAME,
        label: "Name",
        unit: "",
        help: || "What the scenario is called. A published run carries its run id.",
        effect: Effect::always,
        kind: Kind::Text { max_chars: 80, get: |s, _| &s.name, set: |s, _, v| s.name = v },
    },
    Field {
        path: paths::LEVEL,
        label: "z/VM level",
        unit: "",
        help: || "5.2 brought the fast path of Diag X'44' and does I/O to pages above 2 GB. 6.2 brought new STORBUF defaults and LIMITHARD by consumption; guests can use zHPF only with the service VM65041. 6.3 brought today's storage management. 6.4 writes larger blocks. It can use HyperPAV aliases and zHPF for paging, and EDEVs on flash without an SVC. On own each of these can be switched by itself: a machine that never was, to see what each does.",
        effect: Effect::always,
        kind: Kind::Choice {
            allowed: &["5.1", "5.2", "6.1", "6.2", "6.2 VM65041", "6.3", "6.4", "own"],
            get: |s, _| s.level.as_str(),
            set: |s, _, v| s.level = Level::of_word(v).unwrap_or_default(),
        },
    },
    switch!(
        paths::OWN_ELIGIBLE_LIST,
        "Eligible list",
        "On: STORBUF holds guests back in the eligible list, as z/VM 6.2 and earlier did. Off: each guest that has work is in the dispatch list, as since z/VM 6.3.",
        own.eligible_list,
        of_own
    ),
    switch!(
        paths::OWN_SCAN_BY_LISTS,
        "Demand scan by lists",
        "On: demand scan makes three passes, as before z/VM 6.3: over guests outside the dispatch list, over what guests hold beyond their working sets, over all guests and reserved pages, too; reorders tell it which pages are in use, and there is no age list. Off: it takes from all guests alike.",
        own.scan_by_lists,
        of_own
    ),
    switch!(
        paths::OWN_LARGE_BLOCKS,
        "Larger blocks of pages",
        "On: CP completes blocks and reads up to 64 pages at once, as z/VM 6.4 does, with its channel programs. Off: as z/VM 6.3 did.",
        own.large_blocks,
        of_own
    ),
    switch!(
        paths::OWN_IO_BELOW,
        "I/O and services below 2 GB only",
        "On: CP does guests’ I/O, and works for their services, only on pages below 2 GB and moves them there first, as z/VM 5.1 did; what it does for guests takes it less time. Off: pages stay where they are, as since z/VM 5.2.",
        own.io_below,
        of_own
    ),
];

/// What only level "own" lets choose.
fn of_own(scenario: &Scenario, _: usize) -> Effect {
    if scenario.level == Level::Own { Effect::Some } else { Effect::Absent }
}

/// The fields of central storage.
pub(super) const STORAGE: &[Field] = &[
    Field {
        path: paths::STORAGE_CENTRAL_MB,
        label: "Central storage",
        unit: "MB",
        help: || "Real storage of the partition. CP keeps a small part for itself.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 256,
            max: 4_194_304,
            slider_max: 196_608,
            step: 1_024,
            get: |s, _| s.storage.central_mb,
            set: |s, _, v| s.storage.central_mb = v,
        },
    },
    Field {
        path: paths::STORAGE_EXPANDED_MB,
        label: "Expanded storage",
        unit: "MB",
        help: || "Storage besides central storage, to which CP pages first: a page comes back without I/O, and its guest does not wait. When it is nearly full, pages migrate to page space. z/VM 6.2 and earlier; each member of a cluster has as much.",
        effect: of_expanded,
        kind: Kind::Whole {
            min: 0,
            max: 131_072,
            slider_max: 16_384,
            step: 256,
            get: |s, _| s.storage.expanded_mb,
            set: |s, _, v| s.storage.expanded_mb = v,
        },
    },
    whole!(
        paths::STORAGE_BELOW_PERCENT,
        "Frames taken below 2 GB without need",
        "%",
        "Of the frames that CP gives to guests’ pages, the part that it takes from below 2 GB although some above would do. Where frames below are lacking, it searches for them among those above. From z/VM 6.2 on a large host has none of this. How much it was is not published. 0: none.",
        0..=100,
        100,
        5,
        storage.below_percent,
        of_below
    ),
    Field {
        path: paths::STORAGE_EARLY_WRITES,
        label: "Early writes",
        unit: "",
        help: || "On: CP writes changed pages near the bottom of the age list ahead of time, so it can reclaim their frames at once. Off: CP writes a page only when it wants the frame.",
        effect: of_early_writes,
        kind: Kind::Switch { get: |s, _| s.storage.early_writes, set: |s, _, v| s.storage.early_writes = v },
    },
    switch!(
        paths::STORAGE_RELEASE_EXCLUSIVE,
        "Pages released under an exclusive lock",
        "On: while CP takes back pages that a guest releases, it holds the lock of the guest’s page tables (PTIL) exclusively. The guest’s other virtual CPUs wait if they touch a new page or fault: z/VM 5.2 to 6.1 without VM64715. Off: the lock is shared.",
        storage.release_exclusive,
        of_release_exclusive
    ),
    whole!(
        paths::STORAGE_CONTIGUOUS_RATE,
        "Requests for contiguous frames",
        "a second",
        "How often CP asks for frames that stand side by side, as for control blocks and buffers of more than a page. It keeps them for a second on average, and a request that finds none costs the host nothing more. Each member of a cluster asks as often. 0: never.",
        0..=10_000,
        200,
        10,
        storage.contiguous_rate
    ),
    whole!(
        paths::STORAGE_CONTIGUOUS_FRAMES,
        "Frames of a request",
        "frames",
        "How many contiguous frames such a request wants, from a multiple of that number on.",
        2..=16,
        16,
        1,
        storage.contiguous_frames,
        of_contiguous
    ),
    switch!(
        paths::STORAGE_COALESCING,
        "Free frames coalesced at once (VM64795)",
        "On: a frame that becomes free beside free ones joins them at once on a list of contiguous frames, from which pages take only when there are no others. Off: CP looks for contiguous frames only when a request comes. How either works is assumed. z/VM 6.2 has the service.",
        storage.coalescing,
        |s, g| of_service(s, Mechanism::Coalescing).and(|| of_contiguous(s, g))
    ),
];

fn of_below(scenario: &Scenario, _: usize) -> Effect {
    let constants = Constants::default();
    if scenario.installed_frames() <= constants.frames_below {
        return Effect::none("All frames of this host are below 2 GB.");
    }
    let keeps_off = scenario.level >= Level::V6_2 && scenario.keeps_off_below(&constants);
    Effect::none_if(
        keeps_off,
        "From z/VM 6.2 on CP takes no frames below 2 GB without need where there are many above; an earlier level does.",
    )
}

fn of_early_writes(scenario: &Scenario, _: usize) -> Effect {
    let no_age_list = scenario.has(Mechanism::ScanByLists);
    Effect::none_if(no_age_list, "Before z/VM 6.3 there is no age list: CP writes at once what demand scan takes.")
}

fn of_release_exclusive(scenario: &Scenario, _: usize) -> Effect {
    let level = scenario.level;
    let lacks = level.lacks(Mechanism::ReleaseExclusive);
    match lacks {
        true => Effect::none(format!(
            "In the model {} releases pages under a shared lock; z/VM 5.2 and 6.1 can have the exclusive one.",
            level.name()
        )),
        false => {
            let none = scenario.guests.iter().all(|group| group.releases() == 0);
            Effect::none_if(none, "No guest of this host releases pages.")
        }
    }
}

fn of_contiguous(scenario: &Scenario, _: usize) -> Effect {
    Effect::none_if(scenario.storage.contiguous_rate == 0, "CP of this host asks for no contiguous frames.")
}

fn of_expanded(scenario: &Scenario, _: usize) -> Effect {
    match scenario.level {
        level if level.lacks(Mechanism::ExpandedStorage) => {
            Effect::none(format!("{} pages to no expanded storage; z/VM 6.2 does.", level.name()))
        }
        _ => Effect::Some,
    }
}

/// The fields of the measurement.
pub(super) const MEASURE: &[Field] = &[
    Field {
        path: paths::MEASURE_WARMUP_S,
        label: "Warm-up",
        unit: "s",
        help: || "Simulated seconds between the fill and the start of the interval. Where the host is not steady by then, the warm-up is made longer, and the result says so.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 3_600,
            slider_max: 120,
            step: 1,
            get: |s, _| s.measure.warmup_s.into(),
            set: |s, _, v| s.measure.warmup_s = v as u32,
        },
    },
    Field {
        path: paths::MEASURE_INTERVAL_S,
        label: "Interval",
        unit: "s",
        help: || "Simulated seconds that the reported figures cover.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: 3_600,
            slider_max: 300,
            step: 1,
            get: |s, _| s.measure.interval_s.into(),
            set: |s, _, v| s.measure.interval_s = v as u32,
        },
    },
    Field {
        path: paths::MEASURE_EVENTS_M,
        label: "Budget of events",
        unit: "million events",
        help: || "Most events of the fill, and again of warm-up and interval. Four pages touched at random count as an event. A run that needs more is cut short and says so. A hundred million take about a minute in a page.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000,
            slider_max: 1_000,
            step: 10,
            get: |s, _| s.measure.events_m.into(),
            set: |s, _, v| s.measure.events_m = v as u32,
        },
    },
];
