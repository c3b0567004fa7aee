//! The ground of the picture: areas, and the headings over them.

use super::{Align, Letters, Mark, Scene, Tone};

/// From this width on, the columns stand side by side. CSS pixels.
pub(super) const WIDE_FROM: f64 = 520.0;

/// A part of the picture's ground: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// Writes a heading over an area.
pub(super) fn heading(scene: &mut Scene, over: Area, text: &str) {
    scene.ground.push(Mark::text((over.x, over.y - 7.0), Align::Start, Letters::Heading, Tone::Text, text));
}
