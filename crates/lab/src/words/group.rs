//! Groups of guests: what each waits for, in words.

use zvmlab::Scenario;
use zvmlab::measurement::OfGroup;

use super::unit::percent;

/// A wait of less than this part of a group's time, in percent, is not told. Chosen.
const TOLD: f64 = 0.1;

/// The group's name and how many guests it has: `CMS (100)`.
pub fn name(scenario: &Scenario, of: &OfGroup) -> String {
    let name = scenario.guests.get(of.group as usize).map_or("", |group| group.name.as_str());
    format!("{name} ({})", of.guests)
}

/// What the guests of a group spend their time waiting for, the longest first, two at most: `storage 79 %, processors 3 %`.
pub fn waits(of: &OfGroup) -> String {
    let mut waits = [
        ("storage", of.storage_wait),
        ("I/O", of.io_wait),
        ("processors", of.steal),
        ("the scheduler's lists", of.list_wait),
    ];
    // Few, and of equal ones the first stays first.
    zvmlab::order::by(&mut waits, |a, b| b.1.total_cmp(&a.1));
    let told: Vec<String> = waits
        .into_iter()
        .filter(|(_, time)| *time >= TOLD)
        .take(2)
        .map(|(what, time)| format!("{what} {}", percent(time)))
        .collect();
    if told.is_empty() { "nothing".into() } else { told.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waits_are_told_first() {
        let none = OfGroup {
            group: 0,
            guests: 3,
            etr: None,
            response_ms: None,
            running: 20.0,
            steal: 0.0,
            storage_wait: 0.0,
            io_wait: 0.0,
            list_wait: 0.0,
        };
        assert_eq!(waits(&none), "nothing");
        let busy = OfGroup { steal: 4.04, storage_wait: 79.0, io_wait: 1.0, list_wait: 5.8, ..none };
        assert_eq!(waits(&busy), "storage 79\u{a0}%, the scheduler's lists 5.8\u{a0}%");
        let scenario = Scenario::default();
        assert_eq!(name(&scenario, &none), format!("{} (3)", scenario.guests[0].name));
    }
}
