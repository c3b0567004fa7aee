//! What a sweep shows, in one sentence made from its figures: where the curve becomes flat, and why, if the figures tell.

use zvmlab::Figure;
use zvmlab::scenario::fields::{Kind, path};

use super::{Line, Place, Sweep, bare};
use crate::batch::flat::{FLAT, flat_from};
use crate::knob::Knob;
use crate::words::number::storage_mb;
use crate::words::unit::with_unit;

/// The sentence for `figure`, and what its points are means of.
pub fn summary(sweep: &Sweep, figure: Figure) -> String {
    let (done, all) = sweep.batch.progress();
    if sweep.running {
        return format!("The line grows with each experiment: {done} of {all} are done.");
    }
    let said = finding(sweep, figure);
    let count = sweep.replications;
    // Some runs may be still to come, or left out.
    let is_whole = || sweep.lines().iter().flat_map(Line::known).all(|place| place.known.len() == count);
    match count {
        0 | 1 => said,
        _ if is_whole() => format!("{said} Each point is the mean of {count} runs, with its 95\u{a0}% interval."),
        _ => format!("{said} Points are means of up to {count} runs: {done} of {all} experiments are done."),
    }
}

/// The sentence for `figure`.
fn finding(sweep: &Sweep, figure: Figure) -> String {
    let lines = sweep.lines();
    let main = lines.iter().find(|line| line.zhpf == sweep.mode(&sweep.batch.base)).or(lines.first());
    let Some(line) = main else { return String::new() };
    let points = values(line, figure);
    let ([(first, from), .., (_, before), (last, to)], name) = (points.as_slice(), figure.label()) else {
        return two_points(sweep, &points, figure);
    };
    if let Some(edge) = edge_of_paging(sweep, line, figure) {
        return edge;
    }
    let Some(flat) = flat_from(&points) else {
        return format!(
            "{name} goes from {} at {} to {} at {}, and still changes by {} at the last step.",
            with_unit(*from, figure.unit()),
            counted(&sweep.knob, *first),
            with_unit(*to, figure.unit()),
            counted(&sweep.knob, *last),
            percent(*before, *to)
        );
    };
    if flat == *first {
        let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
        return format!(
            "No step changes {name} by 2\u{a0}% or more. It stays between {} and {}.",
            with_unit(low, ""),
            with_unit(high, figure.unit())
        );
    }
    let other = lines.iter().find(|other| other.zhpf != line.zhpf);
    let other = other.and_then(|other| Some((other.zhpf, flat_from(&values(other, figure))?)));
    let other = other.map_or(String::new(), |(zhpf, value)| {
        format!(" ({} zHPF from {} on)", if zhpf { "with" } else { "without" }, bare(&sweep.knob, value))
    });
    format!(
        "From {} on{other}, {} changes {name} by less than 2\u{a0}%{}.",
        counted(&sweep.knob, flat),
        another(sweep, line),
        cause(sweep, line, flat, figure).map_or(String::new(), |cause| format!(": {cause}"))
    )
}

/// Where paging begins or ends along the line. This matters more than anything else on it.
fn edge_of_paging(sweep: &Sweep, line: &Line, figure: Figure) -> Option<String> {
    let pages = |place: &Place| place.get(Figure::PagesPerSecond).is_some_and(|pages| pages > 0.0);
    let known: Vec<Place> = line.known().filter(|place| place.get(figure).is_some()).collect();
    let [before, after] = known.windows(2).find(|pair| pages(&pair[0]) != pages(&pair[1]))? else { return None };
    let (from, to) = (before.get(figure)?, after.get(figure)?);
    Some(format!(
        "Between {} and {} paging {}: {} goes from {} to {}.",
        bare(&sweep.knob, before.value),
        counted(&sweep.knob, after.value),
        if pages(after) { "begins" } else { "ends" },
        figure.label(),
        with_unit(from, ""),
        with_unit(to, figure.unit())
    ))
}

/// Too few points for a curve.
fn two_points(sweep: &Sweep, points: &[(u64, f64)], figure: Figure) -> String {
    let at = |(value, y): &(u64, f64)| format!("{} at {}", with_unit(*y, figure.unit()), counted(&sweep.knob, *value));
    match points {
        [] => format!("No experiment of this sweep has a figure for {}.", figure.label()),
        [one] => format!("{} is {}.", figure.label(), at(one)),
        [first, .., last] => format!("{} goes from {} to {}.", figure.label(), at(first), at(last)),
    }
}

/// The points of a line that have the figure.
fn values(line: &Line, figure: Figure) -> Vec<(u64, f64)> {
    line.known().filter_map(|place| Some((place.value, place.get(figure)?))).collect()
}

/// Why the curve is flat, as far as the figures tell.
fn cause(sweep: &Sweep, line: &Line, flat: u64, figure: Figure) -> Option<&'static str> {
    if !matches!(figure, Figure::Etr | Figure::PagesPerSecond) {
        return None;
    }
    let begin = line.known().find(|place| place.value == flat)?;
    let end = line.known().last()?;
    if end.get(Figure::PagesPerSecond) == Some(0.0) {
        return Some("the host no longer pages");
    }
    if !matches!(sweep.knob.field.path, path::PAGING_VOLUMES | path::LCU_ALIASES) {
        return None;
    }
    let grown = |figure: Figure| Some(end.get(figure)? / begin.get(figure)? - 1.0);
    match (grown(Figure::IosInProgress)?, grown(Figure::ServiceTime)?) {
        (ios, time) if ios >= FLAT && time >= FLAT => {
            Some("more I/Os are in progress, but each takes longer because they share the channel paths")
        }
        (ios, _) if ios.abs() < FLAT => Some("there are no more I/Os to carry at once"),
        _ => None,
    }
}

/// One step more: `another alias`, `another 16 GB`.
fn another(sweep: &Sweep, line: &Line) -> String {
    let mut values = line.values();
    let step = values.next().zip(values.next()).map_or(1, |(first, second)| second - first);
    if matches!(sweep.knob.field.kind, Kind::Share { .. }) {
        return "a further step".into();
    }
    match (sweep.knob.field.unit, step) {
        ("MB", step) => format!("another {}", storage_mb(step)),
        (unit, 1) => format!("another {}", one(unit)),
        (unit, step) => format!("every further {step} {unit}"),
    }
}

/// A value with its unit in words: `1 alias`, `8 aliases`, `128 GB`.
fn counted(knob: &Knob, value: u64) -> String {
    match (knob.field.unit, value) {
        _ if matches!(knob.field.kind, Kind::Share { .. }) => bare(knob, value),
        ("MB", value) => storage_mb(value),
        (unit, 1) => format!("1 {}", one(unit)),
        (unit, value) => format!("{value} {unit}"),
    }
}

fn one(unit: &str) -> &str {
    if unit == "aliases" { "alias" } else { unit.trim_end_matches('s') }
}

fn percent(before: f64, after: f64) -> String {
    crate::words::number::difference(before, after).unwrap_or_else(|| "all of it".into()).replace(' ', "\u{a0}")
}
