//! The links of three or four members: beneath the members where they stand in a row, beside them where they stand in a column.

use super::{LABEL, Laid, Pair, paint, part};
use crate::machine::area::Area;
use crate::machine::members::{BELOW, Cluster};
use crate::machine::text::fits;
use crate::machine::{Align, Letters, Mark, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::unit::{BYTES_PER_GB, percent};
use zvmlab::order;

/// Beneath a row of members: the height of a pipe, also of one in a brief picture, and of the sockets.
const THIN: f64 = 13.0;
const THINNER: f64 = 8.0;
const SMALL_SOCKETS: f64 = 5.0;
/// Beside a column of members: the width of a link, and of what its pipes share.
const COLUMN: f64 = 31.0;
const PIPES: f64 = 20.0;
/// Space between the lines that go from a member to its links.
const PORT: f64 = 9.0;

/// In which row or column each link stands, so that none lies on another.
fn ranks(pairs: &[Pair]) -> Vec<usize> {
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order::by_key(&mut order, |&at| (pairs[at].ends.1 - pairs[at].ends.0, pairs[at].ends.0));
    let mut ranks = vec![0; pairs.len()];
    for at in order {
        let (a, b) = pairs[at].ends;
        let free = |rank: &Vec<(usize, usize)>| rank.iter().all(|&(c, d)| b <= c || d <= a);
        let rank = taken.iter().position(free).unwrap_or_else(|| {
            taken.push(Vec::new());
            taken.len() - 1
        });
        taken[rank].push((a, b));
        ranks[at] = rank;
    }
    ranks
}

/// Draws the links beneath members in a row. Returns where they end.
pub(in crate::machine::members) fn beneath(
    scene: &mut Scene,
    cluster: &Cluster,
    pairs: &[Pair],
    place: &dyn Fn(usize) -> Area,
) -> f64 {
    let ranks = ranks(pairs);
    let count = ranks.iter().max().map_or(0, |most| most + 1);
    let first = place(0);
    let chpids = pairs.first().map_or(0, |pair| pair.chpids(cluster).len()) as f64;
    let (thin, below) = if cluster.brief { (THINNER, 4.0) } else { (THIN, 12.0) };
    let row = LABEL + chpids * (thin + 3.0) + SMALL_SOCKETS + below;
    let top = first.y + first.h + BELOW;
    let port = |member: usize, rank: usize, right: bool| {
        let off = 8.0 + (count - 1 - rank) as f64 * PORT;
        let place = place(member);
        place.x + place.w / 2.0 + if right { off } else { -off }
    };
    // The lines to the members lie beneath all pipes.
    for (pair, &rank) in pairs.iter().zip(&ranks) {
        let y = top + rank as f64 * row + LABEL + thin / 2.0;
        for x in [port(pair.ends.0, rank, true), port(pair.ends.1, rank, false)] {
            scene.ground.push(Mark::new(Shape::Line(vec![(x, first.y + first.h), (x, y)]), Tone::Border));
        }
    }
    for (pair, &rank) in pairs.iter().zip(&ranks) {
        let (from, to) = (port(pair.ends.0, rank, true), port(pair.ends.1, rank, false));
        let y = top + rank as f64 * row;
        let pipe = |place: usize| Area { x: from, y: y + LABEL + place as f64 * (thin + 3.0), w: to - from, h: thin };
        let pipes: Vec<Area> = (0..pair.chpids(cluster).len()).map(pipe).collect();
        let bottom = y + LABEL + chpids * (thin + 3.0);
        let column = |x: f64| ((x, y + LABEL), (x, bottom));
        let laid = Laid {
            title: Area { x: from, y, w: to - from, h: LABEL - 1.0 },
            pipes,
            sockets: Area { x: from, y: bottom, w: to - from, h: SMALL_SOCKETS },
            lies: true,
            docks: [column(from - 11.0), column(from), column(to), column(to + 11.0)],
        };
        compact(scene, cluster, pair, laid.title);
        paint(scene, cluster, pair, &laid, false);
    }
    top + count as f64 * row
}

/// How wide the links beside a column of members are.
pub(in crate::machine::members) fn gutter(pairs: &[Pair]) -> f64 {
    16.0 + ranks(pairs).iter().max().map_or(0.0, |most| (most + 1) as f64 * COLUMN)
}

/// Draws the links beside members in a column.
pub(in crate::machine::members) fn beside(
    scene: &mut Scene,
    cluster: &Cluster,
    pairs: &[Pair],
    place: &dyn Fn(usize) -> Area,
) {
    let ranks = ranks(pairs);
    let count = ranks.iter().max().map_or(0, |most| most + 1);
    let right = place(0).x + place(0).w;
    let port = |member: usize, rank: usize, down: bool| {
        let off = 7.0 + (count - 1 - rank) as f64 * 5.0;
        let place = place(member);
        place.y + place.h / 2.0 + if down { off } else { -off }
    };
    let x = |rank: usize| right + 16.0 + rank as f64 * COLUMN;
    for (pair, &rank) in pairs.iter().zip(&ranks) {
        let middle = x(rank) + PIPES / 2.0;
        for y in [port(pair.ends.0, rank, true), port(pair.ends.1, rank, false)] {
            scene.ground.push(Mark::new(Shape::Line(vec![(right, y), (middle, y)]), Tone::Border));
        }
    }
    for (pair, &rank) in pairs.iter().zip(&ranks) {
        let (from, to) = (port(pair.ends.0, rank, true), port(pair.ends.1, rank, false));
        let (x, top) = (x(rank), from + LABEL);
        let chpids = pair.chpids(cluster).len().max(1) as f64;
        let w = (PIPES - 2.0 * (chpids - 1.0)) / chpids;
        let pipe = |place: usize| Area { x: x + place as f64 * (w + 2.0), y: top, w, h: to - top };
        let level = |y: f64| ((x, y), (x + PIPES, y));
        let laid = Laid {
            title: Area { x: x - 4.0, y: from + 1.0, w: COLUMN - 2.0, h: LABEL - 2.0 },
            pipes: (0..pair.chpids(cluster).len()).map(pipe).collect(),
            sockets: Area { x: x + PIPES + 1.5, y: top, w: 4.0, h: to - top },
            lies: false,
            docks: [level(from - 4.0), level(top), level(to - 3.0), level(to + 3.0)],
        };
        compact(scene, cluster, pair, laid.title);
        paint(scene, cluster, pair, &laid, false);
    }
}

/// The title of a link with room for a few words.
fn compact(scene: &mut Scene, cluster: &Cluster, pair: &Pair, area: Area) {
    let main = pair.main(cluster);
    let link = pair.link(cluster, main);
    let gb_s = link.map_or(0, |link| link.capacity_factor);
    let busy: Vec<f64> = (0..pair.chpids(cluster).len()).filter_map(|chpid| pair.busy(cluster, main, chpid)).collect();
    let mean = if busy.is_empty() { None } else { Some(busy.iter().sum::<f64>() / busy.len() as f64) };
    let mean = mean.map_or("–".to_string(), |mean| percent((100.0 * mean).round()));
    let (a, b) = (pair.ends.0 + 1, pair.ends.1 + 1);
    let rate = pair.carries(cluster, main).map_or(String::new(), |bytes| format!(", {} GB/s", short(bytes / BYTES_PER_GB)));
    let texts = [
        format!("{} – {}: {gb_s} Gb, {mean}{rate}", pair.name(cluster, pair.ends.0), pair.name(cluster, pair.ends.1)),
        format!("{a} – {b}: {gb_s} Gb, {mean}"),
        format!("{a} – {b}: {mean}"),
        mean,
    ];
    let (texts, tone) = if pair.is_up(cluster) {
        (texts, Tone::Quiet)
    } else {
        let names = format!("{} – {}: down", pair.name(cluster, pair.ends.0), pair.name(cluster, pair.ends.1));
        ([names, format!("{a} – {b}: down"), "down".into(), "✕".into()], Tone::Changed)
    };
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 3.0), Tone::Surface)];
    // With some space at both ends, if any of them leaves it.
    let in_width = |w: f64| texts.iter().find(|text| fits(text, Letters::Small, w));
    if let Some(text) = in_width(area.w - 14.0).or_else(|| in_width(area.w + 2.0)) {
        let at = (area.x + area.w / 2.0, area.y + area.h - 3.0);
        marks.push(Mark::text(at, Align::Middle, Letters::Small, tone, text.clone()));
    }
    scene.parts.push(part(cluster, pair, area, marks));
}
