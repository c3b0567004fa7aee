//! The subject of STORBUF: the eligible list and its barriers.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::workloads::{LINUX, Workload};
use zvmlab::scenario::{GuestGroup, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::who;
use super::{Part, Particulars, Remark, Setup, Sign, Subject, of_processors};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::knob::storbuf::{KNOWN, LOW, Numbers, PATHS, command, numbers};
use crate::room::Room;
use crate::words::number::storage_mb;

/// The eligible list and its barriers.
pub const STORBUF: &Subject = &Subject {
    title: "STORBUF",
    question: "Which guests wait in the eligible list, and is it better to wait there or to page?",
    part: Part::Processors,
    sources: &[],
    setups: &[
        Setup::new("STORBUF", "Constrained host").back("SET SRM STORBUF 300 250 200."),
        Setup::new("STORBUF-FITS", "Guests nearly fit").back("SET SRM STORBUF 125 105 95."),
        Setup::new("CLASSES", "CMS, batch and Linux").back("SET SRM STORBUF 125 105 95."),
    ],
    room: Room::Scheduler,
    sign: Some(Sign { order: 70, is_seen: |scenario| scenario.level.keeps_eligible() && pages(scenario) }),
    groups: &[id::STORBUF, id::SYSTEM, id::STORAGE, id::GUESTS, id::PAGING, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars { remark: Some(Remark::WhoWaits), ..Particulars::NONE },
};

/// From the host's first setting through the others, one after the other.
const CHAIN: Chain = Chain { steps: &[MORE, LESS, LITTLE], made };

const MORE: Step = Step {
    label: |_| command(KNOWN[1]).into(),
    reason: "The defaults from z/VM 6.2 on: nearly all guests may run at once.",
    is_due: |seen| leads_to(seen, KNOWN[1]) && seen.may_limit(&[ResourceKind::Storbuf]),
    take: |scenario| set(scenario, KNOWN[1]),
    shows: (Figure::Etr, Way::Up),
};

const LESS: Step = Step {
    label: |_| command(KNOWN[0]).into(),
    reason: "The defaults before z/VM 6.2: fewer guests at once, each with more of its pages.",
    is_due: |seen| leads_to(seen, KNOWN[0]) && seen.may_limit(&[ResourceKind::PageVolumes, ResourceKind::Paths]),
    take: |scenario| set(scenario, KNOWN[0]),
    shows: (Figure::Etr, Way::Up),
};

const LITTLE: Step = Step {
    label: |_| command(LOW).into(),
    reason: "So low that ready guests wait while storage is free.",
    is_due: |seen| leads_to(seen, LOW),
    take: |scenario| set(scenario, LOW),
    shows: (Figure::Etr, Way::Down),
};

/// Whether there is a way from the host's numbers to these. The lowest are the end of it, and none leads back to the first.
fn leads_to(seen: &Seen, to: Numbers) -> bool {
    let first = seen.base().map(|base| numbers(&base));
    seen.scenario.level.keeps_eligible() && numbers(seen.scenario) != LOW && first != Some(to)
}

fn set(scenario: &mut Scenario, numbers: Numbers) {
    let scheduler = &mut scenario.scheduler;
    [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = numbers.map(|number| number as u32);
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if !scenario.level.keeps_eligible() => "This level keeps no guest in the eligible list, whatever STORBUF says.",
        Some(ResourceKind::Storbuf) if nearly_fit(scenario) => {
            "STORBUF limits: Linux guests, mostly in Q3, wait for its barrier. The 6.2 deck: 125 105 95 are “not appropriate for Linux workloads”, hence 300 250 200."
        }
        Some(ResourceKind::Storbuf) => "STORBUF limits now: guests wait for a barrier, not for storage.",
        _ => "STORBUF does not limit here, so its numbers change little.",
    }
    .into()
}

/// Guests whose loops are larger than central storage by less than this part of it nearly fit. Chosen.
const NEARLY: f64 = 0.25;

/// Whether all guests run Linux, and nearly fit in central storage together.
fn nearly_fit(scenario: &Scenario) -> bool {
    let fit = looped_mb(scenario) as f64 <= scenario.storage.central_mb as f64 * (1.0 + NEARLY);
    fit && scenario.guests.iter().all(|group| Workload::of(group).is_some_and(|workload| workload.name == LINUX.name))
}

const LEADS: &[Lead] = &[
    ETR,
    lead(Figure::EligibleGuests, "guests in the eligible list", "eligible"),
    lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
    lead(Figure::ResponseTime, "ms response time", "ms response"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::EligibleGuests, false),
    (Figure::EligibleStay, false),
    (Figure::DispatchGuests, false),
    (Figure::ClaimedStorage, false),
    (Figure::PagesPerSecond, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::PageWait, false),
    (Figure::EligibleWait, false),
    (Figure::IdleTime, false),
    (Figure::Utilization, false),
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = |path: &str, _: &Scenario, _: &GuestGroup| {
        PATHS.contains(&path)
            || [path::STORAGE_CENTRAL_MB, path::GUESTS_LOOP_MB, path::GUESTS_QUICKDSP, path::PAGING_VOLUMES].contains(&path)
    };
    of_processors::is_main(knob, scenario, own)
}

fn introduction(scenario: &Scenario) -> String {
    let host = format!(
        "{} touch {} in all on a {} host with {}",
        who(&scenario.guests),
        storage_mb(looped_mb(scenario)),
        scenario.level.name(),
        storage_mb(scenario.storage.central_mb)
    );
    let first = scenario.scheduler.storbuf_1;
    match scenario.level.keeps_eligible() {
        true => format!(
            "{host}; the working sets in Q1, Q2 and Q3 may claim {first} % of pageable storage, and guests that do not fit wait in the eligible list"
        ),
        false => format!("{host}; this level keeps no guest in the eligible list, whatever STORBUF says"),
    }
}
