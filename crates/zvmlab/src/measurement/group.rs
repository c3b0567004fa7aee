//! What each group of guests did in an interval. Means over all guests hide that one group waits for another.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::snapshot::{GuestSnapshot, Snapshot};

/// What one group of guests did in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OfGroup {
    /// The group of the scenario, from 0.
    pub group: u32,
    /// Guests of the group at this member.
    pub guests: u32,
    /// Transactions a second of all of them; none if they completed nothing.
    pub etr: Option<f64>,
    /// Mean time of a cycle in ms, from the end of the pause before it; none if no cycle ended or they have no cycles.
    pub response_ms: Option<f64>,
    /// Percent of the time of their virtual CPUs in which these ran.
    pub running: f64,
    /// Percent in which they could run but did not: ready or interrupted.
    pub steal: f64,
    /// Percent in which they waited for storage: page wait and frame wait.
    pub storage_wait: f64,
    /// Percent in which they waited for I/O to their minidisks.
    pub io_wait: f64,
    /// Percent in which the scheduler held them back: eligible list and limit list.
    pub list_wait: f64,
}

/// Each group of guests between two snapshots of one run, in the scenario's order. A group of which no guest was here all the
/// time is left out.
pub fn groups(earlier: &Snapshot, later: &Snapshot) -> Vec<OfGroup> {
    let pairs: Vec<(&GuestSnapshot, &GuestSnapshot)> =
        earlier.guests.iter().zip(&later.guests).filter(|(a, b)| !a.away && !b.away).collect();
    let count = later.guests.iter().map(|guest| guest.group + 1).max().unwrap_or(0);
    let elapsed_ns = later.now_ns.saturating_sub(earlier.now_ns) as f64;
    let of = |group: u32| {
        let members: Vec<_> = pairs.iter().filter(|(_, guest)| guest.group == group).collect();
        let grown = |field: fn(&GuestSnapshot) -> u64| {
            members.iter().map(|(a, b)| field(b).saturating_sub(field(a))).sum::<u64>() as f64
        };
        let cpus = members.iter().map(|(_, guest)| guest.virtual_cpus.len()).sum::<usize>() as f64;
        if members.is_empty() || elapsed_ns <= 0.0 {
            return None;
        }
        let percent = |field: fn(&GuestSnapshot) -> u64| grown(field) / elapsed_ns / cpus * 100.0;
        let done: f64 = members.iter().map(|(a, b)| b.work().saturating_sub(a.work()) as f64 / b.transaction as f64).sum();
        let cycles = grown(|guest| guest.cycles);
        let in_cycles = members.iter().any(|(_, guest)| guest.in_cycles) && cycles > 0.0;
        Some(OfGroup {
            group,
            guests: members.len() as u32,
            etr: (done > 0.0).then_some(done / elapsed_ns * 1e9),
            response_ms: in_cycles.then(|| grown(|guest| guest.response_ns) / cycles / 1e6),
            running: percent(|guest| guest.running_ns),
            steal: percent(|guest| guest.ready_ns + guest.interrupted_ns),
            storage_wait: percent(|guest| guest.page_wait_ns + guest.frame_wait_ns),
            io_wait: percent(|guest| guest.io_wait_ns),
            list_wait: percent(|guest| guest.eligible_ns + guest.limit_list_ns),
        })
    };
    (0..count).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_has_its_own_times() {
        let guest = |group: u32, cycles: u64, response_ns: u64, ready_ns: u64| GuestSnapshot {
            group,
            in_cycles: true,
            transaction: 1,
            virtual_cpus: vec![Default::default()],
            cycles,
            response_ns,
            ready_ns,
            ..GuestSnapshot::default()
        };
        let at = |now_ns, guests| Snapshot { now_ns, guests, ..Snapshot::default() };
        let earlier = at(0, vec![guest(0, 0, 0, 0), guest(1, 0, 0, 0), guest(1, 0, 0, 0)]);
        let later = at(
            2_000_000_000,
            vec![guest(0, 4, 80_000_000, 0), guest(1, 1, 900_000_000, 1_000_000_000), guest(1, 1, 1_100_000_000, 0)],
        );
        let found = groups(&earlier, &later);
        assert_eq!(
            found.iter().map(|of| (of.guests, of.etr, of.response_ms)).collect::<Vec<_>>(),
            [(1, Some(2.0), Some(20.0)), (2, Some(1.0), Some(1000.0))]
        );
        assert_eq!((found[0].steal, found[1].steal), (0.0, 25.0));
        assert_eq!(groups(&earlier, &earlier), []);
    }
}
