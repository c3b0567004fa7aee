//! Scheduler, dispatcher, locks and PR/SM: where the guests' time went, and each group's processor time against its share.

use std::cmp::Reverse;
use std::fmt::Write;

use zvmlab::measurement::{Measurement, OfGroup};
use zvmlab::scenario::{GuestGroup, LimitType, Role, Scenario, ShareType};
use zvmlab::snapshot::{GuestSnapshot, GuestState, Snapshot};
use zvmlab_lab::words::{letters, state};

use crate::numbers::{fixed, number};
use crate::output::plain;
use crate::table::{Align, render};

/// A guest group's name, fit for a terminal.
fn name(group: &GuestGroup) -> String {
    plain(&group.name)
}

fn elapsed_ns(first: &Snapshot, last: &Snapshot) -> f64 {
    (last.now_ns - first.now_ns).max(1) as f64
}

/// The guests of a group at the start and at the end of the interval.
fn pairs<'a>(
    group: usize,
    first: &'a Snapshot,
    last: &'a Snapshot,
) -> impl Iterator<Item = (&'a GuestSnapshot, &'a GuestSnapshot)> {
    first.guests.iter().zip(&last.guests).filter(move |(_, guest)| guest.group as usize == group)
}

/// Where the time of the virtual CPUs went, one line for each group.
pub fn states(scenario: &Scenario, first: &Snapshot, last: &Snapshot) -> String {
    let spent: Vec<[u64; GuestState::ALL.len()]> = (0..scenario.guests.len())
        .map(|group| {
            GuestState::ALL.map(|state| pairs(group, first, last).map(|(a, b)| b.time_in(state) - a.time_in(state)).sum())
        })
        .collect();
    let shown: Vec<usize> = (0..GuestState::ALL.len()).filter(|&state| spent.iter().any(|group| group[state] > 0)).collect();
    let titles: Vec<String> = shown.iter().map(|&at| letters::capitalised(state::guest(GuestState::ALL[at]))).collect();
    let mut header = vec![("Group", Align::Left)];
    header.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
    header.push(("All", Align::Right));
    let row = |(group, spent): (&GuestGroup, &[u64; GuestState::ALL.len()])| {
        let tenths = tenths_of_100(spent);
        let percent = |tenths: u64| format!("{}.{}", tenths / 10, tenths % 10);
        let mut row = vec![name(group)];
        row.extend(shown.iter().map(|&state| percent(tenths[state])));
        row.push(percent(tenths.iter().sum()));
        row
    };
    let rows: Vec<Vec<String>> = scenario.guests.iter().zip(&spent).map(row).collect();
    format!("\nGuests' time by state, % of the time of their virtual CPUs\n{}", render(&header, &rows))
}

/// What each group of guests did and what it waited for, one line for each; nothing where there is one group only.
pub fn groups(scenario: &Scenario, measurement: &Measurement) -> String {
    if measurement.groups.is_empty() {
        return String::new();
    }
    let header = [
        ("Group", Align::Left),
        ("Guests", Align::Right),
        ("Transactions/s", Align::Right),
        ("Response ms", Align::Right),
        ("Running %", Align::Right),
        ("Steal %", Align::Right),
        ("Storage wait %", Align::Right),
        ("I/O wait %", Align::Right),
        ("Held back %", Align::Right),
    ];
    let some = |value: Option<f64>| value.map_or("-".into(), number);
    let row = |of: &OfGroup| {
        let waits = [of.running, of.steal, of.storage_wait, of.io_wait, of.list_wait].map(|percent| fixed(percent, 1));
        let name = scenario.guests.get(of.group as usize).map_or(String::new(), name);
        [name, of.guests.to_string(), some(of.etr), some(of.response_ms)].into_iter().chain(waits).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = measurement.groups.iter().map(row).collect();
    let serves = scenario.guests.iter().any(|group| group.role == Role::Server);
    let servers = if serves { "; what a server answers is part of its clients' transactions" } else { "" };
    format!("\nGuests by group; held back: in the eligible list or the limit list{servers}\n{}", render(&header, &rows))
}

/// Each part in tenths of a percent of all. The remainder after rounding goes to the largest fractions, so that the sum is 100 %.
fn tenths_of_100<const N: usize>(parts: &[u64; N]) -> [u64; N] {
    let sum: u128 = parts.iter().map(|&part| u128::from(part)).sum();
    if sum == 0 {
        return [0; N];
    }
    let scaled = parts.map(|part| u128::from(part) * 1000);
    let mut tenths = scaled.map(|part| (part / sum) as u64);
    let mut order: Vec<usize> = (0..N).collect();
    order.sort_by_key(|&index| (Reverse(scaled[index] % sum), index));
    let left = 1000 - tenths.iter().sum::<u64>();
    order.iter().take(left as usize).for_each(|&index| tenths[index] += 1);
    tenths
}

/// The processor time that each group got of the partition, and what its share came to.
/// `shares_ppm` has what each group's share came to, in millionths of the partition.
pub fn shares(scenario: &Scenario, shares_ppm: &[u64], first: &Snapshot, last: &Snapshot) -> String {
    let all = elapsed_ns(first, last) * f64::from(last.processors.count);
    let header = [
        ("Group", Align::Left),
        ("Guests", Align::Right),
        ("SET SHARE, each", Align::Left),
        ("Comes to %", Align::Right),
        ("CPU %", Align::Right),
    ];
    let row = |(index, group): (usize, &GuestGroup)| {
        let used: u64 = pairs(index, first, last).map(|(a, b)| b.cpu_ns - a.cpu_ns).sum();
        let share = shares_ppm.get(index).copied().unwrap_or_default() as f64 / 1e4;
        vec![name(group), group.count.to_string(), share_of(group), fixed(share, 2), fixed(used as f64 / all * 100.0, 2)]
    };
    let rows: Vec<Vec<String>> = scenario.guests.iter().enumerate().map(row).collect();
    format!(
        "\nProcessor time against share, % of the partition; Comes to: the share among the guests that are not dormant, mean over the interval\n{}",
        render(&header, &rows)
    )
}

/// The operands of SET SHARE.
fn share_of(group: &GuestGroup) -> String {
    let share = match group.share_type {
        ShareType::Relative => format!("RELATIVE {}", group.share_relative),
        ShareType::Absolute => format!("ABSOLUTE {}%", group.share_absolute),
    };
    match group.limit_type {
        LimitType::NoLimit => share,
        limit => format!("{share} ABSOLUTE {}% {}", group.limit_absolute, limit.as_str()),
    }
}

/// What the dispatcher did, and the lock of VARY PROCESSOR.
pub fn processors(first: &Snapshot, last: &Snapshot) -> String {
    let (a, b) = (&first.processors, &last.processors);
    let mut text = format!(
        "\nDispatcher: {} virtual CPUs given to a processor, {} of them taken from another's vector, {} reshuffles.\n\
         At the end {} of {} processors are busy; ready virtual CPUs: {}, {} of them in no vector.\n",
        b.dispatches - a.dispatches,
        b.steals - a.steals,
        b.reshuffles - a.reshuffles,
        b.busy,
        b.count,
        b.ready,
        b.beyond_vectors
    );
    if last.locks.vary_held {
        let _ = writeln!(text, "VARY PROCESSOR holds its lock, and {} virtual CPUs wait for it.", last.locks.vary_waiting);
    }
    text
}

/// The physical processor time that PR/SM gave this partition, and its overhead.
pub fn prsm(first: &Snapshot, last: &Snapshot) -> String {
    let processors = |ns: u64| number(ns as f64 / elapsed_ns(first, last));
    let (a, b) = (&first.prsm, &last.prsm);
    let entitled = b.entitled_thousandths as f64 / 1e3;
    let capped = match b.capped_thousandths {
        0 => String::new(),
        cap => format!(" and capped at {}", number(cap as f64 / 1e3)),
    };
    format!(
        "\nPR/SM: {} logical processors of all partitions on {} physical ones. This partition is entitled to {} processors{}; it had {}, \
         the others {}, and PR/SM itself {} for this partition and {} for the others.\n",
        b.logical,
        b.physical,
        number(entitled),
        capped,
        processors(b.own_ns - a.own_ns),
        processors(b.other_ns - a.other_ns),
        processors(b.own_overhead_ns - a.own_overhead_ns),
        processors(b.other_overhead_ns - a.other_overhead_ns)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_parts_sum_to_100() {
        for parts in [
            [1, 1, 1, 0, 0, 0, 0, 0, 0],
            [1; 9],
            [u64::MAX / 9; 9],
            [7, 0, 0, 0, 0, 0, 0, 0, 0],
            [997, 1, 1, 1, 0, 0, 0, 0, 0],
        ] {
            assert_eq!(tenths_of_100(&parts).iter().sum::<u64>(), 1000, "{parts:?}");
        }
        assert_eq!(tenths_of_100(&[1, 1, 1, 0, 0, 0, 0, 0, 0])[..4], [334, 333, 333, 0]);
        assert_eq!(tenths_of_100(&[0; 9]), [0; 9]);
    }
}
