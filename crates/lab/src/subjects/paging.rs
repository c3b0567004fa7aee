//! The subject of paging: what larger blocks, zHPF and aliases do for it.

use zvmlab::scenario::{Level, Scenario};

use super::next_step::NextStep;
use super::{Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::{alias_users, pages};
use crate::knob::Knob;
use crate::room::Room;

/// How page volumes serve guests that touch more than fits in storage.
pub const PAGING: &Subject = &Subject {
    title: "Paging",
    question: "What larger blocks, zHPF and aliases do for paging",
    part: Part::Storage,
    sources: &["paging-6.4"],
    setups: &[Setup::new("V4DVY000", "four volumes").back("z/VM 6.4, four volumes, neither zHPF nor aliases.")],
    room: Room::Overview,
    // Every host that has no other subject's sign.
    sign: Some(Sign { order: 100, is_seen: |_| true }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    next_step,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, PAGING, false)
}

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    match scenario {
        // If nothing is paged, no paging driver makes a difference.
        _ if !pages(scenario) => None,
        _ if scenario.level < Level::V6_4 => Some(of_storage::new_level()),
        // EDEVs use FCP. Neither zHPF nor aliases are for them.
        _ if !scenario.paging.has_eckd() => None,
        _ if !scenario.paging.zhpf => {
            Some(NextStep::new("Turn zHPF on", of_storage::ONE_EXCHANGE, |scenario| scenario.paging.zhpf = true))
        }
        _ if scenario.lcu.aliases == 0 && alias_users(scenario).1 => Some(of_storage::aliases()),
        _ => None,
    }
}
