//! The page table lock of a guest that releases pages: which of its virtual CPUs hold it, and which stand in line for it.

use std::cmp::Reverse;

use zvmlab::order;
use zvmlab::scenario::{Mechanism, Scenario};
use zvmlab::snapshot::{GuestSnapshot, PtilSnapshot, Snapshot};

use super::area::{Area, heading};
use super::text::first_that_fits;
use super::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone, guests};

/// The height of its heading, with the space over it, and of a guest's row.
const HEADING: f64 = 26.0;
const ROW: f64 = 26.0;
/// The largest step from a virtual CPU's square to the next, and how much of it is the square.
const STEP: f64 = 21.0;
const SQUARE: f64 = 0.85;
/// The width of the name, and of the two gaps between those who hold the lock, those in line, and the others.
const NAME: f64 = 96.0;
const GAPS: f64 = 28.0;
/// So many guests are drawn at most: those that have waited longest.
const GUESTS: usize = 4;

/// Draws them beneath `area`, as wide as that, if guests release pages under an exclusive lock. Returns the lower end.
pub(super) fn draw(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, area: Area) -> f64 {
    let locks = (0..).zip(&snapshot.guests).filter_map(|(index, guest)| Some((index, guest, guest.ptil.as_ref()?)));
    let mut locks: Vec<(usize, &GuestSnapshot, &PtilSnapshot)> = locks.collect();
    if locks.is_empty() || !scenario.has(Mechanism::ReleaseExclusive) {
        return area.y;
    }
    let all = locks.len();
    order::by_key(&mut locks, |&(index, _, ptil)| (Reverse(ptil.wait_ns), index));
    locks.truncate(GUESTS);
    order::by_key(&mut locks, |&(index, ..)| index);
    let top = area.y + HEADING;
    let which = if all > GUESTS { format!("{GUESTS} of {all} page table locks") } else { "Page table locks".into() };
    heading(scene, Area { y: top, ..area }, &format!("{which}: held, in line, others"));
    for (row, (index, guest, ptil)) in locks.iter().enumerate() {
        let y = top + row as f64 * ROW;
        scene.parts.push(lock(*index, guest, ptil, Area { x: area.x, y, w: area.w, h: ROW - 4.0 }));
    }
    top + locks.len() as f64 * ROW
}

fn lock(index: usize, guest: &GuestSnapshot, ptil: &PtilSnapshot, area: Area) -> Part {
    let (Area { x, y, w, h }, count) = (area, guest.virtual_cpus.len());
    let mut marks = vec![Mark::new(Shape::Box(x, y, w, h, 4.0), Tone::Surface)];
    let number = guest.name.rsplit('-').next().map(|number| format!("…-{number}")).unwrap_or_default();
    let name = first_that_fits([guest.name.clone(), number], Letters::Name, NAME - 12.0);
    marks.extend(name.map(|name| Mark::text((x + 6.0, y + h / 2.0 + 4.0), Align::Start, Letters::Name, Tone::Text, name)));
    // One place more than virtual CPUs: where nobody holds the lock, that is empty.
    let step = ((w - NAME - GAPS) / (count + 1) as f64).min(STEP);
    let side = (step * SQUARE).min(h - 4.0);
    let mut right = x + NAME;
    let mut put = |marks: &mut Vec<Mark>, tones: Vec<Tone>| {
        for tone in tones {
            marks.push(Mark::new(Shape::Cells(side, side, vec![(right, y + (h - side) / 2.0)]), tone));
            right += step;
        }
        right += GAPS / 2.0;
    };
    let holders: Vec<u32> = ptil.holder.into_iter().chain(ptil.sharing.iter().copied()).collect();
    put(&mut marks, if holders.is_empty() { vec![Tone::Empty] } else { vec![Tone::Running; holders.len()] });
    put(&mut marks, vec![Tone::Queued; ptil.line.len()]);
    let others = (0..).zip(&guest.virtual_cpus);
    let others = others.filter(|(cpu, _)| !holders.contains(cpu) && !ptil.line.contains(cpu));
    put(&mut marks, others.map(|(_, state)| guests::tone(*state)).collect());
    let waiting = match ptil.line.len() {
        0 => "nobody waits".into(),
        1 => "one virtual CPU waits".into(),
        many => format!("{many} virtual CPUs wait"),
    };
    let held = match (ptil.holder, holders.len()) {
        (Some(cpu), _) => format!("virtual CPU {cpu} holds it alone"),
        (None, 0) => "nobody holds it".into(),
        (None, 1) => "one virtual CPU holds it, and others may".into(),
        (None, many) => format!("{many} virtual CPUs share it"),
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
