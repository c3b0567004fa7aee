//! The subject of PR/SM: partitions that share processors.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::adviser::{entitled, fewer_logical};
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path::{self, room};
use zvmlab::scenario::{Scenario, Tenths};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::{logical, on, who};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;
use crate::words::number::trimmed;

/// Partitions that share processors.
pub static PRSM: &Subject = &Subject {
    title: "PR/SM",
    question: "What is the partition entitled to, and what do extra logical processors cost?",
    depth: Depth::Basics,
    part: Part::Processors,
    sources: &["partitions-6.2"],
    setups: &[Setup::new("PRSM", "four partitions"), Setup::new("CAPPED", "a cap")],
    limit: Some(ResourceKind::PhysicalProcessors),
    room: Room::Prsm,
    sign: Some(Sign { order: 50, is_seen: |scenario| scenario.processors.shared }),
    groups: &[id::PROCESSORS, id::PRSM, id::GUESTS],
    is_main,
    swept: |_| path::PROCESSORS_COUNT,
    introduction,
    chain: CHAIN,
    leads,
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[UNCAPPED, MORE, FEWER, WEIGHT], made };

/// From this part of their time on, physical processors have nothing left to give. Chosen, as what limits has it.
const FULL: f64 = 0.9;

/// No cap, where it limits.
const UNCAPPED: Step = Step {
    label: |_| "Lift the cap".into(),
    reason: "A cap holds the partition back even while physical processors idle. Weight alone shares them out where all want them.",
    is_due: |seen| seen.may_limit(&[ResourceKind::Cap]) && seen.scenario.prsm.cap_thousandths().is_some(),
    take: |scenario| (scenario.prsm.capped, scenario.prsm.absolute_cap) = (false, Tenths::ZERO),
    shows: (Figure::Etr, Way::Up),
};

/// More logical processors, where those of the partition are busy and physical ones idle.
const MORE: Step = Step {
    label: |scenario| format!("Use {} logical processors", more_logical(scenario)).into(),
    reason: "Physical processors idle. More logical ones let the partition use what others leave.",
    is_due: |seen| {
        let idle = seen.busy(ResourceKind::PhysicalProcessors).is_some_and(|busy| busy < FULL);
        idle && seen.may_limit(&[ResourceKind::Processors]) && more_logical(seen.scenario) > seen.scenario.processors.count
    },
    take: |scenario| scenario.processors.count = more_logical(scenario),
    shows: (Figure::Etr, Way::Up),
};

/// Twice as many logical processors, and no more than physical ones.
fn more_logical(scenario: &Scenario) -> u32 {
    (scenario.processors.count * 2).min(scenario.prsm.physical)
}

/// As many logical processors as the adviser recommends.
const FEWER: Step = Step {
    label: |scenario| match fewer_logical(scenario) {
        1 => "Use 1 logical processor".into(),
        count => format!("Use {count} logical processors").into(),
    },
    reason: "As many as the partition is entitled to, and one more for time that others leave.",
    is_due: |seen| {
        let fewer = fewer_logical(seen.scenario);
        // Not where others leave so much that the partition uses more than that.
        let enough = used(seen).is_none_or(|used| used <= f64::from(fewer));
        let entitled = entitled(seen.scenario).is_some_and(|entitled| f64::from(fewer) > entitled);
        enough && entitled && fewer < seen.scenario.processors.count
    },
    take: |scenario| scenario.processors.count = fewer_logical(scenario),
    shows: (Figure::PrsmOverhead, Way::Down),
};

/// How many processors the partition uses; none as long as there is no result.
fn used(seen: &Seen) -> Option<f64> {
    Some(seen.busy(ResourceKind::Processors)? * f64::from(seen.scenario.processors.count))
}

/// More weight, as long as the partition has no more of it than each other one.
const WEIGHT: Step = Step {
    label: |_| "Double the weight".into(),
    reason: "PR/SM shares the physical processors out by weight. More of them belong to the partition then.",
    is_due: |seen| {
        use ResourceKind::{PhysicalProcessors, Processors};
        let prsm = &seen.scenario.prsm;
        // With more than its entitlement and a processor, the partition lives on what others leave.
        let Some(own) = entitled(seen.scenario).map(|entitled| entitled + 1.0) else { return false };
        let wants = prsm.partitions > 0 && prsm.weight <= prsm.other_weight;
        wants && seen.may_limit(&[PhysicalProcessors, Processors]) && used(seen).is_none_or(|used| used <= own)
    },
    take: |scenario| scenario.prsm.weight *= 2,
    shows: (Figure::Etr, Way::Up),
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    let idle = limits.get(ResourceKind::PhysicalProcessors).is_some_and(|all| all.busy < FULL);
    match limits.limit {
        _ if entitled(scenario).is_none() => "The partition has its processors to itself: PR/SM takes nothing.",
        Some(ResourceKind::PhysicalProcessors) if idle => {
            "The physical processors limit, though they idle at times: who wakes waits for the end of another’s slice."
        }
        Some(ResourceKind::PhysicalProcessors) => {
            "The physical processors limit. More logical ones would only wait for them: weight decides."
        }
        Some(ResourceKind::Cap) => "The cap limits, even while physical processors idle.",
        Some(ResourceKind::Processors) if idle => {
            "The logical processors limit: there are as many as physical ones, and those idle at times."
        }
        Some(ResourceKind::Processors) => "The logical processors limit, and weight decides how often they run.",
        _ => "The processors no longer limit.",
    }
    .into()
}

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::TotalBusy, false),
    (Figure::GuestBusy, true),
    (Figure::ChargeableCpBusy, true),
    (Figure::NonchargeableCpBusy, true),
    (Figure::PrsmOverhead, false),
    (Figure::PrsmOverheadAll, false),
    (Figure::Suspended, false),
    (Figure::Capped, true),
    (Figure::ReadyWait, false),
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_processors::is_main(knob, scenario, |path, _, _| {
        room::holds(room::PRSM, path)
            || [path::PROCESSORS_SHARED, path::PROCESSORS_CAPACITY_PERCENT, path::GUESTS_THINK_MS].contains(&path)
    })
}

fn introduction(scenario: &Scenario) -> String {
    let (prsm, guests) = (&scenario.prsm, who(&scenario.guests));
    let Some(entitled) = entitled(scenario) else { return format!("{guests} run on {}", on(scenario)) };
    let others = match prsm.partitions {
        0 => "there is no other partition".into(),
        1 => format!("one other partition wants its processors {} % of the time", prsm.other_busy_percent),
        count => format!("{count} other partitions want their processors {} % of the time", prsm.other_busy_percent),
    };
    let capped = match prsm.cap_thousandths() {
        Some(cap) => format!(" and capped at {}", trimmed(cap as f64 / 1e3)),
        None => String::new(),
    };
    format!(
        "{guests} run on {} of a partition that is entitled to {}{capped} of {} physical ones; {others}",
        logical(scenario),
        trimmed(entitled),
        prsm.physical
    )
}

/// What the partition uses and is entitled to, and what PR/SM takes.
fn leads(scenario: &Scenario) -> Vec<Lead> {
    let used = match entitled(scenario) {
        Some(entitled) => format!("% of a processor used (entitled to {} %)", trimmed(entitled * 100.0)).into(),
        None => "% of a processor used".into(),
    };
    let used = Lead { figure: Figure::TotalBusy, words: used, short: "% used".into() };
    if !scenario.processors.shared {
        return vec![ETR, used];
    }
    vec![
        ETR,
        used,
        lead(Figure::PrsmOverhead, "% of a processor for PR/SM (%Ovhd)", "% PR/SM"),
        lead(Figure::Suspended, "logical processors that wait for a physical one", "waiting"),
    ]
}
