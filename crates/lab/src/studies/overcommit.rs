//! The study of overcommitted storage: more and more guests in the same storage, from half of what fits to three times that.

use zvmlab::Figure;
use zvmlab::scenario::{Pattern, Scenario};

use super::curves::{self, Known, Plain};
use super::{Stand, StudyKind};
use crate::host::{is_cluster, looped_mb};
use crate::room::Room;
use crate::subjects::overcommit::OVERCOMMIT as SUBJECT;
use crate::words::limit;
use crate::words::number::short;

/// Throughput over guests, from half of storage to three times of it.
pub static OVERCOMMIT: &StudyKind = &StudyKind {
    name: "overcommit",
    title: "More and more guests, from half of storage to three times of it",
    room: Room::Storage,
    stand: Stand::First,
    subjects: &[SUBJECT],
    link: Some("Throughput over guests"),
    lacking,
    places: |scenario| RATIOS.iter().map(|ratio| guests(scenario, *ratio).to_string()).collect(),
    put: |scenario, _, place| {
        let count = guests(scenario, RATIOS[place]);
        scenario.guests.iter_mut().for_each(|group| group.count = count);
        let measure = &mut scenario.measure;
        (measure.warmup_s, measure.interval_s) = (measure.warmup_s.min(WARMUP_S), measure.interval_s.min(INTERVAL_S));
    },
    first: &[2, 6, 10],
    is_shortened: true,
    stands: Some(|scenario| {
        let count = scenario.guests.first().map_or(1, |group| group.count);
        (place(ratio(scenario)), format!("{count} guests, {} : 1", short(ratio(scenario))))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// Storage that all guests touch, as multiples of central storage. Chosen: closest together where hosts with some locality turn.
const RATIOS: [f64; 11] = [0.5, 0.75, 1.0, 1.25, 1.5, 1.625, 1.75, 1.875, 2.0, 2.5, 3.0];

/// The longest warm-up and interval of a point, in seconds. Chosen: they put the points in the same order as longer ones do.
const WARMUP_S: u32 = 20;
const INTERVAL_S: u32 = 20;

/// The least number of guests at half of storage: with fewer, places would coincide.
const FEWEST: u32 = 4;

const CURVES: &Plain = &Plain {
    drawn: &[
        ("overcommit-etr", "Throughput over guests", Figure::Etr, "throughput"),
        ("overcommit-response", "Response time over guests", Figure::ResponseTime, "response time"),
        ("overcommit-pages", "Page rate over guests", Figure::PagesPerSecond, "the page rate"),
    ],
    x: "Guests",
    places: "guests",
    waiting: "The same guests in growing numbers: together they touch from half of central storage to three times of it. Where it turns is named when all points have run.",
    best: Some(turn),
    ..Plain::ONE_LINE
};

fn lacking(scenario: &Scenario) -> Option<&'static str> {
    let [group] = scenario.guests.as_slice() else { return Some("there are several groups of guests") };
    Some(match () {
        () if is_cluster(scenario) => "the host is a cluster",
        () if group.pattern != Pattern::Random => "its guests walk through their storage in order",
        () if guests(scenario, RATIOS[0]) < FEWEST => "a guest touches so much that only a few fit",
        () if guests(scenario, RATIOS[RATIOS.len() - 1]) > MOST => {
            "its guests touch so little that hundreds would be needed"
        }
        () => return None,
    })
}

/// The most guests of a point. Chosen: it keeps the study short.
const MOST: u32 = 400;

/// What all guests touch, as a multiple of central storage.
fn ratio(scenario: &Scenario) -> f64 {
    looped_mb(scenario) as f64 / scenario.storage.central_mb as f64
}

/// How many guests touch this multiple of central storage together.
fn guests(scenario: &Scenario, ratio: f64) -> u32 {
    let each = scenario.guests.first().map_or(1, |group| group.loop_mb.max(1));
    ((scenario.storage.central_mb as f64 * ratio / each as f64).round() as u32).max(1)
}

/// Where a ratio stands among the places.
fn place(ratio: f64) -> f64 {
    let above = RATIOS.iter().position(|&known| known >= ratio).unwrap_or(RATIOS.len() - 1);
    let Some(below) = above.checked_sub(1) else { return 0.0 };
    below as f64 + ((ratio - RATIOS[below]) / (RATIOS[above] - RATIOS[below])).clamp(0.0, 1.0)
}

/// Up to where more guests do more, what limits from there on, and what is left at the end.
fn turn(known: &Known) -> Option<String> {
    let ratio = |place: usize| RATIOS.get(place).map(|ratio| format!("{} : 1", short(*ratio)));
    let (best, last) = (known.values.iter().max_by(|a, b| a.1.total_cmp(&b.1))?, known.values.last()?);
    let limit = |place: usize| known.studied.study.line(0).find(|(point, _)| point.place == place)?.1.limit;
    let most = format!(
        "Throughput grows up to {} guests (touched to real storage {}), with {}",
        known.name(best.0),
        ratio(best.0)?,
        known.write(best.1)
    );
    let Some(next) = known.values.iter().find(|(place, _)| *place > best.0) else {
        return Some(match limit(last.0) {
            Some(kind) => format!("{most}; there {} limits.", limit::name(kind)),
            None => format!("{most}; nothing limits yet."),
        });
    };
    let turns = match (limit(best.0), limit(next.0)) {
        (was, Some(kind)) if was == Some(kind) => format!("What limits there and beyond: {}", limit::name(kind)),
        (Some(was), Some(kind)) => format!("What limits there: {}; beyond: {}", limit::name(was), limit::name(kind)),
        (None, Some(kind)) => format!("Nothing limits there; beyond it does: {}", limit::name(kind)),
        (_, None) => "Nothing is near its limit beyond".into(),
    };
    let left = if best.1 > 0.0 { last.1 / best.1 * 100.0 } else { 0.0 };
    Some(format!("{most}. {turns}. At {} guests {}\u{a0}% of that is left.", known.name(last.0), short(left)))
}

#[cfg(test)]
mod tests {
    use zvmlab::limit::ResourceKind;

    use super::super::studied::tests::{complete, short_example, studied};
    use super::*;

    #[test]
    fn throughput_collapses_where_hot_pages_no_longer_fit_and_the_sentence_names_what_limits() {
        let mut base = short_example("OVERCOMMIT-GUESTS", 3);
        base.measure.warmup_s = 4;
        // Half of the host keeps the test short.
        base.storage.central_mb /= 2;
        base.guests.iter_mut().for_each(|group| {
            [&mut group.virtual_mb, &mut group.loop_mb, &mut group.active_mb].into_iter().for_each(|mb| *mb /= 2);
        });
        let study = complete(OVERCOMMIT, base.clone());
        let etr = curves_of(&study);
        let [half, one, end] = [0, 2, 10].map(|place: usize| etr[place].1);
        assert!(one > half * 1.8, "as long as all fits, twice the guests do twice as much: {etr:?}");
        assert!(end < one / 2.0, "at three times of storage the host does less than with a third of the guests: {etr:?}");
        let limits: Vec<_> = study.line(0).map(|(_, measured)| measured.limit).collect();
        assert_eq!((limits[0], limits[10]), (None, Some(ResourceKind::PageVolumes)), "{limits:?}");
        let said = (OVERCOMMIT.charts)(&studied(&study, &[]))[0].summary.clone();
        assert!(said.starts_with("Throughput grows up to ") && said.contains("page volumes"), "{said}");
        assert_eq!(OVERCOMMIT.stands(&base).map(|stands| stands.0), Some(2.0), "the host begins at one to one");
    }

    fn curves_of(study: &super::super::study::Study) -> Vec<(usize, f64)> {
        study.line(0).filter_map(|(point, measured)| Some((point.place, measured.get(Figure::Etr)?))).collect()
    }
}
