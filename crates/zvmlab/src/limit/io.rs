//! Where the time of I/Os goes: waiting for an exposure, sharing a path, and the I/O itself.

use super::ratio;
use crate::constants::Constants;
use crate::devices::{Claimant, Drivers};
use crate::scenario::Scenario;
use crate::snapshot::{ClaimantSnapshot, Snapshot, VolumeSnapshot};

/// The parts of the time that a claimant's I/Os took from their request to their end.
///
/// An exposure is held while its I/O is on a path. So part of the wait for an exposure is a wait for the path: the part of
/// the time for which exposures are held that goes to sharing a path, and, where the paths are busy so many percent of the
/// time, the same percentage of the I/Os' own time on them. A path that is always busy has no more to give, however many
/// exposures there are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Split {
    /// From request to end, ns of all I/Os together.
    pub response_ns: f64,
    /// Time that the I/Os waited for a path or shared one, beyond what they would have taken alone, ns.
    pub sharing_ns: f64,
    /// The part of the response that is waiting for a path.
    pub paths: f64,
    /// The part that is waiting for an exposure.
    pub exposures: f64,
}

impl Split {
    /// The part that the I/Os take by themselves, with nobody else on the control unit.
    pub fn own(&self) -> f64 {
        1.0 - self.paths - self.exposures
    }

    /// `transfer_ns` is the I/Os' own time on the paths, which are busy for `busy` of the time.
    fn of(waited_ns: f64, held_ns: f64, sharing_ns: f64, transfer_ns: f64, busy: f64) -> Split {
        let response_ns = waited_ns + held_ns;
        let for_path = ratio(sharing_ns + busy * transfer_ns, held_ns).clamp(0.0, 1.0) * waited_ns;
        let paths = ratio(for_path + sharing_ns, response_ns).clamp(0.0, 1.0);
        Split { response_ns, sharing_ns, paths, exposures: ratio(waited_ns - for_path, response_ns) }
    }
}

/// How the time of a claimant's I/Os splits between two snapshots of a host.
pub(super) fn split(
    scenario: &Scenario,
    constants: &Constants,
    claimant: Claimant,
    before: &Snapshot,
    after: &Snapshot,
) -> Split {
    let of = |snapshot: &Snapshot, field: fn(&ClaimantSnapshot) -> u64| match claimant {
        Claimant::Mdisk => field(&snapshot.minidisks.ios),
        Claimant::Paging => field(&snapshot.paging.ios),
    };
    let grown = |field| of(after, field).saturating_sub(of(before, field)) as f64;
    let ios = grown(|ios| ios.starts);
    let runs = grown(|ios| ios.runs_read) + grown(|ios| ios.runs_written);
    let pages = grown(|ios| ios.pages_read) + grown(|ios| ios.pages_written);
    let connect = grown(|ios| ios.connect_ns);
    let pending = grown(|ios| ios.pending_ns);
    let held = pending + grown(|ios| ios.disconnect_ns) + connect;
    let [alone, transfer, pending_alone] = alone_ns(scenario, constants, claimant, before, after, (ios, runs, pages));
    let busy = paths_busy(before, after);
    // The first command waits for its path, and the transfer shares it.
    let sharing = (connect - alone).clamp(0.0, connect) + (pending - pending_alone).clamp(0.0, pending);
    Split::of(grown(|ios| ios.waited_ns), held, sharing, transfer, busy)
}

/// Which part of the time the paths were busy, of those that were used: 0 to 1.
fn paths_busy(before: &Snapshot, after: &Snapshot) -> f64 {
    let grown = |(at, later): (usize, &u64)| later - before.lcu.path_busy_ns.get(at).copied().unwrap_or(0).min(*later);
    let busy: Vec<u64> = after.lcu.path_busy_ns.iter().enumerate().map(grown).filter(|&ns| ns > 0).collect();
    let time = after.now_ns.saturating_sub(before.now_ns) as f64 * busy.len() as f64;
    ratio(busy.iter().sum::<u64>() as f64, time).min(1.0)
}

/// Connect time that `ios` I/Os with `pages` pages in so many runs of slots would have taken with their paths to themselves, the part of
/// it on the path, and their pending time then.
fn alone_ns(
    scenario: &Scenario,
    constants: &Constants,
    claimant: Claimant,
    before: &Snapshot,
    after: &Snapshot,
    (ios, runs, pages): (f64, f64, f64),
) -> [f64; 3] {
    let drivers = Drivers::new(scenario, constants);
    let driven = |transport: bool, kind, ios: f64, runs: f64, pages: f64| {
        let driver = drivers.of(claimant, transport, kind);
        let transfer = pages * driver.path_ns_per_page;
        let more_runs = (runs - ios) * drivers.run_ns(claimant, kind);
        let connect = ios * driver.protocol_ns + more_runs + pages * driver.protocol_ns_per_page + transfer;
        [connect, transfer, ios * driver.pending_ns]
    };
    let both = |one: [f64; 3], other: [f64; 3]| [0, 1, 2].map(|at| one[at] + other[at]);
    match claimant {
        // Of volumes of two kinds, each has its part of the I/Os and, assumed, the same part of the pages.
        Claimant::Paging => {
            let volumes = || after.paging.volumes.iter().enumerate();
            let starts = |(at, volume): (usize, &VolumeSnapshot)| {
                let earlier = before.paging.volumes.get(at).map_or(0, |volume| volume.starts);
                volume.starts.saturating_sub(earlier) as f64
            };
            let all: f64 = volumes().map(starts).sum();
            let each = |(at, volume): (usize, &VolumeSnapshot)| {
                let of_all = ratio(starts((at, volume)), all);
                driven(false, volume.kind, ios * of_all, runs * of_all, pages * of_all)
            };
            volumes().map(each).fold([0.0; 3], both)
        }
        // Of guests in both modes, each group has the part of the I/Os that it asked for.
        Claimant::Mdisk => {
            let kind = scenario.minidisks.kind;
            let mut asked = [(0.0, 0.0); 2];
            for (at, guest) in after.guests.iter().enumerate() {
                let Some(group) = scenario.guests.get(guest.group as usize) else { continue };
                let earlier = before.guests.get(at).map_or(0, |guest| guest.ios);
                let got = guest.ios.saturating_sub(earlier) as f64;
                let mode = &mut asked[usize::from(group.io_zhpf)];
                *mode = (mode.0 + got, mode.1 + got * f64::from(group.io_records));
            }
            let (all_ios, all_records) = (asked[0].0 + asked[1].0, asked[0].1 + asked[1].1);
            let of = |mode: usize| {
                let (ios, pages) = (ios * ratio(asked[mode].0, all_ios), pages * ratio(asked[mode].1, all_records));
                driven(mode == 1, kind, ios, ios, pages)
            };
            both(of(0), of(1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_response_are_the_whole() {
        // Six units of waiting, four with an exposure, one of them for others on the path.
        let split = Split::of(6.0, 4.0, 1.0, 2.0, 0.0);
        assert_eq!((split.response_ns, split.paths), (10.0, 0.25));
        assert!((split.exposures - 0.45).abs() < 1e-12 && (split.own() - 0.3).abs() < 1e-12, "{split:?}");
        // Paths that are always busy: the two units of transfer count too, so three quarters of the waiting are for a path.
        let split = Split::of(6.0, 4.0, 1.0, 2.0, 1.0);
        assert!((split.paths - 0.55).abs() < 1e-12 && (split.exposures - 0.15).abs() < 1e-12, "{split:?}");
        assert_eq!(Split::of(0.0, 0.0, 0.0, 0.0, 0.0), Split::default());
    }
}
