//! Where the columns of the picture stand: side by side where there is room, one above the other on a phone.

use zvmlab::Scenario;
use zvmlab::snapshot::Snapshot;

use super::area::{Area, Given, WIDE_FROM, heading};
use super::{Form, Rates, Scene, contiguous, control_unit, expanded, frames, guests, lanes, members, processors, searches};
use crate::words::unit;

/// Height of a heading over a column.
const HEADING: f64 = 20.0;
/// Space between columns.
const GAP: f64 = 14.0;
/// The least height of the columns where the place gives it, and how many times their own height they take at most.
const HEIGHT_LEAST: f64 = 170.0;
const HIGHER: f64 = 1.4;

/// The whole picture.
pub(super) fn draw(
    form: Form,
    scenario: &Scenario,
    snapshot: &Snapshot,
    rates: &Rates,
    (width, given): (f64, Given),
) -> Scene {
    let mut scene = Scene { width, now_ns: snapshot.now_ns, ..Scene::default() };
    match (form, &snapshot.cluster) {
        (Form::Lanes, _) => {
            let height = lanes::draw(&mut scene, scenario, snapshot, rates, HEADING, given.tight);
            scene.height = HEADING + height + 2.0;
        }
        (Form::Members, Some(cluster)) => members::draw(&mut scene, scenario, snapshot, cluster, rates, given),
        _ if width >= WIDE_FROM => wide(&mut scene, scenario, snapshot, rates, given.height),
        _ => tall(&mut scene, scenario, snapshot, rates),
    }
    scene
}

/// Columns from left to right. They fill the height that is given.
fn wide(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, rates: &Rates, height: Option<f64>) {
    let width = scene.width;
    let volumes = snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len();
    let own = control_unit::height(volumes, true);
    let least = control_unit::least(volumes).max(HEIGHT_LEAST).min(own);
    let inside = height.map_or(own, |height| (height - HEADING - 2.0).clamp(least, HIGHER * own));
    let area = |x: f64, w: f64| Area { x, y: HEADING, w, h: inside };
    let (of_guests, of_processors) = ((width * 0.19).clamp(112.0, 210.0), (width * 0.10).clamp(52.0, 110.0));
    let of_frames = (width * 0.16).clamp(84.0, 220.0);
    let left = area(1.0, of_guests);
    let middle = area(left.x + left.w + GAP, of_processors);
    let store = area(middle.x + middle.w + GAP, of_frames);
    let unit = area(store.x + store.w + GAP + 8.0, width - (store.x + store.w + GAP + 8.0) - 1.0);
    heading(scene, left, &guests::title(snapshot));
    heading(scene, middle, "CPUs");
    heading(scene, store, &format!("Frames {}", unit::gb_or_mb(snapshot.storage.installed_frames)));
    guests::draw(scene, snapshot, left, 1);
    processors::draw(scene, snapshot, rates, middle, 1);
    let (store, beneath) = expanded::beneath(snapshot, store);
    let (store, blocks) = contiguous::beneath(snapshot, store);
    let (store, search) = searches::beneath(snapshot, store);
    let places = frames::draw(scene, snapshot, store);
    search.into_iter().for_each(|area| searches::draw(scene, snapshot, area));
    blocks.into_iter().for_each(|area| contiguous::draw(scene, snapshot, area));
    beneath.into_iter().for_each(|area| expanded::draw(scene, snapshot, rates, area));
    control_unit::draw(scene, scenario, snapshot, rates, unit, (&places, true));
    scene.height = HEADING + inside + 2.0;
}

/// Bands from top to bottom.
fn tall(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, rates: &Rates) {
    let w = scene.width - 2.0;
    let band = |y: f64, h: f64| Area { x: 1.0, y: y + HEADING, w, h };
    let guests_area = band(0.0, guests::height(snapshot.guests.len(), w));
    heading(scene, guests_area, &guests::title(snapshot));
    guests::draw(scene, snapshot, guests_area, 2);
    let rows = snapshot.processors.logical.len().div_ceil(8).max(1) as f64;
    let processors_area = band(guests_area.y + guests_area.h + 5.0, rows * 26.0);
    heading(scene, processors_area, "CPUs");
    processors::draw(scene, snapshot, rates, processors_area, 8);
    let frames_area = band(processors_area.y + processors_area.h + 5.0, 64.0);
    heading(scene, frames_area, &format!("Frames {}", unit::gb_or_mb(snapshot.storage.installed_frames)));
    let places = frames::draw(scene, snapshot, frames_area);
    let (_, search) = searches::beneath(snapshot, Area { h: frames_area.h + searches::HEIGHT, ..frames_area });
    let searched = if search.is_some() { searches::HEIGHT } else { 0.0 };
    search.into_iter().for_each(|area| searches::draw(scene, snapshot, area));
    let (_, blocks) =
        contiguous::beneath(snapshot, Area { h: frames_area.h + searched + contiguous::HEIGHT, ..frames_area });
    let by_number = if blocks.is_some() { contiguous::HEIGHT } else { 0.0 };
    blocks.into_iter().for_each(|area| contiguous::draw(scene, snapshot, area));
    let expands = if snapshot.storage.expanded.is_some() { expanded::height(w) } else { 0.0 };
    let more = searched + by_number + expands;
    let (_, beneath) = expanded::beneath(snapshot, Area { h: frames_area.h + more, ..frames_area });
    beneath.into_iter().for_each(|area| expanded::draw(scene, snapshot, rates, area));
    let volumes = snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len();
    let unit = Area { h: control_unit::height(volumes, false), ..band(frames_area.y + frames_area.h + more + 4.0, 0.0) };
    control_unit::draw(scene, scenario, snapshot, rates, unit, (&places, false));
    scene.height = unit.y + unit.h + 2.0;
}
