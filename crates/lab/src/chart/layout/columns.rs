//! Layout of vertical bars in groups.

use super::SMALL;
use super::pen::{Pen, Sample, highest, level_dash};
use crate::chart::scale::Axis;
use crate::chart::scene::{Hatch, Ink, Mark, Rect, Scene, Side, Spot, Stop, boxed};
use crate::chart::{Grid, Row};
use crate::words::{number, unit};

/// The narrowest group that has a name of its own, in CSS pixels: three or four letters.
const NAME_LEAST: f64 = 28.0;
/// Distance of two lines of a label.
const LINE: f64 = 14.0;

/// Lays grouped bars out: one group for each row, one bar in it for each key.
pub fn lay_out(mut pen: Pen, grid: &Grid) -> Scene {
    let keys: Vec<_> = grid.keys.iter().map(|key| (key, Sample::Swatch)).collect();
    pen.legend(&keys, &grid.levels);
    pen.heading(&grid.value.heading());
    // Room for a value on top of the highest bar.
    pen.down(SMALL + 16.0);
    let axis = Axis::from_zero(highest(grid, false), 4);
    let left = pen.value_margin(&axis).max(28.0);
    let plot = Rect::new(left, pen.y, pen.width - left - 8.0, pen.plot_height(160.0, 130.0));
    pen.value_axis(&axis, plot);
    let group = plot.w / grid.rows.len().max(1) as f64;
    let (mut stops, mut tops) = (Vec::new(), Vec::new());
    for (index, row) in grid.rows.iter().enumerate() {
        let area = Rect::new(plot.x + index as f64 * group, plot.y, group, plot.h);
        tops.extend(draw_group(&mut pen, grid, row, (&axis, area)));
        stops.push(Stop { areas: vec![area], cursor: boxed(area), row: 0, text: words(grid, row), when: None });
    }
    for level in &grid.levels {
        let y = axis.place(level.value, plot.bottom(), plot.y);
        pen.line((plot.x, y), (plot.right(), y), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    values(&mut pen, &tops, bar_width(grid, group) + 2.0);
    labels(&mut pen, grid, plot, group);
    let height = pen.y;
    pen.finish(height, stops)
}

/// The width of one bar in a group.
fn bar_width(grid: &Grid, group: f64) -> f64 {
    let pad = (group * 0.15).min(14.0);
    ((group - 2.0 * pad) / grid.keys.len().max(1) as f64).clamp(1.0, 56.0)
}

/// The bars of one group. Returns the middle of each bar's top, with its value.
fn draw_group(pen: &mut Pen, grid: &Grid, row: &Row, (axis, area): (&Axis, Rect)) -> Vec<(Spot, f64)> {
    let count = grid.keys.len().max(1) as f64;
    let wide = bar_width(grid, area.w);
    let mut tops = Vec::new();
    let start = area.middle().0 - wide * count / 2.0;
    for (index, (key, value)) in grid.keys.iter().zip(&row.values).enumerate() {
        let Some(value) = value.filter(|value| value.is_finite()) else { continue };
        let y = axis.place(value, area.bottom(), area.y);
        let x = start + index as f64 * wide;
        let rect = Rect::new(x, y, (wide - 1.0).max(1.0), area.bottom() - y);
        pen.part(rect, key.look);
        tops.push(((rect.middle().0, y), value));
    }
    tops
}

/// The values over their bars, where all of them fit: some with and some without would look like a difference.
fn values(pen: &mut Pen, tops: &[(Spot, f64)], room: f64) {
    let written: Vec<String> = tops.iter().map(|(_, value)| number::short(*value)).collect();
    if pen.widest(written.iter().map(String::as_str), 10.5) > room {
        return;
    }
    for ((spot, _), text) in tops.iter().zip(&written) {
        let wide = pen.wide(text, 10.5);
        let plate = Rect::new(spot.0 - wide / 2.0 - 2.0, spot.1 - 14.0, wide + 4.0, 12.0);
        pen.marks.push(Mark::Fill { rect: plate, ink: Ink::Surface, hatch: Hatch::Plain });
        pen.text((spot.0, spot.1 - 8.0), text, Ink::Text, 10.5, Side::Middle, Side::Middle);
    }
}

/// Labels under the groups. A name wider than its group is folded, and none is left out. Numbers are in order, so as many are
/// shown as fit, the first always.
fn labels(pen: &mut Pen, grid: &Grid, plot: Rect, group: f64) {
    let widest = pen.widest(grid.rows.iter().map(|row| row.label.as_str()), SMALL) + 6.0;
    let numbers = grid.rows.iter().all(|row| row.label.parse::<f64>().is_ok());
    let fold = widest > group && !numbers && group >= NAME_LEAST;
    // If not every label fits, a label that is moved in from an edge takes up to half a label more.
    let every = if widest <= group || fold { 1 } else { (widest * 1.5 / group).ceil() as usize };
    // Where words would be cut, they lose what all names begin with: LINUX01 is 01, and FICON 1 is 1.
    let words = || grid.rows.iter().flat_map(|row| row.label.split(' '));
    let begin = if fold && pen.widest(words(), SMALL) > group - 2.0 { common(grid) } else { 0 };
    let y = plot.bottom() + 6.0;
    let mut most = 1;
    for (index, row) in grid.rows.iter().enumerate().step_by(every) {
        let lines = if fold { pen.folded(&row.label[begin..], SMALL, group - 4.0) } else { vec![row.label.clone()] };
        most = most.max(lines.len());
        for (line, words) in lines.iter().enumerate() {
            let label = pen.cut(words, SMALL, if fold { group - 2.0 } else { pen.width - 4.0 });
            let half = pen.wide(&label, SMALL) / 2.0;
            let x = (plot.x + (index as f64 + 0.5) * group).clamp(half, (pen.width - half).max(half));
            pen.text((x, y + line as f64 * LINE), &label, Ink::Muted, SMALL, Side::Middle, Side::Start);
        }
    }
    let y = y + (most - 1) as f64 * LINE + 16.0;
    pen.text((pen.width - 2.0, y), &grid.row_name, Ink::Muted, SMALL, Side::End, Side::Start);
    pen.y = y + SMALL + 5.0;
}

/// How many bytes all names have in common at their begin, up to a number or the end of a word.
fn common(grid: &Grid) -> usize {
    let Some(first) = grid.rows.first() else { return 0 };
    let is_common = |end: &usize| {
        let (begin, ends_a_word) = (&first.label[..*end], !first.label[..*end].ends_with(char::is_alphanumeric));
        let rest = |row: &Row| row.label.strip_prefix(begin).and_then(|rest| rest.chars().next());
        grid.rows.iter().all(|row| rest(row).is_some_and(|next| ends_a_word || next.is_ascii_digit()))
    };
    let letters = first.label.char_indices().take_while(|(_, letter)| !letter.is_ascii_digit());
    letters.map(|(at, letter)| at + letter.len_utf8()).filter(is_common).last().unwrap_or(0)
}

fn words(grid: &Grid, row: &Row) -> String {
    let values =
        grid.keys.iter().zip(&row.values).filter_map(|(key, value)| {
            value.map(|value| format!("{} {}", key.name, unit::with_unit(value, &grid.value.unit)))
        });
    format!("{} {}: {}", grid.row_name, row.label, values.collect::<Vec<_>>().join(" · "))
}
