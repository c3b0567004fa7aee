//! The logical processors: a cell for each, with who is on it.

use zvmlab::snapshot::{Doing, LogicalSnapshot, Snapshot};

use super::area::Area;
use super::{Align, Kind, Letters, Mark, Part, Rates, Scene, Shape, Tone};
use crate::words::unit::percent;

/// The tallest cell.
const CELL_MAX: f64 = 40.0;
/// The least height of a cell of one column; with more processors there are more columns.
const CELL_MIN: f64 = 15.0;

/// The least height of a cell with words, and of one with a bar beneath them.
const WORDS_FROM: f64 = 12.0;
const BAR_FROM: f64 = 16.0;

/// Draws every logical processor in `area`, in at least so many columns.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, rates: &Rates, area: Area, columns_min: usize) {
    let count = snapshot.processors.logical.len();
    let rows_max = (area.h / CELL_MIN).floor().max(1.0) as usize;
    let columns = count.div_ceil(rows_max).max(columns_min.min(count)).max(1);
    let rows = count.div_ceil(columns).max(1);
    let step = (area.h / rows as f64).min(CELL_MAX + 4.0);
    let w = (area.w - 3.0 * (columns - 1) as f64) / columns as f64;
    for (index, logical) in snapshot.processors.logical.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        let gap = if step > 20.0 { 4.0 } else { 2.0 };
        let place = Area { x: area.x + column as f64 * (w + 3.0), y: area.y + row as f64 * step, w, h: step - gap };
        scene.parts.push(cell(index, logical, snapshot, rates, place));
    }
}

fn cell(index: usize, logical: &LogicalSnapshot, snapshot: &Snapshot, rates: &Rates, place: Area) -> Part {
    let Area { x, y, w, h } = place;
    let guest = logical.guest.and_then(|guest| snapshot.guests.get(guest as usize)).map(|guest| guest.name.as_str());
    let (tone, short, long) = match (logical.does, guest) {
        (Doing::Idle, _) => (Tone::Empty, "idle".to_string(), "has nothing to do".to_string()),
        (Doing::Guest, Some(guest)) => (Tone::Running, guest.to_string(), format!("runs {guest}")),
        (Doing::Guest, None) => (Tone::Running, "guest".into(), "runs a guest".into()),
        (Doing::Cp, Some(guest)) => (Tone::Cp, "CP".into(), format!("does CP's work for {guest}")),
        (Doing::Cp, None) => (Tone::Cp, "CP".into(), "does CP's work".into()),
        (Doing::Spin, _) => (Tone::Spin, "spins".into(), "spins for a lock of CP".into()),
        (Doing::Suspended, _) => (Tone::Held, "no CPU".into(), "has work, but PR/SM gives it no physical processor".into()),
    };
    let busy = rates.known(&rates.processors, index);
    let mut marks = vec![Mark::new(Shape::Box(x, y, w, h, 4.0), if tone == Tone::Empty { Tone::Surface } else { tone })];
    if let Some(busy) = busy.filter(|_| h >= BAR_FROM) {
        marks.push(Mark::new(Shape::Box(x + 2.0, y + h - 4.0, (w - 4.0) * busy.min(1.0), 2.5, 1.0), Tone::Busy));
    }
    // For a name that is too long for the cell, the guest's number in the picture.
    let fits = |text: &str| w >= 7.0 * text.len() as f64;
    let number = logical.guest.filter(|_| tone == Tone::Running).map_or(String::new(), |guest| (guest + 1).to_string());
    if let Some(short) = [short, number].into_iter().find(|text| fits(text) && h >= WORDS_FROM) {
        let ink = if tone == Tone::Empty { Tone::Quiet } else { Tone::Ink };
        marks.push(Mark::text((x + w / 2.0, y + h / 2.0 + 4.0), Align::Middle, Letters::Small, ink, short));
    }
    let busy = busy.map_or(String::new(), |busy| format!(", {} busy", percent(100.0 * busy)));
    let waiting = match logical.vector {
        0 => String::new(),
        1 => ", one virtual CPU waits in its vector".into(),
        count => format!(", {count} virtual CPUs wait in its vector"),
    };
    // Its vector: a square for each virtual CPU that waits in it.
    if h >= 20.0 && logical.vector > 0 {
        let step = ((w - 8.0) / f64::from(logical.vector)).min(8.0);
        let corners = (0..logical.vector).map(|place| (x + w - 3.0 - step * f64::from(place + 1), y + 3.0)).collect();
        marks.push(Mark::new(Shape::Cells((step - 2.0).max(0.5), 6.0, corners), Tone::Ready));
    }
    Part {
        id: (Kind::Processor, index),
        name: format!("Processor {index}"),
        state: format!("{long}{busy}{waiting}"),
        room: Kind::Processor.room(),
        place: (x, y, w, h),
        limits: false,
        marks,
    }
}
