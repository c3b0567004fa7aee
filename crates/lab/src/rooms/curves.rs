//! Studies that are plain curves: STORBUF, PR/SM's overhead, CP's spin locks, and vectors that overflow.

use zvmlab::Figure;
use zvmlab::scenario::Level;

use super::studied::{Curve, Studied, Words, chart};
use crate::chart::scene::Shape;
use crate::chart::{Chart, Key, Plot, Point, Quantity, Series};
use crate::studies::{STORBUFS, StudyKind};
use crate::words::number::short;
use crate::words::unit::{NO_BREAK, percent};

/// One chart of a study: id, title, figure, and what the figure is in a sentence's middle.
type Drawn = (&'static str, &'static str, Figure, &'static str);

const STORBUF: [Drawn; 3] = [
    ("storbuf-etr", "Throughput over STORBUF", Figure::Etr, "throughput"),
    ("storbuf-pages", "Page rate over STORBUF", Figure::PagesPerSecond, "the page rate"),
    ("storbuf-eligible", "Who waits, over STORBUF", Figure::EligibleGuests, "the number of guests in the eligible list"),
];
const PRSM: [Drawn; 3] = [
    (
        "prsm-study-own",
        "PR/SM overhead over logical processors",
        Figure::PrsmOverhead,
        "PR/SM's overhead for this partition",
    ),
    ("prsm-study-all", "The same for all partitions", Figure::PrsmOverheadAll, "PR/SM's overhead for all partitions"),
    ("prsm-study-etr", "Throughput over logical processors", Figure::Etr, "throughput"),
];
const SPIN_LOCK: [Drawn; 3] = [
    (
        "spin-study-prsm",
        "PR/SM overhead of all partitions over demand",
        Figure::PrsmOverheadAll,
        "PR/SM's overhead for all partitions",
    ),
    ("spin-study-cp", "CP's time spinning over demand", Figure::CpSpin, "CP's time spinning"),
    ("spin-study-etr", "Throughput over demand", Figure::Etr, "throughput"),
];
const PLDV: [Drawn; 3] = [
    ("pldv-study-forgotten", "Forgotten work over guests", Figure::ForgottenWork, "forgotten work"),
    ("pldv-study-ready", "Wait for a processor over guests", Figure::ReadyWait, "the wait for a processor"),
    ("pldv-study-etr", "Throughput over guests", Figure::Etr, "throughput"),
];

/// Part of the best throughput from which another is as good. Chosen: chance alone makes such a difference.
const SAME: f64 = 0.99;

/// The charts of a study.
pub fn charts(studied: &Studied) -> Vec<Chart> {
    let (drawn, lines, x): (&[Drawn], &[&'static str], Quantity) = match studied.study.kind {
        StudyKind::Storbuf => (&STORBUF, &["model"], Quantity::new("Third number of STORBUF (% for Q3)", "")),
        StudyKind::PrsmOverhead => (&PRSM, &["model"], Quantity::new("Logical processors of this partition", "")),
        StudyKind::SpinLock => {
            (&SPIN_LOCK, &["DIAG 44", "DIAG 9C"], Quantity::new("Demand of the other partitions (%)", ""))
        }
        StudyKind::Pldv => (&PLDV, &["without VM64887", "with VM64887"], Quantity::new("Guests", "")),
        StudyKind::SetCu | StudyKind::GuestZhpf | StudyKind::LimitHard => return Vec::new(),
    };
    drawn.iter().map(|drawn| one(studied, drawn, lines, &x)).collect()
}

fn one(studied: &Studied, (id, title, figure, word): &Drawn, lines: &[&'static str], x: &Quantity) -> Chart {
    let curve = |(line, name): (usize, &&'static str)| Curve { name, look: line, line, figure: *figure, relative_to: None };
    let curves: Vec<Curve> = lines.iter().enumerate().map(curve).collect();
    let known = studied.is_of_bench && studied.study.batch.is_complete();
    let said = known.then(|| summary(studied, &curves, word)).flatten();
    let words = Words {
        id,
        title,
        summary: said.unwrap_or_else(|| waiting(studied.study.kind).into()),
        x: x.clone(),
        y: Quantity::new(figure.label(), figure.unit()),
    };
    let mut chart = chart(studied, words, &curves, Vec::new());
    if let (StudyKind::Storbuf, Plot::Lines(lines), Some(curve)) = (studied.study.kind, &mut chart.plot, curves.first()) {
        lines.series.extend(initial(studied, curve));
    }
    chart
}

/// What a study is about, while its curves are not known.
fn waiting(kind: StudyKind) -> &'static str {
    match kind {
        StudyKind::Storbuf => {
            "All three numbers grow together, in the proportions of 300 250 200; the values that INITIAL sets are marked. The best is named when all points have run."
        }
        StudyKind::PrsmOverhead => "The same partition with more and more logical processors.",
        StudyKind::SpinLock => "The more others want, the more often a lock's holder has no physical processor.",
        _ => "The same guests in growing numbers.",
    }
}

/// What the numbers of STORBUF that INITIAL sets come to, marked on the curve.
fn initial(studied: &Studied, curve: &Curve) -> Vec<Series> {
    let model = curve.model(studied);
    let mark = |(level, when, shape): (Level, &str, Shape)| {
        let numbers = level.storbuf_initial();
        let place = STORBUFS.iter().position(|known| *known == numbers)?;
        let y = model.iter().find(|(at, _)| *at == place)?.1;
        let [first, second, third] = numbers;
        let name = format!("{first} {second} {third}, INITIAL {when} 6.2");
        let key = Key::new(&name, 1).shaped(shape);
        Some(Series { key, joined: false, points: vec![Point { x: place as f64, y, label: None }] })
    };
    [(Level::V6_1, "before", Shape::Square), (Level::V6_2, "from", Shape::Diamond)].into_iter().filter_map(mark).collect()
}

/// What the curves say, in a sentence.
fn summary(studied: &Studied, curves: &[Curve], word: &str) -> Option<String> {
    let kind = studied.study.kind;
    let places = studied.study.places();
    let values: Vec<Vec<(usize, f64)>> = curves.iter().map(|curve| curve.model(studied)).collect();
    let unit = curves.first()?.figure.unit();
    let first = values.first()?;
    let (from, to) = (first.first()?, first.last()?);
    let name = |place: usize| places.get(place).cloned().unwrap_or_default();
    let write = |value: f64| {
        format!("{}{}", short(value), if unit.is_empty() { String::new() } else { format!("{NO_BREAK}{unit}") })
    };
    Some(match (kind, values.get(1)) {
        (StudyKind::Storbuf, _) if curves.first()?.figure == Figure::Etr => {
            let most = first.iter().map(|point| point.1).fold(0.0, f64::max);
            let good = || first.iter().filter(|point| point.1 >= most * SAME);
            // Of numbers that are as good as each other, the smallest.
            let (best, last_good) = (good().next()?, good().next_back()?);
            let on = if last_good.0 == to.0 && best.0 < to.0 { " and from there on" } else { "" };
            let at = |numbers: [u32; 3]| {
                let place = STORBUFS.iter().position(|known| *known == numbers)?;
                first.iter().find(|(at, _)| *at == place).map(|(_, value)| write(*value))
            };
            let [old, new] = [Level::V6_1, Level::V6_2].map(Level::storbuf_initial);
            let [one, two, three] = STORBUFS.get(best.0)?;
            let others = [old, new].into_iter().filter(|numbers| *numbers != [*one, *two, *three]);
            let others =
                others.map(|numbers| Some(format!("{} {} {} gives {}", numbers[0], numbers[1], numbers[2], at(numbers)?)));
            let others: Vec<String> = others.collect::<Option<_>>()?;
            let short = studied.study.shorter_interval();
            let short = short.map_or(String::new(), |short| format!(" Each point measures {short}{NO_BREAK}s."));
            format!("Best of these is {one} {two} {three}{on}, with {}; {}.{short}", write(best.1), others.join(" and "))
        }
        (StudyKind::Storbuf, _) => {
            format!("From {} to {} for Q3, {word} goes from {} to {}.", name(from.0), name(to.0), write(from.1), write(to.1))
        }
        (_, Some(second)) => {
            // Where the bench stands, or nearest to it.
            let stands = kind.stands(studied.bench).map_or(0.0, |(x, _)| x);
            let near = |values: &[(usize, f64)]| {
                let away = |place: usize| (place as f64 - stands).abs();
                values.iter().min_by(|a, b| away(a.0).total_cmp(&away(b.0))).copied()
            };
            let (last, other) = (near(first)?, near(second)?);
            format!(
                "At {} {}, {word} is {} {} and {} {}.",
                name(last.0),
                match kind {
                    StudyKind::Pldv => "guests",
                    _ => "% demand",
                },
                write(last.1),
                with(curves.first()?.name),
                write(other.1),
                with(curves.get(1)?.name)
            )
        }
        (_, None) if curves.first()?.figure == Figure::Etr => logical(&places, first, &write)?,
        (_, None) => {
            format!(
                "From {} to {} logical processors, {word} goes from {} to {}.",
                name(from.0),
                name(to.0),
                write(from.1),
                write(to.1)
            )
        }
    })
}

/// What the curve of throughput over logical processors says: where it is best, what one fewer gives, and what is traded.
fn logical(places: &[String], values: &[(usize, f64)], write: &dyn Fn(f64) -> String) -> Option<String> {
    let most = values.iter().map(|point| point.1).fold(0.0, f64::max);
    let (_, last) = values.last()?;
    // Of numbers that are as good as each other, the smallest.
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

/// A line's name behind its value: `with DIAG 44`.
fn with(name: &str) -> String {
    if name.starts_with("with") { name.into() } else { format!("with {name}") }
}

#[cfg(test)]
mod tests {
    use zvmlab::Scenario;
    use zvmlab::scenario::examples::example;

    use super::super::studied::tests::{complete, studied};
    use super::*;

    /// An example with a short interval.
    fn short_example(id: &str, interval_s: u32) -> Scenario {
        let example = example(id).expect("an example");
        let mut scenario = Scenario::parse(example.text).expect("valid");
        (scenario.measure.warmup_s, scenario.measure.interval_s) = (1, interval_s);
        scenario
    }

    #[test]
    fn work_is_forgotten_without_the_fix_only_and_a_sentence_says_so_of_the_bench() {
        let base = short_example("PLDV", 1);
        let study = complete(StudyKind::Pldv, base);
        let charts = charts(&studied(&study, &[]));
        assert_eq!(charts.len(), 3);
        let curve = |line| Curve { name: "", look: 0, line, figure: Figure::ForgottenWork, relative_to: None };
        let [without, with] = [0, 1].map(|line| curve(line).model(&studied(&study, &[])));
        assert!(without.iter().any(|point| point.1 > 0.1), "{without:?}");
        assert!(with.iter().all(|point| point.1 < 0.01), "{with:?}");
        let said = &charts[0].summary;
        assert!(said.starts_with("At 60 guests, forgotten work is ") && said.contains(" without VM64887 and 0"), "{said}");
    }

    #[test]
    fn the_best_number_of_logical_processors_is_named() {
        let places: Vec<String> = ["1", "2", "3", "4", "8"].map(String::from).into();
        let values = [(0, 458.6), (1, 867.6), (2, 918.1), (3, 917.2), (4, 885.5)];
        let said = logical(&places, &values, &|value| short(value)).expect("there are values");
        let wanted = "Best is 3, with 918; 2 give 94\u{a0}% of that, 8 give 96\u{a0}%. ";
        assert!(said.starts_with(wanted), "{said}");
        let level = logical(&places, &[(0, 10.0), (1, 10.0)], &|value| short(value)).expect("there are values");
        assert!(level.starts_with("Best is 1, with 10, 2 give no more. "), "{level}");
        assert_eq!(logical(&places, &[], &|value| short(value)), None);
    }

    #[test]
    fn what_initial_sets_is_marked_on_the_curves_of_storbuf() {
        let mut base = short_example("STORBUF", 5);
        // An eighth of the host, so that a test takes no time.
        base.storage.central_mb = 512;
        base.guests.iter_mut().for_each(|group| (group.virtual_mb, group.loop_mb) = (64, 32));
        let study = complete(StudyKind::Storbuf, base);
        let charts = charts(&studied(&study, &[]));
        let Plot::Lines(lines) = &charts[0].plot else { panic!("lines") };
        let names: Vec<&str> = lines.series.iter().map(|series| series.key.name.as_str()).collect();
        assert_eq!(names, ["model", "125 105 95, INITIAL before 6.2", "300 250 200, INITIAL from 6.2"]);
        assert!(charts[0].summary.starts_with("Best of these is "), "{}", charts[0].summary);
        let eligible = Curve { name: "", look: 0, line: 0, figure: Figure::EligibleGuests, relative_to: None };
        let model = eligible.model(&studied(&study, &[]));
        assert!(model[0].1 > model[8].1, "smaller numbers keep more guests waiting: {model:?}");
    }
}
