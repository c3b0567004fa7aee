//! Connections between clients and servers: five places, one after the other, that a connection goes round.

use zvmlab::snapshot::{ConnectionsSnapshot, Snapshot};

use super::area::{Area, heading};
use super::text::first_that_fits;
use super::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone};
use crate::rooms::connections::what;

/// The height of its heading, with the space over it, of a place, and of the way back beneath.
const HEADING: f64 = 26.0;
const PLACE: f64 = 58.0;
const BACK: f64 = 12.0;
/// Space between places, and the part of it at either end of an arrow.
const GAP: f64 = 14.0;
const ASIDE: f64 = 3.0;
/// The height of a place's words, and the side of a token with the space to the next.
const WORDS: f64 = 18.0;
const TOKEN: f64 = 6.5;

/// A place: what it is, its name and a shorter one, how many connections are there, and their colour.
type Place = (Kind, usize, &'static str, &'static str, u32, Tone);

fn places(of: &ConnectionsSnapshot) -> [Place; 5] {
    [
        (Kind::Connections, 0, "users think", "think", of.thinking, Tone::Empty),
        (Kind::ClientLine, 0, "clients’ line", "line", of.client_line, Tone::Queued),
        (Kind::Connections, 1, "in a client", "client", of.at_client, Tone::Running),
        (Kind::ServerLine, 0, "servers’ line", "line", of.server_line, Tone::Queued),
        (Kind::Connections, 2, "in a server", "server", of.at_server, Tone::Running),
    ]
}

/// Draws them beneath `area`, as wide as that, if the host has any. Returns the lower end.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, area: Area) -> f64 {
    let Some(of) = &snapshot.connections else { return area.y };
    let top = area.y + HEADING;
    let w = (area.w - 4.0 * GAP) / 5.0;
    // A token stands for as many connections everywhere, and all of them fit any place.
    let (across, down) = (((w - 6.0) / TOKEN).floor().max(1.0), ((PLACE - WORDS - 3.0) / TOKEN).floor());
    let each = (f64::from(of.count) / (across * down)).ceil().max(1.0);
    let scale = if each > 1.0 { format!(", a square is {each}") } else { String::new() };
    heading(scene, Area { y: top, ..area }, &format!("Connections: {}{scale}", of.count));
    for (at, ((kind, index, name, short, count, tone), what)) in places(of).into_iter().zip(what()).enumerate() {
        let x = area.x + at as f64 * (w + GAP);
        let mut marks = vec![Mark::new(Shape::Box(x, top, w, PLACE, 4.0), Tone::Surface)];
        let told = first_that_fits(
            [format!("{name} {count}"), format!("{short} {count}"), count.to_string()],
            Letters::Small,
            w - 6.0,
        );
        let tell = |words| Mark::text((x + 4.0, top + 13.0), Align::Start, Letters::Small, Tone::Text, words);
        marks.extend(told.map(tell));
        let tokens = (f64::from(count) / each).ceil() as usize;
        let corner = |token: usize| {
            let (column, row) = (token % across as usize, token / across as usize);
            (x + 4.0 + column as f64 * TOKEN, top + WORDS + row as f64 * TOKEN)
        };
        marks.push(Mark::new(Shape::Cells(TOKEN - 1.5, TOKEN - 1.5, (0..tokens).map(corner).collect()), tone));
        if at < 4 {
            let y = top + PLACE / 2.0;
            let (from, to) = (x + w + ASIDE, x + w + GAP - ASIDE);
            scene.ground.push(Mark::new(Shape::Line(vec![(from, y), (to, y)]), Tone::Border));
            scene.ground.push(Mark::new(Shape::Line(vec![(to - 3.0, y - 3.0), (to, y), (to - 3.0, y + 3.0)]), Tone::Border));
        }
        scene.parts.push(Part {
            id: (kind, index),
            name: format!("Connections that {what}"),
            state: format!("{count} of {}", of.count),
            room: kind.room(),
            place: (x, top, w, PLACE),
            limits: false,
            marks,
        });
    }
    // The answer goes back to the users.
    let (first, last, low) = (area.x + w / 2.0, area.x + area.w - w / 2.0, top + PLACE + BACK - 3.0);
    let up = top + PLACE + 2.0;
    scene.ground.push(Mark::new(Shape::Line(vec![(last, up), (last, low), (first, low), (first, up)]), Tone::Border));
    scene
        .ground
        .push(Mark::new(Shape::Line(vec![(first - 3.0, up + 3.0), (first, up), (first + 3.0, up + 3.0)]), Tone::Border));
    top + PLACE + BACK
}
