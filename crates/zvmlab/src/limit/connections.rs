//! What connections between clients and servers wait for.

use super::guests::Host;
use super::{ResourceKind, Tally, part};
use crate::scenario::Role;
use crate::snapshot::{ConnectionsSnapshot, GuestSnapshot, GuestState};

impl Host<'_> {
    /// The virtual CPUs of clients and servers. While one waits for a processor, so do the connections in its line.
    pub(super) fn connections(&self, tally: &mut Tally) {
        self.line_of(Role::Client, ResourceKind::ClientCpus, |of| of.client_line_ns, tally);
        self.line_of(Role::Server, ResourceKind::ServerCpus, |of| of.server_line_ns, tally);
    }

    fn line_of(&self, role: Role, kind: ResourceKind, line: fn(&ConnectionsSnapshot) -> u64, tally: &mut Tally) {
        let in_line = self.grown(|snapshot| snapshot.connections.as_ref().map_or(0, line));
        let (cpus, wants, ready) = self.cpus_with(role);
        if cpus == 0 {
            return;
        }
        let for_processors = in_line * part(ready, wants);
        tally.whole_ns += in_line;
        tally.waits(kind, cpus, part(wants, f64::from(cpus) * self.elapsed_ns), in_line - for_processors);
        tally.waits(ResourceKind::Processors, 0, 0.0, for_processors);
    }

    /// The virtual CPUs of guests with a role: how many, how long they want to work, how long they are ready.
    fn cpus_with(&self, role: Role) -> (u32, f64, f64) {
        let of_role = self
            .after
            .guests
            .iter()
            .enumerate()
            .filter(|(_, guest)| self.scenario.guests.get(guest.group as usize).is_some_and(|group| group.role == role));
        let time = |at: usize, state: GuestState| {
            let until = |of: &[GuestSnapshot]| of.get(at).map_or(0, |guest| guest.time_in(state));
            until(&self.after.guests).saturating_sub(until(&self.before.guests)) as f64
        };
        of_role.fold((0, 0.0, 0.0), |(cpus, wants, ready), (at, guest)| {
            let works = GuestState::ALL.into_iter().filter(|state| *state != GuestState::Idle);
            let wanted: f64 = works.map(|state| time(at, state)).sum();
            (cpus + guest.virtual_cpus.len() as u32, wants + wanted, ready + time(at, GuestState::Ready))
        })
    }
}
