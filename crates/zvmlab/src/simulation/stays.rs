//! What a guest is given while it is not being relocated: its steal since it began to run at its member.

use super::Simulation;
use crate::kernel::time::{Instant, Span};
use crate::snapshot::StaySnapshot;

/// A guest's stay at a member. It begins with the end of the fill, or when a relocation of the guest has ended; it ends with
/// the next VMRELOCATE.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stay {
    member: u32,
    since: Instant,
    /// The guest's steal at that member until then.
    steal: Span,
    /// The relocation with whose end it began.
    after: Option<u32>,
}

impl Simulation {
    /// The fill is over: the stays of all guests begin.
    pub(super) fn begin_stays(&mut self) {
        for guest in 0..self.guests.len() as u32 {
            if let Some(member) = self.members.iter().position(|member| member.has(guest)) {
                self.begin_stay(guest, member as u32, None);
            }
        }
    }

    /// A guest's stay at a member begins, with the end of a relocation or without.
    pub(super) fn begin_stay(&mut self, guest: u32, member: u32, after: Option<u32>) {
        let steal = self.members[member as usize].steal(guest);
        self.guests[guest as usize].stay = Stay { member, since: self.agenda.now(), steal, after };
    }

    /// A guest's stay ends, because a relocation of the guest begins.
    pub(super) fn end_stay(&mut self, guest: u32, index: u32) {
        let seen = self.stay_seen(guest);
        if let Some(before) = self.guests[guest as usize].stay.after {
            self.relocations.one_mut(before).after = Some(seen);
        }
        self.relocations.one_mut(index).before = Some(seen);
    }

    /// A guest's stay so far.
    pub(super) fn stay_seen(&self, guest: u32) -> StaySnapshot {
        let Stay { member, since, steal, .. } = self.guests[guest as usize].stay;
        let now = self.members[member as usize].steal(guest);
        StaySnapshot { ns: self.agenda.now().since(since).0, steal_ns: now.0.saturating_sub(steal.0) }
    }

    /// Whether a guest's stay began with the end of that relocation and goes on.
    pub(super) fn stays_since(&self, guest: u32, ended: Instant) -> bool {
        let stay = self.guests[guest as usize].stay;
        stay.after.is_some() && stay.since == ended
    }
}
