//! Shares: each group's SET SHARE, what it comes to, its limit, and the CPU that it got.

use zvmlab::Scenario;
use zvmlab::scenario::{GuestGroup, LimitType, ShareType};
use zvmlab::scheduler::normalised_shares;

use super::compared::{
    BEFORE, NOW, PINNED, PUBLISHED, Window, chart as framed, current, now_name, once_each, pinned, sources, window,
    window_of,
};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::published::PublishedRun;
use crate::words::unit::percent;
use zvmlab::Figure;

/// The source of the four-guest example of excess share.
const EXCESS: &str = "excess-share-6.2";
/// Its columns: the run with the figures, what the deck calls the column, and its look.
const COLUMNS: [(&str, &str, usize); 3] = [
    ("All four compute-bound", "deck: Normalize", 5),
    ("Excess share, cured", "deck: Should Get", PUBLISHED),
    ("Excess share, fault", "deck: Problem Scenario", 4),
];
/// The CPU of the first four groups, as the reference has it.
const CPU: [Figure; 4] = [Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu, Figure::Group4Cpu];
/// The looks of the share given and of the limit.
const NORMALISED: usize = 6;
const LIMIT: usize = 7;

/// The chart, if shares or limits differ between guests.
pub fn chart(evidence: &Evidence) -> Option<Chart> {
    let scenario = &evidence.settled.as_ref()?.scenario;
    if !matters(scenario) {
        return None;
    }
    let window = window(evidence).filter(|window| fits(scenario, *window))?;
    let before = pinned(evidence).filter(|before| before.scenario.guests.len() == scenario.guests.len());
    let limited = scenario.guests.iter().any(|group| group.limit_type != LimitType::NoLimit);
    let deck: Vec<(&PublishedRun, &str, usize)> = deck(evidence, scenario);
    let mut keys = vec![Key::new("normalised share", NORMALISED)];
    keys.extend(limited.then(|| Key::new("limit", LIMIT)));
    keys.push(Key::new(&format!("CPU, {}", now_name(evidence)), NOW));
    keys.extend(before.map(|_| Key::new(&format!("CPU, {BEFORE}"), PINNED)));
    keys.extend(deck.iter().map(|(_, name, look)| Key::new(name, *look)));
    let normalised = normalised_shares(scenario);
    let row = |(index, group): (usize, &GuestGroup)| {
        let mut values = vec![normalised.get(index).copied()];
        values.extend(limited.then(|| (group.limit_type != LimitType::NoLimit).then(|| group.limit_absolute.as_f64())));
        values.push(Some(got(window, index)));
        values.extend(before.map(|before| Some(got(window_of(before), index))));
        values.extend(deck.iter().map(|(run, ..)| CPU.get(index).and_then(|figure| run.value(*figure))));
        Row { label: format!("{}, {}", group.name, given(group)), values }
    };
    let grid = Grid {
        row_name: "Guests".into(),
        value: Quantity::new("Part of the partition", "%"),
        keys,
        rows: scenario.guests.iter().enumerate().map(row).collect(),
        levels: Vec::new(),
        at_least: 0.0,
    };
    let mut made = framed(
        evidence,
        "shares",
        "Shares: given, due and got",
        summary(scenario, window, &normalised),
        Plot::Columns(grid),
    );
    made.sources = once_each(CPU.iter().flat_map(|figure| sources(deck.iter().map(|(run, ..)| *run), *figure)));
    Some(made)
}

/// Whether shares or limits differ between guests, so that there is something to see.
pub fn matters(scenario: &Scenario) -> bool {
    let apart = |pair: &[GuestGroup]| given(&pair[0]) != given(&pair[1]);
    scenario.guests.windows(2).any(apart)
        || scenario
            .guests
            .iter()
            .any(|group| group.share_type == ShareType::Absolute || group.limit_type != LimitType::NoLimit)
}

/// Whether the run has the groups of `scenario`. A live run follows the knobs; the settled result may not yet.
fn fits(scenario: &Scenario, window: Window) -> bool {
    window.to.guests.last().is_some_and(|guest| guest.group as usize + 1 == scenario.guests.len())
}

/// A share as SET SHARE gives it.
fn given(group: &GuestGroup) -> String {
    match group.share_type {
        ShareType::Relative => format!("RELATIVE {}", group.share_relative),
        ShareType::Absolute => format!("ABSOLUTE {} %", group.share_absolute),
    }
}

/// CPU that each guest of a group got, in percent of the partition.
fn got(window: Window, group: usize) -> f64 {
    let of_group = |snapshot: &zvmlab::Snapshot| {
        let guests = snapshot.guests.iter().filter(|guest| guest.group as usize == group);
        guests.map(|guest| guest.cpu_ns).sum::<u64>()
    };
    let count = window.to.guests.iter().filter(|guest| guest.group as usize == group).count();
    let processors = f64::from(window.to.processors.count.max(1));
    window.growth(of_group) / window.elapsed_ns() / processors / count.max(1) as f64 * 100.0
}

/// The columns of the deck, if the guests are those of its example.
fn deck<'a>(evidence: &'a Evidence, scenario: &Scenario) -> Vec<(&'a PublishedRun, &'static str, usize)> {
    let same = |run: &PublishedRun| {
        let shares = |scenario: &Scenario| {
            scenario.guests.iter().map(|group| (group.name.clone(), group.count, given(group))).collect::<Vec<_>>()
        };
        shares(&run.scenario) == shares(scenario)
    };
    if current(evidence).is_none_or(|run| run.source_id != EXCESS)
        && !evidence.published.iter().any(|run| run.source_id == EXCESS && same(run))
    {
        return Vec::new();
    }
    let column = |(id, name, look): &(&str, &'static str, usize)| {
        let run = evidence.published.iter().find(|run| run.id == *id && same(run))?;
        Some((run, *name, *look))
    };
    COLUMNS.iter().filter_map(column).collect()
}

fn summary(scenario: &Scenario, window: Window, normalised: &[f64]) -> String {
    let one = |(index, group): (usize, &GuestGroup)| {
        let each = if group.count > 1 { " each" } else { "" };
        let due = normalised.get(index).copied().unwrap_or(0.0);
        format!("{}{each} got {}, due {}", group.name, percent(got(window, index)), percent(due))
    };
    let told: Vec<String> = scenario.guests.iter().enumerate().take(4).map(one).collect();
    let more = if scenario.guests.len() > 4 { ", and so on" } else { "" };
    let goes = if scenario.scheduler.excess_fault { "goes to one other guest, the fault" } else { "goes to others" };
    format!("The share that a guest does not use {goes}: {}{more}.", told.join("; "))
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::published::{runs, scenario_of};

    #[test]
    fn shares_that_differ_matter() {
        let scenario = scenario_of("All four compute-bound").expect("a published run");
        assert!(matters(&scenario) && !matters(&Scenario::default()));
    }

    #[test]
    fn the_columns_of_the_deck_stand_beside_its_own_guests_only() {
        let scenario = scenario_of("Excess share, fault").expect("a published run");
        let mut evidence = crate::rooms::compared::tests::settled_evidence();
        evidence.published = std::rc::Rc::new(runs());
        assert_eq!(deck(&evidence, &scenario).len(), 3);
        assert!(deck(&evidence, &Scenario::default()).is_empty());
    }
}
