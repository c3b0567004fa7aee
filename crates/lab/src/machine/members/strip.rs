//! Below the members, where guests of the first one page and do I/O through one pool of aliases: what they share there. That is
//! STORBUF's barrier with the eligible list, the aliases by who holds them, and the page volumes.

use zvmlab::snapshot::{IoKind, Snapshot};

use super::text::{first_that_fits, width};
use super::{Area, Cluster, PAD};
use crate::machine::control_unit;
use crate::machine::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone};
use crate::rooms::scheduler::words::mb;

/// Height of a tile: a line of words over bars or cells.
const TILE: f64 = 42.0;
/// Space between tiles.
const BETWEEN: f64 = 8.0;

/// Draws the strip from `top` down; returns where it ends. Without aliases there is none.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, top: f64) -> f64 {
    let Some(host) = cluster.hosts.first().filter(|host| host.lcu.aliases > 0) else { return top };
    let tiles: &[fn(&mut Scene, &Cluster, &Snapshot, Area)] =
        if host.scheduler.keeps_eligible { &[barrier, aliases, volumes] } else { &[aliases, volumes] };
    let w = (scene.width - 2.0 - BETWEEN * (tiles.len() - 1) as f64) / tiles.len() as f64;
    for (place, tile) in tiles.iter().enumerate() {
        tile(scene, cluster, host, Area { x: 1.0 + place as f64 * (w + BETWEEN), y: top, w, h: TILE });
    }
    top + TILE
}

/// The ground of a tile, its name, and as much of what is said beside it as there is room for.
fn ground<const N: usize>(area: Area, name: &str, said: [String; N], ink: Tone) -> Vec<Mark> {
    let (x, right, y) = (area.x + PAD, area.x + area.w - PAD, area.y + 15.0);
    let room = right - x - width(name, Letters::Name) - 6.0;
    let mut marks = vec![
        Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 6.0), Tone::Surface),
        Mark::text((x, y), Align::Start, Letters::Name, Tone::Text, name),
    ];
    if let Some(said) = first_that_fits(said, Letters::Small, room) {
        marks.push(Mark::text((right, y), Align::End, Letters::Small, ink, said));
    }
    marks
}

/// A bar that is full to a part.
fn bar(marks: &mut Vec<Mark>, (x, y, w): (f64, f64, f64), full: f64, tone: Tone) {
    marks.push(Mark::new(Shape::Box(x, y, w, 8.0, 2.0), Tone::Empty));
    marks.push(Mark::new(Shape::Box(x, y, (w * full.clamp(0.0, 1.0)).max(0.5), 8.0, 2.0), tone));
}

/// STORBUF's first barrier, what is claimed of it, and how many guests wait for it.
fn barrier(scene: &mut Scene, _: &Cluster, host: &Snapshot, area: Area) {
    let scheduler = &host.scheduler;
    let waiting = host.guests.iter().filter(|guest| guest.list.is_eligible()).count();
    let wait = [format!("{waiting} in the eligible list"), format!("{waiting} eligible"), waiting.to_string()];
    let mut marks = ground(area, "STORBUF", wait, if waiting > 0 { Tone::Held } else { Tone::Quiet });
    let (claimed, most) = (scheduler.claimed[0], scheduler.barriers[0]);
    let full = claimed as f64 / most.max(1) as f64;
    let tone = if waiting > 0 { Tone::Held } else { Tone::Busy };
    bar(&mut marks, (area.x + PAD, area.y + 24.0, area.w - 2.0 * PAD), full, tone);
    scene.parts.push(Part {
        id: (Kind::Barrier, 0),
        name: "STORBUF barrier of Q1, Q2 and Q3".into(),
        state: format!("{} of {} claimed, {waiting} guests wait in the eligible list", mb(claimed), mb(most)),
        room: Kind::Barrier.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// The aliases: those that paging holds, those that minidisk I/O holds, and those that are free.
fn aliases(scene: &mut Scene, cluster: &Cluster, host: &Snapshot, area: Area) {
    let all = host.lcu.aliases as usize;
    let on_alias = || host.lcu.ios.iter().filter(|io| io.on_alias && io.is_on_exposure());
    let minidisk = on_alias().filter(|io| matches!(io.kind, IoKind::MinidiskRead | IoKind::MinidiskWrite)).count();
    let paging = (host.lcu.aliases_in_use as usize).saturating_sub(minidisk);
    let share = cluster.scenario.lcu.alias_share;
    let said = [
        format!("{paging} paging, {minidisk} minidisk of {all}, SET CU {share}"),
        format!("{paging} paging, {minidisk} minidisk"),
        format!("{paging} + {minidisk}"),
    ];
    let mut marks = ground(area, "Aliases", said, Tone::Quiet);
    let step = ((area.w - 2.0 * PAD) / all as f64).min(22.0);
    for (tone, from, to) in
        [(Tone::PageWait, 0, paging), (Tone::IoWait, paging, paging + minidisk), (Tone::Empty, paging + minidisk, all)]
    {
        let cells = (from..to).map(|place| (area.x + PAD + place as f64 * step, area.y + 23.0)).collect();
        if to > from {
            marks.push(Mark::new(Shape::Cells((step - 3.0).max(0.5), 11.0, cells), tone));
        }
    }
    scene.parts.push(Part {
        id: (Kind::Aliases, 0),
        name: "HyperPAV aliases".into(),
        state: format!("{paging} of {all} carry paging I/O, {minidisk} minidisk I/O; shared {share} (MDISK:PAGING)"),
        room: Kind::Aliases.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// The page volumes, each with the I/Os that it carries at once.
fn volumes(scene: &mut Scene, cluster: &Cluster, host: &Snapshot, area: Area) {
    let volumes = &host.paging.volumes;
    let queued = host.paging.ios.queued;
    let said = [format!("{queued} I/Os wait"), queued.to_string()];
    let marks = ground(area, "Page volumes", said, if queued > 0 { Tone::Changed } else { Tone::Quiet });
    scene.ground.extend(marks);
    let inner = area.w - 2.0 * PAD + 4.0;
    let w = inner / volumes.len().max(1) as f64;
    for (index, volume) in volumes.iter().enumerate() {
        let rate = cluster.rates.known(&cluster.rates.volumes, index);
        let (x, y) = (area.x + PAD + index as f64 * w, area.y + 24.0);
        let mut marks = Vec::new();
        bar(&mut marks, (x, y, (w - 4.0).max(1.0)), rate.unwrap_or(0.0), Tone::Busy);
        scene.parts.push(Part {
            id: (Kind::Volume, index),
            name: control_unit::name(host, index),
            state: control_unit::busy(volume, cluster.rates, index, true).unwrap_or_else(|| "page volume".into()),
            room: Kind::Volume.room(),
            place: (x - 1.0, y - 3.0, w - 2.0, 14.0),
            limits: false,
            marks,
        });
    }
}
