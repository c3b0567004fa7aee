//! The latest search for frames on one side of 2 GB, frame by frame: what it passed over, what it found in use, what it took. On 5.1 CP
//! wants them below; from 5.2 on demand scan wants them above.

use zvmlab::snapshot::{Look, SidesSnapshot, Snapshot};

use super::area::{Area, heading};
use super::text::first_that_fits;
use super::{Align, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};

/// The height of its heading, with the space over it, and of its words.
const HEADING: f64 = 22.0;
const WORDS: f64 = 17.0;
/// The rows of frames, the side of a frame with the space to the next, and the space between them and the border.
const ROWS: usize = 3;
const FRAME: f64 = 6.0;
const ASIDE: f64 = 4.0;

/// Its height, with its heading.
pub(super) const HEIGHT: f64 = HEADING + WORDS + ROWS as f64 * FRAME + ASIDE;

/// The frames on both sides of 2 GB, where it matters to the guests on which they stand: they do I/O, or CP has moved pages below or
/// sought frames on one side.
pub(super) fn sides(snapshot: &Snapshot) -> Option<&SidesSnapshot> {
    let sides = snapshot.storage.sides.as_ref();
    sides.filter(|sides| sides.moved > 0 || seeks(snapshot, sides))
}

/// Whether CP seeks frames on one side, or will: guests do I/O to pages below.
fn seeks(snapshot: &Snapshot, sides: &SidesSnapshot) -> bool {
    sides.looked_at > 0 || sides.last_for_above || snapshot.guests.iter().any(|guest| guest.does_io)
}

/// The part of `area` that is left for what stands above it; the whole area where nobody searches.
pub(super) fn beneath(snapshot: &Snapshot, area: Area) -> (Area, Option<Area>) {
    if sides(snapshot).is_none_or(|sides| !seeks(snapshot, sides)) {
        return (area, None);
    }
    let above = Area { h: area.h - HEIGHT, ..area };
    (above, Some(Area { y: above.y + above.h + HEADING, h: HEIGHT - HEADING, ..area }))
}

/// Draws it in `area`, which leaves room for its heading above.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, area: Area) {
    let Some(sides) = sides(snapshot) else { return };
    heading(scene, area, "Last search");
    let across = ((area.w - 2.0 * ASIDE) / FRAME).floor().max(1.0) as usize;
    let (mut passed, mut taken): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
    let seen = sides.last_search.iter().flat_map(|run| std::iter::repeat_n(run.look, run.frames as usize));
    for (at, look) in seen.take(across * ROWS).enumerate() {
        let corner = (area.x + ASIDE + (at % across) as f64 * FRAME, area.y + ASIDE + (at / across) as f64 * FRAME);
        if look == Look::Found { &mut taken } else { &mut passed }.push(corner);
    }
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 0.0), Tone::Surface)];
    let side = FRAME - 1.5;
    marks.extend((!passed.is_empty()).then(|| Mark::new(Shape::Cells(side, side, passed), Tone::Valid)));
    marks.extend((!taken.is_empty()).then(|| Mark::new(Shape::Cells(side, side, taken), Tone::AgeList)));
    let told = first_that_fits([state(sides), short(sides), String::new()], Letters::Small, area.w - 2.0 * ASIDE);
    let at = (area.x + ASIDE, area.y + area.h - 5.0);
    marks.extend(told.map(|told| Mark::text(at, Align::Start, Letters::Small, Tone::Quiet, told)));
    scene.parts.push(Part {
        id: (Kind::Frames, 1),
        name: format!("The last search for frames {} 2\u{a0}GB", if sides.last_for_above { "above" } else { "below" }),
        state: state(sides),
        room: Kind::Frames.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

fn count(sides: &SidesSnapshot, look: Look) -> u32 {
    sides.last_search.iter().filter(|run| run.look == look).map(|run| run.frames).sum()
}

/// What it saw: `of its first 240 frames 209 above, 8 in use, 23 taken`.
fn state(sides: &SidesSnapshot) -> String {
    let [other, in_use, taken] = [Look::OtherSide, Look::InUse, Look::Found].map(|look| count(sides, look));
    let side = if sides.last_for_above { "below" } else { "above" };
    match other + in_use + taken {
        0 => "there was none".into(),
        all => format!("of its first {all} frames {other} {side}, {in_use} in use, {taken} taken"),
    }
}

/// The same where there is little room.
fn short(sides: &SidesSnapshot) -> String {
    let all: u32 = sides.last_search.iter().map(|run| run.frames).sum();
    if all == 0 { "none".into() } else { format!("{} of {all} taken", count(sides, Look::Found)) }
}
