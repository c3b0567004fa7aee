//! The subject of SET CU: aliases shared by minidisk and paging I/O.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::{AliasShare, Scenario};

use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::{alias_users, pages};
use crate::knob::Knob;
use crate::room::Room;

/// Aliases shared by minidisk and paging I/O.
pub static SET_CU: &Subject = &Subject {
    title: "SET CU",
    question: "How minidisk and paging I/O share the aliases of a control unit",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["alias-share-6.4"],
    setups: &[Setup::new("QRBKW055", "equal shares").back("Equal shares, 8:8.")],
    limit: Some(ResourceKind::Paths),
    room: Room::ControlUnit,
    sign: Some(Sign { order: 10, is_seen: |scenario| scenario.does_io() && pages(scenario) }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    chain: CHAIN,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[of_storage::NEW_LEVEL, ALIASES, TO_PAGING, TO_MDISK], made };

/// Aliases to share, where there are none.
const ALIASES: Step =
    Step { is_due: |seen| seen.scenario.lcu.aliases == 0 && (of_storage::ALIASES.is_due)(seen), ..of_storage::ALIASES };

const TO_PAGING: Step = Step {
    label: |_| "Set the share to 1:15".into(),
    reason: "Paging may use nearly all. Minidisk I/O takes what paging does not want.",
    is_due: |seen| matters(seen) && ![MOST_TO_PAGING, MOST_TO_MDISK].contains(&seen.scenario.lcu.alias_share),
    take: |scenario| scenario.lcu.alias_share = MOST_TO_PAGING,
    shows: (Figure::Etr, Way::Up),
};

const TO_MDISK: Step = Step {
    label: |_| "Set the share to 15:1".into(),
    reason: "Minidisk I/O may use nearly all. Paging takes what minidisk I/O does not want.",
    is_due: |seen| matters(seen) && seen.scenario.lcu.alias_share == MOST_TO_PAGING,
    take: |scenario| scenario.lcu.alias_share = MOST_TO_MDISK,
    shows: (Figure::MdiskEtr, Way::Up),
};

/// Whether the share means anything: both use aliases, and wait for them.
fn matters(seen: &Seen) -> bool {
    let waited_for = seen.limits.is_none_or(are_waited_for);
    alias_users(seen.scenario) == (true, true) && seen.scenario.lcu.aliases > 0 && waited_for
}

/// Whether guests wait for aliases: then it matters who gets one, though something else may limit more.
fn are_waited_for(limits: &Limits) -> bool {
    limits.get(ResourceKind::Aliases).is_some_and(|aliases| aliases.waiting >= LEAST_WAITING)
}

/// Which part of their time guests must wait for aliases for the share to matter: as much as a resource needs to limit.
const LEAST_WAITING: f64 = 0.1;

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match (alias_users(scenario), limits.limit) {
        ((true, true), Some(ResourceKind::Aliases)) => {
            "The aliases limit: what a share gives to minidisk I/O, it takes from paging."
        }
        ((true, true), Some(ResourceKind::Paths)) if are_waited_for(limits) => {
            "What a share gives to minidisk I/O, it takes from paging. Both share the channel paths too, which limit."
        }
        ((true, true), _) => "The aliases do not limit, so it matters little how they are shared.",
        _ => "The aliases are not shared: not both kinds of I/O use them.",
    }
    .into()
}

/// The shares at the two ends of the published table.
const MOST_TO_PAGING: AliasShare = AliasShare { mdisk: 1, paging: 15 };
const MOST_TO_MDISK: AliasShare = AliasShare { mdisk: 15, paging: 1 };

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, SET_CU, false)
}
