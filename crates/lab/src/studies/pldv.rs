//! The study of vectors that overflow: with and without VM64887, over the number of guests.

use zvmlab::Figure;

use super::StudyKind;
use super::curves::{self, Plain};
use super::places::{among, named};
use crate::host::pages;
use crate::room::Room;
use crate::subjects::pldv::PLDV as SUBJECT;

/// With and without VM64887, over the number of guests.
pub static PLDV: &StudyKind = &StudyKind {
    name: "pldv",
    title: "Vectors that overflow, without and with VM64887",
    room: Room::Processors,
    subjects: &[SUBJECT],
    lacking: |scenario| {
        Some(match scenario {
            _ if scenario.guests.len() != 1 => "there are several groups of guests",
            _ if scenario.does_io() || pages(scenario) => "the guests wait for I/O, not for processors",
            _ if scenario.dispatcher.vary_s > 0 => "VARY PROCESSOR holds guests up",
            _ => return None,
        })
    },
    places: |_| named(&GUESTS),
    lines: CURVES.lines.len(),
    put: |scenario, line, place| {
        scenario.guests.iter_mut().for_each(|group| group.count = GUESTS[place]);
        scenario.dispatcher.pldv_fix = line == 1;
    },
    stands: Some(|scenario| {
        let count = scenario.guests.first().map_or(1, |group| group.count);
        let fix = if scenario.dispatcher.pldv_fix { "with VM64887" } else { "without VM64887" };
        (among(count, &GUESTS), format!("{count} guests, {fix}"))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// The numbers of guests.
const GUESTS: [u32; 9] = [5, 10, 20, 30, 40, 60, 80, 100, 120];

const CURVES: &Plain = &Plain {
    drawn: &[
        ("pldv-study-forgotten", "Forgotten work over guests", Figure::ForgottenWork, "forgotten work"),
        ("pldv-study-ready", "Wait for a processor over guests", Figure::ReadyWait, "the wait for a processor"),
        ("pldv-study-etr", "Throughput over guests", Figure::Etr, "throughput"),
    ],
    lines: &["without VM64887", "with VM64887"],
    x: "Guests",
    places: "guests",
    waiting: "The same guests in growing numbers.",
    ..Plain::ONE_LINE
};

#[cfg(test)]
mod tests {
    use super::super::studied::Curve;
    use super::super::studied::tests::{complete, short_example, studied};
    use super::*;

    #[test]
    fn work_is_forgotten_without_the_fix_only_and_a_sentence_says_so_of_the_bench() {
        let base = short_example("PLDV", 1);
        let study = complete(PLDV, base);
        let charts = (PLDV.charts)(&studied(&study, &[]));
        assert_eq!(charts.len(), 3);
        let curve = |line| Curve { name: "", look: 0, line, figure: Figure::ForgottenWork, relative_to: None };
        let [without, with] = [0, 1].map(|line| curve(line).model(&studied(&study, &[])));
        assert!(without.iter().any(|point| point.1 > 0.1), "{without:?}");
        assert!(with.iter().all(|point| point.1 < 0.01), "{with:?}");
        let said = &charts[0].summary;
        assert!(said.starts_with("At 60 guests, forgotten work is ") && said.contains(" without VM64887 and 0"), "{said}");
    }
}
