//! The page table lock of a guest that releases pages: who of its virtual CPUs holds it alone, and who stands in line for it.

use zvmlab::scenario::{Mechanism, Scenario};
use zvmlab::snapshot::{GuestSnapshot, PtilSnapshot, Snapshot};

use super::area::{Area, heading};
use super::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone, guests};

/// The height of its heading, with the space over it, and of a guest's row.
const HEADING: f64 = 26.0;
const ROW: f64 = 26.0;
/// The largest side of a virtual CPU's square, and the space to the next.
const CPU: f64 = 18.0;
const SPACE: f64 = 3.0;
/// The width of the two fields before the virtual CPUs that go on: who holds the lock, and who waits, in squares.
const NAME: f64 = 92.0;
/// So many guests are drawn at most: those that wait longest.
const GUESTS: usize = 4;

/// Draws them beneath `area`, as wide as that, if guests release pages under an exclusive lock. Returns the lower end.
pub(super) fn draw(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, area: Area) -> f64 {
    let locks: Vec<(usize, &GuestSnapshot, &PtilSnapshot)> = (0..)
        .zip(&snapshot.guests)
        .filter_map(|(index, guest)| Some((index, guest, guest.ptil.as_ref()?)))
        .take(GUESTS)
        .collect();
    if locks.is_empty() || !scenario.has(Mechanism::ReleaseExclusive) {
        return area.y;
    }
    let top = area.y + HEADING;
    heading(scene, Area { y: top, ..area }, "Page table locks: held alone, in line, others");
    for (row, (index, guest, ptil)) in locks.iter().enumerate() {
        let y = top + row as f64 * ROW;
        scene.parts.push(lock(*index, guest, ptil, Area { x: area.x, y, w: area.w, h: ROW - 4.0 }));
    }
    top + locks.len() as f64 * ROW
}

fn lock(index: usize, guest: &GuestSnapshot, ptil: &PtilSnapshot, area: Area) -> Part {
    let (Area { x, y, w, h }, count) = (area, guest.virtual_cpus.len());
    let mut marks = vec![
        Mark::new(Shape::Box(x, y, w, h, 4.0), Tone::Surface),
        Mark::text((x + 6.0, y + h / 2.0 + 4.0), Align::Start, Letters::Name, Tone::Text, guest.name.clone()),
    ];
    // A place for the holder, then for as many as can wait, then for the others; gaps between the three.
    let places = 2 * count;
    let side = ((w - NAME - 24.0) / places.max(1) as f64 - SPACE).clamp(2.0, CPU).min(h - 4.0);
    let at = |place: usize| {
        let gap = 10.0 * (usize::from(place > 0) + usize::from(place >= count)) as f64;
        (x + NAME + place as f64 * (side + SPACE) + gap, y + (h - side) / 2.0)
    };
    marks.push(Mark::new(
        Shape::Cells(side, side, vec![at(0)]),
        if ptil.holder.is_some() { Tone::Running } else { Tone::Empty },
    ));
    let line: Vec<_> = (0..ptil.line.len()).map(|place| at(1 + place)).collect();
    marks.push(Mark::new(Shape::Cells(side, side, line), Tone::Queued));
    let others = (0..).zip(&guest.virtual_cpus);
    let others = others.filter(|(cpu, _)| ptil.holder != Some(*cpu) && !ptil.line.contains(cpu));
    for (place, (_, state)) in others.enumerate() {
        marks.push(Mark::new(Shape::Cells(side, side, vec![at(count + place)]), guests::tone(*state)));
    }
    let waiting = match ptil.line.len() {
        0 => "nobody waits".into(),
        1 => "one virtual CPU waits".into(),
        many => format!("{many} virtual CPUs wait"),
    };
    let held = match ptil.holder {
        Some(cpu) => format!("virtual CPU {cpu} holds it alone"),
        None => "nobody holds it alone".into(),
    };
    Part {
        id: (Kind::Ptil, index),
        name: format!("Page table lock of {}", guest.name),
        state: format!("{held}, {waiting}"),
        room: Kind::Ptil.room(),
        place: (x, y, w, h),
        limits: false,
        marks,
    }
}
