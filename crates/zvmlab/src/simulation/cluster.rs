//! The cluster in the simulation: planned relocations, members' states, other traffic of the links, and the cluster's
//! snapshot.

use super::stays::Stay;
use super::{Event, Simulation};
use crate::isfc::Traffic;
use crate::kernel::time::{Instant, Span};
use crate::member::Member;
use crate::relocation::Relocation;
use crate::scenario::{GuestGroup, Order, Scenario};
use crate::snapshot::{ClusterSnapshot, EndCode, MemberSnapshot, MemberState, RelocationSnapshot};

/// A snapshot shows this many relocations: the latest. Chosen so that it stays small where guests bounce.
const SHOWN_MAX: usize = 512;

/// The tag of CP's work that no relocation asked for.
pub(super) const OF_NOBODY: u32 = u32::MAX;

/// The state of a member.
#[derive(Clone, Debug)]
pub(super) struct Status {
    state: MemberState,
    since: Instant,
    changes: u64,
    /// How long the member stays Joined or Down, and how long Leaving or Joining, if it goes through the states.
    spans: Option<[Span; 2]>,
}

impl Status {
    /// Whether the other members can reach it.
    pub fn is_connected(&self) -> bool {
        matches!(self.state, MemberState::Joined | MemberState::Leaving)
    }

    /// Whether it is a full member.
    pub fn is_joined(&self) -> bool {
        self.state == MemberState::Joined
    }
}

/// What relocations need to know of a guest.
#[derive(Clone, Debug)]
pub(super) struct GuestFacts {
    pub name: String,
    pub devices: u32,
    tolerance_ms: u32,
    pub stay: Stay,
}

/// The facts of every guest.
pub(super) fn facts(scenario: &Scenario) -> Vec<GuestFacts> {
    let fact = |(group, _, number): (&GuestGroup, u32, u32)| GuestFacts {
        name: format!("{}-{number}", group.name),
        devices: group.devices,
        tolerance_ms: group.tolerance_ms,
        stay: Stay::default(),
    };
    scenario.each_guest().map(fact).collect()
}

/// The state of each member at the start.
pub(super) fn statuses(scenario: &Scenario) -> Vec<Status> {
    let seconds = |s: u32| Span::from_secs(s.into());
    let spans = [seconds(scenario.cluster.state_s), seconds(scenario.cluster.transition_s)];
    let others = [&scenario.member2, &scenario.member3, &scenario.member4].map(|member| member.transitions);
    let through = std::iter::once(false).chain(others).take(scenario.cluster.members as usize);
    let status = |through: bool| Status {
        state: MemberState::Joined,
        since: Instant::ZERO,
        changes: 0,
        spans: through.then_some(spans),
    };
    through.map(status).collect()
}

/// The seed of a member's own random choices. No two members draw the same numbers.
pub(super) fn seed_of(seed: u64, number: u32) -> u64 {
    seed.wrapping_add(u64::from(number - 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The relocations that the scenario asks for, in order.
pub(super) fn planned(scenario: &Scenario) -> Vec<Relocation> {
    let moves = |group: &GuestGroup| group.move_to > 0 && group.move_to != group.member;
    let mut guests: Vec<(u32, &GuestGroup)> = (0..)
        .zip(scenario.each_guest())
        .map(|(guest, (group, ..))| (guest, group))
        .filter(|(_, group)| moves(group))
        .collect();
    let active = |group: &GuestGroup| if group.active_mb == 0 { group.loop_mb } else { group.active_mb };
    match scenario.relocation.order {
        Order::Listed => {}
        Order::Largest => guests.sort_by_key(|(_, group)| std::cmp::Reverse(group.loop_mb)),
        Order::Smallest => guests.sort_by_key(|(_, group)| group.loop_mb),
        Order::Busiest => guests.sort_by_key(|(_, group)| std::cmp::Reverse(active(group))),
    }
    let relocation = |(guest, group): (u32, &GuestGroup)| Relocation::new(guest, group.member - 1, group.move_to - 1);
    match scenario.relocates() {
        true => guests.into_iter().map(relocation).collect(),
        false => Vec::new(),
    }
}

impl Simulation {
    /// The fill is over: members begin to go through their states, other traffic begins.
    pub(super) fn begin_cluster(&mut self) {
        for member in 0..self.states.len() as u32 {
            if let Some([stays, _]) = self.states[member as usize].spans {
                // The members do not all change at once: each begins a part of its stay later than the one before.
                let first = Span(stays.0 / self.states.len() as u64 * u64::from(member).max(1));
                self.agenda.schedule(self.agenda.now() + first, Event::StateChanges { member });
            }
        }
        if self.links.other_interval.is_some() {
            for link in self.links.indices() {
                self.agenda.schedule(self.agenda.now(), Event::OtherTraffic { link });
            }
        }
    }

    /// A member goes on to its next state. All joined members agree on it, which takes CP some work at each of them.
    pub(super) fn state_changes(&mut self, member: u32) {
        let status = &mut self.states[member as usize];
        let Some([stays, changes]) = status.spans else { return };
        let (next, lasts) = match status.state {
            MemberState::Joined => (MemberState::Leaving, changes),
            MemberState::Leaving => (MemberState::Down, stays),
            MemberState::Down => (MemberState::Joining, changes),
            MemberState::Joining => (MemberState::Joined, stays),
        };
        (status.state, status.since, status.changes) = (next, self.agenda.now(), status.changes + 1);
        let work = self.constants.member_state_ns;
        for (member, status) in self.members.iter_mut().zip(&self.states) {
            if status.is_joined() {
                member.work_for(OF_NOBODY, work);
            }
        }
        match next {
            MemberState::Down => self.disconnect(member),
            MemberState::Joined => self.connect(member),
            MemberState::Leaving | MemberState::Joining => {}
        }
        self.agenda.schedule(self.agenda.now() + lasts, Event::StateChanges { member });
    }

    /// A member loses its links, and the relocations over them end.
    fn disconnect(&mut self, member: u32) {
        for other in 0..self.members.len() as u32 {
            if other != member {
                self.lose_link(member, other);
            }
        }
    }

    fn connect(&mut self, member: u32) {
        for other in 0..self.members.len() as u32 {
            if other != member && self.states[other as usize].is_connected() {
                let (out, back) = (self.links.index(member, other), self.links.index(other, member));
                for link in [out, back] {
                    self.links.link_mut(link).restore();
                    self.resume_others(link);
                }
            }
        }
    }

    /// The connection between two members is lost. Relocations over it end; nothing else does.
    pub(super) fn lose_link(&mut self, a: u32, b: u32) {
        for (from, to) in [(a, b), (b, a)] {
            let link = self.links.index(from, to);
            if !self.links.link(link).is_up() {
                continue;
            }
            for relocation in self.relocations.under_way().to_vec() {
                let Relocation { from: source, to: destination, .. } = *self.relocations.one(relocation);
                if (source, destination) == (from, to) {
                    self.end(relocation, EndCode::ConnectionLost);
                }
            }
            self.messages.lose(link);
            self.links.lose(self.agenda.now(), link);
        }
    }

    /// Other users of a link send a message, unless enough of theirs are under way.
    pub(super) fn other_traffic(&mut self, link: u16) {
        let Some(interval) = self.links.other_interval else { return };
        if !self.links.others_may_send(link) {
            return;
        }
        self.agenda.schedule(self.agenda.now() + interval, Event::OtherTraffic { link });
        let number = self.messages.number();
        self.send(link, Traffic::Other(number), self.constants.isfc_other_bytes);
    }

    /// Lets other users of a link go on, if they waited.
    pub(super) fn resume_others(&mut self, link: u16) {
        if self.links.others_go_on(link) {
            self.agenda.schedule(self.agenda.now(), Event::OtherTraffic { link });
        }
    }

    /// A snapshot of the cluster, with the pieces of the storage that moves or without: those take a look at every page.
    pub(super) fn cluster_snapshot(&self, with_pieces: bool) -> ClusterSnapshot {
        let member = |(status, member): (&Status, &Member)| MemberSnapshot {
            name: String::new(),
            state: status.state,
            since_ns: status.since.0,
            changes: status.changes,
            guests: member.guest_count(),
        };
        let mut members: Vec<MemberSnapshot> = self.states.iter().zip(&self.members).map(member).collect();
        for (member, number) in members.iter_mut().zip(1..) {
            member.name = format!("MEMBER{number}");
        }

        ClusterSnapshot {
            members,
            others: self.members[1..].iter().map(Member::snapshot).collect(),
            links: self.links_seen(),
            relocating_ns: self.links.relocating_time(self.agenda.now()).0,
            relocations: self
                .relocations
                .latest(SHOWN_MAX)
                .iter()
                .map(|relocation| self.seen(relocation, with_pieces))
                .collect(),
            totals: self.relocations.totals(self.agenda.now()),
            began_ns: self.relocations.commanded.map(|at| at.0),
            ended: self.relocations.commanded.is_some() && self.relocations_ended(),
        }
    }

    /// Tells the links whether any relocation is under way.
    pub(super) fn mark_links(&mut self) {
        self.links.mark(self.agenda.now(), !self.relocations.under_way().is_empty());
    }

    fn seen(&self, relocation: &Relocation, with_pieces: bool) -> RelocationSnapshot {
        let guest = &self.guests[relocation.guest as usize];
        let source = self.members[relocation.from as usize].storage();
        let mut seen = relocation.snapshot(self.agenda.now());
        seen.name.clone_from(&guest.name);
        seen.tolerance_ms = guest.tolerance_ms;
        if let Some(ended) = seen.ended_ns.filter(|_| relocation.after.is_none())
            && self.stays_since(relocation.guest, Instant(ended))
        {
            seen.after = Some(self.stay_seen(relocation.guest));
        }
        if relocation.end().is_none() {
            if seen.touched_pages == 0 {
                seen.touched_pages = source.touched_pages(relocation.guest);
            }
            if source.is_tracked(relocation.guest) {
                seen.changed_pages = source.changed_pages(relocation.guest);
            }
            if with_pieces && source.is_tracked(relocation.guest) {
                seen.pieces = source.pieces(relocation.guest, relocation.first_pass_at());
                seen.pieces.iter_mut().zip(relocation.of_pass()).for_each(|(piece, &pages)| piece.of_pass = pages);
            }
        }
        seen
    }

    /// Checks that each guest is logged on at one member at most, that the messages under way are those that relocations
    /// count as outstanding, and the links.
    pub(super) fn verify_cluster(&self) {
        for guest in 0..self.guests.len() as u32 {
            let at = self.members.iter().filter(|member| member.has(guest)).count();
            assert!(at <= 1, "a guest is logged on at one member at most");
        }
        self.links.verify();
        for &index in self.relocations.under_way() {
            let outstanding = self.relocations.one(index).outstanding;
            assert_eq!(outstanding, self.messages.of(index), "what is outstanding is under way");
        }
    }
}
