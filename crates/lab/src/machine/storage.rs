//! Frames and volumes in a few words, where the picture is of who may run: they often limit that.

use zvmlab::snapshot::{IoStage, Snapshot};

use super::area::{Area, heading};
use super::control_unit::{busy, name, state};
use super::{Align, Kind, Letters, Mark, Part, Rates, Scene, Shape, Tone, frames};
use crate::room::Room;
use crate::words::unit;

/// The least height that both need, with their headings.
pub(super) const LEAST: f64 = 126.0;
/// Height of a heading, with the space over it.
const HEADING: f64 = 24.0;
/// Height of a volume with two lines of words, and the space around it.
const VOLUME: f64 = 38.0;
const GAP: f64 = 4.0;
/// The least width of a volume with its name.
const VOLUME_WIDE: f64 = 48.0;
/// The most rows of volumes. More are left to the picture of the whole host.
const ROWS: usize = 2;

/// Draws frames over volumes in `area`.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, rates: &Rates, area: Area) {
    let count = snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len();
    let across = ((area.w + GAP) / (VOLUME_WIDE + GAP)).floor().max(1.0) as usize;
    let across = count.div_ceil(count.div_ceil(across).max(1)).max(1);
    let rows = count.div_ceil(across);
    // With their rows, the grid of frames still needs its own height.
    let of_volumes = HEADING + rows as f64 * (VOLUME + GAP);
    let shows_volumes = (1..=ROWS).contains(&rows) && area.h - of_volumes >= LEAST - HEADING - VOLUME - GAP;
    let of_frames = area.h - HEADING - if shows_volumes { of_volumes } else { 0.0 };
    let store = Area { y: area.y + HEADING, h: of_frames, ..area };
    heading(scene, store, &format!("Frames {}", unit::gb_or_mb(snapshot.storage.installed_frames)));
    frames::draw(scene, snapshot, store);
    if !shows_volumes {
        return;
    }
    let below = Area { y: store.y + store.h + HEADING, ..area };
    heading(scene, below, if snapshot.minidisks.volumes.is_empty() { "Page volumes" } else { "Volumes" });
    let w = (area.w - GAP * (across - 1) as f64) / across as f64;
    for index in 0..count {
        let (column, row) = (index % across, index / across);
        let place = Area { x: area.x + column as f64 * (w + GAP), y: below.y + row as f64 * (VOLUME + GAP), w, h: VOLUME };
        scene.parts.push(volume(snapshot, rates, index, place));
    }
}

/// A volume with its name and how busy it is.
fn volume(snapshot: &Snapshot, rates: &Rates, index: usize, place: Area) -> Part {
    let Area { x, y, w, h } = place;
    let name = name(snapshot, index);
    let volumes = snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes);
    let volume = volumes.clone().nth(index);
    let ios = || snapshot.lcu.ios.iter().filter(|io| io.volume as usize == index && io.stage != IoStage::Finishing);
    let waiting = ios().filter(|io| io.stage == IoStage::Queued).count();
    let in_words = volume.map_or(String::new(), |volume| state(volume, rates, index, (waiting, ios().count() - waiting)));
    let middle = |line: f64, tone: Tone, words: String| {
        Mark::text((x + w / 2.0, y + line), Align::Middle, Letters::Small, tone, words)
    };
    let busy = volume.and_then(|volume| busy(volume, rates, index, true));
    // Without its unit where there is no room for it.
    let busy = busy.map(|busy| if w >= 6.4 * busy.len() as f64 { busy } else { busy.trim_end_matches(" busy").into() });
    let words = [(Tone::Text, Some(name.clone())), (Tone::Quiet, busy.filter(|busy| w >= 6.1 * busy.len() as f64))];
    let mut marks = vec![Mark::new(Shape::Drum(x, y, w, h), Tone::Surface)];
    marks.extend(words.into_iter().zip([20.0, 32.0]).filter_map(|((tone, words), line)| Some(middle(line, tone, words?))));
    let of_pages = index < snapshot.paging.volumes.len();
    Part {
        id: (Kind::Volume, index),
        name,
        state: in_words,
        room: if of_pages { Kind::Volume.room() } else { Room::Minidisks },
        place: (x, y, w, h),
        limits: false,
        marks,
    }
}
