//! The subject of overcommitted storage: guests with hot and cold pages, and a host with less and less storage.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::Limits;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Pattern, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::{short, storage_mb};

/// How much storage can be promised twice.
pub static OVERCOMMIT: &Subject = &Subject {
    title: "Overcommit",
    question: "How much storage can be promised twice, and where does it collapse?",
    depth: Depth::Basics,
    part: Part::Storage,
    sources: &[],
    setups: &[
        Setup::new("OVERCOMMIT", "hot and cold pages").back("All that the guests touch fits."),
        Setup::new("OVERCOMMIT-GUESTS", "more and more guests").back("What the guests touch just fits."),
    ],
    limit: None,
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::STORAGE, id::GUESTS, id::PAGING],
    is_main,
    swept: |_| path::STORAGE_CENTRAL_MB,
    introduction,
    chain: CHAIN,
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    ETR,
    lead(Figure::ResponseTime, "ms response time", "ms response"),
    lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
    lead(Figure::StorageWait, "% of the guests’ time waiting for storage", "% storage wait"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::PagesPerSecond, false),
    (Figure::TouchedToResident, false),
    (Figure::VirtualToReal, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::PagingResponse, false),
    (Figure::VolumeBusy, false),
    (Figure::PathBusy, false),
    (Figure::Utilization, false),
];

/// Half of the storage, a quarter, and then too little; on the other host guests are added.
const CHAIN: Chain = Chain { steps: &[MORE, TOO_MANY, HALF, QUARTER, TOO_LITTLE], made };

/// The ready experiment in which guests are added.
const GUESTS: &str = "OVERCOMMIT-GUESTS";

const MORE: Step = Step {
    label: |_| "Add half as many guests again".into(),
    reason: "Each guest uses few of its pages most of the time. CP can take the others away for the new guests.",
    is_due: |seen| seen.begun == GUESTS && grows(seen.scenario, 2.0),
    take: |scenario| scenario.guests.iter_mut().for_each(|group| group.count = group.count * 3 / 2),
    shows: (Figure::Etr, Way::Up),
};

const TOO_MANY: Step = Step {
    label: |_| "Add a third more".into(),
    reason: "The hot pages of all guests then fill nearly all frames. A guest that waits for one page loses others meanwhile.",
    is_due: |seen| seen.begun == GUESTS && !grows(seen.scenario, 2.0) && grows(seen.scenario, 1.2),
    take: |scenario| scenario.guests.iter_mut().for_each(|group| group.count = group.count * 4 / 3),
    shows: (Figure::Etr, Way::Down),
};

/// Whether storage has this many times the hot pages of all guests.
fn grows(scenario: &Scenario, times: f64) -> bool {
    has_hot_pages(scenario) && scenario.storage.central_mb as f64 >= times * hot_mb(scenario) as f64
}

const HALF: Step = Step {
    label: |_| "Take half of the storage away".into(),
    reason: "The guests have touched more than is left. Most touches go to few pages.",
    is_due: |seen| seen.begun != GUESTS && has_hot_pages(seen.scenario) && !pages(seen.scenario),
    take: |scenario| scenario.storage.central_mb /= 2,
    shows: (Figure::PagesPerSecond, Way::Up),
};

const QUARTER: Step = Step {
    label: |_| "Take half away once more".into(),
    reason: "The hot pages of all guests still fit, but hardly a cold one does.",
    is_due: |seen| may_lose(seen, 2.0) && hot_mb(seen.scenario) < seen.scenario.storage.central_mb / 2,
    take: |scenario| scenario.storage.central_mb /= 2,
    shows: (Figure::ResponseTime, Way::Up),
};

const TOO_LITTLE: Step = Step {
    label: |_| "Take a quarter more".into(),
    reason: "Now hot pages are taken too. Each wait for a page lets other pages grow old.",
    is_due: |seen| may_lose(seen, 1.5) && hot_mb(seen.scenario) >= seen.scenario.storage.central_mb / 2,
    take: |scenario| scenario.storage.central_mb = scenario.storage.central_mb * 3 / 4,
    shows: (Figure::Etr, Way::Down),
};

/// Whether storage is worth taking away: guests page, and the host has this many times the hot pages of all of them.
fn may_lose(seen: &Seen, times: f64) -> bool {
    let central = seen.scenario.storage.central_mb as f64;
    seen.begun != GUESTS
        && has_hot_pages(seen.scenario)
        && pages(seen.scenario)
        && central >= times * hot_mb(seen.scenario) as f64
}

/// Whether all guests touch some of their pages more often than others.
fn has_hot_pages(scenario: &Scenario) -> bool {
    scenario.guests.iter().all(|group| {
        group.pattern == Pattern::Random && (1..group.loop_mb).contains(&group.active_mb) && group.active_percent > 50
    })
}

/// The hot pages of all guests.
fn hot_mb(scenario: &Scenario) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * group.active_mb).sum()
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario {
        _ if !pages(scenario) => "All that the guests touch fits in storage, so nothing is paged.",
        _ if !has_hot_pages(scenario) => {
            "Not all of these guests have hot pages, so less storage costs from the first megabyte, or nothing until all fits."
        }
        _ => "Cold pages cost little to page. Where hot pages do not fit, every guest waits, and throughput falls by more than storage did.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::STORAGE_CENTRAL_MB,
        path::GUESTS_COUNT,
        path::GUESTS_ACTIVE_MB,
        path::GUESTS_ACTIVE_PERCENT,
        path::GUESTS_LOOP_MB,
    ];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, OVERCOMMIT, false)
}

/// The scenario in a sentence without an end. It names which overcommit is meant: touched or defined storage to real storage.
fn introduction(scenario: &Scenario) -> String {
    let defined: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
    let to_real = |mb: u64| short(mb as f64 / scenario.storage.central_mb as f64);
    let hot = match scenario.guests.as_slice() {
        [group] if has_hot_pages(scenario) => {
            format!("; {}\u{a0}% of the touches go to {} of it", group.active_percent, storage_mb(hot_mb(scenario)))
        }
        _ => String::new(),
    };
    let ratios =
        format!("touched to real storage is {} : 1, defined to real {} : 1", to_real(looped_mb(scenario)), to_real(defined));
    format!("{}{hot}; {ratios}", of_storage::introduction(scenario))
}
