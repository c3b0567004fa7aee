//! The subject of SET CU: aliases shared by minidisk and paging I/O.

use zvmlab::scenario::{AliasShare, Level, Scenario};

use super::next_step::NextStep;
use super::{Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::{alias_users, pages};
use crate::knob::Knob;
use crate::room::Room;

/// Aliases shared by minidisk and paging I/O.
pub const SET_CU: &Subject = &Subject {
    title: "SET CU",
    question: "How minidisk and paging I/O share the aliases of a control unit",
    part: Part::Storage,
    sources: &["alias-share-6.4"],
    setups: &[Setup::new("QRBKW055", "equal shares").back("Equal shares, 8:8.")],
    room: Room::ControlUnit,
    sign: Some(Sign { order: 10, is_seen: |scenario| scenario.does_io() && pages(scenario) }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    next_step,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

/// The shares at the two ends of the published table.
const MOST_TO_PAGING: AliasShare = AliasShare { mdisk: 1, paging: 15 };
const MOST_TO_MDISK: AliasShare = AliasShare { mdisk: 15, paging: 1 };

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, SET_CU, false)
}

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    match (alias_users(scenario), scenario.lcu.alias_share) {
        _ if scenario.level < Level::V6_4 => Some(of_storage::new_level()),
        ((false, false), _) => None,
        _ if scenario.lcu.aliases == 0 => Some(of_storage::aliases()),
        // If one of the two uses no aliases, their share means nothing.
        ((true, true), MOST_TO_PAGING) => {
            Some(NextStep::new("Set the share to 15:1", "Minidisk I/O may use nearly all.", |scenario| {
                scenario.lcu.alias_share = MOST_TO_MDISK;
            }))
        }
        ((true, true), MOST_TO_MDISK) => None,
        ((true, true), _) => Some(NextStep::new(
            "Set the share to 1:15",
            "Paging may use nearly all. Minidisk I/O takes what paging does not want.",
            |scenario| scenario.lcu.alias_share = MOST_TO_PAGING,
        )),
        _ => None,
    }
}
