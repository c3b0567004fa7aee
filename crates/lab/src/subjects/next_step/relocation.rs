//! What is obvious to try next with guests that move: more of the link, the options of VMRELOCATE, more room, another order.

use zvmlab::scenario::{Chpid, Isfc, Order, Relocate, Scenario};

use super::NextStep;
use crate::host::{central_mb, moves};
use crate::knob::link::PUBLISHED;
use crate::subjects::{BESIDE, CLUSTER, CONSTRAINED, EVACUATION, LINK, MOVE, Subject, TWENTY_FIVE};

/// Chpids of the deck's question: what would a third buy?
const CHPIDS: usize = 3;

/// What to try next.
pub fn after(scenario: &Scenario, subject: &Subject) -> Option<NextStep> {
    let relocation = &scenario.relocation;
    let immediate = || (!relocation.immediate).then_some(NextStep::Immediate);
    match subject {
        _ if subject == MOVE => more_chpids(&scenario.isfc).or_else(immediate),
        _ if subject == LINK => larger_link(&scenario.isfc),
        _ if subject == TWENTY_FIVE && relocation.mode == Relocate::Synch => Some(NextStep::Asynch),
        _ if subject == TWENTY_FIVE || subject == BESIDE => immediate(),
        _ if subject == CONSTRAINED => room(scenario),
        _ if subject == EVACUATION && relocation.mode == Relocate::Asynch => None,
        _ if subject == EVACUATION && relocation.order == Order::Largest => Some(NextStep::Asynch),
        _ if subject == EVACUATION => Some(NextStep::LargestFirst),
        _ if subject == CLUSTER => transits(scenario).then_some(NextStep::StayJoined),
        _ => None,
    }
}

fn more_chpids(isfc: &Isfc) -> Option<NextStep> {
    let count = isfc.chpids().len();
    (count < CHPIDS).then_some(NextStep::Chpids(count + 1))
}

/// The next larger of the published links.
fn larger_link(isfc: &Isfc) -> Option<NextStep> {
    let larger = PUBLISHED.iter().map(|link| link.capacity_factor).filter(|factor| *factor > isfc.capacity_factor());
    larger.min().map(NextStep::Link)
}

/// As much for the destination as the guest has touched, and a little more, where it has less.
fn room(scenario: &Scenario) -> Option<NextStep> {
    let guest = scenario.guests.iter().find(|group| moves(group))?;
    let enough = (guest.loop_mb + guest.loop_mb / 8).next_power_of_two();
    (central_mb(scenario, guest.move_to) < guest.loop_mb).then_some(NextStep::Room(enough))
}

fn transits(scenario: &Scenario) -> bool {
    [&scenario.member2, &scenario.member3, &scenario.member4].iter().any(|member| member.transitions)
}

/// Takes a step.
pub fn take(step: NextStep, scenario: &mut Scenario) {
    match step {
        NextStep::Chpids(_) => add_chpid(&mut scenario.isfc),
        NextStep::Link(factor) => {
            if let Some(link) = PUBLISHED.iter().find(|link| link.capacity_factor == factor) {
                link.set(&mut scenario.isfc);
            }
        }
        NextStep::Asynch => scenario.relocation.mode = Relocate::Asynch,
        NextStep::Immediate => scenario.relocation.immediate = true,
        NextStep::Room(mb) => match scenario.guests.iter().find(|group| moves(group)).map(|group| group.move_to) {
            Some(2) => scenario.member2.central_mb = mb,
            Some(3) => scenario.member3.central_mb = mb,
            Some(4) => scenario.member4.central_mb = mb,
            _ => scenario.storage.central_mb = mb,
        },
        NextStep::LargestFirst => scenario.relocation.order = Order::Largest,
        NextStep::StayJoined => {
            for member in [&mut scenario.member2, &mut scenario.member3, &mut scenario.member4] {
                member.transitions = false;
            }
        }
        _ => {}
    }
}

/// Adds a chpid as fast as the first there is, with four CTCs.
fn add_chpid(isfc: &mut Isfc) {
    let speed = isfc.chpids().first().map_or(Chpid::Gb8, |(chpid, _)| *chpid);
    let all = [
        (&mut isfc.chpid1, &mut isfc.ctcs1),
        (&mut isfc.chpid2, &mut isfc.ctcs2),
        (&mut isfc.chpid3, &mut isfc.ctcs3),
        (&mut isfc.chpid4, &mut isfc.ctcs4),
    ];
    if let Some((chpid, ctcs)) = all.into_iter().find(|(chpid, _)| **chpid == Chpid::None) {
        (*chpid, *ctcs) = (speed, 4);
    }
}
