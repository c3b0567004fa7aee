//! The subject of guest zHPF: transport mode for the I/O of guests.

use zvmlab::scenario::{GuestGroup, Scenario};

use super::next_step::NextStep;
use super::{Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::knob::Knob;
use crate::room::Room;

/// Transport mode for guests.
pub const GUEST_ZHPF: &Subject = &Subject {
    title: "Guest zHPF",
    question: "What transport mode does for the I/O of a guest, and to its minidisk cache",
    part: Part::Storage,
    sources: &["guest-zhpf-6.2"],
    setups: &[Setup::new("JB001238", "command mode").back("Command mode, 1 record with each I/O.")],
    room: Room::Minidisks,
    sign: Some(Sign { order: 20, is_seen: Scenario::does_io }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    next_step,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

/// Records of an I/O: the most that the exerciser does, and that are published.
const MANY: u32 = 64;

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, GUEST_ZHPF, false)
}

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    match scenario.guests.iter().find(|group| group.io_records > 0)? {
        group if !group.io_zhpf => {
            let turn_on = |scenario: &mut Scenario| each_with_io(scenario, |group| group.io_zhpf = true);
            Some(NextStep::new("Turn zHPF on for the guest", of_storage::ONE_EXCHANGE, turn_on))
        }
        group if group.io_records < MANY => {
            Some(NextStep::new("Move 64 records with each I/O", "Longer channel programs save more.", |scenario| {
                each_with_io(scenario, |group| group.io_records = MANY)
            }))
        }
        _ => None,
    }
}

fn each_with_io(scenario: &mut Scenario, change: fn(&mut GuestGroup)) {
    scenario.guests.iter_mut().filter(|group| group.io_records > 0).for_each(change);
}
