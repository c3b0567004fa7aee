//! Layout of marks in rows: published beside modelled, one row for each run.

use super::SMALL;
use super::pen::{Pen, ROW_MIN, Sample, highest, level_dash};
use crate::chart::scale::Axis;
use crate::chart::scene::{Hatch, Ink, Mark, Rect, SOLID, Scene, Side, Stop, boxed};
use crate::chart::{Grid, Row};
use crate::words::unit;

/// Lays rows of marks out.
pub fn lay_out(mut pen: Pen, grid: &Grid) -> Scene {
    let keys: Vec<_> = grid.keys.iter().map(|key| (key, Sample::Marker)).collect();
    pen.legend(&keys, &grid.levels);
    let column = pen.label_column(grid.rows.iter().map(|row| row.label.as_str()));
    let axis = Axis::from_zero(highest(grid, false), if pen.narrow() { 3 } else { 6 });
    let (step, above) = if column == 0.0 { (34.0, 15.0) } else { (22.0, 0.0) };
    let step = pen.row_height(grid.rows.len(), step, above + ROW_MIN);
    let top = pen.y;
    let left = column.max(10.0);
    let plot = Rect::new(left, top, pen.width - left - 14.0, grid.rows.len() as f64 * step);
    pen.base_axis(&axis, plot, &grid.value.heading(), true);
    for level in &grid.levels {
        let x = axis.place(level.value, plot.x, plot.right());
        pen.line((x, plot.y), (x, plot.bottom()), Ink::Look(level.look), 2.0, level_dash(level.look));
    }
    let mut stops = Vec::new();
    for (index, row) in grid.rows.iter().enumerate() {
        let area = Rect::new(0.0, top + index as f64 * step, pen.width - 1.0, step);
        let middle = area.y + above + (step - above) / 2.0;
        if above > 0.0 {
            let label = pen.cut(&row.label, SMALL, pen.width - plot.x - 12.0);
            let plate = Rect::new(plot.x + 1.0, area.y + 2.0, pen.wide(&label, SMALL) + 6.0, 14.0);
            pen.marks.push(Mark::Fill { rect: plate, ink: Ink::Surface, hatch: Hatch::Plain });
            pen.text((plot.x + 4.0, area.y + 9.0), &label, Ink::Text, SMALL, Side::Start, Side::Middle);
        } else if index.is_multiple_of(pen.labelled(step)) {
            let label = pen.cut(&row.label, SMALL, plot.x - 8.0);
            pen.text((plot.x - 8.0, middle), &label, Ink::Text, SMALL, Side::End, Side::Middle);
        }
        draw_row(&mut pen, grid, row, (&axis, plot, middle));
        stops.push(Stop { areas: vec![area], cursor: boxed(area), row: index, text: words(grid, row), when: None });
    }
    let height = pen.y;
    pen.finish(height, stops)
}

fn draw_row(pen: &mut Pen, grid: &Grid, row: &Row, (axis, plot, y): (&Axis, Rect, f64)) {
    let x = |value: f64| axis.place(value, plot.x, plot.right());
    pen.line((plot.x, y), (plot.right(), y), Ink::Grid, 1.0, SOLID);
    let present = || row.values.iter().flatten().copied();
    let low = present().fold(f64::INFINITY, f64::min);
    let high = present().fold(f64::NEG_INFINITY, f64::max);
    if high > low {
        // The distance between the published value and the model's.
        pen.line((x(low), y), (x(high), y), Ink::Muted, 2.0, SOLID);
    }
    for (key, value) in grid.keys.iter().zip(&row.values) {
        if let Some(value) = value {
            // The model's present value is the smallest mark, drawn over the published one.
            pen.marker((x(*value), y), key, if key.look == 0 { 4.0 } else { 5.5 });
        }
    }
}

fn words(grid: &Grid, row: &Row) -> String {
    let values =
        grid.keys.iter().zip(&row.values).filter_map(|(key, value)| {
            value.map(|value| format!("{} {}", key.name, unit::with_unit(value, &grid.value.unit)))
        });
    format!("{}: {}", row.label, values.collect::<Vec<_>>().join(" · "))
}
