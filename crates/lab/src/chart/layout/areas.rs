//! Layout of areas over time, one on top of the other.

use super::SMALL;
use super::lines::{PART_TICKS, time_scale, window};
use super::pen::{Pen, Sample, level_dash};
use crate::chart::scale::Axis;
use crate::chart::scene::{Ink, Mark, Rect, SOLID, Scene, Stop};
use crate::chart::table::abscissas;
use crate::chart::{Lines, Series};
use crate::words::number;

/// Lays areas out. A value holds for the time before its point, so each area is made of upright strips.
pub fn lay_out(mut pen: Pen, lines: &Lines) -> Scene {
    let keys: Vec<_> = lines.series.iter().map(|series| (&series.key, Sample::Swatch)).collect();
    pen.legend(&keys, &lines.levels);
    pen.heading(&lines.y.heading());
    pen.down(SMALL + 10.0);
    let places = abscissas(lines);
    let window = window(&pen, lines);
    let (first, last) = (places.first().copied().unwrap_or(0.0), places.last().copied().unwrap_or(1.0));
    // The first strip is as wide as the one after it.
    let start = first - places.get(1).map_or(1.0, |second| second - first);
    let (low, high) = window.unwrap_or((start, last));
    // Each strip with its two ends, as far as it is shown.
    let begins = std::iter::once(start).chain(places.iter().copied());
    let strips = begins.zip(&places).map(|(from, &to)| (to, from.max(low), to.min(high)));
    let strips: Vec<(f64, f64, f64)> = strips.filter(|(_, from, to)| from < to).collect();
    let highest = strips.iter().map(|(x, ..)| sum(lines, *x)).chain(lines.levels.iter().map(|level| level.value));
    let y = Axis::from_zero(highest.filter(|y| y.is_finite()).fold(0.0, f64::max), 4);
    let left = pen.value_margin(&y).max(28.0);
    let plot = Rect::new(left, pen.y, pen.width - left - 12.0, pen.plot_height(190.0, 150.0));
    let least = if window.is_some() { PART_TICKS } else { 2 };
    let x = Axis::between(low, high, ((plot.w / 62.0).floor() as usize).max(least));
    pen.value_axis(&y, plot);
    pen.base_axis(&x, plot, &lines.x.heading(), false);
    let mut stops = Vec::new();
    for (place, from, to) in strips {
        let [from, to] = [from, to].map(|at| x.place(at, plot.x, plot.right()));
        stops.push(strip(&mut pen, lines, place, (&y, Rect::new(from, plot.y, to - from, plot.h))));
    }
    for level in &lines.levels {
        let y = y.place(level.value, plot.bottom(), plot.y);
        pen.line((plot.x, y), (plot.right(), y), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    let (height, rest) = (pen.y, stops.len().checked_sub(1));
    let time = time_scale(lines, plot, (&x, (start, last)));
    Scene { rest, time, ..pen.finish(height, stops) }
}

/// The value of a series at a place.
fn at(series: &Series, x: f64) -> Option<f64> {
    let found = series.points.binary_search_by(|point| point.x.total_cmp(&x));
    found.ok().map(|index| series.points[index].y).filter(|y| y.is_finite())
}

fn sum(lines: &Lines, x: f64) -> f64 {
    lines.series.iter().filter_map(|series| at(series, x)).sum()
}

/// One strip, from the bottom up.
fn strip(pen: &mut Pen, lines: &Lines, x: f64, (axis, area): (&Axis, Rect)) -> Stop {
    let (mut sum, mut words) = (0.0, Vec::new());
    for series in &lines.series {
        let Some(value) = at(series, x) else { continue };
        let bottom = axis.place(sum, area.bottom(), area.y);
        sum += value.max(0.0);
        let top = axis.place(sum, area.bottom(), area.y);
        // Strips meet without a seam.
        pen.part(Rect::new(area.x, top, area.w + 0.5, bottom - top), series.key.look);
        words.push(format!("{} {}", series.key.name, number::value(value)));
    }
    let together = if words.len() > 1 { format!(", {} together", number::value(sum)) } else { String::new() };
    let text = format!("{}: {} {}{together}", lines.place(x), words.join(" · "), lines.y.unit);
    let right = area.right();
    let cursor =
        vec![Mark::Line { spots: vec![(right, area.y), (right, area.bottom())], ink: Ink::Accent, width: 1.0, dash: SOLID }];
    Stop { areas: vec![area], cursor, row: 0, text, when: Some(x) }
}
