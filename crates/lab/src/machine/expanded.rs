//! Expanded storage: how full it is, and what goes in and out.

use zvmlab::snapshot::{ExpandedSnapshot, Snapshot};

use super::area::{Area, heading};
use super::text::first_that_fits;
use super::{Align, Kind, Letters, Mark, Part, Rates, Scene, Shape, Tone};
use crate::words::number::whole;
use crate::words::unit::{gb_or_mb, percent};

/// The height of its heading, with the space over it.
const HEADING: f64 = 22.0;
/// The height of the bar.
const BAR: f64 = 16.0;
/// Space between the words and the border, and from line to line.
const ASIDE: f64 = 4.0;
const LINE: f64 = 13.0;
/// From this width on its words take two lines, otherwise four. CSS pixels.
const WIDE_FROM: f64 = 280.0;

/// Its height, with its heading, at a width.
pub(super) fn height(width: f64) -> f64 {
    let lines = if width >= WIDE_FROM { 2.0 } else { 4.0 };
    HEADING + BAR + lines * LINE + ASIDE
}

/// The part of `area` that is left for what stands above it; the whole area where the host has no expanded storage.
pub(super) fn beneath(snapshot: &Snapshot, area: Area) -> (Area, Option<Area>) {
    if snapshot.storage.expanded.is_none() {
        return (area, None);
    }
    let own = height(area.w);
    let above = Area { h: area.h - own, ..area };
    (above, Some(Area { y: above.y + above.h + HEADING, h: own - HEADING, ..area }))
}

/// Draws it in `area`, which leaves room for its heading above.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, rates: &Rates, area: Area) {
    let Some(expanded) = &snapshot.storage.expanded else { return };
    let size = gb_or_mb(expanded.pages + expanded.cache_pages);
    // Beside it stand the numbers of the queue.
    let title = first_that_fits([format!("Expanded {size}"), "Expanded".into()], Letters::Heading, area.w);
    heading(scene, area, &title.unwrap_or_default());
    let part = |pages: u64| area.w * pages as f64 / (expanded.pages + expanded.cache_pages).max(1) as f64;
    let full = Shape::Box(area.x, area.y, part(expanded.used), BAR, 0.0);
    let mut marks = vec![
        Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 0.0), Tone::Surface),
        Mark::new(Shape::Box(area.x, area.y, area.w, BAR, 0.0), Tone::Empty),
        Mark::new(full, Tone::Busy),
    ];
    if expanded.cache_pages > 0 {
        let at = area.x + part(expanded.pages);
        marks.push(Mark::new(Shape::Box(at, area.y, part(expanded.cache_pages), BAR, 0.0), Tone::Cache));
    }
    let said = said(expanded, rates);
    let lines = match said.split_first() {
        Some((full, moves)) if area.w >= WIDE_FROM && !moves.is_empty() => vec![full.clone(), moves.join(", ")],
        _ => said.clone(),
    };
    for (at, words) in (0..).zip(&lines) {
        let place = (area.x + ASIDE, area.y + BAR + LINE * f64::from(at) + 11.0);
        marks.push(Mark::text(place, Align::Start, Letters::Small, Tone::Quiet, words.clone()));
    }
    scene.parts.push(Part {
        id: (Kind::Expanded, 0),
        name: format!("Expanded storage, {size}"),
        state: said.join(", "),
        room: Kind::Expanded.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// A rate in few letters.
fn short(rate: f64) -> String {
    let in_units = |of: f64, letter: &str| format!("{}{letter}", whole((rate / of).round() as u64));
    match rate {
        ..9_999.5 => in_units(1.0, ""),
        ..9_999_500.0 => in_units(1e3, "\u{a0}k"),
        _ => in_units(1e6, "\u{a0}M"),
    }
}

/// What it says: how full, what goes out and comes back, what migrates.
fn said(expanded: &ExpandedSnapshot, rates: &Rates) -> Vec<String> {
    if expanded.pages == 0 {
        return vec!["all for the cache".into()];
    }
    let full = format!("{} full", percent(100.0 * expanded.used as f64 / expanded.pages as f64));
    if rates.over_ns == 0 {
        return vec![full];
    }
    let [out, back, migrated] = rates.expanded.map(short);
    vec![full, format!("{out}/s in"), format!("{back}/s back"), format!("{migrated}/s migrate")]
}
