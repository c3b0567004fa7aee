//! Expanded storage: how full it is, and what goes in and out.

use zvmlab::snapshot::{ExpandedSnapshot, Snapshot};

use super::area::{Area, heading};
use super::{Align, Kind, Letters, Mark, Part, Rates, Scene, Shape, Tone};
use crate::words::number::whole;
use crate::words::unit::{gb_or_mb, percent};

/// Its height, with its heading. Chosen.
pub(super) const HEIGHT: f64 = 76.0;
/// The height of its heading, with the space over it.
const HEADING: f64 = 22.0;
/// The height of the bar.
const BAR: f64 = 16.0;
/// Space between the words and the border, and from line to line.
const ASIDE: f64 = 4.0;
const LINE: f64 = 14.0;

/// The part of `area` that is left for what stands above it; the whole area where the host has no expanded storage.
pub(super) fn beneath(snapshot: &Snapshot, area: Area) -> (Area, Option<Area>) {
    if snapshot.storage.expanded.is_none() {
        return (area, None);
    }
    let above = Area { h: area.h - HEIGHT, ..area };
    (above, Some(Area { y: above.y + above.h + HEADING, h: HEIGHT - HEADING, ..area }))
}

/// Draws it in `area`, which leaves room for its heading above.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, rates: &Rates, area: Area) {
    let Some(expanded) = &snapshot.storage.expanded else { return };
    let size = gb_or_mb(expanded.pages);
    heading(scene, area, &format!("Expanded {size}"));
    let part = expanded.used as f64 / expanded.pages.max(1) as f64;
    let full = Shape::Box(area.x, area.y, area.w * part, BAR, 0.0);
    let mut marks = vec![
        Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 0.0), Tone::Surface),
        Mark::new(Shape::Box(area.x, area.y, area.w, BAR, 0.0), Tone::Empty),
        Mark::new(full, Tone::Busy),
    ];
    let lines = said(expanded, rates);
    for (at, words) in (0..).zip(lines.iter().take(((area.h - BAR) / LINE) as usize)) {
        let place = (area.x + ASIDE, area.y + BAR + LINE * f64::from(at) + 11.0);
        marks.push(Mark::text(place, Align::Start, Letters::Small, Tone::Quiet, words.clone()));
    }
    scene.parts.push(Part {
        id: (Kind::Expanded, 0),
        name: format!("Expanded storage, {size}"),
        state: lines.join(", "),
        room: Kind::Expanded.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// What it says: how full, what goes out and comes back, what migrates.
fn said(expanded: &ExpandedSnapshot, rates: &Rates) -> Vec<String> {
    let full = format!("{} full", percent(100.0 * expanded.used as f64 / expanded.pages.max(1) as f64));
    if rates.over_ns == 0 {
        return vec![full];
    }
    let [out, back, migrated] = rates.expanded.map(|rate| whole(rate.round() as u64));
    vec![format!("{full}, {migrated}/s migrate"), format!("{out}/s in, {back}/s back")]
}
