//! Contiguous frames: how many of the free frames stand in blocks, and how the requests for blocks fare.

use zvmlab::snapshot::{ContiguousSnapshot, Snapshot};

use super::area::{Area, heading};
use super::text::first_that_fits;
use super::{Align, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};
use crate::words::number::whole;

/// The height of its heading, with the space over it, and of its words.
const HEADING: f64 = 22.0;
const WORDS: f64 = 17.0;
/// The rows of squares, the step from one to the next, its square, and the space between them and the border.
const ROWS: usize = 2;
const STEP: f64 = 7.0;
const SQUARE: f64 = 5.0;
const ASIDE: f64 = 4.0;

/// Its height, with its heading.
pub(super) const HEIGHT: f64 = HEADING + WORDS + ROWS as f64 * STEP + 2.0 * ASIDE;

/// The part of `area` that is left for what stands above it; the whole area where CP asks for no contiguous frames.
pub(super) fn beneath(snapshot: &Snapshot, area: Area) -> (Area, Option<Area>) {
    if snapshot.storage.contiguous.is_none() {
        return (area, None);
    }
    let above = Area { h: area.h - HEIGHT, ..area };
    (above, Some(Area { y: above.y + above.h + HEADING, h: HEIGHT - HEADING, ..area }))
}

/// Draws it in `area`, which leaves room for its heading above.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, area: Area) {
    let Some(of) = &snapshot.storage.contiguous else { return };
    let squares = ROWS * ((area.w - 2.0 * ASIDE) / STEP).floor().max(1.0) as usize;
    let (blocks, singles) = (of.blocks * u64::from(of.frames), of.singles);
    // A square stands for as many frames everywhere, and there is always one for the last block.
    let each = (blocks + singles).div_ceil(squares as u64).max(1);
    heading(scene, area, "Free frames");
    let across = squares / ROWS;
    let corner = |at: usize| -> Point {
        (area.x + ASIDE + (at % across) as f64 * STEP, area.y + ASIDE + (at / across) as f64 * STEP)
    };
    let full = (blocks.div_ceil(each) as usize).min(squares);
    let all = ((blocks + singles).div_ceil(each) as usize).min(squares);
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 0.0), Tone::Surface)];
    let mut cells = |from: usize, to: usize, tone: Tone| {
        if from < to {
            marks.push(Mark::new(Shape::Cells(SQUARE, SQUARE, (from..to).map(corner).collect()), tone));
        }
    };
    cells(0, full, Tone::Valid);
    cells(full, all, Tone::Empty);
    let told = first_that_fits([state(of), short(of), String::new()], Letters::Small, area.w - 2.0 * ASIDE);
    let at = (area.x + ASIDE, area.y + area.h - 5.0);
    marks.extend(told.map(|told| Mark::text(at, Align::Start, Letters::Small, Tone::Quiet, told)));
    scene.parts.push(Part {
        id: (Kind::Frames, 2),
        name: "Contiguous free frames".into(),
        state: state(of),
        room: Kind::Frames.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// What there is: `2,012 blocks of 2 frames, 310 single frames`.
fn state(of: &ContiguousSnapshot) -> String {
    let blocks = if of.blocks == 1 { "one block".into() } else { format!("{} blocks", whole(of.blocks)) };
    format!("{blocks} of {}, {} single", of.frames, whole(of.singles))
}

/// The same where there is little room.
fn short(of: &ContiguousSnapshot) -> String {
    format!("{} × {}", whole(of.blocks), of.frames)
}
