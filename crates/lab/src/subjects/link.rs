//! The subject of the ISFC link: the chpids and CTCs between members.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path::{self, room};

use super::lead::{Lead, lead};
use super::next_step::{Chain, Step, Way};
use super::of_relocation::{IN_ALL, QUIESCE, TABLE, introduction, what_limits};
use super::{Depth, Part, Particulars, Setup, Subject, of_relocation};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::knob::link::{Configuration, PUBLISHED};
use crate::room::Room;

/// The chpids and CTCs between members.
pub static LINK: &Subject = &Subject {
    title: "The ISFC link",
    question: "What does another chpid gain, and what do unequal chpids or CTCs cost?",
    depth: Depth::Basics,
    part: Part::Relocation,
    sources: &["link-capacity-6.2"],
    setups: &[Setup::new("ISFC", "a guest of 16 GB").back("Chpids of 2 Gb and 4 Gb.")],
    limit: Some(ResourceKind::Link),
    room: Room::Isfc,
    // A host is of this subject only because of its question; otherwise it is of a guest that moves.
    sign: None,
    groups: &[id::ISFC, id::GUESTS, id::RELOCATION],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| of_relocation::leads(scenario, LEADS),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[LARGER], made };

/// The next larger of the published links.
const LARGER: Step = Step {
    label: |scenario| match larger(scenario) {
        Some(link) => format!("Use the link of capacity factor {}", link.capacity_factor).into(),
        None => "Use a larger link".into(),
    },
    reason: "The next larger of the five links that IBM evaluated (6.2 deck, table 3).",
    is_due: |seen| larger(seen.scenario).is_some() && seen.may_limit(&[ResourceKind::Link]),
    take: |scenario| {
        if let Some(link) = larger(scenario) {
            link.set(&mut scenario.isfc);
        }
    },
    shows: (Figure::RelocationTime, Way::Down),
};

fn larger(scenario: &Scenario) -> Option<&'static Configuration> {
    let now = scenario.isfc.capacity_factor();
    PUBLISHED.iter().filter(|link| link.capacity_factor > now).min_by_key(|link| link.capacity_factor)
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match (limits.limit, larger(scenario)) {
        (Some(ResourceKind::Link), None) => "The link still limits, and it is as large as the largest that IBM evaluated.",
        _ => what_limits(limits),
    }
    .into()
}

const LEADS: &[Lead] = &[
    QUIESCE,
    IN_ALL,
    lead(Figure::LinkRate, "MB/s over the link while relocating", "MB/s"),
    lead(Figure::LinkBusy, "% of the time that a chpid was busy", "% busy"),
];

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_relocation::is_main(knob, scenario, &[path::GUESTS_MOVE_TO, room::ISFC, path::ISFC_OTHER_MB_S])
}
