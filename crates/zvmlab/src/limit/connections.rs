//! What connections between clients and servers wait for. They wait in the line of a guest; what its virtual CPUs wait for meanwhile,
//! the connections wait for too ([`Host::time_in`] counts that). The rest they wait for the virtual CPUs, which run.

use super::guests::Host;
use super::{HALF, ResourceKind, TENTH, Tally, part, ratio};
use crate::scenario::Role;
use crate::snapshot::{GuestSnapshot, GuestState};

/// States of a virtual CPU that works for its program, or has CP work for it.
const WORKS: [GuestState; 3] = [GuestState::Running, GuestState::Interrupted, GuestState::SimulationWait];

impl Host<'_> {
    /// The virtual CPUs of clients and servers.
    pub(super) fn connections(&self, tally: &mut Tally) {
        for (role, kind) in [(Role::Client, ResourceKind::ClientCpus), (Role::Server, ResourceKind::ServerCpus)] {
            let of_role = |guest: &GuestSnapshot| self.group(guest).is_some_and(|group| group.role == role);
            // That of the busiest guest: a connection waits for one guest, whatever the others do.
            let (mut cpus, mut busiest, mut running, mut for_locks) = (0, 0.0, 0.0, 0.0);
            for (at, guest) in self.after.guests.iter().enumerate().filter(|(_, guest)| of_role(guest)) {
                let own = guest.virtual_cpus.len() as u32;
                cpus += own;
                busiest = f64::max(busiest, part(self.wants(at), f64::from(own) * self.elapsed_ns));
                let works = WORKS.into_iter().map(|state| self.passed_on(at, state)).sum::<f64>();
                let spins = self.passed_on(at, GuestState::Running) * self.spinning(guest);
                (running, for_locks) = (running + works - spins, for_locks + spins);
            }
            if cpus == 0 {
                continue;
            }
            // Where the processors are busy all the time, further virtual CPUs would find none.
            let full = self.utilization() >= 1.0 - TENTH;
            tally.waits(kind, cpus, busiest, if full { 0.0 } else { running });
            tally.waits(ResourceKind::Processors, 0, 0.0, if full { running } else { 0.0 });
            tally.waits(ResourceKind::GuestLocks, 0, 0.0, for_locks);
        }
    }

    /// The virtual CPUs of the guest whose virtual CPUs work most, for its program or in CP for it. Nobody waits for them: they are told
    /// from the half on at which a resource counts, and where they are busier than the processors. Otherwise further ones would find no processor.
    pub(super) fn virtual_cpus(&self, tally: &mut Tally) {
        let alone = |guest: &GuestSnapshot| self.group(guest).is_some_and(|group| group.role == Role::Alone);
        let guests = self.after.guests.iter().enumerate().filter(|(_, guest)| alone(guest));
        let works = guests.map(|(at, guest)| {
            let count = guest.virtual_cpus.len() as u32;
            let works_ns = WORKS.into_iter().map(|state| self.grown_of(at, |guest| guest.time_in(state))).sum::<f64>();
            (count, part(works_ns, f64::from(count) * self.elapsed_ns))
        });
        let most = works.reduce(|most, other| if other.1 > most.1 { other } else { most });
        if let Some((count, busy)) = most.filter(|(_, busy)| *busy >= HALF && *busy > self.utilization()) {
            tally.waits(ResourceKind::VirtualCpus, count, busy, 0.0);
        }
    }

    /// The part of its time running for which a virtual CPU of this guest spins, as far as it is known: as the others with a lock.
    fn spinning(&self, guest: &GuestSnapshot) -> f64 {
        let locks = |guest: &GuestSnapshot| self.group(guest).is_some_and(|group| group.lock_us > 0);
        if !locks(guest) {
            return 0.0;
        }
        let run: f64 =
            self.of_guests(|guest| guest.running_ns).filter(|(guest, _)| locks(guest)).map(|(_, running)| running).sum();
        part(self.grown(|snapshot| snapshot.locks.guest_spin_ns), run)
    }

    /// For how long the virtual CPUs of guest `at` want to work.
    fn wants(&self, at: usize) -> f64 {
        let works = GuestState::ALL.into_iter().filter(|state| *state != GuestState::Idle);
        works.map(|state| self.grown_of(at, |guest| guest.time_in(state))).sum()
    }

    /// The time for which connections waited in the line of guest `at` while its virtual CPUs were in a state.
    pub(super) fn passed_on(&self, at: usize, state: GuestState) -> f64 {
        let in_line = self.grown_of(at, |guest| guest.line_ns);
        if in_line == 0.0 {
            return 0.0;
        }
        in_line * ratio(self.grown_of(at, |guest| guest.time_in(state)), self.wants(at))
    }

    /// How much a counter of guest `at` grew.
    pub(super) fn grown_of(&self, at: usize, field: impl Fn(&GuestSnapshot) -> u64) -> f64 {
        let of = |guests: &[GuestSnapshot]| guests.get(at).map_or(0, &field);
        of(&self.after.guests).saturating_sub(of(&self.before.guests)) as f64
    }
}
