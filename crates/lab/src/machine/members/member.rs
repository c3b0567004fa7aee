//! A member: its name and state, its processors, the guests that are there, its frames and its page space.

use zvmlab::snapshot::{Doing, GuestSnapshot, MemberState, RelocationStage, Snapshot};

use super::text::{first_that_fits, fits, width};
use super::{Area, Cluster, PAD, Side, copies};
use crate::machine::guests::tone;
use crate::machine::{Align, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::state;
use crate::words::unit::gb_or_mb;

/// Height of name, state and processors.
const HEAD: f64 = 40.0;
/// Height of the lines of words at the bottom.
const FOOT: f64 = 34.0;
/// From this width on, both are one line.
const ONE_LINE_FROM: f64 = 300.0;
/// The same where the parts stand close together.
const CLOSE_LINE_FROM: f64 = 170.0;
/// Height of a guest with a name, with the space to the next.
const CHIP: f64 = 17.0;
/// Most rows of guests with names, and of guests with numbers.
const NAMED_ROWS: usize = 6;
const NUMBERED_ROWS: usize = 8;
/// The same for both where the parts stand close together.
const CLOSE_ROWS: usize = 2;
/// The most height for guests without either.
const CROWD: f64 = 120.0;

/// How the guests of a member stand: the size of each with the space around it, and whether it is written on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chips {
    columns: usize,
    w: f64,
    h: f64,
    rows: usize,
    label: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Name,
    Number,
    None,
}

impl Chips {
    /// As if all guests were at one member, so that none moves when another comes.
    fn new(cluster: &Cluster, w: f64, storage: bool) -> Chips {
        let guests = cluster.hosts.first().map_or(&[][..], |host| &host.guests);
        // The guest whose storage is drawn is no chip too.
        let drawn = usize::from(storage && cluster.shows_storage());
        let count = guests.len().saturating_sub(drawn);
        if count == 0 {
            return Chips { columns: 1, w, h: CHIP, rows: 0, label: Label::Name };
        }
        let longest = guests.iter().map(|guest| width(&guest.name, Letters::Small)).fold(20.0, f64::max);
        let of = |least: f64, label: Label| {
            let columns = ((w / least) as usize).clamp(1, count);
            Chips { columns, w: (w / columns as f64).min(1.5 * least), h: CHIP, rows: count.div_ceil(columns), label }
        };
        let named = of(longest + 16.0, Label::Name);
        let numbered = of(34.0, Label::Number);
        let rows = if cluster.tight { CLOSE_ROWS } else { NAMED_ROWS };
        if named.rows <= rows && longest + 16.0 <= w {
            named
        } else if numbered.rows <= if cluster.tight { CLOSE_ROWS } else { NUMBERED_ROWS } {
            numbered
        } else {
            let side = (w * CROWD / count as f64).sqrt().clamp(3.0, if cluster.tight { 8.0 } else { 12.0 });
            let columns = ((w / side) as usize).max(1);
            let rows = count.div_ceil(columns);
            Chips { columns, w: side, h: side.min(CROWD / rows as f64), rows, label: Label::None }
        }
    }
}

/// The height that a member needs in a width, with or without room for the storage of a guest that is relocated.
pub(super) fn height(cluster: &Cluster, w: f64, storage: bool) -> f64 {
    let inner = w - 2.0 * PAD;
    let of_storage = if storage && cluster.shows_storage() { copies::height(cluster, inner) + 6.0 } else { 0.0 };
    let chips = Chips::new(cluster, inner, storage);
    HEAD + of_storage + chips.rows as f64 * chips.h + foot(cluster, inner) + 2.0 * PAD
}

/// The height of the lines at the bottom.
fn foot(cluster: &Cluster, inner: f64) -> f64 {
    if one_line(cluster, inner) { FOOT - 15.0 } else { FOOT }
}

/// Whether the lines at the bottom stand beside each other.
fn one_line(cluster: &Cluster, inner: f64) -> bool {
    inner >= ONE_LINE_FROM || cluster.tight && inner >= CLOSE_LINE_FROM
}

/// Draws a member, with the storage of the guest that is relocated where it belongs here.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, index: usize, area: Area, storage: bool) {
    let (Some(host), Some(member)) = (cluster.hosts.get(index), cluster.seen.members.get(index)) else { return };
    let side = cluster.side(index);
    let here: Vec<usize> = (0..cluster.homes.len()).filter(|guest| cluster.homes.get(*guest) == Some(&index)).collect();
    let (x, inner) = (area.x + PAD, area.w - 2.0 * PAD);
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 8.0), Tone::Surface)];
    marks.extend(head(&member.name, member.state, side, area));
    let (count, busy) = (host.processors.count, host.processors.busy);
    let cpus = [format!("{busy} of {count} CPUs busy"), format!("{busy} of {count} CPUs"), format!("{busy}/{count}")];
    let room = inner - processors(&mut marks, host, (x, area.y + 26.0), inner) - 6.0;
    if let Some(text) = first_that_fits(cpus, Letters::Small, room) {
        marks.push(Mark::text((x + inner, area.y + 35.0), Align::End, Letters::Small, Tone::Quiet, text));
    }
    let (available, queued) = (gb_or_mb(host.storage.available_frames), host.paging.ios.queued);
    marks.extend(bottom(cluster, area, &available, queued));
    let mean = cluster.rates.known(&cluster.rates.members, index);
    let mean = mean.map_or(String::new(), |mean| format!(" ({} on average)", short(mean)));
    scene.parts.push(Part {
        id: (Kind::Member, index),
        name: member.name.clone(),
        state: format!(
            "{}, {busy} of {count} processors busy{mean}, {} guests, {available} of frames available, {queued} page space I/Os waiting",
            state::member(member.state),
            here.len(),
        ),
        room: Kind::Member.room(),
        place: (area.x, area.y, area.w, HEAD),
        limits: false,
        marks,
    });
    let mut top = area.y + HEAD + 4.0;
    if storage && cluster.shows_storage() {
        let h = copies::height(cluster, inner) + area.h - height(cluster, area.w, storage);
        if let Some(side) = side {
            copies::draw(scene, cluster, side, Area { x, y: top, w: inner, h }, false);
        }
        top += h + 6.0;
    }
    let drawn = cluster.relocation().filter(|_| storage).map(|one| one.guest as usize);
    let chips = Chips::new(cluster, inner, storage);
    for (place, &guest) in here.iter().filter(|guest| Some(**guest) != drawn).enumerate() {
        let (column, row) = (place % chips.columns, place / chips.columns);
        let at = (x + column as f64 * chips.w, top + row as f64 * chips.h);
        scene.parts.extend(host.guests.get(guest).map(|seen| chip(cluster, guest, seen, at, chips)));
    }
}

/// The name of a member and its part in the relocation or its state, where there is room for it.
fn head(name: &str, state: MemberState, side: Option<Side>, area: Area) -> Vec<Mark> {
    let (x, right, y) = (area.x + PAD, area.x + area.w - PAD, area.y + 18.0);
    let (word, ink) = match (state, side) {
        (MemberState::Joined, Some(Side::Source)) => ("source", Tone::Quiet),
        (MemberState::Joined, Some(Side::Destination)) => ("destination", Tone::Quiet),
        (MemberState::Joined, None) => ("joined", Tone::Running),
        (other, _) => (state::member(other), Tone::Changed),
    };
    let mut marks = vec![Mark::text((x, y), Align::Start, Letters::Heading, Tone::Text, name)];
    if fits(word, Letters::Small, right - x - width(name, Letters::Heading) - 6.0) {
        marks.push(Mark::text((right, y), Align::End, Letters::Small, ink, word));
    }
    marks
}

/// The lines at the bottom: frames that are available, and I/Os that wait for page space.
fn bottom(cluster: &Cluster, area: Area, available: &str, queued: u32) -> Vec<Mark> {
    let (x, right, inner) = (area.x + PAD, area.x + area.w - PAD, area.w - 2.0 * PAD);
    let foot = area.y + area.h - foot(cluster, inner) - 2.0;
    let waiting = if queued > 0 { Tone::Changed } else { Tone::Text };
    let lines = [
        (["frames available", "available", "free"], available.to_string(), Tone::Text),
        (["page space I/O waiting", "page I/O waiting", "page I/O"], queued.to_string(), waiting),
    ];
    let half = (inner - if cluster.tight { 10.0 } else { 24.0 }) / 2.0;
    let places = match one_line(cluster, inner) {
        true => [(x, foot + 16.0, half), (right - half, foot + 16.0, half)],
        false => [(x, foot + 16.0, inner), (x, foot + 31.0, inner)],
    };
    let mut marks = Vec::new();
    for (((labels, value, ink), (x, y, w)), usual) in lines.into_iter().zip(places).zip(["99.9 GB", "99"]) {
        // Beside a usual value, so that all members have the same words, and keep them.
        let room = w - width(&value, Letters::Name).max(width(usual, Letters::Name)) - 6.0;
        if let Some(label) = first_that_fits(labels.map(String::from), Letters::Small, room) {
            marks.push(Mark::text((x, y), Align::Start, Letters::Small, Tone::Quiet, label));
        }
        marks.push(Mark::text((x + w, y), Align::End, Letters::Name, ink, value));
    }
    marks
}

/// The processors as cells; returns their width.
fn processors(marks: &mut Vec<Mark>, host: &Snapshot, (x, y): Point, inner: f64) -> f64 {
    let logical = &host.processors.logical;
    let step = (inner * 0.55 / logical.len().max(1) as f64).min(12.0);
    for (tone, does) in [
        (Tone::Empty, [Doing::Idle, Doing::Idle]),
        (Tone::Running, [Doing::Guest, Doing::Guest]),
        (Tone::Cp, [Doing::Cp, Doing::Cp]),
        (Tone::Spin, [Doing::Spin, Doing::Suspended]),
    ] {
        let at = logical.iter().enumerate().filter(|(_, one)| does.contains(&one.does));
        let corners: Vec<Point> = at.map(|(place, _)| (x + place as f64 * step, y)).collect();
        if !corners.is_empty() {
            marks.push(Mark::new(Shape::Cells((step - 2.0).max(1.0), 10.0, corners), tone));
        }
    }
    step * logical.len() as f64
}

/// A guest that is not being shown by its storage.
fn chip(cluster: &Cluster, index: usize, guest: &GuestSnapshot, (x, y): Point, chips: Chips) -> Part {
    let (w, h) = ((chips.w - 3.0).max(2.0), (chips.h - 3.0).max(2.0));
    let moving = cluster
        .seen
        .relocations
        .iter()
        .find(|one| one.guest as usize == index && one.end.is_none() && one.stage > RelocationStage::Waiting);
    let stopped = moving.is_some_and(|one| one.stopped_ns.is_some());
    let colour = if stopped { Tone::Changed } else { tone(guest.state) };
    let mut marks = Vec::new();
    if chips.label == Label::None {
        marks.push(Mark::new(Shape::Box(x, y, w, h, 1.5), colour));
    } else {
        marks.push(Mark::new(Shape::Box(x, y, w, h, 3.0), Tone::Surface));
        marks.push(Mark::new(Shape::Box(x, y, 5.0, h, 2.0), colour));
        let text = if chips.label == Label::Name { guest.name.clone() } else { (index + 1).to_string() };
        marks.push(Mark::text((x + 8.0, y + h - 3.5), Align::Start, Letters::Small, Tone::Text, text));
    }
    if moving.is_some() && chips.label != Label::None {
        marks.push(Mark::new(Shape::Box(x + 5.0, y + h - 2.0, w - 5.0, 2.0, 1.0), Tone::Arriving));
    }
    let resident = gb_or_mb(guest.valid_pages + guest.age_list_pages);
    let leaves = moving.map_or(String::new(), |_| "; it is being relocated".into());
    Part {
        id: (Kind::Guest, index),
        name: guest.name.clone(),
        state: format!("{}; {resident} of {} resident{leaves}", state::guest(guest.state), gb_or_mb(guest.virtual_pages)),
        room: if moving.is_some() { Kind::Relocation.room() } else { Kind::Guest.room() },
        place: (x, y, w, h),
        limits: false,
        marks,
    }
}
