//! How data that is read comes to the frames of its guest: from its path past the exposures and the queue to central storage.

use zvmlab::snapshot::IoSnapshot;

use super::columns::Columns;
use crate::machine::area::Area;
use crate::machine::dot::DOT;
use crate::machine::frames::Places;
use crate::machine::{Mark, Point, Scene, Shape, Tone};

/// Where the data of a read arrives in central storage.
pub(super) struct Arrival {
    pub at: Point,
    /// The last corner of its way.
    before: Point,
    /// Where its way leaves the rows.
    gutter: f64,
}

/// Finds the places at which data arrives, and sees to it that two that are there at once stand side by side.
pub(super) struct Arrivals<'a> {
    places: &'a Places,
    unit: Area,
    wide: bool,
    /// How many reads have been seen for each guest.
    seen: Vec<usize>,
}

impl<'a> Arrivals<'a> {
    /// Nothing has arrived yet of so many guests.
    pub fn new(places: &'a Places, unit: Area, wide: bool, guests: usize) -> Arrivals<'a> {
        // Reads for nobody have a place of their own.
        Arrivals { places, unit, wide, seen: vec![0; guests + 1] }
    }

    /// The way of data that is read: from the volume over a path, and past the queue to the place of its page.
    pub fn way(&mut self, io: &IoSnapshot, columns: &Columns) -> Vec<Point> {
        let (volume, turn, to) = (io.volume as usize, columns.turn(), self.of(io));
        let mut way = columns.way((turn, columns.middle(volume)), io.path, volume);
        way.reverse();
        let lane = columns.lane(volume);
        way.extend([(turn, lane), (to.gutter, lane), (to.gutter, to.before.1), to.before, to.at]);
        way
    }

    /// The place of the data of a read. That of a guest that has no frames in sight stands at the edge.
    pub fn of(&mut self, io: &IoSnapshot) -> Arrival {
        let gutter = self.gutter();
        let guest = io.guest.map_or(self.seen.len() - 1, |guest| (guest as usize).min(self.seen.len() - 1));
        let others = self.seen[guest];
        self.seen[guest] += 1;
        let at = self.places.of(guest, others).unwrap_or_else(|| self.door(others, others + 1));
        if self.wide {
            return Arrival { at, before: (gutter, at.1), gutter };
        }
        let store = self.places.area;
        Arrival { at, before: (at.0, store.y + store.h + 6.0), gutter }
    }

    /// Where the ways of data that is read come together.
    fn gutter(&self) -> f64 {
        if self.wide { self.unit.x - 10.0 } else { self.unit.x + DOT }
    }

    /// A place at the edge of central storage, of so many side by side.
    pub fn door(&self, place: usize, count: usize) -> Point {
        let store = self.places.area;
        let aside = (place as f64 - (count as f64 - 1.0) / 2.0) * 9.0f64.min(120.0 / count.max(1) as f64);
        if self.wide {
            (store.x + store.w + DOT + 2.0, store.y + store.h / 2.0 + aside)
        } else {
            (store.x + store.w / 2.0 + aside, store.y + store.h + 6.0)
        }
    }
}

/// The ways of data that is read, from the rows to central storage.
pub(super) fn ways(scene: &mut Scene, volumes: usize, columns: &Columns, arrivals: &Arrivals) {
    let Some(last) = volumes.checked_sub(1) else { return };
    let (gutter, store) = (arrivals.gutter(), arrivals.places.area);
    let begin = if arrivals.wide { store.y } else { store.y + store.h + 1.0 };
    let mut lines = vec![vec![(gutter, begin), (gutter, columns.lane(last))]];
    lines.extend((0..volumes).step_by(columns.across).map(|volume| {
        let lane = columns.lane(volume);
        vec![(gutter, lane), (columns.turn(), lane), (columns.turn(), columns.middle(volume))]
    }));
    scene.ground.extend(lines.into_iter().map(|line| Mark::new(Shape::Line(line), Tone::Border)));
}
