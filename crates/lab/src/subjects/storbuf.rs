//! The subject of STORBUF: the eligible list and its barriers.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::adviser::{RULES, STORBUF_FOR_LINUX, advise};
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::workloads::{LINUX, Workload};
use zvmlab::scenario::{GuestGroup, Mechanism, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::who;
use super::{Depth, Part, Particulars, Remark, Rule, Setup, Sign, Subject, of_processors};
use crate::host::{looped_mb, pages};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::knob::storbuf::{KNOWN, LOW, Numbers, PATHS, command, numbers};
use crate::room::Room;
use crate::words::number::storage_mb;

/// The eligible list and its barriers.
pub static STORBUF: &Subject = &Subject {
    title: "STORBUF",
    question: "Which guests wait in the eligible list, and is it better to wait there or to page?",
    depth: Depth::Basics,
    part: Part::Processors,
    sources: &["barriers-6.2"],
    setups: &[
        HOT_PAGES_FIT,
        Setup::new("CMS-USERS", "CMS users beside Linux")
            .back("SET SRM STORBUF 300 250 200.")
            .showing("The 6.2 deck: for CMS-intensive workloads the old defaults might be more appropriate."),
        Setup::new("STORBUF", "Constrained host")
            .back("SET SRM STORBUF 300 250 200.")
            .showing("32 guests touch twice what storage holds: fewer at once do more."),
        Setup::new("CLASSES", "CMS, batch and Linux").back("SET SRM STORBUF 125 105 95."),
    ],
    limit: Some(ResourceKind::Storbuf),
    room: Room::Scheduler,
    sign: Some(Sign { order: 70, is_seen: |scenario| scenario.has(Mechanism::EligibleList) && pages(scenario) }),
    groups: &[id::STORBUF, id::SYSTEM, id::STORAGE, id::GUESTS, id::PAGING, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars { remark: Some(Remark::WhoWaits), rule, ..Particulars::NONE },
};

/// The host that shows the rule for Linux.
const HOT_PAGES_FIT: Setup = Setup::new("STORBUF-FITS", "Hot pages fit")
    .back("SET SRM STORBUF 125 105 95.")
    .showing("The 6.2 deck’s rule for Linux: 300 250 200 let guests run that wait at 125 105 95.");

/// The rule for Linux, as the adviser has it, on hosts where the hot pages of all guests fit. Others show something else, and lead there.
fn rule(scenario: &Scenario) -> Option<Rule> {
    if !scenario.has(Mechanism::EligibleList) {
        return None;
    }
    if !hot_pages_fit(scenario) {
        let said = "The 6.2 deck’s rule for Linux, at least 300 250 200, is shown by another host:".into();
        return Some(Rule { said, shown_by: Some(&HOT_PAGES_FIT) });
    }
    let title = RULES.iter().find(|rule| rule.id == STORBUF_FOR_LINUX)?.title;
    let broken = advise(scenario, None).into_iter().find(|advice| advice.rule.id == STORBUF_FOR_LINUX);
    let here = broken.map_or("This host keeps it".into(), |advice| format!("Here {}", advice.found));
    let said =
        format!("The 6.2 deck’s rule for Linux: {title}, as 125 105 95 were “not appropriate for Linux workloads”. {here}.");
    Some(Rule { said, shown_by: None })
}

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
    seen.scenario.has(Mechanism::EligibleList) && numbers(seen.scenario) != LOW && first != Some(to)
}

fn set(scenario: &mut Scenario, numbers: Numbers) {
    let scheduler = &mut scenario.scheduler;
    [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = numbers.map(|number| number as u32);
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if !scenario.has(Mechanism::EligibleList) => {
            "This level keeps no guest in the eligible list, whatever STORBUF says."
        }
        Some(ResourceKind::Storbuf) => "STORBUF limits now: guests wait for a barrier, not for storage.",
        _ => "STORBUF does not limit here, so its numbers change little.",
    }
    .into()
}

/// So many of a hundred touches go to pages that are hot. Chosen.
const HOT_PERCENT: u32 = 95;

/// Whether all guests run Linux, and the pages that they touch most of the time fit in central storage together.
fn hot_pages_fit(scenario: &Scenario) -> bool {
    let hot_mb = |group: &GuestGroup| match group.active_mb {
        1.. if group.active_percent >= HOT_PERCENT => group.active_mb.min(group.loop_mb),
        _ => group.loop_mb,
    };
    let all_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * hot_mb(group)).sum();
    all_mb <= scenario.storage.central_mb
        && scenario.guests.iter().all(|group| Workload::of(group).is_some_and(|workload| workload.name == LINUX.name))
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
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
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
    match scenario.has(Mechanism::EligibleList) {
        true => format!(
            "{host}; the working sets in Q1, Q2 and Q3 may claim {first} % of pageable storage, and guests that do not fit wait in the eligible list"
        ),
        false => format!("{host}; this level keeps no guest in the eligible list, whatever STORBUF says"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn the_rule_for_linux_is_told_where_it_shows_and_other_hosts_lead_there() {
        let of = |id: &str, numbers: Numbers| {
            let mut scenario = scenario_of(id).expect("an example");
            set(&mut scenario, numbers);
            rule(&scenario).expect("its level keeps an eligible list")
        };
        let broken = of("STORBUF-FITS", KNOWN[0]);
        assert!(broken.said.ends_with(" Here STORBUF is 125 105 95, and 24 of 24 guests run Linux."), "{}", broken.said);
        let kept = of("STORBUF-FITS", KNOWN[1]);
        assert!(kept.said.ends_with("This host keeps it.") && kept.shown_by.is_none(), "{}", kept.said);
        for id in ["STORBUF", "CLASSES"] {
            assert_eq!(of(id, KNOWN[1]).shown_by.map(|setup| setup.id), Some("STORBUF-FITS"));
        }
        let mut recent = scenario_of("STORBUF-FITS").expect("an example");
        recent.level = zvmlab::scenario::Level::V6_3;
        assert_eq!(rule(&recent), None);
    }
}
