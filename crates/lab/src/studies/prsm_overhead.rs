//! The study of PR/SM's overhead over the number of logical processors.

use zvmlab::Figure;

use super::StudyKind;
use super::curves::{self, Plain, SAME};
use super::places::among;
use crate::room::Room;
use crate::subjects::prsm::PRSM;
use crate::words::unit::percent;

/// What PR/SM takes as a partition gets more logical processors.
pub static PRSM_OVERHEAD: &StudyKind = &StudyKind {
    name: "prsm-overhead",
    title: "More logical processors: what PR/SM takes",
    room: Room::Prsm,
    subjects: &[PRSM],
    lacking: |scenario| (!scenario.processors.shared).then_some("the processors are dedicated"),
    // A partition has at most as many logical processors as there are physical ones.
    places: |base| LOGICAL.iter().filter(|count| **count <= base.prsm.physical).map(u32::to_string).collect(),
    put: |scenario, _, place| scenario.processors.count = LOGICAL[place],
    stands: Some(|scenario| {
        let count = scenario.processors.count;
        (among(count, &LOGICAL), format!("{count} logical processors"))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// The numbers of logical processors.
const LOGICAL: [u32; 11] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64];

const CURVES: &Plain = &Plain {
    drawn: &[
        (
            "prsm-study-own",
            "PR/SM overhead over logical processors",
            Figure::PrsmOverhead,
            "PR/SM's overhead for this partition",
        ),
        ("prsm-study-all", "The same for all partitions", Figure::PrsmOverheadAll, "PR/SM's overhead for all partitions"),
        ("prsm-study-etr", "Throughput over logical processors", Figure::Etr, "throughput"),
    ],
    x: "Logical processors of this partition",
    places: "logical processors",
    waiting: "The same partition with more and more logical processors.",
    best: Some(|known| best(&known.places, &known.values, &|value| known.write(value))),
    ..Plain::ONE_LINE
};

/// The sentence about throughput over logical processors: where it is best, what one processor fewer gives, and what the two
/// trade.
fn best(places: &[String], values: &[(usize, f64)], write: &dyn Fn(f64) -> String) -> Option<String> {
    let most = values.iter().map(|point| point.1).fold(0.0, f64::max);
    let (_, last) = values.last()?;
    // Of several equally good numbers, the smallest.
    let at = values.iter().position(|point| point.1 >= most * SAME)?;
    let (best, value) = values.get(at)?;
    let name = |place: usize| places.get(place).cloned().unwrap_or_default();
    let of_best = |other: f64| percent((other / value * 100.0).round());
    let fewer = at.checked_sub(1).and_then(|at| values.get(at));
    let fewer = fewer.map_or(String::new(), |(place, other)| format!("; {} give {} of that", name(*place), of_best(*other)));
    let more = values.last().filter(|point| point.0 > *best).map(|(place, _)| {
        let than = if *last < value * SAME { of_best(*last) } else { "no more".into() };
        format!(", {} give {than}", name(*place))
    });
    Some(format!(
        "Best is {}, with {}{fewer}{}. With too few, work waits for a logical processor; each one too many costs PR/SM time and divides the same weight further.",
        name(*best),
        write(*value),
        more.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::number::short;

    #[test]
    fn the_best_number_of_logical_processors_is_named() {
        let places: Vec<String> = ["1", "2", "3", "4", "8"].map(String::from).into();
        let values = [(0, 458.6), (1, 867.6), (2, 918.1), (3, 917.2), (4, 885.5)];
        let said = best(&places, &values, &|value| short(value)).expect("there are values");
        let wanted = "Best is 3, with 918; 2 give 94\u{a0}% of that, 8 give 96\u{a0}%. ";
        assert!(said.starts_with(wanted), "{said}");
        let level = best(&places, &[(0, 10.0), (1, 10.0)], &|value| short(value)).expect("there are values");
        assert!(level.starts_with("Best is 1, with 10, 2 give no more. "), "{level}");
        assert_eq!(best(&places, &[], &|value| short(value)), None);
    }
}
