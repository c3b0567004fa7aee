//! The storage of a guest that is being relocated, in cells from its first page to its last: at the source what was sent and
//! what has changed since; at the destination what has arrived.

use zvmlab::snapshot::{EndCode, PieceSnapshot, RelocationSnapshot, RelocationStage};

use super::text::{first_that_fits, fits, width};
use super::{Area, Cluster};
use crate::machine::{Align, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};
use crate::words::state;
use crate::words::unit::gb_or_mb;

/// Height of the line of words above the cells, and of the one beneath.
const WORDS: f64 = 17.0;
/// Steps in which a cell fills.
const LEVELS: u64 = 4;
/// The cells of a guest of which nothing is noted.
const CELLS: usize = 240;
/// Columns and height of a cell where the parts stand close together.
const CLOSE: (usize, f64) = (30, 6.0);
/// Height of a cell of a picture that is brief too.
const BRIEF: f64 = 4.0;

/// An end of a relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Where the guest comes from.
    Source,
    /// Where it goes to.
    Destination,
}

/// The least height of cells and words in a width. The cells fill more, if there is more.
pub(super) fn height(cluster: &Cluster, w: f64) -> f64 {
    if cluster.tight {
        let cell = if cluster.brief { BRIEF } else { CLOSE.1 };
        return CELLS.div_ceil(CLOSE.0) as f64 * cell + 2.0 * WORDS;
    }
    let columns = match w {
        w if w >= 280.0 => 30,
        w if w >= 170.0 => 20,
        _ => 16,
    };
    CELLS.div_ceil(columns) as f64 * (w / columns as f64).clamp(7.0, 11.0) + 2.0 * WORDS
}

/// In how many columns `count` cells are nearest to squares.
fn columns(count: usize, area: Area) -> usize {
    let off = |columns: &usize| {
        let (w, h) = (area.w / *columns as f64, area.h / count.div_ceil(*columns) as f64);
        // A last row that is not full counts as a little off.
        (w / h).max(h / w) + if count.is_multiple_of(*columns) { 0.0 } else { 0.1 }
    };
    (1..=count.clamp(1, 60)).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(1)
}

/// Draws the storage of the relocation that is shown. Where the guest itself is drawn by its cells, that is its part;
/// else, and with `apart`, the cells are a copy.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, side: Side, area: Area, apart: bool) {
    let Some(one) = cluster.relocation() else { return };
    let member = if side == Side::Source { one.from } else { one.to } as usize;
    let guest = cluster.hosts.get(member).and_then(|host| host.guests.get(one.guest as usize));
    let is_home = cluster.homes.get(one.guest as usize) == Some(&member);
    let words = words(cluster, one, side);
    let mut marks = vec![Mark::new(Shape::Box(area.x - 3.0, area.y, area.w + 6.0, area.h, 4.0), Tone::Surface)];
    let name = guest.map_or(one.name.clone(), |guest| format!("{}, {}", one.name, gb_or_mb(guest.virtual_pages)));
    let place = match (apart, side) {
        (false, _) => name.clone(),
        (true, side) => {
            let at = cluster.seen.members.get(member).map_or("", |member| member.name.as_str());
            let at =
                if side == Side::Source { format!("{}, source {at}", one.name) } else { format!("{}, at {at}", one.name) };
            first_that_fits([at], Letters::Heading, area.w).unwrap_or(one.name.clone())
        }
    };
    let line = area.y + 12.0;
    marks.push(Mark::text((area.x, line), Align::Start, Letters::Name, Tone::Text, place.clone()));
    let (word, tone) = guest_word(one, side, is_home);
    // Names are written in capitals, which are as wide as the letters of a heading.
    if fits(word, Letters::Small, area.w - width(&place, Letters::Heading) - 8.0) {
        marks.push(Mark::text((area.x + area.w, line), Align::End, Letters::Small, tone, word));
    }
    let grid = Area { y: area.y + WORDS, h: area.h - 2.0 * WORDS, ..area };
    cells(&mut marks, one, side, grid);
    let at = (area.x, area.y + area.h - 4.0);
    if let Some(text) = first_that_fits([words.0.clone(), words.1.clone()], Letters::Small, area.w) {
        marks.push(Mark::text(at, Align::Start, Letters::Small, words.2, text));
    }
    let own = is_home && !apart;
    let does = guest.filter(|_| own).map_or(word.to_string(), |guest| state::guest(guest.state).into());
    let index = one.guest as usize;
    scene.parts.push(Part {
        id: match (own, apart) {
            (true, _) => (Kind::Guest, index),
            (false, false) => (Kind::Copy, index),
            (false, true) => (Kind::Copy, 2 * index + usize::from(side == Side::Destination)),
        },
        name: match side {
            _ if own => name,
            Side::Source => format!("{} at its source", one.name),
            Side::Destination => format!("{} at its destination", one.name),
        },
        state: format!("{does}; {}", words.0),
        room: Kind::Copy.room(),
        place: (area.x - 3.0, area.y, area.w + 6.0, area.h),
        limits: false,
        marks,
    });
}

/// Whether the guest runs here.
fn guest_word(one: &RelocationSnapshot, side: Side, is_home: bool) -> (&'static str, Tone) {
    match (is_home, one.stopped_ns.is_some() && one.started_ns.is_none(), side) {
        (true, _, _) if one.end == Some(EndCode::Logoff) => ("logged off", Tone::Quiet),
        (true, true, _) => ("stopped", Tone::Changed),
        (true, false, _) => ("runs", Tone::Running),
        (false, _, Side::Source) => ("has left", Tone::Quiet),
        (false, _, Side::Destination) if one.stage >= RelocationStage::Moving && one.end.is_none() => {
            ("skeleton", Tone::Quiet)
        }
        (false, _, Side::Destination) => ("not here", Tone::Quiet),
    }
}

/// What the cells show, in words, at length and in short.
fn words(cluster: &Cluster, one: &RelocationSnapshot, side: Side) -> (String, String, Tone) {
    let both = |long: String, short: String, tone: Tone| (long, short, tone);
    let moves = one.stage >= RelocationStage::Moving && one.end.is_none();
    match (side, one.end) {
        (Side::Source, None) if moves => {
            let changed = gb_or_mb(sum(one, |piece| piece.changed));
            both(format!("changed since sent: {changed}"), format!("changed: {changed}"), Tone::Changed)
        }
        (Side::Source, None) => {
            let touched = gb_or_mb(one.touched_pages);
            both(format!("touched: {touched}, nothing sent"), format!("touched: {touched}"), Tone::Quiet)
        }
        (Side::Source, Some(EndCode::Completed)) => both("nothing is left here".into(), "empty".into(), Tone::Quiet),
        (Side::Source, Some(_)) => both("its storage stays here".into(), "stays here".into(), Tone::Quiet),
        (Side::Destination, None) if moves => {
            let first = if one.passes.len() < 2 { under_way(cluster, one) } else { 0 };
            let arrived = gb_or_mb(sum(one, |piece| piece.sent).saturating_sub(first));
            let pass = one.passes.last().map_or(0, |pass| pass.pages).saturating_sub(under_way(cluster, one));
            let of_pass = gb_or_mb(pass);
            if one.passes.len() < 2 {
                return both(format!("arrived: {arrived}"), arrived, Tone::Arriving);
            }
            both(format!("arrived: {arrived}, in this pass {of_pass}"), format!("in this pass: {of_pass}"), Tone::Arriving)
        }
        (Side::Destination, None) => both("nothing has arrived".into(), "empty".into(), Tone::Quiet),
        (Side::Destination, Some(EndCode::Completed)) => both("all has arrived".into(), "all is here".into(), Tone::Sent),
        (Side::Destination, Some(_)) => both("what arrived was dropped".into(), "dropped".into(), Tone::Quiet),
    }
}

/// The sum over all pieces.
fn sum(one: &RelocationSnapshot, of: impl Fn(&PieceSnapshot) -> u32) -> u64 {
    one.pieces.iter().map(|piece| u64::from(of(piece))).sum()
}

/// Pages of a relocation in the messages under way.
fn under_way(cluster: &Cluster, one: &RelocationSnapshot) -> u64 {
    let link = cluster.seen.links.iter().filter(|link| (link.from, link.to) == (one.from, one.to));
    let of = link.flat_map(|link| &link.messages).filter(|message| message.guest == Some(one.guest));
    of.map(|message| u64::from(message.pages)).sum()
}

/// The pieces to draw. Before and after the notes are taken, all are alike.
fn pieces(one: &RelocationSnapshot, side: Side) -> Vec<PieceSnapshot> {
    if !one.pieces.is_empty() {
        return one.pieces.clone();
    }
    let piece = match (side, one.end) {
        (Side::Source, None) => PieceSnapshot { unsent: 1, ..PieceSnapshot::default() },
        (Side::Source, Some(EndCode::Completed | EndCode::Logoff)) => PieceSnapshot::default(),
        (Side::Source, Some(_)) => PieceSnapshot { sent: 1, ..PieceSnapshot::default() },
        (Side::Destination, Some(EndCode::Completed)) => PieceSnapshot { sent: 1, ..PieceSnapshot::default() },
        (Side::Destination, _) => PieceSnapshot::default(),
    };
    vec![piece; CELLS]
}

/// The cells. Each fills from below in steps.
fn cells(marks: &mut Vec<Mark>, one: &RelocationSnapshot, side: Side, area: Area) {
    let pieces = pieces(one, side);
    let columns = columns(pieces.len(), area);
    let rows = pieces.len().div_ceil(columns).max(1);
    let (w, h) = (area.w / columns as f64, area.h / rows as f64);
    let corner = |cell: usize| (area.x + (cell % columns) as f64 * w, area.y + (cell / columns) as f64 * h);
    let size = (w - 1.5, h - 1.5);
    let mut fill = |tone: Tone, of: &dyn Fn(&PieceSnapshot) -> u64| {
        for level in 1..=LEVELS {
            let high = size.1 * level as f64 / LEVELS as f64;
            let at = pieces.iter().enumerate().filter(|(_, piece)| of(piece) == level);
            let corners: Vec<Point> = at.map(|(cell, _)| (corner(cell).0, corner(cell).1 + size.1 - high)).collect();
            if !corners.is_empty() {
                marks.push(Mark::new(Shape::Cells(size.0, high, corners), tone));
            }
        }
    };
    // Storage that was never touched is left out; where nothing is noted, all cells are empty.
    let noted = !one.pieces.is_empty();
    fill(Tone::Empty, &|piece| if noted && piece.sent + piece.unsent == 0 { 0 } else { LEVELS });
    fill(Tone::Sent, &|piece| level(piece.sent, piece));
    match side {
        Side::Source => fill(Tone::Changed, &|piece| level(piece.changed, piece)),
        Side::Destination => fill(Tone::Arriving, &|piece| level(piece.of_pass, piece)),
    }
}

/// How far a cell is filled by so many of its pages: a little is seen, and only all of it is full.
fn level(pages: u32, piece: &PieceSnapshot) -> u64 {
    let (pages, all) = (u64::from(pages), u64::from(piece.sent + piece.unsent));
    match all {
        0 => 0,
        _ if pages * 50 < all => 0,
        _ => (pages * LEVELS).div_ceil(all).min(LEVELS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_fills_in_steps() {
        let piece = PieceSnapshot { sent: 600, unsent: 400, ..PieceSnapshot::default() };
        assert_eq!([0, 19, 20, 251, 600, 1000].map(|pages| level(pages, &piece)), [0, 0, 1, 2, 3, 4]);
        assert_eq!(level(0, &PieceSnapshot::default()), 0);
    }
}
