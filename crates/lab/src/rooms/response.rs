//! Response time: how long a cycle takes in each group of guests. If groups differ, their mean says little.

use zvmlab::Snapshot;

use super::compared::{BEFORE, NOW, PINNED, Window, chart as framed, now_name, pinned, window, window_of};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::words::unit::with_unit;

/// A group of guests, and how long its cycles take in milliseconds if one has ended.
type Group = (u32, String, Option<f64>);

/// The chart, if several groups work in cycles.
pub fn chart(evidence: &Evidence) -> Option<Chart> {
    let window = window(evidence)?;
    let serve = window.to.guests.iter().any(|guest| guest.serves);
    let groups = groups(window);
    if groups.len() < 2 {
        return None;
    }
    // The baseline may have other groups. A group is the same if number and name are.
    let before = pinned(evidence).map(|before| self::groups(window_of(before)));
    let mut keys = vec![Key::new(now_name(evidence), NOW)];
    keys.extend(before.as_ref().map(|_| Key::new(BEFORE, PINNED)));
    let row = |(number, name, time): &Group| {
        let mut values = vec![*time];
        values.extend(before.as_ref().map(|before| {
            let same = before.iter().find(|other| (other.0, &other.1) == (*number, name));
            same.and_then(|other| other.2)
        }));
        Row { label: name.clone(), values }
    };
    let grid = Grid {
        row_name: "Guests".into(),
        value: Quantity::new("Response time", "ms"),
        keys,
        rows: groups.iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 0.0,
    };
    Some(framed(evidence, "response-groups", "Response time by group", summary(&groups, serve), Plot::Columns(grid)))
}

/// The groups whose guests work in cycles.
fn groups(window: Window) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for guest in window.to.guests.iter().filter(|guest| guest.in_cycles) {
        if groups.last().is_none_or(|group| group.0 != guest.group) {
            let name = guest.name.rsplit_once('-').map_or(guest.name.as_str(), |(name, _)| name);
            groups.push((guest.group, name.into(), time(window, guest.group)));
        }
    }
    groups
}

/// How long a cycle of a group takes, in milliseconds.
fn time(window: Window, group: u32) -> Option<f64> {
    let sum = |snapshot: &Snapshot, of: fn(&zvmlab::snapshot::GuestSnapshot) -> u64| {
        snapshot.guests.iter().filter(|guest| guest.group == group).map(of).sum::<u64>()
    };
    let cycles = window.growth(|snapshot| sum(snapshot, |guest| guest.cycles));
    (cycles > 0.0).then(|| window.growth(|snapshot| sum(snapshot, |guest| guest.response_ns)) / cycles / 1e6)
}

fn summary(groups: &[Group], serve: bool) -> String {
    let one = |(_, name, time): &Group| match time {
        Some(time) => format!("{name} {}", with_unit(*time, "ms")),
        None => format!("{name} ended nothing"),
    };
    let whose = if serve { "; of servers from the request to the answer" } else { "" };
    format!(
        "Mean time from the end of a pause to the end of the work, for each group{whose}: {}.",
        groups.iter().map(one).collect::<Vec<_>>().join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{evidence_of, settled_evidence};
    use super::*;

    #[test]
    fn each_group_that_works_in_cycles_has_its_own_time() {
        let example = zvmlab::scenario::examples::example("CLASSES").expect("an example");
        let mut scenario = zvmlab::Scenario::parse(example.text).expect("valid");
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, 4);
        let chart = chart(&evidence_of(scenario)).expect("there are several groups");
        let Plot::Columns(grid) = &chart.plot else { panic!("columns") };
        assert!(grid.rows.len() >= 2, "{:?}", grid.rows);
        assert!(grid.rows[0].values[0].is_some_and(|time| time > 0.0), "{:?}", grid.rows);
        assert!(chart.summary.contains(&grid.rows[1].label), "{}", chart.summary);
    }

    #[test]
    fn guests_that_are_alike_have_no_such_chart() {
        assert!(chart(&settled_evidence()).is_none());
    }
}
