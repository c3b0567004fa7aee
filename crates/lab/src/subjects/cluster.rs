//! The subject of the cluster: members that come and go.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path;

use super::lead::Table;
use super::next_step::{Chain, Step, Way};
use super::of_relocation::{ONE, introduction, what_limits};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moving;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Members that come and go.
pub static CLUSTER: &Subject = &Subject {
    title: "The cluster",
    question: "Do members that leave and join disturb work on the member that stays?",
    depth: Depth::Further,
    part: Part::Relocation,
    sources: &["transitions-6.2"],
    setups: &[Setup::new("CLUSTER", "four members")],
    limit: Some(ResourceKind::Processors),
    room: Room::Cluster,
    sign: Some(Sign { order: 10, is_seen: |scenario| moving(scenario) == 0 }),
    groups: &[id::CLUSTER, id::MEMBER2, id::MEMBER3, id::MEMBER4, id::GUESTS, id::PROCESSORS, id::STORAGE],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[PROCESSORS], made };

/// More processors for the member that stays. That members leave and join changes nothing there, so there is no step for it.
const PROCESSORS: Step = Step {
    label: |scenario| format!("Give MEMBER1 {} processors", scenario.processors.count * 2).into(),
    reason: "Its guests wait for its own processors, whoever leaves and joins.",
    is_due: |seen| moving(seen.scenario) == 0 && seen.may_limit(&[ResourceKind::Processors]),
    take: |scenario| scenario.processors.count *= 2,
    shows: (Figure::ResponseTime, Way::Down),
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if moving(scenario) > 0 => what_limits(limits),
        None => "Nothing is near its limit at any member, whoever leaves and joins.",
        Some(_) => "A resource of the members themselves limits, not that others leave and join.",
    }
    .into()
}

const TABLE: Table = &[
    (Figure::ClusterEtr, false),
    (Figure::Etr, true),
    (Figure::OtherMembersEtr, true),
    (Figure::ResponseTime, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::IdleTime, false),
];

const KNOBS: &[&str] = &[
    path::GUESTS_COUNT,
    path::CLUSTER_MEMBERS,
    path::PROCESSORS_COUNT,
    path::STORAGE_CENTRAL_MB,
    "member.central_mb",
    "member.processors",
    "member.transitions",
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, KNOBS)
}
