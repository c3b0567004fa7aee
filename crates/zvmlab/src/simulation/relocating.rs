//! Relocations in the simulation: commands, stages, passes, limits, how they end.

use super::{Event, Simulation};
use crate::kernel::time::{Instant, Span};
use crate::relocation::{Next, Relocation};
use crate::scenario::Interruption;
use crate::snapshot::{EndCode, RelocationStage};

impl Simulation {
    /// The first VMRELOCATE is issued, or all of them are.
    pub(super) fn issue_commands(&mut self) {
        self.relocations.commanded = Some(self.agenda.now());
        if self.plan.interruption != Interruption::None {
            self.agenda.schedule(self.agenda.now() + self.plan.interruption_after, Event::Interrupted);
        }
        self.begin_next();
    }

    /// Begins the relocations whose turn it is.
    fn begin_next(&mut self) {
        while let Some(index) = self.relocations.next(self.plan.mode) {
            self.mark_links();
            let relocation = self.relocations.one_mut(index);
            relocation.begin(self.agenda.now());
            let (guest, generation) = (relocation.guest, relocation.generation);
            self.end_stay(guest, index);
            self.stage_takes(index, self.constants.eligibility_ns);
            if let Some(limit) = self.plan.rules.total_limit {
                self.agenda.schedule(self.agenda.now() + limit, Event::TotalLimit { relocation: index, generation });
            }
        }
    }

    fn stage_takes(&mut self, index: u32, ns: f64) {
        self.stage_ends_at(index, self.agenda.now() + Span::from_ns_f64(ns));
    }

    fn stage_ends_at(&mut self, index: u32, at: Instant) {
        let generation = self.relocations.one(index).generation;
        self.agenda.schedule(at, Event::StageEnds { relocation: index, generation });
    }

    /// Whether an announcement for a relocation still counts.
    pub(super) fn is_current(&self, index: u32, generation: u32) -> bool {
        let relocation = self.relocations.one(index);
        relocation.is_under_way() && relocation.generation == generation
    }

    /// The time that a stage takes is over.
    pub(super) fn stage_ends(&mut self, index: u32) {
        let Relocation { guest, from, to, .. } = *self.relocations.one(index);
        match self.relocations.one(index).stage() {
            RelocationStage::Eligibility if !self.is_eligible(index) => self.end(index, EndCode::Ineligible),
            RelocationStage::Eligibility => {
                self.relocations.one_mut(index).enter(self.agenda.now(), RelocationStage::Skeleton);
                self.stage_takes(index, self.constants.skeleton_ns);
            }
            RelocationStage::Skeleton if !self.members[to as usize].storage().is_gone(guest) => {
                self.stage_takes(index, self.constants.skeleton_wait_ns);
            }
            RelocationStage::Skeleton => {
                self.members[to as usize].storage_mut().build(guest);
                self.members[from as usize].storage_mut().track(guest);
                self.relocations.one_mut(index).enter(self.agenda.now(), RelocationStage::Moving);
                self.begin_pass(index);
            }
            RelocationStage::StateMove if self.relocations.one_mut(index).state_is_moved() => self.last_pass(index),
            _ => {}
        }
    }

    /// Whether the guest may be relocated. It must be logged on at the source; the destination must be joined and connected.
    /// Unless storage is forced, the destination must also have room for what the guest has touched and for what is still on
    /// its way there.
    fn is_eligible(&self, index: u32) -> bool {
        let Relocation { guest, from, to, .. } = *self.relocations.one(index);
        let connected = self.links.link(self.links.index(from, to)).is_up() && self.states[to as usize].is_joined();
        let touched =
            |relocation: &Relocation| self.members[relocation.from as usize].storage().touched_pages(relocation.guest);
        let expected = |relocation: &&Relocation| {
            relocation.to == to && relocation.is_under_way() && relocation.stage() > RelocationStage::Eligibility
        };
        let promised: u64 = self
            .relocations
            .under_way()
            .iter()
            .map(|&index| self.relocations.one(index))
            .filter(expected)
            .map(|relocation| touched(relocation).saturating_sub(relocation.first_sent()))
            .sum();
        let needed = touched(self.relocations.one(index)) + promised;
        let fits = self.plan.force_storage || needed <= self.members[to as usize].room();
        self.members[from as usize].has(guest) && connected && fits
    }

    fn begin_pass(&mut self, index: u32) {
        let Relocation { guest, from, .. } = *self.relocations.one(index);
        let touched = self.members[from as usize].storage().touched_pages(guest);
        let steal = self.members[from as usize].steal(guest);
        self.relocations.one_mut(index).begin_pass(self.agenda.now(), touched, steal);
        self.pump(index);
    }

    /// Everything of a pass has arrived.
    pub(super) fn end_pass(&mut self, index: u32) {
        let Relocation { guest, from, .. } = *self.relocations.one(index);
        let changed = self.members[from as usize].storage().changed_pages(guest);
        let steal = self.members[from as usize].steal(guest);
        let relocation = self.relocations.one_mut(index);
        let stage = relocation.stage();
        match relocation.end_pass(self.agenda.now(), changed, steal, &self.plan.rules) {
            Next::Pass if stage == RelocationStage::StateMove => self.last_pass(index),
            Next::Pass => self.begin_pass(index),
            Next::Stop => self.stop(index),
            Next::Wait => {}
            Next::Complete => self.complete(index),
        }
    }

    fn last_pass(&mut self, index: u32) {
        self.relocations.one_mut(index).enter(self.agenda.now(), RelocationStage::LastPass);
        self.begin_pass(index);
    }

    /// The guest is to be stopped.
    fn stop(&mut self, index: u32) {
        let relocation = self.relocations.one_mut(index);
        relocation.enter(self.agenda.now(), RelocationStage::Stopping);
        let (guest, from, generation) = (relocation.guest, relocation.from, relocation.generation);
        if let Some(limit) = self.plan.rules.quiesce_limit {
            self.agenda.schedule(self.agenda.now() + limit, Event::QuiesceLimit { relocation: index, generation });
        }
        self.members[from as usize].stop_guest(guest);
    }

    /// A guest has stopped. Its state and its I/O configuration are moved, and the last pass but one begins.
    pub(super) fn guest_stopped(&mut self, member: u32, guest: u32) {
        let stopping = |relocation: &Relocation| {
            (relocation.guest, relocation.from, relocation.stage()) == (guest, member, RelocationStage::Stopping)
        };
        let found = self.relocations.under_way().iter().copied().find(|&index| stopping(self.relocations.one(index)));
        if let Some(index) = found {
            self.relocations.one_mut(index).enter(self.agenda.now(), RelocationStage::StateMove);
            let devices = f64::from(self.guests[guest as usize].devices);
            self.stage_takes(index, self.constants.state_ns + devices * self.constants.device_ns);
            self.begin_pass(index);
        }
        self.log_off_if_quiet();
    }

    /// The whole guest is at the destination and goes on there.
    fn complete(&mut self, index: u32) {
        let Relocation { guest, from, to, .. } = *self.relocations.one(index);
        if self.watches_contents {
            let (source, destination) = (self.members[from as usize].storage(), self.members[to as usize].storage());
            let same = source.compare(destination, guest);
            assert_eq!(same, Ok(()), "the destination holds the source's pages");
        }
        let traveller = self.members[from as usize].let_go(guest);
        self.members[from as usize].storage_mut().untrack(guest);
        self.members[from as usize].release_storage(guest);
        self.members[to as usize].take_in(guest, traveller);
        self.finish(index, EndCode::Completed);
        if let Some(stay) = self.plan.stay {
            self.relocations.expect_return();
            self.agenda.schedule(self.agenda.now() + stay, Event::ReturnDue { guest, from: to, to: from });
        }
        self.begin_next();
    }

    fn finish(&mut self, index: u32, code: EndCode) {
        self.relocations.finish(self.agenda.now(), index, code);
        let Relocation { guest, from, to, .. } = *self.relocations.one(index);
        self.begin_stay(guest, if code == EndCode::Completed { to } else { from }, Some(index));
        self.mark_links();
    }

    /// A relocation ends before it is complete: the guest goes on at the source, and the destination keeps nothing of it.
    pub(super) fn end(&mut self, index: u32, code: EndCode) {
        let Relocation { guest, from, to, .. } = *self.relocations.one(index);
        let stage = self.relocations.one(index).stage();
        let stopped = self.relocations.one(index).is_stopped();
        self.finish(index, code);
        self.forget_messages(index);
        if stage > RelocationStage::Skeleton {
            self.members[from as usize].storage_mut().untrack(guest);
            self.members[to as usize].release_storage(guest);
        }
        if stopped && code != EndCode::Logoff {
            self.members[from as usize].start_guest(guest);
        }
        self.begin_next();
    }

    pub(super) fn quiesce_limit(&mut self, index: u32, generation: u32) {
        if self.is_current(index, generation) {
            self.end(index, EndCode::MaxQuiesce);
        }
    }

    pub(super) fn total_limit(&mut self, index: u32, generation: u32) {
        if self.is_current(index, generation) {
            self.end(index, EndCode::MaxTotal);
        }
    }

    /// Somebody interrupts the relocations that are under way.
    pub(super) fn interrupted(&mut self) {
        let under_way = self.relocations.under_way().to_vec();
        match self.plan.interruption {
            Interruption::None => {}
            Interruption::Cancel => under_way.into_iter().for_each(|index| self.end(index, EndCode::Cancelled)),
            Interruption::Cphx => under_way.into_iter().for_each(|index| self.end(index, EndCode::Cphx)),
            Interruption::LinkLost => {
                for index in under_way {
                    let Relocation { from, to, .. } = *self.relocations.one(index);
                    self.lose_link(from, to);
                }
            }
            Interruption::Logoff => {
                if let Some(&index) = under_way.first() {
                    self.log_off(index);
                }
            }
        }
    }

    /// The guest of a relocation logs off at the source.
    fn log_off(&mut self, index: u32) {
        let Relocation { guest, from, .. } = *self.relocations.one(index);
        let stopped = self.relocations.one(index).is_stopped();
        self.logging_off.push(guest);
        self.end(index, EndCode::Logoff);
        if !stopped {
            self.members[from as usize].stop_guest(guest);
        }
        self.log_off_if_quiet();
    }

    /// Guests that log off are gone once they have stopped and no read for them is under way.
    pub(super) fn log_off_if_quiet(&mut self) {
        let leaving = std::mem::take(&mut self.logging_off);
        for guest in leaving {
            let at = self.members.iter_mut().find(|member| member.has(guest));
            match at {
                Some(member) if member.stands_still(guest) && !member.reads(guest) => {
                    member.let_go(guest);
                    member.release_storage(guest);
                }
                _ => self.logging_off.push(guest),
            }
        }
    }

    /// A guest that bounces joins the line to go back.
    pub(super) fn return_due(&mut self, guest: u32, from: u32, to: u32) {
        self.relocations.plan_return(guest, from, to);
        self.begin_next();
    }
}
