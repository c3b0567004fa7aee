//! The subject of shares: how much of the processors each guest gets, and limits.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, LimitHard, LimitType, Scenario, ShareType, Tenths};
use zvmlab::scheduler::normalised_shares;

use super::lead::{GROUP_CPU, Lead, Table};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::{on, who};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::SHARE;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::trimmed;

/// Shares and limits.
pub static SHARES: &Subject = &Subject {
    title: "Shares",
    question: "How much processor time does each guest get, and where does the share go that a guest does not use?",
    depth: Depth::Basics,
    part: Part::Processors,
    sources: &["excess-share-6.2", "maximum-shares-6.2"],
    setups: &[
        Setup::new("Excess share, cured", "Excess share").back("The excess goes to all in proportion."),
        Setup::new("Excess share, fault", "… with the fault"),
        Setup::new("All four compute-bound", "No excess"),
        Setup::new("LIMIT-SUM", "LIMITHARD, shares over 100 %"),
        Setup::new("LIMIT-LOW-MIN", "LIMITHARD, low minimum"),
        Setup::new("LIMIT-NOT-BUSY", "LIMITHARD, host not busy"),
    ],
    limit: Some(ResourceKind::Processors),
    room: Room::Scheduler,
    sign: Some(Sign { order: 60, is_seen }),
    groups: &[id::SHARES, id::SCHEDULER, id::PROCESSORS, id::GUESTS],
    is_main,
    swept: |_| path::GUESTS_SHARE_RELATIVE,
    introduction,
    chain: CHAIN,
    leads,
    table: |_| TABLE,
    particulars: Particulars { most_changed_first: true, ..Particulars::NONE },
};

const CHAIN: Chain = Chain { steps: &[PAUSES, FAULT, CURE, HELD_TOO_SOON, NOT_HELD], made };

const PAUSES: Step = Step {
    label: |scenario| format!("Let {} pause", scenario.guests.last().map_or("a guest", |group| &group.name)).into(),
    reason: "It then leaves most of its share unused: an excess for the others.",
    is_due: |seen| !limited(seen.scenario) && !has_excess(seen.scenario) && seen.scenario.guests.len() > 1,
    take: |scenario| {
        // As the guest does of which a run with an excess was published.
        if let Some(group) = scenario.guests.last_mut() {
            (group.cpu_us, group.pace_ms) = (3_000, Tenths::whole(100));
        }
    },
    shows: (Figure::Group1Cpu, Way::Up),
};

const FAULT: Step = Step {
    label: |_| "Turn the fault on".into(),
    reason: "The share that a guest does not use goes to one other, not to all.",
    is_due: |seen| is_shared_out(seen) && !seen.scenario.scheduler.excess_fault && !began_with_fault(seen),
    take: |scenario| scenario.scheduler.excess_fault = true,
    shows: (Figure::Group1Cpu, Way::Down),
};

const CURE: Step = Step {
    label: |_| "Turn the fault off".into(),
    reason: "The share that a guest does not use goes to all others in proportion, not to one.",
    is_due: |seen| is_shared_out(seen) && seen.scenario.scheduler.excess_fault && began_with_fault(seen),
    take: |scenario| scenario.scheduler.excess_fault = false,
    shows: (Figure::Group1Cpu, Way::Up),
};

const HELD_TOO_SOON: Step = Step {
    label: |_| DEADLINE.into(),
    reason: "The old way to detect a limit: the guest waits for its deadline, used up or not.",
    is_due: |seen| by_consumption(seen.scenario) && !limited_pauses(seen.scenario),
    take: by_deadline,
    shows: (Figure::Group1Cpu, Way::Down),
};

const NOT_HELD: Step = Step {
    label: |_| DEADLINE.into(),
    reason: "The old way to detect a limit: it does not see one who often waits and so keeps ahead of its deadline.",
    is_due: |seen| by_consumption(seen.scenario) && limited_pauses(seen.scenario),
    take: by_deadline,
    shows: (Figure::Group1Cpu, Way::Up),
};

const DEADLINE: &str = "SET SRM LIMITHARD DEADLINE";

fn by_deadline(scenario: &mut Scenario) {
    scenario.scheduler.limithard = LimitHard::Deadline;
}

fn by_consumption(scenario: &Scenario) -> bool {
    limited(scenario) && scenario.scheduler.limithard == LimitHard::Consumption
}

fn limited(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.limit_type == LimitType::LimitHard)
}

/// Whether a guest with a limit pauses by itself.
fn limited_pauses(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.limit_type == LimitType::LimitHard && pauses(group))
}

fn pauses(group: &GuestGroup) -> bool {
    group.pace_ms.max(group.think_ms) > Tenths::ZERO
}

/// If all guests want all that they can get, there is no excess.
fn has_excess(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(pauses)
}

/// Whether others want the share that a guest does not use.
fn is_shared_out(seen: &Seen) -> bool {
    !limited(seen.scenario) && has_excess(seen.scenario) && seen.may_limit(&[ResourceKind::Processors])
}

fn began_with_fault(seen: &Seen) -> bool {
    seen.base().is_some_and(|base| base.scheduler.excess_fault)
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match (limits.limit, scenario.scheduler.excess_fault) {
        _ if limited(scenario) => {
            "LIMITHARD by consumption holds a guest at its maximum. LIMITHARD by deadline may miss it."
        }
        (Some(ResourceKind::Processors), true) => "The processors limit, and one guest gets all that others leave.",
        (Some(ResourceKind::Processors), false) => {
            "The processors limit, and guests that want more get it in proportion to their shares."
        }
        _ => "The processors do not limit, so shares matter little.",
    }
    .into()
}

const TABLE: Table = &[
    (Figure::Group1Cpu, false),
    (Figure::Group2Cpu, false),
    (Figure::Group3Cpu, false),
    (Figure::Group4Cpu, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::LimitWait, false),
    (Figure::IdleTime, false),
    (Figure::Etr, false),
];

/// A limit or an absolute share, or shares that differ.
fn is_seen(scenario: &Scenario) -> bool {
    let limited = |group: &GuestGroup| group.limit_type != LimitType::NoLimit || group.share_type == ShareType::Absolute;
    scenario.guests.iter().any(limited)
        || scenario.guests.windows(2).any(|pair| pair[0].share_relative != pair[1].share_relative)
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_processors::is_main(knob, scenario, |path, _, group| match path {
        path if SHARE.contains(&path) => true,
        path::SCHEDULER_LIMITHARD | path::SCHEDULER_EXCESS_FAULT | path::GUESTS_PACE_MS => true,
        path::GUESTS_CPU_US => group.pace_ms > Tenths::ZERO,
        _ => false,
    })
}

fn introduction(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), scenario.level.name());
    let limited = scenario.guests.iter().find(|group| group.limit_type == LimitType::LimitHard);
    match (limited, scenario.scheduler.excess_fault) {
        (Some(limited), _) => {
            let way = match scenario.scheduler.limithard {
                LimitHard::Deadline => "its deadline",
                LimitHard::Consumption => "its consumption",
            };
            format!(
                "{on}; {} may use at most {} % (LIMITHARD), and CP detects the limit by {way}",
                limited.name, limited.limit_absolute
            )
        }
        (None, true) => format!("{on}; the share that a guest does not use goes to one other guest: the fault"),
        (None, false) => format!("{on}; the share that a guest does not use goes to the others in proportion"),
    }
}

/// The CPU of each group, its entitlement and its maximum.
fn leads(scenario: &Scenario) -> Vec<Lead> {
    let normalised = normalised_shares(scenario);
    let one = |((index, group), figure): ((usize, &GuestGroup), Figure)| {
        let entitled = normalised.get(index).map_or(0.0, |percent| percent * f64::from(group.count));
        let most = match group.limit_type {
            LimitType::NoLimit => String::new(),
            limit => {
                let most = trimmed(group.limit_absolute.as_f64() * f64::from(group.count));
                let soft = if limit == LimitType::LimitSoft { ", more if no other guest wants it" } else { "" };
                format!(", at most {most} %{soft}")
            }
        };
        Lead {
            figure,
            words: format!("% of the partition: {} (share {} %{most})", group.name, trimmed(entitled)).into(),
            short: format!("% {}", group.name).into(),
        }
    };
    scenario.guests.iter().enumerate().zip(GROUP_CPU).map(one).collect()
}
