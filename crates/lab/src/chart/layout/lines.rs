//! Layout of lines and points over a number.

use super::pen::{Pen, Sample, level_dash};
use super::{SMALL, text};
use crate::chart::scale::Axis;
use crate::chart::scene::{Dash, Ink, Mark, Rect, SOLID, Scene, Shape, Side, Spot, Stop, TimeScale};
use crate::chart::table::abscissas;
use crate::chart::time::{self, Window};
use crate::chart::{Lines, Marked, Point, Reach, Series};
use crate::words::{number, unit};
use zvmlab::order;

/// Distance of two markers on a line, in CSS pixels: enough of them to tell lines apart, few enough to see the line.
const MARKER_GAP: f64 = 70.0;

/// Ticks of a part of the time, at least about: with fewer, its ends are not known.
pub const PART_TICKS: usize = 4;

/// Half the width of the ends of a bar that says how sure a point is.
const REACH_HALF: f64 = 4.0;

/// How the line of a marked place is broken.
const MARKED: Dash = &[6.0, 3.0];

/// Where values become pixels.
struct Frame {
    x: Axis,
    y: Axis,
    plot: Rect,
    /// The part of the time that is shown.
    window: Option<Window>,
}

impl Frame {
    fn spot(&self, point: &Point) -> Spot {
        // A point without a value stands at the foot; its read-out says so.
        let y = if point.y.is_nan() { self.plot.bottom() } else { self.y.place(point.y, self.plot.bottom(), self.plot.y) };
        // A figure of a very short time can fall below 0. It is drawn at the edge, and read out as it is.
        (self.across(point.x), y.min(self.plot.bottom()))
    }

    /// Where `x` is. What lies beyond the axis is at its end.
    fn across(&self, x: f64) -> f64 {
        self.x.place(x, self.plot.x, self.plot.right()).min(self.plot.right())
    }

    /// Whether something at `x` is shown.
    fn shows(&self, x: f64) -> bool {
        is_in(self.window, x)
    }
}

/// Whether `x` is in the part shown; without one, all is.
fn is_in(window: Option<Window>, x: f64) -> bool {
    window.is_none_or(|(low, high)| (low..=high).contains(&x))
}

/// The part of the time that is shown; all where the lines do not reach into it.
pub fn window(pen: &Pen, lines: &Lines) -> Option<Window> {
    let (low, high) = pen.view.window.filter(|_| time::of_lines(lines).is_some())?;
    let places = abscissas(lines);
    let reaches = places.first().is_some_and(|first| *first < high) && places.last().is_some_and(|last| *last > low);
    reaches.then_some((low, high))
}

/// The time axis of lines, if they have one.
pub fn time_scale(lines: &Lines, plot: Rect, (x, whole): (&Axis, Window)) -> Option<TimeScale> {
    let name = time::of_lines(lines).filter(|_| whole.0 < whole.1)?.to_string();
    Some(TimeScale { name, whole, shown: (x.low, x.high), plot, is_read: true })
}

/// Lays lines and points out.
pub fn lay_out(mut pen: Pen, lines: &Lines) -> Scene {
    let sample = |series: &Series| if series.joined { Sample::Line } else { Sample::Marker };
    let keys: Vec<_> = lines.series.iter().map(|series| (&series.key, sample(series))).collect();
    pen.legend(&keys, &lines.levels);
    pen.heading(&lines.y.heading());
    pen.down(SMALL + if lines.marked.is_some() { 20.0 } else { 10.0 });
    let frame = frame(&pen, lines);
    pen.value_axis(&frame.y, frame.plot);
    match lines.ticks.as_slice() {
        [] => pen.base_axis(&frame.x, frame.plot, &lines.x.heading(), false),
        ticks => pen.named_axis(&frame.x, ticks, frame.plot, &lines.x.heading(), false),
    }
    if let Some(marked) = lines.marked.as_ref().filter(|marked| frame.shows(marked.x)) {
        mark(&mut pen, &frame, marked);
    }
    for level in &lines.levels {
        let y = frame.y.place(level.value, frame.plot.bottom(), frame.plot.y);
        pen.line((frame.plot.x, y), (frame.plot.right(), y), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    for reach in &lines.reaches {
        draw_reach(&mut pen, lines, reach, &frame);
    }
    for series in &lines.series {
        draw_series(&mut pen, series, &frame, lines.by_point || !lines.ticks.is_empty());
    }
    if lines.ticks.is_empty() || lines.by_point {
        label_points(&mut pen, lines, &frame);
    }
    let stops = if lines.by_point { stops_at_points(lines, &frame) } else { stops_along(lines, &frame) };
    let rest = match frame.window {
        Some(_) => stops.len().checked_sub(1),
        None => rest(lines),
    };
    let whole = across(lines, frame.plot, None);
    let time = time_scale(lines, frame.plot, (&frame.x, (whole.low, whole.high)));
    let height = pen.y;
    Scene { rest, time, ..pen.finish(height, stops) }
}

/// The stop to read out if nobody points: the newest of a line over time, or the one at a marked place. Values elsewhere
/// belong to something else.
fn rest(lines: &Lines) -> Option<usize> {
    let places = abscissas(lines);
    if lines.by_point || places.is_empty() {
        return None;
    }
    if lines.ticks.is_empty() {
        return Some(places.len() - 1);
    }
    let marked = lines.marked.as_ref()?.x;
    places.iter().position(|place| (place - marked).abs() < 1e-6)
}

/// A place marked from top to bottom, with its name over it.
fn mark(pen: &mut Pen, frame: &Frame, marked: &Marked) {
    let x = frame.x.place(marked.x, frame.plot.x, frame.plot.right()).clamp(frame.plot.x, frame.plot.right());
    pen.line((x, frame.plot.y - 4.0), (x, frame.plot.bottom()), Ink::Accent, 1.5, MARKED);
    let name = pen.cut(&marked.name, SMALL, pen.width - 8.0);
    let half = pen.wide(&name, SMALL) / 2.0;
    let at = x.clamp(half + 2.0, (pen.width - half - 2.0).max(half + 2.0));
    pen.text((at, frame.plot.y - 6.0), &name, Ink::Text, SMALL, Side::Middle, Side::End);
}

fn frame(pen: &Pen, lines: &Lines) -> Frame {
    let window = window(pen, lines);
    let seen = |series: &Series| match window {
        Some(window) if series.joined => time::cut(&values(series), window),
        _ => values(series).into_iter().filter(|(x, _)| is_in(window, *x)).collect(),
    };
    let reached = lines.reaches.iter().map(|reach| reach.ends[1]);
    let highest = lines.series.iter().flat_map(seen).map(|(_, y)| y).chain(lines.levels.iter().map(|level| level.value));
    let highest = highest.chain(reached);
    let y = Axis::from_zero(highest.filter(|y| y.is_finite()).fold(0.0, f64::max), 4);
    let left = pen.value_margin(&y).max(28.0);
    let right = if lines.ticks.is_empty() { 12.0 } else { 18.0 };
    let plot = Rect::new(left, pen.y, pen.width - left - right, pen.plot_height(190.0, 150.0));
    Frame { x: across(lines, plot, window), y, plot, window }
}

/// The points of a series as numbers.
fn values(series: &Series) -> Vec<Spot> {
    series.points.iter().map(|point| (point.x, point.y)).collect()
}

/// The horizontal axis: the part of the time that is shown, or all.
fn across(lines: &Lines, plot: Rect, window: Option<Window>) -> Axis {
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let wanted = (plot.w / 62.0).floor().max(2.0) as usize;
    let (low, high) = ends(points(), lines.marked.as_ref().map(|marked| marked.x));
    match (window, lines.x_from_zero, high.is_finite()) {
        (Some((low, high)), ..) => Axis::between(low, high, wanted.max(PART_TICKS)),
        // All places that have a name, whether they have points or not, and marked places beyond them.
        _ if !lines.ticks.is_empty() => {
            let marked = lines.marked.as_ref().map(|marked| marked.x);
            let (first, last) = (lines.ticks[0].0, lines.ticks[lines.ticks.len() - 1].0);
            Axis::between(marked.map_or(first, |x| x.min(first)), marked.map_or(last, |x| x.max(last)), wanted)
        }
        (_, true, true) => Axis::from_zero(high, wanted),
        (_, false, true) => Axis::between(low, high, wanted),
        (_, _, false) => Axis::from_zero(1.0, wanted),
    }
}

/// The first and the last place of the axis. Of the places whose points have no value, only the next on each side of those with a
/// value is on it: what has none does not make the rest smaller.
fn ends<'a>(points: impl Iterator<Item = &'a Point> + Clone, marked: Option<f64>) -> (f64, f64) {
    let of = |valued: bool| points.clone().filter(move |point| point.y.is_nan() != valued).map(|point| point.x);
    let (low, high) =
        of(true).chain(marked).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if !high.is_finite() {
        return of(false).fold((low, high), |(low, high), x| (low.min(x), high.max(x)));
    }
    let before = of(false).filter(|x| *x < low).fold(f64::NEG_INFINITY, f64::max);
    let after = of(false).filter(|x| *x > high).fold(f64::INFINITY, f64::min);
    (if before.is_finite() { before } else { low }, if after.is_finite() { after } else { high })
}

/// A bar from end to end, with a short line across each.
fn draw_reach(pen: &mut Pen, lines: &Lines, reach: &Reach, frame: &Frame) {
    let Some(series) = lines.series.get(reach.series).filter(|_| frame.shows(reach.x)) else { return };
    let [low, high] = reach.ends.map(|y| frame.spot(&Point { x: reach.x, y, label: None }));
    let ink = Ink::Look(series.key.look);
    pen.line(low, high, ink, 1.5, SOLID);
    for (x, y) in [low, high] {
        pen.line((x - REACH_HALF, y), (x + REACH_HALF, y), ink, 1.5, SOLID);
    }
}

fn draw_series(pen: &mut Pen, series: &Series, frame: &Frame, by_point: bool) {
    let look = series.key.look;
    let drawn = |point: &&Point| point.y.is_finite() || point.y.is_nan() && !series.joined;
    let points: Vec<&Point> = series.points.iter().filter(drawn).collect();
    let mut free = f64::NEG_INFINITY;
    for point in points.iter().filter(|point| frame.shows(point.x)) {
        let spot = frame.spot(point);
        if by_point || spot.0 >= free {
            pen.marker(spot, &series.key, if series.joined { 3.0 } else { point_size(look) });
            // The markers of series that overlap do not hide each other.
            free = if free.is_finite() { free + MARKER_GAP } else { spot.0 + MARKER_GAP * (1.0 + look as f64 / 4.0) };
        }
    }
    let spots: Vec<Spot> = points.iter().map(|point| frame.spot(point)).collect();
    let spots = match frame.window {
        Some(_) => time::cut(&spots, (frame.plot.x, frame.plot.right())),
        None => spots,
    };
    if series.joined && spots.len() > 1 {
        pen.marks.push(Mark::Line { spots, ink: Ink::Look(look), width: 2.0, dash: series.key.dash });
    }
}

/// Published values lie under the model's, and show around them.
fn point_size(look: usize) -> f64 {
    if look == 0 { 4.0 } else { 5.5 }
}

/// Writes labels beside their points, unless another label has taken the room.
fn label_points(pen: &mut Pen, lines: &Lines, frame: &Frame) {
    let spots = lines.series.iter().flat_map(|series| &series.points).map(|point| frame.spot(point));
    let mut taken: Vec<Rect> = spots.map(|(x, y)| Rect::new(x - 6.0, y - 6.0, 12.0, 12.0)).collect();
    let crossed = pieces(lines, frame);
    for point in lines.series.iter().flat_map(|series| &series.points) {
        let Some(label) = &point.label else { continue };
        let (x, y) = frame.spot(point);
        let (w, h) = (pen.wide(label, 10.5), 12.0);
        let level = [(x + 9.0, y - 6.0), (x - 9.0 - w, y - 6.0), (x - w / 2.0, y - 20.0), (x - w / 2.0, y + 8.0)];
        let aslant = [(x + 6.0, y - 19.0), (x + 6.0, y + 7.0), (x - 6.0 - w, y - 19.0), (x - 6.0 - w, y + 7.0)];
        let inside =
            |rect: &Rect| rect.x >= frame.plot.x && rect.right() <= pen.width - 1.0 && rect.bottom() < frame.plot.bottom();
        let places = || level.into_iter().chain(aslant).map(|(x, y)| Rect::new(x, y, w, h)).filter(inside);
        let free = |rect: &Rect| !overlaps(rect, &taken);
        // A label that a line crosses is still better than no label.
        let place = places().find(|rect| free(rect) && !overlaps(rect, &crossed)).or_else(|| places().find(free));
        if let Some(rect) = place {
            pen.marks.push(text((rect.x, rect.y + 6.0), label, Ink::Text, 10.5, Side::Start, Side::Middle));
            taken.push(rect);
        }
    }
}

/// The lines of all series in small pieces, which a label should not lie on.
fn pieces(lines: &Lines, frame: &Frame) -> Vec<Rect> {
    let mut pieces = Vec::new();
    for series in lines.series.iter().filter(|series| series.joined && lines.by_point) {
        for pair in series.points.windows(2) {
            let (from, to) = (frame.spot(&pair[0]), frame.spot(&pair[1]));
            let along = |part: u32| {
                let part = f64::from(part) / 12.0;
                Rect::new(from.0 + (to.0 - from.0) * part - 1.0, from.1 + (to.1 - from.1) * part - 1.0, 2.0, 2.0)
            };
            pieces.extend((0..=12).map(along));
        }
    }
    pieces
}

fn overlaps(rect: &Rect, taken: &[Rect]) -> bool {
    taken
        .iter()
        .any(|other| rect.x < other.right() && other.x < rect.right() && rect.y < other.bottom() && other.y < rect.bottom())
}

/// One stop for each x, with the values of every series there.
fn stops_along(lines: &Lines, frame: &Frame) -> Vec<Stop> {
    let plot = frame.plot;
    let stop = |x: f64| {
        let across = frame.across(x);
        let mut cursor = vec![Mark::Line {
            spots: vec![(across, plot.y), (across, plot.bottom())],
            ink: Ink::Accent,
            width: 1.0,
            dash: SOLID,
        }];
        let mut words: Vec<(usize, String)> = Vec::new();
        for series in &lines.series {
            let Ok(index) = series.points.binary_search_by(|point| point.x.total_cmp(&x)) else { continue };
            let point = &series.points[index];
            let (at, shape, ink) = (frame.spot(point), series.key.shape, Ink::Look(series.key.look));
            cursor.push(Mark::Marker { at, shape, ink, radius: 5.0 });
            let run = point.label.as_ref().map_or(String::new(), |label| format!("{label}, "));
            let value = if point.y.is_nan() { String::new() } else { format!(" {}", number::value(point.y)) };
            words.push((rank(lines, series), format!("{run}{}{value}", series.key.name)));
        }
        order::by_key(&mut words, |word| word.0);
        let words: Vec<String> = words.into_iter().map(|word| word.1).collect();
        let text = format!("{}: {} {}", lines.place(x), words.join(" · "), lines.y.unit);
        let when = lines.ticks.is_empty().then_some(x);
        Stop { areas: vec![Rect::new(across, plot.y, 0.0, plot.h)], cursor, row: 0, text, when }
    };
    abscissas(lines).into_iter().filter(|x| frame.shows(*x)).map(stop).collect()
}

/// The order of read-outs at places with names: lines with markers, then points, then lines that only guide the eye.
fn rank(lines: &Lines, series: &Series) -> usize {
    match (series.joined, series.key.shape) {
        _ if lines.ticks.is_empty() => 0,
        (true, Shape::None) => 2,
        (true, _) => 0,
        (false, _) => 1,
    }
}

/// One stop for each point, from left to right.
fn stops_at_points(lines: &Lines, frame: &Frame) -> Vec<Stop> {
    let mut stops: Vec<(Spot, Stop)> = Vec::new();
    for (series, place) in lines.series.iter().zip(0..) {
        for point in &series.points {
            let spot = frame.spot(point);
            let area = Rect::new(spot.0 - 8.0, spot.1 - 8.0, 16.0, 16.0);
            let upright = [(spot.0, frame.plot.y), (spot.0, frame.plot.bottom())].to_vec();
            let label = point.label.as_ref().map_or(String::new(), |label| format!("{label}, "));
            let value = format!(", {} {}", lines.y.name, unit::with_unit(point.y, &lines.y.unit));
            let value = if point.y.is_nan() { String::new() } else { value };
            let sure = lines.reach(place, point.x).map_or(String::new(), |[low, high]| {
                format!(", 95\u{a0}% from {} to {}", number::value(low), number::value(high))
            });
            let text = format!("{label}{}: {} {}{value}{sure}", series.key.name, lines.x.name, lines.place(point.x));
            let cursor = vec![
                Mark::Line { spots: upright, ink: Ink::Grid, width: 1.0, dash: SOLID },
                Mark::Outline { rect: area, ink: Ink::Accent, width: 1.5 },
            ];
            stops.push((spot, Stop { areas: vec![area], cursor, row: 0, text, when: None }));
        }
    }
    order::by(&mut stops, |(a, _), (b, _)| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    stops.into_iter().map(|(_, stop)| stop).collect()
}
