//! The study of SET SRM STORBUF: waiting in the eligible list, compared with paging.

use zvmlab::Figure;
use zvmlab::scenario::Level;

use super::curves::{self, Known, Plain, SAME};
use super::places::among;
use super::studied::{Curve, Studied};
use super::{Stand, StudyKind};
use crate::chart::scene::Shape;
use crate::chart::{Key, Point, Series};
use crate::knob::storbuf::lacking;
use crate::room::Room;
use crate::subjects::shares::SHARES;
use crate::subjects::storbuf::STORBUF as SUBJECT;
use crate::words::unit::NO_BREAK;

/// Waiting in the eligible list, compared with paging, from small numbers of STORBUF to large ones.
pub static STORBUF: &StudyKind = &StudyKind {
    name: "storbuf",
    title: "STORBUF from small to large: wait in the eligible list, or page",
    room: Room::Scheduler,
    stand: Stand::BeforeCharts,
    subjects: &[SUBJECT, SHARES],
    lacking,
    places: |_| STORBUFS.iter().map(|numbers| numbers[2].to_string()).collect(),
    put: |scenario, _, place| {
        let scheduler = &mut scenario.scheduler;
        [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = STORBUFS[place];
        scenario.measure.interval_s = scenario.measure.interval_s.min(INTERVAL_S);
    },
    // The numbers that INITIAL sets, and those between them. A study of the ends alone would teach that more is always
    // better.
    first: &[3, 5, 7, 4],
    is_shortened: true,
    stands: Some(|scenario| {
        let scheduler = &scenario.scheduler;
        let [first, second, third] = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3];
        (among(third, &STORBUFS.map(|numbers| numbers[2])), format!("{first} {second} {third}"))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// The numbers of STORBUF; the third number ascends. The two that INITIAL sets are kept as they are. The others have the
/// proportions of 300 250 200. Chosen: closest together where waiting turns into paging.
pub(super) const STORBUFS: [[u32; 3]; 9] = [
    [30, 25, 20],
    [75, 63, 50],
    [120, 100, 80],
    [125, 105, 95],
    [165, 138, 110],
    [195, 163, 130],
    [225, 188, 150],
    [300, 250, 200],
    [450, 375, 300],
];

/// The longest interval of a point, in seconds. Chosen: some four stays in Q3, which puts the points in the same order as
/// longer intervals do, and short enough to run all points before the reader asks.
const INTERVAL_S: u32 = 45;

const CURVES: &Plain = &Plain {
    drawn: &[
        ("storbuf-etr", "Throughput over STORBUF", Figure::Etr, "throughput"),
        ("storbuf-pages", "Page rate over STORBUF", Figure::PagesPerSecond, "the page rate"),
        ("storbuf-eligible", "Who waits, over STORBUF", Figure::EligibleGuests, "the number of guests in the eligible list"),
    ],
    x: "Third number of STORBUF (% for Q3)",
    places: "for Q3",
    waiting: "All three numbers grow together, in the proportions of 300 250 200; the values that INITIAL sets are marked. The best is named when all points have run.",
    best: Some(best),
    marks: initial,
    ..Plain::ONE_LINE
};

/// The results at the numbers that INITIAL sets, marked on the curve.
fn initial(studied: &Studied, curve: &Curve) -> Vec<Series> {
    let model = curve.model(studied);
    let mark = |(level, when, shape): (Level, &str, Shape)| {
        let numbers = level.storbuf_initial();
        let place = STORBUFS.iter().position(|known| *known == numbers)?;
        let y = model.iter().find(|(at, _)| *at == place)?.1;
        let [first, second, third] = numbers;
        let name = format!("{first} {second} {third}, INITIAL {when} 6.2");
        let key = Key::new(&name, 1).shaped(shape);
        Some(Series { key, joined: false, points: vec![Point { x: f64::from(third), y, label: None }] })
    };
    [(Level::V6_1, "before", Shape::Square), (Level::V6_2, "from", Shape::Diamond)].into_iter().filter_map(mark).collect()
}

/// Which numbers are best, and the results at those that INITIAL sets.
fn best(known: &Known) -> Option<String> {
    let values = &known.values;
    let most = values.iter().map(|point| point.1).fold(0.0, f64::max);
    let good = || values.iter().filter(|point| point.1 >= most * SAME);
    // Of several equally good numbers, the smallest.
    let (best, last_good, last) = (good().next()?, good().next_back()?, values.last()?);
    let on = if last_good.0 == last.0 && best.0 < last.0 { " and from there on" } else { "" };
    let at = |numbers: [u32; 3]| {
        let place = STORBUFS.iter().position(|known| *known == numbers)?;
        values.iter().find(|(at, _)| *at == place).map(|(_, value)| known.write(*value))
    };
    let [old, new] = [Level::V6_1, Level::V6_2].map(Level::storbuf_initial);
    let [one, two, three] = STORBUFS.get(best.0)?;
    let others = [old, new].into_iter().filter(|numbers| *numbers != [*one, *two, *three]);
    let others = others.map(|numbers| Some(format!("{} {} {} gives {}", numbers[0], numbers[1], numbers[2], at(numbers)?)));
    let others: Vec<String> = others.collect::<Option<_>>()?;
    let short = known.studied.study.shorter_interval();
    let short = short.map_or(String::new(), |short| format!(" Each point measures {short}{NO_BREAK}s."));
    let best = known.write(best.1);
    Some(format!("Best of these is {one} {two} {three}{on}, with {best}; {}.{short}", others.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::super::studied::tests::{complete, short_example, studied};
    use super::*;
    use crate::chart::Plot;

    #[test]
    fn what_initial_sets_is_marked_on_the_curves_of_storbuf() {
        let mut base = short_example("STORBUF", 5);
        // An eighth of the host keeps the test short.
        base.storage.central_mb = 512;
        base.guests.iter_mut().for_each(|group| (group.virtual_mb, group.loop_mb) = (64, 32));
        let study = complete(STORBUF, base);
        let charts = (STORBUF.charts)(&studied(&study, &[]));
        let Plot::Lines(lines) = &charts[0].plot else { panic!("lines") };
        let names: Vec<&str> = lines.series.iter().map(|series| series.key.name.as_str()).collect();
        assert_eq!(names, ["model", "125 105 95, INITIAL before 6.2", "300 250 200, INITIAL from 6.2"]);
        assert!(charts[0].summary.starts_with("Best of these is "), "{}", charts[0].summary);
        let eligible = Curve { name: "", look: 0, line: 0, figure: Figure::EligibleGuests, relative_to: None };
        let model = eligible.model(&studied(&study, &[]));
        assert!(model[0].1 > model[8].1, "smaller numbers keep more guests waiting: {model:?}");
    }
}
