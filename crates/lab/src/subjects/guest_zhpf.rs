//! The subject of guest zHPF: transport mode for the I/O of guests.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::{GuestGroup, Scenario};

use super::next_step::{Chain, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::knob::Knob;
use crate::room::Room;

/// Transport mode for guests.
pub static GUEST_ZHPF: &Subject = &Subject {
    title: "Guest zHPF",
    question: "What transport mode does for the I/O of a guest, and to its minidisk cache",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["guest-zhpf-6.2"],
    setups: &[Setup::new("JB001238", "command mode").back("Command mode, 1 record with each I/O.")],
    limit: None,
    room: Room::Minidisks,
    sign: Some(Sign { order: 20, is_seen: Scenario::does_io }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    chain: CHAIN,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[RECORDS, ZHPF], made };

const RECORDS: Step = Step {
    label: |_| format!("Move {MANY} records with each I/O").into(),
    reason: "A channel program in command mode has an exchange with the disk for each record.",
    is_due: |seen| first_with_io(seen.scenario).is_some_and(|group| group.io_records < MANY && !group.io_zhpf),
    take: |scenario| each_with_io(scenario, |group| group.io_records = MANY),
    shows: (Figure::MdiskCpTime, Way::Up),
};

const ZHPF: Step = Step {
    label: |_| "Turn zHPF on for the guest".into(),
    reason: of_storage::ONE_EXCHANGE,
    is_due: |seen| first_with_io(seen.scenario).is_some_and(|group| !group.io_zhpf),
    take: |scenario| each_with_io(scenario, |group| group.io_zhpf = true),
    shows: (Figure::MdiskCpTime, Way::Down),
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if first_with_io(scenario).is_none() => "No guest does I/O.",
        Some(ResourceKind::MinidiskVolumes) => {
            "The volumes limit now. With zHPF an I/O of many records costs CP as much as one of a single record."
        }
        _ => "With zHPF an I/O of many records costs CP as much as one of a single record.",
    }
    .into()
}

fn first_with_io(scenario: &Scenario) -> Option<&GuestGroup> {
    scenario.guests.iter().find(|group| group.io_records > 0)
}

/// Records of an I/O: the most that the exerciser does, and that are published.
const MANY: u32 = 64;

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, GUEST_ZHPF, false)
}

fn each_with_io(scenario: &mut Scenario, change: fn(&mut GuestGroup)) {
    scenario.guests.iter_mut().filter(|group| group.io_records > 0).for_each(change);
}
