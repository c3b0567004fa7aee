//! Layout of horizontal bars stacked of parts.

use super::SMALL;
use super::pen::{Pen, Sample, highest, level_dash};
use crate::chart::scale::Axis;
use crate::chart::scene::{Hatch, Ink, Mark, Rect, SOLID, Scene, Side, Stop, boxed};
use crate::chart::{Grid, Row};
use crate::words::{number, unit};

/// Lays stacked bars out.
pub fn lay_out(mut pen: Pen, grid: &Grid) -> Scene {
    let keys: Vec<_> = grid.keys.iter().map(|key| (key, Sample::Swatch)).collect();
    pen.legend(&keys, &grid.levels);
    let column = pen.label_column(grid.rows.iter().map(|row| row.label.as_str()));
    let axis = Axis::from_zero(highest(grid, true), if pen.narrow() { 3 } else { 6 });
    let (bar, gap) = match grid.rows.len() {
        0..=6 => (22.0, 8.0),
        7..=16 => (15.0, 5.0),
        _ => (11.0, 3.0),
    };
    // Totals stand after the bars, unless the parts make up a whole.
    let totals = grid.at_least < 100.0;
    let right = if totals { pen.wide("888.88", SMALL) + 8.0 } else { 14.0 };
    let left = column.max(8.0);
    let above = if column == 0.0 { 15.0 } else { 0.0 };
    let (bar, gap) = pen.bars(grid.rows.len(), (bar, gap), above);
    let labelled = pen.labelled(bar + gap);
    let top = pen.y;
    let plot = Rect::new(left, top, pen.width - left - right, grid.rows.len() as f64 * (bar + gap + above));
    pen.base_axis(&axis, plot, &grid.value.heading(), true);
    let (mut stops, mut numbers) = (Vec::new(), Vec::new());
    for (index, row) in grid.rows.iter().enumerate() {
        let y = top + index as f64 * (bar + gap + above) + gap / 2.0;
        if above > 0.0 {
            let label = pen.cut(&row.label, SMALL, pen.width - plot.x - 12.0);
            let plate = Rect::new(plot.x + 1.0, y - 1.0, pen.wide(&label, SMALL) + 6.0, 14.0);
            pen.marks.push(Mark::Fill { rect: plate, ink: Ink::Surface, hatch: Hatch::Plain });
            pen.text((plot.x + 4.0, y + 6.0), &label, Ink::Text, SMALL, Side::Start, Side::Middle);
        } else if index.is_multiple_of(labelled) {
            let label = pen.cut(&row.label, SMALL, plot.x - 8.0);
            pen.text((plot.x - 8.0, y + bar / 2.0), &label, Ink::Text, SMALL, Side::End, Side::Middle);
        }
        let line = Rect::new(plot.x, y + above, plot.w, bar);
        let (of_row, in_bars) = draw_row(&mut pen, grid, row, index, (&axis, line));
        stops.extend(of_row);
        numbers.extend(in_bars);
        if totals && index.is_multiple_of(labelled) && row.values.iter().any(Option::is_some) {
            let x = axis.place(row.values.iter().flatten().sum(), plot.x, plot.right());
            let total = number::value(row.values.iter().flatten().sum());
            pen.text((x + 5.0, line.middle().1), &total, Ink::Text, SMALL, Side::Start, Side::Middle);
        }
    }
    // Over the bars, which would hide them, and under the numbers.
    for level in &grid.levels {
        let x = axis.place(level.value, plot.x, plot.right());
        pen.line((x, plot.y), (x, plot.bottom()), Ink::Surface, 4.0, SOLID);
        pen.line((x, plot.y), (x, plot.bottom()), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    pen.marks.extend(numbers);
    let height = pen.y;
    pen.finish(height, stops)
}

/// The parts of one row from left to right. Returns their stops, and the value of each where it fits.
fn draw_row(pen: &mut Pen, grid: &Grid, row: &Row, index: usize, (axis, line): (&Axis, Rect)) -> (Vec<Stop>, Vec<Mark>) {
    let total: f64 = row.values.iter().flatten().sum();
    let mut sum = 0.0;
    let (mut stops, mut numbers) = (Vec::new(), Vec::new());
    for (key, value) in grid.keys.iter().zip(&row.values) {
        let Some(value) = value.filter(|value| value.is_finite()) else { continue };
        let from = axis.place(sum, line.x, line.right());
        sum += value;
        let to = axis.place(sum, line.x, line.right());
        let rect = Rect::new(from, line.y, to - from, line.h);
        // A thin gap keeps neighbouring parts apart.
        let inner = Rect { w: (rect.w - 1.0).max(rect.w.min(1.0)), ..rect };
        if value > 0.0 {
            pen.part(inner, key.look);
        }
        // Parts have the decimals of their total, so that they visibly add up.
        let written = if (100.0..1_000.0).contains(&total) { number::fixed(value, 1) } else { number::short(value) };
        let wide = pen.wide(&written, 10.5);
        // A part that is all of its row has its value after the bar.
        let is_told = grid.at_least < 100.0 && value == total;
        if wide + 8.0 < inner.w && line.h >= 14.0 && !is_told {
            let at = inner.middle();
            let plate = Rect::new(at.0 - wide / 2.0 - 3.0, at.1 - 7.0, wide + 6.0, 14.0);
            numbers.push(Mark::Fill { rect: plate, ink: Ink::Look(key.look), hatch: Hatch::Plain });
            numbers.push(super::text(at, &written, Ink::OnLook(key.look), 10.5, Side::Middle, Side::Middle));
        }
        stops.push(Stop {
            areas: vec![rect],
            cursor: boxed(inner),
            row: index,
            text: words(grid, row, &key.name, value, total),
            when: None,
        });
    }
    (stops, numbers)
}

/// `V4DVY000, settled: connect time 1.97 ms, 96 % of 2.06 ms`.
fn words(grid: &Grid, row: &Row, part: &str, value: f64, total: f64) -> String {
    let unit = &grid.value.unit;
    let mut text = format!("{}: {part} {}", row.label, unit::with_unit(value, unit));
    if total > 0.0 && unit != "%" {
        text += &format!(", {} of {}", unit::percent(value / total * 100.0), unit::with_unit(total, unit));
    }
    text
}
