//! The ground of the picture: its place, areas, and the headings over them.

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

/// What the place gives besides its width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Given {
    /// The height, where there is one to fill.
    pub height: Option<f64>,
    /// Whether the parts stand close together.
    pub tight: bool,
    /// Whether what else can be read below the picture is left out of it.
    pub brief: bool,
}

/// Writes a heading over an area.
pub(super) fn heading(scene: &mut Scene, over: Area, text: &str) {
    scene.ground.push(Mark::text((over.x, over.y - 7.0), Align::Start, Letters::Heading, Tone::Text, text));
}
