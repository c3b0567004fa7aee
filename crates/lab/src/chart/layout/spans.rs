//! Layout of lanes over time: what each lane does, from when to when.

use super::SMALL;
use super::pen::{Pen, Sample, level_dash};
use crate::chart::scale::Axis;
use crate::chart::scene::{Hatch, Ink, Mark, Rect, Scene, Shape, Side, Stop, TimeScale, boxed};
use crate::chart::time::{self, Window};
use crate::chart::{Lane, Span, Spans};
use crate::words::unit;

/// The narrowest that a marked span is drawn, in CSS pixels: a line that is seen.
const MARKED_LEAST: f64 = 3.0;

/// Lays lanes out. Time starts at 0.
pub fn lay_out(mut pen: Pen, spans: &Spans) -> Scene {
    let ends = spans.lanes.iter().flat_map(|lane| lane.spans.iter().map(|span| span.to));
    let latest = ends.chain(spans.levels.iter().map(|level| level.value)).filter(|end| end.is_finite()).fold(0.0, f64::max);
    // The legend leaves out what is too short to be seen.
    let shown = pen.view.window.map_or(latest, |(low, high)| high.min(latest) - low);
    let is_seen = |span: &Span| span.marked || (span.to - span.from) * pen.width >= shown;
    let seen = |key: usize| spans.lanes.iter().any(|lane| lane.spans.iter().any(|span| span.key == key && is_seen(span)));
    let keys: Vec<_> = (0..).zip(&spans.keys).filter(|(at, _)| seen(*at)).map(|(_, key)| (key, Sample::Swatch)).collect();
    pen.legend(&keys, &spans.levels);
    let column = pen.label_column(spans.lanes.iter().map(|lane| lane.label.as_str()));
    let beside = column > 0.0;
    let (bar, gap) = match spans.lanes.len() {
        0..=6 => (20.0, 10.0),
        7..=16 => (14.0, 6.0),
        _ => (10.0, 4.0),
    };
    let above = if beside { 0.0 } else { 15.0 };
    let left = column.max(8.0);
    let (bar, gap) = pen.bars(spans.lanes.len(), (bar, gap), above);
    let labelled = pen.labelled(bar + gap);
    let plot = Rect::new(left, pen.y, pen.width - left - 14.0, spans.lanes.len() as f64 * (bar + gap + above));
    let wanted = if pen.narrow() { 4 } else { 8 };
    let all = Axis::from_zero(latest, wanted);
    let window = pen.view.window.filter(|window| window.0 < all.high);
    let axis = window.map_or_else(|| all.clone(), |(low, high)| Axis::between(low, high.min(all.high), wanted));
    let shown = (axis.low, axis.high);
    pen.base_axis(&axis, plot, &spans.x.heading(), true);
    for level in spans.levels.iter().filter(|level| (shown.0..=shown.1).contains(&level.value)) {
        let x = axis.place(level.value, plot.x, plot.right());
        pen.line((x, plot.y), (x, plot.bottom()), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    let mut stops = Vec::new();
    for (index, lane) in spans.lanes.iter().enumerate() {
        let y = plot.y + index as f64 * (bar + gap + above) + gap / 2.0;
        if beside && index.is_multiple_of(labelled) {
            let label = pen.cut(&lane.label, SMALL, plot.x - 8.0);
            pen.text((plot.x - 8.0, y + bar / 2.0), &label, Ink::Text, SMALL, Side::End, Side::Middle);
        } else if !beside {
            let label = pen.cut(&lane.label, SMALL, plot.w - 8.0);
            let plate = Rect::new(plot.x + 1.0, y - 1.0, pen.wide(&label, SMALL) + 6.0, 14.0);
            pen.marks.push(Mark::Fill { rect: plate, ink: Ink::Surface, hatch: Hatch::Plain });
            pen.text((plot.x + 4.0, y + 6.0), &label, Ink::Text, SMALL, Side::Start, Side::Middle);
        }
        let line = Rect::new(plot.x, y + above, plot.w, bar);
        stops.extend(draw_lane(&mut pen, spans, lane, index, (&axis, line)));
    }
    let height = pen.y;
    let whole = (all.low, all.high);
    let time = time::of_quantity(&spans.x).map(|name| TimeScale { name: name.into(), whole, shown, plot, is_read: false });
    Scene { time, ..pen.finish(height, stops) }
}

/// The spans of one lane. Those that must be visible come last, on top of the others.
fn draw_lane(pen: &mut Pen, spans: &Spans, lane: &Lane, row: usize, (axis, line): (&Axis, Rect)) -> Vec<Stop> {
    let place = |span: &Span| {
        let shown = |at: f64| axis.place(at.clamp(axis.low, axis.high), line.x, line.right());
        let (from, to) = (shown(span.from), shown(span.to));
        let wide = (to - from).max(if span.marked { MARKED_LEAST } else { 0.0 });
        Rect { x: from.min(line.right() - wide).max(line.x), w: wide, ..line }
    };
    let is_shown = |span: &&Span| is_in((axis.low, axis.high), span);
    for marked in [false, true] {
        for span in lane.spans.iter().filter(is_shown).filter(|span| span.marked == marked) {
            let look = spans.keys.get(span.key).map_or(0, |key| key.look);
            let rect = place(span);
            // A thin gap keeps neighbours apart.
            let hair = if rect.w > 4.0 && !marked { 1.0 } else { 0.0 };
            pen.part(Rect { w: rect.w - hair, ..rect }, look);
            if marked && line.h >= 14.0 {
                let at = (rect.middle().0, rect.y - 3.5);
                pen.marks.push(Mark::Marker { at, shape: Shape::Triangle, ink: Ink::Look(look), radius: 3.0 });
            }
        }
    }
    let stop = |span: &Span| {
        let rect = place(span);
        Stop { areas: vec![rect], cursor: boxed(rect), row, text: words(spans, lane, span), when: Some(span.from) }
    };
    lane.spans.iter().filter(is_shown).map(stop).collect()
}

/// Whether any of a span is in the part shown.
fn is_in((low, high): Window, span: &Span) -> bool {
    span.to >= low && span.from <= high
}

/// `LINUX-3: guest stopped for 1.204 s, from 12.30 s to 13.50 s; last two passes`.
fn words(spans: &Spans, lane: &Lane, span: &Span) -> String {
    let time = |value: f64| unit::with_unit(value, &spans.x.unit);
    let what = spans.keys.get(span.key).map_or("", |key| key.name.as_str());
    let note = if span.note.is_empty() { String::new() } else { format!("; {}", span.note) };
    format!("{}: {what} for {}, from {} to {}{note}", lane.label, time(span.to - span.from), time(span.from), time(span.to))
}
