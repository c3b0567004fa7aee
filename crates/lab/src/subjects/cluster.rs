//! The subject of the cluster: members that come and go.

use zvmlab::Figure;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path;

use super::lead::Table;
use super::next_step::NextStep;
use super::of_relocation::{ONE, introduction};
use super::{Part, Particulars, Setup, Sign, Subject, of_relocation};
use crate::host::moving;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Members that come and go.
pub const CLUSTER: &Subject = &Subject {
    title: "The cluster",
    question: "Do members that leave and join disturb work on the member that stays?",
    part: Part::Relocation,
    sources: &[],
    setups: &[Setup::new("CLUSTER", "four members")],
    room: Room::Cluster,
    sign: Some(Sign { order: 10, is_seen: |scenario| moving(scenario) == 0 }),
    groups: &[id::CLUSTER, id::MEMBER2, id::MEMBER3, id::MEMBER4, id::GUESTS, id::PROCESSORS, id::STORAGE],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    next_step,
    leads: |scenario| of_relocation::leads(scenario, ONE),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const TABLE: Table = &[
    (Figure::ClusterEtr, false),
    (Figure::Etr, true),
    (Figure::OtherMembersEtr, true),
    (Figure::ResponseTime, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::PageWait, false),
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

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    [&scenario.member2, &scenario.member3, &scenario.member4].iter().any(|member| member.transitions).then(|| {
        NextStep::new("Let all members stay joined", "The same work, but no member leaves or joins.", |scenario| {
            for member in [&mut scenario.member2, &mut scenario.member3, &mut scenario.member4] {
                member.transitions = false;
            }
        })
    })
}
