//! Requests between guests: clients ask, servers answer, each waits for the other.

use super::program::After;
use super::{Event, Member};
use crate::connections::Ended;
use crate::kernel::time::Span;
use crate::scenario::Role;
use crate::snapshot::GuestState;

impl Member {
    /// Whether a virtual CPU works on connections.
    pub(super) fn has_connections(&self, cpu: u32) -> bool {
        self.connections.role(self.guests.cpu(cpu).guest) != Role::Alone
    }

    /// Checks that virtual CPUs of clients and servers are idle only where nothing waits for them.
    pub(super) fn verify_idle(&self) {
        for cpu in (0..self.guests.cpu_count()).filter(|&cpu| self.filled() && self.has_connections(cpu)) {
            if self.guests.cpu(cpu).state() == GuestState::Idle {
                self.connections.verify_idle(cpu, self.guests.cpu(cpu).guest);
            }
        }
    }

    /// The fill is over: the users of each connection begin to think.
    pub(super) fn begin_connections(&mut self) {
        for connection in 0..self.connections.count() {
            let think = self.connections.think(connection);
            self.think(connection, think);
        }
    }

    fn think(&mut self, connection: u32, think: Span) {
        if think == Span::ZERO {
            return self.want(connection);
        }
        self.agenda.schedule(self.agenda.now() + think, Event::Thought { connection });
    }

    /// The users of a connection want something.
    pub(super) fn want(&mut self, connection: u32) {
        let client = self.connections.want(self.agenda.now(), connection);
        self.call(client);
    }

    /// A virtual CPU of a guest that waits for a connection takes one up.
    fn call(&mut self, guest: u32) {
        if let Some(cpu) = self.connections.call(self.guests.cpus_of(guest)) {
            self.take_connection(cpu);
        }
    }

    /// A virtual CPU that is idle takes up a connection, if one waits.
    pub(super) fn take_connection(&mut self, cpu: u32) {
        if self.begin_request(cpu) {
            self.wake(cpu);
        }
    }

    /// A virtual CPU begins the cycle for the next connection, if one waits.
    fn begin_request(&mut self, cpu: u32) -> bool {
        let guest = self.guests.cpu(cpu).guest;
        let took = self.connections.take(self.agenda.now(), cpu, guest);
        if took {
            self.guests.start_cycle(self.agenda.now(), cpu);
        }
        took
    }

    /// A virtual CPU has ended a cycle, or its part of the fill. It goes on with the next connection, or waits for one.
    pub(super) fn end_request(&mut self, cpu: u32) -> After {
        let now = self.agenda.now();
        let guest = self.guests.cpu(cpu).guest;
        match self.connections.end(now, cpu) {
            None => {}
            Some(Ended::Asked { server }) => self.call(server),
            Some(Ended::Answered { connection, client, round, served, think }) => {
                self.guests.guest_mut(client).count_cycles(1, round);
                self.guests.guest_mut(guest).count_cycles(1, served);
                self.think(connection, think);
            }
        }
        if self.begin_request(cpu) {
            return After::GoesOn;
        }
        self.fall_idle(cpu);
        After::Waits
    }
}
